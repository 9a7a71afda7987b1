//! Reads a file's bytes for a record reader: counts, hashes, decompresses and converts them to UTF-8, and limits the length of one record.

use crate::limit::{HEADER_BYTES, RECORD_BYTES};
use crate::lines::{self, Lines};
use crate::utf16::Decoder;
use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// An open file. Reading returns its content, decompressed if it is gzip, and in UTF-8 if it is UTF-16.
pub struct Source {
    input: Input,
    /// Set when the content is UTF-16.
    decoder: Option<Decoder>,
    /// UTF-8 content that was read ahead: first the beginning for detection, later the output of the decoder.
    head: Vec<u8>,
    head_read: usize,
    lines: Lines,
    since_record: u64,
    /// Set when the reader limits the length of records itself.
    is_unbounded: bool,
    is_at_end: bool,
}

enum Input {
    Plain(CountedFile),
    Gzip(Box<MultiGzDecoder<BufReader<CountedFile>>>),
}

/// Bytes of UTF-16 decoded at a time.
const DECODED_BYTES: usize = 1 << 16;

/// The error for a record longer than [`RECORD_BYTES`].
#[derive(Debug, thiserror::Error)]
#[error("a record is longer than {} MiB", RECORD_BYTES >> 20)]
pub struct RecordTooLong;

impl Source {
    /// Opens a file and reads its first two bytes. Fails on I/O errors; damaged gzip data is detected when the content is read.
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

    /// The beginning of the content; the whole content if it is short.
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

    /// Skips the first bytes of the result of [`Self::peek`], which precede the header. Their lines are counted.
    pub fn skip(&mut self, bytes: usize) {
        self.head_read = bytes.min(self.head.len());
        self.lines = Lines::starting_at(1 + lines::count(&self.head[..self.head_read]));
    }

    /// The line of the record that begins at this offset after the skipped bytes, or after the line breaks at it. Queried offsets must ascend.
    pub fn line_of(&mut self, offset: u64) -> u64 {
        self.lines.line_of(offset)
    }

    /// Whether the content ends at this offset after the skipped bytes, without a line break.
    pub fn ends_within_line_at(&self, offset: u64) -> bool {
        self.is_at_end && self.lines.end_within_line() == Some(offset)
    }

    /// Resets the record length: a whole record was read.
    pub fn record_done(&mut self) {
        self.since_record = 0;
    }

    /// Disables the limit on the record length; the reader limits its memory itself.
    pub fn unbound(&mut self) {
        self.is_unbounded = true;
    }

    /// Bytes of the file read so far.
    pub fn bytes_read(&self) -> u64 {
        self.raw().bytes
    }

    /// Reads the rest of the file and returns its SHA-256 in hexadecimal.
    pub fn finish(self) -> io::Result<String> {
        let mut raw = match self.input {
            Input::Plain(raw) => raw,
            Input::Gzip(decoder) => decoder.into_inner().into_inner(),
        };
        io::copy(&mut raw, &mut io::sink())?;
        Ok(hex(&raw.hash.finalize()))
    }

    /// Decodes more of the content, if it needs decoding. The buffer is empty afterwards only at the end of the content.
    fn decode_more(&mut self) -> io::Result<()> {
        let Some(decoder) = &mut self.decoder else { return Ok(()) };
        let mut bytes = vec![0; DECODED_BYTES];
        // A single byte may be half a character and does not mean the end.
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
        // The record reader reads one buffer ahead; a record may therefore be slightly longer than the limit.
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

/// Appends the characters of `bytes`; `is_end` states that nothing follows.
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

/// A file that counts and hashes the bytes read.
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

/// The SHA-256 of a file in hexadecimal.
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
