//! Initialises a new database with one tenant and its local administrator, and finds tenants by name.

use crate::AccountError;
use crate::secret::new_id;
use crate::tenant::{self, Tenant, all, named};
use crate::user::{self, find_administrator};
use catalogue::{Caller, Role, ValueRef};
use rand::CryptoRng;
use store::{Store, Transaction};
use uuid::Uuid;

pub use crate::user::LOCAL_ADMINISTRATOR;

/// Name of a new database's tenant if none is given.
pub const FIRST_TENANT: &str = "Personal workspace";

/// Creates the first tenant (`name`, else [`FIRST_TENANT`]) and the local administrator in an empty database. If there are tenants already, this
/// only reads, like [`find`].
pub fn ensure(
    store: &Store,
    name: Option<&str>,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<Tenant, AccountError> {
    let system = Caller::system();
    if store.snapshot(&system, all)?.is_empty() {
        store.transaction(&system, |rows| {
            // Another process may have created it meanwhile.
            if all(rows)?.is_empty() {
                create(rows, name.unwrap_or(FIRST_TENANT), now, rng)?;
            }
            Ok::<_, AccountError>(())
        })?;
    }
    find(store, name)
}

/// The tenant with that name, ignoring case; without a name, the local administrator's default tenant.
pub fn find(store: &Store, name: Option<&str>) -> Result<Tenant, AccountError> {
    store.snapshot(&Caller::system(), |rows| {
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

/// Returns the tenant with that name, or creates it with the local administrator as a member. True if it was created.
pub fn find_or_create(
    store: &Store,
    name: &str,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<(Tenant, bool), AccountError> {
    store.transaction(&Caller::system(), |rows| match named(&all(rows)?, name) {
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
    let found = store.snapshot(&Caller::system(), find_administrator)?;
    found.ok_or_else(|| AccountError::UnknownUser { email: LOCAL_ADMINISTRATOR.to_owned() })
}
