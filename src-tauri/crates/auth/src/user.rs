//! Users: people with an e-mail address, what tenants they belong to and as what.

use crate::household::{Tenant, find_administrator};
use crate::person::text;
use crate::secret::new_id;
use crate::{AccountError, SignInError};
use catalogue::{Caller, Role, ValueRef};
use rand::CryptoRng;
use store::{Store, StoreError, Transaction, eq};
use uuid::Uuid;

/// One row of `users`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: Uuid,
    /// Lower case.
    pub email: String,
    pub name: String,
    /// `active`, `inactive` or `suspended`.
    pub status: String,
}

/// What came of [`add`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    pub user: User,
    /// The e-mail address was not known before.
    pub is_new: bool,
}

/// The form in which e-mail addresses are stored and compared.
pub fn normalize_email(email: &str) -> Result<String, AccountError> {
    let email = email.trim().to_lowercase();
    let is_plain = !email.chars().any(|letter| letter.is_whitespace() || letter.is_control());
    match email.split_once('@') {
        Some((name, domain))
            if is_plain && !name.is_empty() && !domain.is_empty() && !domain.contains('@') =>
        {
            Ok(email)
        }
        _ => Err(AccountError::NotAnEmail { found: email }),
    }
}

/// Reads a role that can be given for a whole tenant.
pub fn tenant_role(name: &str) -> Result<Role, AccountError> {
    Role::find(name)
        .filter(|role| matches!(role, Role::TenantAdmin | Role::TenantAdminReadonly))
        .ok_or_else(|| AccountError::NotATenantRole { found: name.to_owned() })
}

/// Makes sure the user exists, belongs to the tenant and has the role there. An existing user keeps name and status.
pub fn add(
    store: &Store,
    tenant: &Tenant,
    email: &str,
    name: Option<&str>,
    role: Role,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<Added, AccountError> {
    let email = normalize_email(email)?;
    let shown = name.map(str::trim).filter(|name| !name.is_empty()).unwrap_or(&email);
    store.transaction(&Caller::house(), |rows| {
        let known = find(rows, &email)?;
        let is_new = known.is_none();
        let user = match known {
            Some(user) => user,
            None => User {
                id: insert(rows, (&email, shown), "active", now, rng)?,
                email: email.clone(),
                name: shown.to_owned(),
                status: "active".to_owned(),
            },
        };
        let by = find_administrator(rows)?.unwrap_or(user.id);
        let memberships = rows.select("tenant_users", &["tenant"], &[eq("user_id", user.id)])?;
        if !memberships.iter().any(|row| row[0].as_uuid() == Some(tenant.id)) {
            join(rows, user.id, tenant.id, by, false, now, rng)?;
        }
        grant(rows, user.id, tenant.id, role, by, now, rng)?;
        Ok(Added { user, is_new })
    })
}

/// The user with that (lower-case) e-mail address.
pub fn find(rows: &Transaction<'_>, email: &str) -> Result<Option<User>, StoreError> {
    let found =
        rows.select("users", &["id", "username", "display_name", "status"], &[eq("username", email)])?;
    Ok(found.first().and_then(|row| {
        Some(User { id: row[0].as_uuid()?, email: text(&row[1]), name: text(&row[2]), status: text(&row[3]) })
    }))
}

/// The user with that e-mail address, if it may sign in to the tenant.
pub(crate) fn member(rows: &Transaction<'_>, email: &str, tenant: &Tenant) -> Result<User, AccountError> {
    let email = normalize_email(email)?;
    let Some(user) = find(rows, &email)? else { return Err(AccountError::UnknownUser { email }) };
    if user.status != "active" {
        return Err(AccountError::NotActive { email, status: user.status });
    }
    let membership =
        rows.select("tenant_users", &["id"], &[eq("user_id", user.id), eq("tenant", tenant.id)])?;
    if membership.is_empty() {
        return Err(AccountError::NotAMember { email, tenant: tenant.name.clone() });
    }
    Ok(user)
}

/// Refuses whoever is not `active`.
pub(crate) fn check_active(status: &str) -> Result<(), SignInError> {
    if status == "active" { Ok(()) } else { Err(SignInError::UserNotActive) }
}

/// Adds a user nobody knows yet, with a (lower-case) e-mail address and a name.
pub fn insert(
    rows: &Transaction<'_>,
    (email, name): (&str, &str),
    status: &str,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<Uuid, StoreError> {
    let id = new_id(rng);
    rows.insert(
        "users",
        &[
            ("id", id.into()),
            ("username", email.into()),
            ("display_name", name.into()),
            ("status", status.into()),
            ("created_by", find_administrator(rows)?.into()),
            ("created_at", ValueRef::Timestamp(now)),
            ("updated_at", ValueRef::Timestamp(now)),
        ],
    )?;
    Ok(id)
}

/// Makes a user a member of a tenant it does not belong to yet.
pub fn join(
    rows: &Transaction<'_>,
    user: Uuid,
    tenant: Uuid,
    by: Uuid,
    is_owner: bool,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<(), StoreError> {
    let is_first = rows.select("tenant_users", &["id"], &[eq("user_id", user)])?.is_empty();
    rows.insert(
        "tenant_users",
        &[
            ("id", new_id(rng).into()),
            ("tenant", tenant.into()),
            ("user_id", user.into()),
            ("is_default", is_first.into()),
            ("is_owner", is_owner.into()),
            ("created_by", by.into()),
            ("updated_by", by.into()),
            ("created_at", ValueRef::Timestamp(now)),
            ("updated_at", ValueRef::Timestamp(now)),
        ],
    )
}

/// Gives a user a role in the whole tenant; having it already is fine.
pub(crate) fn grant(
    rows: &Transaction<'_>,
    user: Uuid,
    tenant: Uuid,
    role: Role,
    by: Uuid,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<(), StoreError> {
    let entity = tenant.to_string();
    let held = rows.select(
        "user_roles",
        &["id"],
        &[
            eq("user_id", user),
            eq("entity_type", "tenant"),
            eq("entity_id", &entity),
            eq("role", role.name()),
        ],
    )?;
    if !held.is_empty() {
        return Ok(());
    }
    rows.insert(
        "user_roles",
        &[
            ("id", new_id(rng).into()),
            ("user_id", user.into()),
            ("tenant_id", tenant.into()),
            ("entity_type", "tenant".into()),
            ("entity_id", entity.as_str().into()),
            ("role", role.name().into()),
            ("created_by", by.into()),
            ("created_at", ValueRef::Timestamp(now)),
            ("updated_at", ValueRef::Timestamp(now)),
        ],
    )
}
