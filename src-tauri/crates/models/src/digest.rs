//! Hashes offered by registries, in their various formats.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use outgoing::header::{HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256, Sha512};

/// Secure hash algorithms. MD5 and SHA-1 are not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    Sha256,
    Sha512,
}

impl Algorithm {
    fn bytes(self) -> usize {
        match self {
            Self::Sha256 => 32,
            Self::Sha512 => 64,
        }
    }
}

/// A hash a file is expected to have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpectedDigest {
    pub algorithm: Algorithm,
    /// Lower-case hex.
    pub hex: String,
    /// Its source, for messages.
    pub told_by: String,
}

impl ExpectedDigest {
    pub fn new(algorithm: Algorithm, hex: &str, told_by: &str) -> Option<Self> {
        let hex = hex.trim().to_ascii_lowercase();
        let is_hex = hex.len() == algorithm.bytes() * 2 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hex.then(|| Self { algorithm, hex, told_by: told_by.to_owned() })
    }

    fn from_base64(algorithm: Algorithm, text: &str, told_by: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text.trim().trim_matches(':')).ok()?;
        Self::new(algorithm, &hex_of(&bytes), told_by)
    }
}

/// The hashes of the whole file in response headers, most reliable first. `Content-Digest` is ignored: it covers the bytes sent, not the file.
pub fn of_headers(headers: &HeaderMap) -> Vec<ExpectedDigest> {
    let texts = |name: &'static str| {
        headers.get_all(name).into_iter().filter_map(|value: &HeaderValue| value.to_str().ok())
    };
    let mut found = Vec::new();
    for (header, label) in [("repr-digest", "Repr-Digest"), ("digest", "Digest")] {
        for (name, value) in
            texts(header).flat_map(|text| text.split(',')).filter_map(|entry| entry.split_once('='))
        {
            if let Some(algorithm) = algorithm_of(name) {
                found.extend(ExpectedDigest::from_base64(algorithm, value, label));
            }
        }
    }
    for (header, algorithm, label) in [
        ("x-checksum-sha256", Algorithm::Sha256, "X-Checksum-Sha256"),
        ("x-checksum-sha512", Algorithm::Sha512, "X-Checksum-Sha512"),
    ] {
        found.extend(texts(header).filter_map(|text| ExpectedDigest::new(algorithm, text, label)));
    }
    found
        .extend(texts("x-amz-checksum-sha256").filter_map(|text| {
            ExpectedDigest::from_base64(Algorithm::Sha256, text, "x-amz-checksum-sha256")
        }));
    for (header, label) in [("x-linked-etag", "X-Linked-Etag"), ("etag", "ETag")] {
        found.extend(texts(header).filter_map(|text| of_etag(text, label)));
    }
    found
}

fn algorithm_of(name: &str) -> Option<Algorithm> {
    match name.trim().to_ascii_lowercase().as_str() {
        "sha-256" => Some(Algorithm::Sha256),
        "sha-512" => Some(Algorithm::Sha512),
        _ => None,
    }
}

/// A strong ETag that is a SHA-256: `"sha256:…"`, `"sha256-…"`, or just 64 hex digits.
fn of_etag(text: &str, label: &str) -> Option<ExpectedDigest> {
    let inner = text.trim().strip_prefix('"')?.strip_suffix('"')?;
    let hex = ["sha256:", "sha256-"].iter().find_map(|prefix| inner.strip_prefix(prefix)).unwrap_or(inner);
    ExpectedDigest::new(Algorithm::Sha256, hex, label)
}

/// The hash in a `.sha256` file: only the hash, `hash  name` as written by sha256sum, or `SHA256 (name) = hash`. Only the first line is used.
pub fn of_sidecar(text: &str) -> Option<ExpectedDigest> {
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    let hex = match line.rsplit_once("= ") {
        Some((_, hex)) => hex,
        None => line.split_whitespace().next()?,
    };
    ExpectedDigest::new(Algorithm::Sha256, hex.trim_start_matches('\u{feff}'), ".sha256 file")
}

/// Computes both hashes of a file; SHA-512 only if one is expected.
#[derive(Clone)]
pub struct Hashing {
    sha256: Sha256,
    sha512: Option<Sha512>,
}

/// The hashes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDigests {
    /// Lower-case hex.
    pub sha256: String,
    pub sha512: Option<String>,
}

impl Hashing {
    pub fn for_any_of(expected: &[ExpectedDigest]) -> Self {
        let wants = expected.iter().any(|one| one.algorithm == Algorithm::Sha512);
        Self { sha256: Sha256::new(), sha512: wants.then(Sha512::new) }
    }

    pub fn update(&mut self, bytes: &[u8]) {
        self.sha256.update(bytes);
        if let Some(sha512) = &mut self.sha512 {
            sha512.update(bytes);
        }
    }

    pub fn finish(self) -> FileDigests {
        FileDigests {
            sha256: hex_of(&self.sha256.finalize()),
            sha512: self.sha512.map(|hash| hex_of(&hash.finalize())),
        }
    }
}

impl FileDigests {
    /// The hash by that algorithm, if it was computed.
    pub fn of(&self, algorithm: Algorithm) -> Option<&str> {
        match algorithm {
            Algorithm::Sha256 => Some(&self.sha256),
            Algorithm::Sha512 => self.sha512.as_deref(),
        }
    }

    /// The first expected hash that differs.
    pub fn contradicts<'a>(&self, expected: &'a [ExpectedDigest]) -> Option<&'a ExpectedDigest> {
        expected.iter().find(|one| self.of(one.algorithm) != Some(one.hex.as_str()))
    }
}

fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    const ABC_BASE64: &str = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";

    fn found(name: &'static str, value: &str) -> Vec<ExpectedDigest> {
        of_headers(&HeaderMap::from_iter([(
            outgoing::header::HeaderName::from_static(name),
            HeaderValue::from_str(value).unwrap(),
        )]))
    }

    #[test]
    fn every_form_of_the_same_hash_is_understood() {
        for (name, value) in [
            ("repr-digest", format!("sha-256=:{ABC_BASE64}:")),
            ("repr-digest", format!("md5=:kAFQmDzST7DWlj99KOF/cg==:, sha-256=:{ABC_BASE64}:")),
            ("digest", format!("SHA-256={ABC_BASE64}")),
            ("x-checksum-sha256", ABC.to_uppercase()),
            ("x-amz-checksum-sha256", ABC_BASE64.to_owned()),
            ("x-linked-etag", format!("\"{ABC}\"")),
            ("etag", format!("\"sha256:{ABC}\"")),
            ("etag", format!("\"sha256-{ABC}\"")),
        ] {
            let found = found(name, &value);
            assert_eq!(found.len(), 1, "{name}: {value}");
            assert_eq!(found[0].hex, ABC);
        }
    }

    #[test]
    fn what_proves_nothing_is_passed_over() {
        for (name, value) in [
            ("etag", "\"5d41402abc4b2a76b9719d911017c592\""),
            ("etag", &format!("W/\"{ABC}\"")),
            ("x-checksum-sha256", "abc"),
            ("x-checksum-md5", "5d41402abc4b2a76b9719d911017c592"),
            ("content-digest", &format!("sha-256=:{ABC_BASE64}:")),
            ("x-amz-checksum-sha256", &format!("{ABC_BASE64}-3")),
        ] {
            assert_eq!(found(name, value), [], "{name}: {value}");
        }
    }

    #[test]
    fn a_sidecar_is_read_as_the_tools_write_it() {
        for text in [
            format!("{ABC}\n"),
            format!("{ABC}  svc-llm\n"),
            format!("\n{ABC} *svc-llm\r\n"),
            format!("SHA256 (svc-llm) = {ABC}\n"),
        ] {
            assert_eq!(of_sidecar(&text).unwrap().hex, ABC);
        }
        assert_eq!(of_sidecar("<html>not found</html>"), None);
        assert_eq!(of_sidecar(""), None);
    }

    #[test]
    fn a_file_must_meet_every_hash_that_was_offered() {
        let told = |hex: &str| ExpectedDigest::new(Algorithm::Sha256, hex, "ETag").unwrap();
        let mut hashing = Hashing::for_any_of(&[]);
        hashing.update(b"a");
        hashing.update(b"bc");
        let found = hashing.finish();
        assert_eq!(found.contradicts(&[told(ABC)]), None);
        let other = told(&"0".repeat(64));
        assert_eq!(found.contradicts(&[told(ABC), other.clone()]), Some(&other));
    }
}
