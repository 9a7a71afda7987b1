//! Users: people with an e-mail address, their tenants and roles.

use crate::secret::new_id;
use crate::tenant::{self, Tenant};
use crate::{AccountError, SignInError};
use catalogue::{Caller, Role, ValueRef};
use model::tables::{user_roles, users};
use model::{Id, Read as _, UserStatusType, row};
use rand::CryptoRng;
use std::collections::HashMap;
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// The user of whoever works on the machine the service runs on. Has no secret: signs in with links.
pub const LOCAL_ADMINISTRATOR: &str = "administrator@localhost";

row! {
    /// The displayed columns of a user.
    pub(crate) struct UserName from users { id, username, display_name }
}
row! { struct UserRow from users { id, username, display_name, status } }
row! { struct UserId from users { id } }
row! { struct Grant from user_roles { id } }

/// One row of `users`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: Uuid,
    /// Lower case.
    pub email: String,
    pub name: String,
    pub status: UserStatusType,
}

impl User {
    /// Fails unless the user is active.
    pub(crate) fn check_active(&self) -> Result<(), SignInError> {
        if self.status == UserStatusType::Active { Ok(()) } else { Err(SignInError::UserNotActive) }
    }
}

impl From<UserRow> for User {
    fn from(row: UserRow) -> Self {
        Self {
            id: row.id.uuid(),
            email: row.username.to_lowercase(),
            name: row.display_name,
            status: row.status,
        }
    }
}

/// The result of [`add`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserAddition {
    pub user: User,
    /// The e-mail address was unknown before.
    pub is_new: bool,
}

/// Validates an e-mail address and returns the form in which addresses are stored and compared.
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

/// Parses a role that can be granted for a whole tenant.
pub fn tenant_role(name: &str) -> Result<Role, AccountError> {
    Role::find(name)
        .filter(|role| matches!(role, Role::TenantAdmin | Role::TenantAdminReadonly))
        .ok_or_else(|| AccountError::NotATenantRole { found: name.to_owned() })
}

/// Ensures that the user exists, belongs to the tenant and has the role in it. An existing user keeps name and status.
pub fn add(
    store: &Store,
    tenant: &Tenant,
    email: &str,
    name: Option<&str>,
    role: Role,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<UserAddition, AccountError> {
    let email = normalize_email(email)?;
    let shown = name.map(str::trim).filter(|name| !name.is_empty()).unwrap_or(&email);
    store.transaction(&Caller::system(), |rows| {
        let known = find(rows, &email)?;
        let is_new = known.is_none();
        let user = match known {
            Some(user) => user,
            None => User {
                id: insert(rows, (&email, shown), "active", now, rng)?,
                email: email.clone(),
                name: shown.to_owned(),
                status: UserStatusType::Active,
            },
        };
        let by = find_administrator(rows)?.unwrap_or(user.id);
        if !tenant::has_member(rows, tenant.id, user.id)? {
            join(rows, user.id, tenant.id, by, false, now, rng)?;
        }
        grant(rows, user.id, tenant.id, role, by, now, rng)?;
        Ok(UserAddition { user, is_new })
    })
}

/// The user with that (lower-case) e-mail address.
pub fn find(rows: &Transaction<'_>, email: &str) -> Result<Option<User>, StoreError> {
    Ok(rows.query::<UserRow>().filter(users::username.eq(email)).first()?.map(User::from))
}

/// The user with that id.
pub(crate) fn load(rows: &Transaction<'_>, id: Uuid) -> Result<Option<User>, StoreError> {
    Ok(rows.find::<UserRow>(id)?.map(User::from))
}

/// The names of these users, each read once.
pub(crate) fn names(
    rows: &Transaction<'_>,
    ids: impl IntoIterator<Item = Id<model::User>>,
) -> Result<HashMap<Id<model::User>, UserName>, StoreError> {
    let mut found = HashMap::new();
    for id in ids {
        if !found.contains_key(&id)
            && let Some(name) = rows.find::<UserName>(id)?
        {
            found.insert(id, name);
        }
    }
    Ok(found)
}

/// The local administrator's id; `None` before the first start.
pub(crate) fn find_administrator(rows: &Transaction<'_>) -> Result<Option<Uuid>, StoreError> {
    let found = rows.query::<UserId>().filter(users::username.eq(LOCAL_ADMINISTRATOR)).first()?;
    Ok(found.map(|row| row.id.uuid()))
}

/// The user with that e-mail address, if they may sign in to the tenant.
pub(crate) fn member(rows: &Transaction<'_>, email: &str, tenant: &Tenant) -> Result<User, AccountError> {
    let email = normalize_email(email)?;
    let Some(user) = find(rows, &email)? else { return Err(AccountError::UnknownUser { email }) };
    if user.status != UserStatusType::Active {
        return Err(AccountError::NotActive { email, status: user.status.to_string() });
    }
    if !tenant::has_member(rows, tenant.id, user.id)? {
        return Err(AccountError::NotAMember { email, tenant: tenant.name.clone() });
    }
    Ok(user)
}

/// Adds a new user with a (lower-case) e-mail address and a name.
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

/// Makes a user a member of a tenant they do not belong to yet.
pub fn join(
    rows: &Transaction<'_>,
    user: Uuid,
    tenant: Uuid,
    by: Uuid,
    is_owner: bool,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<(), StoreError> {
    let is_first = tenant::of_user(rows, user)?.is_empty();
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

/// Grants a user a role in the whole tenant; not an error if they have it.
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
    let same = user_roles::user_id
        .eq(user)
        .and(user_roles::entity_type.eq("tenant"))
        .and(user_roles::entity_id.eq(entity.as_str()))
        .and(user_roles::role.eq(role.name()));
    if rows.query::<Grant>().filter(same).exists()? {
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
