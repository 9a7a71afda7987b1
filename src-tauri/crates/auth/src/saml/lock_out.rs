//! Lists how a change of settings could lock people out.
//!
//! Only such changes need confirmation.

use super::certificate::CertificateState;
use super::settings::Settings;
use super::trial;
use crate::password::Local;
use catalogue::Role;
use schemars::JsonSchema;
use serde::Serialize;
use store::{StoreError, Transaction};

/// A reason why users would be locked out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "LockOutReason")]
pub struct Reason {
    pub code: &'static str,
    pub text: String,
}

fn reason(code: &'static str, text: &str) -> Reason {
    Reason { code, text: text.to_owned() }
}

/// How a change from `before` to `after` could lock people out, or take away administrators' roles.
pub fn reasons(
    rows: &Transaction<'_>,
    before: &Settings,
    after: &Settings,
    local: Local,
    now: i64,
) -> Result<Vec<Reason>, StoreError> {
    let mut reasons = Vec::new();
    let works = |settings: &Settings| settings.is_enabled() && settings.verifier().is_ok();
    let deciding_changed = before.deciding_hash() != after.deciding_hash() || !works(before);
    if works(before) && !works(after) {
        reasons.push(reason(
            "sso_off",
            "People who sign in through the identity provider could not sign in any more.",
        ));
        if !local.works() {
            reasons.push(reason(
                "no_way_in",
                "Sign-in with a password is off, too: only API tokens and links of the command line would remain.",
            ));
        }
    }
    if works(after) {
        let expired = |settings: &Settings| {
            let certificates = settings.certificates().unwrap_or_default();
            certificates.iter().all(|one| {
                matches!(one.standing(now), CertificateState::Error | CertificateState::NotYetValid)
            })
        };
        if expired(after) && (deciding_changed || !expired(before)) {
            reasons
                .push(reason("certificate", "No certificate is valid now: every sign-in would be refused."));
        }
        let is_only_way = works(before) || !local.works();
        if deciding_changed && is_only_way && !trial::has_passed(rows, after)? {
            reasons.push(reason(
                "untested",
                "Nobody has signed in with these values in a test. If one of them is wrong, nobody can sign in.",
            ));
        }
        if takes_administrators_away(after) && !(works(before) && takes_administrators_away(before)) {
            reasons.push(reason(
                "no_admin",
                "No group gives tenant_admin: administrators lose the role when they next sign in.",
            ));
        }
    }
    Ok(reasons)
}

/// How disabling the password could lock people out.
pub fn without_password(rows: &Transaction<'_>, settings: &Settings) -> Result<Vec<Reason>, StoreError> {
    if !(settings.is_enabled() && settings.verifier().is_ok()) {
        return Ok(vec![reason(
            "no_way_in",
            "Single sign-on does not work yet: only API tokens and links of the command line would remain.",
        )]);
    }
    if !trial::has_passed(rows, settings)? {
        return Ok(vec![reason(
            "untested",
            "Nobody has signed in through the identity provider in a test with the present values.",
        )]);
    }
    Ok(Vec::new())
}

/// Whether roles follow the groups and no group grants the administrator role.
fn takes_administrators_away(settings: &Settings) -> bool {
    let Ok(mapping) = settings.mapping() else { return false };
    settings.syncs_roles()
        && settings.removes_roles()
        && !mapping.include_unmapped
        && !mapping.rows.is_empty()
        && mapping.rows.iter().all(|row| row.role.trim() != Role::TenantAdmin.name())
}
