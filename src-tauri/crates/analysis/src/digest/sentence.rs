//! Sentences of a digest, and the figures behind them.

use super::VERSION;
use super::week::Week;
use crate::savings::Amount;
use crate::words::{counted, day, days, money, names};
use catalogue::{Decimal, format_date};
use serde::Serialize;
use std::collections::BTreeMap;

/// One sentence of a digest.
#[derive(Debug, Clone)]
pub struct Sentence {
    /// Identifies the sentence within its digest; unique together with week and account.
    pub key: String,
    pub title: String,
    pub weight: Weight,
    pub facts: Facts,
}

/// The importance of a sentence, in the words of `insight_severity`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    Low,
    Medium,
    High,
}

impl Weight {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "Low",
            Self::Medium => "Medium",
            Self::High => "High",
        }
    }
}

/// The figures behind a sentence, stored as `insight.rule`.
#[derive(Debug, Clone, Serialize)]
pub struct Facts {
    name: &'static str,
    version: u32,
    /// `account`, or `total` for all accounts.
    scope: &'static str,
    /// The position in the digest.
    pub place: usize,
    from: String,
    to: String,
    compared_from: String,
    compared_to: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_before: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Amount>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drivers: Vec<Driver>,
}

/// A kind of use that changed the cost of a service.
#[derive(Debug, Clone, Serialize)]
pub struct Driver {
    pub usage: String,
    pub cost: Amount,
    pub cost_before: Amount,
    pub change: Amount,
    pub quantity: Amount,
    pub quantity_before: Amount,
}

impl Facts {
    pub(super) fn of(week: &Week<'_>) -> Self {
        let (from, to) = week.before();
        Self {
            name: "weekly_digest",
            version: VERSION,
            scope: if week.account.is_some() { "account" } else { "total" },
            place: 0,
            from: format_date(week.first),
            to: format_date(week.last()),
            compared_from: format_date(from),
            compared_to: format_date(to),
            currency: None,
            service: None,
            cost: None,
            cost_before: None,
            change: None,
            drivers: Vec::new(),
        }
    }
}

/// The sentence about anomalies that began.
pub(super) fn anomalies(week: &Week<'_>) -> Option<Sentence> {
    if week.anomalies.is_empty() {
        return None;
    }
    let told = |one: &super::Anomaly| {
        let amount = one.impact.abs();
        let side = if one.impact.is_negative() { "less" } else { "more" };
        format!("{} ({} {side} than expected)", one.name, money(amount, Some(&one.currency)))
    };
    let list: Vec<String> = week.anomalies.iter().map(told).collect();
    let many = if list.len() == 1 { "1 anomaly".to_owned() } else { format!("{} anomalies", list.len()) };
    let title = format!("{many} of cost began in the week {}: {}.", span(week), names(&list));
    let weight =
        if week.anomalies.iter().any(|one| !one.impact.is_negative()) { Weight::Medium } else { Weight::Low };
    Some(Sentence { key: "2 anomalies".to_owned(), title, weight, facts: Facts::of(week) })
}

/// The sentence about recommendations that were closed.
pub(super) fn closed(week: &Week<'_>) -> Option<Sentence> {
    if week.closed.is_empty() {
        return None;
    }
    let mut sums: BTreeMap<&str, Decimal> = BTreeMap::new();
    for one in week.closed {
        if let Some(currency) = one.currency.as_deref().filter(|_| !one.savings.is_zero()) {
            let sum = sums.entry(currency).or_default();
            *sum = sum.checked_add(one.savings).unwrap_or(*sum);
        }
    }
    let amounts: Vec<String> = sums.iter().map(|(currency, sum)| money(*sum, Some(currency))).collect();
    let many = counted(week.closed.len(), "recommendation");
    let (were, they) = if week.closed.len() == 1 { ("was", "It was") } else { ("were", "They were") };
    let saving = match amounts.as_slice() {
        [] => String::new(),
        all => format!(" {they} to save {} a month.", all.join(" and ")),
    };
    let title = format!("{many} {were} closed in the week {}.{saving}", span(week));
    Some(Sentence { key: "3 closed".to_owned(), title, weight: Weight::Low, facts: Facts::of(week) })
}

/// The sentence about accounts that are not included.
pub(super) fn late(week: &Week<'_>) -> Option<Sentence> {
    let list: Vec<String> =
        week.late.iter().map(|(name, last)| format!("{name} (billed until {})", day(*last))).collect();
    if list.is_empty() {
        return None;
    }
    let title = format!("Not counted, because their bills end before the week does: {}.", names(&list));
    Some(Sentence { key: "4 late".to_owned(), title, weight: Weight::Low, facts: Facts::of(week) })
}

/// The days of the week as text.
pub(super) fn span(week: &Week<'_>) -> String {
    days(week.first, week.last())
}
