//! What an analysis says of a whole account.

use crate::record::Account;
use serde_json::{Map, Value};

/// One sentence about an account. Its identity is account and `unique_id`; a newer one takes the place of an older one.
#[derive(Debug, Clone, PartialEq)]
pub struct Insight {
    pub account: Account,
    pub unique_id: String,
    /// What tool says it, such as `support_bundle`.
    pub source: &'static str,
    /// What sort of insight, such as `analysis`.
    pub kind: &'static str,
    pub title: String,
    /// A value of `insight_severity`; `None` where all is well.
    pub severity: Option<&'static str>,
    /// Whether it asks for something to be done.
    pub is_open: bool,
    /// The rule that found it.
    pub rule: Map<String, Value>,
}
