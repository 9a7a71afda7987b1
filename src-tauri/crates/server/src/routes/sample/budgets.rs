//! Budgets of the sample data. They are created directly, since no imported file contains budgets.

use catalogue::Caller;
use model::tables::budget;
use model::{Budget, Decimal, Json, Read as _, Writer};
use serde_json::{Value, json};
use store::{Store, StoreError};
use uuid::Uuid;

/// Creates the budgets of a tenant that has none.
pub(super) fn set(store: &Store, tenant: Uuid) -> Result<(), StoreError> {
    store.transaction(&Caller::system_for(tenant), |rows| {
        if rows.query::<Budget>().count()? > 0 {
            return Ok(());
        }
        let rows = rows.without_actor();
        let writer = Writer::derived(&rows)?;
        for (name, scope, amount) in budgets() {
            writer.insert([
                budget::name.to(name),
                budget::scope.to(Json::from(&scope)),
                budget::amount.to(Decimal::from(amount)),
            ])?;
        }
        Ok(())
    })
}

/// Name, scope and monthly amount in US dollars: one budget that is met, and two that are exceeded.
fn budgets() -> [(&'static str, Value, i64); 3] {
    [
        ("All clouds", json!({}), 40_000),
        ("Google Cloud", json!({ "provider_name": ["Google Cloud"] }), 7_500),
        ("Team shop", json!({ "tags.team": ["shop"] }), 17_000),
    ]
}
