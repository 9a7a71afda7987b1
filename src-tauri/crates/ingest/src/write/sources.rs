//! Which billing periods of which source an import brings, and what it takes the place of.
//!
//! A source is a billing account with a provider, in one currency. An older import's rows of a billing period of a source are
//! replaced when both files have charges of the same account and these overlap in time: then one tells the other anew.
//! Files that share no account (exports per subscription) or no time (exports per day) are pieces of the period and stay.

use super::{Job, imports};
use crate::formats::focus::{SpendBatch, SpendRecord, Text};
use crate::limit::PERIODS;
use crate::report::Replaced;
use crate::{Delivery, ids, providers};
use catalogue::{Value, ValueRef, format_date, format_timestamp};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "spend_sources";
const DAY: i64 = 86_400_000_000;

/// Why a batch could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Conflict {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file's fault.
    #[error("the file has more than {PERIODS} accounts and billing periods")]
    TooManyPeriods,
}

/// The billing periods of an import.
pub struct Sources<'a> {
    transaction: &'a Transaction<'a>,
    job: Job,
    met: HashMap<String, Source>,
    /// Pairs of period and account.
    count: usize,
    key: String,
}

/// One billing period of a source, with the charges of each account.
struct Source {
    provider: String,
    billing_account: String,
    currency: String,
    billing_start: i64,
    accounts: HashMap<Uuid, Charges>,
}

/// From the start of the first charge to the end of the last.
#[derive(Clone, Copy)]
struct Charges {
    start: i64,
    end: i64,
}

/// What an older import holds of a billing period of a source: the charges of one account.
struct Piece {
    id: Uuid,
    provider: String,
    account: Uuid,
    charges: Charges,
}

/// What is to be taken out of one older import.
#[derive(Default)]
struct Retold<'s> {
    /// By the id of the piece: a source the new file spells in two ways tells the same piece twice.
    pieces: BTreeMap<Uuid, (Piece, &'s Source)>,
}

impl<'a> Sources<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job) -> Self {
        Self { transaction, job, met: HashMap::new(), count: 0, key: String::new() }
    }

    /// Notes the period and account of a charge.
    pub fn see(&mut self, batch: &SpendBatch, record: &SpendRecord, account: Uuid) -> Result<(), Conflict> {
        let text = |text| batch.text(record, text).unwrap_or_default();
        let (provider, billing_account, currency) =
            (text(Text::Provider), text(Text::BillingAccountId), text(Text::Currency));
        self.key.clear();
        write!(self.key, "{currency}\u{1f}{}\u{1f}{provider}\u{1f}{billing_account}", record.billing_start)
            .expect("a string takes what is written to it");
        let charges = Charges { start: record.charge_start, end: record.charge_end };
        if !self.met.contains_key(&self.key) {
            let source = Source {
                provider: provider.to_owned(),
                billing_account: billing_account.to_owned(),
                currency: currency.to_owned(),
                billing_start: record.billing_start,
                accounts: HashMap::new(),
            };
            self.met.insert(self.key.clone(), source);
        }
        let source = self.met.get_mut(&self.key).expect("it was put there");
        let before = source.accounts.len();
        source.accounts.entry(account).or_insert(charges).widen(charges);
        self.count += source.accounts.len() - before;
        if self.count > PERIODS { Err(Conflict::TooManyPeriods) } else { Ok(()) }
    }

    /// Takes out what this import tells anew, and notes what it brings. `file` is its name, for the reports of the older ones.
    pub fn settle(
        &self,
        delivery: &Delivery,
        file: &str,
        notes: &mut Vec<String>,
    ) -> Result<Option<Replaced>, StoreError> {
        let mut retold: BTreeMap<Uuid, Retold<'_>> = BTreeMap::new();
        let mut beside = BTreeSet::new();
        for source in self.met.values() {
            for (import, pieces) in self.older(source)? {
                if delivery.contains(import) {
                    continue;
                }
                if pieces.iter().any(|piece| source.retells(piece)) {
                    retold
                        .entry(import)
                        .or_default()
                        .pieces
                        .extend(pieces.into_iter().map(|piece| (piece.id, (piece, source))));
                } else {
                    beside.insert(period(source.billing_start));
                }
            }
        }
        let mut rows = 0;
        let mut periods = BTreeSet::new();
        for (import, retold) in &retold {
            let taken = self.take_out(*import, retold)?;
            let own = retold.periods();
            let list = own.iter().cloned().collect::<Vec<_>>().join(", ");
            imports::retire(
                self.transaction,
                *import,
                taken,
                format!("Of this import, {taken} rows of {list} were replaced by the later file {file}."),
            )?;
            rows += taken;
            periods.extend(own);
        }
        for source in self.met.values() {
            self.note(source)?;
        }
        if !beside.is_empty() {
            notes.push(format!(
                "Earlier files brought other accounts or other days of {}; their rows stay beside these.",
                beside.into_iter().collect::<Vec<_>>().join(", ")
            ));
        }
        if retold.is_empty() {
            return Ok(None);
        }
        let periods: Vec<String> = periods.into_iter().collect();
        notes.push(format!(
            "{rows} rows of earlier files for {} were replaced by this one.",
            periods.join(", ")
        ));
        Ok(Some(Replaced { rows, periods }))
    }

    /// What older imports hold of the same billing period of the same source, however they spell the provider.
    fn older(&self, source: &Source) -> Result<BTreeMap<Uuid, Vec<Piece>>, StoreError> {
        let columns = ["id", "import_id", "provider_name", "cloud_account", "charge_start", "charge_end"];
        let same = [
            eq("billing_account_id", &source.billing_account),
            eq("currency", &source.currency),
            eq("billing_period_start", ValueRef::Timestamp(source.billing_start)),
        ];
        let mut older: BTreeMap<Uuid, Vec<Piece>> = BTreeMap::new();
        for row in self.transaction.select(TABLE, &columns, &same)? {
            let [
                Value::Uuid(id),
                Value::Uuid(import),
                Value::Text(provider),
                Value::Uuid(account),
                start,
                end,
            ] = row.as_slice()
            else {
                continue;
            };
            if *import != self.job.import && providers::is_same(provider, &source.provider) {
                let charges = Charges {
                    start: start.as_int().unwrap_or(i64::MIN),
                    end: end.as_int().unwrap_or(i64::MAX),
                };
                older.entry(*import).or_default().push(Piece {
                    id: *id,
                    provider: provider.clone(),
                    account: *account,
                    charges,
                });
            }
        }
        Ok(older)
    }

    /// Removes the rows of an older import that are told anew; how many they were. Rows of spends are found by their import, all
    /// at once: the usual case is that everything goes, or whole months.
    fn take_out(&self, import: Uuid, retold: &Retold<'_>) -> Result<u64, StoreError> {
        let columns = ["id", "billing_period_start"];
        let held = self.transaction.select(TABLE, &columns, &[eq("import_id", import)])?;
        if held.len() == retold.pieces.len() {
            self.transaction.delete(TABLE, &[eq("import_id", import)])?;
            return self.transaction.delete("spends", &[eq("import_id", import)]);
        }
        let mut rows = 0;
        let mut by_start: BTreeMap<i64, Vec<&(Piece, &Source)>> = BTreeMap::new();
        for entry in retold.pieces.values() {
            by_start.entry(entry.1.billing_start).or_default().push(entry);
        }
        for (start, pieces) in by_start {
            let in_period = [eq("import_id", import), eq("billing_period_start", ValueRef::Timestamp(start))];
            if held.iter().filter(|row| row[1].as_int() == Some(start)).count() == pieces.len() {
                rows += self.transaction.delete("spends", &in_period)?;
                self.transaction.delete(TABLE, &in_period)?;
                continue;
            }
            for (piece, source) in pieces {
                let mut same = in_period.to_vec();
                same.extend([
                    eq("cloud_account", piece.account),
                    eq("provider_name", &piece.provider),
                    eq("billing_account_id", &source.billing_account),
                    eq("unit", &source.currency),
                ]);
                rows += self.transaction.delete("spends", &same)?;
                self.transaction.delete(TABLE, &[eq("id", piece.id)])?;
            }
        }
        Ok(rows)
    }

    fn note(&self, source: &Source) -> Result<(), StoreError> {
        let import = self.job.import.to_string();
        let start = format_timestamp(source.billing_start);
        for (account, charges) in &source.accounts {
            let account_id = account.to_string();
            let parts =
                [&import, &source.provider, &source.billing_account, &source.currency, &start, &account_id];
            let id = ids::derived(self.job.tenant, "source", &parts.map(String::as_str));
            self.transaction.insert(
                TABLE,
                &[
                    ("id", id.into()),
                    ("import_id", self.job.import.into()),
                    ("provider_name", (&source.provider).into()),
                    ("billing_account_id", (&source.billing_account).into()),
                    ("cloud_account", (*account).into()),
                    ("currency", (&source.currency).into()),
                    ("billing_period_start", ValueRef::Timestamp(source.billing_start)),
                    ("charge_start", ValueRef::Timestamp(charges.start)),
                    ("charge_end", ValueRef::Timestamp(charges.end)),
                ],
            )?;
        }
        Ok(())
    }
}

impl Source {
    /// Whether this file tells a piece of an older one anew.
    fn retells(&self, piece: &Piece) -> bool {
        self.accounts.get(&piece.account).is_some_and(|charges| charges.overlap(piece.charges))
    }
}

impl Charges {
    fn widen(&mut self, other: Self) {
        self.start = self.start.min(other.start);
        self.end = self.end.max(other.end);
    }

    /// Whether both share a moment. A charge without length still takes place at its start.
    fn overlap(self, other: Self) -> bool {
        let end = |charges: Self| charges.end.max(charges.start.saturating_add(1));
        self.start < end(other) && other.start < end(self)
    }
}

impl Retold<'_> {
    fn periods(&self) -> BTreeSet<String> {
        self.pieces.values().map(|(_, source)| period(source.billing_start)).collect()
    }
}

/// A billing period by its month, or by its day where it does not begin with one.
fn period(start: i64) -> String {
    let date = format_date(i32::try_from(start.div_euclid(DAY)).unwrap_or(i32::MAX));
    date.strip_suffix("-01").map_or_else(|| date.clone(), str::to_owned)
}
