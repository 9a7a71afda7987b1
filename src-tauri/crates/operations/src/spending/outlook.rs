//! Series of charges by currency and group, and what follows them.

use super::answer::{Judged, too_large, total};
use super::charges::Charges;
use super::dimension::Dimension;
use super::scope::Scope;
use analysis::forecast::{Day, LEARNED_DAYS, NEEDED_DAYS, Refused, Series, forecast, month_before};
use catalogue::{Decimal, format_date};
use graphql::Refusal;
use std::collections::BTreeMap;
use store::query::{Operator, Test};

/// Days that are read before the last known one: what is judged, and a month more.
pub(super) const READ_DAYS: i32 = 240;
/// A recurring charge for more days than this recurs less often than by the month.
const LONGEST_MONTH: i32 = 32;

/// Currency and group of a series.
pub(super) type Name = (Option<String>, Option<String>);

/// What was charged in one currency and group.
#[derive(Debug, Default)]
pub(super) struct History {
    /// By day, whatever the charges are.
    pub booked: BTreeMap<i32, Decimal>,
    /// By day, what methods learn from: neither recurring nor bought once.
    learned: BTreeMap<i32, Decimal>,
    /// Recurring by the month, of the last month.
    recurring: BTreeMap<i32, Decimal>,
    /// Bought once.
    pub once: Decimal,
    pub charges: u64,
}

/// Which charges, and how they are told apart.
pub(super) struct Asked<'a> {
    pub scope: &'a Scope,
    pub groups: &'a [Dimension],
    /// The column of the cost.
    pub metric: &'a str,
    /// The first day that is read.
    pub from: i32,
    /// The last known day.
    pub known: i32,
}

/// Reads the series.
pub(super) fn histories(
    charges: &Charges<'_>,
    asked: &Asked<'_>,
) -> Result<BTreeMap<Name, History>, Refusal> {
    let names: Vec<String> = (0..asked.groups.len()).map(|place| format!("group{place}")).collect();
    let groups = |keys: &mut Vec<_>| -> Result<(), Refusal> {
        for (name, dimension) in names.iter().zip(asked.groups) {
            keys.push((name.as_str(), dimension.key(charges.table)?));
        }
        Ok(())
    };
    let name = |sums: &super::charges::Sums| -> Name {
        let parts: Vec<Option<String>> = names.iter().map(|name| sums.text(name)).collect();
        let group = parts
            .iter()
            .any(Option::is_some)
            .then(|| parts.iter().map(|part| part.as_deref().unwrap_or("–")).collect::<Vec<_>>().join(" / "));
        (sums.text("currency"), group)
    };
    let mut keys = vec![
        ("day", charges.day()?),
        ("currency", charges.key("unit")?),
        ("frequency", charges.key("charge_frequency")?),
        ("category", charges.key("charge_category")?),
    ];
    groups(&mut keys)?;
    let figures = vec![("amount", charges.sum(asked.metric)?), ("count", store::query::Term::Count)];
    let filter = charges.filter(asked.scope, (Some(asked.from), Some(asked.known)), Vec::new())?;
    let mut found: BTreeMap<Name, History> = BTreeMap::new();
    for sums in charges.grouped(keys, figures, filter)? {
        let Some(day) = sums.day("day") else { continue };
        let history = found.entry(name(&sums)).or_default();
        let amount = sums.amount("amount");
        history.charges += sums.whole("count");
        add(&mut history.booked, day, amount)?;
        match (sums.text("frequency").as_deref(), sums.text("category").as_deref()) {
            (Some("Recurring"), _) => {}
            (_, Some("Purchase")) => history.once = total([history.once, amount])?,
            _ => add(&mut history.learned, day, amount)?,
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
    let span = (Some(month_before(asked.known) + 1), Some(asked.known));
    let filter = charges.filter(asked.scope, span, vec![recurring])?;
    for sums in charges.grouped(keys, vec![("amount", charges.sum(asked.metric)?)], filter)? {
        let Some(day) = sums.day("day") else { continue };
        let is_longer = sums.day("end").is_some_and(|end| end - day > LONGEST_MONTH);
        if let Some(history) = found.get_mut(&name(&sums)).filter(|_| !is_longer) {
            add(&mut history.recurring, day, sums.amount("amount"))?;
        }
    }
    Ok(found)
}

fn add(days: &mut BTreeMap<i32, Decimal>, day: i32, amount: Decimal) -> Result<(), Refusal> {
    let sum = days.entry(day).or_default();
    *sum = sum.checked_add(amount).ok_or_else(too_large)?;
    Ok(())
}

/// The days after the last known one, and how far such forecasts were off.
pub(super) struct Outlook {
    pub days: Vec<Day>,
    pub accuracy: Option<Judged>,
}

/// What follows a series up to a day; `Err` tells in words why nothing can be said.
pub(super) fn outlook(
    name: &Name,
    history: &History,
    (from, known, until): (i32, i32, i32),
) -> Result<Result<Outlook, String>, Refusal> {
    let amounts = (from..=known).map(|day| history.learned.get(&day).copied().unwrap_or_default()).collect();
    let series = Series { first: from, amounts, recurring: history.recurring.clone() };
    let ahead = usize::try_from(until - known).unwrap_or_default();
    let currency = name.0.as_deref().unwrap_or_default();
    let reason = match forecast(&series, ahead, currency) {
        Ok(answer) => {
            let accuracy =
                answer.accuracy.map(|accuracy| Judged::of(&accuracy, name.0.clone(), name.1.clone()));
            return Ok(Ok(Outlook { days: answer.days, accuracy }));
        }
        Err(Refused::TooLarge) => return Err(too_large()),
        Err(Refused::TooShort { days }) => format!(
            "{days} days from the first charge to {}: a forecast needs {NEEDED_DAYS}, {LEARNED_DAYS} to learn from and {} to be \
             checked on. Import earlier bills, or ask again later",
            format_date(known),
            NEEDED_DAYS - LEARNED_DAYS
        ),
        Err(Refused::TooFewDays { days }) => format!(
            "charges on {days} of the {LEARNED_DAYS} days up to the last one: a forecast by day needs {} such days. Import bills by \
             day or hour",
            LEARNED_DAYS / 2
        ),
    };
    Ok(Err(reason))
}
