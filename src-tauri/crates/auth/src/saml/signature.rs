//! Whether the answer was signed with a known certificate; what of it was.
//!
//! Where a signature is wrong, xmlsec writes lines to the process's standard error beside what is said here. It can be told not to (its
//! `xmlSecErrorsDefaultCallbackEnableOutput`), but samael hands that on to nobody, and calling it ourselves would take `unsafe`, which this workspace
//! forbids. The lines hold no part of the answer beyond names of elements and algorithms.

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

/// The bytes that were digested, and nothing else, with the certificate that vouches for them.
///
/// Only for texts that passed `document` and `structure`: the library follows what a signature tells it to. All signatures
/// must be of one certificate. That the certificate is valid now is checked apart, so that the reason can be told apart.
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

/// Starts xmlsec, once and on one thread: what it sets up belongs to the whole process.
pub fn warm_up() {
    // Nobody's certificate (its key was never kept): without a sound one, xmlsec complains to the terminal. The text is refused, as
    // it has no signature; by then everything is set up.
    let certificate = CertificateDer::from(include_bytes!("warm_up.der").to_vec());
    let _ = Crypto::verify_signed_xml("<a/>", &certificate, None);
}
