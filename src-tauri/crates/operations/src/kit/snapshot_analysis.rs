//! Long analyses without long locks: reads months of data in a snapshot while others write, then stores the result in a short transaction.
//!
//! Start at [`analyse_and_store`]. The [`DataState`] of the inputs shows whether they changed in between. A later change triggers its own run; an
//! earlier change must not be overwritten by a run that did not see it.

use catalogue::Caller;
use graphql::Refusal;
use model::tables::{allocation_rule, anomaly_feedback, imports, measured_due, virtual_tag_key};
use model::{Id, MeasuredDue, Read, count, row};
use store::{Store, Transaction};
use uuid::Uuid;

/// Attempts with a snapshot. After that, the analysis runs inside the write transaction, where nothing changes any more.
const ATTEMPTS: usize = 3;

/// States of imports that changed no data.
const NOTHING_WRITTEN: [&str; 6] =
    ["waiting", "running", "unchanged", "nothing_read", "needs_decision", "failed"];

row! { struct Import from imports { state } }
row! { struct WrittenTag from virtual_tag_key { key, version } }
row! {
    /// All columns on which the allocated shares depend.
    #[derive(Debug, PartialEq)]
    struct AllocationRule from allocation_rule {
        id, name, position, scope, method, target, shares, basis, number_name, is_active
    }
}
row! { struct FeedbackRow from anomaly_feedback { id } }

/// The state of all data that findings depend on.
#[derive(Debug, PartialEq)]
struct DataState {
    /// Imports by state, with the time of the newest: charges, clusters and measurements change only through imports.
    imports: Vec<(String, Option<i64>, i64)>,
    /// The last write of each virtual tag.
    tags: Vec<(String, Option<Uuid>)>,
    /// The last change of measurement rules that was not judged yet.
    rules: Option<Uuid>,
    /// All allocation rules in full, because two changes may have the same timestamp.
    allocation: Vec<AllocationRule>,
    /// Ids of users' verdicts on anomalies. A changed verdict is a new row.
    verdicts: Vec<Uuid>,
}

impl DataState {
    fn of(rows: &Transaction<'_>, tenant: Uuid) -> Result<Self, Refusal> {
        let mut written = rows.query::<Import>();
        for state in NOTHING_WRITTEN {
            written = written.filter(imports::state.ne(state));
        }
        let mut imports = written.group((imports::state.key(), imports::sequence.max(), count())).rows()?;
        imports.sort();
        let tags = rows.query::<WrittenTag>().order(virtual_tag_key::key.asc()).rows()?;
        let allocation = rows.query::<AllocationRule>().order(allocation_rule::id.asc()).rows()?;
        let verdicts = rows.query::<FeedbackRow>().order(anomaly_feedback::id.asc()).rows()?;
        Ok(Self {
            imports,
            tags: tags.into_iter().map(|tag| (tag.key, tag.version)).collect(),
            rules: rules_change(rows, tenant)?,
            allocation,
            verdicts: verdicts.into_iter().map(|verdict| verdict.id.uuid()).collect(),
        })
    }
}

/// The last change of a tenant's measurement rules that was not judged yet.
pub(crate) fn rules_change(rows: &Transaction<'_>, tenant: Uuid) -> Result<Option<Uuid>, Refusal> {
    let due = rows.query::<MeasuredDue>().filter(measured_due::tenant_id.eq(Id::new(tenant))).first()?;
    Ok(due.map(|due| due.change_id))
}

/// The result of reading a tenant's data, and the state of the data at that time.
pub(crate) struct SnapshotResult<T> {
    found: T,
    standing: DataState,
}

impl<T> SnapshotResult<T> {
    /// Reads in a snapshot of the tenant's rows. Blocks.
    pub fn read(
        store: &Store,
        tenant: Uuid,
        look: impl FnOnce(&Transaction<'_>) -> Result<T, Refusal>,
    ) -> Result<Self, Refusal> {
        store.snapshot(&Caller::system_for(tenant), |rows| {
            Ok(Self { standing: DataState::of(rows, tenant)?, found: look(rows)? })
        })
    }

    /// The result, if the data is unchanged. `rows` must be those of a write transaction, so that nothing else is written until it ends.
    pub fn if_unchanged(&self, rows: &Transaction<'_>, tenant: Uuid) -> Result<Option<&T>, Refusal> {
        Ok((DataState::of(rows, tenant)? == self.standing).then_some(&self.found))
    }
}

/// Reads a tenant's data and stores the result. Blocks.
pub(crate) fn analyse_and_store<T, O>(
    store: &Store,
    tenant: Uuid,
    look: impl Fn(&Transaction<'_>) -> Result<T, Refusal>,
    keep: impl Fn(&Transaction<'_>, &T) -> Result<O, Refusal>,
) -> Result<O, Refusal> {
    let system = Caller::system_for(tenant);
    for _ in 0..ATTEMPTS {
        let reading = SnapshotResult::read(store, tenant, &look)?;
        let kept = store.transaction(&system, |rows| -> Result<Option<O>, Refusal> {
            reading.if_unchanged(rows, tenant)?.map(|found| keep(rows, found)).transpose()
        })?;
        if let Some(outcome) = kept {
            return Ok(outcome);
        }
    }
    store.transaction(&system, |rows| keep(rows, &look(rows)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::time::Duration;
    use store::StoreError;

    const TENANT: Uuid = Uuid::from_u128(0xa);
    const PERSON: Uuid = Uuid::from_u128(0xa0);

    /// A store with one tenant, and how often its imports were counted.
    struct House {
        store: Store,
        looks: Cell<u128>,
        _folder: tempfile::TempDir,
    }

    fn house() -> House {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("house.db"), testkit::product::catalogue()).unwrap();
        let fill = |rows: &Transaction<'_>| -> Result<(), StoreError> {
            rows.insert(
                "users",
                &[
                    ("id", PERSON.into()),
                    ("username", "ada@example.com".into()),
                    ("display_name", "Ada".into()),
                    ("status", "active".into()),
                ],
            )?;
            rows.insert(
                "tenant",
                &[
                    ("id", TENANT.into()),
                    ("name", "house".into()),
                    ("created_by", PERSON.into()),
                    ("updated_by", PERSON.into()),
                ],
            )
        };
        store.transaction(&Caller::system(), fill).unwrap();
        House { store, looks: Cell::new(0), _folder: folder }
    }

    impl House {
        /// Adds a finished import; fails immediately if another transaction is writing.
        fn import(&self, state: &str) -> Result<(), StoreError> {
            let row = [
                ("id", Uuid::from_u128(0x100 + self.looks.get()).into()),
                ("file_name", "bill.csv".into()),
                ("size_bytes", 7_i64.into()),
                ("sha256", "ab".into()),
                ("format", "focus".into()),
                ("state", state.into()),
            ];
            let system = Caller::system_for(TENANT);
            self.store.transaction_within(&system, Duration::ZERO, |rows| rows.insert("imports", &row))
        }

        /// Counts the imports, then runs `meanwhile`.
        fn look(&self, rows: &Transaction<'_>, meanwhile: impl Fn(&Self)) -> Result<u64, Refusal> {
            self.looks.set(self.looks.get() + 1);
            let found = rows.query::<Import>().count()?;
            meanwhile(self);
            Ok(found)
        }

        /// The stored result, and how often it was read.
        fn kept(&self, meanwhile: impl Fn(&Self)) -> (u64, u128) {
            let look = |rows: &Transaction<'_>| self.look(rows, &meanwhile);
            let kept = analyse_and_store(&self.store, TENANT, look, |_, found| Ok(*found)).unwrap();
            (kept, self.looks.get())
        }
    }

    #[test]
    fn others_write_while_it_is_read_and_what_they_have_brought_is_read_as_well() {
        let come_once = |house: &House| {
            if house.looks.get() == 1 {
                house.import("done").unwrap();
            }
        };
        assert_eq!(house().kept(come_once), (1, 2));
    }

    #[test]
    fn what_has_changed_nothing_is_no_reason_to_read_anew() {
        assert_eq!(house().kept(|house| house.import("unchanged").unwrap()), (0, 1));
    }

    #[test]
    fn where_something_comes_each_time_it_is_read_where_nothing_can_come() {
        let (house, late) = (house(), Cell::new(0));
        let come = |house: &House| late.set(late.get() + u8::from(house.import("done").is_err()));
        assert_eq!(house.kept(come), (3, 4));
        assert_eq!(late.get(), 1, "in the transaction nobody else writes");
    }

    #[test]
    fn a_reading_is_no_longer_current_once_tags_verdicts_or_rules_of_allocation_are_written() {
        let house = house();
        let as_house = Caller::system_for(TENANT);
        let is_current = |change: &dyn Fn(&Transaction<'_>) -> Result<(), StoreError>| {
            let reading = SnapshotResult::read(&house.store, TENANT, |_| Ok(())).unwrap();
            house.store.transaction(&as_house, change).unwrap();
            house
                .store
                .snapshot(&as_house, |rows| reading.if_unchanged(rows, TENANT).map(|found| found.is_some()))
                .unwrap()
        };
        assert!(is_current(&|_| Ok(())));
        let tag = |rows: &Transaction<'_>| {
            let row = [
                ("key", "team".into()),
                ("written", catalogue::ValueRef::Json("[]")),
                ("version", Uuid::from_u128(1).into()),
            ];
            rows.insert("virtual_tag_key", &row)
        };
        assert!(!is_current(&tag));
        let again = |rows: &Transaction<'_>| {
            rows.update("virtual_tag_key", &[], &[("version", Uuid::from_u128(2).into())]).map(drop)
        };
        assert!(!is_current(&again));
        let verdict = |rows: &Transaction<'_>| {
            let day = catalogue::ValueRef::Date(20_000);
            let row = [
                ("anomaly_id", PERSON.into()),
                ("account_id", PERSON.into()),
                ("scope", "total".into()),
                ("name", "EC2".into()),
                ("currency", "USD".into()),
                ("started_on", day),
                ("verdict", "useful".into()),
                ("created_by", PERSON.into()),
            ];
            rows.insert("anomaly_feedback", &row)
        };
        assert!(!is_current(&verdict));
        let rule = |rows: &Transaction<'_>| {
            let scope = catalogue::ValueRef::Json(r#"{"service_name": ["Support"]}"#);
            let shares = catalogue::ValueRef::Json(r#"{"web": 60, "data": 40}"#);
            let method = ("method", "fixed".into());
            rows.insert(
                "allocation_rule",
                &[("name", "Support".into()), ("scope", scope), method, ("shares", shares)],
            )
        };
        assert!(!is_current(&rule));
        let other_shares = |rows: &Transaction<'_>| {
            let shares = catalogue::ValueRef::Json(r#"{"web": 50, "data": 50}"#);
            rows.update("allocation_rule", &[], &[("shares", shares)]).map(drop)
        };
        assert!(!is_current(&other_shares));
        assert!(!is_current(&|rows| rows.delete("allocation_rule", &[]).map(drop)));
    }
}
