//! Signs authentication requests for providers that require it, with a key pair of this service and its certificate.

use super::certificate::{self, Certificate};
use crate::SECOND;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use openssl::asn1::{Asn1Integer, Asn1Time};
use openssl::bn::{BigNum, MsbOption};
use openssl::error::ErrorStack;
use openssl::hash::MessageDigest;
use openssl::pkey::{PKey, Private};
use openssl::rsa::Rsa;
use openssl::sign::Signer;
use openssl::x509::{X509, X509NameBuilder};

/// RSA with SHA-256, which every provider supports (RFC 6931).
pub const ALGORITHM: &str = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
const KEY_BITS: u32 = 3072;
/// Validity of the certificate: ten years, in µs. Providers compare the key, and an expired certificate would lock everybody out.
const VALIDITY: i64 = 3_653 * 86_400 * SECOND;

/// The key pair that signs requests. Its `Debug` output contains only the certificate.
#[derive(Clone)]
pub struct RequestSigner {
    key: PKey<Private>,
    pub certificate: Certificate,
}

impl std::fmt::Debug for RequestSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RequestSigner").field("key", &"***").field("certificate", &self.certificate).finish()
    }
}

/// Why there is no usable key pair.
#[derive(Debug, thiserror::Error)]
pub enum SignerError {
    #[error("a key to sign requests with cannot be made or used")]
    Library(#[from] ErrorStack),
    #[error("expected a private key and its certificate in PEM form")]
    Unreadable,
}

impl RequestSigner {
    /// Generates a key pair with a self-signed certificate valid from `now`. Takes about a second.
    pub fn make(now: i64) -> Result<Self, SignerError> {
        let key = PKey::from_rsa(Rsa::generate(KEY_BITS)?)?;
        let mut name = X509NameBuilder::new()?;
        name.append_entry_by_text("CN", "Quarterdeck sign-in requests")?;
        let name = name.build();
        let mut serial = BigNum::new()?;
        serial.rand(120, MsbOption::MAYBE_ZERO, false)?;
        let mut builder = X509::builder()?;
        builder.set_version(2)?;
        let serial = Asn1Integer::from_bn(&serial)?;
        builder.set_serial_number(&serial)?;
        builder.set_subject_name(&name)?;
        builder.set_issuer_name(&name)?;
        let time = |at: i64| Asn1Time::from_unix(at.div_euclid(SECOND));
        // One day earlier, since the clocks of provider and service may differ.
        let (begins, ends) = (time(now - 86_400 * SECOND)?, time(now + VALIDITY)?);
        builder.set_not_before(&begins)?;
        builder.set_not_after(&ends)?;
        builder.set_pubkey(&key)?;
        builder.sign(&key, MessageDigest::sha256())?;
        let certificate = certificate::read(builder.build().to_der()?).ok_or(SignerError::Unreadable)?;
        Ok(Self { key, certificate })
    }

    /// Parses the output of [`Self::to_pem`]. Fails if the certificate has another key.
    pub fn from_pem(text: &str) -> Result<Self, SignerError> {
        let key = PKey::private_key_from_pem(text.as_bytes())?;
        let found = X509::from_pem(text.as_bytes())?;
        if !found.public_key()?.public_eq(&key) {
            return Err(SignerError::Unreadable);
        }
        let certificate = certificate::read(found.to_der()?).ok_or(SignerError::Unreadable)?;
        Ok(Self { key, certificate })
    }

    /// The key pair as PEM: a secret.
    pub fn to_pem(&self) -> Result<String, SignerError> {
        let key =
            String::from_utf8(self.key.private_key_to_pem_pkcs8()?).map_err(|_| SignerError::Unreadable)?;
        Ok(format!("{key}{}", self.certificate.pem()))
    }

    /// The signature of a text, in base64.
    pub(super) fn sign(&self, text: &str) -> Result<String, SignerError> {
        let mut signer = Signer::new(MessageDigest::sha256(), &self.key)?;
        signer.update(text.as_bytes())?;
        Ok(STANDARD.encode(signer.sign_to_vec()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saml::kit::NOW;

    #[test]
    fn a_pair_is_the_same_after_it_was_written_down_and_shows_no_key() {
        let signer = RequestSigner::make(NOW).unwrap();
        let text = signer.to_pem().unwrap();
        let again = RequestSigner::from_pem(&text).unwrap();
        assert_eq!(again.certificate, signer.certificate);
        assert_eq!(again.sign("a=1&b=2").unwrap(), signer.sign("a=1&b=2").unwrap());
        let shown = format!("{signer:?}");
        assert!(shown.contains("***") && !shown.contains("PRIVATE"), "{shown}");
        let mut signature = openssl::sign::Verifier::new(MessageDigest::sha256(), &signer.key).unwrap();
        signature.update(b"a=1").unwrap();
        assert!(signature.verify(&STANDARD.decode(signer.sign("a=1").unwrap()).unwrap()).unwrap());
    }

    #[test]
    fn a_certificate_of_another_key_is_refused() {
        let other = crate::saml::kit::Idp::new("other", NOW, NOW + 86_400 * SECOND).pem();
        let text = RequestSigner::make(NOW).unwrap().to_pem().unwrap();
        let (key, _) = text.split_once("-----BEGIN CERTIFICATE").unwrap();
        assert!(RequestSigner::from_pem(&format!("{key}{other}")).is_err());
        assert!(RequestSigner::from_pem(&other).is_err());
    }
}
