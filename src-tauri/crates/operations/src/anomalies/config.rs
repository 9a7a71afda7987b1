//! Anomaly rules: the templates for new rules, and the rules of an account.

use super::measured;
use crate::kit::{self, Arguments, Look};
use catalogue::{Decimal, ValueRef};
use graphql::{Call, Refusal};
use serde_json::{Value as Json, json};
use store::eq;
use uuid::Uuid;

/// Metric, title, description. Each template reports values more than 10% above the reference (semantics §9).
const TEMPLATES: [(&str, &str, &str); 5] = [
    ("CPU", "Processor use", "Use of processors above that of earlier periods."),
    ("Memory", "Memory use", "Use of memory above that of earlier periods."),
    ("Latency", "Latency", "Requests take longer than in earlier periods."),
    ("Network", "Network traffic", "More traffic than in earlier periods."),
    ("ErrorRate", "Error rate", "A larger share of requests fails than in earlier periods."),
];
const TEMPLATE_BUFFER: f64 = 0.1;
const TEMPLATE_OPERATOR: &str = "GT";

/// The columns of a rule in the API.
const COLUMNS: [&str; 9] = [
    "id",
    "cloud_account_id",
    "anomaly_type",
    "buffer_percentage",
    "change_operator",
    "reference_period",
    "reference_unit",
    "enabled",
    "updated_at",
];

/// `anomaly_template_list`
pub(super) fn templates(call: &Call<'_>) -> Result<Json, Refusal> {
    if let Some(account) = Arguments(call.arguments).object("request").id("account_id")? {
        kit::account(call, account)?;
    }
    let template = |(kind, title, description): &(&str, &str, &str)| {
        json!({
            "anomaly_type": kind, "title": title, "description": description,
            "buffer_percentage": TEMPLATE_BUFFER, "change_operator": TEMPLATE_OPERATOR,
        })
    };
    Ok(json!({ "data": TEMPLATES.iter().map(template).collect::<Vec<_>>() }))
}

/// `anomaly_config_create`
pub(super) fn create(call: &Call<'_>) -> Result<Json, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let account = request.needed_id("account_id")?;
    kit::account(call, account)?;
    let kind = request.needed("anomaly_type")?;
    let existing = Look::at(call.rows, "anomaly_config")?
        .with("cloud_account_id", account)?
        .with("anomaly_type", kind)?
        .with("enabled", true)?;
    if existing.count()? > 0 {
        let message = format!(
            "account {account} has a rule for {kind} already: change it with anomaly_config_update or disable it first"
        );
        return Err(Refusal::conflict(message));
    }
    measured::check(request.text("reference_period"), request.text("reference_unit"))?;
    let id = Uuid::new_v4();
    let person = call.caller.user.ok_or_else(Refusal::denied)?;
    let period = request.text("reference_period").unwrap_or("1w");
    call.rows.insert(
        "anomaly_config",
        &[
            ("id", id.into()),
            ("cloud_account_id", account.into()),
            ("anomaly_type", kind.into()),
            ("buffer_percentage", ValueRef::Decimal(buffer(request)?.unwrap_or(Decimal::from(20)))),
            ("change_operator", request.text("change_operator").unwrap_or(TEMPLATE_OPERATOR).into()),
            ("reference_period", period.into()),
            ("reference_unit", request.text("reference_unit").unwrap_or("P99").into()),
            ("created_by", person.into()),
            ("updated_by", person.into()),
        ],
    )?;
    shown(call, id)
}

/// `anomaly_config_update`
pub(super) fn update(call: &Call<'_>) -> Result<Json, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let id = request.needed_id("id")?;
    let buffer = buffer(request)?;
    measured::check(request.text("reference_period"), request.text("reference_unit"))?;
    let mut sets: Vec<(&str, ValueRef<'_>)> = Vec::new();
    sets.extend(buffer.map(|buffer| ("buffer_percentage", ValueRef::Decimal(buffer))));
    for name in ["change_operator", "reference_unit"] {
        sets.extend(request.text(name).map(|text| (name, text.into())));
    }
    if let Some(text) = request.text("reference_period") {
        sets.push(("reference_period", text.into()));
    }
    sets.extend(request.flag("enabled").map(|flag| ("enabled", flag.into())));
    if sets.is_empty() {
        return Err(Refusal::invalid(
            "nothing to change: give buffer_percentage, change_operator, reference_period, reference_unit or enabled",
        ));
    }
    change(call, id, sets)
}

/// `anomaly_config_disable`
pub(super) fn disable(call: &Call<'_>) -> Result<Json, Refusal> {
    let id = Arguments(call.arguments).needed_id("id")?;
    change(call, id, vec![("enabled", false.into())])
}

fn change(call: &Call<'_>, id: Uuid, mut sets: Vec<(&str, ValueRef<'_>)>) -> Result<Json, Refusal> {
    let found = call.rows.count("anomaly_config", &[eq("id", id)])?;
    if found == 0 {
        return Err(Refusal::not_found(format!("there is no rule {id} for anomalies")));
    }
    sets.push(("updated_at", ValueRef::Timestamp(call.now)));
    sets.push(("updated_by", call.caller.user.into()));
    if call.rows.update("anomaly_config", &[eq("id", id)], &sets)? == 0 {
        return Err(Refusal::denied());
    }
    shown(call, id)
}

fn shown(call: &Call<'_>, id: Uuid) -> Result<Json, Refusal> {
    let row = Look::at(call.rows, "anomaly_config")?.with("id", id)?.first(&COLUMNS)?;
    let mut row = row.unwrap_or_default();
    row["account_id"] = row["cloud_account_id"].clone();
    Ok(row)
}

fn buffer(request: Arguments<'_>) -> Result<Option<Decimal>, Refusal> {
    let Some(value) = request.value("buffer_percentage") else { return Ok(None) };
    let text = value.to_string();
    let buffer = Decimal::parse(&text).ok().filter(|buffer| *buffer >= Decimal::from(0));
    let wrong = || Refusal::invalid(format!("`buffer_percentage` is {text}: expected 0 or more, in percent"));
    buffer.map(Some).ok_or_else(wrong)
}
