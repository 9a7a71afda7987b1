//! The data of a week.

use catalogue::Decimal;
use std::collections::BTreeSet;

/// Days per week.
const DAYS: i32 = 7;

/// The data of one account, or of all accounts together, in a week.
#[derive(Debug)]
pub struct Week<'w> {
    /// The account; `None` for all accounts together.
    pub account: Option<Account<'w>>,
    /// Its Monday, in days since 1970.
    pub first: i32,
    pub parts: &'w [Part],
    pub anomalies: &'w [Anomaly],
    pub closed: &'w [ClosedAdvice],
    /// Accounts whose bills end before the week does, with their last day. They are not included.
    pub late: &'w [(String, i32)],
}

/// The account of a week.
#[derive(Debug, Clone, Copy)]
pub struct Account<'w> {
    pub name: &'w str,
}

/// Cost and quantity of one kind of use of a service in the week and in the week before.
#[derive(Debug, Clone, Default)]
pub struct Part {
    pub service: String,
    /// The name in the bill: a usage type, a meter, or the description of the charge.
    pub usage: String,
    pub currency: String,
    /// Whether any of the charges is usage; fees, taxes and credits are not.
    pub is_use: bool,
    pub cost: Decimal,
    pub cost_before: Decimal,
    pub quantity: Decimal,
    pub quantity_before: Decimal,
}

/// A cost anomaly that began in the week.
#[derive(Debug, Clone)]
pub struct Anomaly {
    pub name: String,
    pub currency: String,
    /// The actual minus the expected cost of its days.
    pub impact: Decimal,
}

/// A recommendation that was closed in the week.
#[derive(Debug, Clone)]
pub struct ClosedAdvice {
    pub currency: Option<String>,
    /// The estimated monthly saving.
    pub savings: Decimal,
}

impl Week<'_> {
    /// Its Sunday.
    pub fn last(&self) -> i32 {
        self.first + DAYS - 1
    }

    /// The first and last day of the week before, which is compared.
    pub fn before(&self) -> (i32, i32) {
        (self.first - DAYS, self.first - 1)
    }

    pub fn currencies(&self) -> BTreeSet<&str> {
        self.parts.iter().map(|part| part.currency.as_str()).collect()
    }
}

/// The Monday of the last complete week, given the newest day with a charge. That day may still be incomplete, and therefore its week does not
/// count.
pub fn last_week(newest: i32) -> i32 {
    // 1970-01-01 was a Thursday.
    let monday = newest - (newest + 3).rem_euclid(DAYS);
    monday - DAYS
}
