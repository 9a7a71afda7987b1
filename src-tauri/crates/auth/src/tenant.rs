//! Tenants: the companies or teams whose rows are kept separate.

use model::tables::{tenant, tenant_users};
use model::{Read as _, row};
use store::{StoreError, Transaction};
use uuid::Uuid;

/// One tenant: a company or team whose rows are kept separate from those of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    pub id: Uuid,
    pub name: String,
}

row! { struct TenantName from tenant { id, name } }
row! { struct Membership from tenant_users { tenant } }

/// Every tenant, oldest first.
pub(crate) fn all(rows: &Transaction<'_>) -> Result<Vec<Tenant>, StoreError> {
    let found = rows.query::<TenantName>().order(tenant::created_at.asc()).order(tenant::id.asc()).rows()?;
    Ok(found.into_iter().map(|row| Tenant { id: row.id.uuid(), name: row.name }).collect())
}

/// The name of a tenant; `None` if the id is unknown.
pub(crate) fn name(rows: &Transaction<'_>, tenant: Uuid) -> Result<Option<String>, StoreError> {
    Ok(rows.find::<TenantName>(tenant)?.map(|row| row.name))
}

/// The tenant with that name, ignoring case.
pub(crate) fn named<'a>(tenants: &'a [Tenant], name: &str) -> Option<&'a Tenant> {
    tenants.iter().find(|tenant| tenant.name.to_lowercase() == name.trim().to_lowercase())
}

/// The tenants a user belongs to, the default one first: the membership marked as default, else the oldest.
pub(crate) fn of_user(rows: &Transaction<'_>, user: Uuid) -> Result<Vec<Uuid>, StoreError> {
    let found = rows
        .query::<Membership>()
        .filter(tenant_users::user_id.eq(user))
        .order(tenant_users::is_default.desc())
        .order(tenant_users::created_at.asc())
        .order(tenant_users::tenant.asc())
        .rows()?;
    Ok(found.into_iter().map(|row| row.tenant.uuid()).collect())
}

/// The user's default tenant.
pub(crate) fn default_of(rows: &Transaction<'_>, user: Uuid) -> Result<Option<Uuid>, StoreError> {
    Ok(of_user(rows, user)?.into_iter().next())
}

/// Whether the user belongs to the tenant.
pub(crate) fn has_member(rows: &Transaction<'_>, tenant: Uuid, user: Uuid) -> Result<bool, StoreError> {
    let mine = tenant_users::user_id.eq(user).and(tenant_users::tenant.eq(tenant));
    rows.query::<Membership>().filter(mine).exists()
}
