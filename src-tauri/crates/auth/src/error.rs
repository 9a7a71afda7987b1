//! Errors of sign-in and of changes to users, tenants and API tokens.

use store::StoreError;

/// Why a sign-in was refused. The messages are shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// Unknown e-mail address or wrong secret. The two are not distinguished, to reveal neither.
    #[error("The e-mail address or the secret is not right")]
    WrongCredentials,
    #[error("This user is not active; an administrator of the tenant can activate it")]
    UserNotActive,
    #[error("This API token is not active; create another one")]
    TokenNotActive,
    #[error("This user belongs to no tenant; an administrator can add it to one")]
    NoTenant,
    #[error(
        "This sign-in link was used before, has expired or was never valid. Print a new one with `quarterdeck-server user link EMAIL`"
    )]
    LinkSpent,
    #[error("Sign-in with a password is switched off; use single sign-on")]
    PasswordOff,
    #[error("the database could not be asked who this is")]
    Store(#[from] StoreError),
}

/// Why users, tenants or API tokens could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    #[error("{found:?} is not an e-mail address: expected something like ada@example.com")]
    NotAnEmail { found: String },
    #[error("there is no user {email}; add one with `quarterdeck-server user add {email}`")]
    UnknownUser { email: String },
    #[error("{email} is {status} and cannot sign in")]
    NotActive { email: String, status: String },
    #[error(
        "{email} does not belong to the tenant {tenant:?}; add it with `quarterdeck-server user add {email} --tenant {tenant:?}`"
    )]
    NotAMember { email: String, tenant: String },
    #[error("there is no tenant {name:?}; there is {}", list(known))]
    UnknownTenant { name: String, known: Vec<String> },
    #[error("a tenant's name cannot be empty")]
    EmptyTenantName,
    #[error("{found:?} is not a role of a tenant: expected tenant_admin or tenant_admin_readonly")]
    NotATenantRole { found: String },
    #[error("{email} already has an API token named {name:?} in this tenant; choose another name")]
    DuplicateToken { email: String, name: String },
    #[error("an API token needs a name that says what uses it")]
    EmptyTokenName,
    #[error(
        "the password has {letters} letters: expected {} to {}",
        crate::password::SHORTEST,
        crate::password::LONGEST
    )]
    WeakPassword { letters: usize },
    #[error("the database could not be used")]
    Store(#[from] StoreError),
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}
