//! Works around a parser error: enum values that start with `null`, `true` or `false` (`nullable`) are read as the shorter word.

use crate::limits::{end_of_block, end_of_string};

/// The text with such names written as strings, which are read alike; `None` if it has none.
pub(super) fn quoted(query: &str) -> Option<String> {
    if !has_candidates(query) {
        return None;
    }
    let places = places(query.as_bytes());
    if places.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(query.len() + 2 * places.len());
    let mut done = 0;
    for (from, to) in places {
        out.push_str(&query[done..from]);
        out.push('"');
        out.push_str(&query[from..to]);
        out.push('"');
        done = to;
    }
    out.push_str(&query[done..]);
    Some(out)
}

fn has_candidates(query: &str) -> bool {
    let follows = |word: &str| {
        query
            .match_indices(word)
            .any(|(at, _)| query.as_bytes().get(at + word.len()).is_some_and(|byte| is_of_name(*byte)))
    };
    ["null", "true", "false"].into_iter().any(follows)
}

fn is_misread(name: &[u8]) -> bool {
    ["null", "true", "false"]
        .into_iter()
        .any(|word| name.len() > word.len() && name.starts_with(word.as_bytes()))
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Start and end of each such value.
fn places(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    // The current bracket depth, and the depth at which the enclosing arguments started.
    let (mut depth, mut arguments) = (0usize, None);
    let (mut is_type, mut at) = (false, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'#' => at = end_of_comment(bytes, at),
            b'"' if bytes[at..].starts_with(b"\"\"\"") => {
                at += end_of_block(&bytes[at + 3..]).map_or(1, |length| 3 + length + 2);
            }
            b'"' => at = end_of_string(bytes, at),
            b'(' | b'[' | b'{' => {
                if *byte == b'(' && arguments.is_none() {
                    arguments = Some(depth);
                }
                depth += 1;
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if arguments == Some(depth) {
                    (arguments, is_type) = (None, false);
                }
            }
            b'=' => is_type = false,
            b'$' | b'@' => {
                let end = end_of_name(bytes, at + 1);
                is_type = *byte == b'$' && bytes.get(significant(bytes, end)) == Some(&b':');
                at = end - 1;
            }
            byte if is_of_name(*byte) => {
                let end = end_of_name(bytes, at);
                let is_key = bytes.get(significant(bytes, end)) == Some(&b':');
                if arguments.is_some() && !is_type && !is_key && is_misread(&bytes[at..end]) {
                    found.push((at, end));
                }
                at = end - 1;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn end_of_name(bytes: &[u8], start: usize) -> usize {
    start + bytes[start..].iter().take_while(|byte| is_of_name(**byte)).count()
}

fn end_of_comment(bytes: &[u8], start: usize) -> usize {
    let end = bytes[start..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    end.map_or(bytes.len(), |end| start + end)
}

/// The next position that is not whitespace, comma or comment.
fn significant(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r' | b',') => at += 1,
            Some(b'#') => at = end_of_comment(bytes, at),
            _ => return at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn values_that_begin_like_a_literal_are_strings_and_other_names_stay() {
        for (text, expected) in [
            ("{ a(b: nullable) }", "{ a(b: \"nullable\") }"),
            ("{ a(b: [true_1, falsey null]) }", "{ a(b: [\"true_1\", \"falsey\" null]) }"),
            (
                "{ a(nullable: nullable, w: {truth: {_eq: trueish}}) }",
                "{ a(nullable: \"nullable\", w: {truth: {_eq: \"trueish\"}}) }",
            ),
            (
                "query ($a: [nullable!]! = nullable) { a(b: $a) }",
                "query ($a: [nullable!]! = \"nullable\") { a(b: $a) }",
            ),
        ] {
            assert_eq!(quoted(text).unwrap(), expected);
        }
        for text in [
            "{ a: nullable nullable: b(c: null, d: true) }",
            "{ nullable(nullable : null) { falsehood } }",
            "{ a(b: \"nullable\", c: \"\"\"nullable\"\"\") } # (nullable",
            "query ($a: nullable, $nullable: b) { a(c: $nullable) @truely }",
            "{ a(b: 1) { nullable } }",
        ] {
            assert_eq!(quoted(text), None, "{text}");
        }
    }
}
