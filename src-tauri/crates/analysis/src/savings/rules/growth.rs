//! Storage that only grows: over four complete calendar months, no month has less than the one before.

use super::simple::threshold;
use crate::numbers::ratio;
use crate::savings::bill::{Bill, Growth};
use crate::savings::finding::{Figure, Finding, Saving, Severity};
use crate::savings::rule::Rule;
use crate::savings::subject::{place, severity};
use catalogue::format_date;

/// The number of months: three intervals are 90 days.
pub const MONTHS: usize = 4;

/// Storage that grew in every interval, and by at least the rule's first threshold in total. The possible saving is the return to the initial
/// size.
pub fn growing(
    bill: &Bill,
    rule: &'static Rule,
    is_of: fn(&str) -> bool,
    words: fn(&str) -> (String, String),
) -> Vec<Finding> {
    bill.growth
        .iter()
        .filter(|growth| is_of(&growth.usage))
        .filter_map(|growth| one(bill, rule, growth, words))
        .collect()
}

fn one(
    bill: &Bill,
    rule: &'static Rule,
    growth: &Growth,
    words: fn(&str) -> (String, String),
) -> Option<Finding> {
    let months = growth.months.get(growth.months.len().checked_sub(MONTHS)?..)?;
    let (first, last) = (months.first()?, months.last()?);
    let is_growing = months.windows(2).all(|pair| pair[1].quantity >= pair[0].quantity);
    if !is_growing || ratio(last.quantity, first.quantity)? < threshold(rule, 0) {
        return None;
    }
    let mut figures = Vec::new();
    for month in months {
        let name = format_date(month.first);
        let name = name.get(..7).unwrap_or_default();
        figures.push(Figure::new(format!("{name}: quantity"), month.quantity, "GB-months"));
        figures.push(Figure::new(format!("{name}: cost"), month.cost, growth.currency.clone()));
    }
    let place = place(&growth.service, &growth.region);
    let (title, why) = words(&place);
    let mut finding = Finding {
        rule,
        account: growth.account,
        resource: None,
        object: format!("{place}: {}", growth.usage),
        title,
        why,
        currency: Some(growth.currency.clone()),
        period_cost: last.cost,
        monthly_cost: last.cost,
        saving: Saving::Target(first.cost),
        period: Some(crate::savings::Period {
            from: last.first,
            to: crate::forecast::first_of_next(last.first) - 1,
        }),
        usage: vec![growth.usage.clone()],
        region: Some(growth.region.clone()).filter(|region| !region.is_empty()),
        figures,
        severity: Severity::Info,
        last_day: crate::forecast::first_of_next(last.first) - 1,
        change: rule.name.to_owned(),
        members: Vec::new(),
        cluster: None,
    };
    let account_cost = bill.totals.get(&(growth.account, growth.currency.clone())).copied();
    finding.severity = severity(&finding, account_cost.unwrap_or_default(), bill.period);
    Some(finding)
}
