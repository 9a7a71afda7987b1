//! Why an event may have happened: worked out by rules from stored rows, and put into words by a model where one is asked to.
//!
//! The rules' analysis needs no model, is made from the rows its reader may read, and is kept when they read the whole account.

mod around;
mod dumps;
mod gather;
mod places;
#[cfg(test)]
mod tests;
mod written;

use crate::assistant::talk::Desk;
use crate::kit::in_account::{Object, Place, filled, id, object, place_of};
use analysis::Analysis;
use catalogue::{Caller, Right, Value as Cell, ValueRef, format_timestamp};
use graphql::{Ahead, Call, Engine, Refusal};
use serde::Serialize;
use serde_json::{Value, json};
use store::{Condition, StoreError, Transaction, eq};
use uuid::Uuid;

/// What the rules' analysis is kept as, and what a model has made of it.
const BY_RULES: &str = "root_cause";
const BY_MODEL: &str = "root_cause_written";
const TABLE: &str = "event_log_analysis";
/// What a model is asked to make of the rules' analysis.
const WISH: &str = "Say why this event most likely happened, and what to do next.";

/// The analysis of an event's cause.
pub(super) fn cause(ahead: &Ahead<'_>, desk: &Desk<'_>) -> Result<Value, Refusal> {
    let asked = Asked::read(ahead.arguments)?;
    let generate = ahead.arguments.get("generate").and_then(Value::as_bool).unwrap_or_default();
    let found = ahead.engine.store().snapshot(ahead.caller, |rows| asked.find(ahead.caller, rows))?;
    if found.is_whole {
        keep(ahead, &found)?;
    }
    let stored = found.stored.clone().filter(|stored| stored.get("status") != Some(&json!("FAILED")));
    if generate && stored.is_none() {
        let written = written::write(desk, &found, BY_MODEL, WISH)?;
        return Ok(json!({ "data": shown(&found, Some(written)) }));
    }
    Ok(json!({ "data": shown(&found, found.stored.clone()) }))
}

/// Advice on an event, of one kind of analysis: what is stored, else what a model makes of the rules' analysis.
pub(super) fn advice(ahead: &Ahead<'_>, desk: &Desk<'_>) -> Result<Value, Refusal> {
    let asked = Asked::read(ahead.arguments)?;
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
    let wish =
        format!("Give advice of this kind: {kind}. Say what to do first, and how to see that it helped.");
    let written = written::write(desk, &found, kind, &wish)?;
    Ok(json!({ "data": shown(&found, Some(written)) }))
}

/// Both are answered ahead; a model's own questions find neither.
pub(super) fn not_here(_: &Call<'_>) -> Result<Value, Refusal> {
    Err(Refusal::new("not-supported", "an analysis is not made inside another request: ask for it by itself"))
}

/// The rules' analysis of an event, with the rows of the caller: what the assistant looks at.
pub(crate) fn by_rules(
    caller: &Caller,
    rows: &Transaction<'_>,
    account: Uuid,
    event: Uuid,
) -> Result<(Object, Analysis), Refusal> {
    let found = Asked { account, event }.find(caller, rows)?;
    Ok((found.event, found.analysis))
}

/// An event's cause as a run of a workflow is given it, named as the reference names it.
#[derive(Debug, Serialize)]
pub(crate) struct InWords {
    data: String,
    /// What rules found, in a sentence.
    log_summary: String,
    /// All that rules found.
    log_analysis: String,
    /// The model's words.
    investigation: String,
    status: &'static str,
}

/// Has a model put an event's cause into words, with the rows of the desk's caller.
pub(crate) fn in_words(desk: &Desk<'_>, account: Uuid, event: Uuid) -> Result<InWords, Refusal> {
    let asked = Asked { account, event };
    let found = desk.engine.store().snapshot(desk.caller, |rows| asked.find(desk.caller, rows))?;
    let written = written::write(desk, &found, BY_MODEL, WISH)?;
    let words = written.get("analysis").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(InWords {
        data: words.clone(),
        log_summary: found.analysis.summary.clone(),
        log_analysis: found.analysis.text(),
        investigation: words,
        status: "COMPLETED",
    })
}

/// Which event is asked about.
struct Asked {
    account: Uuid,
    event: Uuid,
}

/// The event, and what the rules say of it.
pub(super) struct CauseFindings {
    pub account: Uuid,
    pub id: Uuid,
    pub event: Object,
    pub analysis: Analysis,
    /// What is stored beside the rules' own analysis.
    stored: Option<Object>,
    /// Whether the reader reads the whole account, so that what they read may be kept for all who do.
    is_whole: bool,
}

impl Asked {
    fn read(arguments: &Object) -> Result<Self, Refusal> {
        let given = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        Ok(Self {
            account: id("account_id", given("account_id"))?,
            event: id("event_id", given("event_id"))?,
        })
    }

    fn find(&self, caller: &Caller, rows: &Transaction<'_>) -> Result<CauseFindings, Refusal> {
        place_of(caller, rows, Right::Read, &self.account.to_string(), |place| {
            // The caller's own rows: of an event outside their namespaces nothing is told.
            let event = gather::find(rows, self.account, self.event)?;
            let (asked, material) = gather::gather(rows, self.account, &event)?;
            let stored = stored(place, &event, None)?;
            let analysis = analysis::explain(&asked, &material);
            let places = caller.places(Right::Read);
            let is_whole = caller.reads_tenant() || places.accounts.contains(&self.account);
            Ok(CauseFindings { account: self.account, id: self.event, event, analysis, stored, is_whole })
        })
    }
}

/// Keeps the rules' analysis, unless it is kept like that already.
fn keep(ahead: &Ahead<'_>, found: &CauseFindings) -> Result<(), Refusal> {
    let Some(tenant) = ahead.caller.tenant() else { return Ok(()) };
    let text = found.analysis.text();
    let house = Caller::house_for(tenant);
    let key = [eq("event_id", found.id), eq("analysis_type", BY_RULES)];
    let store = ahead.engine.store();
    let known = store.snapshot(&house, |rows| rows.select(TABLE, &["analysis"], &key))?.pop();
    if known.as_ref().and_then(|row| row[0].as_text()) == Some(&text) {
        return Ok(());
    }
    put(ahead.engine, ahead.caller, found, BY_RULES, &text, &found.analysis.summary)
}

/// Writes an analysis of the event, in place of an earlier one of its kind.
fn put(
    engine: &Engine,
    caller: &Caller,
    found: &CauseFindings,
    kind: &str,
    text: &str,
    summary: &str,
) -> Result<(), Refusal> {
    let Some(tenant) = caller.tenant() else { return Ok(()) };
    let house = Caller::house_for(tenant);
    engine.store().transaction(&house, |rows| {
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

/// The newest analysis of the event that is not the rules' own; else the newest one of events that are the same, which share it.
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

/// What the interface tells of an analysis (semantics §12). The words are those stored, else the rules'.
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

/// The rules' analysis as JSON, times as everywhere in the interface.
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
