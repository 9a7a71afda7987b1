//! What counts by a budget: charges of a scope, whole or a share of them, added up day by day with what is expected of each.

use super::super::answer::{ForecastAccuracy, too_large, total};
use super::super::charges::Charges;
use super::super::outlook::{ChargeSelection, History, Name, READ_DAYS, histories, late_bill, outlook};
use super::super::scope::Scope;
use super::super::thresholds::share_of;
use analysis::words;
use catalogue::Decimal;
use graphql::Refusal;
use std::collections::{BTreeMap, BTreeSet};
use store::query::Filter;
use uuid::Uuid;

/// The end of which day a budget is told of.
#[derive(Debug, Clone, Copy)]
pub(in crate::spending) struct AsOf {
    pub day: i32,
    /// Charges after this day are not read; all are where nobody has named a day.
    pub read_until: Option<i32>,
}

impl AsOf {
    /// The day that is named, or the last one that bills tell of.
    pub(in crate::spending) fn of(
        charges: &Charges<'_>,
        named: Option<i32>,
    ) -> Result<Option<Self>, Refusal> {
        let day = match named {
            None => charges.known_day(&Scope::default(), None)?,
            named => named,
        };
        Ok(day.map(|day| Self { day, read_until: named }))
    }
}

/// Charges that count by a budget.
#[derive(Debug, Clone, Default)]
pub(in crate::spending) struct Portion {
    pub scope: Scope,
    /// Whether only charges count that name no business unit.
    pub is_of_no_unit: bool,
    /// Only of these days, both of them.
    pub days: (Option<i32>, Option<i32>),
    /// How much of each, in percent; `None` for all.
    pub percent: Option<Decimal>,
    /// The project's share of an account that it is.
    pub share: Option<AccountShare>,
}

/// What a project has of an account.
#[derive(Debug, Clone)]
pub(in crate::spending) struct AccountShare {
    pub account: Uuid,
    pub name: String,
    /// What the project may spend in the account (`project_accounts.budget`).
    pub budget: Option<Decimal>,
}

impl Portion {
    /// All charges of a scope.
    pub(in crate::spending) fn whole(scope: Scope) -> Self {
        Self { scope, ..Self::default() }
    }

    fn holds(&self, day: i32) -> bool {
        self.days.0.is_none_or(|from| day >= from) && self.days.1.is_none_or(|until| day <= until)
    }

    fn of(&self, amount: Decimal) -> Result<Decimal, Refusal> {
        match self.percent {
            None => Ok(amount),
            Some(percent) => share_of(amount, percent).ok_or_else(too_large),
        }
    }

    /// The days of it that count, each with its share.
    fn days_of(&self, days: &BTreeMap<i32, Decimal>) -> Result<BTreeMap<i32, Decimal>, Refusal> {
        let held = days.iter().filter(|(day, _)| self.holds(**day));
        held.map(|(day, amount)| Ok((*day, self.of(*amount)?))).collect()
    }
}

/// What is expected after the last known day.
#[derive(Default)]
pub(in crate::spending) struct Ahead {
    pub days: Option<BTreeMap<i32, Decimal>>,
    pub low: Option<Decimal>,
    pub high: Option<Decimal>,
    pub accuracy: Option<ForecastAccuracy>,
    pub message: Option<String>,
}

/// What has been charged of all that counts.
pub(in crate::spending) struct Ledger<'a> {
    /// The last known day.
    pub known: i32,
    /// The first day of the period.
    pub from: i32,
    read_from: i32,
    parts: Vec<(&'a Portion, BTreeMap<Name, History>)>,
}

impl<'a> Ledger<'a> {
    pub(in crate::spending) fn read(
        charges: &Charges<'_>,
        portions: &'a [Portion],
        from: i32,
        as_of: AsOf,
    ) -> Result<Self, Refusal> {
        let (mut known, mut last) = (None, None);
        for part in portions {
            known = known.max(charges.known_day(&part.scope.accounts(), Some(as_of.day))?);
            last = last.max(charges.last_day(&part.scope.accounts(), as_of.read_until)?);
        }
        // Without any charge nothing is known but that nothing was charged.
        let known = known.unwrap_or(as_of.day);
        let last = last.unwrap_or(known).max(known);
        let read_from = (known - READ_DAYS).min(from);
        let mut parts = Vec::new();
        for part in portions {
            let more: Vec<Filter> =
                if part.is_of_no_unit { vec![charges.is_missing("business_unit")?] } else { Vec::new() };
            let asked = ChargeSelection {
                scope: &part.scope,
                more: &more,
                groups: &[],
                metric: "amount",
                from: read_from,
                known,
                last,
            };
            let mut found = histories(charges, &asked)?;
            // A share that had ended before tells nothing of the currency.
            found.retain(|_, history| history.booked.keys().any(|day| part.holds(*day)));
            parts.push((part, found));
        }
        Ok(Self { known, from, read_from, parts })
    }

    /// The currencies of the charges, each once.
    pub(in crate::spending) fn currencies(&self) -> Vec<Option<String>> {
        let found = self.parts.iter().flat_map(|(_, found)| found.keys());
        let found: BTreeSet<Option<String>> = found.map(|(currency, _)| currency.clone()).collect();
        found.into_iter().collect()
    }

    fn of<'s>(
        &'s self,
        currency: Option<&'s str>,
    ) -> impl Iterator<Item = (&'s Portion, &'s Name, &'s History)> {
        self.parts.iter().flat_map(move |(part, found)| {
            let same = found.iter().filter(move |((code, _), _)| code.as_deref() == currency);
            same.map(move |(name, history)| (*part, name, history))
        })
    }

    /// What counts in a currency, by day.
    pub(in crate::spending) fn days(
        &self,
        currency: Option<&str>,
    ) -> Result<BTreeMap<i32, Decimal>, Refusal> {
        let mut days = BTreeMap::new();
        for (part, _, history) in self.of(currency) {
            join(&mut days, part.days_of(&history.booked)?)?;
        }
        Ok(days)
    }

    /// What was charged of one portion since the period began, in a currency.
    pub(in crate::spending) fn spent_of(
        &self,
        place: usize,
        currency: Option<&str>,
    ) -> Result<Decimal, Refusal> {
        let Some((part, found)) = self.parts.get(place) else { return Ok(Decimal::ZERO) };
        let mut days = BTreeMap::new();
        for (_, history) in found.iter().filter(|((code, _), _)| code.as_deref() == currency) {
            join(&mut days, part.days_of(&history.booked)?)?;
        }
        total(days.range(self.from..=self.known).map(|(_, amount)| *amount))
    }

    /// What is expected of the rest of the period in a currency: nothing where it cannot be told of one part, and exactly 0 where the period is
    /// over.
    pub(in crate::spending) fn ahead(
        &self,
        currency: Option<&str>,
        (from, until): (i32, i32),
    ) -> Result<Ahead, Refusal> {
        if self.known >= until {
            return Ok(Ahead { low: Some(Decimal::ZERO), high: Some(Decimal::ZERO), ..Ahead::default() });
        }
        let mut days = BTreeMap::new();
        let mut bounds = Some((Decimal::ZERO, Decimal::ZERO));
        let (mut accuracy, mut messages): (Option<(u64, ForecastAccuracy)>, Vec<String>) = (None, Vec::new());
        let mut has_charges = false;
        for (part, name, history) in self.of(currency).filter(|(_, _, history)| history.charges > 0) {
            has_charges = true;
            if part.days.1.is_some_and(|last| last <= self.known) {
                continue;
            }
            let told = match outlook(name, history, (self.read_from, self.known, until))? {
                Ok(told) => told,
                Err(reason) => return Ok(Ahead { message: Some(reason), ..Ahead::default() }),
            };
            for day in told.days.iter().filter(|day| day.date >= from && part.holds(day.date)) {
                join(&mut days, BTreeMap::from([(day.date, part.of(day.amount)?)]))?;
                bounds = match (bounds, day.bounds) {
                    (Some((low, high)), Some((of_low, of_high))) => {
                        Some((total([low, part.of(of_low)?])?, total([high, part.of(of_high)?])?))
                    }
                    _ => None,
                };
            }
            messages.extend(told.late.iter().map(|bill| late_bill(*bill, self.known)));
            if let Some(judged) = told.accuracy
                && accuracy.as_ref().is_none_or(|(most, _)| history.charges > *most)
            {
                accuracy = Some((history.charges, judged));
            }
        }
        if !has_charges {
            let message = format!("no charges that count up to {}", words::day(self.known));
            return Ok(Ahead { message: Some(message), ..Ahead::default() });
        }
        Ok(Ahead {
            days: Some(days),
            low: bounds.map(|(low, _)| low),
            high: bounds.map(|(_, high)| high),
            accuracy: accuracy.map(|(_, judged)| judged),
            message: (!messages.is_empty()).then(|| messages.join("; ")),
        })
    }
}

fn join(days: &mut BTreeMap<i32, Decimal>, more: BTreeMap<i32, Decimal>) -> Result<(), Refusal> {
    for (day, amount) in more {
        let sum = days.entry(day).or_default();
        *sum = sum.checked_add(amount).ok_or_else(too_large)?;
    }
    Ok(())
}
