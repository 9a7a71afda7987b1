//! Lines of logs to rows of `logs`.

use super::accounts::Accounts;
use super::{Job, Journal};
use crate::ids;
use ::formats::record::LogLine;
use catalogue::{Value, ValueRef};
use model::tables::logs;
use model::{Id, Read as _, row};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use store::{NewRows, StoreError, Transaction};
use uuid::Uuid;

const TABLE: &str = "logs";
/// The label of a line whose time is that of another one.
const OWN_TIME: &str = "own_time";
/// How far such a line is moved from that time so that lines stay in their order; µs.
const FARTHEST: i32 = 999;
/// Lines whose repetitions are counted.
const REMEMBERED: usize = 200_000;
/// What is kept of one line, in bytes.
const MESSAGE_BYTES: usize = 64 << 10;

/// Lines that are added together.
const TOGETHER: usize = 1_000;
/// After so many lines of a file the indices may be taken down for the rest.
const MANY: u64 = 20_000;
/// So many hashes that all begin like a time come once in 2³⁰⁰ times by chance.
const CHANCE: u64 = 64;
/// The severity of a line that says nothing of it, as the table has it.
const USUAL_SEVERITY: &str = "info";
const COLUMNS: [&str; 6] = ["id", "account_id", "timestamp", "severity", "message", "labels"];

row! { struct LineId from logs { id } }

/// Adds lines. The same line of the same source and time, told again by another file, is there once; two equal lines of one file
/// are two.
pub struct Logs<'a> {
    transaction: &'a Transaction<'a>,
    job: Job,
    journal: Rc<Journal<'a>>,
    rows: Option<NewRows<'a>>,
    /// Lines that are not added yet; no id stands among them twice.
    waiting: Vec<Row>,
    seen: HashMap<Uuid, u32>,
    /// Whether lines are stored under ids of an earlier version; none while nobody has looked.
    has_hashes: Option<bool>,
    /// The labels of the last line, and the same as text: a log has the same ones in all its lines.
    labels: (Map<String, Json>, Rc<str>),
    added: u64,
    /// Lines after which it is looked whether the indices are worth keeping up; none once they are down.
    next_look: Option<u64>,
    known: u64,
}

/// A row of the table.
struct Row {
    id: Uuid,
    /// What an earlier version stored the line under.
    hash: Uuid,
    account: Uuid,
    /// µs since 1970 UTC.
    at: i64,
    severity: Cow<'static, str>,
    message: String,
    labels: Rc<str>,
}

impl Row {
    /// In the order of [`COLUMNS`].
    fn cells(&self) -> [ValueRef<'_>; COLUMNS.len()] {
        [
            self.id.into(),
            self.account.into(),
            ValueRef::Timestamp(self.at),
            self.severity.as_ref().into(),
            self.message.as_str().into(),
            ValueRef::Json(&self.labels),
        ]
    }
}

impl<'a> Logs<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job, journal: Rc<Journal<'a>>) -> Self {
        let labels = (Map::new(), Rc::from("{}"));
        Self {
            transaction,
            job,
            journal,
            rows: None,
            waiting: Vec::new(),
            seen: HashMap::new(),
            has_hashes: None,
            labels,
            added: 0,
            next_look: Some(MANY),
            known: 0,
        }
    }

    /// Takes one line, to be added with others: see [`Self::flush`].
    pub fn write(&mut self, line: &LogLine, accounts: &mut Accounts<'_>) -> Result<(), StoreError> {
        let account = accounts.find_or_add(
            &line.account.provider,
            &line.account.number,
            line.account.name.as_deref(),
        )?;
        let labels = self.labels_of(line);
        let (account_text, at) = (account.to_string(), line.at.to_string());
        let base = ids::derived(self.job.tenant, "log line", &[&account_text, &at, &labels, &line.message]);
        if self.seen.len() >= REMEMBERED {
            // Lines are numbered anew: a number may come that waits already.
            self.flush()?;
            self.seen.clear();
        }
        let number = self.seen.entry(base).or_default();
        *number += 1;
        let hash = ids::derived(base, "log line", &[&number.to_string()]);
        // What it is does not depend on that: an earlier version stored the same line without it.
        let labels = if line.place_at_time.is_some() {
            let mut marked = line.labels.clone();
            marked.insert(OWN_TIME.to_owned(), Json::Bool(false));
            Json::Object(marked).to_string().into()
        } else {
            labels
        };
        let place = line.place_at_time.map_or(0, |place| i64::from(place.clamp(-FARTHEST, FARTHEST)));
        let end = line.message.floor_char_boundary(MESSAGE_BYTES);
        self.waiting.push(Row {
            id: ids::at_time(line.at, hash),
            hash,
            account,
            at: line.at.saturating_add(place),
            severity: line.severity.clone().map_or(Cow::Borrowed(USUAL_SEVERITY), Cow::Owned),
            message: line.message[..end].to_owned(),
            labels,
        });
        if self.waiting.len() >= TOGETHER { self.flush() } else { Ok(()) }
    }

    fn labels_of(&mut self, line: &LogLine) -> Rc<str> {
        if self.labels.0 != line.labels {
            let text = Json::Object(line.labels.clone()).to_string();
            self.labels = (line.labels.clone(), text.into());
        }
        Rc::clone(&self.labels.1)
    }

    /// Adds the lines that wait, those that are stored already left out.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        let mut waiting = std::mem::take(&mut self.waiting);
        let (stored, all) = (self.stored_hashes(&waiting)?, waiting.len());
        waiting.retain(|row| !stored.contains(&row.hash));
        let rows = match &mut self.rows {
            Some(rows) => rows,
            None => self.rows.insert(self.transaction.new_rows(TABLE, &COLUMNS)?),
        };
        let cells: Vec<_> = waiting.iter().map(Row::cells).collect();
        let mut added = 0;
        for (row, is_added) in waiting.iter().zip(rows.add(&cells)?) {
            if is_added {
                self.journal.inserted(TABLE, Value::Uuid(row.id))?;
                added += 1;
            }
        }
        self.added += added;
        self.known += all as u64 - added;
        self.suspend_indices()
    }

    /// Takes the indices down once the file has brought many lines beside those that are there: every pod of a bundle writes lines
    /// of the same hours, so each would visit all of the index by time.
    fn suspend_indices(&mut self) -> Result<(), StoreError> {
        let Some(look) = self.next_look.filter(|look| self.added >= *look) else { return Ok(()) };
        let are_down = self.transaction.suspend_indices(TABLE, self.added)?;
        self.next_look = (!are_down).then_some(look * 2);
        Ok(())
    }

    /// The ids of an earlier version under which lines of these are stored.
    fn stored_hashes(&mut self, lines: &[Row]) -> Result<HashSet<Uuid>, StoreError> {
        let has_hashes = match self.has_hashes {
            Some(known) => known,
            None if lines.is_empty() => false,
            None => *self.has_hashes.insert(self.look_for_hashes()?),
        };
        if !has_hashes {
            return Ok(HashSet::new());
        }
        let hashes = logs::id.one_of(lines.iter().map(|line| Id::new(line.hash)));
        let found = self.transaction.query::<LineId>().filter(hashes).rows()?;
        Ok(found.iter().map(|line| line.id.uuid()).collect())
    }

    /// Whether a line is stored under an id of an earlier version: a hash alone, which begins with anything.
    fn look_for_hashes(&self) -> Result<bool, StoreError> {
        let lines = || self.transaction.query::<LineId>().order(logs::id.asc());
        if lines().filter(logs::id.ge(Id::new(ids::AFTER_ALL_TIMES))).first()?.is_some() {
            return Ok(true);
        }
        Ok(lines().limit(CHANCE).rows()?.iter().any(|line| ids::is_hash(line.id.uuid())))
    }

    /// What is to be said.
    pub fn note(&self) -> Option<String> {
        (self.known > 0).then(|| format!("{} lines of logs were there already.", self.known))
    }
}
