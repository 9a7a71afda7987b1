//! Replaces names that must not leave the machine with tokens.
//!
//! A name has the same token in every request. Tokens in answers are replaced with the names.

mod names;

pub(super) use names::given;

use crate::kit::in_account::Place;
use graphql::Refusal;
use llm::{Chat, Message};
use names::{Names, TABLE, Theirs, TokenNames, is_word};
use regex::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};
use store::Transaction;
use uuid::Uuid;

/// Patterns that are always replaced, even if no row contains the text.
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

/// The names of a tenant and their tokens.
#[derive(Debug, Default)]
pub(super) struct Pseudonymizer {
    theirs: Arc<Theirs>,
    given: Arc<TokenNames>,
    /// Texts that matched a pattern in this question, and words configured by users.
    others: Names<&'static str>,
    /// New tokens: by name, and in their order with the kind.
    fresh: HashMap<String, String>,
    order: Vec<(&'static str, String)>,
    back: HashMap<String, String>,
    last: BTreeMap<&'static str, usize>,
}

impl Pseudonymizer {
    /// Loads the names of the tenant with their existing tokens.
    pub fn read(place: &Place<'_>) -> Result<Self, Refusal> {
        let words = names::words(&place.rows)?;
        Ok(Self {
            theirs: names::of_tenant(&place.rows)?,
            given: given(&place.rows)?,
            others: Names::new(words.iter().map(|word| (word.as_str(), "word"))),
            ..Self::default()
        })
    }

    /// The longest name at the start of a text that ends at a word boundary: its length in bytes, and the kind of its token.
    fn find(&self, text: &str) -> Option<(usize, &'static str)> {
        let theirs = self.theirs.find(text);
        // A name with a token is always replaced, even if no row contains it any more. Its kind is not needed, because the token exists.
        let given = self.given.names.find(text).map(|(length, _)| (length, "word"));
        // `max_by_key` returns the last of equal elements: words configured by users keep their own kind.
        [given, theirs, self.others.find(text)].into_iter().flatten().max_by_key(|(length, _)| *length)
    }

    fn token(&mut self, kind: &'static str, name: &str) -> String {
        if let Some(place) = self.given.names.get(name) {
            return self.given.all[place].1.clone();
        }
        if let Some(token) = self.fresh.get(name) {
            return token.clone();
        }
        let given = &self.given.last;
        let last = self.last.entry(kind).or_insert_with(|| given.get(kind).copied().unwrap_or_default());
        *last += 1;
        let token = format!("{kind}-{last}");
        self.back.insert(token.clone(), name.to_owned());
        self.fresh.insert(name.to_owned(), token.clone());
        self.order.push((kind, name.to_owned()));
        token
    }

    fn name_of(&self, token: &str) -> Option<&str> {
        let given = || self.given.back.get(token).map(|place| self.given.all[*place].0.as_str());
        self.back.get(token).map(String::as_str).or_else(given)
    }

    /// Replaces names with tokens.
    pub fn cover(&mut self, text: &str) -> String {
        self.note_shapes(text);
        let mut covered = String::with_capacity(text.len());
        let mut copied = 0;
        let mut before: Option<char> = None;
        for (at, c) in text.char_indices() {
            let is_within = is_word(before) && c.is_alphanumeric();
            before = Some(c);
            if at < copied || is_within || c.is_whitespace() {
                continue;
            }
            if let Some((length, kind)) = self.find(&text[at..]) {
                let token = self.token(kind, &text[at..at + length]);
                covered.push_str(&text[copied..at]);
                covered.push_str(&token);
                copied = at + length;
            }
        }
        covered.push_str(&text[copied..]);
        covered
    }

    /// Adds the texts that match a pattern to the names.
    fn note_shapes(&mut self, text: &str) {
        let found = SHAPES
            .iter()
            .flat_map(|(kind, shape)| shape.find_iter(text).map(|found| (found.as_str(), *kind)));
        let new: Vec<(&str, &'static str)> = found
            .filter(|(name, _)| self.others.get(name).is_none() && self.theirs.get(name).is_none())
            .collect();
        if !new.is_empty() {
            self.others = Names::new(self.others.iter().chain(new));
        }
    }

    /// Replaces tokens with names.
    pub fn uncover(&self, text: &str) -> String {
        TOKEN
            .replace_all(text, |found: &regex::Captures<'_>| {
                self.name_of(&found[0]).unwrap_or(&found[0]).to_owned()
            })
            .into_owned()
    }

    /// Replaces names in the whole request. Also returns how many different names were replaced.
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
            whole.into_iter().filter(|token| self.name_of(token).is_some()).collect();
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

    /// Replaces tokens with names in a JSON value.
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

    /// The pairs of name and token that occur in a covered text, for display.
    pub fn replaced(&self, text: &str) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = TOKEN
            .find_iter(text)
            .filter_map(|found| Some((self.name_of(found.as_str())?.to_owned(), found.as_str().to_owned())))
            .collect();
        all.sort();
        all.dedup();
        all
    }

    /// Stores the new tokens. If another question has stored tokens in the meantime, stores
    /// nothing, loads those tokens and returns `false`; the text must then be covered again.
    pub fn keep(&mut self, rows: &Transaction<'_>) -> Result<bool, Refusal> {
        if self.order.is_empty() {
            return Ok(true);
        }
        let given = given(rows)?;
        let is_ours = given.all == self.given.all;
        for (kind, name) in self.order.drain(..) {
            let Some(token) = self.fresh.get(&name).filter(|_| is_ours) else { continue };
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
        self.given = if is_ours { names::given(rows)? } else { given };
        self.fresh.clear();
        self.back.clear();
        self.last.clear();
        Ok(is_ours)
    }
}

/// Uncovers text that arrives in pieces. A possible beginning of a token is held back until its end arrives.
#[derive(Debug, Default)]
pub(super) struct TextChunks(String);

impl TextChunks {
    pub fn add(&mut self, veil: &Pseudonymizer, piece: &str) -> String {
        self.0.push_str(piece);
        // A token consists of letters, a hyphen and digits; it is complete at the first other character.
        let end = self
            .0
            .rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
            .map_or(0, |at| at + self.0[at..].chars().next().map_or(1, char::len_utf8));
        let whole: String = self.0.drain(..end).collect();
        veil.uncover(&whole)
    }

    pub fn rest(&mut self, veil: &Pseudonymizer) -> String {
        veil.uncover(&std::mem::take(&mut self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assistant::tests::{Office, SHOP, TENANT};
    use crate::kit::in_account::place_of;
    use catalogue::{Caller, Right};

    fn of<const COUNT: usize>(names: [(&str, &'static str); COUNT]) -> Pseudonymizer {
        Pseudonymizer { theirs: Arc::new(Names::new(names)), ..Pseudonymizer::default() }
    }

    fn veil() -> Pseudonymizer {
        of([("aws-production", "account"), ("aws-production-eu", "account"), ("Ana", "person")])
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
        let mut veil = Pseudonymizer::default();
        assert_eq!(veil.cover("mail eve@example.com about 123456789012"), "mail mail-1 about number-1");
        assert_eq!(veil.uncover("ask mail-1"), "ask eve@example.com");
    }

    #[test]
    fn a_token_cut_into_pieces_comes_back_whole() {
        let mut veil = veil();
        veil.cover("Ana, aws-production");
        let mut pieces = TextChunks::default();
        let mut text = String::new();
        for piece in ["Dear per", "son-", "1", ": see acc", "ount-1."] {
            text.push_str(&pieces.add(&veil, piece));
        }
        text.push_str(&pieces.rest(&veil));
        assert_eq!(text, "Dear Ana: see aws-production.");
    }

    #[test]
    fn the_longest_name_that_stands_there_whole_is_taken_and_a_shorter_one_where_it_goes_on() {
        let names = ["web", "web-1", "web-1/log", "Zürich web", "(old) web"];
        let mut veil = of(names.map(|name| (name, "resource")));
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

    #[test]
    fn two_questions_at_once_never_give_one_token_to_two_names() {
        let office = Office::new();
        let house = Caller::house_for(TENANT);
        let read = |veil: &mut Pseudonymizer| {
            let filled = office.store.snapshot(&house, |rows| {
                place_of(&house, rows, Right::Read, &SHOP.to_string(), |place| {
                    *veil = Pseudonymizer::read(place)?;
                    Ok(())
                })
            });
            filled.map_err(|refusal: Refusal| refusal.message).unwrap();
        };
        let keep = |veil: &mut Pseudonymizer| {
            office
                .store
                .transaction(&house, |rows| veil.keep(rows))
                .map_err(|refusal: Refusal| refusal.message)
        };
        let (mut one, mut other) = (Pseudonymizer::default(), Pseudonymizer::default());
        read(&mut one);
        read(&mut other);
        assert_eq!(
            (one.cover("shop"), other.cover("lab and shop")),
            ("account-1".into(), "account-1 and account-2".into())
        );
        assert_eq!(keep(&mut one), Ok(true));
        assert_eq!(keep(&mut other), Ok(false), "it is to be covered again");
        assert_eq!(other.cover("lab and shop"), "account-2 and account-1");
        assert_eq!(keep(&mut other), Ok(true));
        assert_eq!(keep(&mut other), Ok(true), "nothing is new");
        assert_eq!(other.uncover("account-1, account-2"), "shop, lab");
        read(&mut one);
        assert_eq!(one.cover("lab, far, shop"), "account-2, far, account-1", "far is another tenant's");
    }
}
