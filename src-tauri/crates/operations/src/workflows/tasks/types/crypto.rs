//! Tasks that hash, encode and encrypt texts.

use super::super::{Parameter, Task, one_of, optional, required};

const DATA: Parameter = required("data", "string", "The text.");
const KEY: Parameter = required("key", "string", "The key: a secret, such as {{ Secrets.NAME }}.");
const ENCODING: Parameter = one_of(required("algorithm", "string", "How."), &["base64", "hex"]);
const CIPHER: Parameter =
    one_of(optional("algorithm", "string", "How; aes-256-gcm unless given."), &["aes-256-gcm"]);
const KEY_ENCODING: Parameter = one_of(
    optional(
        "key_encoding",
        "string",
        "How the key is written: text of any length (its SHA-256 is the key) unless given, or 32 bytes.",
    ),
    &["text", "base64", "hex"],
);

pub(super) const DECODE: Task = Task {
    name: "crypto.decode",
    about: "Decodes a text from base64 or hex.",
    inputs: &[DATA, ENCODING],
    outputs: &[optional("data", "string", "The text.")],
};

pub(super) const DECRYPT: Task = Task {
    name: "crypto.decrypt",
    about: "Decrypts what crypto.encrypt encrypted.",
    inputs: &[DATA, KEY, CIPHER, KEY_ENCODING],
    outputs: &[optional("data", "string", "The text.")],
};

pub(super) const ENCODE: Task = Task {
    name: "crypto.encode",
    about: "Encodes a text as base64 or hex.",
    inputs: &[DATA, ENCODING],
    outputs: &[optional("data", "string", "The text, encoded.")],
};

pub(super) const ENCRYPT: Task = Task {
    name: "crypto.encrypt",
    about: "Encrypts a text with AES-256-GCM.",
    inputs: &[DATA, KEY, CIPHER, KEY_ENCODING],
    outputs: &[optional("data", "string", "The nonce, what was encrypted and its tag, in base64.")],
};

pub(super) const HASH: Task = Task {
    name: "crypto.hash",
    about: "Makes the digest of a text.",
    inputs: &[DATA, one_of(required("algorithm", "string", "How."), &["md5", "sha1", "sha256", "sha512"])],
    outputs: &[optional("data", "string", "The digest, in hex.")],
};
