//! A recursive-descent parser for selectors.

use super::{LabelTest, LineTest, Selector, SelectorError};
use regex::{Regex, RegexBuilder};

/// Maximum size of a compiled regular expression, in bytes.
const PATTERN_SIZE: usize = 1 << 20;

/// Maximum length of the input shown in an error, in characters. Longer input is cut.
const SHOWN: usize = 24;

pub(super) fn parse(text: &str) -> Result<Selector, SelectorError> {
    let mut parser = Parser { text, at: 0 };
    parser.skip_blanks();
    let mut selector = Selector { labels: Vec::new(), lines: Vec::new() };
    if parser.take("{") {
        parser.matchers(&mut selector)?;
    } else if !parser.is_done() && !parser.sees("|") {
        parser.requirements(&mut selector)?;
        return Ok(selector);
    }
    parser.filters(&mut selector)?;
    Ok(selector)
}

struct Parser<'a> {
    text: &'a str,
    /// Current position in `text`, in bytes.
    at: usize,
}

impl<'a> Parser<'a> {
    /// Parses label matchers up to the closing brace: `app="web", ns=~"a.*"}`
    fn matchers(&mut self, selector: &mut Selector) -> Result<(), SelectorError> {
        loop {
            self.skip_blanks();
            if self.take("}") {
                return Ok(());
            }
            let name = self.name()?;
            self.skip_blanks();
            let test = if self.take("=~") {
                LabelTest::Matches(self.whole_pattern()?)
            } else if self.take("!~") {
                LabelTest::MatchesNot(self.whole_pattern()?)
            } else if self.take("!=") {
                LabelTest::NoneOf(vec![self.quoted()?])
            } else if self.take("=") {
                LabelTest::OneOf(vec![self.quoted()?])
            } else {
                return Err(self.expected("=, !=, =~ or !~"));
            };
            selector.labels.push((name, test));
            self.skip_blanks();
            if !self.take(",") && !self.sees("}") {
                return Err(self.expected("\",\" or \"}\""));
            }
        }
    }

    /// Parses line filters up to the end: `|= "timeout" !~ "retry|again"`
    fn filters(&mut self, selector: &mut Selector) -> Result<(), SelectorError> {
        loop {
            self.skip_blanks();
            if self.is_done() {
                return Ok(());
            }
            selector.lines.push(if self.take("|=") {
                LineTest::Contains(self.quoted()?)
            } else if self.take("!=") {
                LineTest::Lacks(self.quoted()?)
            } else if self.take("|~") {
                LineTest::Matches(self.pattern(false)?)
            } else if self.take("!~") {
                LineTest::MatchesNot(self.pattern(false)?)
            } else {
                return Err(self.expected("|=, !=, |~ or !~"));
            });
        }
    }

    /// Parses Kubernetes requirements up to the end: `app=web,tier in (front,back),!canary`
    fn requirements(&mut self, selector: &mut Selector) -> Result<(), SelectorError> {
        loop {
            self.skip_blanks();
            let is_absent = self.take("!");
            let name = self.name()?;
            self.skip_blanks();
            let test = if is_absent {
                LabelTest::Absent
            } else if self.take("!=") {
                LabelTest::NoneOf(vec![self.bare()])
            } else if self.take("==") || self.take("=") {
                LabelTest::OneOf(vec![self.bare()])
            } else if self.take_word("notin") {
                LabelTest::NoneOf(self.list()?)
            } else if self.take_word("in") {
                LabelTest::OneOf(self.list()?)
            } else {
                LabelTest::Present
            };
            selector.labels.push((name, test));
            self.skip_blanks();
            if self.is_done() {
                return Ok(());
            }
            if !self.take(",") {
                return Err(self.expected("\",\""));
            }
        }
    }

    /// Parses a list of values: `(front, back)`
    fn list(&mut self) -> Result<Vec<String>, SelectorError> {
        self.skip_blanks();
        if !self.take("(") {
            return Err(self.expected("\"(\""));
        }
        let mut values = Vec::new();
        loop {
            values.push(self.bare());
            self.skip_blanks();
            if self.take(")") {
                return Ok(values);
            }
            if !self.take(",") {
                return Err(self.expected("\",\" or \")\""));
            }
        }
    }

    fn name(&mut self) -> Result<String, SelectorError> {
        let name = self.span(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-' | '/'));
        if name.is_empty() { Err(self.expected("the name of a label")) } else { Ok(name.to_owned()) }
    }

    /// Parses a value without quotes, which may be empty.
    fn bare(&mut self) -> String {
        self.skip_blanks();
        self.span(|letter| !letter.is_whitespace() && !matches!(letter, ',' | '(' | ')')).to_owned()
    }

    /// Parses a value in `"`, with the escapes `\"`, `\\`, `\n` and `\t`, or in backquotes, without escapes.
    fn quoted(&mut self) -> Result<String, SelectorError> {
        self.skip_blanks();
        let start = self.at;
        if self.take("`") {
            let value = self.span(|letter| letter != '`').to_owned();
            return if self.take("`") { Ok(value) } else { Err(self.open(start, "`")) };
        }
        if !self.take("\"") {
            return Err(self.expected("a value in \" or `"));
        }
        let mut value = String::new();
        let mut letters = self.text[self.at..].char_indices();
        while let Some((offset, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at += offset + 1;
                    return Ok(value);
                }
                '\\' => match letters.next() {
                    Some((_, 'n')) => value.push('\n'),
                    Some((_, 't')) => value.push('\t'),
                    Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                    // An unknown escape keeps its backslash, because regular expressions such as `"\d+"` are full of them.
                    Some((_, other)) => value.extend(['\\', other]),
                    None => break,
                },
                other => value.push(other),
            }
        }
        Err(self.open(start, "\""))
    }

    fn open(&mut self, start: usize, quote: &str) -> SelectorError {
        self.at = start;
        self.expected(&format!("a value that ends with {quote}"))
    }

    /// Parses a regular expression that must match a whole label value.
    fn whole_pattern(&mut self) -> Result<Regex, SelectorError> {
        self.pattern(true)
    }

    fn pattern(&mut self, is_whole: bool) -> Result<Regex, SelectorError> {
        self.skip_blanks();
        let start = self.at;
        let text = self.quoted()?;
        let anchored = if is_whole { format!("^(?:{text})$") } else { text.clone() };
        let built = RegexBuilder::new(&anchored).size_limit(PATTERN_SIZE).build();
        built.map_err(|cause| {
            let reason = cause.to_string();
            let reason = reason.lines().last().unwrap_or_default().trim().trim_start_matches("error: ");
            SelectorError {
                at: self.text[..start].chars().count() + 1,
                expected: "a regular expression".to_owned(),
                found: format!("\"{text}\" ({reason})"),
            }
        })
    }

    fn span(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn skip_blanks(&mut self) {
        self.span(char::is_whitespace);
    }

    fn is_done(&self) -> bool {
        self.at == self.text.len()
    }

    fn sees(&self, sign: &str) -> bool {
        self.text[self.at..].starts_with(sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let sees = self.sees(sign);
        if sees {
            self.at += sign.len();
        }
        sees
    }

    /// Consumes a keyword, unless it is only the beginning of a longer word.
    fn take_word(&mut self, word: &str) -> bool {
        let rest = &self.text[self.at..];
        let follows = rest.strip_prefix(word).and_then(|rest| rest.chars().next());
        self.sees(word) && !follows.is_some_and(char::is_alphanumeric) && self.take(word)
    }

    fn expected(&self, expected: &str) -> SelectorError {
        let rest = &self.text[self.at..];
        let found = match rest.chars().count() {
            0 => "the end".to_owned(),
            1..=SHOWN => format!("{rest:?}"),
            _ => format!("{:?} …", rest.chars().take(SHOWN).collect::<String>()),
        };
        SelectorError { at: self.text[..self.at].chars().count() + 1, expected: expected.to_owned(), found }
    }
}
