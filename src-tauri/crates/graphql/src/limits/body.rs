//! Estimates the content of a body from its bytes: a value in memory is many times as large as its bytes, therefore values are counted
//! before any is allocated.

/// The count of an object itself, in addition to its names and values: objects are the most expensive to parse, because their names are
/// looked up.
const AN_OBJECT: usize = 3;

/// Why a body is refused, with the count at which reading stopped.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TooMuch {
    /// Nesting of brackets.
    Deep(usize),
    /// Values: scalars, lists and names in objects count one each, an object three.
    Many(usize),
}

/// Counts bracket nesting and values, until a limit is exceeded.
pub(super) fn weigh(json: &[u8], most_deep: usize, most_values: usize) -> Result<(), TooMuch> {
    let (mut at, mut depth, mut values) = (0, 0usize, 0usize);
    while let Some(byte) = json.get(at) {
        let length = match byte {
            b'{' | b'[' => {
                depth += 1;
                if depth > most_deep {
                    return Err(TooMuch::Deep(depth));
                }
                values += if *byte == b'{' { AN_OBJECT } else { 1 };
                1
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                1
            }
            b'"' => {
                values += 1;
                text(&json[at..])
            }
            b',' | b':' | b' ' | b'\n' | b'\r' | b'\t' => 1,
            _ => {
                values += 1;
                word(&json[at..])
            }
        };
        if values > most_values {
            return Err(TooMuch::Many(values));
        }
        at += length;
    }
    Ok(())
}

/// The length of the string that starts here, including its quotes.
fn text(bytes: &[u8]) -> usize {
    let ends = |byte: &u8| matches!(byte, b'"' | b'\\');
    let mut at = 1;
    while let Some(length) = bytes.get(at..).and_then(|rest| rest.iter().position(ends)) {
        at += length;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

/// The length of the number or word that starts here.
fn word(bytes: &[u8]) -> usize {
    let ends = |byte: &u8| {
        matches!(byte, b',' | b':' | b']' | b'}' | b'[' | b'{' | b'"') || byte.is_ascii_whitespace()
    };
    bytes.iter().position(ends).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::{TooMuch, weigh};

    /// The count of a text: the smallest limit that accepts it.
    fn values(json: &str) -> usize {
        (0..1_000).find(|most| weigh(json.as_bytes(), 100, *most).is_ok()).unwrap()
    }

    #[test]
    fn an_object_counts_three_and_everything_else_one() {
        for (json, wanted) in [
            ("", 0),
            ("{}", 3),
            ("[1, -2.5e3, true, null]", 5),
            (r#"{"a": {"b": [1]}}"#, 10),
            (r#""\"[{,""#, 1),
            (r#""\\",1"#, 2),
            (r#""without an end \"#, 1),
        ] {
            assert_eq!(values(json), wanted, "{json}");
        }
    }

    #[test]
    fn a_text_counts_one_however_long_it_is() {
        assert_eq!(values(&format!("\"{}\"", "x".repeat(640))), 1);
    }

    #[test]
    fn brackets_in_texts_do_not_nest() {
        assert_eq!(weigh(b"[[[\"[[[\"]]]", 3, 9), Ok(()));
        assert_eq!(weigh(b"[][][[[[]]]]", 3, 9), Err(TooMuch::Deep(4)));
        assert_eq!(weigh(b"]]]]", 3, 9), Ok(()));
    }

    #[test]
    fn counting_ends_at_the_first_too_many() {
        let endless = format!("[{}", "1,".repeat(1_000));
        assert_eq!(weigh(endless.as_bytes(), 3, 9), Err(TooMuch::Many(10)));
    }
}
