//! The results of analyses of a whole account.

use crate::record::Account;
use serde_json::{Map, Value};

/// One result about an account. Identified by account and `unique_id`; a newer one replaces the older one.
#[derive(Debug, Clone, PartialEq)]
pub struct Insight {
    pub account: Account,
    pub unique_id: String,
    /// The tool that reports it, such as `support_bundle`.
    pub source: &'static str,
    /// The kind of insight, such as `analysis`.
    pub kind: &'static str,
    pub title: String,
    /// A value of `insight_severity`; `None` for a passed analysis.
    pub severity: Option<&'static str>,
    /// Whether it calls for action.
    pub is_open: bool,
    /// The analyzer rule that produced it.
    pub rule: Map<String, Value>,
}
