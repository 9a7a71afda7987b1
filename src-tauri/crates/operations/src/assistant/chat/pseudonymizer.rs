//! Replaces names that must not leave the machine with tokens.
//!
//! A name has the same token in every request. Tokens in answers are replaced with the names.

mod names;

pub(super) use names::assigned_tokens;

use crate::kit::in_account::Place;
use graphql::Refusal;
use llm::{Chat, Message};
use names::{Names, TABLE, TenantNames, TokenNames, is_word};
use regex::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};
use store::Transaction;
use uuid::Uuid;

/// Patterns that are always replaced, even if no row contains the text.
static PATTERNS: LazyLock<[(&str, Regex); 2]> = LazyLock::new(|| {
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
    tenant_names: Arc<TenantNames>,
    assigned: Arc<TokenNames>,
    /// Texts that matched a pattern in this question, and words configured by users.
    other_names: Names<&'static str>,
    /// New tokens: by name, and in their order with the kind.
    new_tokens: HashMap<String, String>,
    new_names: Vec<(&'static str, String)>,
    name_by_token: HashMap<String, String>,
    last: BTreeMap<&'static str, usize>,
}

impl Pseudonymizer {
    /// Loads the names of the tenant with their existing tokens.
    pub fn read(place: &Place<'_>) -> Result<Self, Refusal> {
        let words = names::words(&place.rows)?;
        Ok(Self {
            tenant_names: names::of_tenant(&place.rows)?,
            assigned: assigned_tokens(&place.rows)?,
            other_names: Names::new(words.iter().map(|word| (word.as_str(), "word"))),
            ..Self::default()
        })
    }

    /// The longest name at the start of a text that ends at a word boundary: its length in bytes, and the kind of its token.
    fn find(&self, text: &str) -> Option<(usize, &'static str)> {
        let tenant_names = self.tenant_names.find(text);
        // A name with a token is always replaced, even if no row contains it any more. Its kind is not needed, because the token exists.
        let assigned = self.assigned.names.find(text).map(|(length, _)| (length, "word"));
        // `max_by_key` returns the last of equal elements: words configured by users keep their own kind.
        [assigned, tenant_names, self.other_names.find(text)]
            .into_iter()
            .flatten()
            .max_by_key(|(length, _)| *length)
    }

    fn token(&mut self, kind: &'static str, name: &str) -> String {
        if let Some(place) = self.assigned.names.get(name) {
            return self.assigned.all[place].1.clone();
        }
        if let Some(token) = self.new_tokens.get(name) {
            return token.clone();
        }
        let assigned = &self.assigned.last;
        let last = self.last.entry(kind).or_insert_with(|| assigned.get(kind).copied().unwrap_or_default());
        *last += 1;
        let token = format!("{kind}-{last}");
        self.name_by_token.insert(token.clone(), name.to_owned());
        self.new_tokens.insert(name.to_owned(), token.clone());
        self.new_names.push((kind, name.to_owned()));
        token
    }

    fn name_of(&self, token: &str) -> Option<&str> {
        let assigned =
            || self.assigned.index_by_token.get(token).map(|place| self.assigned.all[*place].0.as_str());
        self.name_by_token.get(token).map(String::as_str).or_else(assigned)
    }

    /// Replaces names with tokens.
    pub fn pseudonymize(&mut self, text: &str) -> String {
        self.add_pattern_matches(text);
        let mut masked = String::with_capacity(text.len());
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
                masked.push_str(&text[copied..at]);
                masked.push_str(&token);
                copied = at + length;
            }
        }
        masked.push_str(&text[copied..]);
        masked
    }

    /// Adds the texts that match a pattern to the names.
    fn add_pattern_matches(&mut self, text: &str) {
        let found = PATTERNS
            .iter()
            .flat_map(|(kind, pattern)| pattern.find_iter(text).map(|found| (found.as_str(), *kind)));
        let new: Vec<(&str, &'static str)> = found
            .filter(|(name, _)| self.other_names.get(name).is_none() && self.tenant_names.get(name).is_none())
            .collect();
        if !new.is_empty() {
            self.other_names = Names::new(self.other_names.iter().chain(new));
        }
    }

    /// Replaces tokens with names.
    pub fn restore(&self, text: &str) -> String {
        TOKEN
            .replace_all(text, |found: &regex::Captures<'_>| {
                self.name_of(&found[0]).unwrap_or(&found[0]).to_owned()
            })
            .into_owned()
    }

    /// Replaces names in the whole request. Also returns how many different names were replaced.
    pub fn pseudonymize_chat(&mut self, chat: &Chat) -> (Chat, usize) {
        let mut chat = chat.clone();
        for message in &mut chat.messages {
            match message {
                Message::System { text } | Message::User { text } | Message::Tool { text, .. } => {
                    *text = self.pseudonymize(text);
                }
                Message::Assistant { text, calls } => {
                    *text = self.pseudonymize(text);
                    for call in calls {
                        call.arguments = self.pseudonymize_value(&call.arguments);
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

    fn pseudonymize_value(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.pseudonymize(text).into(),
            Value::Array(members) => members.iter().map(|member| self.pseudonymize_value(member)).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, member)| (name.clone(), self.pseudonymize_value(member))).collect()
            }
            other => other.clone(),
        }
    }

    /// Replaces tokens with names in a JSON value.
    pub fn restore_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.restore(text).into(),
            Value::Array(members) => members.iter().map(|member| self.restore_value(member)).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, member)| (name.clone(), self.restore_value(member))).collect()
            }
            other => other.clone(),
        }
    }

    /// The pairs of name and token that occur in a masked text, for display.
    pub fn replacements(&self, text: &str) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = TOKEN
            .find_iter(text)
            .filter_map(|found| Some((self.name_of(found.as_str())?.to_owned(), found.as_str().to_owned())))
            .collect();
        all.sort();
        all.dedup();
        all
    }

    /// Stores the new tokens. If another question has stored tokens in the meantime, stores
    /// nothing, loads those tokens and returns `false`; the text must then be masked again.
    pub fn store_tokens(&mut self, rows: &Transaction<'_>) -> Result<bool, Refusal> {
        if self.new_names.is_empty() {
            return Ok(true);
        }
        let assigned = assigned_tokens(rows)?;
        let is_ours = assigned.all == self.assigned.all;
        for (kind, name) in self.new_names.drain(..) {
            let Some(token) = self.new_tokens.get(&name).filter(|_| is_ours) else { continue };
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
        self.assigned = if is_ours { assigned_tokens(rows)? } else { assigned };
        self.new_tokens.clear();
        self.name_by_token.clear();
        self.last.clear();
        Ok(is_ours)
    }
}

/// Restores names in text that arrives in pieces. A possible beginning of a token is held back until its end arrives.
#[derive(Debug, Default)]
pub(super) struct TextChunks(String);

impl TextChunks {
    pub fn add(&mut self, pseudonymizer: &Pseudonymizer, piece: &str) -> String {
        self.0.push_str(piece);
        // A token consists of letters, a hyphen and digits; it is complete at the first other character.
        let end = self
            .0
            .rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
            .map_or(0, |at| at + self.0[at..].chars().next().map_or(1, char::len_utf8));
        let whole: String = self.0.drain(..end).collect();
        pseudonymizer.restore(&whole)
    }

    pub fn rest(&mut self, pseudonymizer: &Pseudonymizer) -> String {
        pseudonymizer.restore(&std::mem::take(&mut self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assistant::tests::{SHOP, TENANT, TestService};
    use crate::kit::in_account::place_of;
    use catalogue::{Caller, Right};

    fn of<const COUNT: usize>(names: [(&str, &'static str); COUNT]) -> Pseudonymizer {
        Pseudonymizer { tenant_names: Arc::new(Names::new(names)), ..Pseudonymizer::default() }
    }

    fn pseudonymizer() -> Pseudonymizer {
        of([("aws-production", "account"), ("aws-production-eu", "account"), ("Ana", "person")])
    }

    #[test]
    fn names_are_replaced_as_a_whole_and_come_back() {
        let mut pseudonymizer = pseudonymizer();
        let masked = pseudonymizer
            .pseudonymize("Ana asks about aws-production and aws-production-eu; Analysis is no name.");
        assert_eq!(masked, "person-1 asks about account-1 and account-2; Analysis is no name.");
        assert_eq!(
            pseudonymizer.restore(&masked),
            "Ana asks about aws-production and aws-production-eu; Analysis is no name."
        );
        assert_eq!(
            pseudonymizer.pseudonymize("aws-production"),
            "account-1",
            "the same name has the same token again"
        );
    }

    #[test]
    fn addresses_and_account_numbers_go_wherever_they_stand() {
        let mut pseudonymizer = Pseudonymizer::default();
        assert_eq!(
            pseudonymizer.pseudonymize("mail eve@example.com about 123456789012"),
            "mail mail-1 about number-1"
        );
        assert_eq!(pseudonymizer.restore("ask mail-1"), "ask eve@example.com");
    }

    #[test]
    fn a_token_cut_into_pieces_comes_back_whole() {
        let mut pseudonymizer = pseudonymizer();
        pseudonymizer.pseudonymize("Ana, aws-production");
        let mut pieces = TextChunks::default();
        let mut text = String::new();
        for piece in ["Dear per", "son-", "1", ": see acc", "ount-1."] {
            text.push_str(&pieces.add(&pseudonymizer, piece));
        }
        text.push_str(&pieces.rest(&pseudonymizer));
        assert_eq!(text, "Dear Ana: see aws-production.");
    }

    #[test]
    fn the_longest_name_that_stands_there_whole_is_taken_and_a_shorter_one_where_it_goes_on() {
        let names = ["web", "web-1", "web-1/log", "Zürich web", "(old) web"];
        let mut pseudonymizer = of(names.map(|name| (name, "resource")));
        let masked =
            pseudonymizer.pseudonymize("web-1/log, web-1/lo, web-12 and web_1; Zürich web, webs, (old) web");
        assert_eq!(
            masked,
            "resource-1, resource-2/lo, resource-3-12 and web_1; resource-4, webs, resource-5"
        );
        assert_eq!(
            pseudonymizer.restore(&masked),
            "web-1/log, web-1/lo, web-12 and web_1; Zürich web, webs, (old) web"
        );
    }

    #[test]
    fn a_token_nobody_has_given_stays_as_it_is() {
        assert_eq!(pseudonymizer().restore("account-77"), "account-77");
    }

    #[test]
    fn two_questions_at_once_never_give_one_token_to_two_names() {
        let service = TestService::new();
        let system = Caller::system_for(TENANT);
        let read = |pseudonymizer: &mut Pseudonymizer| {
            let filled = service.store.snapshot(&system, |rows| {
                place_of(&system, rows, Right::Read, &SHOP.to_string(), |place| {
                    *pseudonymizer = Pseudonymizer::read(place)?;
                    Ok(())
                })
            });
            filled.map_err(|refusal: Refusal| refusal.message).unwrap();
        };
        let keep = |pseudonymizer: &mut Pseudonymizer| {
            service
                .store
                .transaction(&system, |rows| pseudonymizer.store_tokens(rows))
                .map_err(|refusal: Refusal| refusal.message)
        };
        let (mut one, mut other) = (Pseudonymizer::default(), Pseudonymizer::default());
        read(&mut one);
        read(&mut other);
        assert_eq!(
            (one.pseudonymize("shop"), other.pseudonymize("lab and shop")),
            ("account-1".into(), "account-1 and account-2".into())
        );
        assert_eq!(keep(&mut one), Ok(true));
        assert_eq!(keep(&mut other), Ok(false), "it is to be covered again");
        assert_eq!(other.pseudonymize("lab and shop"), "account-2 and account-1");
        assert_eq!(keep(&mut other), Ok(true));
        assert_eq!(keep(&mut other), Ok(true), "nothing is new");
        assert_eq!(other.restore("account-1, account-2"), "shop, lab");
        read(&mut one);
        assert_eq!(
            one.pseudonymize("lab, far, shop"),
            "account-2, far, account-1",
            "far is another tenant's"
        );
    }
}
