//! Verifies that a response was signed with a known certificate, and returns the signed bytes.
//!
//! For a wrong signature, xmlsec also writes lines to the standard error of the process. `xmlSecErrorsDefaultCallbackEnableOutput` disables that,
//! but samael does not expose it, and calling it directly requires `unsafe`, which this workspace forbids. The lines contain nothing of the
//! response except names of elements and algorithms.

use super::cause::{Cause, Rejection};
use super::certificate::Certificate;
use samael::crypto::{AllowedSignatureAlgorithm, CertificateDer, Crypto, CryptoProvider, ReduceMode};

/// SHA-256 and stronger, as in the allow-list of structures.
const ALLOWED: &[AllowedSignatureAlgorithm] = &[
    AllowedSignatureAlgorithm::RsaSha256,
    AllowedSignatureAlgorithm::RsaSha384,
    AllowedSignatureAlgorithm::RsaSha512,
    AllowedSignatureAlgorithm::EcdsaSha256,
    AllowedSignatureAlgorithm::EcdsaSha384,
    AllowedSignatureAlgorithm::EcdsaSha512,
];

/// Returns exactly the bytes that were digested, with the certificate that verifies them.
///
/// Only for texts that passed `document` and `structure`: the library does whatever a signature's markup requests. All signatures must be by one
/// certificate. Its validity period is checked separately, to report a separate cause.
pub fn verify<'c>(
    text: &str,
    certificates: &'c [Certificate],
) -> Result<(String, &'c Certificate), Rejection> {
    let mut last = String::new();
    for certificate in certificates {
        let der = [CertificateDer::from(certificate.der.clone())];
        match Crypto::reduce_xml_to_signed_with_allowed_algorithms(
            text,
            &der,
            ReduceMode::PreDigest,
            Some(ALLOWED),
        ) {
            Ok(signed) => return Ok((signed, certificate)),
            Err(error) => last = error.to_string(),
        }
    }
    let known = certificates.iter().map(|one| one.subject.as_str()).collect::<Vec<_>>().join(" or ");
    Err(Rejection::new(Cause::SignatureWrong)
        .expected(format!("signed with the certificate {known}"))
        .received(last))
}

/// Initialises xmlsec once, on one thread: its state is global to the process.
pub fn warm_up() {
    // A dummy certificate whose private key was never stored: without a valid one, xmlsec writes errors to the terminal. The text is refused, since
    // it has no signature; by then xmlsec is initialised.
    let certificate = CertificateDer::from(include_bytes!("warm_up.der").to_vec());
    let _ = Crypto::verify_signed_xml("<a/>", &certificate, None);
}
