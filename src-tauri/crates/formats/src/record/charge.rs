//! Costs that a tool has worked out, beside what a provider invoices.

use crate::record::Account;
use catalogue::Decimal;
use serde_json::{Map, Value};

/// One cost of one thing in one period. Its identity is account, subject and period: told again, it replaces.
#[derive(Debug, Clone, PartialEq)]
pub struct Charge {
    pub account: Account,
    /// Who says so, such as `OpenCost`.
    pub source: &'static str,
    /// µs since 1970 UTC; the end is exclusive.
    pub start: i64,
    pub end: i64,
    pub billed: Decimal,
    pub effective: Option<Decimal>,
    pub list: Option<Decimal>,
    /// `None` where the file names no currency.
    pub currency: Option<String>,
    /// The namespace, or the service of a provider.
    pub service: Option<String>,
    /// `namespace/kind/name` in a cluster, or the provider's id.
    pub subject: String,
    pub subject_name: String,
    pub subject_kind: Option<String>,
    /// The machine it ran on, as its provider names it: the bill of that machine counts the cost too.
    pub machine: Option<String>,
    pub tags: Map<String, Value>,
    /// Its parts, as the file has them.
    pub details: Map<String, Value>,
}
