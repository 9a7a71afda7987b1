//! Parses Python literals of lists and dictionaries, which occur in CSV files made from Google's export.

use serde_json::Value;

/// Parses a text as JSON or as a Python literal; `None` when it is neither.
pub fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().or_else(|| serde_json::from_str(&json(text)?).ok())
}

/// Converts a Python literal to JSON: quotes, names of constants, and `Decimal('1.5')` and `array([…])` without their function names.
fn json(text: &str) -> Option<String> {
    let mut json = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if matches!(c, '\'' | '"') {
            rest = string(c, &rest[1..], &mut json)?;
        } else if c.is_ascii_alphabetic() {
            let end =
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.').unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            rest = match word {
                "None" | "nan" | "NaN" => constant("null", after, &mut json),
                "True" => constant("true", after, &mut json),
                "False" => constant("false", after, &mut json),
                "Decimal" => {
                    let (number, after) = after.strip_prefix("('")?.split_once("')")?;
                    catalogue::Decimal::parse(number).ok()?;
                    constant(number, after, &mut json)
                }
                _ => return None,
            };
        } else if (c.is_ascii_digit() || c == '-')
            && !json.ends_with(|last: char| last.is_ascii_digit() || last == '.')
        {
            let end = rest[1..].find(|c: char| !matches!(c, '0'..='9' | '.' | 'e' | 'E' | '+' | '-'));
            let (number, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            rest = constant(number, after, &mut json);
        } else if matches!(c, '[' | ']' | '{' | '}' | ',' | ':') || c.is_whitespace() {
            json.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            return None;
        }
    }
    Some(json)
}

fn constant<'t>(word: &str, after: &'t str, json: &mut String) -> &'t str {
    json.push_str(word);
    after
}

/// Appends the string up to its closing quote. Returns the rest.
fn string<'t>(quote: char, text: &'t str, json: &mut String) -> Option<&'t str> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    loop {
        match characters.next()? {
            (at, c) if c == quote => {
                json.push_str(&Value::from(value).to_string());
                return Some(&text[at + 1..]);
            }
            (_, '\\') => match characters.next()?.1 {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                'r' => value.push('\r'),
                c @ ('\\' | '\'' | '"') => value.push(c),
                c => value.extend(['\\', c]),
            },
            (_, c) => value.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(parse(text).map(|value| value.to_string()).as_deref(), Some(expected), "{text}");
    }

    #[test]
    fn lists_of_dictionaries_are_read_with_every_digit() {
        check(
            "[{'name': \"Bob's promo\", 'amount': -0.1234567890123456789, 'id': None, 'ok': True}]",
            r#"[{"amount":-0.1234567890123456789,"id":null,"name":"Bob's promo","ok":true}]"#,
        );
        check("[{'amount': Decimal('-1E-7')}]", r#"[{"amount":-1e-7}]"#);
        check("[]", "[]");
        check(r#"[{"key":"a","value":"b"}]"#, r#"[{"key":"a","value":"b"}]"#);
    }

    #[test]
    fn what_is_no_literal_is_none() {
        for text in ["[{'a': b}]", "__import__('os')", "[{'a': 'b", "x"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
