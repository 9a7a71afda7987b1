//! What the rules for bills are given.

use catalogue::Decimal;
use std::collections::BTreeMap;
use uuid::Uuid;

/// The charges of a tenant that rules look at, up to a day.
#[derive(Debug, Clone, Default)]
pub struct Bill {
    pub period: Period,
    /// What usage cost in the period, by kind of use and resource.
    pub lines: Vec<Line>,
    /// Storage that may only grow, by calendar month.
    pub growth: Vec<Growth>,
    /// Machines of environments that are not production, by the hours of the week.
    pub nights: Vec<super::Night>,
    /// What commitments cost that nothing used.
    pub unused: Vec<UnusedCommitment>,
    /// What usage of an account cost in the period, by currency.
    pub totals: BTreeMap<(Uuid, String), Decimal>,
}

/// The days that are judged: a month that ends on the newest day, or what there is of it. Days since 1970, UTC, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Period {
    pub from: i32,
    pub to: i32,
}

impl Period {
    /// How many days it has.
    pub const fn days(self) -> i32 {
        self.to - self.from + 1
    }
}

/// What one kind of use of one resource cost in the period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub account: Uuid,
    pub resource: Option<Uuid>,
    /// What the provider calls the resource.
    pub resource_name: Option<String>,
    /// Its label `Name`.
    pub label: Option<String>,
    pub service: String,
    /// The usage type or meter, in the provider's words.
    pub usage: String,
    pub region: String,
    pub currency: String,
    /// The first and the last day with a charge.
    pub first: i32,
    pub last: i32,
    pub cost: Decimal,
    pub quantity: Decimal,
    pub unit: Option<String>,
}

/// A kind of storage of an account in a region, by complete calendar months, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Growth {
    pub account: Uuid,
    pub service: String,
    pub usage: String,
    pub region: String,
    pub currency: String,
    pub months: Vec<Month>,
}

/// A calendar month, by its first day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Month {
    pub first: i32,
    pub cost: Decimal,
    pub quantity: Decimal,
}

/// What a commitment cost in the period that nothing used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusedCommitment {
    pub account: Uuid,
    /// As the provider spells it.
    pub commitment: String,
    pub name: Option<String>,
    pub kind: Option<String>,
    pub currency: String,
    pub last: i32,
    pub unused: Decimal,
    /// Effective cost of the use it covered.
    pub used: Decimal,
}
