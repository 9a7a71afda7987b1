//! Secrets at rest: ChaCha20-Poly1305 with a key that is not in the database, so that a database, or a backup of it, gives no secret away.

use crate::failure::{Failure, Trouble};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rand::CryptoRng;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use zeroize::Zeroizing;

/// Where the key of the seal is: the keyring of the system, or a file beside the database.
pub trait KeyPlace: Send + Sync {
    /// The key; made when there is none yet. An error says in words why not. Blocks.
    fn key(&self) -> Result<Zeroizing<[u8; 32]>, String>;

    /// Where it is, as people are told: "in the keyring of this computer", "encrypted on this server".
    fn about(&self) -> &'static str;
}

/// Seals a secret for one purpose, such as a field of a provider; it opens as nothing else. Blocks.
pub fn seal(
    place: &dyn KeyPlace,
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

/// Opens what [`seal`] made. Blocks.
pub fn open(place: &dyn KeyPlace, purpose: &str, sealed: &str) -> Result<String, Failure> {
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

fn key(place: &dyn KeyPlace) -> Result<LessSafeKey, Failure> {
    let key = place.key().map_err(|why| unusable(&why))?;
    let unbound = UnboundKey::new(&CHACHA20_POLY1305, key.as_slice());
    unbound.map(LessSafeKey::new).map_err(|_| unusable("its key has a wrong length"))
}

/// There is nowhere to have the key from.
pub(crate) fn no_place() -> Failure {
    unusable("there is no key for secrets here")
}

fn unusable(why: &str) -> Failure {
    Failure::new(
        Trouble::Setting,
        format!("A saved secret cannot be used: {why}."),
        "Type it again under Settings, Model providers.",
    )
}
