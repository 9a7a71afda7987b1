//! The bytes of a file on their way to a reader of records: counted, hashed, inflated, made UTF-8, and never more than one record
//! at a time.

use crate::limit::{HEADER_BYTES, RECORD_BYTES};
use crate::lines::{self, Lines};
use crate::utf16::Decoder;
use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// A file, open; it reads as its content, inflated when it is gzip, in UTF-8 when it is UTF-16.
pub struct Source {
    input: Input,
    /// Set when the content is UTF-16.
    decoder: Option<Decoder>,
    /// Content in UTF-8 that was read ahead: the beginning, to recognise the file, later what the decoder gave.
    head: Vec<u8>,
    head_read: usize,
    lines: Lines,
    since_record: u64,
    /// Set when whoever reads bounds the records itself.
    is_unbounded: bool,
    is_at_end: bool,
}

enum Input {
    Plain(CountedFile),
    Gzip(Box<MultiGzDecoder<BufReader<CountedFile>>>),
}

/// Bytes of UTF-16 decoded at a time.
const DECODED_BYTES: usize = 1 << 16;

/// What reading ended with, when it was the file's fault.
#[derive(Debug, thiserror::Error)]
#[error("a record is longer than {} MiB", RECORD_BYTES >> 20)]
pub struct RecordTooLong;

impl Source {
    /// Opens a file and reads its beginning. An error is one of the disk; damaged gzip shows when the content is read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut magic = [0; 2];
        let is_gzip = File::open(path)?.read_exact(&mut magic).is_ok() && magic == [0x1f, 0x8b];
        let raw = CountedFile { file: File::open(path)?, bytes: 0, hash: Sha256::new() };
        let input = if is_gzip {
            Input::Gzip(Box::new(MultiGzDecoder::new(BufReader::with_capacity(1 << 16, raw))))
        } else {
            Input::Plain(raw)
        };
        Ok(Self {
            input,
            decoder: None,
            head: Vec::new(),
            head_read: 0,
            lines: Lines::starting_at(1),
            since_record: 0,
            is_unbounded: false,
            is_at_end: false,
        })
    }

    pub fn is_gzip(&self) -> bool {
        matches!(self.input, Input::Gzip(_))
    }

    /// The beginning of the content: all of it when it is short.
    pub fn peek(&mut self) -> io::Result<&[u8]> {
        let mut head = Vec::with_capacity(HEADER_BYTES);
        let taken = self.input.by_ref().take(HEADER_BYTES as u64).read_to_end(&mut head);
        taken?;
        self.decoder = Decoder::for_mark(&head);
        if let Some(decoder) = &mut self.decoder {
            decode(decoder, &head, head.len() < HEADER_BYTES, &mut self.head);
        } else {
            self.head = head;
        }
        Ok(self.head.as_slice())
    }

    /// Leaves out the first bytes of what [`Self::peek`] gave: what stands before the header. Their lines are counted.
    pub fn skip(&mut self, bytes: usize) {
        self.head_read = bytes.min(self.head.len());
        self.lines = Lines::starting_at(1 + lines::count(&self.head[..self.head_read]));
    }

    /// The line of the file in which the record stands that begins at this offset from the header on, or after the line
    /// breaks there. Offsets asked for ascend.
    pub fn line_of(&mut self, offset: u64) -> u64 {
        self.lines.line_of(offset)
    }

    /// Whether the content ends at this offset from the header on, and not with a line break.
    pub fn ends_within_line_at(&self, offset: u64) -> bool {
        self.is_at_end && self.lines.end_within_line() == Some(offset)
    }

    /// Says that a record was read whole, so that the next one may be as long again.
    pub fn record_done(&mut self) {
        self.since_record = 0;
    }

    /// Leaves it to the reader to bound what it keeps in memory.
    pub fn unbound(&mut self) {
        self.is_unbounded = true;
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

    /// Reads ahead when the content must be decoded; nothing is there afterwards at its end only.
    fn decode_more(&mut self) -> io::Result<()> {
        let Some(decoder) = &mut self.decoder else { return Ok(()) };
        let mut bytes = vec![0; DECODED_BYTES];
        // One byte may be half a character, which is not yet the end.
        while self.head.is_empty() {
            let count = self.input.read(&mut bytes)?;
            decode(decoder, &bytes[..count], count == 0, &mut self.head);
            if count == 0 {
                break;
            }
        }
        Ok(())
    }

    fn raw(&self) -> &CountedFile {
        match &self.input {
            Input::Plain(raw) => raw,
            Input::Gzip(decoder) => decoder.get_ref().get_ref(),
        }
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // The reader of records reads ahead by one buffer, so a record may come out a little longer than the limit.
        if self.since_record > RECORD_BYTES && !self.is_unbounded {
            return Err(io::Error::other(RecordTooLong));
        }
        if self.head_read == self.head.len() {
            self.head = Vec::new();
            self.head_read = 0;
            self.decode_more()?;
        }
        let count = if self.head_read < self.head.len() {
            let count = (&self.head[self.head_read..]).read(buffer)?;
            self.head_read += count;
            count
        } else {
            self.input.read(buffer)?
        };
        self.is_at_end |= count == 0 && !buffer.is_empty();
        self.lines.pass(&buffer[..count]);
        self.since_record += count as u64;
        Ok(count)
    }
}

/// Appends the characters of `bytes`; `is_end` says that nothing follows them.
fn decode(decoder: &mut Decoder, bytes: &[u8], is_end: bool, text: &mut Vec<u8>) {
    decoder.decode(bytes, text);
    if is_end {
        decoder.finish(text);
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
struct CountedFile {
    file: File,
    bytes: u64,
    hash: Sha256,
}

impl Read for CountedFile {
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
