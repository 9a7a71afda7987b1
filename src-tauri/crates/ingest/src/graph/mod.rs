//! The graph of a tenant's things, derived from the rows that are there: inventory, owner references, services and selectors,
//! what pods use and call, tags, subjects of events.
//!
//! It is made anew after each import and each undo, in the same transaction, so no journal holds it. A relation points from what
//! needs something to what it needs: an outage of a thing touches whatever has a path to it.

mod cloud;
mod cluster;
mod events;
mod plan;
mod relations;
mod tags;
mod write;

pub use events::arrived;

use crate::write::cluster::PROVIDER;
use model::tables::cloud_accounts;
use model::{Cell, Read, row};
use plan::Plan;
use store::{StoreError, Transaction};

row! { struct AccountRow from cloud_accounts { id, account_name, cloud_provider } }

/// Makes the graph of the caller's tenant anew, as far as the caller's rows go. `now` is in µs since 1970 UTC.
pub fn renew(rows: &Transaction<'_>, now: i64) -> Result<(), StoreError> {
    let Some(tenant) = rows.caller().tenant() else { return Ok(()) };
    let mut plan = Plan::default();
    let mut accounts: Vec<AccountRow> = rows.query::<AccountRow>().order(cloud_accounts::id.asc()).rows()?;
    // What is in the clouds is known before the clusters that run on it.
    accounts.sort_by_key(is_cluster);
    for account in &accounts {
        let (id, name) = (account.id.uuid(), account.account_name.as_str());
        if is_cluster(account) {
            cluster::add(rows, id, name, &mut plan)?;
        } else {
            cloud::add(rows, id, name, &mut plan)?;
        }
    }
    for account in &accounts {
        events::add(rows, account.id.uuid(), &mut plan)?;
    }
    plan.leave_out_unused();
    write::bring_up_to_date(rows, tenant, now, &plan)
}

fn is_cluster(account: &AccountRow) -> bool {
    account.cloud_provider.is_some_and(|provider| provider.into_value().as_text() == Some(PROVIDER))
}
