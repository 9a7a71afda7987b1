//! The knowledge graph of a tenant, derived from stored rows: inventory, owner references, services and selectors, resources and services used
//! by pods, tags, and subjects of events.
//!
//! The part touched by an import or an undo is rebuilt in the same transaction; it is therefore not in the journal. A relation points from
//! what needs something to what is needed: an outage of a node affects every node with a path to it.

mod cloud;
mod cluster;
mod events;
mod plan;
mod relations;
mod scope;
mod tags;
mod write;

pub use events::add_new_events;
pub use scope::Scope;

use crate::write::cluster::PROVIDER;
use model::tables::cloud_accounts;
use model::{Cell, Read, row};
use plan::Plan;
use store::{StoreError, Transaction};
use uuid::Uuid;

row! { struct AccountRow from cloud_accounts { id, account_name, cloud_provider } }

/// Rebuilds the graph of the accounts in the scope, and their relations with others. `now` is in µs since 1970 UTC.
pub fn rebuild(rows: &Transaction<'_>, scope: &Scope, now: i64) -> Result<(), StoreError> {
    let Some(tenant) = rows.caller().tenant() else { return Ok(()) };
    let mut plan = Plan::default();
    let mut accounts: Vec<AccountRow> = rows.query::<AccountRow>().order(cloud_accounts::id.asc()).rows()?;
    // Cloud resources must be in the plan before the clusters that run on them.
    accounts.sort_by_key(is_cluster);
    let clouds: Vec<Uuid> = accounts
        .iter()
        .filter(|account| !is_cluster(account) && scope.contains(account.id.uuid()))
        .map(|account| account.id.uuid())
        .collect();
    for account in &accounts {
        let (id, name) = (account.id.uuid(), account.account_name.as_str());
        match (is_cluster(account), scope.contains(id)) {
            (true, true) => cluster::add(rows, id, name, &mut plan)?,
            (true, false) if !clouds.is_empty() => cluster::add_machines(rows, id, &clouds, &mut plan)?,
            (true, false) => {}
            (false, true) => cloud::add(rows, id, name, &mut plan)?,
            (false, false) => cloud::add_account(id, name, &mut plan),
        }
    }
    events::add(rows, tenant, scope, &mut plan)?;
    plan.remove_unused();
    write::synchronize(rows, tenant, scope, now, &plan)
}

fn is_cluster(account: &AccountRow) -> bool {
    account.cloud_provider.is_some_and(|provider| provider.into_value().as_text() == Some(PROVIDER))
}
