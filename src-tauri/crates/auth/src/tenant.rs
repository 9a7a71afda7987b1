//! Tenants: whose rows are kept apart from everybody else's.

use model::tables::{tenant, tenant_users};
use model::{Read as _, row};
use store::{StoreError, Transaction};
use uuid::Uuid;

/// One tenant: whose rows are kept apart from everybody else's.
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

/// The name of a tenant; `None` when there is none of that id.
pub(crate) fn name(rows: &Transaction<'_>, tenant: Uuid) -> Result<Option<String>, StoreError> {
    Ok(rows.find::<TenantName>(tenant)?.map(|row| row.name))
}

/// The tenant of that name, upper and lower case being the same.
pub(crate) fn named<'a>(tenants: &'a [Tenant], name: &str) -> Option<&'a Tenant> {
    tenants.iter().find(|tenant| tenant.name.to_lowercase() == name.trim().to_lowercase())
}

/// The tenants a user belongs to; the one they work in when nothing else is said is first: the membership marked so, else the oldest.
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

/// The tenant a user works in when nothing else is said.
pub(crate) fn default_of(rows: &Transaction<'_>, user: Uuid) -> Result<Option<Uuid>, StoreError> {
    Ok(of_user(rows, user)?.into_iter().next())
}

/// Whether the user belongs to the tenant.
pub(crate) fn has_member(rows: &Transaction<'_>, tenant: Uuid, user: Uuid) -> Result<bool, StoreError> {
    let mine = tenant_users::user_id.eq(user).and(tenant_users::tenant.eq(tenant));
    rows.query::<Membership>().filter(mine).exists()
}
