//! Lists the accounts at identity providers that are linked to users.

use crate::time;
use catalogue::Caller;
use model::tables::user_auths;
use model::{AuthType, Read as _, Timestamp, row};
use schemars::JsonSchema;
use serde::Serialize;
use store::{Store, StoreError};
use uuid::Uuid;

/// An identity provider account linked to a user. Times are ISO 8601 in UTC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LinkedAccount {
    /// Id of the linked user.
    pub user: String,
    /// Entity id of the identity provider.
    pub issuer: String,
    /// The identifier of the person at the identity provider.
    pub account: String,
    pub linked_at: Option<String>,
    /// Time of the last sign-in with this account.
    pub used_at: Option<String>,
}

row! { struct LinkRow from user_auths { user, name, account_id, created_at, accessed_at } }

/// The linked accounts of all users in a tenant, by provider and account.
pub fn accounts(store: &Store, tenant: Uuid) -> Result<Vec<LinkedAccount>, StoreError> {
    let found = store.snapshot(&Caller::system(), |rows| {
        rows.query::<LinkRow>()
            .filter(user_auths::provider.eq(AuthType::Saml))
            .filter(user_auths::tenant_id.eq(tenant))
            .order(user_auths::name.asc())
            .order(user_auths::account_id.asc())
            .rows()
    })?;
    let account = |row: LinkRow| LinkedAccount {
        user: row.user.to_string(),
        issuer: row.name.unwrap_or_default(),
        account: row.account_id.unwrap_or_default(),
        linked_at: Some(time::text(row.created_at.micros())),
        used_at: row.accessed_at.map(Timestamp::micros).map(time::text),
    };
    Ok(found.into_iter().map(account).collect())
}
