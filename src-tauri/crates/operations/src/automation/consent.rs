//! Determines whether an auto-pilot needs consent before it acts, and requests it.

use crate::kit::{Look, text, uuid};
use catalogue::ValueRef;
use graphql::{Call, Refusal};
use serde_json::Value;
use store::{Transaction, eq};
use uuid::Uuid;

/// An approval policy that applies.
pub(super) struct Consent {
    policy: Uuid,
    account: Uuid,
    reviewers: Vec<Uuid>,
}

/// The policy that applies to an auto-pilot of that person. `None` if the account has no policy, or the policy covers other people.
pub(super) fn needed(
    rows: &Transaction<'_>,
    account: Uuid,
    person: Uuid,
) -> Result<Option<Consent>, Refusal> {
    let policy = Look::at(rows, "auto_pilot_approval_policy")?.with("account_id", account)?.first(&["id"])?;
    let Some(policy) = policy.and_then(|row| uuid(&row, "id")) else { return Ok(None) };
    let people = |table: &str| -> Result<Vec<Uuid>, Refusal> {
        let look = Look::at(rows, table)?.with("policy_id", policy)?.ordered("user_id", false)?;
        Ok(look.rows(&["user_id"])?.iter().filter_map(|row| uuid(row, "user_id")).collect())
    };
    let meant = people("auto_pilot_reviewee")?;
    let reviewers = people("auto_pilot_reviewers")?;
    let is_meant = meant.is_empty() || meant.contains(&person);
    Ok((is_meant && !reviewers.is_empty()).then_some(Consent { policy, account, reviewers }))
}

impl Consent {
    /// Requests consent from every reviewer. Earlier answers, which were for an earlier version of the auto-pilot, are deleted.
    pub(super) fn ask(
        &self,
        call: &Call<'_>,
        pilot: Uuid,
        category: &str,
        shown: &Value,
    ) -> Result<(), Refusal> {
        call.rows.delete("auto_pilot_approvals", &[eq("autopilot_id", pilot)])?;
        let shown = shown.to_string();
        for reviewer in &self.reviewers {
            call.rows.insert(
                "auto_pilot_approvals",
                &[
                    ("account_id", self.account.into()),
                    ("attributes", ValueRef::Json(&shown)),
                    ("auto_pilot_type", category.into()),
                    ("autopilot_id", pilot.into()),
                    ("policy_id", self.policy.into()),
                    ("reviewer_id", (*reviewer).into()),
                    ("status", "PENDING".into()),
                    ("updated_at", ValueRef::Timestamp(call.now)),
                ],
            )?;
        }
        Ok(())
    }
}

/// The progress of the consent to an auto-pilot.
pub(super) struct ConsentCount {
    /// Number of consents given.
    pub yes: u64,
    /// Number of consents needed.
    pub needed: u64,
    /// Number of reviewers who have not answered.
    pub open: u64,
}

/// Counts the answers of the reviewers. All counts but `needed` are 0 if nobody was asked.
pub(super) fn count_answers(rows: &Transaction<'_>, pilot: Uuid) -> Result<ConsentCount, Refusal> {
    let asked = Look::at(rows, "auto_pilot_approvals")?.with("autopilot_id", pilot)?;
    let asked = asked.rows(&["status", "policy_id"])?;
    let policy = asked.first().and_then(|row| uuid(row, "policy_id"));
    let policy = Look::at(rows, "auto_pilot_approval_policy")?.with("id", policy)?;
    let policy = policy.first(&["policy_attributes"])?.unwrap_or_default();
    let count = |status: &str| asked.iter().filter(|row| text(row, "status") == status).count() as u64;
    let needed = policy["policy_attributes"]["minimum_approval"].as_u64().unwrap_or(1);
    Ok(ConsentCount { yes: count("APPROVED"), needed, open: count("PENDING") })
}

/// Whether an auto-pilot may become Active. If consent is missing and no request is open, the reviewers are asked (again).
///
/// # Errors
/// A request is still open.
pub(super) fn is_given(call: &Call<'_>, row: &Value) -> Result<bool, Refusal> {
    let id = uuid(row, "id").unwrap_or_default();
    let account = uuid(row, "account_id").unwrap_or_default();
    let maker = uuid(row, "created_by").unwrap_or_default();
    let Some(consent) = needed(call.rows, account, maker)? else { return Ok(true) };
    let given = count_answers(call.rows, id)?;
    if given.yes >= given.needed {
        return Ok(true);
    }
    if given.open == 0 {
        consent.ask(call, id, text(row, "category"), &row["rule"])?;
        return Ok(false);
    }
    let message = format!(
        "the auto-pilot needs the consent of {} of its reviewers and has {}: it becomes Active when they agree \
         (update_status_auto_pilot_approval)",
        given.needed, given.yes
    );
    Err(Refusal::conflict(message))
}
