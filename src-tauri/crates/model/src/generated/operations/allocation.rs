//! Types of `schema/operations/allocation.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AllocationPreviewRequest {
    /// First and last day, UTC.
    pub from: String,
    pub to: String,
    pub id: Option<Uuid>,
    pub name: Option<String>,
    pub position: Option<i64>,
    pub scope: Option<serde_json::Value>,
    pub method: Option<AllocationMethod>,
    pub target: Option<String>,
    pub shares: Option<serde_json::Value>,
    pub basis: Option<serde_json::Value>,
    pub number_name: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AllocationPreviewResponse {
    /// By currency and target, the largest amount first; the target of what stays unallocated is empty.
    pub rows: Vec<AllocationPreviewRow>,
    /// What the charges of the rule come to.
    pub sources: Vec<AllocationSource>,
    /// Why something stays unallocated.
    pub messages: Vec<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AllocationPreviewRow {
    pub currency: Option<String>,
    pub target: String,
    pub amount: Number,
    /// Of the source, a share.
    pub share: Option<Number>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AllocationSource {
    pub currency: Option<String>,
    pub amount: Number,
    pub allocated: Number,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct TagCoverageRequest {
    /// First and last day, UTC.
    pub from: String,
    pub to: String,
    /// Only charges in this currency; the one with most cost when left out.
    pub currency: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TagCoverageResponse {
    pub currency: Option<String>,
    /// Billed cost of what can be tagged: use and purchases.
    pub taggable: Number,
    /// Billed cost of the rest: taxes, credits, fees, adjustments.
    pub untaggable: Number,
    /// Taggable cost with any tag.
    pub tagged: Number,
    /// Each key of files, the largest cost first.
    pub keys: Vec<TagKeyCoverage>,
    /// The same of virtual tags, with `virtual:` before their keys. They do not count as tagged.
    pub virtual_tags: Vec<TagKeyCoverage>,
    /// Keys that are one key, spelled in several ways: the one with most cost first.
    pub spellings: Vec<TagSpelling>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TagKeyCoverage {
    pub key: String,
    /// Taggable cost whose charges have the key with a value.
    pub amount: Number,
    /// Of the taggable cost, a share.
    pub share: Option<Number>,
    /// Different values.
    pub values: i64,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TagSpelling {
    pub keys: Vec<String>,
    /// Cost that has any of these keys.
    pub amount: Number,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UnitCostsRequest {
    /// The name of a number in `business_number`.
    pub name: String,
    /// Only numbers of this group; all together when left out.
    pub group: Option<String>,
    pub from: String,
    pub to: String,
    /// Which charges; all when left out. As `budget.scope`.
    pub scope: Option<serde_json::Value>,
    /// `day` or `month`.
    pub every: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct UnitCostsResponse {
    pub rows: Vec<UnitCostRow>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct UnitCostRow {
    /// The day, or the first day of the month. Only those on which the number is known.
    pub date: String,
    pub currency: Option<String>,
    pub cost: Number,
    pub value: Number,
    /// cost ÷ value; null where the value is zero.
    pub unit_cost: Option<Number>,
    /// Days that count. A number that stands on two days in a row of a month is told by the day: of a month, cost and number are those of the days that have the
    /// number and that bills tell. Any other number is that of its whole month: its cost is that of these days.
    pub days: i64,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct VirtualTagPreviewRequest {
    /// First and last day, UTC.
    pub from: String,
    pub to: String,
    /// As `virtual_tag.rules`.
    pub rules: serde_json::Value,
    /// The value of charges that no rule gives one.
    pub other_value: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct VirtualTagPreviewResponse {
    /// By currency, rule and value, in the order of the rules, then the largest amount first.
    pub rows: Vec<VirtualTagPreviewRow>,
    /// Where charges without a value come from, the largest amount first: ten at most.
    pub without: Vec<VirtualTagSource>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct VirtualTagPreviewRow {
    /// The place of the rule, counted from 1; null for charges that no rule gives a value.
    pub rule: Option<i64>,
    /// Null for charges that stay without one.
    pub value: Option<String>,
    pub currency: Option<String>,
    pub amount: Number,
    pub charges: i64,
    /// Of all charges in the currency, a share of the amount.
    pub share: Option<Number>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct VirtualTagSource {
    pub account_id: Uuid,
    pub service_name: Option<String>,
    pub currency: Option<String>,
    pub amount: Number,
    pub charges: i64,
}
