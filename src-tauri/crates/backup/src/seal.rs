//! Encrypts a backup with a passphrase: ChaCha20-Poly1305 over chunks of 64 KiB, with a key derived by argon2id.
//!
//! ```text
//! quarterdeck-backup 1\n | salt (16 bytes) | KiB of memory, passes, lanes (u32 LE each) | chunk … chunk | last chunk
//! ```
//!
//! Each chunk is encrypted with its number and a flag for the last one (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár).
//! The header is authenticated with every chunk. Changed, missing, reordered or truncated data is therefore detected.

use crate::BackupError;
use argon2::{Algorithm, Argon2, Params, Version};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use std::io::{self, Read, Write};
use zeroize::Zeroizing;

/// The first bytes of an encrypted backup.
pub(crate) const MAGIC: &[u8] = b"quarterdeck-backup 1\n";
const SALT: usize = 16;
const HEAD: usize = MAGIC.len() + SALT + 12;
const CHUNK: usize = 64 * 1024;
const TAG: usize = 16;
/// The OWASP recommendation for argon2id: 46 MiB, one pass, one lane. The file states the parameters, therefore tests can use smaller ones.
const COST: Cost = Cost { memory: if cfg!(test) { 64 } else { 47_104 }, passes: 1, lanes: 1 };
/// Upper limits when reading: this program never writes more, and larger values would only exhaust the reader.
const MAX_COST: Cost = Cost { memory: 1_048_576, passes: 16, lanes: 16 };

/// The passphrase of a backup. Wiped from memory on drop.
#[derive(Clone)]
pub struct Passphrase(Zeroizing<String>);

impl std::fmt::Debug for Passphrase {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Passphrase(…)")
    }
}

impl Passphrase {
    /// Minimum number of characters of a passphrase for encryption.
    pub const MIN_CHARS: usize = 12;

    /// A passphrase for decryption; any text.
    pub fn for_decryption(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// A passphrase for encryption.
    ///
    /// # Errors
    ///
    /// Fewer than [`Self::LEAST`] characters.
    pub fn for_encryption(text: String) -> Result<Self, BackupError> {
        let found = text.chars().count();
        if found < Self::MIN_CHARS {
            Err(BackupError::ShortPassphrase { least: Self::MIN_CHARS, found })
        } else {
            Ok(Self::for_decryption(text))
        }
    }

    /// The text of the passphrase, for storing it encrypted.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    fn key(&self, head: &[u8; HEAD]) -> io::Result<LessSafeKey> {
        let cost = Cost::read(head);
        if cost.memory > MAX_COST.memory || cost.passes > MAX_COST.passes || cost.lanes > MAX_COST.lanes {
            return Err(broken("its beginning asks for more work than any backup needs"));
        }
        let params = Params::new(cost.memory, cost.passes, cost.lanes, Some(32))
            .map_err(|_| broken("its beginning is not one of a backup"))?;
        let mut bytes = Zeroizing::new([0; 32]);
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into(self.0.as_bytes(), &head[MAGIC.len()..MAGIC.len() + SALT], bytes.as_mut())
            .map_err(|_| broken("no key can be made of this passphrase"))?;
        UnboundKey::new(&CHACHA20_POLY1305, bytes.as_ref())
            .map(LessSafeKey::new)
            .map_err(|_| broken("no key can be made of this passphrase"))
    }
}

#[derive(Clone, Copy)]
struct Cost {
    memory: u32,
    passes: u32,
    lanes: u32,
}

impl Cost {
    fn read(head: &[u8; HEAD]) -> Self {
        let number = |place: usize| {
            let at = MAGIC.len() + SALT + 4 * place;
            u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]])
        };
        Self { memory: number(0), passes: number(1), lanes: number(2) }
    }
}

/// The file header with this salt.
fn head(salt: [u8; SALT]) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..MAGIC.len()].copy_from_slice(MAGIC);
    head[MAGIC.len()..MAGIC.len() + SALT].copy_from_slice(&salt);
    for (place, number) in [COST.memory, COST.passes, COST.lanes].into_iter().enumerate() {
        let at = MAGIC.len() + SALT + 4 * place;
        head[at..at + 4].copy_from_slice(&number.to_le_bytes());
    }
    head
}

/// Every key is used for one file only, therefore a nonce is never used twice with the same key.
fn nonce(chunk: u64, is_last: bool) -> Nonce {
    let mut bytes = [0; 12];
    bytes[3..11].copy_from_slice(&chunk.to_be_bytes());
    bytes[11] = u8::from(is_last);
    Nonce::assume_unique_for_key(bytes)
}

fn broken(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.to_owned())
}

/// A writer that encrypts. Without [`EncryptingWriter::finish`] the output cannot be decrypted.
pub(crate) struct EncryptingWriter<W> {
    inner: W,
    key: LessSafeKey,
    head: [u8; HEAD],
    waiting: Vec<u8>,
    chunk: u64,
}

impl<W: Write> EncryptingWriter<W> {
    pub(crate) fn new(mut inner: W, passphrase: &Passphrase, salt: [u8; SALT]) -> io::Result<Self> {
        let head = head(salt);
        let key = passphrase.key(&head)?;
        inner.write_all(&head)?;
        Ok(Self { inner, key, head, waiting: Vec::with_capacity(CHUNK + TAG), chunk: 0 })
    }

    fn seal(&mut self, is_last: bool) -> io::Result<()> {
        self.key
            .seal_in_place_append_tag(nonce(self.chunk, is_last), Aad::from(&self.head), &mut self.waiting)
            .map_err(|_| broken("a piece could not be closed"))?;
        self.inner.write_all(&self.waiting)?;
        self.waiting.clear();
        self.chunk += 1;
        Ok(())
    }

    /// Encrypts and writes the last chunk.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.seal(true)?;
        Ok(self.inner)
    }
}

impl<W: Write> Write for EncryptingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A full chunk is held back until more data arrives, because the last chunk must be flagged.
        if self.waiting.len() == CHUNK {
            self.seal(false)?;
        }
        let taken = bytes.len().min(CHUNK - self.waiting.len());
        self.waiting.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// A reader for the output of [`EncryptingWriter`]. Bytes are returned only after they are authenticated.
pub(crate) struct DecryptingReader<R> {
    inner: R,
    key: LessSafeKey,
    head: [u8; HEAD],
    /// The encrypted chunk after the current one.
    ahead: Vec<u8>,
    open: Vec<u8>,
    given: usize,
    chunk: u64,
    is_over: bool,
}

/// The passphrase is wrong or the first chunk was changed; the two cannot be distinguished.
#[derive(Debug, thiserror::Error)]
#[error("the passphrase does not open the first piece")]
pub(crate) struct WrongPassphrase;

impl<R: Read> DecryptingReader<R> {
    /// Reads the header and decrypts the first chunk.
    pub(crate) fn new(mut inner: R, passphrase: &Passphrase) -> io::Result<Self> {
        let mut head = [0; HEAD];
        inner.read_exact(&mut head)?;
        if !head.starts_with(MAGIC) {
            return Err(broken("it does not begin as a closed backup does"));
        }
        let key = passphrase.key(&head)?;
        let mut reader = Self {
            inner,
            key,
            head,
            ahead: Vec::new(),
            open: Vec::new(),
            given: 0,
            chunk: 0,
            is_over: false,
        };
        reader.ahead = reader.read_chunk()?;
        reader.next_chunk().map_err(|fault| match fault.kind() {
            io::ErrorKind::InvalidData => io::Error::new(io::ErrorKind::PermissionDenied, WrongPassphrase),
            _ => fault,
        })?;
        Ok(reader)
    }

    fn read_chunk(&mut self) -> io::Result<Vec<u8>> {
        let mut chunk = Vec::with_capacity(CHUNK + TAG);
        (&mut self.inner).take((CHUNK + TAG) as u64).read_to_end(&mut chunk)?;
        Ok(chunk)
    }

    fn next_chunk(&mut self) -> io::Result<()> {
        let next = self.read_chunk()?;
        let mut sealed = std::mem::replace(&mut self.ahead, next);
        // Data after the last chunk does not belong to the backup; the previous chunk then lacks the last-chunk flag and fails.
        let is_last = self.ahead.is_empty();
        let open = self
            .key
            .open_in_place(nonce(self.chunk, is_last), Aad::from(&self.head), &mut sealed)
            .map_err(|_| broken("a piece of it was changed, left out or cut off"))?
            .len();
        sealed.truncate(open);
        (self.open, self.given, self.is_over) = (sealed, 0, is_last);
        self.chunk += 1;
        Ok(())
    }
}

impl<R: Read> Read for DecryptingReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while self.given == self.open.len() && !self.is_over {
            self.next_chunk()?;
        }
        let given = bytes.len().min(self.open.len() - self.given);
        bytes[..given].copy_from_slice(&self.open[self.given..self.given + given]);
        self.given += given;
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passphrase(text: &str) -> Passphrase {
        Passphrase::for_decryption(text.to_owned())
    }

    fn closed(plain: &[u8]) -> Vec<u8> {
        let mut writer = EncryptingWriter::new(Vec::new(), &passphrase("a passphrase"), [7; SALT]).unwrap();
        writer.write_all(plain).unwrap();
        writer.finish().unwrap()
    }

    fn opened(bytes: &[u8], text: &str) -> io::Result<Vec<u8>> {
        let mut plain = Vec::new();
        DecryptingReader::new(bytes, &passphrase(text))?.read_to_end(&mut plain)?;
        Ok(plain)
    }

    #[test]
    fn what_was_closed_opens_again_at_every_length_around_a_piece() {
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 5] {
            let plain: Vec<u8> = (0..length).map(|at| u8::try_from(at % 251).unwrap()).collect();
            assert_eq!(opened(&closed(&plain), "a passphrase").unwrap(), plain, "{length}");
        }
    }

    #[test]
    fn another_passphrase_opens_nothing() {
        let fault = opened(&closed(b"secret"), "another passphrase").unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::PermissionDenied);
    }

    #[test]
    fn no_byte_can_be_changed_and_none_cut_off_or_added() {
        let closed = closed(&vec![5; CHUNK + 100]);
        for at in [MAGIC.len(), HEAD - 12, HEAD - 1, HEAD, HEAD + CHUNK, HEAD + CHUNK + TAG, closed.len() - 1]
        {
            let mut changed = closed.clone();
            changed[at] ^= 1;
            assert!(opened(&changed, "a passphrase").is_err(), "{at}");
        }
        for length in [HEAD, HEAD + CHUNK, HEAD + CHUNK + TAG, closed.len() - 1] {
            assert!(opened(&closed[..length], "a passphrase").is_err(), "{length}");
        }
        let mut longer = closed.clone();
        longer.push(0);
        assert!(opened(&longer, "a passphrase").is_err());
    }

    #[test]
    fn pieces_cannot_change_places() {
        let closed = closed(&vec![9; 3 * CHUNK]);
        let (one, two) = (HEAD..HEAD + CHUNK + TAG, HEAD + CHUNK + TAG..HEAD + 2 * (CHUNK + TAG));
        let swapped = [&closed[..HEAD], &closed[two.clone()], &closed[one], &closed[two.end..]].concat();
        assert!(opened(&swapped, "a passphrase").is_err());
    }

    #[test]
    fn a_beginning_that_asks_for_endless_work_is_refused_at_once() {
        let mut closed = closed(b"x");
        closed[MAGIC.len() + SALT..MAGIC.len() + SALT + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(opened(&closed, "a passphrase").unwrap_err().to_string().contains("more work"));
    }

    #[test]
    fn a_short_passphrase_closes_nothing_and_is_never_shown() {
        let fault = Passphrase::for_encryption("short".to_owned()).unwrap_err().to_string();
        assert!(fault.contains("at least 12 characters, got 5"), "{fault}");
        assert_eq!(format!("{:?}", passphrase("hidden")), "Passphrase(…)");
    }
}
