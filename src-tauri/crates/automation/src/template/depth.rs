//! Limits the depth of templates.
//!
//! A chain such as `a ~ b ~ c` or `x | f | g` is parsed into a tree as deep as the chain is long. Traversing that tree takes as much stack: a
//! chain that is too long would crash the service. The library itself limits nested brackets.

/// Maximum number of consecutive operators in one `{{ }}` or `{% %}`, including those around a bracket.
const MOST_LINKS: usize = 300;
/// Maximum number of `elif` in a template.
const MOST_WAYS: usize = 100;
const WORDS: [&str; 7] = ["and", "or", "not", "is", "if", "else", "in"];

/// Refuses a template that is too deep. The error states why.
pub(super) fn check(template: &str) -> Result<(), String> {
    // A shorter text cannot contain that many.
    if template.len() <= MOST_WAYS {
        return Ok(());
    }
    if template.match_indices("elif").count() > MOST_WAYS {
        return Err(format!("it has more than {MOST_WAYS} elif"));
    }
    let mut rest = template;
    while let Some(start) = rest.find("{{").into_iter().chain(rest.find("{%")).min() {
        let (links, after) = Tag::default().read(&rest[start + 2..]);
        if links > MOST_LINKS {
            return Err(format!(
                "more than {MOST_LINKS} operators follow each other: use {{% set %}} for parts of it"
            ));
        }
        rest = after;
    }
    Ok(())
}

/// Counts consecutive operators at each bracket depth.
#[derive(Default)]
struct Tag {
    /// Operators around each open bracket.
    around: Vec<usize>,
    links: usize,
    most: usize,
}

impl Tag {
    /// Reads after `{{` or `{%`. Returns the maximum number of consecutive operators, and the text after the tag.
    fn read(mut self, mut rest: &str) -> (usize, &str) {
        while let Some(letter) = rest.chars().next() {
            if self.around.is_empty() && (rest.starts_with("}}") || rest.starts_with("%}")) {
                return (self.most, &rest[2..]);
            }
            let length = match letter {
                '"' | '\'' => quoted(rest, letter),
                _ if letter.is_alphanumeric() || letter == '_' => {
                    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
                    let length = end.unwrap_or(rest.len());
                    if WORDS.contains(&&rest[..length]) {
                        self.link();
                    }
                    length
                }
                _ => {
                    self.sign(letter);
                    letter.len_utf8()
                }
            };
            rest = &rest[length..];
        }
        (self.most, rest)
    }

    fn sign(&mut self, letter: char) {
        match letter {
            '(' | '[' | '{' => {
                self.link();
                self.around.push(self.links);
            }
            ')' | ']' | '}' => self.links = self.around.pop().unwrap_or_default(),
            ',' => self.links = self.around.last().copied().unwrap_or_default(),
            _ if letter.is_whitespace() => {}
            _ => self.link(),
        }
    }

    fn link(&mut self) {
        self.links += 1;
        self.most = self.most.max(self.links);
    }
}

/// Length in bytes of the quoted text at the beginning of `rest`.
fn quoted(rest: &str, mark: char) -> usize {
    let mut is_escaped = false;
    for (place, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == mark => return place + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn chains_are_bounded_whatever_links_them() {
        for (before, link, after) in [
            ("{{ 1", "+1", " }}"),
            ("{{ a", " ~ a", " }}"),
            ("{{ x", ".a", " }}"),
            ("{{ x", "|f(1, 2)", " }}"),
            ("{{ x", "[0]", " }}"),
            ("{{ ", "not ", "x }}"),
            ("{{ ", "-", "1 }}"),
            ("{{ 1", " if x else 1", " }}"),
            ("{{ [1, 2, (1", " and 1", ")] }}"),
            ("{% if 1", " or 1", " %}{% endif %}"),
            ("{% if x %}", "{% elif y %}", "{% endif %}"),
        ] {
            let chain = |times: usize| format!("{before}{}{after}", link.repeat(times));
            assert!(check(&chain(20)).is_ok(), "{link}");
            assert!(check(&chain(5000)).is_err(), "{link}");
        }
    }

    #[test]
    fn what_is_long_and_not_deep_is_let_through() {
        let items = (0..5000).map(|number| format!("a.b{number} + 1")).collect::<Vec<_>>().join(", ");
        assert_eq!(check(&format!("{{{{ [{items}] }}}}")), Ok(()));
        assert_eq!(check(&"{{ a.b | upper }}, - and + ".repeat(5000)), Ok(()));
        assert_eq!(
            check(&format!("{{{{ '{}' ~ \"\\\"{}\" }}}}", "-+".repeat(5000), "{{".repeat(500))),
            Ok(())
        );
        assert_eq!(check(&format!("plain {}", "1 + ".repeat(5000))), Ok(()));
    }
}
