//! The billing periods of each source in an import, with the identities of their charges.
//!
//! A source is a billing account with a provider, in one currency.

use super::charge_duration::DurationCounts;
use super::{Job, Journal};
use crate::decide::Sketch;
use crate::formats::focus::{SpendBatch, SpendRecord, Text};
use crate::limit::{KEYS, PERIODS};
use crate::{ids, keys};
use catalogue::{Decimal, DecimalSum, Value, ValueRef, format_timestamp};
use std::collections::HashMap;
use std::fmt::Write;
use store::{StoreError, Transaction};
use uuid::Uuid;

pub const TABLE: &str = "spend_sources";
pub const KEYS_TABLE: &str = "spend_source_keys";

/// The reason a batch could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Conflict {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file is invalid.
    #[error("the file has more than {PERIODS} accounts and billing periods")]
    TooManyPeriods,
}

/// The billing periods of an import.
#[derive(Default)]
pub struct Sources {
    found: HashMap<String, Source>,
    /// The number of pairs of period and account.
    count: usize,
    key: String,
    rows: u64,
}

/// One billing period of a source, with the charges of each account.
#[derive(Debug)]
pub struct Source {
    pub provider: String,
    pub billing_account: String,
    pub currency: String,
    pub billing_start: i64,
    pub accounts: HashMap<Uuid, Charges>,
}

/// The charges of one account.
#[derive(Debug, Clone, Default)]
pub struct Charges {
    pub rows: u64,
    /// Rows that are not credits, corrections or adjustments.
    pub charge_count: u64,
    pub billed: DecimalSum,
    pub sketch: Sketch,
    /// Start of the first charge and end of the last.
    pub period: Option<(i64, i64)>,
    /// The durations of usage charges; only known for files being imported.
    pub durations: DurationCounts,
}

impl Sources {
    /// Records a charge.
    pub fn add(
        &mut self,
        batch: &SpendBatch,
        record: &SpendRecord,
        account: Uuid,
        resource: Option<Uuid>,
    ) -> Result<(), Conflict> {
        let text = |text| batch.text(record, text).unwrap_or_default();
        let (provider, billing_account, currency) =
            (text(Text::Provider), text(Text::BillingAccountId), text(Text::Currency));
        self.key.clear();
        write!(self.key, "{currency}\u{1f}{}\u{1f}{provider}\u{1f}{billing_account}", record.billing_start)
            .expect("a string takes what is written to it");
        if !self.found.contains_key(&self.key) {
            let source = Source {
                provider: provider.to_owned(),
                billing_account: billing_account.to_owned(),
                currency: currency.to_owned(),
                billing_start: record.billing_start,
                accounts: HashMap::new(),
            };
            self.found.insert(self.key.clone(), source);
        }
        let source = self.found.get_mut(&self.key).expect("it was put there");
        let before = source.accounts.len();
        let charges = source.accounts.entry(account).or_default();
        charges.rows += 1;
        charges.charge_count += u64::from(keys::is_charge(
            batch.text(record, Text::ChargeCategory),
            batch.text(record, Text::ChargeClass),
            record.billed_cost,
        ));
        if !record.is_excluded {
            charges.billed.add(record.billed_cost);
        }
        charges.durations.add(
            batch.text(record, Text::ChargeCategory),
            record.charge_start,
            record.charge_end,
        );
        charges.sketch.add(keys::of_record(batch, record, resource));
        let (start, end) = charges.period.unwrap_or((record.charge_start, record.charge_end));
        charges.period = Some((start.min(record.charge_start), end.max(record.charge_end)));
        self.count += source.accounts.len() - before;
        self.rows += 1;
        if self.rows.is_multiple_of(KEYS as u64) {
            bound(self.found.values_mut());
        }
        if self.count > PERIODS { Err(Conflict::TooManyPeriods) } else { Ok(()) }
    }

    /// The billing periods found.
    pub fn into_list(self) -> Vec<Source> {
        let mut found: Vec<_> = self.found.into_iter().collect();
        found.sort_by(|left, right| left.0.cmp(&right.0));
        found.into_iter().map(|(_, source)| source).collect()
    }
}

/// Reduces the number of stored keys of each account if there are too many in total.
pub fn bound<'s>(sources: impl Iterator<Item = &'s mut Source>) {
    let mut sketches: Vec<&mut Sketch> =
        sources.flat_map(|source| source.accounts.values_mut()).map(|charges| &mut charges.sketch).collect();
    let total: usize = sketches.iter().map(|sketch| sketch.len()).sum();
    if total > KEYS {
        for sketch in &mut sketches {
            sketch.cut((sketch.len() / 2).max(1));
        }
    }
}

impl Charges {
    /// Adds the charges of the same account under another spelling or from another file.
    pub fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        self.charge_count += other.charge_count;
        self.billed.add(other.sum());
        self.sketch.merge(&other.sketch);
        self.durations.merge(other.durations);
        self.period = match (self.period, other.period) {
            (Some(mine), Some(theirs)) => Some((mine.0.min(theirs.0), mine.1.max(theirs.1))),
            (mine, theirs) => mine.or(theirs),
        };
    }

    /// Records a stored charge, read with [`keys::COLUMNS`] followed by whether totals exclude it.
    pub fn add_row(&mut self, row: &[Value]) {
        self.rows += 1;
        if let Some(Value::Decimal(billed)) = row.get(keys::BILLED) {
            if row.last() != Some(&Value::Bool(true)) {
                self.billed.add(*billed);
            }
            let text = |column: &str| {
                let place = keys::COLUMNS.iter().position(|name| *name == column)?;
                row.get(place).and_then(Value::as_text)
            };
            let is_charge = keys::is_charge(text("charge_category"), text("charge_class"), *billed);
            self.charge_count += u64::from(is_charge);
        }
        self.sketch.add(keys::of_row(row));
        if let [Value::Timestamp(start), Value::Timestamp(end), ..] = row {
            let (first, last) = self.period.unwrap_or((*start, *end));
            self.period = Some((first.min(*start), last.max(*end)));
        }
    }

    /// The billed cost.
    pub fn sum(&self) -> Decimal {
        self.billed.total().unwrap_or_else(|| Decimal::from(0))
    }
}

/// Stores the charges of one source in an import.
pub fn write(transaction: &Transaction<'_>, job: &Job, source: &Source) -> Result<(), StoreError> {
    let import = job.import.to_string();
    let start = format_timestamp(source.billing_start);
    let mut accounts: Vec<_> = source.accounts.iter().collect();
    accounts.sort_by_key(|(account, _)| **account);
    for (account, charges) in accounts {
        let account_id = account.to_string();
        let parts =
            [&import, &source.provider, &source.billing_account, &source.currency, &start, &account_id];
        let id = ids::derived(job.tenant, "source", &parts.map(String::as_str));
        let (first, last) = charges.period.unwrap_or_default();
        transaction.insert(
            TABLE,
            &[
                ("id", id.into()),
                ("import_id", job.import.into()),
                ("provider_name", (&source.provider).into()),
                ("billing_account_id", (&source.billing_account).into()),
                ("cloud_account", (*account).into()),
                ("currency", (&source.currency).into()),
                ("billing_period_start", ValueRef::Timestamp(source.billing_start)),
                ("charge_start", ValueRef::Timestamp(first)),
                ("charge_end", ValueRef::Timestamp(last)),
            ],
        )?;
        let keys = charges.sketch.to_text();
        let of = [("source_id", id.into()), ("import_id", job.import.into())];
        transaction.insert(KEYS_TABLE, &[of.as_slice(), &figures(charges, &keys)].concat())?;
    }
    Ok(())
}

/// Columns of [`KEYS_TABLE`] that describe charges.
const FIGURES: [&str; 4] = ["row_count", "charge_count", "billed_cost", "keys"];

/// The values of [`FIGURES`].
fn figures<'v>(charges: &Charges, keys: &'v str) -> [(&'static str, ValueRef<'v>); 4] {
    let count = |rows: u64| ValueRef::Int(i64::try_from(rows).unwrap_or(i64::MAX));
    let [rows, charge_count, billed, sketch] = FIGURES;
    [
        (rows, count(charges.rows)),
        (charge_count, count(charges.charge_count)),
        (billed, charges.sum().into()),
        (sketch, keys.into()),
    ]
}

/// Stores the identities of the remaining rows of stored charges.
pub fn store_rest(
    transaction: &Transaction<'_>,
    journal: &Journal<'_>,
    stored: Uuid,
    rest: &Charges,
) -> Result<(), StoreError> {
    let of_stored = [store::eq("source_id", stored)];
    journal.updates_of(KEYS_TABLE, stored, &of_stored, &FIGURES)?;
    transaction.update(KEYS_TABLE, &of_stored, &figures(rest, &rest.sketch.to_text()))?;
    Ok(())
}

/// Removes stored charges of an older import from the list of sources.
pub fn remove(journal: &Journal<'_>, import: Uuid, stored_charges: &[Uuid]) -> Result<(), StoreError> {
    for stored in stored_charges {
        journal.delete(KEYS_TABLE, import, &[store::eq("source_id", *stored)])?;
        journal.delete(TABLE, import, &[store::eq("id", *stored)])?;
    }
    Ok(())
}
