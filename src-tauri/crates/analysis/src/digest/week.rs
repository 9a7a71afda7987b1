//! A week as it is read.

use catalogue::Decimal;
use std::collections::BTreeSet;

/// Days of a week.
const DAYS: i32 = 7;

/// What one account, or all of them, cost and did in a week.
#[derive(Debug)]
pub struct Week<'w> {
    /// Of whom; none of all accounts together.
    pub account: Option<Account<'w>>,
    /// Its Monday, in days since 1970.
    pub first: i32,
    pub parts: &'w [Part],
    pub anomalies: &'w [Anomaly],
    pub closed: &'w [ClosedAdvice],
    /// Accounts whose bills end before the week does, with their last day: they are not counted.
    pub late: &'w [(String, i32)],
}

#[derive(Debug, Clone, Copy)]
pub struct Account<'w> {
    pub name: &'w str,
}

/// What one kind of use of a service cost in the week and in the one before, and how much was used.
#[derive(Debug, Clone, Default)]
pub struct Part {
    pub service: String,
    /// As the bill names it: a usage type, a meter, or the description of the charge.
    pub usage: String,
    pub currency: String,
    /// Whether any of it was for use; fees, taxes and credits are charged, and not used.
    pub is_use: bool,
    pub cost: Decimal,
    pub cost_before: Decimal,
    pub quantity: Decimal,
    pub quantity_before: Decimal,
}

/// An anomaly of cost that began in the week.
#[derive(Debug, Clone)]
pub struct Anomaly {
    pub name: String,
    pub currency: String,
    /// What its days cost beside what was expected of them.
    pub impact: Decimal,
}

/// A recommendation that was closed in the week.
#[derive(Debug, Clone)]
pub struct ClosedAdvice {
    pub currency: Option<String>,
    /// What it was to save in a month.
    pub savings: Decimal,
}

impl Week<'_> {
    /// Its Sunday.
    pub fn last(&self) -> i32 {
        self.first + DAYS - 1
    }

    /// What is compared with: the first and the last day of the week before.
    pub fn before(&self) -> (i32, i32) {
        (self.first - DAYS, self.first - 1)
    }

    pub fn currencies(&self) -> BTreeSet<&str> {
        self.parts.iter().map(|part| part.currency.as_str()).collect()
    }
}

/// The Monday of the last week that is over and whole, by the newest day with a charge: that day itself, and so its week, may still grow.
pub fn last_week(newest: i32) -> i32 {
    // 1970-01-01 was a Thursday.
    let monday = newest - (newest + 3).rem_euclid(DAYS);
    monday - DAYS
}
