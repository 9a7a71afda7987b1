//! Writes log lines as rows of `logs`.

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
/// The label of a line that has no time of its own.
const OWN_TIME: &str = "own_time";
/// Maximum shift of such a line's time that preserves the order of lines; µs.
const FARTHEST: i32 = 999;
/// Maximum number of lines whose repetitions are counted.
const REMEMBERED: usize = 200_000;
/// Maximum stored size of one line, in bytes.
const MESSAGE_BYTES: usize = 64 << 10;

/// Lines inserted together.
const TOGETHER: usize = 1_000;
/// After this many lines of a file, the indices may be suspended for the rest.
const MANY: u64 = 20_000;
/// Number of ids examined. The chance that this many hashes all look like time-ordered ids is 2⁻³⁰⁰.
const CHANCE: u64 = 64;
/// The table's severity for lines that state none.
const USUAL_SEVERITY: &str = "info";
const COLUMNS: [&str; 6] = ["id", "account_id", "timestamp", "severity", "message", "labels"];

row! { struct LineId from logs { id } }

/// Inserts lines. A line with the same source and time from another file is stored once; two equal lines of one file are stored twice.
pub struct Logs<'a> {
    transaction: &'a Transaction<'a>,
    job: Job,
    journal: Rc<Journal<'a>>,
    rows: Option<NewRows<'a>>,
    /// Lines that are not inserted yet; their ids are unique.
    waiting: Vec<Row>,
    seen: HashMap<Uuid, u32>,
    /// Whether lines are stored under ids of an earlier version; `None` until checked.
    has_hashes: Option<bool>,
    /// The labels of the last line, also as text: all lines of a log have the same ones.
    labels: (Map<String, Json>, Rc<str>),
    added: u64,
    /// The number of lines after which to check again whether to suspend the indices; `None` once they are suspended.
    next_look: Option<u64>,
    known: u64,
}

/// A row of the table.
struct Row {
    id: Uuid,
    /// The id that an earlier version gave the line.
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

    /// Accepts one line. It is inserted together with others, at the latest by [`Self::flush`].
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
            // Numbering restarts: a number may equal that of a waiting line.
            self.flush()?;
            self.seen.clear();
        }
        let number = self.seen.entry(base).or_default();
        *number += 1;
        let hash = ids::derived(base, "log line", &[&number.to_string()]);
        // The id does not depend on this label: an earlier version stored the same line without it.
        let labels = if line.untimed_order.is_some() {
            let mut marked = line.labels.clone();
            marked.insert(OWN_TIME.to_owned(), Json::Bool(false));
            Json::Object(marked).to_string().into()
        } else {
            labels
        };
        let place = line.untimed_order.map_or(0, |place| i64::from(place.clamp(-FARTHEST, FARTHEST)));
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

    /// Inserts the waiting lines, except those that are already stored.
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

    /// Suspends the indices once the file has added many lines compared with the stored ones. All pods of a bundle write lines of the same
    /// hours, and each insert would touch the whole time index.
    fn suspend_indices(&mut self) -> Result<(), StoreError> {
        let Some(look) = self.next_look.filter(|look| self.added >= *look) else { return Ok(()) };
        let are_down = self.transaction.suspend_indices(TABLE, self.added)?;
        self.next_look = (!are_down).then_some(look * 2);
        Ok(())
    }

    /// The ids of an earlier version under which some of these lines are stored.
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

    /// Whether a line is stored under an id of an earlier version: a plain hash, which may have any leading bytes.
    fn look_for_hashes(&self) -> Result<bool, StoreError> {
        let lines = || self.transaction.query::<LineId>().order(logs::id.asc());
        if lines().filter(logs::id.ge(Id::new(ids::AFTER_ALL_TIMES))).first()?.is_some() {
            return Ok(true);
        }
        Ok(lines().limit(CHANCE).rows()?.iter().any(|line| ids::is_hash(line.id.uuid())))
    }

    /// The import note.
    pub fn note(&self) -> Option<String> {
        (self.known > 0).then(|| format!("{} log lines were already imported.", self.known))
    }
}
