//! The bytes of a file on their way to a reader of records: counted, hashed, inflated, and never more than one record at a time.

use crate::limit::{HEADER_BYTES, RECORD_BYTES};
use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// A file, open; it reads as its content, inflated when it is gzip.
pub struct Source {
    input: Input,
    /// The beginning of the content, read ahead to recognise it.
    head: Vec<u8>,
    head_read: usize,
    since_record: u64,
}

enum Input {
    Plain(Counted),
    Gzip(Box<MultiGzDecoder<BufReader<Counted>>>),
}

/// What reading ended with, when it was the file's fault.
#[derive(Debug, thiserror::Error)]
#[error("a record is longer than {} MiB", RECORD_BYTES >> 20)]
pub struct RecordTooLong;

impl Source {
    /// Opens a file and reads its beginning. An error is one of the disk; damaged gzip shows when the content is read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut magic = [0; 2];
        let is_gzip = File::open(path)?.read_exact(&mut magic).is_ok() && magic == [0x1f, 0x8b];
        let raw = Counted { file: File::open(path)?, bytes: 0, hash: Sha256::new() };
        let input = if is_gzip {
            Input::Gzip(Box::new(MultiGzDecoder::new(BufReader::with_capacity(1 << 16, raw))))
        } else {
            Input::Plain(raw)
        };
        Ok(Self { input, head: Vec::new(), head_read: 0, since_record: 0 })
    }

    pub fn is_gzip(&self) -> bool {
        matches!(self.input, Input::Gzip(_))
    }

    /// The beginning of the content: all of it when it is short.
    pub fn peek(&mut self) -> io::Result<&[u8]> {
        let mut head = Vec::with_capacity(HEADER_BYTES);
        let taken = self.input.by_ref().take(HEADER_BYTES as u64).read_to_end(&mut head);
        self.head = head;
        taken.map(|_| self.head.as_slice())
    }

    /// Leaves out the first bytes of what [`Self::peek`] gave (a byte order mark).
    pub fn skip(&mut self, bytes: usize) {
        self.head_read = bytes.min(self.head.len());
    }

    /// Says that a record was read whole, so that the next one may be as long again.
    pub fn record_done(&mut self) {
        self.since_record = 0;
    }

    /// Bytes of the file read so far.
    pub fn bytes_read(&self) -> u64 {
        self.raw().bytes
    }

    /// Reads what is left of the file; its SHA-256 in hex.
    pub fn finish(self) -> io::Result<String> {
        let mut raw = match self.input {
            Input::Plain(raw) => raw,
            Input::Gzip(decoder) => decoder.into_inner().into_inner(),
        };
        io::copy(&mut raw, &mut io::sink())?;
        Ok(hex(&raw.hash.finalize()))
    }

    fn raw(&self) -> &Counted {
        match &self.input {
            Input::Plain(raw) => raw,
            Input::Gzip(decoder) => decoder.get_ref().get_ref(),
        }
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // The reader of records reads ahead by one buffer, so a record may come out a little longer than the limit.
        if self.since_record > RECORD_BYTES {
            return Err(io::Error::other(RecordTooLong));
        }
        let count = if self.head_read < self.head.len() {
            let count = (&self.head[self.head_read..]).read(buffer)?;
            self.head_read += count;
            if self.head_read == self.head.len() {
                self.head = Vec::new();
                self.head_read = 0;
            }
            count
        } else {
            self.input.read(buffer)?
        };
        self.since_record += count as u64;
        Ok(count)
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(raw) => raw.read(buffer),
            Self::Gzip(decoder) => decoder.read(buffer),
        }
    }
}

/// A file that counts and hashes what is read of it.
struct Counted {
    file: File,
    bytes: u64,
    hash: Sha256,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.bytes += count as u64;
        self.hash.update(&buffer[..count]);
        Ok(count)
    }
}

/// The SHA-256 of a file in hex.
pub fn hash(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok(hex(&hash.finalize()));
        }
        hash.update(&buffer[..count]);
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(64), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes what is written to it");
        text
    })
}
