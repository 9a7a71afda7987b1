//! Splits streamed responses into messages.

use crate::failure::{Failure, FailureKind};

/// Maximum size of a message; a model sends none that is larger.
const LARGEST: usize = 32 * 1024 * 1024;

/// The format of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Server-sent events: the `data` of each.
    Sse,
    /// One JSON text on each line.
    Lines,
    /// One message: the whole body.
    Whole,
    /// Amazon's event stream: `{"<event type>": payload}` for each message.
    Amazon,
}

/// Splits bytes into messages.
pub(crate) struct Frames {
    framing: Framing,
    bytes: Vec<u8>,
    /// Start of the bytes that have not been returned.
    at: usize,
    has_bytes: bool,
    has_message: bool,
}

impl Frames {
    pub(crate) fn new(framing: Framing) -> Self {
        Self { framing, bytes: Vec::new(), at: 0, has_bytes: false, has_message: false }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if self.at > 0 {
            self.bytes.drain(..self.at);
            self.at = 0;
        }
        self.has_bytes |= !bytes.is_empty();
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() > LARGEST {
            let why = "a message of the answer is larger than 32 MB";
            return Err(Failure::new(
                FailureKind::Nonsense,
                format!("The answer cannot be read: {why}."),
                "",
            ));
        }
        Ok(())
    }

    /// The next complete message; `None` until more bytes arrive.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        let message = match self.framing {
            Framing::Whole => None,
            Framing::Lines => self.line(),
            Framing::Sse => self.event(),
            Framing::Amazon => self.message()?,
        };
        self.has_message |= message.is_some();
        Ok(message)
    }

    /// Whether bytes arrived without any message: a response of another program.
    pub(crate) fn is_foreign(&self) -> bool {
        self.has_bytes && !self.has_message
    }

    /// The rest at the end of the body: a message without a terminator.
    pub(crate) fn rest(&mut self) -> Option<Vec<u8>> {
        let rest = self.bytes.split_off(self.at);
        self.bytes.clear();
        self.at = 0;
        let rest = if self.framing == Framing::Sse { data(&rest) } else { rest.trim_ascii().to_vec() };
        (!rest.is_empty() && self.framing != Framing::Amazon).then_some(rest)
    }

    fn line(&mut self) -> Option<Vec<u8>> {
        loop {
            let length = self.bytes[self.at..].iter().position(|byte| *byte == b'\n')?;
            let line = self.bytes[self.at..self.at + length].trim_ascii().to_vec();
            self.at += length + 1;
            if !line.is_empty() {
                return Some(line);
            }
        }
    }

    fn event(&mut self) -> Option<Vec<u8>> {
        loop {
            let open = &self.bytes[self.at..];
            let (length, mark) = (0..open.len()).find_map(|at| {
                [b"\n\n".as_slice(), b"\r\n\r\n", b"\r\r"]
                    .iter()
                    .find(|mark| open[at..].starts_with(mark))
                    .map(|mark| (at, mark.len()))
            })?;
            let found = data(&open[..length]);
            self.at += length + mark;
            // Comments only keep a connection open.
            if !found.is_empty() {
                return Some(found);
            }
        }
    }

    /// A message of Amazon's event stream: lengths, headers, payload, two checksums.
    fn message(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        let open = &self.bytes[self.at..];
        let broken = |why: &str| Failure::nonsense("Amazon", format!("its event stream {why}"));
        let Some((total, headers)) = number(open, 0).zip(number(open, 4)) else { return Ok(None) };
        if total > LARGEST || headers.saturating_add(16) > total {
            return Err(broken("has impossible lengths"));
        }
        if open.len() < total {
            return Ok(None);
        }
        let message = &open[..total];
        if number(message, total - 4) != Some(crc32(&message[..total - 4]) as usize) {
            return Err(broken("was damaged on its way"));
        }
        let (names, payload) = (&message[12..12 + headers], &message[12 + headers..total - 4]);
        let payload = if payload.is_empty() { "{}".into() } else { String::from_utf8_lossy(payload) };
        let kind = text_header(names, ":event-type").or_else(|| text_header(names, ":exception-type"));
        let kind = kind.ok_or_else(|| broken("has a message without a type"))?;
        let framed = format!("{{{}:{payload}}}", serde_json::Value::from(kind));
        self.at += total;
        Ok(Some(framed.into_bytes()))
    }
}

/// The joined `data` lines of an event.
fn data(event: &[u8]) -> Vec<u8> {
    let lines = event.split(|byte| matches!(byte, b'\n' | b'\r'));
    let values = lines.filter_map(|line| line.strip_prefix(b"data:")).map(<[u8]>::trim_ascii);
    values.collect::<Vec<_>>().join(&b'\n')
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let four: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_be_bytes(four)).ok()
}

/// The value of a text header: length and name, type (7 is text), length and value.
fn text_header(mut headers: &[u8], wanted: &str) -> Option<String> {
    loop {
        let length = usize::from(*headers.first()?);
        let name = headers.get(1..=length)?;
        if *headers.get(1 + length)? != 7 {
            return None;
        }
        let size: [u8; 2] = headers.get(2 + length..4 + length)?.try_into().ok()?;
        let end = 4 + length + usize::from(u16::from_be_bytes(size));
        if name == wanted.as_bytes() {
            return Some(String::from_utf8_lossy(headers.get(4 + length..end)?).into_owned());
        }
        headers = headers.get(end..)?;
    }
}

/// CRC-32 (IEEE 802.3, as in zip), used by Amazon's event stream.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use testkit::language_models::amazon_message;

    /// The messages found when bytes arrive one at a time.
    fn cut(framing: Framing, bytes: &[u8]) -> Vec<String> {
        let mut frames = Frames::new(framing);
        let mut found = Vec::new();
        for byte in bytes {
            frames.push(&[*byte]).unwrap();
            while let Some(frame) = frames.next().unwrap() {
                found.push(String::from_utf8(frame).unwrap());
            }
        }
        found.extend(frames.rest().map(|rest| format!("rest {}", String::from_utf8(rest).unwrap())));
        found
    }

    #[test]
    fn events_end_at_an_empty_line_and_comments_are_none() {
        let text = b": ping\n\ndata: {\"a\":1}\n\nevent: x\r\ndata: one\r\ndata: two\r\n\r\ndata: [DONE]";
        assert_eq!(cut(Framing::Sse, text), ["{\"a\":1}", "one\ntwo", "rest [DONE]"]);
    }

    #[test]
    fn lines_end_at_their_end_and_empty_ones_are_none() {
        assert_eq!(cut(Framing::Lines, b"{}\r\n\n{\"a\":1}\n{"), ["{}", "{\"a\":1}", "rest {"]);
        assert_eq!(cut(Framing::Whole, b" {\n} "), ["rest {\n}"]);
    }

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        // The check value of CRC-32/ISO-HDLC.
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn a_message_of_amazon_is_read_with_its_type_and_a_damaged_one_is_refused() {
        let mut message = amazon_message("contentBlockDelta", &json!({ "delta": { "text": "hi" } }));
        assert_eq!(cut(Framing::Amazon, &message), ["{\"contentBlockDelta\":{\"delta\":{\"text\":\"hi\"}}}"]);
        let last = message.len() - 6;
        message[last] ^= 1;
        let mut frames = Frames::new(Framing::Amazon);
        frames.push(&message).unwrap();
        assert!(frames.next().unwrap_err().message.contains("damaged"));
    }
}
