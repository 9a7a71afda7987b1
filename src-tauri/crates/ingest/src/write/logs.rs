//! Lines of logs to rows of `logs`.

use super::accounts::Accounts;
use super::{Job, Journal};
use crate::ids;
use ::formats::record::LogLine;
use catalogue::{Value, ValueRef};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::rc::Rc;
use store::{StoreError, Transaction, eq};

const TABLE: &str = "logs";
/// The label of a line whose time is that of another one.
const OWN_TIME: &str = "own_time";
/// How far such a line is moved from that time so that lines stay in their order; µs.
const FARTHEST: i32 = 999;
/// Lines whose repetitions are counted.
const REMEMBERED: usize = 200_000;
/// What is kept of one line, in bytes.
const MESSAGE_BYTES: usize = 64 << 10;

/// Adds lines. The same line of the same source and time, told again by another file, is there once; two equal lines of one file
/// are two.
pub struct Logs<'a> {
    transaction: &'a Transaction<'a>,
    job: Job,
    journal: Rc<Journal<'a>>,
    seen: HashMap<uuid::Uuid, u32>,
    known: u64,
}

impl<'a> Logs<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job, journal: Rc<Journal<'a>>) -> Self {
        Self { transaction, job, journal, seen: HashMap::new(), known: 0 }
    }

    /// Writes one line.
    pub fn write(&mut self, line: &LogLine, accounts: &mut Accounts<'_>) -> Result<(), StoreError> {
        let account = accounts.find_or_add(
            &line.account.provider,
            &line.account.number,
            line.account.name.as_deref(),
        )?;
        let mut labels = Json::Object(line.labels.clone()).to_string();
        let (account_text, at) = (account.to_string(), line.at.to_string());
        let base = ids::derived(self.job.tenant, "log line", &[&account_text, &at, &labels, &line.message]);
        if self.seen.len() >= REMEMBERED {
            self.seen.clear();
        }
        let number = self.seen.entry(base).or_default();
        *number += 1;
        let id = ids::derived(base, "log line", &[&number.to_string()]);
        if self.transaction.count(TABLE, &[eq("id", id)])? > 0 {
            self.known += 1;
            return Ok(());
        }
        // What it is does not depend on that: an earlier version stored the same line without it.
        if line.place_at_time.is_some() {
            let mut marked = line.labels.clone();
            marked.insert(OWN_TIME.to_owned(), Json::Bool(false));
            labels = Json::Object(marked).to_string();
        }
        let place = line.place_at_time.map_or(0, |place| i64::from(place.clamp(-FARTHEST, FARTHEST)));
        let end =
            (0..=MESSAGE_BYTES.min(line.message.len())).rev().find(|end| line.message.is_char_boundary(*end));
        self.journal.inserted(TABLE, Value::Uuid(id))?;
        let mut row = vec![
            ("id", id.into()),
            ("account_id", account.into()),
            ("timestamp", ValueRef::Timestamp(line.at.saturating_add(place))),
            ("message", line.message[..end.unwrap_or_default()].into()),
            ("labels", ValueRef::Json(&labels)),
        ];
        // A line that says nothing of it has the severity of the table's default.
        if let Some(severity) = &line.severity {
            row.push(("severity", severity.as_str().into()));
        }
        self.transaction.insert(TABLE, &row)
    }

    /// What is to be said.
    pub fn note(&self) -> Option<String> {
        (self.known > 0).then(|| format!("{} lines of logs were there already.", self.known))
    }
}
