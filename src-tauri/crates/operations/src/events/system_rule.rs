//! The built-in rule: repeated events are duplicates. An account can disable it.

use super::rules::overrides;
use crate::kit::{self, Arguments};
use catalogue::{Caller, ValueRef, format_timestamp};
use graphql::{Call, Refusal};
use model::operations::ToggleSystemRuleOverrideResponse;
use serde_json::{Value as Json, json};
use store::eq;
use uuid::Uuid;

/// The same id in every installation, because rules that replace it refer to it.
pub(super) const ID: Uuid = Uuid::from_u128(0x9a6d_57b0_0000_4000_8000_0000_0000_0001);
pub(super) const KIND: &str = "classification";
pub(super) const ACTION: &str = "auto_classify_duplicate";
pub(super) const NAME: &str = "Repeated events are duplicates";
pub(super) const PRIORITY: i64 = 1000;
pub(super) const OCCURRENCE: i64 = 1;

/// The rule as the API shows it for an account.
pub(super) fn shown(call: &Call<'_>, account: Option<Uuid>) -> Result<Json, Refusal> {
    let is_overridden = match account {
        Some(account) => overrides(call, account, ID)? > 0,
        None => false,
    };
    // The rule has no creation time, but the API requires one.
    let since = format_timestamp(0);
    Ok(json!({
        "id": ID.to_string(), "action": ACTION, "rule_type": KIND, "name": NAME, "priority": PRIORITY,
        "match_occurrence_greater_than": OCCURRENCE, "match_count": 0,
        "enabled": !is_overridden, "is_editable": false, "can_override": true,
        "is_system_rule": true, "is_overridden": is_overridden,
        "created_at": since, "updated_at": since,
    }))
}

/// `event_toggle_system_rule_override`
pub(super) fn toggle(call: &Call<'_>) -> Result<ToggleSystemRuleOverrideResponse, Refusal> {
    let arguments = Arguments(call.arguments);
    let (account, rule) = (arguments.needed_id("cloud_account_id")?, arguments.needed_id("system_rule_id")?);
    kit::account(call, account)?;
    if rule != ID {
        return Err(Refusal::not_found(format!("no rule {rule} came with the service; there is {ID}")));
    }
    let disabled = arguments.flag("disabled").unwrap_or(false);
    let is_overridden = overrides(call, account, ID)? > 0;
    if disabled && !is_overridden {
        seed(call)?;
        replace(call, account)?;
    } else if !disabled && is_overridden {
        let conditions = [eq("account_id", account), eq("override_rule_id", ID)];
        if call.rows.delete("event_triage_rules", &conditions)? == 0 {
            return Err(Refusal::denied());
        }
    }
    Ok(ToggleSystemRuleOverrideResponse { error: None, is_overridden: Some(disabled), success: true })
}

/// Inserts the rule's own row, which belongs to no tenant.
fn seed(call: &Call<'_>) -> Result<(), Refusal> {
    let system = Caller::system();
    let cells = [
        ("id", ID.into()),
        ("rule_type", KIND.into()),
        ("action", ACTION.into()),
        ("name", NAME.into()),
        ("priority", PRIORITY.into()),
        ("match_occurrence_greater_than", OCCURRENCE.into()),
        ("is_editable", false.into()),
    ];
    let columns = cells.map(|(name, _)| name);
    call.rows.as_caller(&system).upsert("event_triage_rules", &["id"], &cells, &columns)?;
    Ok(())
}

/// Adds a disabled rule of the account that replaces the built-in one.
fn replace(call: &Call<'_>, account: Uuid) -> Result<(), Refusal> {
    // The new row refers to a row without a tenant, therefore the service writes it, if the caller may write.
    let system = Caller::system();
    let id = Uuid::new_v4();
    let own = [
        ("id", id.into()),
        ("account_id", account.into()),
        ("rule_type", KIND.into()),
        ("action", ACTION.into()),
        ("name", NAME.into()),
        ("priority", PRIORITY.into()),
        ("enabled", false.into()),
        ("created_by", call.caller.user.into()),
        ("created_at", ValueRef::Timestamp(call.now)),
        ("updated_at", ValueRef::Timestamp(call.now)),
    ];
    call.rows.insert("event_triage_rules", &own)?;
    let reference = [("override_rule_id", ValueRef::Uuid(ID))];
    call.rows.as_caller(&system).update("event_triage_rules", &[eq("id", id)], &reference)?;
    Ok(())
}
