//! Encodes the character U+0000, which PostgreSQL text cannot contain, as two characters. The encoding is unique and preserves sort order.
//!
//! U+0000 becomes U+0001 U+0001, and U+0001 becomes U+0001 U+0002. In JSON, where both are written as escapes, the escapes are replaced
//! likewise.

use std::borrow::Cow;

/// The text as PostgreSQL stores it.
pub(super) fn to_stored(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte <= 1) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace('\u{1}', "\u{1}\u{2}").replace('\0', "\u{1}\u{1}"))
}

/// Decodes stored text.
pub(super) fn from_stored(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte == 1) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        // A single U+0001 at the end was cut off by an SQL expression.
        out.push(if letter == '\u{1}' && letters.next() == Some('\u{1}') { '\0' } else { letter });
    }
    Cow::Owned(out)
}

/// The JSON as PostgreSQL stores it.
pub(super) fn json_to_stored(json: &str) -> Cow<'_, str> {
    rewritten(json, |letter, _| match letter {
        "0000" => Some(("\\u0001\\u0001", 0)),
        "0001" => Some(("\\u0001\\u0002", 0)),
        _ => None,
    })
}

/// Decodes stored JSON.
pub(super) fn json_from_stored(json: &str) -> Cow<'_, str> {
    rewritten(json, |letter, rest| {
        (letter == "0001").then_some(if rest.starts_with("\\u0001") {
            ("\\u0000", 6)
        } else if rest.starts_with("\\u0002") {
            ("\\u0001", 6)
        } else {
            ("\\u0001", 0)
        })
    })
}

/// Replaces some `\uXXXX` escapes in JSON. `change` gets the hex digits and the text after the escape; it returns the replacement, and how
/// many bytes of the following text it replaces as well.
fn rewritten(json: &str, change: impl Fn(&str, &str) -> Option<(&'static str, usize)>) -> Cow<'_, str> {
    if !json.contains("\\u000") {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = &rest[at..];
        // Skips the character after a backslash: `\\u0000` is a backslash and five letters.
        let length = if escape.as_bytes().get(1) == Some(&b'u') { 6 } else { 2 };
        let Some((escape, behind)) = escape.split_at_checked(length) else {
            rest = escape;
            break;
        };
        let (written, more) = change(escape.get(2..).unwrap_or_default(), behind).unwrap_or((escape, 0));
        out.push_str(written);
        rest = behind.get(more..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::{from_stored, json_from_stored, json_to_stored, to_stored};

    #[test]
    fn texts_come_back_and_keep_their_order() {
        let texts = [
            "",
            "\0",
            "\0\0",
            "\0\u{1}",
            "\0a",
            "\u{1}",
            "\u{1}\0",
            "\u{1}\u{1}",
            "\u{2}",
            "a",
            "a\0b",
            "a\u{1}",
        ];
        for text in texts {
            let stored = to_stored(text);
            assert!(!stored.contains('\0'), "{text:?}");
            assert_eq!(from_stored(&stored), text);
        }
        assert!(texts.is_sorted_by_key(|text| to_stored(text).into_owned()));
    }

    #[test]
    fn json_comes_back_and_what_only_looks_like_an_escape_stays() {
        for (json, wanted) in [
            (r#"{"a\u0000b":"\u0001"}"#, r#"{"a\u0001\u0001b":"\u0001\u0002"}"#),
            (r#""\\u0000""#, r#""\\u0000""#),
            (r#""\\\u0000é\n""#, r#""\\\u0001\u0001é\n""#),
            (r#""\u00e9\u0002""#, r#""\u00e9\u0002""#),
        ] {
            assert_eq!(json_to_stored(json), wanted);
            assert_eq!(json_from_stored(wanted), json);
        }
    }
}
