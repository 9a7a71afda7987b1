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
/// Bytes of the longest name that is looked for; an ARN has at most 2,048.
const LONGEST: usize = 2_048;

/// Where names stand: a table, and its columns with the kind of their tokens.
const NAMES: [(&str, &[(&str, &str)]); 6] = [
    ("cloud_accounts", &[("account", "account_name"), ("number", "account_number")]),
    ("tenant", &[("tenant", "name")]),
    ("users", &[("person", "display_name"), ("person", "username")]),
    (
        "cloud_resourses",
        &[
            ("resource", "name"),
            ("resource", "resourse_id"),
            ("resource", "arn"),
            ("resource", "external_resource_id"),
        ],
    ),
    ("k8s_workloads", &[("workload", "name"), ("namespace", "namespace")]),
    ("llm_knowledgebase", &[("document", "name")]),
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
    Regex::new(r"\b(?:account|number|tenant|person|resource|workload|namespace|document|mail|word)-\d+\b")
        .expect("the pattern is sound")
});

/// A name, and what stands for it.
#[derive(Debug)]
struct Known {
    name: String,
    label: Label,
}

#[derive(Debug)]
enum Label {
    Token(String),
    /// No text had the name yet: what kind of token it gets.
    Kind(&'static str),
}

/// Names with their tokens.
#[derive(Debug, Default)]
pub(super) struct Veil {
    /// By name, each once: what stands at a place of a text is found by halving.
    names: Vec<Known>,
    back: HashMap<String, String>,
    next: BTreeMap<String, usize>,
    /// Tokens that are new: kind, name, token.
    fresh: Vec<(&'static str, String, String)>,
}

impl Veil {
    /// The names of the tenant, with the tokens they have.
    pub fn read(place: &Place<'_>) -> Result<Self, Refusal> {
        let mut veil = Self::default();
        for (name, token) in given(&place.rows)? {
            veil.know(&name, &token);
        }
        for word in words(&place.rows)? {
            veil.names.push(Known { name: word, label: Label::Kind("word") });
        }
        for (table, columns) in NAMES {
            let names: Vec<&str> = columns.iter().map(|(_, column)| *column).collect();
            place.rows.for_each(table, &names, &[], |row| {
                for ((kind, _), cell) in columns.iter().zip(&row) {
                    if let Some(name) = cell.as_text().map(str::trim)
                        && name.chars().nth(SHORTEST - 1).is_some()
                    {
                        veil.names.push(Known { name: name.to_owned(), label: Label::Kind(kind) });
                    }
                }
                Ok::<_, StoreError>(())
            })?;
        }
        veil.order();
        Ok(veil)
    }

    fn know(&mut self, name: &str, token: &str) {
        self.names.push(Known { name: name.to_owned(), label: Label::Token(token.to_owned()) });
        self.back.insert(token.to_owned(), name.to_owned());
        if let Some((kind, number)) = token.rsplit_once('-') {
            let next = self.next.entry(kind.to_owned()).or_default();
            *next = (*next).max(number.parse().unwrap_or_default());
        }
    }

    /// By name; of equal names the one with a token stays, else the first kind.
    fn order(&mut self) {
        self.names.sort_by(|one, other| {
            let is_new = |known: &Known| matches!(known.label, Label::Kind(_));
            one.name.cmp(&other.name).then_with(|| is_new(one).cmp(&is_new(other)))
        });
        self.names.dedup_by(|later, first| later.name == first.name);
    }

    /// The longest name a text begins with, as a whole: its place, and its bytes.
    fn find(&self, text: &str) -> Option<(usize, usize)> {
        let mut within = &text[..text.floor_char_boundary(LONGEST)];
        while !within.is_empty() {
            // What is a part of the text at its beginning stands before it, and all between the two begins with that part.
            let behind = self.names.partition_point(|known| known.name.as_str() <= within);
            let name = self.names.get(behind.checked_sub(1)?)?.name.as_str();
            let same = name.bytes().zip(within.bytes()).take_while(|(one, other)| one == other).count();
            let is_name = same == name.len();
            if is_name && is_whole(name, text[same..].chars().next()) {
                return Some((behind - 1, same));
            }
            within = &within[..within.floor_char_boundary(if is_name { same - 1 } else { same })];
        }
        None
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
        for (kind, shape) in &*SHAPES {
            for found in shape.find_iter(text) {
                if let Err(place) =
                    self.names.binary_search_by(|known| known.name.as_str().cmp(found.as_str()))
                {
                    let label = Label::Kind(kind);
                    self.names.insert(place, Known { name: found.as_str().to_owned(), label });
                }
            }
        }
        let mut covered = String::with_capacity(text.len());
        let mut copied = 0;
        let mut before: Option<char> = None;
        for (at, c) in text.char_indices() {
            let is_within = is_word(before) && c.is_alphanumeric();
            before = Some(c);
            if at < copied || is_within || c.is_whitespace() {
                continue;
            }
            if let Some((place, length)) = self.find(&text[at..]) {
                let token = self.token_of(place);
                covered.push_str(&text[copied..at]);
                covered.push_str(&token);
                copied = at + length;
            }
        }
        covered.push_str(&text[copied..]);
        covered
    }

    fn token_of(&mut self, place: usize) -> String {
        let kind = match &self.names[place].label {
            Label::Token(token) => return token.clone(),
            Label::Kind(kind) => *kind,
        };
        let name = self.names[place].name.clone();
        let token = self.token(kind, &name);
        self.names[place].label = Label::Token(token.clone());
        token
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

/// Names with the tokens that stand for them in everything that is sent.
pub(super) fn given(rows: &Transaction<'_>) -> Result<Vec<(String, String)>, Refusal> {
    let rows = rows.select(TABLE, &["name", "token"], &[])?;
    let text = |cell: &catalogue::Value| cell.as_text().unwrap_or_default().to_owned();
    Ok(rows.iter().map(|row| (text(&row[0]), text(&row[1]))).collect())
}

/// Words that people have replaced beside names (tenant attribute `assistant_replace_words`, a JSON list).
fn words(rows: &Transaction<'_>) -> Result<Vec<String>, Refusal> {
    let found = rows.select("tenant_attrs", &["value"], &[eq("name", "assistant_replace_words")])?.pop();
    let list = found.as_ref().and_then(|row| row[0].as_text()).unwrap_or("[]");
    Ok(serde_json::from_str(list).unwrap_or_default())
}

fn is_word(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a name ends where it stands, and not within a longer word.
fn is_whole(name: &str, after: Option<char>) -> bool {
    !(is_word(after) && name.ends_with(char::is_alphanumeric))
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
            [("aws-production", "account"), ("aws-production-eu", "account"), ("Ana", "person")]
        {
            veil.names.push(Known { name: name.to_owned(), label: Label::Kind(kind) });
        }
        veil.order();
        veil
    }

    #[test]
    fn names_are_replaced_as_a_whole_and_come_back() {
        let mut veil = veil();
        let covered = veil.cover("Ana asks about aws-production and aws-production-eu; Analysis is no name.");
        assert_eq!(covered, "person-1 asks about account-1 and account-2; Analysis is no name.");
        assert_eq!(
            veil.uncover(&covered),
            "Ana asks about aws-production and aws-production-eu; Analysis is no name."
        );
        assert_eq!(veil.cover("aws-production"), "account-1", "the same name has the same token again");
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
    fn the_longest_name_that_stands_there_whole_is_taken_and_a_shorter_one_where_it_goes_on() {
        let mut veil = Veil::default();
        for name in ["web", "web-1", "web-1/log", "Zürich web", "(old) web"] {
            veil.names.push(Known { name: name.to_owned(), label: Label::Kind("resource") });
        }
        veil.order();
        let covered = veil.cover("web-1/log, web-1/lo, web-12 and web_1; Zürich web, webs, (old) web");
        assert_eq!(
            covered,
            "resource-1, resource-2/lo, resource-3-12 and web_1; resource-4, webs, resource-5"
        );
        assert_eq!(
            veil.uncover(&covered),
            "web-1/log, web-1/lo, web-12 and web_1; Zürich web, webs, (old) web"
        );
    }

    #[test]
    fn a_token_nobody_has_given_stays_as_it_is() {
        assert_eq!(veil().uncover("account-77"), "account-77");
    }
}
