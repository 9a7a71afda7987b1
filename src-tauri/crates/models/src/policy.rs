//! Restrictions by the operator of this machine, independent of saved settings.

use outgoing::EgressPolicy;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Restrictions by the operator of this machine, independent of saved settings.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The addresses that administrators of the instance may configure.
    pub egress: EgressPolicy,
    /// Folders below which remote users may move the models, in addition to `models` in the data directory.
    pub folders: Vec<PathBuf>,
}

impl Default for Policy {
    fn default() -> Self {
        Self { egress: EgressPolicy::of_instance(), folders: Vec::new() }
    }
}

/// A folder outside all allowed ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} is not a folder that models may be moved to. Allowed are {allowed} and what is below them; whoever runs this machine allows others with the setting model_folders", .folder.display()
)]
pub struct FolderNotAllowed {
    folder: PathBuf,
    allowed: String,
}

impl Policy {
    /// Checks that a remote user may move the models to `folder`. Links are resolved first: a link below an allowed folder may point anywhere.
    pub(crate) fn check_folder(&self, data_dir: &Path, folder: &Path) -> Result<(), FolderNotAllowed> {
        let own = data_dir.join("models");
        let allowed: Vec<&Path> =
            std::iter::once(own.as_path()).chain(self.folders.iter().map(PathBuf::as_path)).collect();
        let leads_up = folder.components().any(|part| part == Component::ParentDir);
        let is_allowed = !leads_up
            && resolved(folder).is_ok_and(|folder| {
                allowed.iter().any(|one| resolved(one).is_ok_and(|one| folder.starts_with(one)))
            });
        if is_allowed {
            return Ok(());
        }
        let names: Vec<_> = allowed.iter().map(|one| one.display().to_string()).collect();
        Err(FolderNotAllowed { folder: folder.to_owned(), allowed: names.join(", ") })
    }
}

/// The path with links resolved, as far as it exists.
fn resolved(folder: &Path) -> io::Result<PathBuf> {
    let mut missing = Vec::new();
    let mut existing = folder;
    loop {
        match existing.canonicalize() {
            Ok(found) => return Ok(missing.iter().rev().fold(found, |path, name| path.join(name))),
            // A dangling link exists itself.
            Err(error) if error.kind() != io::ErrorKind::NotFound || existing.symlink_metadata().is_ok() => {
                return Err(error);
            }
            Err(error) => {
                let (Some(parent), Some(name)) = (existing.parent(), existing.file_name()) else {
                    return Err(error);
                };
                missing.push(name);
                existing = parent;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_moved_only_below_folders_that_are_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let (data, disk) = (folder.path().join("data"), folder.path().join("disk"));
        std::fs::create_dir_all(data.join("models")).unwrap();
        std::fs::create_dir_all(&disk).unwrap();
        let policy = Policy { folders: vec![disk.clone()], ..Policy::default() };
        let is_allowed = |path: &Path| policy.check_folder(&data, path).is_ok();
        for path in [data.join("models"), data.join("models/a/b"), disk.clone(), disk.join("x/y")] {
            assert!(is_allowed(&path), "{}", path.display());
        }
        for path in [
            PathBuf::from("/etc"),
            data.clone(),
            data.join("backups"),
            data.join("models-elsewhere"),
            disk.join("../data"),
            folder.path().to_owned(),
        ] {
            assert!(!is_allowed(&path), "{}", path.display());
        }
        let words = policy.check_folder(&data, Path::new("/etc")).unwrap_err().to_string();
        assert!(words.contains("model_folders") && words.contains("disk"), "{words}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_below_an_allowed_folder_is_followed_before_it_is_judged() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir_all(data.join("models")).unwrap();
        std::os::unix::fs::symlink("/etc", data.join("models/out")).unwrap();
        std::os::unix::fs::symlink("/nowhere-at-all", data.join("models/gone")).unwrap();
        for path in ["models/out", "models/out/x", "models/gone/x"] {
            assert!(Policy::default().check_folder(&data, &data.join(path)).is_err(), "{path}");
        }
    }
}
