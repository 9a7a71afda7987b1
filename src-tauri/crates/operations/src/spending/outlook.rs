//! Series of charges by currency and group, and their forecasts.

use super::answer::{ForecastAccuracy, too_large, total};
use super::charges::{Charges, LATEST, Sums};
use super::days::{DAY, start};
use super::dimension::{Dimension, column};
use super::scope::Scope;
use analysis::forecast::{Day, LEARNED_DAYS, NEEDED_DAYS, Refused, Series, expected, forecast, month_before};
use analysis::words;
use catalogue::{Decimal, parse_timestamp};
use graphql::Refusal;
use std::collections::BTreeMap;
use store::query::{Filter, Function, Operator, Test};

/// Days read before the last known one: the days that are judged, plus one month.
pub(super) const READ_DAYS: i32 = 240;
/// A recurring charge for more days than this recurs less often than monthly.
const LONGEST_MONTH: i32 = 32;

/// Credits on fewer days than this are one-time credits.
const FEWEST_CREDITS: usize = 4;
/// If the last charge of a day ends at least this many µs before midnight, the day may be incomplete.
const HOUR: i64 = 3_600_000_000;
/// The column that identifies a bill.
const BILL: &str = "billing_account_id";

/// Currency and group of a series.
pub(super) type Name = (Option<String>, Option<String>);

/// The charges in one currency and group.
#[derive(Debug, Default)]
pub(super) struct History {
    /// By day, all charges.
    pub booked: BTreeMap<i32, Decimal>,
    /// The sum of one-time purchases.
    pub once: Decimal,
    /// The sum of one-time credits and adjustments.
    pub credits: Decimal,
    pub charges: u64,
    /// Amounts dated after the last known day.
    ahead: BTreeMap<i32, Decimal>,
    /// Recurring fees dated after the last known day.
    fees_ahead: BTreeMap<i32, Decimal>,
    /// Grouped by the last known day of their bills.
    parts: BTreeMap<i32, Part>,
}

/// The charges of bills that have the same last known day.
#[derive(Debug, Default, Clone)]
struct Part {
    /// By day, the charges that methods learn from: neither recurring nor one-time.
    learned: BTreeMap<i32, Decimal>,
    /// Credits and adjustments by day.
    credits: BTreeMap<i32, Decimal>,
    /// Charges that recur monthly or daily, of the last month.
    recurring: BTreeMap<i32, Decimal>,
    charges: u64,
}

/// Selects and groups charges.
pub(super) struct ChargeSelection<'a> {
    pub scope: &'a Scope,
    /// Further conditions on charges.
    pub more: &'a [Filter],
    pub groups: &'a [Dimension],
    /// The column of the cost.
    pub metric: &'a str,
    /// The first day to read.
    pub from: i32,
    /// The last known day.
    pub known: i32,
    /// The last day to read; charges may be dated in the future.
    pub last: i32,
}

/// Reads the series.
pub(super) fn histories(
    charges: &Charges<'_>,
    asked: &ChargeSelection<'_>,
) -> Result<BTreeMap<Name, History>, Refusal> {
    let late = late_bills(charges, asked)?;
    let names: Vec<String> = (0..asked.groups.len()).map(|place| format!("group{place}")).collect();
    let groups = |keys: &mut Vec<_>| -> Result<(), Refusal> {
        for (name, dimension) in names.iter().zip(asked.groups) {
            keys.push((name.as_str(), dimension.key(charges.table)?));
        }
        if !late.is_empty() {
            keys.push(("bill", charges.key(BILL)?));
        }
        Ok(())
    };
    let name = |sums: &Sums| -> Name {
        let parts: Vec<Option<String>> = names.iter().map(|name| sums.text(name)).collect();
        let group = parts
            .iter()
            .any(Option::is_some)
            .then(|| parts.iter().map(|part| part.as_deref().unwrap_or("–")).collect::<Vec<_>>().join(" / "));
        (sums.text("currency"), group)
    };
    let known_of = |sums: &Sums| late.get(&sums.text("bill")).copied().unwrap_or(asked.known);
    let mut keys = vec![
        ("day", charges.day()?),
        ("currency", charges.key("unit")?),
        ("frequency", charges.key("charge_frequency")?),
        ("category", charges.key("charge_category")?),
    ];
    groups(&mut keys)?;
    let figures = vec![("amount", charges.sum(asked.metric)?), ("count", store::query::Term::Count)];
    let filter = charges.filter(asked.scope, (Some(asked.from), Some(asked.last)), asked.more.to_vec())?;
    let mut found: BTreeMap<Name, History> = BTreeMap::new();
    for sums in charges.grouped(keys, figures, filter)? {
        let Some(day) = sums.day("day") else { continue };
        let history = found.entry(name(&sums)).or_default();
        let amount = sums.amount("amount");
        let is_recurring = sums.text("frequency").as_deref() == Some("Recurring");
        if day > asked.known {
            add(if is_recurring { &mut history.fees_ahead } else { &mut history.ahead }, day, amount)?;
            continue;
        }
        history.charges += sums.whole("count");
        add(&mut history.booked, day, amount)?;
        let part = history.parts.entry(known_of(&sums)).or_default();
        part.charges += sums.whole("count");
        match (sums.text("frequency").as_deref(), sums.text("category").as_deref()) {
            (Some("Recurring"), _) => {}
            (_, Some("Purchase")) => history.once = total([history.once, amount])?,
            (_, Some("Credit" | "Adjustment")) => add(&mut part.credits, day, amount)?,
            _ => add(&mut part.learned, day, amount)?,
        }
    }
    let mut keys = vec![
        ("day", charges.day()?),
        ("currency", charges.key("unit")?),
        ("end", charges.key("period_end")?),
    ];
    groups(&mut keys)?;
    let recurring = charges.test(
        "charge_frequency",
        Test::Compare(Operator::Equal, catalogue::Value::Text("Recurring".to_owned())),
    )?;
    let first_known = late.values().copied().min().unwrap_or(asked.known);
    let span = (Some(month_before(first_known) + 1), Some(asked.known));
    let filter = charges.filter(asked.scope, span, [asked.more, &[recurring]].concat())?;
    for sums in charges.grouped(keys, vec![("amount", charges.sum(asked.metric)?)], filter)? {
        let Some(day) = sums.day("day") else { continue };
        let is_longer = sums.day("end").is_some_and(|end| end - day > LONGEST_MONTH);
        if let Some(history) = found.get_mut(&name(&sums)).filter(|_| !is_longer) {
            let part = history.parts.entry(known_of(&sums)).or_default();
            add(&mut part.recurring, day, sums.amount("amount"))?;
        }
    }
    for history in found.values_mut() {
        history.settle()?;
        history.settle_fees((asked.known, asked.last))?;
    }
    Ok(found)
}

/// Bills whose last known day is earlier than that of others, with that day: their next delivery has not arrived yet, or their last day was
/// incomplete. A bill without charges for longer than that is treated as ended.
fn late_bills(
    charges: &Charges<'_>,
    asked: &ChargeSelection<'_>,
) -> Result<BTreeMap<Option<String>, i32>, Refusal> {
    let filter = charges.filter(
        &asked.scope.accounts(),
        (Some(asked.known - LATEST), Some(asked.known)),
        Vec::new(),
    )?;
    let last = store::query::Term::Of(Function::Max, column(charges.table, "date")?);
    let bills = charges.grouped(vec![("bill", charges.key(BILL)?)], vec![("last", last)], filter)?;
    let mut known: BTreeMap<Option<String>, i32> =
        bills.iter().filter_map(|sums| Some((sums.text("bill"), sums.day("last")?))).collect();
    for (bill, (day, is_cut)) in last_use(charges, asked)? {
        known.insert(bill, if is_cut { day - 1 } else { day });
    }
    known.retain(|_, last| *last < asked.known);
    Ok(known)
}

/// The last day of usage in each bill, and whether usage on it ends earlier than on the day before, which means that the day was incomplete.
fn last_use(
    charges: &Charges<'_>,
    asked: &ChargeSelection<'_>,
) -> Result<BTreeMap<Option<String>, (i32, bool)>, Refusal> {
    let days = (Some(asked.known - LATEST), Some(asked.known));
    let filter = charges.filter(&asked.scope.accounts(), days, vec![charges.is_use()?])?;
    let end = store::query::Term::Of(Function::Max, column(charges.table, "period_end")?);
    let keys = vec![("bill", charges.key(BILL)?), ("day", charges.day()?)];
    let mut ends: BTreeMap<Option<String>, BTreeMap<i32, Option<i64>>> = BTreeMap::new();
    for sums in charges.grouped(keys, vec![("end", end)], filter)? {
        let Some(day) = sums.day("day") else { continue };
        let end = sums.text("end").as_deref().and_then(parse_timestamp).map(|end| end - start(day));
        ends.entry(sums.text("bill")).or_default().insert(day, end);
    }
    let last = |days: &BTreeMap<i32, Option<i64>>| {
        let (day, end) = days.last_key_value().map(|(day, end)| (*day, *end))?;
        // If usage ends equally early every day, as with a nightly job, the day is complete.
        let before = days.get(&(day - 1)).copied().flatten().unwrap_or(DAY);
        let is_cut = end.is_some_and(|end| end > 0 && end <= DAY - HOUR && end < before);
        Some((day, is_cut))
    };
    Ok(ends.into_iter().filter_map(|(bill, days)| Some((bill, last(&days)?))).collect())
}

impl History {
    /// Credits and adjustments that occur on most days since the first one will recur, so methods learn from them. One-time credits are excluded,
    /// like purchases.
    fn settle(&mut self) -> Result<(), Refusal> {
        for (known, part) in &mut self.parts {
            let first = known + 1 - i32::try_from(LEARNED_DAYS).unwrap_or_default();
            let credits = std::mem::take(&mut part.credits);
            let (since, count) = (credits.range(first..).next(), credits.range(first..=*known).count());
            let days = since.map_or(0, |(since, _)| usize::try_from(known + 1 - since).unwrap_or_default());
            if count >= FEWEST_CREDITS && 2 * count >= days {
                for (day, amount) in credits {
                    add(&mut part.learned, day, amount)?;
                }
            } else {
                self.credits = total(credits.into_values().chain([self.credits]))?;
            }
        }
        Ok(())
    }

    /// Fees dated in the future that also recur monthly are already part of the forecast; only others are added.
    fn settle_fees(&mut self, (known, last): (i32, i32)) -> Result<(), Refusal> {
        let mut recurring = BTreeMap::new();
        for part in self.parts.values() {
            for (day, amount) in &part.recurring {
                add(&mut recurring, *day, *amount)?;
            }
        }
        let comes = expected(&recurring, known, last);
        for (day, amount) in std::mem::take(&mut self.fees_ahead) {
            if comes.get(&day).is_none_or(|amount| amount.is_zero()) {
                add(&mut self.ahead, day, amount)?;
            }
        }
        Ok(())
    }
}

impl Part {
    /// Whether there is nothing to base a forecast on.
    fn is_nothing(&self) -> bool {
        self.learned.values().all(|amount| amount.is_zero()) && self.recurring.is_empty()
    }

    /// Adds the charges of other bills.
    fn join(&mut self, other: &Self) -> Result<(), Refusal> {
        self.charges += other.charges;
        for (own, more) in [(&mut self.learned, &other.learned), (&mut self.recurring, &other.recurring)] {
            for (day, amount) in more {
                add(own, *day, *amount)?;
            }
        }
        Ok(())
    }

    fn forecast(
        &self,
        name: &Name,
        (from, known, until): (i32, i32, i32),
    ) -> Result<Result<analysis::forecast::Forecast, Refused>, Refusal> {
        let amount = |day: i32| self.learned.get(&day).copied().unwrap_or_default();
        let series = Series {
            first: from,
            amounts: (from..=known).map(amount).collect(),
            recurring: self.recurring.clone(),
        };
        let ahead = usize::try_from(until - known).unwrap_or_default();
        let mut told = match forecast(&series, ahead, name.0.as_deref().unwrap_or_default()) {
            Err(Refused::TooLarge) => return Err(too_large()),
            other => other,
        };
        // Of a day that was incomplete when the bill was made, only the missing rest is forecast.
        if let Ok(told) = &mut told
            && let Some(day) = told.days.first_mut()
            && let Some(booked) = self.learned.get(&day.date)
        {
            let rest = |amount: Decimal| amount.checked_sub(*booked).unwrap_or_default().max(Decimal::ZERO);
            day.amount = rest(day.amount);
            day.bounds = day.bounds.map(|(low, high)| (rest(low), rest(high)));
        }
        Ok(told)
    }
}

fn add(days: &mut BTreeMap<i32, Decimal>, day: i32, amount: Decimal) -> Result<(), Refusal> {
    let sum = days.entry(day).or_default();
    *sum = sum.checked_add(amount).ok_or_else(too_large)?;
    Ok(())
}

/// The forecast after the last known day, and its accuracy.
pub(super) struct Outlook {
    /// Starts with the first day that some bill lacks; up to the last known day, only the missing part.
    pub days: Vec<Day>,
    pub accuracy: Option<ForecastAccuracy>,
    /// The last known day of each late bill, and the amount expected for the days it lacks.
    pub late: Vec<(i32, Decimal)>,
}

/// The forecast of a series up to a day; `Err` contains the reason, as text, why there is none.
pub(super) fn outlook(
    name: &Name,
    history: &History,
    (from, known, until): (i32, i32, i32),
) -> Result<Result<Outlook, String>, Refusal> {
    let mut told = learned(name, history, (from, known, until))?;
    if let Ok(outlook) = &mut told {
        for day in &mut outlook.days {
            let Some(dated) = history.ahead.get(&day.date).copied() else { continue };
            day.amount = total([day.amount, dated])?;
            if let Some((low, high)) = day.bounds {
                day.bounds = Some((total([low, dated])?, total([high, dated])?));
            }
        }
    }
    Ok(told)
}

/// Like [`outlook`], without amounts dated in the future.
///
/// Bills with different last known days are each forecast from their own last day, because a day that a bill does not cover yet is not a day
/// without cost. Bills that cannot be forecast alone are combined with the others.
fn learned(
    name: &Name,
    history: &History,
    (from, known, until): (i32, i32, i32),
) -> Result<Result<Outlook, String>, Refusal> {
    let (mut rest, mut found) = (Part::default(), Vec::new());
    for (last, part) in &history.parts {
        let told = if *last < known { part.forecast(name, (from, *last, until))?.ok() } else { None };
        match told {
            Some(told) => found.push((*last, part.charges, told)),
            None => rest.join(part)?,
        }
    }
    if !found.is_empty() && rest.is_nothing() {
        return sum_up(name, found, known).map(Ok);
    }
    let reason = match rest.forecast(name, (from, known, until))? {
        Ok(told) => {
            found.push((known, rest.charges, told));
            return sum_up(name, found, known).map(Ok);
        }
        Err(reason) => reason,
    };
    if !found.is_empty() {
        // The others cannot be forecast alone; all bills together may be.
        let mut all = Part::default();
        for part in history.parts.values() {
            all.join(part)?;
        }
        if let Ok(told) = all.forecast(name, (from, known, until))? {
            return sum_up(name, vec![(known, all.charges, told)], known).map(Ok);
        }
    }
    if rest.is_nothing() {
        return Ok(Err(
            "nothing but purchases or credits of single days, which nobody has said to come again".to_owned(),
        ));
    }
    Ok(Err(match reason {
        Refused::TooFewDays { days } => format!(
            "charges on {days} of the {LEARNED_DAYS} days up to the last one: a forecast by day needs {} such days. Import bills by \
             day or hour",
            LEARNED_DAYS / 2
        ),
        Refused::TooShort { days } => format!(
            "{days} days from the first charge to {}: a forecast needs {NEEDED_DAYS}, {LEARNED_DAYS} to learn from and {} to be \
             checked on. Import earlier bills, or ask again later",
            words::day(known),
            NEEDED_DAYS - LEARNED_DAYS
        ),
        Refused::TooLarge => return Err(too_large()),
    }))
}

/// The message about a bill that is known only up to an earlier day.
pub(super) fn late_bill((last, missing): (i32, Decimal), known: i32) -> String {
    format!(
        "a bill is known up to {} only: {missing} is expected of it for the days up to {}",
        words::day(last),
        words::day(known)
    )
}

/// Sums the forecasts of bills by day. The accuracy is that of the bill with the most charges.
fn sum_up(
    name: &Name,
    forecasts: Vec<(i32, u64, analysis::forecast::Forecast)>,
    known: i32,
) -> Result<Outlook, Refusal> {
    let mut days: BTreeMap<i32, Day> = BTreeMap::new();
    let (mut accuracy, mut late) = (None, Vec::new());
    for (last, charges, told) in forecasts {
        if last < known {
            let missing = told.days.iter().filter(|day| day.date <= known).map(|day| day.amount);
            late.push((last, total(missing)?));
        }
        for day in told.days {
            match days.get_mut(&day.date) {
                Some(sum) => {
                    sum.amount = total([sum.amount, day.amount])?;
                    sum.bounds = match (sum.bounds, day.bounds) {
                        (Some((low, high)), Some((other_low, other_high))) => {
                            Some((total([low, other_low])?, total([high, other_high])?))
                        }
                        _ => None,
                    };
                }
                None => {
                    days.insert(day.date, day);
                }
            }
        }
        if accuracy.as_ref().is_none_or(|(most, _)| charges > *most)
            && let Some(judged) = told.accuracy
        {
            accuracy = Some((charges, judged));
        }
    }
    let accuracy = accuracy.map(|(_, judged)| ForecastAccuracy::of(&judged, name.0.clone(), name.1.clone()));
    Ok(Outlook { days: days.into_values().collect(), accuracy, late })
}
