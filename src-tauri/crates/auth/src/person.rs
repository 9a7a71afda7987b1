//! Who somebody is in one tenant: name, roles, accounts. Read afresh for every request, so that a suspended user or a
//! changed role takes effect at once.

use crate::SignInError;
use crate::user::check_active;
use catalogue::{Caller, Places, Role, Value};
use store::{Store, StoreError, Transaction, eq};
use uuid::Uuid;

/// An active user in one tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub user: Uuid,
    pub email: String,
    pub name: String,
    pub tenant: Uuid,
    pub tenant_name: String,
    /// Strongest first, never empty: who has none has the marker [`Role::TenantUsage`].
    pub roles: Vec<Role>,
    pub accounts: Accounts,
}

/// The parts of a tenant a person has roles in. Ids as `user_roles.entity_id` writes them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Accounts {
    pub writable: Vec<String>,
    pub readonly: Vec<String>,
    /// `<account id>:<namespace>`
    pub namespaces_writable: Vec<String>,
    pub namespaces_readonly: Vec<String>,
}

impl Person {
    /// What the store checks every read and write against.
    pub fn caller(&self) -> Caller {
        let Accounts { writable, readonly, namespaces_writable, namespaces_readonly } = &self.accounts;
        Caller::person(self.user, self.tenant, self.roles.clone())
            .with_places(places(readonly, namespaces_readonly), places(writable, namespaces_writable))
    }
}

/// What the ids name. One that is no id names nothing.
fn places(accounts: &[String], namespaces: &[String]) -> Places {
    let namespace = |id: &String| {
        let (account, name) = id.split_once(':')?;
        let account = Uuid::parse_str(account).ok()?;
        (!name.is_empty()).then(|| (account, name.to_owned()))
    };
    Places {
        accounts: accounts.iter().filter_map(|id| Uuid::parse_str(id).ok()).collect(),
        namespaces: namespaces.iter().filter_map(namespace).collect(),
    }
}

/// The person behind a user id in a tenant.
pub fn find(store: &Store, user: Uuid, tenant: Uuid) -> Result<Person, SignInError> {
    store.snapshot(&Caller::house(), |rows| load(rows, user, tenant))
}

/// The tenant a user works in when nothing else is said: the membership marked so, else the oldest.
pub(crate) fn default_tenant(rows: &Transaction<'_>, user: Uuid) -> Result<Option<Uuid>, StoreError> {
    let mut memberships =
        rows.select("tenant_users", &["is_default", "created_at", "tenant"], &[eq("user_id", user)])?;
    memberships.sort_by_key(|row| (row[0] != Value::Bool(true), row[1].as_int(), row[2].as_uuid()));
    Ok(memberships.first().and_then(|row| row[2].as_uuid()))
}

pub(crate) fn load(rows: &Transaction<'_>, user: Uuid, tenant: Uuid) -> Result<Person, SignInError> {
    let users = rows.select("users", &["username", "display_name", "status"], &[eq("id", user)])?;
    let Some(found) = users.first() else { return Err(SignInError::WrongCredentials) };
    check_active(&text(&found[2]))?;
    let membership = rows.select("tenant_users", &["id"], &[eq("user_id", user), eq("tenant", tenant)])?;
    let tenants = rows.select("tenant", &["name"], &[eq("id", tenant)])?;
    let (Some(_), Some(tenant_row)) = (membership.first(), tenants.first()) else {
        return Err(SignInError::NoTenant);
    };
    let (roles, accounts) = roles(rows, user, tenant)?;
    Ok(Person {
        user,
        email: text(&found[0]).to_lowercase(),
        name: text(&found[1]),
        tenant,
        tenant_name: text(&tenant_row[0]),
        roles,
        accounts,
    })
}

/// A role counts where its kind of place is right: `tenant_admin` of one account gives nothing.
fn roles(rows: &Transaction<'_>, user: Uuid, tenant: Uuid) -> Result<(Vec<Role>, Accounts), StoreError> {
    let granted = rows.select(
        "user_roles",
        &["role", "entity_type", "entity_id", "tenant_id"],
        &[eq("user_id", user)],
    )?;
    let mut roles = Vec::new();
    let mut accounts = Accounts::default();
    for row in granted {
        let (place, id) = (text(&row[1]), text(&row[2]));
        let is_here = match row[3].as_uuid() {
            Some(owner) => owner == tenant,
            None => place == "tenant",
        };
        let Some(role) = Role::find(&text(&row[0])).filter(|_| is_here) else { continue };
        match (place.as_str(), role) {
            ("tenant", Role::TenantAdmin | Role::TenantAdminReadonly) if id == tenant.to_string() => {}
            ("account", Role::AccountAdmin) => accounts.writable.push(id),
            ("account", Role::AccountAdminReadonly) => accounts.readonly.push(id),
            ("k8s_namespace", Role::NamespaceAdmin) => accounts.namespaces_writable.push(id),
            ("k8s_namespace", Role::NamespaceAdminReadonly) => accounts.namespaces_readonly.push(id),
            _ => continue,
        }
        roles.push(role);
    }
    if roles.is_empty() {
        roles.push(Role::TenantUsage);
    }
    roles.sort_unstable();
    roles.dedup();
    Ok((roles, accounts))
}

/// The text of a cell; empty when it has none.
pub(crate) fn text(value: &Value) -> String {
    value.as_text().unwrap_or_default().to_owned()
}
