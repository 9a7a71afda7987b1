//! The rules for bills, one file each; the rules for clusters are in [`kubernetes`].

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
    /// Whether it reads charges of this kind of use.
    pub reads: fn(&str) -> bool,
    pub find: fn(&Bill) -> Vec<Finding>,
}

/// In the order of presentation.
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

/// Whether the monthly growth of this kind of storage is read.
pub fn is_growing(usage: &str) -> bool {
    growing_snapshots::is_snapshot(usage) || growing_logs::is_log(usage)
}

/// For rules that do not depend on a kind of use.
const fn none(_: &str) -> bool {
    false
}
