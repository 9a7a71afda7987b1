//! PostgreSQL's LIKE: `%` matches any sequence, `_` any character, `\` escapes the next character.

use crate::values::citext::fold;
use memchr::memmem;

/// Whether the whole `text` matches `pattern`; with `any_case`, case-insensitively.
pub(crate) fn matches(text: &str, pattern: &str, any_case: bool) -> bool {
    if any_case {
        return fits(&fold(text), &fold(pattern));
    }
    fits(text, pattern)
}

fn fits(text: &str, pattern: &str) -> bool {
    match plain(pattern) {
        Some(part) => memmem::find(text.as_bytes(), part.as_bytes()).is_some(),
        None => run(text, pattern),
    }
}

/// The literal text between two `%`: the pattern of every search field.
fn plain(pattern: &str) -> Option<&str> {
    let part = pattern.strip_prefix('%')?.strip_suffix('%')?;
    (!part.contains(['%', '_', '\\'])).then_some(part)
}

/// Greedy matching that backtracks to the last `%` only. Linear in practice, never exponential, and without copies: there are many rows,
/// and most fail at the first letter.
fn run(text: &str, pattern: &str) -> bool {
    let (mut text, mut wanted) = (text.chars(), pattern.chars());
    let mut retry: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
    loop {
        let fits = match wanted.next() {
            Some('%') => {
                if wanted.as_str().is_empty() {
                    return true;
                }
                retry = Some((text.clone(), wanted.clone()));
                continue;
            }
            None if text.as_str().is_empty() => return true,
            None => false,
            Some('_') => text.next().is_some(),
            // A trailing backslash is literal.
            Some('\\') => text.next() == Some(wanted.next().unwrap_or('\\')),
            Some(letter) => text.next() == Some(letter),
        };
        if fits {
            continue;
        }
        let Some((from, rest)) = &mut retry else { return false };
        if from.next().is_none() {
            return false;
        }
        (text, wanted) = (from.clone(), rest.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_fit_as_in_postgresql() {
        for (text, pattern, fits) in [
            ("Amazon EC2", "Amazon%", true),
            ("Amazon EC2", "amazon%", false),
            ("Amazon EC2", "%EC_", true),
            ("Amazon EC2", "EC2", false),
            ("100%", "100\\%", true),
            ("1000", "100\\%", false),
            ("", "%", true),
            ("", "", true),
            ("a", "", false),
            ("", "_", false),
            ("aXbXc", "%X%c", true),
            ("aab", "%ab", true),
            ("aab", "%a_", true),
            ("äöü", "_ö_", true),
            ("äöü", "%_ü", true),
            ("äöü", "____", false),
            ("a\\", "a\\", true),
            ("ab", "a\\", false),
            ("abc", "%%b%%", true),
            ("abc", "%d", false),
            ("abc", "%b%", true),
            ("äbc", "%äb%", true),
            ("abc", "%ac%", false),
            ("abc", "%a_c%", true),
            ("a_c", "%a\\_c%", true),
            ("abc", "%a\\_c%", false),
        ] {
            assert_eq!(matches(text, pattern, false), fits, "{text} LIKE {pattern}");
        }
        assert!(matches("ÄPFEL", "äpf%", true));
        assert!(matches("ΟΔΟΣ", "%δοσ", true));
        assert!(matches("ΟΔΟΣ", "%ΔΟς%", true));
        assert!(!matches("ΟΔΟΣ", "%δοσ%", false));
    }
}
