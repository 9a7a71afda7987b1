//! The row of a run, its inputs, and the state left by earlier runs of its workflow.

use super::claims::ClaimedRun;
use crate::kit::{Look, text, uuid};
use automation::mask::mask;
use automation::plan::Plan;
use catalogue::{Caller, ValueRef, format_timestamp, parse_timestamp};
use graphql::Refusal;
use serde_json::{Map, Value};
use store::{Transaction, eq};
use uuid::Uuid;

/// The row of a run, as tasks need it.
pub(super) struct RunRow {
    pub id: Uuid,
    pub tenant: Uuid,
    pub account: Uuid,
    pub workflow: Uuid,
    /// The person on whose behalf it acts.
    pub person: Option<Uuid>,
    pub depth: i64,
    /// Whether a person has cancelled it.
    pub is_canceled: bool,
    pub row: Value,
}

const COLUMNS: [&str; 13] = [
    "id",
    "tenant_id",
    "account_id",
    "workflow_id",
    "definition",
    "inputs",
    "start_time",
    "scheduled_for",
    "triggered_by",
    "depth",
    "parent_execution",
    "canceled_at",
    "cancel_reason",
];

impl RunRow {
    /// The run's row, if this runner still holds its claim.
    pub(super) fn claimed(rows: &Transaction<'_>, claimed: ClaimedRun) -> Result<Option<Self>, Refusal> {
        let look = Look::at(rows, "workflow_execution")?.with("id", claimed.id)?;
        let look = look.with("claim", claimed.claim)?.with("status", "RUNNING")?;
        look.first(&COLUMNS)?.map(|row| Self::of(rows, row)).transpose()
    }

    fn of(rows: &Transaction<'_>, row: Value) -> Result<Self, Refusal> {
        let id = |column: &str| uuid(&row, column).unwrap_or_default();
        let workflow = id("workflow_id");
        let author = Look::at(rows, "workflow")?.with("id", workflow)?.first(&["updated_by"])?;
        let person =
            uuid(&row, "triggered_by").or_else(|| author.and_then(|author| uuid(&author, "updated_by")));
        Ok(Self {
            id: id("id"),
            tenant: id("tenant_id"),
            account: id("account_id"),
            workflow,
            person,
            depth: row["depth"].as_i64().unwrap_or_default(),
            is_canceled: !row["canceled_at"].is_null(),
            row,
        })
    }

    /// Returns the reason why the run must stop: the person on whose behalf it acts may no longer
    /// run workflows of its account. Runs without a person are not checked.
    pub(super) fn reason_to_stop(&self, rows: &Transaction<'_>) -> Result<Option<String>, Refusal> {
        let Some(person) = self.person else { return Ok(None) };
        let system = Caller::system();
        let name = match auth::person::load(&rows.as_caller(&system), person, self.tenant) {
            Ok(person) if person.writes_in(self.account) => return Ok(None),
            Ok(person) => person.email,
            Err(auth::SignInError::Store(error)) => return Err(error.into()),
            // The person was removed or suspended.
            Err(_) => "the person in whose name it acts".to_owned(),
        };
        Ok(Some(format!(
            "{name} may not run workflows of this account any more. Somebody who may must save the workflow again, or start it"
        )))
    }

    /// The inputs of the run, with those that the engine adds.
    pub(super) fn inputs(&self, rows: &Transaction<'_>) -> Result<Map<String, Value>, Refusal> {
        let mut inputs = self.row["inputs"].as_object().cloned().unwrap_or_default();
        let name = Look::at(rows, "workflow")?.with("id", self.workflow)?.first(&["name"])?;
        let past = Look::at(rows, "workflow_execution")?
            .with("workflow_id", self.workflow)?
            .with("status", "COMPLETED")?;
        let last = past.ordered("start_time", true)?.limit(1).first(&["start_time"])?.unwrap_or_default();
        let time = |value: &Value| {
            let time = value.as_str().and_then(parse_timestamp);
            time.map_or(Value::Null, |time| {
                Value::String(format!("{}Z", format_timestamp(time).trim_end_matches('Z')))
            })
        };
        let scheduled = &self.row["scheduled_for"];
        let scheduled = if scheduled.is_null() { &self.row["start_time"] } else { scheduled };
        for (key, value) in [
            ("workflow_id", Value::String(self.workflow.to_string())),
            ("workflow_name", name.map(|mut name| name["name"].take()).unwrap_or_default()),
            ("workflow_execution_id", Value::String(self.id.to_string())),
            ("workflow_execution_time", time(&self.row["start_time"])),
            ("workflow_scheduled_time", time(scheduled)),
            ("workflow_last_execution_time", time(&last["start_time"])),
        ] {
            inputs.insert(key.to_owned(), value);
        }
        Ok(inputs)
    }

    /// The unexpired state that earlier runs, and this run until now, stored with `set_state`.
    pub(super) fn state(&self, rows: &Transaction<'_>) -> Result<Map<String, Value>, Refusal> {
        let look = Look::at(rows, "workflow_state")?.with("workflow_id", self.workflow)?;
        let found = look.rows(&["key", "value", "expires_at"])?;
        let is_valid = |row: &Value| {
            row["expires_at"].as_str().and_then(parse_timestamp).is_none_or(|end| end > rows.now())
        };
        let pair = |mut row: Value| (text(&row, "key").to_owned(), row["value"].take());
        Ok(found.into_iter().filter(is_valid).map(pair).collect())
    }

    /// Stores the state changes of the plan for later runs and for later tasks of this run, with secrets masked.
    pub(super) fn save_state(
        &self,
        rows: &Transaction<'_>,
        next: &Plan,
        secrets: &Map<String, Value>,
        state: &mut Map<String, Value>,
    ) -> Result<(), Refusal> {
        for change in &next.state {
            let value = mask(&change.value, secrets);
            let known = [eq("workflow_id", self.workflow), eq("key", change.key.as_str())];
            rows.delete("workflow_state", &known)?;
            rows.insert(
                "workflow_state",
                &[
                    ("account_id", self.account.into()),
                    ("workflow_id", self.workflow.into()),
                    ("key", change.key.as_str().into()),
                    ("value", ValueRef::Json(&value.to_string())),
                    ("expires_at", change.expires_at.map_or(ValueRef::Null, ValueRef::Timestamp)),
                ],
            )?;
            state.insert(change.key.clone(), value);
        }
        Ok(())
    }
}
