//! Converts UTF-16 to UTF-8 as a stream.

/// A byte that is invalid in UTF-8: an invalid UTF-16 sequence becomes invalid UTF-8.
const NO_CHARACTER: u8 = 0xff;

/// A streaming decoder from UTF-16 to UTF-8.
#[derive(Debug)]
pub struct Decoder {
    is_big_endian: bool,
    /// The first byte of an incomplete code unit.
    half: Option<u8>,
    /// The first code unit of an incomplete surrogate pair.
    high: Option<u16>,
}

impl Decoder {
    /// The decoder for a text that begins with a UTF-16 byte order mark.
    pub fn for_mark(head: &[u8]) -> Option<Self> {
        let is_big_endian = match head {
            [0xff, 0xfe, ..] => false,
            [0xfe, 0xff, ..] => true,
            _ => return None,
        };
        Some(Self { is_big_endian, half: None, high: None })
    }

    /// Appends the characters that these bytes complete.
    pub fn decode(&mut self, bytes: &[u8], text: &mut Vec<u8>) {
        for byte in bytes {
            let Some(first) = self.half.take() else {
                self.half = Some(*byte);
                continue;
            };
            let pair = [first, *byte];
            let unit = if self.is_big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
            self.unit(unit, text);
        }
    }

    /// Appends an invalid byte if the end of the file cut off a character.
    pub fn finish(&mut self, text: &mut Vec<u8>) {
        let has_unit = self.high.take().is_some();
        if self.half.take().is_some() || has_unit {
            text.push(NO_CHARACTER);
        }
    }

    fn unit(&mut self, unit: u16, text: &mut Vec<u8>) {
        let is_low = (0xdc00..0xe000).contains(&unit);
        match self.high.take() {
            Some(high) if is_low => return append(&[high, unit], text),
            Some(_) => text.push(NO_CHARACTER),
            None => {}
        }
        if (0xd800..0xdc00).contains(&unit) {
            self.high = Some(unit);
        } else {
            append(&[unit], text);
        }
    }
}

fn append(units: &[u16], text: &mut Vec<u8>) {
    for character in char::decode_utf16(units.iter().copied()) {
        match character {
            Ok(character) => text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(_) => text.push(NO_CHARACTER),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Vec<u8> {
        let mut texts: Vec<Vec<u8>> = (1..=bytes.len())
            .map(|size| {
                let mut decoder = Decoder::for_mark(bytes).unwrap();
                let mut text = Vec::new();
                bytes.chunks(size).for_each(|piece| decoder.decode(piece, &mut text));
                decoder.finish(&mut text);
                text
            })
            .collect();
        texts.dedup();
        assert_eq!(texts.len(), 1, "pieces of every size give the same text");
        texts.remove(0)
    }

    #[test]
    fn both_orders_of_bytes_are_read() {
        let text = "\u{feff}Größe 1,50 €, 𝄞";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decoded(&little), text.as_bytes());
        assert_eq!(decoded(&big), text.as_bytes());
        assert!(Decoder::for_mark(text.as_bytes()).is_none());
    }

    #[test]
    fn what_is_no_character_is_no_utf8_either() {
        assert_eq!(decoded(b"\xff\xfea\0\x00\xd8b\0"), b"\xef\xbb\xbfa\xffb");
        assert_eq!(decoded(b"\xff\xfe\x00\xdc"), b"\xef\xbb\xbf\xff");
        assert_eq!(decoded(b"\xff\xfea\0b"), b"\xef\xbb\xbfa\xff");
    }
}
