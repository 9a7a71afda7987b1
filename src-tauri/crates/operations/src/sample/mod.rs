//! The part of the sample data that does not come from files: users' configuration, and the history of the months before.
//!
//! Start at [`fill`]. Everything is written through the model's rows, so that hooks check it like users' changes. Times are relative to the
//! current day and ids derive from the tenant: the same day gives the same rows. The module `acting` ensures that none of it acts outside.

mod conversations;
mod funding;
mod knowledge;
mod pilots;
mod proofs;
mod reports;
mod shares;
mod watching;
mod workflows;

use crate::cost_anomalies;
use crate::spending::{TaggedCharges, allocate, tag};
use catalogue::Caller;
use graphql::Refusal;
use model::{CloudAccount, Id, Read as _, Timestamp, User, Workflow, Writer, row};
use std::collections::BTreeMap;
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// The UUID namespace of the ids.
const NAMESPACE: Uuid = Uuid::from_u128(0x9a41_c0de_5a3b_4f0e_8d17_2f6c_b0a4_e911);
const MINUTE: i64 = 60_000_000;
const DAY: i64 = 24 * 60 * MINUTE;

row! { struct Account from cloud_accounts { id, account_name } }
row! { struct StoredWorkflow from workflow { id } }

/// Fills the tenant of the sample data after its files are imported; returns whether anything was written. `person` is the user who loads it.
/// Blocks.
pub fn fill(store: &Store, tenant: Uuid, person: Uuid) -> Result<bool, StoreError> {
    let system = Caller::system_for(tenant);
    let is_filled = |rows: &Transaction<'_>| -> Result<bool, StoreError> {
        Ok(rows.query::<StoredWorkflow>().first()?.is_some())
    };
    if store.snapshot(&system, is_filled)? {
        return Ok(false);
    }
    let write = |rows: &Transaction<'_>| -> Result<(), Refusal> {
        let rows = rows.without_actor();
        let sample = Sample::read(&rows, tenant, person)?;
        knowledge::write(&sample)?;
        conversations::write(&sample)?;
        pilots::write(&sample)?;
        reports::write(&sample)?;
        shares::write(&sample)?;
        funding::write(&sample)?;
        watching::write(&sample)?;
        // Written last: their presence means that everything else is there.
        workflows::write(&sample)
    };
    let work = || -> Result<(), Refusal> {
        proofs::write(store, tenant, person)?;
        store.transaction(&system, write)
    };
    work().map_err(Refusal::into_error)?;
    tag(store, tenant, TaggedCharges::All)?;
    cost_anomalies::refresh(store, tenant)?;
    watching::judge(store, tenant, person).map_err(Refusal::into_error)?;
    allocate(store, tenant)?;
    Ok(true)
}

/// The context in which the sample data is written.
struct Sample<'a> {
    rows: &'a Transaction<'a>,
    tenant: Uuid,
    person: Id<User>,
    accounts: BTreeMap<String, Id<CloudAccount>>,
}

impl<'a> Sample<'a> {
    fn read(rows: &'a Transaction<'a>, tenant: Uuid, person: Uuid) -> Result<Self, Refusal> {
        let found = rows.query::<Account>().rows()?;
        let accounts = found.into_iter().map(|account| (account.account_name, account.id)).collect();
        Ok(Self { rows, tenant, person: Id::new(person), accounts })
    }

    fn writer(&self) -> Result<Writer<'a>, StoreError> {
        Writer::derived(self.rows)
    }

    /// An account or cluster from the imported files.
    fn account(&self, name: &str) -> Result<Id<CloudAccount>, Refusal> {
        let missing = || Refusal::not_found(format!("the files of the sample brought no account {name}"));
        self.accounts.get(name).copied().ok_or_else(missing)
    }

    /// The id of the row with that name.
    fn id<T>(&self, name: &str) -> Id<T> {
        Id::new(Uuid::new_v5(&NAMESPACE, format!("{}/{name}", self.tenant).as_bytes()))
    }

    /// The time this many minutes before the start of the current day.
    fn before(&self, minutes: i64) -> Timestamp {
        Timestamp(self.rows.now().div_euclid(DAY) * DAY - minutes * MINUTE)
    }
}

/// A time this many seconds later.
fn after(time: Timestamp, seconds: i64) -> Timestamp {
    Timestamp(time.0 + seconds * 1_000_000)
}

/// Parses a JSON document that is part of the program.
fn document(text: &str) -> Result<serde_json::Value, Refusal> {
    serde_json::from_str(text)
        .map_err(|error| Refusal::new("unexpected", format!("a part of the sample: {error}")))
}

fn workflow_id(sample: &Sample<'_>, name: &str) -> Id<Workflow> {
    sample.id(&format!("workflow {name}"))
}
