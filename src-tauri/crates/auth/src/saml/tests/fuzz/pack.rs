//! Encodes a text for the form field: mostly correctly, sometimes in unusual ways.

use super::dice::Dice;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use std::io::Write;

pub fn pack(text: &[u8], dice: &mut Dice) -> String {
    let plain = STANDARD.encode(text);
    if !dice.once_in(12) {
        return plain;
    }
    match dice.below(9) {
        0 => URL_SAFE.encode(text),
        1 => STANDARD.encode(deflated(text)),
        2 => {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            gzip.write_all(text).unwrap();
            STANDARD.encode(gzip.finish().unwrap())
        }
        3 => STANDARD.encode(&plain),
        4 => plain.bytes().flat_map(|byte| format!("%{byte:02x}").into_bytes()).map(char::from).collect(),
        5 => {
            let wide: Vec<u8> =
                String::from_utf8_lossy(text).encode_utf16().flat_map(u16::to_le_bytes).collect();
            STANDARD.encode(wide)
        }
        6 => {
            let mut bytes = plain.into_bytes();
            let at = dice.below(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte = b"=A/+ \n-_%\0"[dice.below(10)];
            }
            String::from_utf8(bytes).unwrap()
        }
        7 => plain
            .as_bytes()
            .chunks(1 + dice.below(80))
            .map(|line| [line, b"\r\n"].concat())
            .map(text_of)
            .collect(),
        _ => {
            let cut = dice.below(plain.len());
            plain[..cut].to_owned()
        }
    }
}

fn deflated(text: &[u8]) -> Vec<u8> {
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::fast());
    deflate.write_all(text).unwrap();
    deflate.finish().unwrap()
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}
