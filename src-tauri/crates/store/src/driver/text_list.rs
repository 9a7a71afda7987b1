//! Converts old values of list columns, written before they were validated, to lists of texts.

use serde_json::value::RawValue;
use std::borrow::Cow;

/// The value as a JSON list of texts. A list of texts is unchanged byte for byte. A single value becomes a list of one; an element that is
/// not text becomes the text of its JSON.
pub(super) fn text_list(held: &str) -> Cow<'_, str> {
    let Ok(members) = serde_json::from_str::<Vec<&RawValue>>(held) else {
        return list(&[text_of(held.trim())]);
    };
    if members.iter().all(|member| member.get().starts_with('"')) {
        return Cow::Borrowed(held);
    }
    list(&members.iter().map(|member| text_of(member.get())).collect::<Vec<_>>())
}

/// The content of a JSON string; other JSON as written.
fn text_of(json: &str) -> String {
    serde_json::from_str(json).unwrap_or_else(|_| json.to_owned())
}

fn list(texts: &[String]) -> Cow<'static, str> {
    Cow::Owned(serde_json::Value::from(texts).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_was_written_is_lost() {
        for (held, wanted) in [
            (r#"["a", "b"]"#, r#"["a", "b"]"#),
            ("[]", "[]"),
            (r#""x""#, r#"["x"]"#),
            (r#"{"k":1}"#, r#"["{\"k\":1}"]"#),
            ("7.10", r#"["7.10"]"#),
            ("not json", r#"["not json"]"#),
            (r#"[1, null, "x", {"a":2}]"#, r#"["1","null","x","{\"a\":2}"]"#),
        ] {
            assert_eq!(text_list(held), wanted, "{held}");
        }
    }
}
