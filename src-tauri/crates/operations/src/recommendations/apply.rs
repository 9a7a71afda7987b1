//! `apply_recommendations`: applies a recommendation manually by its plan, by a ticket, by a program after approval, or by a workflow; otherwise
//! refuses with the reason. The attempt is watched until an import shows the change.

use super::methods::{self, ApplyMethod};
use super::plan::{ChangePlan, Subject, plan};
use super::status::{RecommendationRow, find, set};
use super::watch;
use crate::kit::{Arguments, Look, text};
use analysis::rule_title;
use catalogue::{Caller, ValueRef};
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::Value;
use store::{Transaction, eq, ge};
use uuid::Uuid;

/// An open attempt of the same user is reused for this long (semantics §8).
const REUSED_MICROS: i64 = 2 * 3600 * 1_000_000;

#[derive(Serialize)]
pub(super) struct Answer {
    data: Vec<Attempt>,
}

/// The outcome of an attempt.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Attempt {
    pub recommendation_id: Uuid,
    pub resolution_id: Option<Uuid>,
    pub status: &'static str,
    pub recommendation_status: &'static str,
    #[serde(rename = "type")]
    pub kind: Option<&'static str>,
    pub message: String,
    pub execution_id: Option<Uuid>,
    pub ticket_id: Option<Uuid>,
    pub plan: Option<String>,
    pub patch: Option<String>,
    pub commands: Vec<String>,
}

/// A request to apply a recommendation.
pub(crate) struct Request<'a> {
    pub recommendation: Uuid,
    pub account: Uuid,
    pub provider: &'a str,
    pub provider_config: Option<&'a Value>,
    pub data: Option<&'a Value>,
    pub person: Uuid,
    /// User, or AutoOptimize for an auto-pilot.
    pub resolver_type: &'static str,
    pub resolver_id: String,
    /// The task of the auto-pilot.
    pub pilot_task: Option<Uuid>,
}

/// The additional data stored with an attempt.
#[derive(Serialize)]
struct AttemptData<'a> {
    provider: Option<&'a str>,
    provider_config: Option<&'a Value>,
    data: Option<&'a Value>,
    plan: &'a str,
    patch: Option<&'a str>,
    commands: Vec<String>,
    inverse: &'a [Vec<String>],
    execution_id: Option<Uuid>,
    ticket_id: Option<Uuid>,
}

pub(super) fn apply(call: &Call<'_>) -> Result<Answer, Refusal> {
    let object = Arguments(call.arguments).object("object");
    let person = call.caller.user.ok_or_else(Refusal::denied)?;
    let request = Request {
        recommendation: object.needed_id("recommendation_id")?,
        account: object.needed_id("account_id")?,
        provider: object.text("provider").unwrap_or_default(),
        provider_config: object.value("provider_config"),
        data: object.value("data"),
        person,
        resolver_type: "User",
        resolver_id: person.to_string(),
        pilot_task: None,
    };
    Ok(Answer { data: vec![attempt(call.rows, &request)?] })
}

/// Applies a recommendation if possible; otherwise refuses with the reason.
pub(crate) fn attempt(rows: &Transaction<'_>, request: &Request<'_>) -> Result<Attempt, Refusal> {
    let advice = find(rows, request.recommendation)?;
    check_account(rows, request.account, &advice)?;
    if let "Closed" | "Dismissed" | "Archive" = advice.status.as_str() {
        let message = format!(
            "a recommendation that is {} cannot be applied; reopen it first. It can be applied when it is Open, Assigned or InProgress",
            advice.status
        );
        return Err(Refusal::conflict(message));
    }
    if !is_alive(rows, &advice)? {
        // A refusal would roll back the archiving.
        set(rows, &advice, "Archive", &[])?;
        return Ok(Attempt {
            recommendation_id: advice.id,
            status: "Failed",
            recommendation_status: "Archive",
            message: "what it is about is gone or not active any more: the recommendation was archived"
                .to_owned(),
            ..Attempt::default()
        });
    }
    let plan = plan_of(rows, &advice)?;
    if let Some(before) = under_way(rows, &advice, &request.resolver_id)? {
        return Ok(Attempt {
            kind: None,
            message: "an attempt of yours is under way and was left as it is".to_owned(),
            ..told(&advice, Some(before), &plan)
        });
    }
    let way = methods::find(rows, request, &plan)?;
    let id = Uuid::new_v4();
    let system = Caller::system_for(rows.caller().tenant().ok_or_else(Refusal::denied)?);
    let begun = way.begin(rows, &rows.as_caller(&system).without_actor(), (&advice, id), request, &plan)?;
    keep(rows, (&advice, id), request, &way, &plan, &begun)?;
    if advice.status != "InProgress" {
        set(rows, &advice, "InProgress", &[])?;
    }
    watch::begin(
        &rows.as_caller(&system).without_actor(),
        &watch::Start {
            resolution: id,
            recommendation: advice.id,
            account: advice.account,
            execution: begun.execution,
            ticket: begun.ticket,
            pilot_task: request.pilot_task,
        },
    )?;
    Ok(Attempt {
        kind: Some(way.kind()),
        message: begun.message,
        execution_id: begun.execution,
        ticket_id: begun.ticket,
        ..told(&advice, Some(id), &plan)
    })
}

fn told(advice: &RecommendationRow, resolution: Option<Uuid>, plan: &ChangePlan) -> Attempt {
    Attempt {
        recommendation_id: advice.id,
        resolution_id: resolution,
        status: "InProgress",
        recommendation_status: "InProgress",
        plan: Some(plan.text.clone()),
        patch: plan.patch.clone(),
        commands: plan.lines(),
        ..Attempt::default()
    }
}

/// The plan of a recommendation, for other areas.
pub(crate) struct PlanText {
    pub text: String,
    pub patch: Option<String>,
    pub commands: Vec<String>,
    /// The `provider` with which [`attempt`] runs the commands; `None` if there are no commands.
    pub provider: Option<&'static str>,
    /// The reason why there are no commands, if it lies outside the recommendation.
    pub lack: Option<&'static str>,
}

/// The plan of a recommendation.
pub(crate) fn plan_text(rows: &Transaction<'_>, recommendation: Uuid) -> Result<PlanText, Refusal> {
    let plan = plan_of(rows, &find(rows, recommendation)?)?;
    let provider = plan.program.map(methods::provider_of);
    let lack = plan.lacks_context().then_some(methods::NO_CONTEXT);
    Ok(PlanText { commands: plan.lines(), text: plan.text, patch: plan.patch, provider, lack })
}

/// The plan of a recommendation.
pub(super) fn plan_of(rows: &Transaction<'_>, advice: &RecommendationRow) -> Result<ChangePlan, Refusal> {
    let columns = ["recommendation", "rule_name", "account_object_id"];
    let row = Look::at(rows, "recommendation")?.with("id", advice.id)?.first(&columns)?.unwrap_or_default();
    let account = Look::at(rows, "cloud_accounts")?.with("id", advice.account)?.first(&["account_name"])?;
    // Some rules store a list with one element.
    let details =
        if row["recommendation"].is_array() { &row["recommendation"][0] } else { &row["recommendation"] };
    let rule = rule_title(text(&row, "rule_name"));
    let named = [details["title"].as_str(), Some(rule.as_str()), row["account_object_id"].as_str()];
    let title = named.into_iter().flatten().find(|title| !title.is_empty()).unwrap_or("Recommendation");
    let account = account.map(|row| text(&row, "account_name").to_owned()).unwrap_or_default();
    Ok(plan(&Subject { title: title.to_owned(), details, account_name: &account }))
}

pub(super) fn check_account(
    rows: &Transaction<'_>,
    account: Uuid,
    advice: &RecommendationRow,
) -> Result<(), Refusal> {
    let found = Look::at(rows, "cloud_accounts")?.with("id", account)?.first(&["account_access"])?;
    let Some(row) = found.filter(|_| account == advice.account) else {
        return Err(Refusal::not_found(format!(
            "there is no account {account} with recommendation {}",
            advice.id
        )));
    };
    if text(&row, "account_access") == "readonly" {
        let message = format!("account {account} is connected to be read only: allow it to be changed first");
        return Err(Refusal::conflict(message));
    }
    Ok(())
}

/// Whether the resource of the recommendation exists and is active; `true` for recommendations without a resource.
fn is_alive(rows: &Transaction<'_>, advice: &RecommendationRow) -> Result<bool, Refusal> {
    let Some(resource) = advice.resource else { return Ok(true) };
    let found = Look::at(rows, "cloud_resourses")?.with("id", resource)?.first(&["is_active", "status"])?;
    Ok(found.is_some_and(|row| {
        row["is_active"] != false && matches!(row["status"].as_str(), None | Some("Active" | "Unknown"))
    }))
}

fn under_way(
    rows: &Transaction<'_>,
    advice: &RecommendationRow,
    resolver: &str,
) -> Result<Option<Uuid>, Refusal> {
    let since = ValueRef::Timestamp(rows.now() - REUSED_MICROS);
    let known = [
        eq("recommendation_id", advice.id),
        eq("resolver_id", resolver),
        eq("status", "InProgress"),
        ge("created_at", since),
    ];
    let found = rows.select("recommendation_resolution", &["id"], &known)?;
    Ok(found.first().and_then(|row| row.first()?.as_uuid()))
}

fn keep(
    rows: &Transaction<'_>,
    (advice, id): (&RecommendationRow, Uuid),
    request: &Request<'_>,
    way: &ApplyMethod,
    plan: &ChangePlan,
    begun: &methods::ActionStart,
) -> Result<(), Refusal> {
    let data = AttemptData {
        provider: Some(request.provider).filter(|provider| !provider.is_empty()),
        provider_config: request.provider_config,
        data: request.data,
        plan: &plan.text,
        patch: plan.patch.as_deref(),
        commands: plan.lines(),
        inverse: &plan.inverse,
        execution_id: begun.execution,
        ticket_id: begun.ticket,
    };
    let data = crate::kit::reply(&data)?.to_string();
    let reference = begun.ticket.or(begun.execution).map(|id| id.to_string()).unwrap_or_default();
    rows.insert(
        "recommendation_resolution",
        &[
            ("id", id.into()),
            ("recommendation_id", advice.id.into()),
            ("resolver_id", request.resolver_id.as_str().into()),
            ("resolver_type", request.resolver_type.into()),
            ("status", "InProgress".into()),
            ("status_message", begun.message.as_str().into()),
            ("type", way.kind().into()),
            ("type_reference_id", reference.as_str().into()),
            ("data", ValueRef::Json(&data)),
            ("created_at", ValueRef::Timestamp(rows.now())),
            ("updated_at", ValueRef::Timestamp(rows.now())),
        ],
    )?;
    Ok(())
}
