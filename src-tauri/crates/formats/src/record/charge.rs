//! A cost computed by a tool, in addition to the provider's invoices.

use crate::record::Account;
use catalogue::Decimal;
use serde_json::{Map, Value};

/// The cost of one thing in one period. Identified by account, subject and period: a later import of the same replaces it.
#[derive(Debug, Clone, PartialEq)]
pub struct Charge {
    pub account: Account,
    /// The tool that reports the cost, such as `OpenCost`.
    pub source: &'static str,
    /// µs since 1970 UTC; the end is exclusive.
    pub start: i64,
    pub end: i64,
    pub billed: Decimal,
    pub effective: Option<Decimal>,
    pub list: Option<Decimal>,
    /// `None` where the file names no currency.
    pub currency: Option<String>,
    /// The namespace, or the provider's service.
    pub service: Option<String>,
    /// `namespace/kind/name` in a cluster, or the provider's id.
    pub subject: String,
    pub subject_name: String,
    pub subject_kind: Option<String>,
    /// The provider's id of the machine it ran on. That machine's bill already includes this cost.
    pub machine: Option<String>,
    pub tags: Map<String, Value>,
    /// The parts of the cost, as in the file.
    pub details: Map<String, Value>,
}
