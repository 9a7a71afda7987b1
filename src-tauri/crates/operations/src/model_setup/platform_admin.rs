//! Who sets models up, and what is written down of it.

use super::SetupError;
use crate::kit::{Line, write_line};
use auth::{Person, household};
use catalogue::{Caller, Role};
use graphql::{Ahead, Refusal};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use store::{Store, StoreError, eq};
use uuid::Uuid;

/// What everybody else is told, at every door.
pub const NOT_YOURS: &str =
    "This belongs to the whole service: only administrators of its first tenant see and change it";

/// Whether somebody with these roles in a tenant is an administrator of the service, whose first tenant is `home`.
pub fn is_platform_admin(home: Uuid, tenant: Uuid, roles: &[Role]) -> bool {
    tenant == home && roles.contains(&Role::TenantAdmin)
}

/// An administrator of the service, or whoever has its machine.
#[derive(Clone)]
pub struct PlatformAdmin {
    store: Store,
    /// Whose audit trail says what was done.
    tenant: Uuid,
    /// None on the command line.
    person: Option<Uuid>,
    /// As people call them.
    pub name: String,
    /// µs since 1970 UTC.
    pub now: i64,
}

impl PlatformAdmin {
    /// A person who is an administrator: whoever calls this has looked at [`is_platform_admin`].
    pub fn person(store: &Store, person: &Person, now: i64) -> Self {
        let name = if person.name.is_empty() { &person.email } else { &person.name };
        let (store, tenant) = (store.clone(), person.tenant);
        Self { store, tenant, person: Some(person.user), name: name.clone(), now }
    }

    /// Whoever has the machine of the service, whose first tenant is `home`.
    pub fn machine(store: &Store, home: Uuid, now: i64) -> Self {
        let name = "the command line".to_owned();
        Self { store: store.clone(), tenant: home, person: None, name, now }
    }

    /// Whether this is somebody at the machine of the service.
    pub(super) fn is_machine(&self) -> bool {
        self.person.is_none()
    }

    /// Whoever calls a root field, if they are an administrator.
    pub(super) fn of(ahead: &Ahead<'_>) -> Result<Self, Refusal> {
        let store = ahead.engine.store();
        let denied = || Refusal::new("permission-error", NOT_YOURS);
        let (Some(tenant), Some(user)) = (ahead.caller.tenant(), ahead.caller.user) else {
            return Err(denied());
        };
        let home =
            household::find(store, None).map_err(|error| Refusal::new("unexpected", error.to_string()))?;
        if !is_platform_admin(home.id, tenant, &ahead.caller.roles) {
            return Err(denied());
        }
        let (found, now) = store.snapshot(&Caller::house(), |rows| {
            let found = rows.select("users", &["display_name", "username"], &[eq("id", user)])?;
            Ok::<_, StoreError>((found, rows.now()))
        })?;
        let names = found.iter().flatten().filter_map(|cell| cell.as_text());
        let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default().to_owned();
        Ok(Self { store: store.clone(), tenant, person: Some(user), name, now })
    }

    /// Writes down what was done to a row, in the audit trail of the service's tenant.
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
        let house = Caller::house_for(self.tenant);
        Ok(self.store.transaction::<_, StoreError>(&house, |rows| write_line(rows, &line))?)
    }

    /// The same for a row of which something may have changed: what did, before and after. Nothing where nothing did.
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

/// What was done to a row, without secrets.
pub(super) struct AdminChange {
    pub table: &'static str,
    pub key: Value,
    /// `insert`, `update` or `delete`.
    pub change: &'static str,
    pub before: Option<Value>,
    pub after: Option<Value>,
}
