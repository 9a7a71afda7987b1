//! Names that must not leave, and what stands for them outside. The same name has the same token in every request, and answers
//! are read with the names back in their place.

use crate::assistant::place::Place;
use graphql::Refusal;
use llm::{Chat, Message};
use regex::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "llm_alias";
/// Shorter names are words that stand everywhere.
const SHORTEST: usize = 3;
/// Names of one kind that are looked for.
const MOST: usize = 20_000;

/// Where names stand: kind of token, table, column.
const NAMES: [(&str, &str, &str); 11] = [
    ("account", "cloud_accounts", "account_name"),
    ("number", "cloud_accounts", "account_number"),
    ("tenant", "tenant", "name"),
    ("person", "users", "display_name"),
    ("person", "users", "username"),
    ("resource", "cloud_resourses", "name"),
    ("resource", "cloud_resourses", "resourse_id"),
    ("resource", "cloud_resourses", "arn"),
    ("workload", "k8s_workloads", "name"),
    ("namespace", "k8s_workloads", "namespace"),
    ("document", "llm_knowledgebase", "name"),
];

/// What is replaced wherever it stands, whether or not a row has it.
static SHAPES: LazyLock<[(&str, Regex); 2]> = LazyLock::new(|| {
    let sound = |pattern| Regex::new(pattern).expect("the pattern is sound");
    [
        ("mail", sound(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")),
        ("number", sound(r"\b\d{12}\b")),
    ]
});
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:account|number|tenant|person|resource|workload|namespace|document|mail)-\d+\b")
        .expect("the pattern is sound")
});

/// Names with their tokens, longest names first.
#[derive(Debug, Default)]
pub(super) struct Veil {
    pairs: Vec<(String, String)>,
    back: HashMap<String, String>,
    next: BTreeMap<String, usize>,
    /// Tokens that are new: kind, name, token.
    fresh: Vec<(&'static str, String, String)>,
}

impl Veil {
    /// The names of the tenant that stand in a text, with the tokens they have.
    pub fn read(place: &Place<'_>) -> Result<Self, Refusal> {
        let mut veil = Self::default();
        for row in place.rows.select(TABLE, &["kind", "name", "token"], &[])? {
            let text = |place: usize| row[place].as_text().unwrap_or_default().to_owned();
            veil.know(&text(1), &text(2));
        }
        for (kind, table, column) in NAMES {
            let mut names: Vec<String> = Vec::new();
            place.rows.for_each(table, &[column], &[], |row| {
                if let Some(name) = row[0].as_text().map(str::trim)
                    && name.chars().count() >= SHORTEST
                    && names.len() < MOST
                {
                    names.push(name.to_owned());
                }
                Ok::<_, StoreError>(())
            })?;
            names.sort();
            names.dedup();
            veil.pairs.extend(names.into_iter().map(|name| (name, format!("?{kind}"))));
        }
        veil.order();
        Ok(veil)
    }

    fn know(&mut self, name: &str, token: &str) {
        self.pairs.push((name.to_owned(), token.to_owned()));
        self.back.insert(token.to_owned(), name.to_owned());
        if let Some((kind, number)) = token.rsplit_once('-') {
            let next = self.next.entry(kind.to_owned()).or_default();
            *next = (*next).max(number.parse().unwrap_or_default());
        }
    }

    /// The longest names first, so that a name within a name is not taken out of it; of equal names the one with a token.
    fn order(&mut self) {
        self.pairs.sort_by(|one, other| {
            (other.0.len(), &one.0, one.1.starts_with('?')).cmp(&(
                one.0.len(),
                &other.0,
                other.1.starts_with('?'),
            ))
        });
        self.pairs.dedup_by(|later, first| later.0 == first.0);
    }

    fn token(&mut self, kind: &'static str, name: &str) -> String {
        let next = self.next.entry(kind.to_owned()).or_default();
        *next += 1;
        let token = format!("{kind}-{next}");
        self.back.insert(token.clone(), name.to_owned());
        self.fresh.push((kind, name.to_owned(), token.clone()));
        token
    }

    /// The text with tokens for names.
    pub fn cover(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for (kind, shape) in &*SHAPES {
            let found: Vec<String> = shape.find_iter(&text).map(|found| found.as_str().to_owned()).collect();
            for name in found {
                if !self.pairs.iter().any(|(known, _)| *known == name) {
                    let token = self.token(kind, &name);
                    self.pairs.push((name, token));
                    self.order();
                }
            }
        }
        for place in 0..self.pairs.len() {
            if !text.contains(&self.pairs[place].0) {
                continue;
            }
            let (name, token) = self.pairs[place].clone();
            let token = match token.strip_prefix('?') {
                None => token,
                Some(kind) => {
                    let kind =
                        NAMES.iter().map(|(known, ..)| *known).find(|known| *known == kind).unwrap_or("name");
                    let token = self.token(kind, &name);
                    self.pairs[place].1.clone_from(&token);
                    token
                }
            };
            text = replace_whole(&text, &name, &token);
        }
        text
    }

    /// The text with names for tokens.
    pub fn uncover(&self, text: &str) -> String {
        TOKEN
            .replace_all(text, |found: &regex::Captures<'_>| {
                self.back.get(&found[0]).cloned().unwrap_or_else(|| found[0].to_owned())
            })
            .into_owned()
    }

    /// The whole request with tokens for names, and how many different names were replaced.
    pub fn cover_chat(&mut self, chat: &Chat) -> (Chat, usize) {
        let mut chat = chat.clone();
        for message in &mut chat.messages {
            match message {
                Message::System { text } | Message::User { text } | Message::Tool { text, .. } => {
                    *text = self.cover(text);
                }
                Message::Assistant { text, calls } => {
                    *text = self.cover(text);
                    for call in calls {
                        call.arguments = self.within(&call.arguments);
                    }
                }
            }
        }
        let whole: Vec<&str> = chat
            .messages
            .iter()
            .flat_map(|message| match message {
                Message::System { text }
                | Message::User { text }
                | Message::Tool { text, .. }
                | Message::Assistant { text, .. } => TOKEN.find_iter(text),
            })
            .map(|found| found.as_str())
            .collect();
        let mut different: Vec<&str> =
            whole.into_iter().filter(|token| self.back.contains_key(*token)).collect();
        different.sort_unstable();
        different.dedup();
        let count = different.len();
        (chat, count)
    }

    fn within(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.cover(text).into(),
            Value::Array(members) => members.iter().map(|member| self.within(member)).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, member)| (name.clone(), self.within(member))).collect()
            }
            other => other.clone(),
        }
    }

    /// The value with names for tokens.
    pub fn uncover_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.uncover(text).into(),
            Value::Array(members) => members.iter().map(|member| self.uncover_value(member)).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, member)| (name.clone(), self.uncover_value(member))).collect()
            }
            other => other.clone(),
        }
    }

    /// Pairs of name and token that stand in a covered text, for whoever wants to see.
    pub fn replaced(&self, text: &str) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = TOKEN
            .find_iter(text)
            .filter_map(|found| Some((self.back.get(found.as_str())?.clone(), found.as_str().to_owned())))
            .collect();
        all.sort();
        all.dedup();
        all
    }

    /// Keeps the tokens that are new. One that somebody else has given meanwhile stays theirs.
    pub fn keep(&mut self, rows: &Transaction<'_>) -> Result<(), StoreError> {
        for (kind, name, token) in self.fresh.drain(..) {
            if rows.count(TABLE, &[eq("name", name.as_str())])? == 0 {
                let id = Uuid::new_v4();
                rows.insert(
                    TABLE,
                    &[
                        ("id", id.into()),
                        ("kind", kind.into()),
                        ("name", name.as_str().into()),
                        ("token", token.as_str().into()),
                    ],
                )?;
            }
        }
        Ok(())
    }
}

/// Replaces a name where it stands as a whole, not within a longer word.
fn replace_whole(text: &str, name: &str, token: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let before = rest[..at].chars().next_back().or_else(|| out.chars().next_back());
        let after = rest[at + name.len()..].chars().next();
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let edge = |inner: Option<char>| inner.is_some_and(char::is_alphanumeric);
        out.push_str(&rest[..at]);
        let is_within =
            is_word(before) && edge(name.chars().next()) || is_word(after) && edge(name.chars().next_back());
        out.push_str(if is_within { name } else { token });
        rest = &rest[at + name.len()..];
    }
    out.push_str(rest);
    out
}

/// Gives back text in pieces with names in their place: what may be the beginning of a token waits for its end.
#[derive(Debug, Default)]
pub(super) struct Pieces(String);

impl Pieces {
    pub fn add(&mut self, veil: &Veil, piece: &str) -> String {
        self.0.push_str(piece);
        // A token is letters, a hyphen and digits: whole behind the last character that is none of these.
        let end = self
            .0
            .rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
            .map_or(0, |at| at + self.0[at..].chars().next().map_or(1, char::len_utf8));
        let whole: String = self.0.drain(..end).collect();
        veil.uncover(&whole)
    }

    pub fn rest(&mut self, veil: &Veil) -> String {
        veil.uncover(&std::mem::take(&mut self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn veil() -> Veil {
        let mut veil = Veil::default();
        for (name, kind) in
            [("aws-production", "?account"), ("aws-production-eu", "?account"), ("Ana", "?person")]
        {
            veil.pairs.push((name.to_owned(), kind.to_owned()));
        }
        veil.order();
        veil
    }

    #[test]
    fn names_are_replaced_as_a_whole_and_come_back() {
        let mut veil = veil();
        let covered = veil.cover("Ana asks about aws-production and aws-production-eu; Analysis is no name.");
        assert_eq!(covered, "person-1 asks about account-2 and account-1; Analysis is no name.");
        assert_eq!(
            veil.uncover(&covered),
            "Ana asks about aws-production and aws-production-eu; Analysis is no name."
        );
        assert_eq!(veil.cover("aws-production"), "account-2", "the same name has the same token again");
    }

    #[test]
    fn addresses_and_account_numbers_go_wherever_they_stand() {
        let mut veil = Veil::default();
        assert_eq!(veil.cover("mail eve@example.com about 123456789012"), "mail mail-1 about number-1");
        assert_eq!(veil.uncover("ask mail-1"), "ask eve@example.com");
    }

    #[test]
    fn a_token_cut_into_pieces_comes_back_whole() {
        let mut veil = veil();
        veil.cover("Ana, aws-production");
        let mut pieces = Pieces::default();
        let mut text = String::new();
        for piece in ["Dear per", "son-", "1", ": see acc", "ount-1."] {
            text.push_str(&pieces.add(&veil, piece));
        }
        text.push_str(&pieces.rest(&veil));
        assert_eq!(text, "Dear Ana: see aws-production.");
    }

    #[test]
    fn a_token_nobody_has_given_stays_as_it_is() {
        assert_eq!(veil().uncover("account-77"), "account-77");
    }
}
