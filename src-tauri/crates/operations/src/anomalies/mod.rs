//! Anomalies: unusual costs, measurements and event counts, and the rules that detect them (semantics §9).

mod config;
pub mod costs;
mod listing;
mod measured;

pub(crate) use measured::AFTER_WRITE;
pub use measured::{judge_pending, judge_rules};

use crate::Function;
use crate::kit::typed;

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("anomaly_grouping_v2", listing::count),
    ("anomaly_v2", listing::rows),
    ("anomaly_v3", listing::subjects),
    ("anomaly_template_list", config::templates),
    ("anomaly_config_create", config::create),
    ("anomaly_config_update", config::update),
    ("anomaly_config_disable", config::disable),
    ("spend_anomalies_analyse", costs::analyse),
    ("spend_anomaly_drivers", costs::drivers),
    ("anomaly_feedback", typed!(costs::feedback)),
];
