//! The rules for clusters, one file each. Prices come only from bills, never from price lists.

mod failing_pods;
mod idle_nodes;
mod no_limits;
mod no_requests;
mod requests_above_use;
mod requests_below_use;
mod restarting_pods;
mod rightsizing;
mod spot_candidates;
mod subject;
mod uses;
mod version_support;

pub use idle_nodes::idle;
pub use requests_above_use::{HOURS as FEWEST_HOURS, POINTS as FEWEST_MEASUREMENTS};
pub use rightsizing::{Rightsizing, rightsizing};

use crate::savings::cluster::Cluster;
use crate::savings::finding::Finding;
use crate::savings::rule::Rule;

/// A rule and its code.
pub struct Judge {
    pub rule: &'static Rule,
    pub find: fn(&Cluster) -> Vec<Finding>,
}

/// In the order of presentation.
pub const ALL: [Judge; 9] = [
    failing_pods::JUDGE,
    restarting_pods::JUDGE,
    version_support::JUDGE,
    idle_nodes::JUDGE,
    requests_below_use::JUDGE,
    requests_above_use::JUDGE,
    no_limits::JUDGE,
    no_requests::JUDGE,
    spot_candidates::JUDGE,
];
