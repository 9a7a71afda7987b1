//! Runs auto-pilots: finds those that are due, selects recommendations, and starts an attempt for each.
//!
//! An auto-pilot changes nothing directly. Each recommendation it selects becomes an attempt like
//! one started by a person, with its plan, approval and monitoring.

use super::pilot_needs::reason_not_usable;
use super::pilot_reads::known_resources;
use super::pilot_status::time;
use super::pilots::{covered_resources, needed};
use super::schedule;
use crate::kit::{Arguments, Look, person, text, uuid};
use crate::recommendations::{Attempt, Request, attempt, plan_text};
use crate::workflows::engine::{OFF, is_on, require_automation};
use catalogue::{Caller, Value as Cell, ValueRef, format_timestamp, parse_timestamp};
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::Value;
use store::query::{Operator, Test};
use store::{Store, StoreError, Transaction, eq, one_of};
use uuid::Uuid;

/// Maximum number of recommendations per run, unless `auto_optimize_config.max_per_run` is set.
const DEFAULT_MAX_PER_RUN: usize = 20;
/// The statuses in which an auto-pilot runs.
const RUNNING: [&str; 2] = ["Active", "Dryrun"];
const COLUMNS: &[&str] = &[
    "id",
    "tenant_id",
    "account_id",
    "name",
    "category",
    "status",
    "schedule_time",
    "next_schedule_time",
    "start_at",
    "end_at",
    "attributes",
    "created_by",
];
const NO_SCHEDULE: &str =
    "it has no schedule: run it with auto_optimize_run_now, or give it one with auto_optimize_update_one";
pub(super) const NO_TIME: &str = "its schedule is not due again before its end: give it another schedule or end with auto_optimize_update_one";
const NO_COMMAND: &str = "the recommendation does not say which setting to change to what, so no command is known: have a ticket opened instead (ticket_config)";

/// Runs the auto-pilots that are due. Returns when the next one is due (µs since 1970 UTC). Blocks.
pub(crate) fn start_due(store: &Store) -> Result<Option<i64>, StoreError> {
    let system = Caller::system();
    let look = |rows: &Transaction<'_>| -> Result<(Option<i64>, bool), Refusal> {
        if !is_on(rows)? {
            return Ok((None, false));
        }
        let next = next_due(rows)?;
        Ok((next, next.is_some_and(|next| next <= rows.now()) || !to_reschedule(rows)?.is_empty()))
    };
    let (next, is_work) = store.snapshot(&system, look).map_err(Refusal::into_error)?;
    if !is_work {
        return Ok(next);
    }
    let work = |rows: &Transaction<'_>| -> Result<Option<i64>, Refusal> {
        for pilot in to_reschedule(rows)? {
            plan_next(rows, &pilot)?;
        }
        let due = Test::Compare(Operator::LessOrEqual, Cell::Timestamp(rows.now()));
        for pilot in Look::at(rows, "auto_pilot")?.that("next_schedule_time", due)?.rows(COLUMNS)? {
            if RUNNING.contains(&text(&pilot, "status")) {
                run(rows, &pilot)?;
            }
            plan_next(rows, &pilot)?;
        }
        next_due(rows)
    };
    store.transaction(&system, work).map_err(Refusal::into_error)
}

/// Clears the next run time of all auto-pilots and stores the reason. Called when automation is switched off.
pub(crate) fn stop_all(rows: &Transaction<'_>) -> Result<(), Refusal> {
    let look = Look::at(rows, "auto_pilot")?
        .one_of("status", RUNNING.map(|status| Cell::Text(status.to_owned())).to_vec())?;
    for pilot in look.rows(COLUMNS)? {
        let attributes = with_reason(&pilot["attributes"], Some(OFF)).to_string();
        let set = [("next_schedule_time", ValueRef::Null), ("attributes", ValueRef::Json(&attributes))];
        write(rows, &pilot, &set)?;
    }
    Ok(())
}

/// The auto-pilot's attributes with the reason why it does not run, or without any reason.
pub(super) fn with_reason(attributes: &Value, reason: Option<&str>) -> Value {
    let mut attributes = attributes.as_object().cloned().unwrap_or_default();
    match reason {
        Some(reason) => attributes.insert("not_running".to_owned(), Value::from(reason)),
        None => attributes.remove("not_running"),
    };
    Value::Object(attributes)
}

fn next_due(rows: &Transaction<'_>) -> Result<Option<i64>, Refusal> {
    let known = Test::Not(Box::new(Test::IsNull));
    let look = Look::at(rows, "auto_pilot")?.that("next_schedule_time", known)?;
    let first = look.ordered("next_schedule_time", false)?.limit(1).first(&["next_schedule_time"])?;
    Ok(first.and_then(|row| row["next_schedule_time"].as_str().and_then(parse_timestamp)))
}

/// Auto-pilots that must be rescheduled: they could run but have no next run time, have one
/// although something is missing, or store an outdated reason.
fn to_reschedule(rows: &Transaction<'_>) -> Result<Vec<Value>, Refusal> {
    let look = Look::at(rows, "auto_pilot")?
        .one_of("status", RUNNING.map(|status| Cell::Text(status.to_owned())).to_vec())?;
    let mut found = Vec::new();
    for pilot in look.rows(COLUMNS)? {
        let is_news = if pilot["next_schedule_time"].is_null() {
            let (next, reason) = next_run_or_reason(rows, &pilot)?;
            next.is_some() || reason.as_deref() != pilot["attributes"]["not_running"].as_str()
        } else {
            reason_blocked(rows, &pilot)?.is_some()
        };
        if is_news {
            found.push(pilot);
        }
    }
    Ok(found)
}

fn reason_blocked(rows: &Transaction<'_>, pilot: &Value) -> Result<Option<String>, Refusal> {
    let system = Caller::system_for(uuid(pilot, "tenant_id").unwrap_or_default());
    let account = uuid(pilot, "account_id").unwrap_or_default();
    reason_not_usable(&rows.as_caller(&system), text(pilot, "status"), account, &pilot["attributes"])
}

/// When the auto-pilot is due next, or why it is not.
fn next_run_or_reason(
    rows: &Transaction<'_>,
    pilot: &Value,
) -> Result<(Option<i64>, Option<String>), Refusal> {
    let next = next_of(pilot, rows.now());
    if let Some(reason) = no_time(pilot, next) {
        return Ok((None, Some(reason.to_owned())));
    }
    let lack = reason_blocked(rows, pilot)?;
    Ok((next.filter(|_| lack.is_none()), lack))
}

/// The first run time after `now` and before the auto-pilot's end.
fn next_of(pilot: &Value, now: i64) -> Option<i64> {
    let from = time(pilot, "start_at").unwrap_or(now).max(now);
    let next = schedule::next(pilot["schedule_time"].as_str()?, from).ok()?;
    Some(next).filter(|next| time(pilot, "end_at").is_none_or(|end| *next < end))
}

/// Returns the reason why an active auto-pilot has no next run time; `None` if it has one.
pub(super) fn no_time(pilot: &Value, next: Option<i64>) -> Option<&'static str> {
    match (next, pilot["schedule_time"].as_str()) {
        (Some(_), _) => None,
        (None, None) => Some(NO_SCHEDULE),
        (None, Some(_)) => Some(NO_TIME),
    }
}

/// Stores when the auto-pilot is due next. One that has reached its end becomes Disabled.
fn plan_next(rows: &Transaction<'_>, pilot: &Value) -> Result<(), Refusal> {
    let (next, reason) = next_run_or_reason(rows, pilot)?;
    let is_over = time(pilot, "end_at").is_some_and(|end| end <= rows.now());
    let reason = reason.filter(|_| !is_over);
    let attributes = with_reason(&pilot["attributes"], reason.as_deref()).to_string();
    let mut set = vec![
        ("next_schedule_time", next.map_or(ValueRef::Null, ValueRef::Timestamp)),
        ("attributes", ValueRef::Json(&attributes)),
    ];
    if is_over {
        set.push(("status", "Disabled".into()));
    }
    write(rows, pilot, &set)
}

fn write(rows: &Transaction<'_>, pilot: &Value, set: &[(&str, ValueRef<'_>)]) -> Result<(), Refusal> {
    let system = Caller::system_for(uuid(pilot, "tenant_id").unwrap_or_default());
    let id = uuid(pilot, "id").unwrap_or_default();
    rows.as_caller(&system).without_actor().update("auto_pilot", &[eq("id", id)], set)?;
    Ok(())
}

/// Runs an auto-pilot once, stores the time of the run, and returns the number of recommendations it took up.
fn run(rows: &Transaction<'_>, pilot: &Value) -> Result<usize, Refusal> {
    let mut caller = Caller::system_for(uuid(pilot, "tenant_id").unwrap_or_default());
    caller.user = uuid(pilot, "created_by");
    let acting = rows.as_caller(&caller);
    let rows = acting.with_audit_operation("auto_pilot_run", caller.user);
    let most = pilot["attributes"]["auto_optimize_config"]["max_per_run"].as_u64();
    let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(DEFAULT_MAX_PER_RUN);
    let mut taken = 0;
    for found in candidates(&rows, pilot)? {
        if taken >= most {
            break;
        }
        taken += usize::from(start_attempt(&rows, pilot, &found)?);
    }
    let now = ValueRef::Timestamp(rows.now());
    let set = [("last_executed_time", now), ("last_schedule_time", now), ("execution_status", "Idle".into())];
    write(&rows, pilot, &set)?;
    Ok(taken)
}

/// A recommendation that an auto-pilot covers.
struct Candidate {
    id: Uuid,
    name: String,
    resource: Value,
}

/// Open recommendations of the auto-pilot's category for its resources, largest saving first.
fn candidates(rows: &Transaction<'_>, pilot: &Value) -> Result<Vec<Candidate>, Refusal> {
    let account = uuid(pilot, "account_id").unwrap_or_default();
    let filters = covered_resources(rows, uuid(pilot, "id"))?;
    let known = known_resources(rows, account)?;
    let look = Look::at(rows, "recommendation")?
        .with("cloud_account_id", account)?
        .with("category", "RightSizing")?
        .with("status", "Open")?
        .ordered_as("estimated_savings", "desc_nulls_last")?
        .ordered("id", false)?;
    let mut found = Vec::new();
    for row in look.rows(&["id", "rule_name", "resource_id", "recommendation"])? {
        let Some(resource) = uuid(&row, "resource_id").and_then(|id| known.get(&id)) else { continue };
        if !filters.iter().any(|filter| filter.matches(resource)) || !fits(text(pilot, "category"), &row) {
            continue;
        }
        found.push(Candidate {
            id: uuid(&row, "id").unwrap_or_default(),
            name: format!("{} of {resource}", text(&row, "rule_name")),
            resource: resource.write(),
        });
    }
    Ok(found)
}

/// Whether a recommendation belongs to a category, judged by its rule name and the kind of its resource.
fn fits(category: &str, row: &Value) -> bool {
    let rule = text(row, "rule_name").to_lowercase();
    let kind = row["recommendation"]["kind"].as_str().unwrap_or_default().to_lowercase();
    let is_volume = kind == "persistentvolumeclaim" || rule.contains("pvc") || rule.contains("volume");
    let is_number = ["replica", "copies", "horizontal"].iter().any(|word| rule.contains(word));
    match category {
        "pvc_rightsize" => is_volume,
        "horizontal_rightsize" => is_number,
        _ => !is_volume && !is_number,
    }
}

/// Starts an attempt for a recommendation and stores the result. Returns whether the result is new.
fn start_attempt(rows: &Transaction<'_>, pilot: &Value, wanted: &Candidate) -> Result<bool, Refusal> {
    let id = uuid(pilot, "id").unwrap_or_default();
    let plan = plan_text(rows, wanted.id)?;
    let attributes = &pilot["attributes"];
    let task = Uuid::new_v4();
    let (status, reason) = if text(pilot, "status") == "Dryrun" {
        ("Dryrun", plan.text.clone())
    } else {
        let gitops = &attributes["git_ops_config"];
        let is_gitops = gitops["enabled"] == true;
        let is_ticket = !is_gitops && attributes["ticket_config"]["enabled"] == true;
        let provider = match text(gitops, "provider") {
            "" if is_gitops => Some("github"),
            provider if is_gitops => Some(provider),
            _ if is_ticket => Some("ticket"),
            _ => plan.provider,
        };
        let config = [(is_gitops, gitops), (is_ticket, &attributes["ticket_config"])];
        match provider {
            None => ("Skipped", plan.lack.unwrap_or(NO_COMMAND).to_owned()),
            Some(provider) => {
                let request = Request {
                    recommendation: wanted.id,
                    account: uuid(pilot, "account_id").unwrap_or_default(),
                    provider,
                    provider_config: config.into_iter().find(|(is_so, _)| *is_so).map(|(_, config)| config),
                    data: None,
                    person: uuid(pilot, "created_by").unwrap_or_default(),
                    resolver_type: "AutoOptimize",
                    resolver_id: id.to_string(),
                    pilot_task: Some(task),
                };
                match rows.attempt(|| attempt(rows, &request)) {
                    Ok(Attempt { status: "InProgress", message, .. }) => ("In_Progress", message),
                    Ok(ended) => ("Failed", ended.message),
                    Err(refusal) => ("Skipped", refusal.message),
                }
            }
        }
    };
    if status != "In_Progress" && is_known(rows, id, wanted.id, (status, &reason))? {
        return Ok(false);
    }
    let command = Some(plan.commands.join("\n")).filter(|command| !command.is_empty());
    let meta = crate::kit::reply(&TaskMeta { plan: &plan.text, patch: plan.patch.as_deref() })?.to_string();
    rows.insert(
        "auto_pilot_task",
        &[
            ("id", task.into()),
            ("account_id", uuid(pilot, "account_id").into()),
            ("auto_pilot_id", id.into()),
            ("task_id", task.into()),
            ("name", wanted.name.as_str().into()),
            ("recommendation_id", wanted.id.into()),
            ("resource_filter", ValueRef::Json(&wanted.resource.to_string())),
            ("command", command.as_deref().into()),
            ("meta", ValueRef::Json(&meta)),
            ("status", status.into()),
            ("reason", reason.as_str().into()),
            ("scheduled_time", ValueRef::Timestamp(rows.now())),
            ("created_at", ValueRef::Timestamp(rows.now())),
            ("updated_at", ValueRef::Timestamp(rows.now())),
        ],
    )?;
    Ok(true)
}

#[derive(Serialize)]
struct TaskMeta<'a> {
    plan: &'a str,
    patch: Option<&'a str>,
}

/// Whether the last task for this recommendation had the same status and reason. If so, only its time is updated.
fn is_known(
    rows: &Transaction<'_>,
    pilot: Uuid,
    recommendation: Uuid,
    (status, reason): (&str, &str),
) -> Result<bool, Refusal> {
    let last = Look::at(rows, "auto_pilot_task")?
        .with("auto_pilot_id", pilot)?
        .with("recommendation_id", recommendation)?;
    let last = last.ordered("created_at", true)?.limit(1).first(&["id", "status", "reason"])?;
    let Some(last) = last.filter(|last| last["status"] == status && last["reason"] == reason) else {
        return Ok(false);
    };
    let set = [("updated_at", ValueRef::Timestamp(rows.now()))];
    rows.without_actor().update(
        "auto_pilot_task",
        &[eq("id", uuid(&last, "id").unwrap_or_default())],
        &set,
    )?;
    Ok(true)
}

#[derive(Serialize)]
pub(super) struct RunAnswer {
    id: Uuid,
    message: String,
    tasks: usize,
}

/// Handles `auto_optimize_run_now`.
pub(super) fn run_now(call: &Call<'_>) -> Result<RunAnswer, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let (id, account) = (request.needed_id("id")?, request.needed_id("account_id")?);
    needed(call, id, Some(account))?;
    person(call)?;
    let Some(pilot) = Look::at(call.rows, "auto_pilot")?.with("id", id)?.first(COLUMNS)? else {
        return Err(Refusal::denied());
    };
    let status = text(&pilot, "status");
    if !RUNNING.contains(&status) {
        let message = format!("the auto-pilot is {status} and does not run: make it Active or Dryrun first");
        return Err(Refusal::conflict(message));
    }
    // A dry run changes nothing.
    if status == "Active" {
        require_automation(call.rows)?;
    }
    let before = one_of("status", ["In_Progress", "Executed"].map(Into::into).to_vec());
    let open = call.rows.count("auto_pilot_task", &[eq("auto_pilot_id", id), before])?;
    let tasks = run(call.rows, &pilot)?;
    let message = match (tasks, status) {
        (0, _) if open > 0 => format!("nothing new to do; {open} of its tasks are under way"),
        (0, _) => "nothing to do: no Open recommendation of its category is on its resources, or the last run said the same".to_owned(),
        (1, "Dryrun") => "1 recommendation would be taken up; auto_pilot_task says how".to_owned(),
        (1, _) => "1 recommendation was looked at; auto_pilot_task says what became of it".to_owned(),
        (tasks, "Dryrun") => format!("{tasks} recommendations would be taken up; auto_pilot_task says how"),
        (tasks, _) => format!("{tasks} recommendations were looked at; auto_pilot_task says what became of each"),
    };
    let now = format_timestamp(call.now);
    Ok(RunAnswer { id, message: format!("{message} ({now}Z)"), tasks })
}

#[cfg(test)]
mod tests {
    use super::{NO_SCHEDULE, NO_TIME, fits, next_of, no_time, with_reason};
    use catalogue::parse_timestamp;
    use serde_json::json;

    #[test]
    fn a_recommendation_belongs_to_one_category() {
        let krr = json!({ "rule_name": "krr container app", "recommendation": { "kind": "Deployment" } });
        let claim = json!({ "rule_name": "size", "recommendation": { "kind": "PersistentVolumeClaim" } });
        assert!(
            fits("vertical_rightsize", &krr)
                && !fits("pvc_rightsize", &krr)
                && !fits("horizontal_rightsize", &krr)
        );
        assert!(fits("pvc_rightsize", &claim) && !fits("continuous_rightsize", &claim));
    }

    #[test]
    fn why_it_does_not_run_stands_beside_its_settings() {
        let off = with_reason(&json!({ "a": 1 }), Some("off"));
        assert_eq!(off, json!({ "a": 1, "not_running": "off" }));
        assert_eq!(with_reason(&off, None), json!({ "a": 1 }));
    }

    #[test]
    fn one_without_a_next_time_says_why() {
        let daily = json!({ "schedule_time": "0 5 * * *", "end_at": "2026-11-21T06:00:00" });
        let before = parse_timestamp("2026-11-21T04:00:00").unwrap();
        assert_eq!(no_time(&daily, next_of(&daily, before)), None);
        let after = parse_timestamp("2026-11-21T05:30:00").unwrap();
        assert_eq!(no_time(&daily, next_of(&daily, after)), Some(NO_TIME));
        assert_eq!(no_time(&json!({ "schedule_time": null }), None), Some(NO_SCHEDULE));
    }
}
