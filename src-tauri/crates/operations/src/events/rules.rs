//! Triage rules: matching events are suppressed, dropped, classified or rescored.

use super::bulk::{Bulk, concerned};
use super::criteria::{self, Criteria};
use super::system_rule;
use crate::kit::{self, Arguments, Look};
use catalogue::{Value, ValueRef};
use graphql::{Call, Refusal};
use model::operations::{
    BulkOperationResponse, DeleteTriageRuleResponse, EventPreviewTriageRuleOutput, RulePreviewSampleEvent,
};
use model::{Read, row};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use store::query::{Operator, Test};
use store::{eq, ne};
use uuid::Uuid;

/// The kinds of rule and their actions.
const ACTIONS: [(&str, &[&str]); 3] = [
    ("suppression", &["suppress", "drop"]),
    ("scoring", &["adjust_score"]),
    ("classification", &["auto_classify_duplicate", "auto_classify_fp"]),
];
/// The status that an action gives to events. `adjust_score` changes no status.
const TARGETS: [(&str, &str); 4] = [
    ("suppress", "SUPPRESSED"),
    ("drop", "DROPPED"),
    ("auto_classify_duplicate", "DUPLICATE"),
    ("auto_classify_fp", "SUPPRESSED"),
];
const NO_CHANGE: &str = "NO_CHANGE";
pub(super) const DEFAULT_PRIORITY: i64 = 100;
const DEFAULT_LIMIT: u64 = 50;
/// Days of past events against which a preview replays the rule.
const REPLAYED_DAYS: i64 = 30;
/// One day in µs.
const DAY: i64 = 86_400_000_000;
/// Events per query when classifications are read.
const BATCH: usize = 500;

/// The columns of a rule in the API.
pub(super) const COLUMNS: [&str; 28] = [
    "id",
    "tenant_id",
    "account_id",
    "action",
    "action_value",
    "can_override",
    "created_at",
    "created_by",
    "description",
    "effective_from",
    "effective_until",
    "enabled",
    "is_editable",
    "last_matched_at",
    "match_alertname",
    "match_count",
    "match_finding_type",
    "match_fingerprint",
    "match_labels",
    "match_namespace",
    "match_occurrence_greater_than",
    "match_priority",
    "match_service",
    "match_source",
    "name",
    "override_rule_id",
    "priority",
    "reason",
];
const MORE_COLUMNS: [&str; 3] = ["rule_type", "updated_at", "updated_by"];

/// A rule to be created.
pub(super) struct NewRule {
    pub kind: &'static str,
    pub action: &'static str,
    /// JSON text.
    pub value: Option<String>,
    pub criteria: Criteria,
    pub until: Option<i64>,
    pub name: Option<String>,
}

/// Adds a rule to an account and returns its id.
pub(super) fn add(call: &Call<'_>, account: Uuid, rule: &NewRule) -> Result<Uuid, Refusal> {
    let id = Uuid::new_v4();
    let mut cells = rule.cells(call);
    cells.extend([
        ("id", id.into()),
        ("account_id", account.into()),
        ("effective_from", ValueRef::Timestamp(call.now)),
        ("created_by", call.caller.user.into()),
        ("created_at", ValueRef::Timestamp(call.now)),
    ]);
    call.rows.insert("event_triage_rules", &cells)?;
    Ok(id)
}

impl NewRule {
    fn cells(&self, call: &Call<'_>) -> Vec<(&'static str, ValueRef<'_>)> {
        let mut cells = self.criteria.cells();
        cells.extend([
            ("rule_type", self.kind.into()),
            ("action", self.action.into()),
            ("action_value", self.value.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
            ("effective_until", self.until.map_or(ValueRef::Null, ValueRef::Timestamp)),
            ("name", self.name.as_deref().into()),
            ("updated_by", call.caller.user.into()),
            ("updated_at", ValueRef::Timestamp(call.now)),
        ]);
        cells
    }

    fn read(call: &Call<'_>) -> Result<Self, Refusal> {
        let arguments = Arguments(call.arguments);
        let (kind, action) = kind_and_action(arguments)?;
        let until = arguments.time("effective_until")?;
        if until.is_some_and(|until| until <= call.now) {
            return Err(Refusal::invalid("`effective_until` is over: a rule that never holds is of no use"));
        }
        Ok(Self {
            kind,
            action,
            value: action_value(arguments, action)?,
            criteria: Criteria::read(call.arguments)?,
            until,
            name: arguments.text("name").map(str::to_owned),
        })
    }
}

fn kind_and_action(arguments: Arguments<'_>) -> Result<(&'static str, &'static str), Refusal> {
    let kinds = ACTIONS.map(|(kind, _)| kind);
    let kind = arguments.word("rule_type", &kinds)?.unwrap_or(kinds[0]);
    let allowed = ACTIONS.iter().find(|(known, _)| *known == kind).map_or(&[][..], |(_, actions)| *actions);
    let given = arguments.needed("action")?;
    match allowed.iter().find(|action| **action == given) {
        Some(action) => Ok((kind, action)),
        None => Err(Refusal::invalid(format!(
            "`action` is \"{given}\": a rule of type {kind} can {}",
            allowed.join(", ")
        ))),
    }
}

/// The action's parameter as JSON text: `adjust_score` requires the number by which the score moves.
fn action_value(arguments: Arguments<'_>, action: &str) -> Result<Option<String>, Refusal> {
    let given = arguments.text("action_value").filter(|text| !text.is_empty());
    let read = given.map(|text| serde_json::from_str::<Json>(text).unwrap_or_else(|_| text.into()));
    let is_score = |value: &Json| value.as_i64().is_some_and(|score| (-100..=100).contains(&score));
    match read {
        value if action == "adjust_score" && !value.as_ref().is_some_and(is_score) => {
            let found = given.map_or("missing".to_owned(), |text| format!("\"{text}\""));
            let message =
                format!("`action_value` is {found}: adjust_score needs a whole number from -100 to 100");
            Err(Refusal::invalid(message))
        }
        value => Ok(value.map(|value| value.to_string())),
    }
}

/// The status that an action gives to events.
pub(super) fn target(action: &str) -> Option<&'static str> {
    TARGETS.iter().find(|(known, _)| *known == action).map(|(_, target)| *target)
}

/// The columns besides criteria and action.
fn describing(arguments: Arguments<'_>) -> [(&'static str, ValueRef<'_>); 2] {
    let priority = arguments.whole("priority").unwrap_or(DEFAULT_PRIORITY);
    [("description", arguments.text("description").into()), ("priority", priority.into())]
}

fn apply(
    call: &Call<'_>,
    account: Uuid,
    id: Uuid,
    rule: &NewRule,
) -> Result<Option<BulkOperationResponse>, Refusal> {
    let wanted = Arguments(call.arguments).flag("apply_to_existing").unwrap_or(false);
    match target(rule.action).filter(|_| wanted) {
        None => Ok(None),
        Some(target) => Bulk {
            account,
            criteria: &rule.criteria,
            target,
            rule: Some(id),
            classification: None,
            fingerprint: None,
        }
        .run(call),
    }
}

/// A stored rule, and the bulk operation that applies it to existing events.
#[derive(Serialize)]
pub(super) struct RuleAnswer {
    success: bool,
    rule: Json,
    bulk_operation: Option<BulkOperationResponse>,
}

/// `event_create_triage_rule`
pub(super) fn create(call: &Call<'_>) -> Result<RuleAnswer, Refusal> {
    let account = Arguments(call.arguments).needed_id("cloud_account_id")?;
    kit::account(call, account)?;
    let rule = NewRule::read(call)?;
    let id = add(call, account, &rule)?;
    let describing = describing(Arguments(call.arguments));
    call.rows.update("event_triage_rules", &[eq("id", id)], &describing)?;
    let bulk_operation = apply(call, account, id, &rule)?;
    Ok(RuleAnswer { success: true, rule: shown(call, id)?, bulk_operation })
}

/// `event_update_triage_rule`
pub(super) fn update(call: &Call<'_>) -> Result<RuleAnswer, Refusal> {
    let (id, account) = editable(call)?;
    let rule = NewRule::read(call)?;
    let mut cells = rule.cells(call);
    cells.extend(describing(Arguments(call.arguments)));
    if call.rows.update("event_triage_rules", &[eq("id", id)], &cells)? == 0 {
        return Err(Refusal::denied());
    }
    let bulk_operation = apply(call, account, id, &rule)?;
    Ok(RuleAnswer { success: true, rule: shown(call, id)?, bulk_operation })
}

/// `event_delete_triage_rule`: disables the rule, or deletes it with `hard_delete`.
pub(super) fn delete(call: &Call<'_>) -> Result<DeleteTriageRuleResponse, Refusal> {
    let (id, _) = editable(call)?;
    let changed = if Arguments(call.arguments).flag("hard_delete").unwrap_or(false) {
        call.rows.update("event_bulk_operations", &[eq("rule_id", id)], &[("rule_id", ValueRef::Null)])?;
        call.rows.delete("event_triage_rules", &[eq("id", id)])?
    } else {
        let sets = [
            ("enabled", false.into()),
            ("updated_by", call.caller.user.into()),
            ("updated_at", ValueRef::Timestamp(call.now)),
        ];
        call.rows.update("event_triage_rules", &[eq("id", id)], &sets)?
    };
    if changed == 0 {
        return Err(Refusal::denied());
    }
    Ok(DeleteTriageRuleResponse { error: None, success: true })
}

row! { struct Ownership from event_triage_rules { account_id, is_editable } }

/// The rule of the request and its account, if the caller can see the rule and may change it.
fn editable(call: &Call<'_>) -> Result<(Uuid, Uuid), Refusal> {
    let arguments = Arguments(call.arguments);
    let (id, account) = (arguments.needed_id("rule_id")?, arguments.needed_id("cloud_account_id")?);
    if id == system_rule::ID {
        let message = "a rule that came with the service cannot be changed; an account can switch it off with \
                       event_toggle_system_rule_override";
        return Err(Refusal::conflict(message));
    }
    let found = call.rows.find::<Ownership>(id)?;
    let Some(rule) = found.filter(|rule| rule.account_id.is_none_or(|known| known == account)) else {
        return Err(Refusal::not_found(format!("account {account} has no triage rule {id}")));
    };
    if rule.is_editable == Some(false) {
        return Err(Refusal::conflict(format!("triage rule {id} cannot be changed")));
    }
    Ok((id, account))
}

/// `event_get_triage_rules`
pub(super) fn list(call: &Call<'_>) -> Result<Json, Refusal> {
    let arguments = Arguments(call.arguments);
    let account = arguments.id("cloud_account_id")?;
    let mut look = Look::at(call.rows, "event_triage_rules")?;
    if let Some(account) = account {
        kit::account(call, account)?;
        look = look.with("account_id", account)?;
    }
    let enabled = arguments.flag("enabled");
    if let Some(enabled) = enabled {
        look = look.with("enabled", enabled)?;
    }
    let kind = arguments.word("rule_type", &ACTIONS.map(|(kind, _)| kind))?;
    if let Some(kind) = kind {
        look = look.with("rule_type", kind)?;
    }
    let rows = look.ordered("priority", false)?.ordered("created_at", false)?.rows(&columns())?;
    // A rule that replaces the built-in rule is reported as part of that rule.
    let own = rows.into_iter().filter(|row| row["override_rule_id"].is_null()).map(told);
    let mut rules: Vec<Json> = own.collect();
    let service = system_rule::shown(call, account)?;
    let is_asked = enabled.is_none_or(|enabled| service["enabled"] == enabled);
    if is_asked && kind.is_none_or(|kind| kind == system_rule::KIND) {
        rules.push(service);
    }
    Ok(json!({ "rules": rules }))
}

fn columns() -> Vec<&'static str> {
    COLUMNS.into_iter().chain(MORE_COLUMNS).collect()
}

fn shown(call: &Call<'_>, id: Uuid) -> Result<Json, Refusal> {
    let row = Look::at(call.rows, "event_triage_rules")?.with("id", id)?.first(&columns())?;
    Ok(row.map_or(Json::Null, told))
}

/// A row in the API's form: JSON columns as text, defaults for required fields that are null.
fn told(mut row: Json) -> Json {
    for name in ["action_value", "match_labels"] {
        if !row[name].is_null() {
            row[name] = row[name].to_string().into();
        }
    }
    for (name, otherwise) in [
        ("can_override", json!(true)),
        ("enabled", json!(true)),
        ("is_editable", json!(true)),
        ("match_count", json!(0)),
        ("priority", json!(DEFAULT_PRIORITY)),
        ("created_at", row["updated_at"].clone()),
        ("updated_at", row["created_at"].clone()),
    ] {
        if row[name].is_null() {
            row[name] = otherwise;
        }
    }
    row["is_system_rule"] = false.into();
    row["is_overridden"] = false.into();
    row
}

/// `event_preview_triage_rule`
pub(super) fn preview(call: &Call<'_>) -> Result<EventPreviewTriageRuleOutput, Refusal> {
    let arguments = Arguments(call.arguments);
    let account = arguments.needed_id("cloud_account_id")?;
    kit::account(call, account)?;
    let (_, action) = kind_and_action(arguments)?;
    let criteria = Criteria::read(call.arguments)?;
    let target = target(action);
    let look = match target {
        Some(target) => concerned(call.rows, &criteria, account, target)?,
        None => criteria.look(call.rows, account)?,
    };
    let count = look.count()?;
    let since = call.now.saturating_sub(REPLAYED_DAYS * DAY);
    let lately = || Test::Compare(Operator::GreaterOrEqual, Value::Timestamp(since));
    let recent_matching = criteria.look(call.rows, account)?.that("starts_at", lately())?.count()?;
    let recent = Look::at(call.rows, "events")?.with("cloud_account_id", account)?;
    let recent = recent.that("starts_at", lately())?.count()?;
    let sample = look.ordered("starts_at", true)?.ordered("id", false)?.limit(5);
    let sample = sample.rows(&["id", "title", "subject_namespace", "service_key"])?;
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    Ok(EventPreviewTriageRuleOutput {
        matching_events_count: number(count),
        new_status: target.unwrap_or(NO_CHANGE).to_owned(),
        recent_days: REPLAYED_DAYS,
        recent_events_count: number(recent),
        recent_matching_events_count: number(recent_matching),
        sample_events: sample.iter().map(sample_event).collect(),
    })
}

fn sample_event(row: &Json) -> RulePreviewSampleEvent {
    RulePreviewSampleEvent {
        id: kit::text(row, "id").to_owned(),
        title: kit::text(row, "title").to_owned(),
        namespace: row["subject_namespace"].as_str().map(str::to_owned),
        service: row["service_key"].as_str().map(str::to_owned),
    }
}

/// `event_get_triage_rule_events`
pub(super) fn events(call: &Call<'_>) -> Result<Json, Refusal> {
    let arguments = Arguments(call.arguments);
    let id = arguments.needed_id("rule_id")?;
    let names = criteria::COLUMNS.into_iter().chain(["account_id"]).collect::<Vec<_>>();
    let found = Look::at(call.rows, "event_triage_rules")?.with("id", id)?.first(&names)?;
    let rule = found.ok_or_else(|| Refusal::not_found(format!("there is no triage rule {id}")))?;
    let none = Map::new();
    let criteria = Criteria::read(rule.as_object().unwrap_or(&none))?;
    let account = match Arguments(rule.as_object().unwrap_or(&none)).id("account_id")? {
        Some(account) => account,
        None => arguments.needed_id("account_id")?,
    };
    let (start, end) = (arguments.time("start_date")?, arguments.time("end_date")?);
    if start.zip(end).is_some_and(|(start, end)| end < start) {
        return Err(Refusal::invalid("`end_date` is before `start_date`: the window ends before it begins"));
    }
    let mut look = criteria.look(call.rows, account)?;
    for (time, operator) in [(start, Operator::GreaterOrEqual), (end, Operator::LessOrEqual)] {
        if let Some(time) = time {
            look = look.that("starts_at", Test::Compare(operator, Value::Timestamp(time)))?;
        }
    }
    let natural = |name: &str| arguments.whole(name).and_then(|value| u64::try_from(value).ok()).unwrap_or(0);
    let (wanted, most) = (natural("limit"), call.rows.most_rows());
    if wanted > most {
        return Err(Refusal::too_many_rows(wanted, most));
    }
    let limit = if wanted == 0 { DEFAULT_LIMIT.min(most) } else { wanted };
    let (total, offset) = (look.count()?, natural("offset"));
    let look = look.ordered("starts_at", true)?.ordered("id", false)?.limit(limit).offset(offset);
    let columns = [
        "cloud_account_id",
        "id",
        "nb_status",
        "priority",
        "starts_at",
        "status",
        "subject_name",
        "subject_namespace",
        "subject_type",
        "title",
    ];
    let mut rows = look.rows(&columns)?;
    for part in rows.chunks_mut(BATCH) {
        let ids = part.iter().filter_map(|row| kit::uuid(row, "id")).map(Value::Uuid).collect();
        let judged = Look::at(call.rows, "event_classification")?.one_of("event_id", ids)?;
        let judged = judged.rows(&["event_id", "classification", "classified_at"])?;
        let mut judged: HashMap<String, Json> =
            judged.into_iter().map(|row| (kit::text(&row, "event_id").to_owned(), row)).collect();
        for row in part {
            row["account_id"] = row["cloud_account_id"].take();
            if let Some(mut judged) = judged.remove(kit::text(row, "id")) {
                row["classification"] = judged["classification"].take();
                row["classified_at"] = judged["classified_at"].take();
            }
        }
    }
    Ok(json!({ "events": rows, "total": total, "limit": limit, "offset": offset }))
}

/// The number of the account's rules that replace the rule `of`, not counting that rule.
pub(super) fn overrides(call: &Call<'_>, account: Uuid, of: Uuid) -> Result<u64, Refusal> {
    let conditions = [eq("account_id", account), eq("override_rule_id", of), ne("id", of)];
    Ok(call.rows.count("event_triage_rules", &conditions)?)
}
