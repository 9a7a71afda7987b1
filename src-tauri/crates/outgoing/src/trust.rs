//! The trusted certificate authorities: Mozilla's list, and those added by a user.

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;

/// Authority certificates added to Mozilla's list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Authorities {
    certificates: Vec<CertificateDer<'static>>,
}

/// A text that contains no usable authority certificates.
#[derive(Debug, thiserror::Error)]
#[error(
    "Expected certificates in PEM form (lines of BEGIN CERTIFICATE and END CERTIFICATE), got {found}. Ask whoever runs that authority for its certificate in PEM form."
)]
pub struct NotCertificates {
    pub found: String,
}

impl Authorities {
    /// Parses certificates in PEM form; other PEM blocks are ignored.
    pub fn from_pem(text: &str) -> Result<Self, NotCertificates> {
        let certificates =
            CertificateDer::pem_slice_iter(text.as_bytes()).collect::<Result<Vec<_>, _>>().map_err(
                |fault| NotCertificates { found: format!("a text that cannot be read as that ({fault})") },
            )?;
        if certificates.is_empty() {
            return Err(NotCertificates { found: "a text without any".to_owned() });
        }
        for certificate in &certificates {
            RootCertStore::empty().add(certificate.clone()).map_err(|fault| NotCertificates {
                found: format!("one that is no authority's certificate ({fault})"),
            })?;
        }
        Ok(Self { certificates })
    }

    /// The certificates of a setting: PEM text, or the path of a file with it.
    pub fn read(text_or_file: &str) -> Result<Self, NotCertificates> {
        if text_or_file.contains("-----BEGIN") {
            return Self::from_pem(text_or_file);
        }
        let text = std::fs::read_to_string(text_or_file).map_err(|error| NotCertificates {
            found: format!("{text_or_file:?}, which is no file that can be read ({error})"),
        })?;
        Self::from_pem(&text)
    }

    /// The added certificates in DER form, for connections opened by other libraries.
    pub fn der(&self) -> impl Iterator<Item = Vec<u8>> {
        self.certificates.iter().map(|certificate| certificate.to_vec())
    }

    /// The root store of all trusted authorities.
    pub(crate) fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        roots.add_parsable_certificates(self.certificates.iter().cloned());
        roots
    }

    /// TLS client configuration with these authorities: TLS 1.2 and 1.3 as implemented by ring.
    pub(crate) fn client_config(&self) -> ClientConfig {
        let roots = self.roots();
        let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions();
        // The builder cannot fail: ring supports the cipher suites of both versions.
        builder.map_or_else(
            |_| unreachable!("ring offers the suites of TLS 1.2 and 1.3"),
            |builder| builder.with_root_certificates(roots).with_no_client_auth(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_certificates_is_refused_in_words() {
        let fault = Authorities::from_pem("hello").unwrap_err().to_string();
        assert!(fault.contains("got a text without any"), "{fault}");
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let fault = Authorities::read("/nowhere/ca.pem").unwrap_err().to_string();
        assert!(fault.contains("got \"/nowhere/ca.pem\", which is no file that can be read"), "{fault}");
    }

    #[test]
    fn a_certificate_that_is_none_is_refused() {
        let fault = Authorities::from_pem("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
            .unwrap_err()
            .to_string();
        assert!(fault.contains("no authority's certificate"), "{fault}");
    }
}
