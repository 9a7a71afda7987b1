//! What a new database begins with: one tenant and its local administrator.

use crate::AccountError;
use crate::secret::new_id;
use crate::tenant::{self, Tenant, all, named};
use crate::user::{self, find_administrator};
use catalogue::{Caller, Role, ValueRef};
use rand::CryptoRng;
use store::{Store, Transaction};
use uuid::Uuid;

pub use crate::user::LOCAL_ADMINISTRATOR;

/// Name of the tenant of a new database when none is given.
pub const FIRST_TENANT: &str = "Personal workspace";

/// Gives an empty database its first tenant (`name`, else [`FIRST_TENANT`]) and the local administrator.
/// A database that has tenants is only read: then this is [`find`].
pub fn ensure(
    store: &Store,
    name: Option<&str>,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<Tenant, AccountError> {
    let house = Caller::house();
    if store.snapshot(&house, all)?.is_empty() {
        store.transaction(&house, |rows| {
            // Another process may have been first.
            if all(rows)?.is_empty() {
                create(rows, name.unwrap_or(FIRST_TENANT), now, rng)?;
            }
            Ok::<_, AccountError>(())
        })?;
    }
    find(store, name)
}

/// The tenant of that name, upper and lower case being the same; without a name, the one the local administrator
/// works in by default.
pub fn find(store: &Store, name: Option<&str>) -> Result<Tenant, AccountError> {
    store.snapshot(&Caller::house(), |rows| {
        let tenants = all(rows)?;
        let Some(name) = name else {
            let home = match find_administrator(rows)? {
                Some(user) => tenant::default_of(rows, user)?,
                None => None,
            };
            let found = tenants.iter().find(|tenant| Some(tenant.id) == home).or_else(|| tenants.first());
            return found.cloned().ok_or_else(|| unknown(FIRST_TENANT, &tenants));
        };
        named(&tenants, name).cloned().ok_or_else(|| unknown(name, &tenants))
    })
}

/// The tenant of that name; created, with the local administrator in it, when there is none. True when it is new.
pub fn find_or_create(
    store: &Store,
    name: &str,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<(Tenant, bool), AccountError> {
    store.transaction(&Caller::house(), |rows| match named(&all(rows)?, name) {
        Some(tenant) => Ok((tenant.clone(), false)),
        None => Ok((create(rows, name, now, rng)?, true)),
    })
}

fn unknown(name: &str, tenants: &[Tenant]) -> AccountError {
    AccountError::UnknownTenant {
        name: name.to_owned(),
        known: tenants.iter().map(|tenant| tenant.name.clone()).collect(),
    }
}

pub(crate) fn create(
    rows: &Transaction<'_>,
    name: &str,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<Tenant, AccountError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(AccountError::EmptyTenantName);
    }
    let administrator = match find_administrator(rows)? {
        Some(administrator) => administrator,
        None => user::insert(rows, (LOCAL_ADMINISTRATOR, "Local administrator"), "active", now, rng)?,
    };
    let tenant = Tenant { id: new_id(rng), name: name.to_owned() };
    rows.insert(
        "tenant",
        &[
            ("id", tenant.id.into()),
            ("name", name.into()),
            ("created_by", administrator.into()),
            ("updated_by", administrator.into()),
            ("created_at", ValueRef::Timestamp(now)),
            ("updated_at", ValueRef::Timestamp(now)),
        ],
    )?;
    user::join(rows, administrator, tenant.id, administrator, true, now, rng)?;
    user::grant(rows, administrator, tenant.id, Role::TenantAdmin, administrator, now, rng)?;
    Ok(tenant)
}

/// The local administrator's id.
pub fn administrator(store: &Store) -> Result<Uuid, AccountError> {
    let found = store.snapshot(&Caller::house(), find_administrator)?;
    found.ok_or_else(|| AccountError::UnknownUser { email: LOCAL_ADMINISTRATOR.to_owned() })
}
