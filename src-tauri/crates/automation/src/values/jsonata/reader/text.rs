//! Parses texts, numbers and patterns in expressions.

use super::Reader;
use crate::values::jsonata::tree::Node;
use regex::RegexBuilder;

/// Maximum size of a compiled pattern, in bytes.
const LARGEST_PATTERN: usize = 1024 * 1024;

impl Reader<'_> {
    /// A text up to the closing quote.
    pub(super) fn quoted(&mut self, quote: char) -> Result<String, String> {
        let mut text = String::new();
        let mut letters = self.rest().char_indices().skip(1);
        while let Some((place, letter)) = letters.next() {
            match letter {
                letter if letter == quote => {
                    self.at += place + 1;
                    return Ok(text);
                }
                '\\' if quote != '`' => match letters.next().map(|(_, letter)| letter) {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some('b') => text.push('\u{8}'),
                    Some('f') => text.push('\u{c}'),
                    Some(letter @ ('"' | '\'' | '\\' | '/')) => text.push(letter),
                    Some('u') => {
                        let digits: String = letters.by_ref().take(4).map(|(_, digit)| digit).collect();
                        let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4);
                        let letter = code.and_then(char::from_u32);
                        text.push(letter.ok_or_else(|| self.wrong("a text with \\u and four hex digits"))?);
                    }
                    _ => return Err(self.wrong("a text with \\n, \\t, \\\" or \\\\")),
                },
                letter => text.push(letter),
            }
        }
        Err(self.wrong("the end of the text"))
    }

    pub(super) fn number(&mut self) -> Result<Node, String> {
        let rest = self.rest();
        let digits = |from: usize| {
            let end = rest[from..].find(|letter: char| !letter.is_ascii_digit());
            from + end.unwrap_or(rest.len() - from)
        };
        let mut end = digits(0);
        // Two dots are the range operator.
        if rest[end..].starts_with('.') && rest[end + 1..].starts_with(|letter: char| letter.is_ascii_digit())
        {
            end = digits(end + 1);
        }
        if rest[end..].starts_with(['e', 'E']) {
            let sign = usize::from(rest[end + 1..].starts_with(['+', '-']));
            let exponent = digits(end + 1 + sign);
            if exponent > end + 1 + sign {
                end = exponent;
            }
        }
        let number: serde_json::Number = rest[..end].parse().map_err(|_| self.wrong("a number"))?;
        self.at += end;
        Ok(Node::Literal(number.into()))
    }

    /// `/pattern/im`
    pub(super) fn pattern(&mut self) -> Result<Node, String> {
        let rest = self.rest();
        let mut end = None;
        let (mut is_escaped, mut is_class) = (false, false);
        for (place, letter) in rest.char_indices().skip(1) {
            match letter {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '[' => is_class = true,
                ']' => is_class = false,
                '/' if !is_class => {
                    end = Some(place);
                    break;
                }
                _ => {}
            }
        }
        let end = end.filter(|end| *end > 1).ok_or_else(|| self.wrong("a pattern such as /a+/"))?;
        let pattern = rest[1..end].replace("\\/", "/");
        let flags: String = rest[end + 1..].chars().take_while(|letter| "im".contains(*letter)).collect();
        let built = RegexBuilder::new(&pattern)
            .case_insensitive(flags.contains('i'))
            .multi_line(flags.contains('m'))
            .size_limit(LARGEST_PATTERN)
            .build();
        let built = built.map_err(|error| format!("the pattern /{pattern}/ cannot be read: {error}"))?;
        self.at += end + 1 + flags.len();
        Ok(Node::Pattern(built))
    }
}
