//! Dry runs: a sign-in through the real provider with settings that need not be saved.
//!
//! It signs nobody in.

use super::report::Report;
use crate::SECOND;
use crate::saml::settings::{SettingValues, Settings};
use crate::secret::new_id;
use catalogue::{Caller, ValueRef};
use model::tables::saml_test;
use model::{Read as _, SamlTest};
use rand::CryptoRng;
use store::{Store, StoreError, Transaction, eq, lt};
use uuid::Uuid;

/// How long a dry run waits for its response: ten minutes, in µs.
const PATIENCE: i64 = 600 * SECOND;
/// How long the report of a dry run is stored: thirty days, in µs.
const KEPT: i64 = 30 * 86_400 * SECOND;

/// One dry run.
#[derive(Debug, Clone)]
pub struct Trial {
    pub id: Uuid,
    pub begun_by: Uuid,
    pub values: SettingValues,
    pub values_hash: String,
    pub created_at: i64,
    pub passed: Option<bool>,
    /// The report, as JSON.
    pub report: Option<String>,
}

impl Trial {
    /// `waiting`, `done` or `expired`.
    pub fn state(&self, now: i64) -> &'static str {
        match self.passed {
            Some(_) => "done",
            None if self.created_at + PATIENCE <= now => "expired",
            None => "waiting",
        }
    }
}

/// Starts a dry run with these settings.
pub fn create(
    store: &Store,
    settings: &Settings,
    by: Uuid,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<Uuid, StoreError> {
    let id = new_id(rng);
    let values = serde_json::to_string(&settings.values()).expect("texts by name are JSON");
    store.transaction(&Caller::system(), |rows| {
        rows.delete("saml_test", &[lt("created_at", ValueRef::Timestamp(now - KEPT))])?;
        rows.insert(
            "saml_test",
            &[
                ("id", id.into()),
                ("begun_by", by.into()),
                ("given_values", ValueRef::Json(&values)),
                ("values_hash", settings.deciding_hash().as_str().into()),
                ("created_at", ValueRef::Timestamp(now)),
            ],
        )?;
        Ok(id)
    })
}

/// `None` if the stored settings are no longer readable.
fn trial(row: SamlTest) -> Option<Trial> {
    Some(Trial {
        id: row.id.uuid(),
        begun_by: row.begun_by.uuid(),
        values: row.given_values.parse().ok()?,
        values_hash: row.values_hash,
        created_at: row.created_at.micros(),
        passed: row.passed,
        report: row.report.map(|report| report.text().to_owned()),
    })
}

pub fn find(store: &Store, id: Uuid) -> Result<Option<Trial>, StoreError> {
    let found = store.snapshot(&Caller::system(), |rows| rows.find::<SamlTest>(id))?;
    Ok(found.and_then(trial))
}

/// Of the completed dry runs, the one started last.
pub fn last(rows: &Transaction<'_>) -> Result<Option<Trial>, StoreError> {
    let ended = rows.query::<SamlTest>().filter(saml_test::passed.is_not_null());
    Ok(ended.order(saml_test::created_at.desc()).first()?.and_then(trial))
}

/// Whether a dry run with the same deciding settings ever succeeded.
pub fn has_passed(rows: &Transaction<'_>, settings: &Settings) -> Result<bool, StoreError> {
    let hash = settings.deciding_hash();
    Ok(rows.count("saml_test", &[eq("values_hash", hash.as_str()), eq("passed", true)])? > 0)
}

/// Stores the report of a dry run.
pub fn end(store: &Store, id: Uuid, report: &Report, now: i64) -> Result<(), StoreError> {
    let passed = report.verdict == "signed_in";
    let json = serde_json::to_string(report).expect("a report is texts and numbers");
    store.transaction(&Caller::system(), |rows| {
        rows.update(
            "saml_test",
            &[eq("id", id)],
            &[
                ("passed", passed.into()),
                ("report", ValueRef::Json(&json)),
                ("finished_at", ValueRef::Timestamp(now)),
            ],
        )?;
        Ok(())
    })
}
