//! The key pair that signs requests to the identity provider: created when first needed, in a file beside the database that only this user can
//! read. It is not included in backups; a new key is registered at the provider with our metadata.

use crate::clock;
use auth::saml::RequestSigner;
use auth::saml::request_signer::SignerError;
use rand::RngCore;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

const NAME: &str = "saml-signing.pem";

/// Why there is no key pair.
#[derive(Debug, thiserror::Error)]
pub enum RequestKeyError {
    #[error("the key that sign-in requests are signed with cannot be kept in {path}")]
    File {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error(
        "the key that sign-in requests are signed with, {path}, cannot be used; remove it, and register the new one at the provider"
    )]
    Signer {
        path: PathBuf,
        #[source]
        cause: SignerError,
    },
}

/// The key pair of a data directory; `None` if it was not created yet. Blocks the thread.
pub fn find(data_dir: &Path) -> Result<Option<RequestSigner>, RequestKeyError> {
    let path = data_dir.join(NAME);
    match std::fs::read_to_string(&path).map(Zeroizing::new) {
        Ok(text) => {
            RequestSigner::from_pem(&text).map(Some).map_err(|cause| RequestKeyError::Signer { path, cause })
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(RequestKeyError::File { path, cause }),
    }
}

/// The key pair of a data directory, created if missing. If two processes create one at the same time, the first one is used. Blocks the thread.
pub fn find_or_make(data_dir: &Path) -> Result<RequestSigner, RequestKeyError> {
    if let Some(found) = find(data_dir)? {
        return Ok(found);
    }
    let path = data_dir.join(NAME);
    let unusable = |cause| RequestKeyError::Signer { path: path.clone(), cause };
    let made = RequestSigner::make(clock::now()).map_err(unusable)?;
    let text = Zeroizing::new(made.to_pem().map_err(unusable)?);
    keep(&path, text.as_bytes()).map_err(|cause| RequestKeyError::File { path: path.clone(), cause })?;
    tracing::info!("a key to sign sign-in requests with was made");
    Ok(find(data_dir)?.unwrap_or(made))
}

/// Writes to a temporary name first, so that a partial key is never read. An existing key is not replaced.
fn keep(path: &Path, text: &[u8]) -> std::io::Result<()> {
    let fresh = path.with_extension(format!("{}.new", rand::rng().next_u64()));
    let mut file = backup::private::create_file(&fresh)?;
    let linked =
        file.write_all(text).and_then(|()| file.sync_all()).and_then(|()| std::fs::hard_link(&fresh, path));
    std::fs::remove_file(&fresh)?;
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_made_once_and_only_this_user_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        assert!(find(folder.path()).unwrap().is_none());
        let made = find_or_make(folder.path()).unwrap();
        assert_eq!(find_or_make(folder.path()).unwrap().certificate, made.certificate);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let access = std::fs::metadata(folder.path().join(NAME)).unwrap().permissions().mode();
            assert_eq!(access & 0o077, 0);
        }
        std::fs::write(folder.path().join(NAME), "nothing").unwrap();
        let error = find_or_make(folder.path()).unwrap_err().to_string();
        assert!(error.contains("register the new one"), "{error}");
    }
}
