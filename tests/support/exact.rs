//! Reads and compares JSON as text, to keep every digit of numbers.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// The text of the value at `path` (field names and list positions) in `json`.
pub fn at<'a>(json: &'a str, path: &[&str]) -> &'a str {
    let Some((step, rest)) = path.split_first() else { return json.trim() };
    let found = match step.parse::<usize>() {
        Ok(position) => {
            serde_json::from_str::<Vec<&RawValue>>(json).ok().and_then(|list| list.get(position).copied())
        }
        Err(_) => serde_json::from_str::<BTreeMap<String, &RawValue>>(json)
            .ok()
            .and_then(|fields| fields.get(*step).copied()),
    };
    at(found.unwrap_or_else(|| panic!("no {step:?} in {json}")).get(), rest)
}

/// A decimal without trailing zeros: `12.00` and `12` are equal.
pub fn amount(text: &str) -> &str {
    let text = text.trim_matches('"');
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// The JSON on one line, without white space between tokens.
pub fn compact(json: &str) -> String {
    let mut out = String::new();
    each_part(json, |part| out.push_str(part));
    out
}

/// The JSON with one value on each line, for readable files; ends with a line break.
pub fn spread(json: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    let mut before = "";
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    each_part(json, |part| {
        match part {
            "}" | "]" => {
                depth -= 1;
                if before != "{" && before != "[" {
                    line(&mut out, depth);
                }
            }
            _ if before == "{" || before == "[" || before == "," => line(&mut out, depth),
            _ => {}
        }
        out.push_str(part);
        match part {
            "{" | "[" => depth += 1,
            ":" => out.push(' '),
            _ => {}
        }
        before = match part {
            "{" | "[" | "," => part_mark(part),
            _ => "",
        };
    });
    out.push('\n');
    out
}

fn part_mark(part: &str) -> &'static str {
    match part {
        "{" => "{",
        "[" => "[",
        _ => ",",
    }
}

/// Calls `take` with every bracket, colon, comma, text and number in turn.
fn each_part(json: &str, mut take: impl FnMut(&str)) {
    let bytes = json.as_bytes();
    let mut from = 0;
    while from < bytes.len() {
        let to = match bytes[from] {
            b' ' | b'\n' | b'\r' | b'\t' => {
                from += 1;
                continue;
            }
            b'{' | b'}' | b'[' | b']' | b':' | b',' => from + 1,
            b'"' => {
                let mut end = from + 1;
                while bytes[end] != b'"' {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                end + 1
            }
            _ => {
                let rest = &bytes[from..];
                from + rest.iter().position(|byte| b"{}[]:, \n\r\t".contains(byte)).unwrap_or(rest.len())
            }
        };
        take(&json[from..to]);
        from = to;
    }
}

#[test]
fn json_is_compared_part_by_part_and_written_one_value_per_line() {
    let text = r#"{"a":[1.50,{"b":"x, \"y\": {"}],"c":{},"d":[]}"#;
    assert_eq!(
        spread(text),
        "{\n  \"a\": [\n    1.50,\n    {\n      \"b\": \"x, \\\"y\\\": {\"\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}\n"
    );
    assert_eq!(compact(&spread(text)), text);
    assert_eq!(at(text, &["a", "0"]), "1.50");
}
