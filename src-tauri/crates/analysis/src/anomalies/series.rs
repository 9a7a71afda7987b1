//! Builds the daily series of a bill: by account and service, by value of a declared tag, and in total by currency.

use super::days::is_month_start;
use super::grain::Grain;
use super::rules::{JUDGED_DAYS, LEVEL_PERCENT};
use super::{DailyCost, Measure, SeriesKey, TaggedCost};
use crate::numbers::{percent, sum};
use catalogue::Decimal;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// The values of one series, step by step. In an hourly series, read "day" as hour.
pub(super) struct Series {
    pub key: SeriesKey,
    pub grain: Grain,
    /// The day of the first value.
    start: i32,
    /// `None` if the day's value is unknown.
    values: Vec<Option<Decimal>>,
    /// Whether each day is complete and may be judged.
    judged: Vec<bool>,
    /// Whether each day is final. On other days, missing cost may still arrive.
    settled: Vec<bool>,
    /// Days on which the level changes for a known reason: earlier days are not compared with. Sorted.
    breaks: Vec<i32>,
    /// First day of the bill the series belongs to.
    pub known_since: i32,
    /// First day with a charge.
    pub first_charge: i32,
}

impl Series {
    /// A series in which every step with a value is complete; steps from `judged_from` on are judged.
    pub fn complete(
        key: SeriesKey,
        grain: Grain,
        start: i32,
        values: Vec<Option<Decimal>>,
        judged_from: i32,
    ) -> Self {
        let judged = (start..).zip(&values).map(|(step, _)| step >= judged_from).collect();
        let settled = vec![true; values.len()];
        let (known_since, first_charge) = (start, start);
        Self { key, grain, start, values, judged, settled, breaks: Vec::new(), known_since, first_charge }
    }

    pub fn at(&self, day: i32) -> Option<Decimal> {
        let place = usize::try_from(day.checked_sub(self.start)?).ok()?;
        self.values.get(place).copied().flatten()
    }

    /// Days that are judged, in order.
    pub fn judged_days(&self) -> impl Iterator<Item = i32> + '_ {
        let days = (self.start..).zip(self.values.iter().zip(&self.judged));
        days.filter(|(_, (value, judged))| value.is_some() && **judged).map(|(day, _)| day)
    }

    /// Whether a low value on a day is final.
    pub fn is_settled(&self, day: i32) -> bool {
        let place = day.checked_sub(self.start).and_then(|place| usize::try_from(place).ok());
        place.and_then(|place| self.settled.get(place)).copied().unwrap_or_default()
    }

    /// The first day with which a day may be compared.
    pub fn history_from(&self, day: i32) -> i32 {
        let broken = self.breaks.iter().rev().find(|from| **from <= day).copied();
        broken.unwrap_or(self.first_charge).max(self.first_charge)
    }

    /// Ordinary days of an interval with their values: without month starts and days of unknown value.
    pub fn ordinary(&self, from: i32, until: i32) -> impl Iterator<Item = (i32, Decimal)> + '_ {
        let from = from.max(self.start);
        (from..until)
            .filter(|day| !is_month_start(*day))
            .filter_map(|day| self.at(day).map(|value| (day, value)))
    }
}

/// The days with charges of one account.
struct Account {
    days: BTreeSet<i32>,
    /// First day of its billing account.
    known_since: i32,
}

impl Account {
    fn first(&self) -> i32 {
        self.days.first().copied().unwrap_or_default()
    }

    fn last(&self) -> i32 {
        self.days.last().copied().unwrap_or_default()
    }

    /// A day is complete if a later charge exists, or if it is more than 48 hours before the newest one.
    fn is_complete(&self, day: i32, newest: i32) -> bool {
        self.days.contains(&day) && (day < self.last() || day + 2 < newest)
    }

    /// Providers deliver the last two days of an account in parts: a high value is certain, but a low value may still rise.
    fn is_settled(&self, day: i32, newest: i32) -> bool {
        self.days.contains(&day) && (day + 1 < self.last() || day + 2 < newest)
    }

    /// Whether a charge is expected on that day: most days of the week before had charges.
    fn is_expected(&self, day: i32) -> bool {
        self.days.range(day - 7..day).count() >= 4
    }
}

/// The series of a bill. All of `costs` began by the day of judgement.
pub(super) fn build(costs: &[DailyCost], tagged: &[TaggedCost]) -> Vec<Series> {
    let Some(newest) = costs.iter().map(|cost| cost.day).max() else { return Vec::new() };
    let accounts = accounts(costs);
    let mut amounts: BTreeMap<(&str, Uuid, &str), BTreeMap<i32, Decimal>> = BTreeMap::new();
    for cost in costs {
        let series = amounts.entry((&cost.currency, cost.account, &cost.service)).or_default();
        let amount = series.entry(cost.day).or_insert(Decimal::ZERO);
        *amount = amount.checked_add(cost.amount).unwrap_or(*amount);
    }
    let mut all = Vec::new();
    for ((currency, account, service), amounts) in &amounts {
        let (Some(held), Some(first)) = (accounts.get(account), amounts.keys().next()) else { continue };
        let days = *first..held.last() + 1;
        let value =
            |day: i32| held.days.contains(&day).then(|| amounts.get(&day).copied().unwrap_or(Decimal::ZERO));
        let is_judged = |day: i32| day > newest - JUDGED_DAYS && held.is_complete(day, newest);
        let is_settled = |day: i32| held.is_settled(day, newest);
        all.push(Series {
            key: SeriesKey {
                measure: Measure::Cost((*currency).to_owned()),
                account: Some(*account),
                tag: None,
                name: (*service).to_owned(),
            },
            grain: Grain::Day,
            start: *first,
            values: days.clone().map(value).collect(),
            judged: days.clone().map(is_judged).collect(),
            settled: days.map(is_settled).collect(),
            breaks: Vec::new(),
            known_since: held.known_since,
            first_charge: *first,
        });
    }
    let currencies: BTreeSet<&str> = costs.iter().map(|cost| cost.currency.as_str()).collect();
    let held = BillAccounts { accounts: &accounts, newest };
    all.extend(currencies.into_iter().filter_map(|currency| {
        let measure = Measure::Cost(currency.to_owned());
        let key = SeriesKey { measure, account: None, tag: None, name: String::new() };
        let costs = costs.iter().filter(|cost| cost.currency == currency);
        held.together(key, costs.map(|cost| (cost.day, cost.account, cost.amount)))
    }));
    all.extend(by_tag(tagged, &held));
    all
}

/// Day, account and cost.
type Part = (i32, Uuid, Decimal);

/// One series per value of a tag and currency.
fn by_tag(tagged: &[TaggedCost], held: &BillAccounts<'_>) -> Vec<Series> {
    let mut values: BTreeMap<(&str, &str, &str), Vec<Part>> = BTreeMap::new();
    for TaggedCost { tag, value, cost } in tagged {
        values.entry((&cost.currency, tag, value)).or_default().push((cost.day, cost.account, cost.amount));
    }
    let mut series = Vec::new();
    for ((currency, tag, value), costs) in values {
        let measure = Measure::Cost(currency.to_owned());
        let key = SeriesKey { measure, account: None, tag: Some(tag.to_owned()), name: value.to_owned() };
        series.extend(held.together(key, costs.into_iter()));
    }
    series
}

fn accounts(costs: &[DailyCost]) -> BTreeMap<Uuid, Account> {
    let mut bills: BTreeMap<&str, i32> = BTreeMap::new();
    let mut accounts: BTreeMap<Uuid, Account> = BTreeMap::new();
    for cost in costs {
        if let Some(bill) = &cost.billing_account {
            let first = bills.entry(bill).or_insert(cost.day);
            *first = cost.day.min(*first);
        }
    }
    for cost in costs {
        let known = cost.billing_account.as_deref().and_then(|bill| bills.get(bill)).copied();
        let account = accounts
            .entry(cost.account)
            .or_insert_with(|| Account { days: BTreeSet::new(), known_since: cost.day });
        account.days.insert(cost.day);
        account.known_since = account.known_since.min(known.unwrap_or(cost.day)).min(cost.day);
    }
    accounts
}

/// The accounts of a bill, and its newest day.
struct BillAccounts<'a> {
    accounts: &'a BTreeMap<Uuid, Account>,
    newest: i32,
}

impl BillAccounts<'_> {
    /// The sum of several accounts' costs. A day is judged if it is complete in every account that is expected to have charges.
    fn together(&self, key: SeriesKey, costs: impl Iterator<Item = Part>) -> Option<Series> {
        let mut amounts: BTreeMap<i32, Decimal> = BTreeMap::new();
        let mut by_account: BTreeMap<Uuid, BTreeMap<i32, Decimal>> = BTreeMap::new();
        for (day, account, cost) in costs {
            for sums in [&mut amounts, by_account.entry(account).or_default()] {
                let amount = sums.entry(day).or_insert(Decimal::ZERO);
                *amount = amount.checked_add(cost).unwrap_or(*amount);
            }
        }
        let first = *amounts.keys().next()?;
        let held: Vec<&Account> =
            by_account.keys().filter_map(|account| self.accounts.get(account)).collect();
        // Charges with other tags also show that a day is known.
        let is_part = key.tag.is_some();
        let last = match held.iter().map(|account| account.last()).max() {
            Some(last) if is_part => last,
            _ => *amounts.keys().next_back()?,
        };
        let newest = self.newest;
        let all_are = |day: i32, is_so: fn(&Account, i32, i32) -> bool| {
            held.iter().all(|account| {
                if account.days.contains(&day) {
                    is_so(account, day, newest)
                } else {
                    !account.is_expected(day)
                }
            })
        };
        let is_judged = |day: i32| day > newest - JUDGED_DAYS && all_are(day, Account::is_complete);
        let is_known = |day: i32| is_part && held.iter().any(|account| account.days.contains(&day));
        let value = |day: i32| amounts.get(&day).copied().or_else(|| is_known(day).then_some(Decimal::ZERO));
        Some(Series {
            grain: Grain::Day,
            start: first,
            values: (first..=last).map(value).collect(),
            judged: (first..=last).map(is_judged).collect(),
            settled: (first..=last).map(|day| all_are(day, Account::is_settled)).collect(),
            breaks: self.breaks(&by_account, &amounts, first..last + 1),
            known_since: first,
            first_charge: first,
            key,
        })
    }

    /// Days on which an account with a relevant part of the level begins or ends.
    fn breaks(
        &self,
        by_account: &BTreeMap<Uuid, BTreeMap<i32, Decimal>>,
        amounts: &BTreeMap<i32, Decimal>,
        days: std::ops::Range<i32>,
    ) -> Vec<i32> {
        let mut breaks: Vec<i32> = Vec::new();
        for (account, of_account) in by_account {
            let Some(held) = self.accounts.get(account) else { continue };
            let changes_level = |from: i32, until: i32| {
                let share = sum(of_account.range(from..until).map(|(_, amount)| *amount));
                let whole = sum(amounts.range(from..until).map(|(_, amount)| amount.abs()));
                let level = whole.and_then(|whole| percent(whole, LEVEL_PERCENT));
                share.zip(level).is_some_and(|(share, level)| !level.is_zero() && share.abs() >= level)
            };
            let (begin, end) = (held.first(), held.last() + 1);
            if begin > days.start && changes_level(begin, begin + 7) {
                breaks.push(begin);
            }
            if end < days.end && changes_level(end - 7, end) {
                breaks.push(end);
            }
        }
        breaks.sort_unstable();
        breaks
    }
}
