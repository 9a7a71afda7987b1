//! The input of the rules for bills.

use catalogue::Decimal;
use std::collections::BTreeMap;
use uuid::Uuid;

/// A tenant's charges that rules read, up to a day.
#[derive(Debug, Clone, Default)]
pub struct Bill {
    pub period: Period,
    /// Cost of usage in the period, by kind of use and resource.
    pub lines: Vec<Line>,
    /// Storage to be checked for steady growth, by calendar month.
    pub growth: Vec<Growth>,
    /// Machines of non-production environments, by hour of the week.
    pub nights: Vec<super::Night>,
    /// Cost of unused commitments.
    pub unused: Vec<UnusedCommitment>,
    /// Cost of usage of each account in the period, by currency.
    pub totals: BTreeMap<(Uuid, String), Decimal>,
}

/// The judged days: a month that ends on the newest day, or the available part of it. Days since 1970, UTC, both inclusive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Period {
    pub from: i32,
    pub to: i32,
}

impl Period {
    /// The number of days.
    pub const fn days(self) -> i32 {
        self.to - self.from + 1
    }
}

/// The cost of one kind of use of one resource in the period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub account: Uuid,
    pub resource: Option<Uuid>,
    /// The provider's name of the resource.
    pub resource_name: Option<String>,
    /// Its tag `Name`.
    pub label: Option<String>,
    pub service: String,
    /// The usage type or meter, as the provider names it.
    pub usage: String,
    pub region: String,
    pub currency: String,
    /// First and last day with a charge.
    pub first: i32,
    pub last: i32,
    pub cost: Decimal,
    pub quantity: Decimal,
    pub unit: Option<String>,
}

/// One kind of storage of an account in a region, by complete calendar months, oldest first.
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

/// The unused cost of a commitment in the period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusedCommitment {
    pub account: Uuid,
    /// The provider's id of the commitment.
    pub commitment: String,
    pub name: Option<String>,
    pub kind: Option<String>,
    pub currency: String,
    pub last: i32,
    pub unused: Decimal,
    /// Effective cost of the usage it covered.
    pub used: Decimal,
}
