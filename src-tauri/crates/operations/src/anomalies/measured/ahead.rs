//! Rules judged before the transaction that keeps what they find: measurements of months are read while others write.

use super::{RuleFindings, judge};
use crate::anomalies::costs::{DAY, kept};
use catalogue::Caller;
use graphql::Refusal;
use model::tables::{imports, measured_due};
use model::{Id, MeasuredDue, Read, count, row};
use store::{Store, Transaction};
use uuid::Uuid;

row! { struct Import from imports { state } }

/// What was judged, and how everything stood then that it follows from.
pub(in crate::anomalies) struct Ahead {
    judged: RuleFindings,
    standing: Standing,
}

/// The rules and the imports of a tenant: the last change of the rules that is not judged yet, and imports by state, with the newest of each.
#[derive(PartialEq, Eq)]
struct Standing {
    change: Option<Uuid>,
    imports: Vec<(String, Option<i64>, i64)>,
}

impl Standing {
    fn of(rows: &Transaction<'_>, tenant: Uuid) -> Result<Self, Refusal> {
        let due = rows.query::<MeasuredDue>().filter(measured_due::tenant_id.eq(Id::new(tenant))).first()?;
        let by_state = rows.query::<Import>().group((imports::state.key(), imports::sequence.max(), count()));
        let mut imports = by_state.rows()?;
        imports.sort();
        Ok(Self { change: due.map(|due| due.change_id), imports })
    }
}

impl Ahead {
    /// Judges the rules of a tenant by everything up to today.
    pub fn of(store: &Store, tenant: Uuid) -> Result<Self, Refusal> {
        store.snapshot(&Caller::house_for(tenant), |rows| {
            let standing = Standing::of(rows, tenant)?;
            let today = i32::try_from(rows.now().div_euclid(DAY)).unwrap_or(i32::MAX);
            Ok(Self { judged: judge(rows, &kept::feedback(rows)?, today)?, standing })
        })
    }

    /// What was judged, while nothing has changed that it follows from.
    pub fn current(self, rows: &Transaction<'_>, tenant: Uuid) -> Result<Option<RuleFindings>, Refusal> {
        Ok((Standing::of(rows, tenant)? == self.standing).then_some(self.judged))
    }

    /// The change of the rules that it heeds.
    pub fn change(&self) -> Option<Uuid> {
        self.standing.change
    }
}
