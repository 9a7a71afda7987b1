//! Rules that have changed are judged after the change. That it is to be done stands in the database beside the change, so that a process that is killed in between
//! leaves nothing undone.

use super::{RuleFindings, judge};
use crate::anomalies::costs::{DAY, kept};
use crate::kit;
use catalogue::Caller;
use graphql::Refusal;
use model::tables::measured_due;
use model::{Id, MeasuredDue, Read, Writer};
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// Writes down that rules of a tenant have changed, in the transaction that changes them.
pub(super) fn leave(rows: &Transaction<'_>, tenant: Uuid) -> Result<(), StoreError> {
    let house = Caller::house_for(tenant);
    let acting = rows.acting_as(&house);
    let derived = acting.derived();
    let row = [measured_due::tenant_id.to(Id::new(tenant)), measured_due::change_id.to(Uuid::new_v4())];
    Writer::derived(&derived)?.upsert(&["tenant_id"], row, &[])
}

/// Judges what rules watch that have changed since it was judged, tenant by tenant; of how many that was. Blocks the thread.
pub fn judge_due(store: &Store) -> Result<usize, StoreError> {
    let due = store.snapshot(&Caller::house(), |rows| rows.query::<MeasuredDue>().rows())?;
    let judged = due.iter().map(|due| judge_of(store, due.tenant_id.uuid()));
    // One tenant whose rules cannot be judged keeps no other from it.
    let (done, failed): (Vec<_>, Vec<_>) = judged.partition(Result::is_ok);
    match failed.into_iter().find_map(Result::err) {
        Some(error) => Err(error.into_error()),
        None => Ok(done.len()),
    }
}

fn judge_of(store: &Store, tenant: Uuid) -> Result<(), Refusal> {
    let look = |rows: &Transaction<'_>| -> Result<Option<(Uuid, RuleFindings)>, Refusal> {
        let Some(change) = kit::rules_change(rows, tenant)? else { return Ok(None) };
        let today = i32::try_from(rows.now().div_euclid(DAY)).unwrap_or(i32::MAX);
        Ok(Some((change, judge(rows, &kept::feedback(rows)?, today)?)))
    };
    kit::read_and_keep(store, tenant, look, |rows, found| {
        let Some((change, judged)) = found else { return Ok(()) };
        let rows = rows.derived();
        judged.keep(&rows)?;
        let same = measured_due::tenant_id.eq(Id::new(tenant)).and(measured_due::change_id.eq(*change));
        Writer::derived(&rows)?.delete(same)?;
        Ok(())
    })
}
