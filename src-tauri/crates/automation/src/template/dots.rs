//! Paths with a leading dot, as in Go templates: `{{ .Inputs.id }}`.
//!
//! Some definitions of the reference use them.

use std::borrow::Cow;

/// The template without the leading dots of expressions.
pub(super) fn without(template: &str) -> Cow<'_, str> {
    let mut found = Vec::new();
    for (start, _) in template.match_indices("{{") {
        let inside = &template[start + 2..];
        let path = inside.trim_start_matches('-').trim_start();
        let is_name = |text: &str| text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        if path.strip_prefix('.').is_some_and(is_name) {
            found.push(template.len() - path.len());
        }
    }
    if found.is_empty() {
        return Cow::Borrowed(template);
    }
    let mut text = template.to_owned();
    for at in found.into_iter().rev() {
        text.remove(at);
    }
    Cow::Owned(text)
}
