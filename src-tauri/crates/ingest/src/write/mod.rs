//! Writes records as rows, inside one transaction.

mod accounts;
mod alert_rules;
pub mod amounts;
pub mod cells;
mod charge_duration;
mod charges;
pub mod cluster;
pub mod events;
pub mod export_imports;
pub mod findings;
pub mod imports;
mod insights;
mod journal;
mod logs;
mod metrics;
mod numbers;
pub mod pending_searches;
mod recommendations;
mod records;
pub mod resolution;
mod resources;
mod restated;
pub mod sources;
mod spends;
pub mod stored_charges;
pub mod totals;
mod versions;

pub use journal::{Journal, Kind, key_column, key_of_namespace};
pub use sources::Conflict;

use crate::formats::Batch;
use crate::report::Account;
use accounts::Accounts;
use catalogue::Value;
use recommendations::Recommendations;
use records::{Records, WrittenRecords};
use resources::Resources;
use sources::{Source, Sources};
use spends::Spends;
use std::rc::Rc;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

/// The table of tag keys that can be used for grouping.
pub const TAG_KEYS: &str = "spend_tag_keys";

/// The context that all parts of writing need.
#[derive(Debug, Clone, Copy)]
pub struct Job {
    pub tenant: Uuid,
    pub import: Uuid,
    /// The user who requested the import; `None` on the command line.
    pub user: Option<Uuid>,
    /// The creator of new accounts.
    pub owner: Uuid,
    /// µs since 1970 UTC.
    pub now: i64,
    /// The id that the files of one delivery share.
    pub delivery: Uuid,
}

/// Writes the batches of one import.
pub struct Writer<'a> {
    transaction: &'a Transaction<'a>,
    journal: Rc<Journal<'a>>,
    accounts: Accounts<'a>,
    resources: Resources<'a>,
    sources: Sources,
    spends: Spends<'a>,
    recommendations: Recommendations<'a>,
    records: Records<'a>,
}

/// The results of writing.
#[derive(Debug)]
pub struct WriteSummary {
    pub accounts: Vec<Account>,
    pub sources: Vec<Source>,
    pub notes: Vec<String>,
    /// The results for the records of a document.
    pub records: WrittenRecords,
}

impl<'a> Writer<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job) -> Result<Self, StoreError> {
        let journal = Rc::new(Journal::new(transaction, job.import, 0));
        let of = || Rc::clone(&journal);
        Ok(Self {
            transaction,
            accounts: Accounts::new(transaction, job, of()),
            resources: Resources::new(transaction, job, of())?,
            sources: Sources::default(),
            spends: Spends::new(transaction, job)?,
            recommendations: Recommendations::new(transaction, job, of()),
            records: Records::new(transaction, job, &journal),
            journal,
        })
    }

    pub fn write(&mut self, batch: &Batch) -> Result<(), Conflict> {
        match batch {
            Batch::Spends(batch) => {
                for record in &batch.records {
                    self.spends.write(
                        batch,
                        record,
                        &mut self.accounts,
                        &mut self.resources,
                        &mut self.sources,
                    )?;
                }
            }
            Batch::Recommendations(batch) => {
                for recommendation in batch {
                    self.recommendations.write(recommendation, &mut self.accounts, &mut self.resources)?;
                }
            }
            Batch::Records(batch) => {
                for placed in batch {
                    self.records.write(placed, &mut self.accounts, &mut self.resources)?;
                }
            }
        }
        Ok(())
    }

    /// Makes tag keys available for grouping.
    pub fn tag_keys(&self, keys: &[String]) -> Result<(), StoreError> {
        for key in keys {
            let value = Value::Text(key.clone());
            if self.transaction.count(TAG_KEYS, &[eq("key", key)])? == 0 {
                self.transaction.insert(TAG_KEYS, &[("key", key.into())])?;
                self.journal.inserted(TAG_KEYS, value.clone())?;
            }
            self.journal.record_contained(TAG_KEYS, value)?;
        }
        Ok(())
    }

    /// Writes the data that is only known at the end.
    pub fn finish(mut self) -> Result<WriteSummary, StoreError> {
        self.resources.flush()?;
        let records = self.records.finish(&self.resources)?;
        self.journal.finish()?;
        let mut notes = Vec::new();
        notes.extend(self.accounts.note());
        notes.extend(self.recommendations.notes());
        notes.extend(records.notes.iter().cloned());
        Ok(WriteSummary {
            accounts: self.accounts.into_list(),
            sources: self.sources.into_list(),
            notes,
            records,
        })
    }
}
