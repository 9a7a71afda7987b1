//! `crypto.*`: digests, encodings, and encryption with AES-256-GCM.
//!
//! An encrypted text is nonce, ciphertext and tag, in base64. Randomness is an argument.

use crate::call::TaskFailure;
use crate::params::{given, wrong};
use crate::template::to_text;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, UnboundKey};
use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA512, digest};
use serde::Serialize;
use serde_json::{Map, Value};

/// Returns fresh random bytes, or `None` if there are none.
pub type Nonce<'n> = dyn Fn() -> Option<[u8; NONCE_LEN]> + 'n;

/// The output of such a task.
#[derive(Debug, Serialize)]
struct CryptoOutput {
    data: String,
}

/// Refuses an encoded secret: anybody who decodes base64 could read it in the history.
pub(crate) fn check_secrets(
    kind: &str,
    params: &Value,
    secrets: &Map<String, Value>,
) -> Result<(), TaskFailure> {
    if !matches!(kind, "crypto.encode" | "crypto.decode") {
        return Ok(());
    }
    let data = to_text(&params["data"]);
    let holds =
        |secret: &str| !secret.is_empty() && (data == secret || secret.len() >= 4 && data.contains(secret));
    if secrets.values().filter_map(Value::as_str).any(holds) {
        return Err(wrong(
            "data: it holds a secret, and the output is kept in the history, where it could be read: give secrets to the task that needs them, \
             such as basic_auth_password of integrations.http",
        ));
    }
    Ok(())
}

/// Runs such a task.
pub(crate) fn carry_out(kind: &str, params: &Value, nonce: &Nonce<'_>) -> Result<Value, TaskFailure> {
    let data = match &params["data"] {
        Value::Null => return Err(wrong("data: expected a text, found nothing")),
        data => to_text(data),
    };
    let data = match kind {
        "crypto.hash" => hash(&data, &algorithm(params, ""))?,
        "crypto.encode" => match algorithm(params, "").as_str() {
            "base64" => STANDARD.encode(data),
            "hex" => hex(data.as_bytes()),
            other => return Err(unknown("base64 or hex", other)),
        },
        "crypto.decode" => decode(&data, &algorithm(params, ""))?,
        "crypto.encrypt" => encrypt(data, &key(params)?, nonce)?,
        "crypto.decrypt" => decrypt(&data, &key(params)?)?,
        other => return Err(wrong(format!("{other} makes no value"))),
    };
    given(&CryptoOutput { data })
}

fn algorithm(params: &Value, otherwise: &str) -> String {
    let given = to_text(&params["algorithm"]).trim().to_lowercase();
    if given.is_empty() { otherwise.to_owned() } else { given }
}

fn unknown(expected: &str, found: &str) -> TaskFailure {
    wrong(format!("algorithm: expected {expected}, found \"{found}\""))
}

fn hash(data: &str, algorithm: &str) -> Result<String, TaskFailure> {
    let digest = match algorithm {
        "md5" => {
            use md5::{Digest, Md5};
            return Ok(hex(&Md5::digest(data)));
        }
        "sha1" => digest(&SHA1_FOR_LEGACY_USE_ONLY, data.as_bytes()),
        "sha256" => digest(&SHA256, data.as_bytes()),
        "sha512" => digest(&SHA512, data.as_bytes()),
        other => return Err(unknown("md5, sha1, sha256 or sha512", other)),
    };
    Ok(hex(digest.as_ref()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.trim().chars().map(|letter| letter.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    digits.chunks(2).map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok()).collect()
}

fn decode(data: &str, algorithm: &str) -> Result<String, TaskFailure> {
    let bytes = match algorithm {
        "base64" => STANDARD
            .decode(data.trim())
            .map_err(|error| wrong(format!("data: this is not base64: {error}")))?,
        "hex" => from_hex(data).ok_or_else(|| wrong("data: expected pairs of hex digits"))?,
        other => return Err(unknown("base64 or hex", other)),
    };
    String::from_utf8(bytes).map_err(|_| wrong("data: what is encoded is no text in UTF-8"))
}

/// The key: the SHA-256 of a text of any length, as in the reference.
fn key(params: &Value) -> Result<LessSafeKey, TaskFailure> {
    match algorithm(params, "aes-256-gcm").as_str() {
        "aes-256-gcm" => {}
        other => return Err(unknown("aes-256-gcm", other)),
    }
    let text = to_text(&params["key"]);
    if text.is_empty() {
        return Err(wrong("key: expected a key, such as {{ Secrets.NAME }}"));
    }
    let bytes = match to_text(&params["key_encoding"]).trim().to_lowercase().as_str() {
        "" | "text" => digest(&SHA256, text.as_bytes()).as_ref().to_vec(),
        "base64" => STANDARD.decode(text.trim()).map_err(|_| wrong("key: this is not base64"))?,
        "hex" => from_hex(&text).ok_or_else(|| wrong("key: expected pairs of hex digits"))?,
        other => {
            return Err(wrong(format!("key_encoding: expected text, base64 or hex, found \"{other}\"")));
        }
    };
    let length = bytes.len();
    let key = UnboundKey::new(&AES_256_GCM, &bytes);
    key.map(LessSafeKey::new).map_err(|_| wrong(format!("key: expected 32 bytes, found {length}")))
}

fn encrypt(data: String, key: &LessSafeKey, nonce: &Nonce<'_>) -> Result<String, TaskFailure> {
    let nonce =
        nonce().ok_or_else(|| TaskFailure::new("Random", "there are no random bytes to encrypt with"))?;
    let mut bytes = data.into_bytes();
    let sealed = key.seal_in_place_append_tag(
        ring::aead::Nonce::assume_unique_for_key(nonce),
        Aad::empty(),
        &mut bytes,
    );
    sealed.map_err(|_| wrong("data: it is too long to encrypt"))?;
    Ok(STANDARD.encode([nonce.as_slice(), &bytes].concat()))
}

fn decrypt(data: &str, key: &LessSafeKey) -> Result<String, TaskFailure> {
    let refused = || wrong("data: it does not open: the key is another one, or the data was changed");
    let bytes =
        STANDARD.decode(data.trim()).map_err(|error| wrong(format!("data: this is not base64: {error}")))?;
    let (nonce, sealed) = bytes.split_first_chunk::<NONCE_LEN>().ok_or_else(refused)?;
    let mut sealed = sealed.to_vec();
    let nonce = ring::aead::Nonce::assume_unique_for_key(*nonce);
    let opened = key.open_in_place(nonce, Aad::empty(), &mut sealed).map_err(|_| refused())?;
    String::from_utf8(opened.to_vec()).map_err(|_| wrong("data: what was encrypted is no text in UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::{carry_out, check_secrets};
    use serde_json::{Map, Value, json};

    fn made(kind: &str, params: Value) -> Result<String, String> {
        let made = carry_out(kind, &params, &|| Some([7; 12])).map_err(|failure| failure.message)?;
        Ok(made["data"].as_str().unwrap().to_owned())
    }

    #[test]
    fn texts_are_hashed_encoded_and_decoded() {
        for (kind, data, algorithm, expected) in [
            ("hash", "hello world", "md5", "5eb63bbbe01eeed093cb22bb8f5acdc3"),
            ("hash", "hello world", "sha1", "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed"),
            (
                "hash",
                "hello world",
                "sha256",
                "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
            ),
            (
                "hash",
                "hello world",
                "sha512",
                "309ecc489c12d6eb4cc40f50c902f2b4d0ed77ee511a7c7a9bcd3ca86d4cd86f989dd35bc5ff499670da34255b45b0cfd830e81f605dcf7dc5542e93ae9cd76f",
            ),
            ("encode", "hello world", "base64", "aGVsbG8gd29ybGQ="),
            ("encode", "hello world", "HEX", "68656c6c6f20776f726c64"),
            ("decode", "aGVsbG8gd29ybGQ=", "base64", "hello world"),
            ("decode", "68656c6c6f20776f726c64", "hex", "hello world"),
        ] {
            let params = json!({ "data": data, "algorithm": algorithm });
            assert_eq!(made(&format!("crypto.{kind}"), params).as_deref(), Ok(expected), "{algorithm}");
        }
    }

    #[test]
    fn what_was_encrypted_opens_with_its_key_alone() {
        for (key, encoding) in [
            ("mysecretkey", "text"),
            ("MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=", "base64"),
            ("3132333435363738393031323334353637383930313233343536373839303132", "hex"),
        ] {
            let params = |data: &str| json!({ "data": data, "key": key, "key_encoding": encoding });
            let sealed = made("crypto.encrypt", params("sensitive data")).unwrap();
            assert_eq!(made("crypto.decrypt", params(&sealed)).as_deref(), Ok("sensitive data"));
            let other = made("crypto.decrypt", json!({ "data": sealed, "key": "another" }));
            assert!(other.unwrap_err().contains("does not open"));
        }
        // Encrypted by another program: nonce 000000000000000000000000, key of 32 zero bytes, text "abc".
        let zero = "0".repeat(64);
        let sealed = carry_out(
            "crypto.encrypt",
            &json!({ "data": "abc", "key": zero, "key_encoding": "hex" }),
            &|| Some([0; 12]),
        );
        assert_eq!(sealed.unwrap()["data"], "AAAAAAAAAAAAAAAAr8UjVBCe9lovXMuz8FIJeBTfPA==");
    }

    #[test]
    fn what_cannot_be_done_says_why() {
        for (kind, params, expected) in [
            ("crypto.hash", json!({ "data": "a", "algorithm": "crc" }), "algorithm: expected md5"),
            ("crypto.hash", json!({ "algorithm": "md5" }), "data: expected a text"),
            ("crypto.decode", json!({ "data": "abc", "algorithm": "hex" }), "data: expected pairs"),
            ("crypto.decode", json!({ "data": "/w==", "algorithm": "base64" }), "data: what is encoded"),
            (
                "crypto.encrypt",
                json!({ "data": "a", "key": "aGVsbG8=", "key_encoding": "base64" }),
                "key: expected 32 bytes, found 5",
            ),
            ("crypto.encrypt", json!({ "data": "a" }), "key: expected a key"),
            ("crypto.decrypt", json!({ "data": "AAAA", "key": "k" }), "data: it does not open"),
        ] {
            let reason = made(kind, params).unwrap_err();
            assert!(reason.starts_with(expected), "{reason}");
        }
    }

    #[test]
    fn a_secret_is_not_encoded_into_the_history() {
        let secrets = Map::from_iter([("TOKEN".to_owned(), json!("hunter2hunter2"))]);
        let params = json!({ "data": "user:hunter2hunter2", "algorithm": "base64" });
        assert!(check_secrets("crypto.encode", &params, &secrets).is_err());
        assert!(check_secrets("crypto.hash", &params, &secrets).is_ok());
        assert!(check_secrets("crypto.encode", &json!({ "data": "plain" }), &secrets).is_ok());
    }
}
