//! Events: where they stand, what people decide about them, what belongs together (semantics §7).

mod bulk;
mod classify;
mod criteria;
mod filters;
mod related;
mod resolve;
mod rules;
mod status;
mod system_rule;
mod timeline;

use crate::Function;

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("event_get_filter_values", filters::values),
    ("event_update_nb_status", status::update),
    ("event_update", status::update_urgency),
    ("event_classify", classify::classify),
    ("event_classify_preview", classify::preview),
    ("event_get_classification", classify::get),
    ("event_bulk_operation_status", bulk::status),
    ("event_resolve", resolve::resolve),
    ("event_create_triage_rule", rules::create),
    ("event_update_triage_rule", rules::update),
    ("event_delete_triage_rule", rules::delete),
    ("event_get_triage_rules", rules::list),
    ("event_get_triage_rule_events", rules::events),
    ("event_preview_triage_rule", rules::preview),
    ("event_toggle_system_rule_override", system_rule::toggle),
    ("event_get_timeline", timeline::timeline),
    ("event_get_duplicates", related::duplicates),
    ("event_get_duplicate_suggestions", related::suggestions),
    ("event_get_correlations", related::correlations),
];
