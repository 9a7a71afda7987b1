//! PostgreSQL's LIKE: `%` any run, `_` any one character, `\` takes the next character as it is.

/// Whether the whole `text` fits `pattern`; with `any_case`, letters fit their other case.
pub(crate) fn matches(text: &str, pattern: &str, any_case: bool) -> bool {
    if any_case {
        return run(&text.to_lowercase(), &pattern.to_lowercase());
    }
    run(text, pattern)
}

/// Greedy with one point to come back to: the last `%`. Linear in practice, never exponential.
fn run(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    let (mut at, mut wanted) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        let step = match pattern.get(wanted) {
            Some('%') => {
                retry = Some((at, wanted + 1));
                wanted += 1;
                continue;
            }
            None if at == text.len() => return true,
            None => None,
            Some('_') if at < text.len() => Some(1),
            Some('\\') if wanted + 1 < pattern.len() => {
                (text.get(at) == Some(&pattern[wanted + 1])).then_some(2)
            }
            Some(letter) => (text.get(at) == Some(letter)).then_some(1),
        };
        match (step, retry) {
            (Some(width), _) => {
                at += 1;
                wanted += width;
            }
            (None, Some((from, after))) if from < text.len() => {
                retry = Some((from + 1, after));
                (at, wanted) = (from + 1, after);
            }
            (None, _) => return false,
        }
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
            ("", "_", false),
            ("aXbXc", "%X%c", true),
            ("aab", "%ab", true),
        ] {
            assert_eq!(matches(text, pattern, false), fits, "{text} LIKE {pattern}");
        }
        assert!(matches("ÄPFEL", "äpf%", true));
    }
}
