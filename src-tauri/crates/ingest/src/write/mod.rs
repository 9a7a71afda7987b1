//! Records to rows, inside one transaction.

mod accounts;
pub mod imports;
mod recommendations;
mod resources;
mod sources;
mod spends;

pub use sources::Conflict;

use crate::Delivery;
use crate::formats::Batch;
use crate::report::{Account, Replaced};
use accounts::Accounts;
use recommendations::Recommendations;
use resources::Resources;
use sources::Sources;
use spends::Spends;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// What every part of writing needs to know.
#[derive(Debug, Clone, Copy)]
pub struct Job {
    pub tenant: Uuid,
    pub import: Uuid,
    /// Who asked for the import; nobody on the command line.
    pub user: Option<Uuid>,
    /// Whom new accounts are created by.
    pub owner: Uuid,
    /// µs since 1970 UTC.
    pub now: i64,
}

/// Writes the batches of one import.
pub struct Writer<'a> {
    transaction: &'a Transaction<'a>,
    accounts: Accounts<'a>,
    resources: Resources<'a>,
    sources: Sources<'a>,
    spends: Spends<'a>,
    recommendations: Recommendations<'a>,
}

/// What writing has shown.
#[derive(Debug)]
pub struct Written {
    pub accounts: Vec<Account>,
    pub replaced: Option<Replaced>,
    pub notes: Vec<String>,
}

impl<'a> Writer<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job) -> Result<Self, StoreError> {
        Ok(Self {
            transaction,
            accounts: Accounts::new(transaction, job),
            resources: Resources::new(transaction, job)?,
            sources: Sources::new(transaction, job),
            spends: Spends::new(transaction, job)?,
            recommendations: Recommendations::new(transaction, job),
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
        }
        Ok(())
    }

    /// Offers tag keys for grouping.
    pub fn tag_keys(&self, keys: &[String]) -> Result<(), StoreError> {
        for key in keys {
            self.transaction.upsert("spend_tag_keys", &["tenant", "key"], &[("key", key.into())], &[])?;
        }
        Ok(())
    }

    /// Writes what could only be known at the end, and takes out what this import replaces.
    pub fn finish(mut self, delivery: &Delivery, file: &str) -> Result<Written, StoreError> {
        self.resources.flush()?;
        let mut notes = Vec::new();
        let replaced = self.sources.settle(delivery, file, &mut notes)?;
        notes.extend(self.accounts.note());
        notes.extend(self.recommendations.notes());
        Ok(Written { accounts: self.accounts.met(), replaced, notes })
    }
}
