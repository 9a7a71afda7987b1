//! The same change of many events, in batches within the transaction of the call.

use super::criteria::Criteria;
use super::status;
use crate::kit::{Arguments, Look};
use catalogue::{Value, ValueRef};
use graphql::{Call, Refusal};
use serde_json::{Value as Json, json};
use store::eq;
use store::query::{Operator, Test};
use uuid::Uuid;

/// Events of one batch (semantics §7).
const BATCH: u64 = 500;
/// More than this is refused: other writers would wait too long.
const MOST: u64 = 20_000;

/// What is done to which events.
pub(super) struct Bulk<'a> {
    pub account: Uuid,
    pub criteria: &'a Criteria,
    pub target: &'static str,
    pub rule: Option<Uuid>,
    pub classification: Option<Uuid>,
    pub fingerprint: Option<&'a str>,
}

/// The events of a change that are not where they are to go.
pub(super) fn concerned<'a>(
    call: &'a Call<'_>,
    criteria: &Criteria,
    account: Uuid,
    target: &str,
) -> Result<Look<'a>, Refusal> {
    let elsewhere = Test::Compare(Operator::NotEqual, Value::Text(target.to_owned()));
    criteria.look(call, account)?.that("nb_status", elsewhere)
}

impl Bulk<'_> {
    /// Changes the events and writes the operation down; null when there are none.
    pub(super) fn run(&self, call: &Call<'_>) -> Result<Json, Refusal> {
        let total = concerned(call, self.criteria, self.account, self.target)?.count()?;
        if total == 0 {
            return Ok(Json::Null);
        }
        if total > MOST {
            let message =
                format!("{total} events match, and at most {MOST} are changed at once: narrow the rule");
            return Err(Refusal::new("limit-exceeded", message));
        }
        let (id, number) = (Uuid::new_v4(), i64::try_from(total).unwrap_or(i64::MAX));
        call.rows.insert(
            "event_bulk_operations",
            &[
                ("id", id.into()),
                ("account_id", self.account.into()),
                ("classification_id", self.classification.into()),
                ("rule_id", self.rule.into()),
                ("fingerprint", self.fingerprint.into()),
                ("operation_type", "update_status".into()),
                ("target_status", self.target.into()),
                ("total_events", ValueRef::Int(number)),
                ("processed_events", ValueRef::Int(number)),
                ("status", "completed".into()),
                ("created_at", ValueRef::Timestamp(call.now)),
                ("completed_at", ValueRef::Timestamp(call.now)),
                ("created_by", call.caller.user.into()),
            ],
        )?;
        let mut left = total;
        while left > 0 {
            left -= self.batch(call)?.min(left);
        }
        Ok(json!({ "job_id": id.to_string(), "status": "completed", "events_to_update": total }))
    }

    /// Changes one batch; how many events it was.
    fn batch(&self, call: &Call<'_>) -> Result<u64, Refusal> {
        let look = concerned(call, self.criteria, self.account, self.target)?.ordered("id", false)?;
        let found = look.limit(BATCH).rows(&["id", "nb_status"])?;
        for row in &found {
            let id = row["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
            let before = row["nb_status"].as_str().unwrap_or("OPEN").to_owned();
            let event = status::Event { id, account: Some(self.account), status: before };
            status::set(call, &event, self.target, None, "status set for all events that match")?;
        }
        match found.len() {
            // Nothing the caller may change is left.
            0 => Err(Refusal::denied()),
            count => Ok(count as u64),
        }
    }
}

/// `event_bulk_operation_status`
pub(super) fn status(call: &Call<'_>) -> Result<Json, Refusal> {
    let id = Arguments(call.arguments).needed_id("job_id")?;
    let columns = ["completed_at", "error_message", "processed_events", "status", "total_events"];
    let found = Look::at(call.rows, "event_bulk_operations")?.with("id", id)?.first(&columns)?;
    let mut row = found.ok_or_else(|| Refusal::not_found(format!("there is no bulk operation {id}")))?;
    row["job_id"] = id.to_string().into();
    for count in ["processed_events", "total_events"] {
        row[count] = row[count].as_i64().unwrap_or_default().into();
    }
    Ok(row)
}

/// Whether a caller meets the account.
pub(super) fn check_account(call: &Call<'_>, account: Uuid) -> Result<(), Refusal> {
    match call.rows.count("cloud_accounts", &[eq("id", account)])? {
        0 => Err(Refusal::not_found(format!("there is no account {account}"))),
        _ => Ok(()),
    }
}
