//! Checks the current state by rules: after imports, after a user changed a budget, and every hour. Raises notices and starts the workflows that
//! are triggered by them.

use crate::notices::{ActiveCondition, Cause, Changes, active_conditions, delete_untried, raise};
use crate::workflows::engine;
use catalogue::Caller;
use graphql::Refusal;
use store::{Store, StoreError, Transaction, is_null};
use uuid::Uuid;

/// Tables whose rows may start or end a notice. (Charges change through imports, which call [`review`].)
pub const REVIEWED: [&str; 13] = [
    "anomaly",
    "budget",
    "business_unit",
    "businessunit_funding",
    "cloud_accounts",
    "funding_sources",
    "insight",
    "project_accounts",
    "project_cloud_resources",
    "project_fundings",
    "projects",
    "recommendation",
    "workflow_wait",
];

/// Updates the notices of a tenant. Blocks.
pub fn review(store: &Store, tenant: Uuid) -> Result<Changes, StoreError> {
    let system = Caller::system_for(tenant);
    // Read outside the write transaction: forecasts are slow and would block other writers.
    let look = |rows: &Transaction<'_>| -> Result<(Vec<ActiveCondition>, u64), Refusal> {
        Ok((active_conditions(rows)?, rows.count("notice", &[is_null("ended_at")])?))
    };
    let (standing, open) = store.snapshot(&system, look).map_err(Refusal::into_error)?;
    if standing.is_empty() && open == 0 {
        return Ok(Changes::default());
    }
    let settle = |rows: &Transaction<'_>| -> Result<Changes, Refusal> {
        let rows = &rows.without_actor();
        let (changes, raised) = raise(rows, &standing)?;
        start_workflows(rows, tenant, &raised)?;
        Ok(changes)
    };
    store.transaction(&system, settle).map_err(Refusal::into_error)
}

/// Like [`review`], after imports were undone at `since` (µs since 1970 UTC) or later. Also deletes the notices that ended since then, unless a
/// delivery was attempted. Blocks.
pub fn review_undone(store: &Store, tenant: Uuid, since: i64) -> Result<Changes, StoreError> {
    let changes = review(store, tenant)?;
    let system = Caller::system_for(tenant);
    store.transaction(&system, |rows| delete_untried(rows, since)).map_err(Refusal::into_error)?;
    Ok(changes)
}

/// Like [`review`], for all tenants in turn. Blocks.
pub fn review_all(store: &Store) -> Result<Changes, StoreError> {
    let tenants = store.snapshot(&Caller::system(), |rows| rows.select("tenant", &["id"], &[]))?;
    let mut changes = Changes::default();
    for tenant in tenants.iter().flatten().filter_map(catalogue::Value::as_uuid) {
        let of_tenant = review(store, tenant)?;
        changes.raised += of_tenant.raised;
        changes.ended += of_tenant.ended;
    }
    Ok(changes)
}

/// Starts the workflows that are triggered by the new notices.
fn start_workflows(rows: &Transaction<'_>, tenant: Uuid, raised: &[&ActiveCondition]) -> Result<(), Refusal> {
    let (mut anomalies, mut budgets) = (Vec::new(), Vec::new());
    for one in raised {
        match &one.cause {
            Cause::Other => {}
            Cause::Anomaly(id) => anomalies.push(*id),
            Cause::Budget { account, threshold } => budgets.push(engine::CrossedBudget {
                tenant,
                account: *account,
                key: one.key.clone(),
                row: threshold.clone(),
            }),
        }
    }
    if !anomalies.is_empty() {
        engine::anomalies_raised(rows, &anomalies)?;
    }
    if budgets.is_empty() { Ok(()) } else { engine::budgets_crossed(rows, budgets) }
}
