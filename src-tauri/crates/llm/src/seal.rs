//! Encrypts secrets at rest with ChaCha20-Poly1305.
//!
//! The key is not in the database: a copy or backup of the database does not reveal secrets.

use crate::failure::{Failure, FailureKind};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rand::CryptoRng;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use zeroize::Zeroizing;

/// The storage of the encryption key: the system's keyring, or a file beside the database.
pub trait KeyStorage: Send + Sync {
    /// The key; generated if there is none yet. The error is a message for users. Blocks the thread.
    fn key(&self) -> Result<Zeroizing<[u8; 32]>, String>;

    /// Where the key is stored, as text for users: "in the keyring of this computer", "encrypted on this server".
    fn about(&self) -> &'static str;
}

/// Encrypts a secret for one purpose, such as a field of a provider; it can be decrypted only for the same purpose. Blocks the thread.
pub fn seal(
    place: &dyn KeyStorage,
    purpose: &str,
    secret: &str,
    rng: &mut dyn CryptoRng,
) -> Result<String, Failure> {
    let mut nonce = [0; NONCE_LEN];
    rng.fill_bytes(&mut nonce);
    let mut bytes = secret.as_bytes().to_vec();
    key(place)?
        .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(purpose), &mut bytes)
        .map_err(|_| unusable("it cannot be sealed"))?;
    Ok(format!("{}.{}", STANDARD.encode(nonce), STANDARD.encode(bytes)))
}

/// Decrypts the output of [`seal`]. Blocks the thread.
pub fn open(place: &dyn KeyStorage, purpose: &str, sealed: &str) -> Result<String, Failure> {
    let parts = sealed.split_once('.');
    let read = |text: &str| STANDARD.decode(text).ok();
    let (nonce, mut bytes) = parts
        .and_then(|(nonce, bytes)| Some((read(nonce)?.try_into().ok()?, read(bytes)?)))
        .ok_or_else(|| unusable("it is damaged"))?;
    let opened = key(place)?
        .open_in_place(Nonce::assume_unique_for_key(nonce), Aad::from(purpose), &mut bytes)
        .map_err(|_| unusable("it was sealed with another key, as after a restore on another machine"))?;
    String::from_utf8(opened.to_vec()).map_err(|_| unusable("it is damaged"))
}

fn key(place: &dyn KeyStorage) -> Result<LessSafeKey, Failure> {
    let key = place.key().map_err(|why| unusable(&why))?;
    let unbound = UnboundKey::new(&CHACHA20_POLY1305, key.as_slice());
    unbound.map(LessSafeKey::new).map_err(|_| unusable("its key has a wrong length"))
}

/// There is no storage for the key.
pub(crate) fn no_key_storage() -> Failure {
    unusable("there is no key for secrets here")
}

fn unusable(why: &str) -> Failure {
    Failure::new(
        FailureKind::Setting,
        format!("A saved secret cannot be used: {why}."),
        "Type it again under Settings, Model providers.",
    )
}
