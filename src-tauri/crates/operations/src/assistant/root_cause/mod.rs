//! Finds the likely cause of an event by rules over stored rows, and has a model write it up on request.
//!
//! The analysis by rules needs no model and uses the rows that its reader may read. It is stored if the reader may read the whole account.

mod accounts;
mod context_rows;
mod dumps;
mod material;
#[cfg(test)]
mod tests;
mod write_up;

use crate::assistant::chat::ModelContext;
use crate::kit::in_account::{Object, Place, filled, id, object, place_of};
use analysis::Analysis;
use catalogue::{Caller, Right, Value as Cell, ValueRef, format_timestamp};
use graphql::{Call, Engine, PreTransactionCall, Refusal};
use serde::Serialize;
use serde_json::{Value, json};
use store::{Condition, StoreError, Transaction, eq};
use uuid::Uuid;

/// The analysis types under which the analysis by rules and its version by a model are stored.
const BY_RULES: &str = "root_cause";
const BY_MODEL: &str = "root_cause_written";
const TABLE: &str = "event_log_analysis";
/// The instruction for the model.
const INSTRUCTION: &str = "Say why this event most likely happened, and what to do next.";

/// Handles `ai_get_rca`: the analysis of an event's cause.
pub(super) fn analyse(ahead: &PreTransactionCall<'_>, context: &ModelContext<'_>) -> Result<Value, Refusal> {
    let asked = EventRequest::read(ahead.arguments)?;
    let generate = ahead.arguments.get("generate").and_then(Value::as_bool).unwrap_or_default();
    let found = ahead.engine.store().snapshot(ahead.caller, |rows| asked.find(ahead.caller, rows))?;
    if found.may_be_shared {
        store_analysis(ahead, &found)?;
    }
    let stored = found.stored.clone().filter(|stored| stored.get("status") != Some(&json!("FAILED")));
    if generate && stored.is_none() {
        let written = write_up::write(context, &found, BY_MODEL, INSTRUCTION)?;
        return Ok(json!({ "data": shown(&found, Some(written)) }));
    }
    Ok(json!({ "data": shown(&found, found.stored.clone()) }))
}

/// Handles `ai_get_recommendation`: the stored advice of the requested type, or else a model's version of the analysis by rules.
pub(super) fn advise(ahead: &PreTransactionCall<'_>, context: &ModelContext<'_>) -> Result<Value, Refusal> {
    let asked = EventRequest::read(ahead.arguments)?;
    let kind = ahead.arguments.get("recommendation_type").and_then(Value::as_str).unwrap_or_default();
    let kind = filled("recommendation_type", kind)?;
    let (found, stored) = ahead.engine.store().snapshot(ahead.caller, |rows| {
        let found = asked.find(ahead.caller, rows)?;
        let stored = place_of(ahead.caller, rows, Right::Read, &asked.account.to_string(), |place| {
            stored(place, &found.event, Some(kind))
        })?;
        Ok::<_, Refusal>((found, stored))
    })?;
    if stored.is_some() {
        return Ok(json!({ "data": shown(&found, stored) }));
    }
    let instruction =
        format!("Give advice of this kind: {kind}. Say what to do first, and how to see that it helped.");
    let written = write_up::write(context, &found, kind, &instruction)?;
    Ok(json!({ "data": shown(&found, Some(written)) }))
}

/// Refuses both fields inside a request: they are handled before it, and requests made by a model cannot use them.
pub(super) fn refuse_inside_request(_: &Call<'_>) -> Result<Value, Refusal> {
    Err(Refusal::new("not-supported", "an analysis is not made inside another request: ask for it by itself"))
}

/// The analysis of an event by rules, over rows of the caller. Used by the assistant.
pub(crate) fn by_rules(
    caller: &Caller,
    rows: &Transaction<'_>,
    account: Uuid,
    event: Uuid,
) -> Result<(Object, Analysis), Refusal> {
    let found = EventRequest { account, event }.find(caller, rows)?;
    Ok((found.event, found.analysis))
}

/// The cause of an event as the output of a workflow task, with the member names of the reference.
#[derive(Debug, Serialize)]
pub(crate) struct CauseAnalysisOutput {
    data: String,
    /// A one-sentence summary of the rules' findings.
    log_summary: String,
    /// All findings of the rules.
    log_analysis: String,
    /// The text written by the model.
    investigation: String,
    status: &'static str,
}

/// Has a model write up the cause of an event, using rows of the context's caller.
pub(crate) fn write_up(
    context: &ModelContext<'_>,
    account: Uuid,
    event: Uuid,
) -> Result<CauseAnalysisOutput, Refusal> {
    let asked = EventRequest { account, event };
    let found = context.engine.store().snapshot(context.caller, |rows| asked.find(context.caller, rows))?;
    let written = write_up::write(context, &found, BY_MODEL, INSTRUCTION)?;
    let words = written.get("analysis").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(CauseAnalysisOutput {
        data: words.clone(),
        log_summary: found.analysis.summary.clone(),
        log_analysis: found.analysis.text(),
        investigation: words,
        status: "COMPLETED",
    })
}

/// The event in question.
struct EventRequest {
    account: Uuid,
    event: Uuid,
}

/// An event with the findings of the rules.
pub(super) struct CauseFindings {
    pub account: Uuid,
    pub id: Uuid,
    pub event: Object,
    pub analysis: Analysis,
    /// The stored analysis other than the one by rules, if any.
    stored: Option<Object>,
    /// Whether the reader may read the whole account; only then the analysis may be stored for all such readers.
    may_be_shared: bool,
}

impl EventRequest {
    fn read(arguments: &Object) -> Result<Self, Refusal> {
        let given = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        Ok(Self {
            account: id("account_id", given("account_id"))?,
            event: id("event_id", given("event_id"))?,
        })
    }

    fn find(&self, caller: &Caller, rows: &Transaction<'_>) -> Result<CauseFindings, Refusal> {
        place_of(caller, rows, Right::Read, &self.account.to_string(), |place| {
            // Use the caller's own rows: an event outside the caller's namespaces is not found.
            let event = material::find(rows, self.account, self.event)?;
            let (asked, material) = material::collect(rows, self.account, &event)?;
            let stored = stored(place, &event, None)?;
            let analysis = analysis::explain(&asked, &material);
            let places = caller.accounts(Right::Read);
            let may_be_shared = caller.reads_tenant() || places.accounts.contains(&self.account);
            Ok(CauseFindings {
                account: self.account,
                id: self.event,
                event,
                analysis,
                stored,
                may_be_shared,
            })
        })
    }
}

/// Stores the analysis by rules, unless the same text is already stored.
fn store_analysis(ahead: &PreTransactionCall<'_>, found: &CauseFindings) -> Result<(), Refusal> {
    let Some(tenant) = ahead.caller.tenant() else { return Ok(()) };
    let text = found.analysis.text();
    let system = Caller::system_for(tenant);
    let key = [eq("event_id", found.id), eq("analysis_type", BY_RULES)];
    let store = ahead.engine.store();
    let known = store.snapshot(&system, |rows| rows.select(TABLE, &["analysis"], &key))?.pop();
    if known.as_ref().and_then(|row| row[0].as_text()) == Some(&text) {
        return Ok(());
    }
    replace_stored(ahead.engine, ahead.caller, found, BY_RULES, &text, &found.analysis.summary)
}

/// Stores an analysis of the event, replacing an earlier one of the same type.
fn replace_stored(
    engine: &Engine,
    caller: &Caller,
    found: &CauseFindings,
    kind: &str,
    text: &str,
    summary: &str,
) -> Result<(), Refusal> {
    let Some(tenant) = caller.tenant() else { return Ok(()) };
    let system = Caller::system_for(tenant);
    engine.store().transaction(&system, |rows| {
        let now = ValueRef::Timestamp(rows.now());
        let set = [("analysis", text.into()), ("summary", summary.into()), ("updated_at", now)];
        let key = [eq("event_id", found.id), eq("analysis_type", kind)];
        if rows.update(TABLE, &key, &set)? == 0 {
            let more = [
                ("event_id", found.id.into()),
                ("cloud_account_id", found.account.into()),
                ("analysis_type", kind.into()),
            ];
            rows.insert(TABLE, &[&set[..], &more[..]].concat())?;
        }
        Ok::<_, StoreError>(())
    })?;
    Ok(())
}

/// The newest analysis of the event other than the one by rules, or else of events with the same fingerprint, which share an analysis.
fn stored(place: &Place<'_>, event: &Object, kind: Option<&str>) -> Result<Option<Object>, Refusal> {
    let text = |column: &str| event.get(column).and_then(Value::as_str);
    let own = text("id").map(|event| id("event_id", event)).transpose()?;
    let mut ways: Vec<Vec<Condition<'_>>> = vec![own.map(|own| eq("event_id", own)).into_iter().collect()];
    if let (Some(fingerprint), Some(key)) = (text("fingerprint"), text("aggregation_key")) {
        ways.push(vec![
            eq("cloud_account_id", place.account),
            eq("event_fingerprint", fingerprint),
            eq("event_aggregation_key", key),
        ]);
    }
    for mut conditions in ways {
        conditions.extend(kind.map(|kind| eq("analysis_type", kind)));
        let columns =
            ["analysis", "summary", "status", "status_reason", "analysis_type", "recorded_at", "updated_at"];
        let mut rows = place.rows.select(TABLE, &columns, &conditions)?;
        rows.retain(|row| kind.is_some() || row[4] != Cell::Text(BY_RULES.to_owned()));
        let newest = rows.into_iter().max_by_key(|row| row[6].as_int().max(row[5].as_int()));
        if let Some(row) = newest {
            return Ok(Some(object(&columns, row)));
        }
    }
    Ok(None)
}

/// The analysis in the form of the response (semantics §12). The text is the stored one, or else that of the rules.
fn shown(found: &CauseFindings, stored: Option<Object>) -> Value {
    let analysis = &found.analysis;
    let own = |column: &str| stored.as_ref().and_then(|row| row.get(column)).cloned();
    json!({
        "event_id": found.event.get("id"),
        "title": found.event.get("title"),
        "description": found.event.get("description"),
        "analysis": own("analysis").unwrap_or_else(|| analysis.text().into()),
        "analysis_type": own("analysis_type").unwrap_or_else(|| BY_RULES.into()),
        "summary": own("summary").unwrap_or_else(|| analysis.summary.clone().into()),
        "status": own("status").unwrap_or_else(|| "COMPLETED".into()),
        "status_reason": own("status_reason"),
        "recorded_at": own("recorded_at"),
        "rca_enabled": true,
        "investigation": investigation(analysis),
        "git_diff": null,
        "pr_list": [],
        "commits": [],
        "automated_fix_pr": null,
    })
}

/// The analysis by rules as JSON, with times in the interface's format.
pub(crate) fn investigation(analysis: &Analysis) -> Value {
    let mut value = json!(analysis);
    for evidence in value["evidence"].as_array_mut().into_iter().flatten() {
        if let Some(at) = evidence["at"].as_i64() {
            evidence["at"] = format_timestamp(at).into();
        }
    }
    let looked = analysis.looked_at.iter().map(|(what, count)| ((*what).to_owned(), json!(count)));
    value["looked_at"] = Value::Object(looked.collect());
    value
}
