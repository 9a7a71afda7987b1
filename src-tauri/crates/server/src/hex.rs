//! Hexadecimal representation of bytes.

use std::fmt::Write;

/// Lower-case hexadecimal digits.
pub fn of(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes every write");
        text
    })
}
