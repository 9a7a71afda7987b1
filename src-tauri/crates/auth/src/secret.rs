//! Random secrets and their fingerprints.

use rand::CryptoRng;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use uuid::Uuid;

/// 256 random bits as 64 hexadecimal digits.
pub fn draw(rng: &mut dyn CryptoRng) -> String {
    let mut bytes = [0; 32];
    rng.fill_bytes(&mut bytes);
    hex(&bytes)
}

/// The stored form of a secret: its SHA-256, as lower-case hexadecimal digits.
pub fn fingerprint(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

/// The SHA-256 of a secret, for looking it up in memory.
pub fn print(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// A random (version 4) id.
pub fn new_id(rng: &mut dyn CryptoRng) -> Uuid {
    let mut bytes = [0; 16];
    rng.fill_bytes(&mut bytes);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes every write");
        text
    })
}
