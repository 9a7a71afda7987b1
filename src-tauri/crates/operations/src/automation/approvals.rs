//! Answers of reviewers to auto-pilots that need their consent.

use super::pilots::needed;
use super::{APPROVALS, consent, pilot_status};
use crate::kit::{Arguments, Look, person, text, uuid};
use catalogue::ValueRef;
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use store::eq;

/// Handles `update_status_auto_pilot_approval`.
pub(super) fn answer(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("arg1");
    let id = request.needed_id("approval_id")?;
    let approval = Look::at(call.rows, "auto_pilot_approvals")?
        .with("id", id)?
        .with("account_id", request.needed_id("account_id")?)?
        .first(&["status", "reviewer_id", "autopilot_id"])?;
    let missing = || Refusal::not_found(format!("there is no consent {id} that you may see"));
    let approval = approval.ok_or_else(missing)?;
    if uuid(&approval, "reviewer_id") != Some(person(call)?) {
        let message = "another reviewer was asked: each answers for themselves";
        return Err(Refusal::new("permission-error", message));
    }
    let to = APPROVALS.step(text(&approval, "status"), request.needed("status")?)?;
    let set = [
        ("status", to.into()),
        ("reviewer_comments", request.text("reviewer_comments").into()),
        ("updated_at", ValueRef::Timestamp(call.now)),
    ];
    if call.rows.update("auto_pilot_approvals", &[eq("id", id)], &set)? == 0 {
        return Err(Refusal::denied());
    }
    let pilot = needed(call, uuid(&approval, "autopilot_id").unwrap_or_default(), None)?;
    let is_waiting = text(&pilot, "status") == "DRAFT";
    let given = consent::count_answers(call.rows, uuid(&pilot, "id").unwrap_or_default())?;
    if is_waiting && to == "REJECTED" {
        pilot_status::set_status(call, &pilot, "Disabled")?;
    } else if is_waiting && given.yes >= given.needed {
        pilot_status::set_status(call, &pilot, "Active")?;
    }
    Ok(json!({ "id": id.to_string() }))
}
