//! Which billing periods of which source an import brings, and what it takes the place of.
//!
//! A source is a billing account with a provider, in one currency. An older import's rows of a billing period of a source are
//! replaced when both files have charges of the same account and their charges overlap in time: then one tells the other anew.
//! Files that share no account (exports per subscription) or no time (exports per day) are pieces of the period and stay.

use super::Job;
use crate::formats::focus::{SpendBatch, SpendRecord, Text};
use crate::limit::PERIODS;
use crate::report::Replaced;
use crate::{Delivery, ids, providers};
use catalogue::{Value, ValueRef, format_date, format_timestamp};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;
use store::{Condition, StoreError, Transaction, eq};
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

struct Source {
    provider: String,
    billing_account: String,
    currency: String,
    billing_start: i64,
    accounts: HashSet<Uuid>,
    /// Start of the first charge and end of the last.
    charges: (i64, i64),
}

/// The rows of an older import in one billing period of a source.
struct Older {
    id: Uuid,
    import: Uuid,
    provider: String,
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
        let charges = (record.charge_start, record.charge_end);
        if let Some(source) = self.met.get_mut(&self.key) {
            source.charges = (source.charges.0.min(charges.0), source.charges.1.max(charges.1));
            self.count += usize::from(source.accounts.insert(account));
        } else {
            let source = Source {
                provider: provider.to_owned(),
                billing_account: billing_account.to_owned(),
                currency: currency.to_owned(),
                billing_start: record.billing_start,
                accounts: HashSet::from([account]),
                charges,
            };
            self.met.insert(self.key.clone(), source);
            self.count += 1;
        }
        if self.count > PERIODS { Err(Conflict::TooManyPeriods) } else { Ok(()) }
    }

    /// Takes out what this import tells anew, and notes what it brings.
    pub fn settle(
        &self,
        delivery: &Delivery,
        notes: &mut Vec<String>,
    ) -> Result<Option<Replaced>, StoreError> {
        let mut rows = 0;
        let mut periods = BTreeSet::new();
        let mut beside = BTreeSet::new();
        for source in self.met.values() {
            for older in self.older(source)? {
                if delivery.contains(older.import) {
                    continue;
                }
                if self.is_retold(source, older.import)? {
                    rows += self.transaction.delete("spends", &rows_of(&older, source))?;
                    self.transaction.delete(TABLE, &[eq("id", older.id)])?;
                    periods.insert(period(source.billing_start));
                } else {
                    beside.insert(period(source.billing_start));
                }
            }
            self.note(source)?;
        }
        if !beside.is_empty() {
            notes.push(format!(
                "Earlier files brought other accounts or other days of {}; their rows stay beside these.",
                beside.into_iter().collect::<Vec<_>>().join(", ")
            ));
        }
        if rows > 0 {
            let periods: Vec<String> = periods.into_iter().collect();
            notes.push(format!(
                "{rows} rows of earlier files for {} were replaced by this one.",
                periods.join(", ")
            ));
            return Ok(Some(Replaced { rows, periods }));
        }
        Ok(None)
    }

    /// Older imports with rows of the same billing period of the same source, however they spell the provider.
    fn older(&self, source: &Source) -> Result<Vec<Older>, StoreError> {
        let same = [
            eq("billing_account_id", &source.billing_account),
            eq("currency", &source.currency),
            eq("billing_period_start", ValueRef::Timestamp(source.billing_start)),
        ];
        let rows = self.transaction.select(TABLE, &["id", "import_id", "provider_name"], &same)?;
        Ok(rows
            .into_iter()
            .filter_map(|row| match row.as_slice() {
                [Value::Uuid(id), Value::Uuid(import), Value::Text(provider)]
                    if *import != self.job.import && providers::is_same(provider, &source.provider) =>
                {
                    Some(Older { id: *id, import: *import, provider: provider.clone() })
                }
                _ => None,
            })
            .collect())
    }

    fn is_retold(&self, source: &Source, older: Uuid) -> Result<bool, StoreError> {
        let period =
            self.transaction.select("imports", &["period_start", "period_end"], &[eq("id", older)])?;
        if let Some([start, end]) = period.first().map(Vec::as_slice)
            && let (Some(start), Some(end)) = (start.as_int(), end.as_int())
        {
            // Charges of no length still take place.
            let (from, to) = (source.charges.0, source.charges.1.max(source.charges.0 + 1));
            if end.max(start + 1) <= from || to <= start {
                return Ok(false);
            }
        }
        for account in &source.accounts {
            let same = [eq("import_id", older), eq("cloud_account", *account)];
            if self.transaction.count("spends", &same)? > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn note(&self, source: &Source) -> Result<(), StoreError> {
        let import = self.job.import.to_string();
        let start = format_timestamp(source.billing_start);
        let parts = [&import, &source.provider, &source.billing_account, &source.currency, &start];
        let id = ids::derived(self.job.tenant, "source", &parts.map(String::as_str));
        self.transaction.insert(
            TABLE,
            &[
                ("id", id.into()),
                ("import_id", self.job.import.into()),
                ("provider_name", (&source.provider).into()),
                ("billing_account_id", (&source.billing_account).into()),
                ("currency", (&source.currency).into()),
                ("billing_period_start", ValueRef::Timestamp(source.billing_start)),
            ],
        )
    }
}

fn rows_of<'s>(older: &'s Older, source: &'s Source) -> [Condition<'s>; 5] {
    [
        eq("import_id", older.import),
        eq("provider_name", &older.provider),
        eq("billing_account_id", &source.billing_account),
        eq("unit", &source.currency),
        eq("billing_period_start", ValueRef::Timestamp(source.billing_start)),
    ]
}

/// A billing period by its month, or by its day where it does not begin with one.
fn period(start: i64) -> String {
    let date = format_date(i32::try_from(start.div_euclid(DAY)).unwrap_or(i32::MAX));
    date.strip_suffix("-01").map_or_else(|| date.clone(), str::to_owned)
}
