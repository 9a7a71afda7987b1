//! From the text of a condition to its terms.

use super::{Comparison, Function, Term};
use serde_json::Value;

/// How deep a condition may be nested.
const DEEPEST: usize = 60;
/// Letters that it may have.
const LONGEST: usize = 20_000;

const FUNCTIONS: [(&str, Function); 10] = [
    ("boolean", Function::Boolean),
    ("contains", Function::Contains),
    ("count", Function::Count),
    ("exists", Function::Exists),
    ("length", Function::Length),
    ("lowercase", Function::Lowercase),
    ("not", Function::Not),
    ("number", Function::Number),
    ("string", Function::Text),
    ("uppercase", Function::Uppercase),
];

const COMPARISONS: [(&str, Comparison); 6] = [
    ("!=", Comparison::NotEqual),
    ("<=", Comparison::LessOrEqual),
    (">=", Comparison::GreaterOrEqual),
    ("=", Comparison::Equal),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

/// Reads all of a text.
pub(super) fn read(text: &str) -> Result<Term, String> {
    if text.len() > LONGEST {
        return Err(format!("the condition has {} letters: expected {LONGEST} at most", text.len()));
    }
    let mut reader = Reader { text, at: 0, depth: 0 };
    let term = reader.either()?;
    reader.space();
    if reader.rest().is_empty() { Ok(term) } else { Err(reader.wrong("and, or, or the end")) }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn wrong(&self, expected: &str) -> String {
        let place = self.text[..self.at].chars().count() + 1;
        let found: String = self.rest().chars().take(20).collect();
        let found = if found.is_empty() { "the end".to_owned() } else { format!("\"{found}\"") };
        format!("at character {place}: expected {expected}, found {found}")
    }

    fn space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Takes a sign, if it is next.
    fn sign(&mut self, sign: &str) -> bool {
        self.space();
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.at += sign.len();
        }
        is_next
    }

    fn need(&mut self, sign: &str) -> Result<(), String> {
        if self.sign(sign) { Ok(()) } else { Err(self.wrong(sign)) }
    }

    /// The letters of a name that is next.
    fn name(&self) -> &'t str {
        let rest = self.rest();
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        &rest[..end]
    }

    /// Takes a word, if it is next.
    fn word(&mut self, word: &str) -> bool {
        self.space();
        let is_next = self.name() == word;
        if is_next {
            self.at += word.len();
        }
        is_next
    }

    fn either(&mut self) -> Result<Term, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("the condition is nested deeper than {DEEPEST} levels"));
        }
        let mut left = self.both()?;
        while self.word("or") {
            left = Term::Either(Box::new(left), Box::new(self.both()?));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn both(&mut self) -> Result<Term, String> {
        let mut left = self.comparison()?;
        while self.word("and") {
            left = Term::Both(Box::new(left), Box::new(self.comparison()?));
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Term, String> {
        let left = self.term()?;
        let sign = COMPARISONS.iter().find(|(sign, _)| self.sign(sign)).map(|(_, comparison)| *comparison);
        let found = sign.or_else(|| self.word("in").then_some(Comparison::In));
        let Some(comparison) = found else { return Ok(left) };
        Ok(Term::Compare(Box::new(left), comparison, Box::new(self.term()?)))
    }

    fn term(&mut self) -> Result<Term, String> {
        self.space();
        let rest = self.rest();
        match rest.chars().next() {
            Some('(') => {
                self.at += 1;
                let inside = self.either()?;
                self.need(")")?;
                Ok(inside)
            }
            Some('[') => {
                self.at += 1;
                Ok(Term::List(self.terms("]")?))
            }
            Some(quote @ ('"' | '\'')) => self.text(quote).map(|text| Term::Literal(text.into())),
            Some('-' | '0'..='9') => self.number(),
            Some('$') => self.dollar(),
            Some(letter) if letter == '`' || letter == '_' || letter.is_alphabetic() => {
                let name = self.field()?;
                match (name.as_str(), letter) {
                    (_, '`') => self.path(vec![name]),
                    ("true", _) => Ok(Term::Literal(true.into())),
                    ("false", _) => Ok(Term::Literal(false.into())),
                    ("null", _) => Ok(Term::Literal(Value::Null)),
                    _ => self.path(vec![name]),
                }
            }
            _ => Err(self.wrong("a value")),
        }
    }

    /// Terms with commas between them, up to a sign.
    fn terms(&mut self, end: &str) -> Result<Vec<Term>, String> {
        let mut terms = Vec::new();
        if self.sign(end) {
            return Ok(terms);
        }
        loop {
            terms.push(self.either()?);
            if self.sign(end) {
                return Ok(terms);
            }
            self.need(",")?;
        }
    }

    fn text(&mut self, quote: char) -> Result<String, String> {
        let mut text = String::new();
        let mut letters = self.rest().char_indices().skip(1);
        while let Some((place, letter)) = letters.next() {
            match letter {
                letter if letter == quote => {
                    self.at += place + 1;
                    return Ok(text);
                }
                '\\' => match letters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, letter @ ('"' | '\'' | '\\' | '/'))) => text.push(letter),
                    _ => return Err(self.wrong("a text with \\n, \\t, \\\" or \\\\")),
                },
                letter => text.push(letter),
            }
        }
        Err(self.wrong("the end of the text"))
    }

    fn number(&mut self) -> Result<Term, String> {
        let rest = self.rest();
        let is_part = |letter: char| letter.is_ascii_digit() || ".eE-+".contains(letter);
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let number: serde_json::Number = rest[..end].parse().map_err(|_| self.wrong("a number"))?;
        self.at += end;
        Ok(Term::Literal(Value::Number(number)))
    }

    /// `$`, a path from it, or a function.
    fn dollar(&mut self) -> Result<Term, String> {
        let start = self.at;
        self.at += 1;
        let name = self.name();
        if name.is_empty() {
            return self.path(Vec::new());
        }
        let Some((_, function)) = FUNCTIONS.iter().find(|(known, _)| *known == name) else {
            self.at = start;
            let known: Vec<String> = FUNCTIONS.iter().map(|(name, _)| format!("${name}")).collect();
            return Err(self.wrong(&format!("one of {}", known.join(", "))));
        };
        self.at += name.len();
        self.need("(")?;
        Ok(Term::Call(*function, self.terms(")")?))
    }

    fn path(&mut self, mut steps: Vec<String>) -> Result<Term, String> {
        while self.sign(".") {
            self.space();
            steps.push(self.field()?);
        }
        Ok(Term::Path(steps))
    }

    fn field(&mut self) -> Result<String, String> {
        if self.rest().starts_with('`') {
            return self.text('`');
        }
        let name = self.name();
        if name.is_empty() || name.starts_with(|letter: char| letter.is_ascii_digit()) {
            return Err(self.wrong("the name of a field"));
        }
        self.at += name.len();
        Ok(name.to_owned())
    }
}
