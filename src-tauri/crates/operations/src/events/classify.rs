//! A user's classification of an event, and its consequences: status, triage rule, changes of other events.

use super::bulk::{Bulk, concerned};
use super::criteria::Criteria;
use super::rules::{self, NewRule};
use super::status;
use crate::kit::{Arguments, Look, text};
use catalogue::{Value, ValueRef, format_timestamp};
use graphql::{Call, Refusal};
use model::operations::{
    ClassifyEventResponse, ClassifyPreviewResponse, CurrentEventPreview, ExistingEventsPreview,
    FutureEventsPreview, TriageRulePreview,
};
use model::tables::event_classification;
use model::{Id, Read, row};
use serde_json::Value as Json;
use uuid::Uuid;

/// Classification, the status it gives an event, and its allowed reasons (semantics §7).
const CLASSIFICATIONS: [(&str, &str, &[&str]); 4] = [
    ("true_positive", "ACTION_REQUIRED", &["correct_severity", "wrong_service_tier", "missing_dependency"]),
    (
        "false_positive",
        "SUPPRESSED",
        &["known_noise", "threshold_too_sensitive", "test_alert", "wrong_environment"],
    ),
    ("benign_positive", "RESOLVED", &["maintenance_window", "expected_behavior", "batch_job", "deployment"]),
    ("duplicate", "DUPLICATE", &["duplicate_incident"]),
];
const SCOPES: [&str; 3] = ["this_event", "this_fingerprint", "time_limited"];
const DIRECTIONS: [&str; 3] = ["too_high", "correct", "too_low"];
const PRIORITIES: [&str; 9] = ["P0", "P1", "P2", "P3", "HIGH", "MEDIUM", "LOW", "INFO", "DEBUG"];
/// The longest validity of a time-limited classification, in hours.
const LONGEST_HOURS: i64 = 24 * 365;
const HOUR_MICROS: i64 = 3600 * 1_000_000;
/// Changing more events than this at once requires `confirmed`.
const UNCONFIRMED: u64 = 100;
/// How far a rule moves the score of events whose priority was wrong.
const SCORE_STEP: i64 = 10;

/// The classification in a request.
struct Judgement<'a> {
    event: Uuid,
    account: Uuid,
    title: String,
    before: status::Event,
    name: &'static str,
    target: &'static str,
    scope: &'static str,
    until: Option<i64>,
    direction: Option<&'static str>,
    fingerprint: Option<String>,
    arguments: Arguments<'a>,
}

impl<'a> Judgement<'a> {
    fn read(call: &'a Call<'_>) -> Result<Self, Refusal> {
        let arguments = Arguments(call.arguments);
        let event = arguments.needed_id("event_id")?;
        let before = status::find(call.rows, event)?;
        let account = before.account.ok_or_else(|| {
            Refusal::invalid(format!("event {event} belongs to no account: a judgement needs one"))
        })?;
        let names = CLASSIFICATIONS.map(|(name, ..)| name);
        let name = arguments.word("classification", &names)?.unwrap_or(names[0]);
        let target =
            CLASSIFICATIONS.iter().find(|(known, ..)| *known == name).map_or("OPEN", |found| found.1);
        let scope = arguments.word("apply_scope", &SCOPES)?.unwrap_or(SCOPES[0]);
        let found = Look::at(call.rows, "events")?.with("id", event)?.first(&["title", "fingerprint"])?;
        let found = found.unwrap_or_default();
        let fingerprint = found["fingerprint"].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        if scope != "this_event" && fingerprint.is_none() {
            let message =
                format!("event {event} has no fingerprint: a judgement of it holds for this_event only");
            return Err(Refusal::invalid(message));
        }
        Ok(Self {
            event,
            account,
            title: found["title"].as_str().unwrap_or_default().to_owned(),
            before,
            name,
            target,
            scope,
            until: until(arguments, scope, call.now)?,
            direction: arguments.word("priority_direction", &DIRECTIONS)?,
            fingerprint,
            arguments,
        })
    }

    /// The triage rule that a classification beyond its own event creates.
    fn rule(&self) -> Option<NewRule> {
        let fingerprint = self.fingerprint.as_ref().filter(|_| self.scope != "this_event")?;
        let (kind, action, value) = match self.name {
            "false_positive" => ("classification", "auto_classify_fp", None),
            "duplicate" => ("classification", "auto_classify_duplicate", None),
            "benign_positive" => ("suppression", "suppress", None),
            _ => {
                let step = match self.direction {
                    Some("too_high") => -SCORE_STEP,
                    Some("too_low") => SCORE_STEP,
                    // A correct priority needs no rule.
                    _ => return None,
                };
                ("scoring", "adjust_score", Some(step.to_string()))
            }
        };
        Some(NewRule {
            kind,
            action,
            value,
            criteria: Criteria::fingerprint(fingerprint),
            until: self.until,
            name: Some(format!("{}: {}", self.name, self.title)),
        })
    }

    fn others(&self, call: &Call<'_>) -> Result<(u64, Vec<String>), Refusal> {
        let Some(fingerprint) = &self.fingerprint else { return Ok((0, Vec::new())) };
        let criteria = Criteria::fingerprint(fingerprint);
        let look = concerned(call.rows, &criteria, self.account, self.target)?;
        let itself = store::query::Test::Compare(store::query::Operator::NotEqual, Value::Uuid(self.event));
        let look = look.that("id", itself)?;
        let count = look.count()?;
        let sample = look.ordered("starts_at", true)?.limit(5).rows(&["title"])?;
        Ok((count, sample.iter().map(|row| text(row, "title").to_owned()).collect()))
    }
}

fn until(arguments: Arguments<'_>, scope: &str, now: i64) -> Result<Option<i64>, Refusal> {
    match (scope, arguments.whole("apply_until_hours")) {
        ("time_limited", Some(hours)) if (1..=LONGEST_HOURS).contains(&hours) => {
            Ok(Some(now + hours * HOUR_MICROS))
        }
        ("time_limited", hours) => {
            let found = hours.map_or("missing".to_owned(), |hours| hours.to_string());
            let message =
                format!("`apply_until_hours` is {found}: time_limited needs 1 to {LONGEST_HOURS} hours");
            Err(Refusal::invalid(message))
        }
        _ => Ok(None),
    }
}

fn reason<'a>(judgement: &Judgement<'a>) -> Result<&'a str, Refusal> {
    let reasons =
        CLASSIFICATIONS.iter().find(|(name, ..)| *name == judgement.name).map_or(&[][..], |found| found.2);
    let given = judgement.arguments.needed("reason_code")?;
    if reasons.contains(&given) {
        return Ok(given);
    }
    let allowed = reasons.join(", ");
    Err(Refusal::invalid(format!(
        "`reason_code` is \"{given}\": {} has the reasons {allowed}",
        judgement.name
    )))
}

/// The original event of a duplicate.
fn linked(call: &Call<'_>, judgement: &Judgement<'_>) -> Result<Option<Uuid>, Refusal> {
    let linked = judgement.arguments.id("linked_event_id")?;
    match linked {
        None if judgement.name == "duplicate" => {
            Err(Refusal::invalid("`linked_event_id` is missing: which event is it a duplicate of?"))
        }
        Some(id) if id == judgement.event => Err(Refusal::invalid("an event is no duplicate of itself")),
        Some(id) => status::find(call.rows, id).map(|found| Some(found.id)),
        None => Ok(None),
    }
}

/// `event_classify`
pub(super) fn classify(call: &Call<'_>) -> Result<ClassifyEventResponse, Refusal> {
    let judgement = Judgement::read(call)?;
    let arguments = judgement.arguments;
    let (reason, linked) = (reason(&judgement)?, linked(call, &judgement)?);
    let corrected = arguments.word("corrected_priority", &PRIORITIES)?;
    let existing = arguments.flag("apply_to_existing").unwrap_or(false) && judgement.scope != "this_event";
    if existing && !arguments.flag("confirmed").unwrap_or(false) {
        let (count, _) = judgement.others(call)?;
        if count > UNCONFIRMED {
            let message = format!(
                "{count} events would change: look at event_classify_preview and say `confirmed: true`, or leave out apply_to_existing"
            );
            return Err(Refusal::conflict(message));
        }
    }
    let rule = judgement.rule().map(|rule| rules::add(call, judgement.account, &rule)).transpose()?;
    let id = write(call, &judgement, (reason, linked, corrected), rule)?;
    status::set(
        status::By::call(call),
        &judgement.before,
        judgement.target,
        None,
        &format!("classified as {}", judgement.name),
    )?;
    let bulk_operation = match judgement.fingerprint.as_deref().filter(|_| existing) {
        None => None,
        Some(fingerprint) => Bulk {
            account: judgement.account,
            criteria: &Criteria::fingerprint(fingerprint),
            target: judgement.target,
            rule,
            classification: Some(id),
            fingerprint: Some(fingerprint),
        }
        .run(call)?,
    };
    Ok(ClassifyEventResponse {
        success: true,
        classification_id: id.to_string(),
        rule_created: rule.is_some(),
        rule_id: rule.map(|id| id.to_string()),
        rule_expires_at: judgement.until.filter(|_| rule.is_some()).map(format_timestamp),
        bulk_operation,
    })
}

row! { struct ClassificationId from event_classification { id } }

/// Stores the classification. An event has one; a later one replaces it.
fn write(
    call: &Call<'_>,
    judgement: &Judgement<'_>,
    (reason, linked, corrected): (&str, Option<Uuid>, Option<&str>),
    rule: Option<Uuid>,
) -> Result<Uuid, Refusal> {
    let person = call.caller.user.ok_or_else(Refusal::denied)?;
    let columns = ["priority", "computed_priority", "computed_score", "nb_status", "labels"];
    let look = Look::at(call.rows, "events")?.with("id", judgement.event)?;
    let known = look.first(&columns)?.unwrap_or_default();
    let snapshot = known.to_string();
    let of_event = event_classification::event_id.eq(Id::new(judgement.event));
    let existing = call.rows.query::<ClassificationId>().filter(of_event).first()?;
    let id = existing.map_or_else(Uuid::new_v4, |existing| existing.id.uuid());
    let now = ValueRef::Timestamp(call.now);
    call.rows.upsert(
        "event_classification",
        &["id"],
        &[
            ("id", id.into()),
            ("cloud_account_id", judgement.account.into()),
            ("event_id", judgement.event.into()),
            ("classification", judgement.name.into()),
            ("reason_code", reason.into()),
            ("reason_text", judgement.arguments.text("reason_text").into()),
            ("apply_scope", judgement.scope.into()),
            ("apply_until", judgement.until.map_or(ValueRef::Null, ValueRef::Timestamp)),
            ("priority_direction", judgement.direction.into()),
            ("corrected_priority", corrected.into()),
            ("linked_event_id", linked.into()),
            ("original_priority", known["priority"].as_str().into()),
            ("original_score", known["computed_score"].as_i64().into()),
            ("feature_snapshot", ValueRef::Json(&snapshot)),
            ("rule_id", rule.into()),
            ("classified_by", person.into()),
            ("classified_at", now),
            ("updated_at", now),
        ],
        &[],
    )?;
    Ok(id)
}

/// `event_classify_preview`
pub(super) fn preview(call: &Call<'_>) -> Result<ClassifyPreviewResponse, Refusal> {
    let judgement = Judgement::read(call)?;
    let rule = judgement.rule();
    let (count, titles) =
        if judgement.scope == "this_event" { (0, Vec::new()) } else { judgement.others(call)? };
    let scope = match (judgement.scope, judgement.until.map(format_timestamp)) {
        ("time_limited", Some(until)) => format!("events with the same fingerprint until {until}"),
        ("this_fingerprint", _) => "all events with the same fingerprint".to_owned(),
        _ => "this event only".to_owned(),
    };
    Ok(ClassifyPreviewResponse {
        current_event: CurrentEventPreview {
            id: judgement.event.to_string(),
            title: judgement.title,
            new_status: judgement.target.to_owned(),
        },
        existing_events: ExistingEventsPreview {
            count: i64::try_from(count).unwrap_or(i64::MAX),
            sample_titles: Some(titles),
            will_be_updated: count > 0,
        },
        future_events: FutureEventsPreview { rule_applies: rule.is_some(), scope_description: scope },
        rule_to_create: rule.map(|rule| TriageRulePreview {
            action: rule.action.to_owned(),
            rule_type: rule.kind.to_owned(),
            match_criteria: rule.criteria.describe(),
            expires_at: rule.until.map(format_timestamp),
        }),
    })
}

/// `event_get_classification`
pub(super) fn get(call: &Call<'_>) -> Result<Json, Refusal> {
    let event = Arguments(call.arguments).needed_id("event_id")?;
    status::find(call.rows, event)?;
    let columns = [
        "id",
        "tenant_id",
        "cloud_account_id",
        "event_id",
        "classification",
        "reason_code",
        "reason_text",
        "apply_scope",
        "apply_until",
        "priority_direction",
        "corrected_priority",
        "linked_event_id",
        "original_priority",
        "original_score",
        "feature_snapshot",
        "classified_by",
        "classified_at",
    ];
    let found = Look::at(call.rows, "event_classification")?.with("event_id", event)?.first(&columns)?;
    let Some(mut row) = found else { return Ok(Json::Null) };
    if !row["feature_snapshot"].is_null() {
        row["feature_snapshot"] = row["feature_snapshot"].to_string().into();
    }
    Ok(row)
}
