//! Feedback on cost anomalies: storing a verdict, and withdrawing it.

use super::day;
use crate::kit::{self, Arguments, Look};
use catalogue::{Caller, ValueRef, format_date, parse_date};
use graphql::{Call, Refusal};
use model::operations::AnomalyFeedbackResponse;
use serde_json::Value as Json;
use store::eq;
use uuid::Uuid;

const VERDICTS: [&str; 3] = ["useful", "expected", "wrong"];

/// `anomaly_feedback`
pub(in crate::anomalies) fn operation(call: &Call<'_>) -> Result<AnomalyFeedbackResponse, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let id = request.needed_id("anomaly_id")?;
    let verdict = request.word("verdict", &VERDICTS)?;
    let until = request.text("expected_until").filter(|text| !text.is_empty());
    let until = until.map(|text| day("expected_until", text)).transpose()?;
    if until.is_some() && verdict != Some("expected") {
        return Err(Refusal::invalid("`expected_until` goes with the verdict `expected` only"));
    }
    let anomaly = find(call, id)?;
    let started_on = parse_date(kit::text(&anomaly, "started_on")).unwrap_or_default();
    if until.is_some_and(|until| until < started_on) {
        return Err(Refusal::invalid(format!(
            "`expected_until` is before the anomaly, which began on {}",
            format_date(started_on)
        )));
    }
    let person = kit::person(call)?;
    // Update the anomaly first: the store then checks whether the caller may write rows of this account.
    let is_anomaly = !matches!(verdict, Some("expected" | "wrong"));
    let sets = [
        ("feedback", verdict.map_or(ValueRef::Null, ValueRef::Text)),
        ("is_anomaly", is_anomaly.into()),
        ("updated_at", ValueRef::Timestamp(call.now)),
    ];
    if call.rows.update("anomaly", &[eq("id", id)], &sets)? == 0 {
        return Err(Refusal::denied());
    }
    let system = Caller::system_for(kit::tenant(call)?);
    let rows = call.rows.as_caller(&system);
    rows.delete("anomaly_feedback", &[eq("anomaly_id", id), eq("created_by", person)])?;
    let Some(said) = verdict else { return left(call, id) };
    let account = kit::uuid(&anomaly, "account_id").ok_or_else(Refusal::denied)?;
    let (name, unit) = series_of(&anomaly);
    let note = request.text("note").map(str::trim).filter(|note| !note.is_empty());
    rows.insert(
        "anomaly_feedback",
        &[
            ("anomaly_id", id.into()),
            ("account_id", account.into()),
            ("scope", kit::text(&anomaly, "scope").into()),
            ("name", name.into()),
            ("currency", unit.into()),
            ("started_on", ValueRef::Date(started_on)),
            ("verdict", said.into()),
            ("expected_until", until.map_or(ValueRef::Null, ValueRef::Date)),
            ("note", note.map_or(ValueRef::Null, ValueRef::Text)),
            ("created_by", person.into()),
        ],
    )?;
    Ok(answer(id, Some(said), until.map(format_date)))
}

/// An anomaly that this product's rules found and that the caller may see.
pub(super) fn find(call: &Call<'_>, id: Uuid) -> Result<Json, Refusal> {
    let columns = [
        "account_id",
        "scope",
        "name",
        "currency",
        "started_on",
        "impact",
        "reference_value",
        "rule_version",
    ];
    let found = Look::at(call.rows, "anomaly")?.with("id", id)?.first(&columns)?;
    let found = found.filter(|row| row["rule_version"].is_string());
    found.ok_or_else(|| Refusal::not_found(format!("there is no anomaly of cost {id} that you may see")))
}

/// The name of an anomaly's series, and its currency, or its unit if it is not a cost.
fn series_of(anomaly: &Json) -> (&str, &str) {
    let reference = &anomaly["reference_value"];
    let of_cost = (kit::text(anomaly, "name"), kit::text(anomaly, "currency"));
    let series = reference["series"].as_str().zip(reference["unit"].as_str());
    series.unwrap_or(of_cost)
}

/// Applies the newest verdict of the other users after the caller withdrew their own.
fn left(call: &Call<'_>, id: Uuid) -> Result<AnomalyFeedbackResponse, Refusal> {
    let look = Look::at(call.rows, "anomaly_feedback")?.with("anomaly_id", id)?;
    let newest = look.ordered("created_at", true)?.first(&["verdict", "expected_until"])?;
    let Some(newest) = newest else { return Ok(answer(id, None, None)) };
    let verdict = kit::text(&newest, "verdict");
    let is_anomaly = !matches!(verdict, "expected" | "wrong");
    let sets = [("feedback", verdict.into()), ("is_anomaly", is_anomaly.into())];
    call.rows.update("anomaly", &[eq("id", id)], &sets)?;
    Ok(answer(id, Some(verdict), newest["expected_until"].as_str().map(str::to_owned)))
}

fn answer(id: Uuid, verdict: Option<&str>, until: Option<String>) -> AnomalyFeedbackResponse {
    AnomalyFeedbackResponse {
        anomaly_id: id.to_string(),
        verdict: verdict.map(str::to_owned),
        expected_until: until,
    }
}
