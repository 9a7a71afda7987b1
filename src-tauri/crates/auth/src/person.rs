//! A user in one tenant: name, roles, accounts.
//!
//! Read for every request, so a suspended user or a changed role takes effect at once.

use crate::SignInError;
use crate::{tenant, user};
use catalogue::{Caller, CallerAccounts, Right, Role};
use model::tables::user_roles;
use model::{Read as _, row};
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// An active user in one tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub user: Uuid,
    pub email: String,
    pub name: String,
    pub tenant: Uuid,
    pub tenant_name: String,
    /// Strongest first, never empty: a user without a role gets the marker [`Role::TenantUsage`].
    pub roles: Vec<Role>,
    pub accounts: Accounts,
}

/// The accounts and namespaces a person has roles in. Ids as in `user_roles.entity_id`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Accounts {
    pub writable: Vec<String>,
    pub readonly: Vec<String>,
    /// `<account id>:<namespace>`
    pub namespaces_writable: Vec<String>,
    pub namespaces_readonly: Vec<String>,
}

impl Person {
    /// The caller that the store authorises every read and write for.
    pub fn caller(&self) -> Caller {
        let Accounts { writable, readonly, namespaces_writable, namespaces_readonly } = &self.accounts;
        Caller::user(self.user, self.tenant, self.roles.clone())
            .with_accounts(places(readonly, namespaces_readonly), places(writable, namespaces_writable))
    }

    /// Whether the person may change data that belongs to an account as a whole.
    pub fn writes_in(&self, account: Uuid) -> bool {
        let caller = self.caller();
        caller.writes_tenant() || caller.accounts(Right::Write).accounts.contains(&account)
    }
}

/// The accounts and namespaces these ids name. Invalid ids are skipped.
fn places(accounts: &[String], namespaces: &[String]) -> CallerAccounts {
    let namespace = |id: &String| {
        let (account, name) = id.split_once(':')?;
        let account = Uuid::parse_str(account).ok()?;
        (!name.is_empty()).then(|| (account, name.to_owned()))
    };
    CallerAccounts {
        accounts: accounts.iter().filter_map(|id| Uuid::parse_str(id).ok()).collect(),
        namespaces: namespaces.iter().filter_map(namespace).collect(),
    }
}

/// The person with a user id in a tenant.
pub fn find(store: &Store, user: Uuid, tenant: Uuid) -> Result<Person, SignInError> {
    store.snapshot(&Caller::system(), |rows| load(rows, user, tenant))
}

/// Like [`find`], within a transaction of the system caller.
pub fn load(rows: &Transaction<'_>, user: Uuid, tenant: Uuid) -> Result<Person, SignInError> {
    let known = user::load(rows, user)?.ok_or(SignInError::WrongCredentials)?;
    known.check_active()?;
    if !tenant::has_member(rows, tenant, user)? {
        return Err(SignInError::NoTenant);
    }
    let tenant_name = tenant::name(rows, tenant)?.ok_or(SignInError::NoTenant)?;
    let (roles, accounts) = roles(rows, user, tenant)?;
    Ok(Person { user, email: known.email, name: known.name, tenant, tenant_name, roles, accounts })
}

row! { struct Grant from user_roles { role, entity_type, entity_id, tenant_id } }

/// A role counts only with the right kind of entity: `tenant_admin` of one account grants nothing.
fn roles(rows: &Transaction<'_>, user: Uuid, tenant: Uuid) -> Result<(Vec<Role>, Accounts), StoreError> {
    let granted = rows.query::<Grant>().filter(user_roles::user_id.eq(user)).rows()?;
    let mut roles = Vec::new();
    let mut accounts = Accounts::default();
    for Grant { role, entity_type, entity_id: id, tenant_id } in granted {
        let is_here = match tenant_id {
            Some(owner) => owner == tenant,
            None => entity_type == "tenant",
        };
        let Some(role) = Role::find(&role).filter(|_| is_here) else { continue };
        match (entity_type.as_str(), role) {
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
