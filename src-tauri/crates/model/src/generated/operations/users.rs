//! Types of `schema/operations/users.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

/// API tokens.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct UserAuthTokenResponse {
    pub tokens: Option<Vec<UserAuthToken>>,
}

/// An API token.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct UserAuthToken {
    /// When it last let somebody in.
    pub accessed_at: Option<String>,
    pub created_at: Option<String>,
    pub id: Option<String>,
    pub name: Option<String>,
    pub provider: Option<String>,
    /// active, or why it is not.
    pub status: Option<String>,
}

/// A new API token.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UserTokenCreateRequest {
    /// Unlike those of the caller's other tokens.
    pub name: String,
}

/// The new API token.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct UserTokenCreateResponse {
    pub name: String,
    /// The secret. It is not kept and cannot be told again.
    pub token: String,
}

/// Which API token.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UserTokenDeleteRequest {
    pub name: String,
}

/// The API token that is gone.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct UserTokenDeleteResponse {
    pub name: String,
}

/// A person.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UsersInsertOneInput {
    pub firstname: String,
    pub lastname: Option<String>,
    /// tenant_admin or tenant_admin_readonly; none unless given.
    pub role: Option<String>,
    /// The caller's own tenant; nobody writes another.
    pub tenantname: Option<String>,
    /// The e-mail address.
    pub username: String,
}

/// What came of it.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct UsersInsertOneOutput {
    pub id: Option<String>,
    pub message: Option<String>,
    /// Status of the person.
    pub status: String,
    pub tenant_id: Option<String>,
}

/// Who, and what they become.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UserUpdateStatusInput {
    pub id: String,
    /// active, inactive or suspended.
    pub status: String,
}

/// The person.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct UserUpdateStatusOutput {
    pub id: String,
}

/// Which row.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct DeleteByPkRequest {
    pub id: String,
}

/// The row that is gone.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct DeleteByPkResponse {
    pub id: String,
}

/// Who gets which role.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AuthTenantUserRolesUpsertOneInput {
    /// tenant_admin or tenant_admin_readonly.
    pub role: String,
    pub user_id: String,
}

/// What came of it.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AuthTenantUserRolesUpsertOneOutput {
    pub message: String,
    pub status: String,
}

/// Who gets which roles.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AuthAccountUserRolesUpsertOneInput {
    pub account_roles: Vec<Option<AuthAccountRoleInput>>,
    pub user_id: String,
}

/// A role over an account.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AuthAccountRoleInput {
    pub account_id: String,
    /// account_admin, account_admin_readonly, or empty.
    pub role: String,
}

/// What came of it.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AuthAccountUserRolesUpsertOneOutput {
    pub message: String,
    pub status: String,
}

/// Who gets which roles.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AuthK8saccountUserRolesUpsertOneInput {
    pub k8saccount_namespace_roles: Vec<Option<K8saccountNamespaceRoleInput>>,
    pub user_id: String,
}

/// A role over a namespace.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct K8saccountNamespaceRoleInput {
    pub account_id: String,
    pub namespace: String,
    /// k8s_namespace_admin, k8s_namespace_admin_readonly, or empty.
    pub role: String,
}

/// What came of it.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AuthK8saccountNamespaceUserRolesUpsertOneOutput {
    pub message: String,
    pub status: String,
}

/// A setting.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct TenantAttributeRequest {
    /// allowed_domains, auth_default_role, or one of spend_anomaly_*.
    pub name: String,
    /// allowed_domains: a JSON list of domains. auth_default_role: a tenant role. spend_anomaly_*: a number.
    pub value: String,
}

/// A setting as it is now.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TenantAttributeResponse {
    pub created_at: String,
    pub id: String,
    pub name: String,
    pub tenant_id: String,
    pub updated_at: String,
    pub value: String,
}

/// What somebody did.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UserHistoryInput {
    /// The account it was about; empty when it was about none.
    pub account_id: String,
    pub data: String,
    /// Seconds.
    pub duration: Number,
    /// The part of the product.
    pub module: String,
    pub status: String,
}

/// That it is noted.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct UserHistoryOutput {
    pub status: String,
}
