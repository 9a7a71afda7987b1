//! Groups lines of a bill by their subject.

use super::bill::{Bill, Line, Period};
use super::finding::{Figure, Finding, Saving, Severity, for_a_month};
use super::rule::Rule;
use crate::numbers::sum;
use catalogue::Decimal;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// A subject is treated as still billed if its last charge is at most this many days before the newest one, because the last days of a file are
/// rarely complete.
pub const STILL_DAYS: i32 = 3;

/// The subject of lines: a resource, or for lines without one, an account and region.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub account: Uuid,
    pub currency: String,
    pub resource: Option<Uuid>,
    /// The region; empty for a resource.
    pub region: String,
}

/// The lines of one subject.
#[derive(Debug)]
pub struct Subject<'b> {
    pub key: Key,
    pub lines: Vec<&'b Line>,
    pub period: Period,
    /// Cost of usage of its account in the period.
    account_cost: Decimal,
}

/// The subjects of the lines for which `test` is true.
pub fn subjects<'b>(bill: &'b Bill, test: impl Fn(&Line) -> bool) -> Vec<Subject<'b>> {
    let mut found: BTreeMap<Key, Vec<&Line>> = BTreeMap::new();
    for line in bill.lines.iter().filter(|line| test(line)) {
        let region = if line.resource.is_some() { String::new() } else { line.region.clone() };
        let currency = line.currency.clone();
        let key = Key { account: line.account, currency, resource: line.resource, region };
        found.entry(key).or_default().push(line);
    }
    let subject = |(key, lines): (Key, Vec<&'b Line>)| {
        let account_cost = bill.totals.get(&(key.account, key.currency.clone())).copied();
        Subject { key, lines, period: bill.period, account_cost: account_cost.unwrap_or_default() }
    };
    found.into_iter().map(subject).collect()
}

impl Subject<'_> {
    /// The cost in the period of the lines for which `test` is true.
    pub fn cost(&self, test: impl Fn(&Line) -> bool) -> Decimal {
        sum(self.lines.iter().filter(|line| test(line)).map(|line| line.cost)).unwrap_or_default()
    }

    /// The quantity in the period of the lines for which `test` is true.
    pub fn quantity(&self, test: impl Fn(&Line) -> bool) -> Decimal {
        sum(self.lines.iter().filter(|line| test(line)).map(|line| line.quantity)).unwrap_or_default()
    }

    pub fn has(&self, test: impl Fn(&Line) -> bool) -> bool {
        self.lines.iter().any(|line| test(line))
    }

    /// The first and the last day with a charge.
    pub fn days(&self) -> (i32, i32) {
        let first = self.lines.iter().map(|line| line.first).min().unwrap_or(self.period.from);
        let last = self.lines.iter().map(|line| line.last).max().unwrap_or(self.period.from);
        (first, last)
    }

    /// Whether it is billed up to the end of the period, and for at least `least_days` days.
    pub fn is_billed_still(&self, least_days: i32) -> bool {
        let (first, last) = self.days();
        last >= self.period.to - STILL_DAYS && last - first + 1 >= least_days.min(self.period.days())
    }

    /// Its display name.
    pub fn name(&self) -> String {
        let names: BTreeSet<&str> =
            self.lines.iter().filter_map(|line| line.resource_name.as_deref()).collect();
        match (names.len(), self.key.resource) {
            (1.., Some(_)) => names.first().map(|name| (*name).to_owned()).unwrap_or_default(),
            _ => self.lines.first().map(|line| place(&line.service, &line.region)).unwrap_or_default(),
        }
    }

    /// A finding about all lines of the subject.
    pub fn finding(
        &self,
        rule: &'static Rule,
        saving: Saving,
        (title, why): (String, String),
        figures: Vec<Figure>,
    ) -> Option<Finding> {
        let period_cost = self.cost(|_| true);
        let usage: BTreeSet<&str> = self.lines.iter().map(|line| line.usage.as_str()).collect();
        let (_, last_day) = self.days();
        let region = self.lines.first().map(|line| line.region.clone()).filter(|region| !region.is_empty());
        let mut finding = Finding {
            rule,
            account: self.key.account,
            resource: self.key.resource,
            object: self.name(),
            title,
            why,
            currency: Some(self.key.currency.clone()),
            period_cost,
            monthly_cost: for_a_month(period_cost, self.period)?,
            saving,
            period: Some(self.period),
            usage: usage.into_iter().map(str::to_owned).collect(),
            region,
            figures,
            severity: Severity::Info,
            last_day,
            change: rule.name.to_owned(),
            members: Vec::new(),
            cluster: None,
        };
        finding.severity = severity(&finding, self.account_cost, self.period);
        Some(finding)
    }
}

/// The severity by the monthly saving relative to the cost of the account; `Info` without a saving.
pub fn severity(finding: &Finding, account_cost: Decimal, period: Period) -> Severity {
    let saved = finding.estimated_savings();
    if saved.is_zero() {
        return Severity::Info;
    }
    Severity::of_share(saved, for_a_month(account_cost, period).unwrap_or_default())
}

/// A service with its region, as text.
pub fn place(service: &str, region: &str) -> String {
    if region.is_empty() { service.to_owned() } else { format!("{service} in {region}") }
}
