//! Judges changed rules after the change is committed. The pending work is stored in the change's own transaction, so a process killed in between
//! loses nothing.

use super::{RuleFindings, judge};
use crate::anomalies::costs::{DAY, sync};
use crate::kit;
use catalogue::Caller;
use graphql::Refusal;
use model::tables::measured_due;
use model::{Id, MeasuredDue, Read, Writer};
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// Records, in the transaction that changes the rules, that a tenant's rules have to be judged again.
pub(super) fn leave(rows: &Transaction<'_>, tenant: Uuid) -> Result<(), StoreError> {
    let system = Caller::system_for(tenant);
    let acting = rows.as_caller(&system);
    let derived = acting.without_actor();
    let row = [measured_due::tenant_id.to(Id::new(tenant)), measured_due::change_id.to(Uuid::new_v4())];
    Writer::derived(&derived)?.upsert(&["tenant_id"], row, &[])
}

/// Judges the rules of every tenant with pending changes and returns the number of tenants. Blocks the thread.
pub fn judge_pending(store: &Store) -> Result<usize, StoreError> {
    let due = store.snapshot(&Caller::system(), |rows| rows.query::<MeasuredDue>().rows())?;
    let judged = due.iter().map(|due| judge_of(store, due.tenant_id.uuid()));
    // A tenant whose rules fail does not stop the others.
    let (done, failed): (Vec<_>, Vec<_>) = judged.partition(Result::is_ok);
    match failed.into_iter().find_map(Result::err) {
        Some(error) => Err(error.into_error()),
        None => Ok(done.len()),
    }
}

/// Judges the rules of a tenant after events arrived; does not read bills. Blocks the thread.
pub fn judge_rules(store: &Store, tenant: Uuid) -> Result<(), StoreError> {
    let kept = kit::analyse_and_store(store, tenant, look, |rows, judged| {
        judged.keep(&rows.without_actor()).map(drop)
    });
    kept.map_err(Refusal::into_error)
}

fn look(rows: &Transaction<'_>) -> Result<RuleFindings, Refusal> {
    let today = i32::try_from(rows.now().div_euclid(DAY)).unwrap_or(i32::MAX);
    judge(rows, &sync::feedback(rows)?, today)
}

fn judge_of(store: &Store, tenant: Uuid) -> Result<(), Refusal> {
    let look_if_due = |rows: &Transaction<'_>| -> Result<Option<(Uuid, RuleFindings)>, Refusal> {
        let Some(change) = kit::rules_change(rows, tenant)? else { return Ok(None) };
        Ok(Some((change, look(rows)?)))
    };
    kit::analyse_and_store(store, tenant, look_if_due, |rows, found| {
        let Some((change, judged)) = found else { return Ok(()) };
        let rows = rows.without_actor();
        judged.keep(&rows)?;
        let same = measured_due::tenant_id.eq(Id::new(tenant)).and(measured_due::change_id.eq(*change));
        Writer::derived(&rows)?.delete(same)?;
        Ok(())
    })
}
