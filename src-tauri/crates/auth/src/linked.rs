//! The accounts at identity providers that are linked to people.

use crate::person::text;
use crate::saml::time;
use catalogue::Caller;
use serde::Serialize;
use store::{Store, StoreError, eq};
use uuid::Uuid;

/// One account, for administrators. Times are ISO 8601, UTC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinkedAccount {
    /// Whose it is: the id of the user.
    pub user: String,
    /// Entity id of the provider.
    pub issuer: String,
    /// What the provider knows the person by.
    pub account: String,
    pub linked_at: Option<String>,
    /// When it last let the person in.
    pub used_at: Option<String>,
}

/// The accounts of everybody in that tenant, by provider and account.
pub fn accounts(store: &Store, tenant: Uuid) -> Result<Vec<LinkedAccount>, StoreError> {
    let columns = ["user", "name", "account_id", "created_at", "accessed_at"];
    let conditions = [eq("provider", "saml"), eq("tenant_id", tenant)];
    let found = store.snapshot(&Caller::house(), |rows| rows.select("user_auths", &columns, &conditions))?;
    let mut accounts: Vec<LinkedAccount> = found
        .iter()
        .filter_map(|row| {
            Some(LinkedAccount {
                user: row[0].as_uuid()?.to_string(),
                issuer: text(&row[1]),
                account: text(&row[2]),
                linked_at: row[3].as_int().map(time::text),
                used_at: row[4].as_int().map(time::text),
            })
        })
        .collect();
    accounts.sort_by(|a, b| (&a.issuer, &a.account).cmp(&(&b.issuer, &b.account)));
    Ok(accounts)
}
