//! Revokes credentials after a restore: a database restored from a backup may contain credentials that were revoked since, perhaps because they
//! leaked.
//!
//! Roles, passwords and the status of users stay as in the backup.

use crate::security_log::{Event, note};
use crate::{signing_secret, tenant};
use catalogue::{Caller, ValueRef};
use model::tables::user_auths;
use model::{AuthType, Read as _, UserStatusType, row};
use rand::CryptoRng;
use std::collections::HashSet;
use store::{Store, StoreError, Transaction, eq, is_null};
use uuid::Uuid;

/// The valid API tokens of the database that is replaced, and its tenants.
#[derive(Debug, Default)]
pub struct TokenSnapshot {
    tokens: HashSet<Uuid>,
    tenants: HashSet<Uuid>,
}

row! { struct Token from user_auths { id, tenant_id } }

fn is_token() -> model::Filter<model::UserAuth> {
    user_auths::provider.eq(AuthType::Token)
}

impl TokenSnapshot {
    pub fn of(store: &Store) -> Result<Self, StoreError> {
        store.snapshot(&Caller::system(), |rows| {
            let active = user_auths::status.eq(UserStatusType::Active);
            let tokens = rows.query::<Token>().filter(is_token()).filter(active).rows()?;
            Ok(Self {
                tokens: tokens.into_iter().map(|token| token.id.uuid()).collect(),
                tenants: tenant::all(rows)?.into_iter().map(|tenant| tenant.id).collect(),
            })
        })
    }

    /// Whether a token was revoked in the replaced database. A token of a tenant that only exists in the backup was not.
    fn has_revoked(&self, token: Uuid, tenant: Option<Uuid>) -> bool {
        !self.tokens.contains(&token) && tenant.is_none_or(|tenant| self.tenants.contains(&tenant))
    }
}

/// Revokes the credentials in the restored database: sessions, devices, and unused codes and pending sign-ins; bearer tokens, by replacing their
/// signing secret; API tokens revoked since the backup. Without `standing` the latter are unknown and become valid again.
pub fn settle(
    rows: &Transaction<'_>,
    standing: Option<&TokenSnapshot>,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<(), StoreError> {
    signing_secret::forget(rows)?;
    for waiting in ["one_time_code", "saml_request", "saml_outcome", "device_code"] {
        rows.delete(waiting, &[])?;
    }
    let sessions = rows.delete("session", &[])?;
    let ended = [("revoked_at", ValueRef::Timestamp(now)), ("revoked_by", "person".into())];
    let devices = rows.update("device", &[is_null("revoked_at")], &ended)?;
    let tokens = standing.map_or(Ok(0), |standing| revoke(rows, standing))?;
    let text = format!(
        "A backup was put back: ended {sessions} sessions and {devices} devices of that time, and {tokens} API tokens that were revoked since"
    );
    let event = Event {
        kind: "settings_changed",
        who: None,
        about: None,
        cause: None,
        text,
        detail: serde_json::Value::Null,
    };
    note(rows, &event, now, rng)
}

fn revoke(rows: &Transaction<'_>, standing: &TokenSnapshot) -> Result<u64, StoreError> {
    let mut revoked = 0;
    for token in rows.query::<Token>().filter(is_token()).rows()? {
        if standing.has_revoked(token.id.uuid(), token.tenant_id) {
            revoked += rows.delete("user_auths", &[eq("id", token.id)])?;
        }
    }
    Ok(revoked)
}

#[cfg(test)]
mod tests {
    use crate::device::{self, Request};
    use crate::tests::{Fixture, NOW};
    use crate::{SECOND, one_time_code, person, session, signing_secret};
    use catalogue::{Caller, Role};

    use super::*;

    fn settled(fixture: &mut Fixture, standing: Option<&TokenSnapshot>) {
        let rng = &mut fixture.rng;
        let done =
            fixture.store.transaction(&Caller::system(), |rows| settle(rows, standing, NOW + SECOND, rng));
        done.unwrap();
    }

    #[test]
    fn nobody_is_signed_in_by_what_a_backup_holds() {
        let mut fixture = Fixture::new();
        let ada = fixture.add("ada@example.com", Role::TenantAdmin);
        let ada = person::find(&fixture.store, ada, fixture.tenant.id).unwrap();
        let (secret, begun) = fixture.begin_session(&ada);
        session::keep(&fixture.store, &begun).unwrap();
        let code = fixture.code();
        let granted = device_of(&mut fixture, &ada);
        let signed_with = signing_secret(&fixture.store, None, NOW, &mut fixture.rng).unwrap();
        settled(&mut fixture, None);
        let later = NOW + 2 * SECOND;
        assert!(session::find(&fixture.store, &secret, session::LIFETIME, later).unwrap().is_none());
        assert!(one_time_code::spend(&fixture.store, &code, later).is_err());
        assert!(!device::is_allowed(&fixture.store, granted.device).unwrap());
        let refused = device::refresh(&fixture.store, &granted.refresh_token, None, later, &mut fixture.rng);
        assert!(refused.is_err());
        assert_ne!(signing_secret(&fixture.store, None, later, &mut fixture.rng).unwrap(), signed_with);
    }

    fn device_of(fixture: &mut Fixture, person: &crate::Person) -> device::DeviceGrant {
        // SHA-256 of "verifier", base64url without padding (RFC 7636).
        let challenge = "iMnq5o6zALKXGivsnlom_0F5_WYda32GHkxlV7mq7hQ";
        let request = Request {
            redirect_uri: None,
            state: "0123456789abcdef".to_owned(),
            challenge: challenge.to_owned(),
            device_name: "laptop".to_owned(),
        };
        let code = device::allow(&fixture.store, person, &request, NOW, &mut fixture.rng).unwrap();
        let itself = device::DeviceReport::default();
        device::exchange(&fixture.store, (&code, "verifier", None), itself, NOW, &mut fixture.rng).unwrap()
    }

    #[test]
    fn a_token_that_was_revoked_since_stays_revoked_and_others_count() {
        let mut fixture = Fixture::new();
        fixture.add("ada@example.com", Role::TenantAdmin);
        let kept = fixture.token("ada@example.com", "kept");
        let standing = TokenSnapshot::of(&fixture.store).unwrap();
        let revoked = fixture.token("ada@example.com", "revoked");
        settled(&mut fixture, Some(&standing));
        assert!(fixture.sign_in("ada@example.com", &kept).is_ok());
        assert!(fixture.sign_in("ada@example.com", &revoked).is_err());
    }

    #[test]
    fn tokens_of_another_instance_count_where_its_backup_is_put_back() {
        let mut fixture = Fixture::new();
        fixture.add("ada@example.com", Role::TenantAdmin);
        let token = fixture.token("ada@example.com", "moved");
        let standing =
            TokenSnapshot { tokens: HashSet::new(), tenants: HashSet::from([Uuid::from_u128(0xB)]) };
        settled(&mut fixture, Some(&standing));
        assert!(fixture.sign_in("ada@example.com", &token).is_ok());
    }
}
