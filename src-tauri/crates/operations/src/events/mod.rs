//! Events: triage status, users' decisions, related events (semantics §7).

mod active_rules;
mod arrival;
mod backfill;
mod bulk;
mod classify;
mod correlate;
mod criteria;
mod filters;
pub(crate) mod outcomes;
mod outlook;
mod post_mortem;
mod related;
mod resolve;
mod rules;
mod score;
mod series;
mod snooze;
mod status;
mod system_rule;
mod timeline;

use crate::Function;
use crate::kit::typed;
use graphql::Refusal;
pub use post_mortem::post_mortem_pdf;
pub(crate) use status::{ChangeContext, Event, PLAYBOOK, find, history};
use store::{AfterWriteHook, Transaction};

/// Runs triage after events are inserted.
pub(crate) const AFTER_WRITE: AfterWriteHook =
    AfterWriteHook { table: "events", columns: &[], deletions: false, run: arrival::arrived };

/// Tables whose rows give the service background work.
pub(crate) const BACKGROUND_TABLES: [&str; 2] = ["events", "event_bulk_operations"];

/// Runs one step of the background work for all tenants. Returns when the next step is due, if known; a time that is not in the future means
/// immediately.
pub(crate) fn run_background_step(rows: &Transaction<'_>) -> Result<Option<i64>, Refusal> {
    let is_more = bulk::carry_on(rows)?;
    let next = snooze::wake(rows)?;
    Ok(if is_more { Some(rows.now()) } else { next })
}

/// When the next step of the background work is due.
pub(crate) fn next_background_step(rows: &Transaction<'_>) -> Result<Option<i64>, Refusal> {
    if bulk::is_waiting(rows)? { Ok(Some(rows.now())) } else { snooze::next(rows) }
}

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("event_get_filter_values", typed!(filters::values)),
    ("event_update_nb_status", typed!(status::update)),
    ("event_update", status::update_urgency),
    ("event_classify", typed!(classify::classify)),
    ("event_classify_preview", typed!(classify::preview)),
    ("event_get_classification", classify::get),
    ("event_bulk_operation_status", bulk::status),
    ("event_undo_bulk_operation", typed!(bulk::undo)),
    ("event_resolve", typed!(resolve::resolve)),
    ("event_create_triage_rule", typed!(rules::create)),
    ("event_update_triage_rule", typed!(rules::update)),
    ("event_delete_triage_rule", typed!(rules::delete)),
    ("event_get_triage_rules", rules::list),
    ("event_get_triage_rule_events", rules::events),
    ("event_preview_triage_rule", typed!(rules::preview)),
    ("event_toggle_system_rule_override", typed!(system_rule::toggle)),
    ("event_get_timeline", typed!(timeline::timeline)),
    ("event_get_duplicates", typed!(related::duplicates)),
    ("event_get_duplicate_suggestions", typed!(related::suggestions)),
    ("event_get_correlations", typed!(related::correlations)),
    ("event_get_triage", typed!(outlook::triage)),
    ("event_backfill_triage", typed!(backfill::backfill)),
    ("event_deduplicate_correlations", typed!(backfill::deduplicate)),
];
