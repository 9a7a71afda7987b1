//! `event_get_timeline`: the stored history of an event in chronological order.

use super::status;
use crate::kit::{Arguments, Look};
use graphql::{Call, Refusal};
use model::operations::{EventTimeline, EventTimelineOutput};
use serde_json::{Map, Value as Json};

/// A table with rows about an event: its name, its time column and the columns read.
struct Source {
    table: &'static str,
    time: &'static str,
    columns: &'static [&'static str],
    tell: fn(&Json) -> (String, String),
}

const SOURCES: [Source; 4] = [
    Source {
        table: "event_history",
        time: "changed_at",
        columns: &["change_type", "change_reason", "old_value", "new_value", "changed_by", "metadata"],
        tell: |row| {
            let what = text(&row["change_type"]);
            if what == status::PLAYBOOK {
                return ("playbook_run".to_owned(), format!("playbook {} was run", text(&row["new_value"])));
            }
            let change = format!("{what} from {} to {}", text(&row["old_value"]), text(&row["new_value"]));
            (format!("{what}_changed"), change)
        },
    },
    Source {
        table: "event_classification",
        time: "classified_at",
        columns: &["classification", "reason_code", "reason_text", "apply_scope", "classified_by"],
        tell: |row| {
            let judged = format!("{} ({})", text(&row["classification"]), text(&row["reason_code"]));
            ("classified".to_owned(), judged)
        },
    },
    Source {
        table: "event_resolution",
        time: "created_at",
        columns: &["type", "status", "status_message", "resolver_type", "resolver_id", "type_reference_id"],
        tell: |row| ("resolution".to_owned(), format!("{}: {}", text(&row["type"]), text(&row["status"]))),
    },
    Source {
        table: "event_log_analysis",
        time: "recorded_at",
        columns: &["analysis_type", "status", "summary"],
        tell: |row| {
            ("analysis".to_owned(), format!("{}: {}", text(&row["analysis_type"]), text(&row["status"])))
        },
    },
];

/// A JSON string without quotes, other JSON as text, null as "nothing".
fn text(value: &Json) -> String {
    match value {
        Json::Null => "nothing".to_owned(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// `event_get_timeline`
pub(super) fn timeline(call: &Call<'_>) -> Result<EventTimelineOutput, Refusal> {
    let id = Arguments(call.arguments).needed_id("event_id")?;
    status::find(call.rows, id)?;
    let columns = ["created_at", "starts_at", "ends_at", "title", "source"];
    let event = Look::at(call.rows, "events")?.with("id", id)?.first(&columns)?.unwrap_or_default();
    let mut entries = Vec::new();
    for (column, action, summary) in [
        ("starts_at", "started", "began"),
        ("created_at", "received", "came in"),
        ("ends_at", "ended", "was over"),
    ] {
        if !event[column].is_null() {
            let source: Map<_, _> = [("source".to_owned(), event["source"].clone())].into_iter().collect();
            entries.push(EventTimeline {
                timestamp: event[column].as_str().map(str::to_owned),
                action: Some(action.to_owned()),
                ref_type: Some("events".to_owned()),
                ref_id: Some(id.to_string()),
                summary: Some(format!("{} {summary}", text(&event["title"]))),
                metadata: Some(source.into()),
            });
        }
    }
    for source in &SOURCES {
        let columns: Vec<&str> = source.columns.iter().copied().chain(["id", source.time]).collect();
        for mut row in Look::at(call.rows, source.table)?.with("event_id", id)?.rows(&columns)? {
            let (action, summary) = (source.tell)(&row);
            // Some times end with a zone, which is always UTC.
            let time = row[source.time].as_str().map(|time| time.trim_end_matches("+00:00").to_owned());
            let row_id = row["id"].take();
            if let Some(told) = row.as_object_mut() {
                told.retain(|name, value| name != "id" && name != source.time && !value.is_null());
            }
            entries.push(EventTimeline {
                timestamp: time,
                action: Some(action),
                summary: Some(summary),
                ref_type: Some(source.table.to_owned()),
                ref_id: row_id.as_str().map(str::to_owned),
                metadata: Some(row),
            });
        }
    }
    // Entries without a time are last.
    entries.sort_by_cached_key(|entry| (entry.timestamp.is_none(), entry.timestamp.clone()));
    Ok(EventTimelineOutput { event_id: id.to_string(), timeline: Some(entries) })
}
