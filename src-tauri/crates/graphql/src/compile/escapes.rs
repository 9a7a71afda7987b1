//! Characters beyond 16 bits, written as escaped surrogate pairs (`\uD83D\uDE00`) by clients that send ASCII only. The parser does not
//! support them.

/// The text with surrogate pairs replaced by their characters; `None` if it has none. Call it only for texts that cannot be parsed
/// otherwise: in a block string the same letters are not an escape.
pub(super) fn joined(query: &str) -> Option<String> {
    let mut out = String::with_capacity(query.len());
    let (mut rest, mut found) = (query, false);
    while let Some(place) = rest.find('\\') {
        out.push_str(&rest[..place]);
        rest = &rest[place..];
        let halves = half(rest).zip(rest.get(6..).and_then(half));
        let letter = halves.and_then(|(high, low)| char::decode_utf16([high, low]).next()?.ok());
        // A surrogate pair, or the backslash with the character it escapes.
        let length = if let Some(letter) = letter.filter(|letter| letter.len_utf16() == 2) {
            out.push(letter);
            found = true;
            12
        } else {
            let length = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
            out.push_str(&rest[..length]);
            length
        };
        rest = &rest[length..];
    }
    out.push_str(rest);
    found.then_some(out)
}

/// The number in `\uXXXX`.
fn half(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn two_halves_are_one_character_and_everything_else_stays() {
        assert_eq!(
            joined(r#"{ a(b: "\uD83D\uDE00 \n\u00e9 \ud83d\ude00") }"#).unwrap(),
            "{ a(b: \"😀 \\n\\u00e9 😀\") }"
        );
        for text in
            [r"\u0041\u0042", r"\uD83D", r"\uDE00\uD83D", r"\\uD83D\\uDE00", r"\uD83Dé", r"\", "", r"\é"]
        {
            assert_eq!(joined(text), None, "{text}");
        }
    }
}
