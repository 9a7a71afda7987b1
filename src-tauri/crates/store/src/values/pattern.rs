//! Patterns beyond LIKE: SQL's SIMILAR TO and regular expressions.

use regex::{Regex, RegexBuilder};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The syntax of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// SIMILAR TO: `%` and `_` as in LIKE, `| * + ? {} () []` as in regular expressions; must match the whole text.
    Similar,
    SimilarAnyCase,
    /// A regular expression; may match anywhere in the text.
    Regex,
    RegexAnyCase,
}

/// Maximum memory of a compiled pattern; a larger one is refused.
const LARGEST_BYTES: usize = 1 << 20;
/// Maximum cache size while matching.
const MEMORY_BYTES: usize = 256 * 1024;
/// Number of cached compiled patterns: a statement that runs for every row of another one reuses them.
const CACHED_PATTERNS: usize = 16;

static KNOWN: Mutex<VecDeque<(Dialect, String, Regex)>> = Mutex::new(VecDeque::new());

/// Compiles a pattern, or returns it from the cache. Look-around and back-references, which PostgreSQL supports, are refused: they cannot
/// be matched in linear time.
pub fn compile(pattern: &str, dialect: Dialect) -> Result<Regex, regex::Error> {
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((.., regex)) = known().iter().find(|(of, text, _)| *of == dialect && text == pattern) {
        return Ok(regex.clone());
    }
    let text = match dialect {
        Dialect::Similar | Dialect::SimilarAnyCase => similar(pattern),
        Dialect::Regex | Dialect::RegexAnyCase => pattern.to_owned(),
    };
    let regex = RegexBuilder::new(&text)
        .case_insensitive(matches!(dialect, Dialect::SimilarAnyCase | Dialect::RegexAnyCase))
        .dot_matches_new_line(true)
        .size_limit(LARGEST_BYTES)
        .dfa_size_limit(MEMORY_BYTES)
        .build()?;
    let mut known = known();
    known.truncate(CACHED_PATTERNS - 1);
    known.push_front((dialect, pattern.to_owned(), regex.clone()));
    Ok(regex)
}

fn similar(pattern: &str) -> String {
    let mut out = String::from("^(?:");
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '%' => out.push_str(".*"),
            '_' => out.push('.'),
            '\\' => out.push_str(&regex::escape(&letters.next().unwrap_or('\\').to_string())),
            '|' | '*' | '+' | '?' | '{' | '}' | '(' | ')' | '[' | ']' | '^' | '-' | ',' => out.push(letter),
            other => out.push_str(&regex::escape(&other.to_string())),
        }
    }
    out.push_str(")$");
    out
}

#[cfg(test)]
mod tests {
    use super::{Dialect, compile};

    #[test]
    fn patterns_fit_as_in_postgresql() {
        for (text, pattern, dialect, fits) in [
            ("abc", "abc", Dialect::Similar, true),
            ("abc", "a", Dialect::Similar, false),
            ("abc", "%(b|d)%", Dialect::Similar, true),
            ("abc", "(b|c)%", Dialect::Similar, false),
            ("a.c", "a.c", Dialect::Similar, true),
            ("abc", "a.c", Dialect::Similar, false),
            ("100%", "100\\%", Dialect::Similar, true),
            ("Amazon EC2", "EC[0-9]$", Dialect::Regex, true),
            ("Amazon EC2", "^ec", Dialect::Regex, false),
            ("Amazon EC2", "ec2", Dialect::RegexAnyCase, true),
            ("line\nbreak", "line.break", Dialect::Regex, true),
        ] {
            assert_eq!(
                compile(pattern, dialect).unwrap().is_match(text),
                fits,
                "{text} {dialect:?} {pattern}"
            );
        }
        assert!(compile(r"^[\w.-]+@[\w.-]+\.\w{2,10}$", Dialect::Regex).unwrap().is_match("ada@example.com"));
        assert!(compile("(", Dialect::Regex).is_err());
        assert!(compile("(a{1000}){1000}", Dialect::Regex).is_err());
    }
}
