//! Authorises model setup and writes its audit entries.

use super::SetupError;
use crate::kit::{Line, write_line};
use auth::{Person, tenancy};
use catalogue::{Caller, Role};
use graphql::{PreTransactionCall, Refusal};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use store::{Store, StoreError, eq};
use uuid::Uuid;

/// The error message for all other callers.
pub const NOT_YOURS: &str =
    "This belongs to the whole service: only administrators of its first tenant see and change it";

/// Whether a user with these roles in `tenant` is a platform administrator; `home` is the home tenant.
pub fn is_platform_admin(home: Uuid, tenant: Uuid, roles: &[Role]) -> bool {
    tenant == home && roles.contains(&Role::TenantAdmin)
}

/// A platform administrator, or the command line on the service's machine.
#[derive(Clone)]
pub struct PlatformAdmin {
    store: Store,
    /// The tenant whose audit trail records the changes.
    tenant: Uuid,
    /// `None` on the command line.
    person: Option<Uuid>,
    /// The display name.
    pub name: String,
    /// µs since 1970 UTC.
    pub now: i64,
}

impl PlatformAdmin {
    /// A platform administrator. The caller must have checked [`is_platform_admin`].
    pub fn person(store: &Store, person: &Person, now: i64) -> Self {
        let name = if person.name.is_empty() { &person.email } else { &person.name };
        let (store, tenant) = (store.clone(), person.tenant);
        Self { store, tenant, person: Some(person.user), name: name.clone(), now }
    }

    /// The command line on the service's machine; `home` is the home tenant.
    pub fn machine(store: &Store, home: Uuid, now: i64) -> Self {
        let name = "the command line".to_owned();
        Self { store: store.clone(), tenant: home, person: None, name, now }
    }

    /// Whether this is the command line on the service's machine.
    pub(super) fn is_machine(&self) -> bool {
        self.person.is_none()
    }

    /// The caller of a root field.
    ///
    /// # Errors
    /// The caller is not a platform administrator.
    pub(super) fn of(ahead: &PreTransactionCall<'_>) -> Result<Self, Refusal> {
        let store = ahead.engine.store();
        let denied = || Refusal::new("permission-error", NOT_YOURS);
        let (Some(tenant), Some(user)) = (ahead.caller.tenant(), ahead.caller.user) else {
            return Err(denied());
        };
        let home =
            tenancy::find(store, None).map_err(|error| Refusal::new("unexpected", error.to_string()))?;
        if !is_platform_admin(home.id, tenant, &ahead.caller.roles) {
            return Err(denied());
        }
        let (found, now) = store.snapshot(&Caller::system(), |rows| {
            let found = rows.select("users", &["display_name", "username"], &[eq("id", user)])?;
            Ok::<_, StoreError>((found, rows.now()))
        })?;
        let names = found.iter().flatten().filter_map(|cell| cell.as_text());
        let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default().to_owned();
        Ok(Self { store: store.clone(), tenant, person: Some(user), name, now })
    }

    /// Writes an audit entry for a change to a row, in the service's home tenant.
    pub(super) fn note(&self, operation: &str, done: &AdminChange) -> Result<(), SetupError> {
        let line = Line {
            person: self.person,
            at: self.now,
            table: done.table,
            key: &done.key,
            change: done.change,
            operation,
            before: done.before.as_ref(),
            after: done.after.as_ref(),
        };
        let system = Caller::system_for(self.tenant);
        Ok(self.store.transaction::<_, StoreError>(&system, |rows| write_line(rows, &line))?)
    }

    /// Writes an audit entry with the differences between `before` and `after`. Writes nothing if they are equal.
    pub(super) fn note_difference(
        &self,
        operation: &str,
        (table, key): (&'static str, Value),
        mut before: Map<String, Value>,
        mut after: Map<String, Value>,
    ) -> Result<(), SetupError> {
        let is_same = |name: &String| before.get(name) == after.get(name);
        let changed: BTreeSet<String> =
            before.keys().chain(after.keys()).filter(|name| !is_same(name)).cloned().collect();
        if changed.is_empty() {
            return Ok(());
        }
        let change = match (before.is_empty(), after.is_empty()) {
            (true, _) => "insert",
            (_, true) => "delete",
            _ => "update",
        };
        before.retain(|name, _| changed.contains(name));
        after.retain(|name, _| changed.contains(name));
        let (before, after) = (some(before), some(after));
        self.note(operation, &AdminChange { table, key, change, before, after })
    }
}

fn some(values: Map<String, Value>) -> Option<Value> {
    (!values.is_empty()).then_some(Value::Object(values))
}

/// A change to a row, without secrets.
pub(super) struct AdminChange {
    pub table: &'static str,
    pub key: Value,
    /// `insert`, `update` or `delete`.
    pub change: &'static str,
    pub before: Option<Value>,
    pub after: Option<Value>,
}
