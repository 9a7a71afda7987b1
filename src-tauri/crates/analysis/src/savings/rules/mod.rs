//! The rules for bills, one file each; those for clusters in [`kubernetes`].

mod extended_support;
mod gp2_volume;
mod growing_logs;
mod growing_snapshots;
mod growth;
mod idle_address;
mod idle_load_balancer;
mod idle_nat;
pub mod kubernetes;
mod left_behind_volume;
mod night_hours;
mod previous_generation;
mod previous_prices;
mod provisioned_iops;
mod simple;
mod standard_storage;
mod stopped_database;
mod traffic;
mod unused_commitment;

use super::bill::Bill;
use super::finding::Finding;
use super::rule::Rule;

/// A rule and its code.
pub struct Judge {
    pub rule: &'static Rule,
    /// Whether it looks at charges of this kind of use.
    pub reads: fn(&str) -> bool,
    pub find: fn(&Bill) -> Vec<Finding>,
}

/// In the order in which they are told.
pub const ALL: [Judge; 16] = [
    idle_address::JUDGE,
    gp2_volume::JUDGE,
    provisioned_iops::JUDGE,
    previous_generation::JUDGE,
    idle_nat::JUDGE,
    idle_load_balancer::JUDGE,
    growing_snapshots::JUDGE,
    growing_logs::JUDGE,
    traffic::CROSS_ZONE,
    traffic::EGRESS,
    stopped_database::JUDGE,
    night_hours::JUDGE,
    extended_support::JUDGE,
    unused_commitment::JUDGE,
    standard_storage::JUDGE,
    left_behind_volume::JUDGE,
];

/// Storage whose growth is looked at.
pub fn is_growing(usage: &str) -> bool {
    growing_snapshots::is_snapshot(usage) || growing_logs::is_log(usage)
}

/// A rule that is no rule of a kind of use reads none.
const fn none(_: &str) -> bool {
    false
}
