//! Jinja filters that the library lacks: truncating and counting words, and HTML.

use super::super::values::{from_jinja, printed};
use super::wrong;
use minijinja::value::{Kwargs, Value as Jinja};
use minijinja::{Environment, Error};
use regex::Regex;
use serde_json::Value;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// An HTML tag or comment.
static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?s)<!--.*?-->|<[^>]*>").ok());
static ADDRESS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"https?://[^\s<>"']+[^\s<>"'.,;:!?)]"#).ok());

pub(super) fn add(environment: &mut Environment<'static>) {
    environment.add_filter("forceescape", |value: Jinja| escaped(&printed(&value)));
    environment.add_filter("striptags", |value: Jinja| striptags(&printed(&value)));
    environment.add_filter("truncate", truncate);
    environment.add_filter("urlize", |value: Jinja| urlize(&printed(&value)));
    environment.add_filter("wordcount", |value: Jinja| {
        let text = printed(&value);
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .filter(|word| !word.is_empty())
            .count()
    });
    environment.add_filter("xmlattr", xmlattr);
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&#34;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// Removes tags and comments, and collapses white space.
fn striptags(text: &str) -> String {
    let plain = TAG.as_ref().map_or_else(|| text.to_owned(), |tag| tag.replace_all(text, "").into_owned());
    let words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    [("&lt;", "<"), ("&gt;", ">"), ("&#34;", "\""), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        .iter()
        .fold(words, |text, (from, to)| text.replace(from, to))
}

/// The beginning of a text that is too long, cut at a word boundary; with `killwords` also within a word.
fn truncate(
    value: Jinja,
    length: Option<usize>,
    killwords: Option<bool>,
    named: Kwargs,
) -> Result<String, Error> {
    let text = printed(&value);
    let length = length.or(named.get("length")?).unwrap_or(255);
    let killwords = killwords.or(named.get("killwords")?).unwrap_or(false);
    let end = named.get::<Option<String>>("end")?.unwrap_or_else(|| "...".to_owned());
    let leeway = named.get::<Option<usize>>("leeway")?.unwrap_or(5);
    named.assert_all_used()?;
    if text.chars().count() <= length.saturating_add(leeway) {
        return Ok(text);
    }
    let Some(room) = length.checked_sub(end.chars().count()) else {
        return Err(wrong(format!("truncate: {length} letters have no room for \"{end}\"")));
    };
    let start: String = text.chars().take(room).collect();
    let kept = if killwords {
        start.as_str()
    } else {
        start.rsplit_once(' ').map_or(start.as_str(), |(kept, _)| kept)
    };
    Ok(format!("{kept}{end}"))
}

/// Turns addresses into links and escapes everything else.
fn urlize(text: &str) -> String {
    let (mut made, mut after) = (String::new(), 0);
    for found in ADDRESS.iter().flat_map(|address| address.find_iter(text)) {
        let address = escaped(found.as_str());
        made.push_str(&escaped(&text[after..found.start()]));
        let _ = write!(made, "<a href=\"{address}\" rel=\"noopener\">{address}</a>");
        after = found.end();
    }
    made.push_str(&escaped(&text[after..]));
    made
}

/// The attributes of an element, without null values.
fn xmlattr(value: Jinja, autospace: Option<bool>) -> Result<String, Error> {
    let Value::Object(fields) = from_jinja(&value) else { return Err(wrong("xmlattr expected an object")) };
    let mut made = Vec::new();
    for (name, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
        if name.is_empty()
            || name.contains(|letter: char| letter.is_whitespace() || "/>=\"'".contains(letter))
        {
            return Err(wrong(format!("xmlattr: \"{name}\" is no name of an attribute")));
        }
        made.push(format!("{}=\"{}\"", escaped(name), escaped(&super::super::to_text(value))));
    }
    let space = if autospace.unwrap_or(true) && !made.is_empty() { " " } else { "" };
    Ok(format!("{space}{}", made.join(" ")))
}
