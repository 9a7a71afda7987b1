//! Signing certificates of the identity provider: parsing with or without PEM lines, validity and details.

use crate::{SECOND, time};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use openssl::asn1::{Asn1Time, Asn1TimeRef};
use openssl::hash::MessageDigest;
use openssl::nid::Nid;
use openssl::pkey::Id;
use openssl::x509::{X509, X509NameRef};
use schemars::JsonSchema;
use serde::Serialize;

const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const END: &str = "-----END CERTIFICATE-----";
/// Number of days before expiry from which a warning is shown (contract, "Certificate health").
pub const WARNING_DAYS: i64 = 30;
const DAY: i64 = 86_400 * SECOND;

/// One parsed certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    pub der: Vec<u8>,
    pub subject: String,
    pub issuer: String,
    /// SHA-256 of the certificate, `3F:A2:…`.
    pub fingerprint: String,
    /// µs since 1970 UTC.
    pub not_before: i64,
    pub not_after: i64,
    /// Such as `RSA 2048`.
    pub key: String,
    /// The digest of its signature, such as `SHA-256`.
    pub signature: String,
    pub is_self_signed: bool,
}

/// The validity of a certificate at a given time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "CertificateState")]
#[serde(rename_all = "snake_case")]
pub enum CertificateState {
    Healthy,
    /// Expires within 30 days.
    Warning,
    /// Expired.
    Error,
    NotYetValid,
}

/// Why a text is not a certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{which}: expected an X.509 certificate in PEM, with or without the BEGIN and END lines; {found}")]
pub struct CertificateError {
    /// `the certificate`, or `certificate 2`.
    pub which: String,
    pub found: String,
}

/// Parses one or more certificates: with PEM lines or as plain base64 (several separated by commas or empty lines), on one line or many. A literal
/// `
/// ` counts as a line break, since settings files often need it.
pub fn parse_all(text: &str) -> Result<Vec<Certificate>, CertificateError> {
    let text = text.replace("\\n", "\n").replace('\r', "");
    let blocks: Vec<String> = if text.contains("-----BEGIN") {
        blocks_in_pem(&text)?
    } else {
        let separated = text.replace([',', ';'], "\n\n");
        separated.split("\n\n").map(squeeze).filter(|block| !block.is_empty()).collect()
    };
    if blocks.is_empty() {
        return Err(CertificateError {
            which: "the certificate".to_owned(),
            found: "the text is empty".to_owned(),
        });
    }
    let several = blocks.len() > 1;
    let mut all: Vec<Certificate> = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        let which = if several { format!("certificate {}", at + 1) } else { "the certificate".to_owned() };
        let wrong = |found: &str| CertificateError { which: which.clone(), found: found.to_owned() };
        let der = STANDARD.decode(block).map_err(|error| wrong(&format!("this is not base64 ({error})")))?;
        let one = read(der).ok_or_else(|| wrong("the bytes are no certificate"))?;
        if all.iter().all(|known| known.der != one.der) {
            all.push(one);
        }
    }
    Ok(all)
}

fn blocks_in_pem(text: &str) -> Result<Vec<String>, CertificateError> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("-----BEGIN") {
        let wrong = |found: &str| CertificateError {
            which: format!("certificate {}", blocks.len() + 1),
            found: found.to_owned(),
        };
        let begins = &rest[start..];
        if begins.starts_with("-----BEGIN PRIVATE KEY") || begins.starts_with("-----BEGIN RSA PRIVATE KEY") {
            return Err(wrong("this is a private key: it belongs to the provider and nowhere else"));
        }
        let inside = begins.strip_prefix(BEGIN).ok_or_else(|| wrong("this is another kind of PEM block"))?;
        let (block, after) = inside.split_once(END).ok_or_else(|| wrong("the END line is missing"))?;
        blocks.push(squeeze(block));
        rest = after;
    }
    Ok(blocks)
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Parses one certificate from DER.
pub fn read(der: Vec<u8>) -> Option<Certificate> {
    let x509 = X509::from_der(&der).ok()?;
    let key = x509.public_key().ok()?;
    let fingerprint = x509.digest(MessageDigest::sha256()).ok()?;
    let kind = match key.id() {
        Id::RSA | Id::RSA_PSS => "RSA",
        Id::EC => "EC",
        Id::DSA => "DSA",
        Id::ED25519 => "Ed25519",
        _ => "key of",
    };
    Some(Certificate {
        subject: name(x509.subject_name()),
        issuer: name(x509.issuer_name()),
        fingerprint: fingerprint.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":"),
        not_before: micros(x509.not_before())?,
        not_after: micros(x509.not_after())?,
        key: format!("{kind} {}", key.bits()),
        signature: digest_of(x509.signature_algorithm().object().nid()),
        is_self_signed: x509.subject_name().try_cmp(x509.issuer_name()).is_ok_and(std::cmp::Ordering::is_eq),
        der,
    })
}

fn micros(time: &Asn1TimeRef) -> Option<i64> {
    let since = Asn1Time::from_unix(0).ok()?.diff(time).ok()?;
    Some((i64::from(since.days) * 86_400 + i64::from(since.secs)) * SECOND)
}

/// In the usual notation: `CN=sso.example.com, O=Example`.
fn name(name: &X509NameRef) -> String {
    let parts = name.entries().map(|entry| {
        let kind = entry.object().nid().short_name().unwrap_or("?");
        let value = entry.data().to_string().unwrap_or_default();
        format!("{kind}={value}")
    });
    parts.collect::<Vec<_>>().join(", ")
}

fn digest_of(algorithm: Nid) -> String {
    let digest = algorithm.signature_algorithms().map(|pair| pair.digest);
    match digest.and_then(|digest| digest.long_name().ok()) {
        Some(name) => match name.to_ascii_uppercase().strip_prefix("SHA") {
            Some(bits) => format!("SHA-{bits}"),
            None => name.to_ascii_uppercase(),
        },
        None => algorithm.long_name().unwrap_or("unknown").to_owned(),
    }
}

impl Certificate {
    /// Whole days from `now` until the certificate expires; 0 on the last day, negative afterwards.
    pub fn days_left(&self, now: i64) -> i64 {
        (self.not_after - now).div_euclid(DAY)
    }

    pub fn is_expired(&self, now: i64) -> bool {
        now > self.not_after
    }

    pub fn standing(&self, now: i64) -> CertificateState {
        if self.is_expired(now) {
            CertificateState::Error
        } else if now < self.not_before {
            CertificateState::NotYetValid
        } else if self.not_after - now <= WARNING_DAYS * DAY {
            CertificateState::Warning
        } else {
            CertificateState::Healthy
        }
    }

    /// The common names of subject and issuer; empty if there are none.
    pub fn common_names(&self) -> (String, String) {
        let Ok(x509) = X509::from_der(&self.der) else { return (String::new(), String::new()) };
        let of = |name: &X509NameRef| {
            let entry = name.entries_by_nid(Nid::COMMONNAME).next();
            entry.and_then(|entry| entry.data().to_string().ok()).unwrap_or_default()
        };
        (of(x509.subject_name()), of(x509.issuer_name()))
    }

    /// The DNS names of the certificate.
    pub fn dns_names(&self) -> Vec<String> {
        let names = X509::from_der(&self.der).ok().and_then(|x509| x509.subject_alt_names());
        let names = names.iter().flatten();
        names.filter_map(|name| name.dnsname().map(str::to_owned)).collect()
    }

    /// In PEM, the stored format.
    pub fn pem(&self) -> String {
        let packed = STANDARD.encode(&self.der);
        let lines: Vec<&str> =
            packed.as_bytes().chunks(64).filter_map(|line| std::str::from_utf8(line).ok()).collect();
        format!("{BEGIN}\n{}\n{END}\n", lines.join("\n"))
    }

    /// The details to display.
    pub fn details(&self, now: i64) -> Details {
        Details {
            subject: self.subject.clone(),
            issuer: self.issuer.clone(),
            fingerprint_sha256: self.fingerprint.clone(),
            not_before: time::text(self.not_before),
            not_after: time::text(self.not_after),
            days_left: self.days_left(now),
            state: self.standing(now),
            key: self.key.clone(),
            signature: self.signature.clone(),
            self_signed: self.is_self_signed,
            pem: self.pem(),
        }
    }
}

/// Details of an X.509 certificate.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Certificate")]
pub struct Details {
    pub subject: String,
    pub issuer: String,
    pub fingerprint_sha256: String,
    pub not_before: String,
    pub not_after: String,
    pub days_left: i64,
    pub state: CertificateState,
    pub key: String,
    pub signature: String,
    pub self_signed: bool,
    pub pem: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saml::kit;

    const NOW: i64 = kit::NOW;

    #[test]
    fn a_certificate_is_read_with_and_without_its_pem_lines() {
        let idp = kit::Idp::new("sso.example.com", NOW - DAY, NOW + 100 * DAY);
        let pem = idp.pem();
        let naked: String =
            pem.lines().filter(|line| !line.starts_with("---")).collect::<Vec<_>>().join("\n");
        let forms = [
            pem.clone(),
            naked.clone(),
            naked.replace('\n', ""),
            pem.replace('\n', "\\n"),
            pem.replace('\n', " "),
        ];
        for form in forms {
            let read = parse_all(&form).unwrap();
            assert_eq!((read.len(), read[0].subject.as_str()), (1, "CN=sso.example.com"), "{form}");
            assert_eq!(read[0].pem(), pem);
        }
    }

    #[test]
    fn several_certificates_may_stand_one_after_the_other() {
        let (old, new) =
            (kit::Idp::new("old", NOW - DAY, NOW + DAY), kit::Idp::new("new", NOW, NOW + 90 * DAY));
        let both = parse_all(&format!("{}{}", old.pem(), new.pem())).unwrap();
        assert_eq!(both.iter().map(|one| one.subject.as_str()).collect::<Vec<_>>(), ["CN=old", "CN=new"]);
        assert_eq!(parse_all(&format!("{}{}", old.pem(), old.pem())).unwrap().len(), 1);
    }

    #[test]
    fn what_is_no_certificate_is_refused_with_what_it_is() {
        for (text, words) in [
            ("", "the text is empty"),
            ("hello", "this is not base64"),
            ("aGVsbG8=", "the bytes are no certificate"),
            ("-----BEGIN CERTIFICATE-----\naGVs", "the END line is missing"),
            ("-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----", "this is a private key"),
            ("-----BEGIN PUBLIC KEY-----\nx", "another kind of PEM block"),
        ] {
            let error = parse_all(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn a_certificate_warns_for_thirty_days_and_then_fails() {
        let one = |end| parse_all(&kit::Idp::new("a", NOW - DAY, end).pem()).unwrap().remove(0);
        for (end, standing, days) in [
            (NOW + 31 * DAY, CertificateState::Healthy, 31),
            (NOW + 30 * DAY, CertificateState::Warning, 30),
            (NOW + DAY / 2, CertificateState::Warning, 0),
            (NOW - SECOND, CertificateState::Error, -1),
        ] {
            let found = one(end);
            assert_eq!((found.standing(NOW), found.days_left(NOW)), (standing, days));
        }
        assert_eq!(one(NOW + DAY).standing(NOW - 2 * DAY), CertificateState::NotYetValid);
    }
}
