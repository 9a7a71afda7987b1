//! What is so now, looked for by rules: after imports, after somebody changed a budget, and every hour. Notices are raised, and workflows that listen for
//! them start.

use crate::notices::{ActiveCondition, Cause, Changes, active_conditions, delete_untried, raise};
use crate::workflows::engine;
use catalogue::Caller;
use graphql::Refusal;
use store::{Store, StoreError, Transaction, is_null};
use uuid::Uuid;

/// Tables whose rows may make or end a notice. (Charges change through imports, which call [`review`].)
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

/// Brings the notices of a tenant up to date. Blocks.
pub fn review(store: &Store, tenant: Uuid) -> Result<Changes, StoreError> {
    let house = Caller::house_for(tenant);
    // Looked for apart from writing: forecasts take their time, and nobody else could write meanwhile.
    let look = |rows: &Transaction<'_>| -> Result<(Vec<ActiveCondition>, u64), Refusal> {
        Ok((active_conditions(rows)?, rows.count("notice", &[is_null("ended_at")])?))
    };
    let (standing, open) = store.snapshot(&house, look).map_err(Refusal::into_error)?;
    if standing.is_empty() && open == 0 {
        return Ok(Changes::default());
    }
    let settle = |rows: &Transaction<'_>| -> Result<Changes, Refusal> {
        let rows = &rows.derived();
        let (changes, raised) = raise(rows, &standing)?;
        start_workflows(rows, tenant, &raised)?;
        Ok(changes)
    };
    store.transaction(&house, settle).map_err(Refusal::into_error)
}

/// The same after imports were taken back, at `since` or later: notices that ended with what they were about go, too, unless somebody was told of them.
pub fn review_undone(store: &Store, tenant: Uuid, since: i64) -> Result<Changes, StoreError> {
    let changes = review(store, tenant)?;
    let house = Caller::house_for(tenant);
    store.transaction(&house, |rows| delete_untried(rows, since)).map_err(Refusal::into_error)?;
    Ok(changes)
}

/// The same for all tenants, one after another. Blocks.
pub fn review_all(store: &Store) -> Result<Changes, StoreError> {
    let tenants = store.snapshot(&Caller::house(), |rows| rows.select("tenant", &["id"], &[]))?;
    let mut changes = Changes::default();
    for tenant in tenants.iter().flatten().filter_map(catalogue::Value::as_uuid) {
        let of_tenant = review(store, tenant)?;
        changes.raised += of_tenant.raised;
        changes.ended += of_tenant.ended;
    }
    Ok(changes)
}

/// What was just raised starts the workflows that listen for it.
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
