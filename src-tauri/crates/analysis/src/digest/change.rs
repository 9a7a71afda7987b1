//! The cost of a week compared with the week before, and the reasons for the change.

use super::sentence::{Driver, Facts, Sentence, Weight, span};
use super::week::{Part, Week};
use super::{LEAST_OF_ALL, LEAST_OF_SERVICE, MOST_SERVICES};
use crate::numbers::{percent as hundredths, ratio, sum};
use crate::savings::Amount;
use crate::words::{money, percent, times};
use catalogue::Decimal;
use std::collections::BTreeMap;

/// The largest number of kinds of use reported per service.
const MOST_DRIVERS: usize = 2;
/// A change of quantity or price below this percentage is ignored.
const LEAST_RATIO: i64 = 1;

/// The cost of something in both weeks.
#[derive(Clone, Copy, Default)]
struct Both {
    cost: Decimal,
    before: Decimal,
}

impl Both {
    fn of<'p>(parts: impl Iterator<Item = &'p Part> + Clone) -> Self {
        let add = |amounts: &mut dyn Iterator<Item = Decimal>| sum(amounts).unwrap_or_default();
        Self {
            cost: add(&mut parts.clone().map(|part| part.cost)),
            before: add(&mut parts.map(|part| part.cost_before)),
        }
    }

    fn change(self) -> Decimal {
        self.cost.checked_sub(self.before).unwrap_or_default()
    }

    /// "USD 120.00 more than the week before (+10.8%)".
    fn told(self, currency: &str) -> String {
        let change = self.change();
        if change.is_zero() {
            return "as much as the week before".to_owned();
        }
        let (side, sign) = if change.is_negative() { ("less", "") } else { ("more", "+") };
        let amount = money(change.abs(), Some(currency));
        match ratio(change, self.before).filter(|_| !self.before.is_negative()) {
            Some(ratio) => {
                let share = times(ratio)
                    .map_or_else(|| format!("{sign}{}", percent(ratio)), |times| format!("{times} as much"));
                format!("{amount} {side} than the week before ({share})")
            }
            None => format!("{amount} {side} than the week before"),
        }
    }

    fn fill(self, facts: &mut Facts, currency: &str) {
        facts.currency = Some(currency.to_owned());
        facts.cost = Some(Amount(self.cost));
        facts.cost_before = Some(Amount(self.before));
        facts.change = Some(Amount(self.change()));
    }

    /// The importance of an increase, by its size relative to the week before and to the total `of`.
    fn weight(self, of: Decimal) -> Weight {
        let change = self.change();
        let above = |whole: Decimal, share: i64| hundredths(whole, share).is_some_and(|least| change > least);
        match () {
            () if above(self.before, 50) && above(of, 10) => Weight::High,
            () if above(self.before, 20) && above(of, 2) => Weight::Medium,
            () => Weight::Low,
        }
    }
}

/// The sentence about the total cost.
pub(super) fn total(week: &Week<'_>, currency: &str) -> Sentence {
    let both = Both::of(week.parts.iter().filter(|part| part.currency == currency));
    let who = week.account.map_or("All accounts", |account| account.name);
    let comparison =
        if both.before.is_zero() { "the first week with costs".to_owned() } else { both.told(currency) };
    let title =
        format!("{who} cost {} in the week {}, {comparison}.", money(both.cost, Some(currency)), span(week));
    let weight = if both.before.is_zero() { Weight::Low } else { both.weight(both.before) };
    let mut facts = Facts::of(week);
    both.fill(&mut facts, currency);
    Sentence { key: format!("0 total {currency}"), title, weight, facts }
}

/// The services whose cost changed, largest change first.
pub(super) fn services(week: &Week<'_>, currency: &str) -> Vec<Sentence> {
    let mut services: BTreeMap<&str, Vec<&Part>> = BTreeMap::new();
    for part in week.parts.iter().filter(|part| part.currency == currency) {
        services.entry(&part.service).or_default().push(part);
    }
    let all = Both::of(services.values().flatten().copied()).before;
    // Without cost in the week before, every service would be new.
    if all.is_zero() {
        return Vec::new();
    }
    let least = |whole: Decimal, thousandths: i64, change: Decimal| {
        let least = whole.abs().checked_mul_int(thousandths);
        change.checked_mul_int(1000).zip(least).is_none_or(|(change, least)| change >= least)
    };
    let mut changed: Vec<(&str, Both, Vec<&Part>)> = services
        .into_iter()
        .map(|(service, parts)| (service, Both::of(parts.iter().copied()), parts))
        .filter(|(_, both, _)| {
            let change = both.change().abs();
            !change.is_zero()
                && least(both.before, LEAST_OF_SERVICE, change)
                && least(all, LEAST_OF_ALL, change)
        })
        .collect();
    changed.sort_by(|one, other| (other.1.change().abs(), one.0).cmp(&(one.1.change().abs(), other.0)));
    changed.truncate(MOST_SERVICES);
    let told = |(service, both, parts): (&str, Both, Vec<&Part>)| {
        let drivers = drivers(&parts, both);
        let mut facts = Facts::of(week);
        both.fill(&mut facts, currency);
        facts.service = Some(service.to_owned());
        let is_use = parts.iter().any(|part| part.is_use);
        let title = title(service, both, is_use, &drivers, currency);
        facts.drivers = drivers.iter().map(|part| fact(part)).collect();
        Sentence { key: format!("1 service {currency} {service}"), title, weight: both.weight(all), facts }
    };
    changed.into_iter().map(told).collect()
}

/// The kinds of use whose cost changed in the same direction as the total, largest first.
fn drivers<'p>(parts: &[&'p Part], both: Both) -> Vec<&'p Part> {
    let is_up = !both.change().is_negative();
    let change = |part: &Part| part.cost.checked_sub(part.cost_before).unwrap_or_default();
    let mut moved: Vec<&Part> = parts
        .iter()
        .copied()
        .filter(|part| !change(part).is_zero() && change(part).is_negative() != is_up)
        .collect();
    moved.sort_by(|one, other| (change(other).abs(), &one.usage).cmp(&(change(one).abs(), &other.usage)));
    moved.truncate(MOST_DRIVERS);
    moved
}

fn fact(part: &Part) -> Driver {
    Driver {
        usage: part.usage.clone(),
        cost: Amount(part.cost),
        cost_before: Amount(part.cost_before),
        change: Amount(part.cost.checked_sub(part.cost_before).unwrap_or_default()),
        quantity: Amount(part.quantity),
        quantity_before: Amount(part.quantity_before),
    }
}

fn title(service: &str, both: Both, is_use: bool, drivers: &[&Part], currency: &str) -> String {
    if both.before.is_zero() && !is_use {
        return format!(
            "{service} cost {}, after nothing the week before.",
            money(both.cost, Some(currency))
        );
    }
    if both.before.is_zero() {
        return format!("{service} is new: it cost {}.", money(both.cost, Some(currency)));
    }
    if both.cost.is_zero() {
        return format!(
            "{service} cost nothing, after {} the week before.",
            money(both.before, Some(currency))
        );
    }
    let reasons: Vec<String> = drivers.iter().map(|part| reason(part, currency)).collect();
    let why = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
    format!("{service} cost {}{why}.", both.told(currency))
}

/// Whether the quantity changed or the price.
fn reason(part: &Part, currency: &str) -> String {
    let change = part.cost.checked_sub(part.cost_before).unwrap_or_default();
    let side = if change.is_negative() { "less" } else { "more" };
    let amount = format!("{} {} {side}", part.usage, money(change.abs(), Some(currency)));
    // A monthly fee falls into one week only: it is neither new in that week nor ended in the others.
    if !part.is_use {
        return match (part.cost_before.is_zero(), part.cost.is_zero()) {
            (true, _) => format!("{amount}, because it was not charged the week before"),
            (_, true) => format!("{amount}, because it was not charged this week"),
            _ => amount,
        };
    }
    if part.cost_before.is_zero() {
        return format!("{}, which is new, {}", part.usage, money(part.cost, Some(currency)));
    }
    if part.cost.is_zero() {
        return format!("{amount}, because it was not used");
    }
    let of = |now: Decimal, before: Decimal| {
        let grown = ratio(now.checked_sub(before)?, before)?;
        let least = Decimal::from_parts(i128::from(LEAST_RATIO), 2)?;
        (grown.abs() >= least).then_some(grown)
    };
    let used = of(part.quantity, part.quantity_before);
    // Cost divided by quantity, in both weeks.
    let price = price(part.cost, part.quantity).zip(price(part.cost_before, part.quantity_before));
    let price = price.and_then(|(now, before)| of(now, before));
    let up = |ratio: Decimal, (more, less): (&str, &str)| {
        format!("{} {}", percent(ratio.abs()), if ratio.is_negative() { less } else { more })
    };
    let used = used.map(|ratio| match times(ratio) {
        Some(times) => format!("{times} as much was used"),
        None => up(ratio, ("more was used", "less was used")),
    });
    let price = price.map(|ratio| match times(ratio) {
        Some(times) => format!("at a price {times} as high"),
        None => format!("at a price {}", up(ratio, ("higher", "lower"))),
    });
    let told: Vec<String> = used.into_iter().chain(price).collect();
    if told.is_empty() { amount } else { format!("{amount} ({})", told.join(", ")) }
}

fn price(cost: Decimal, quantity: Decimal) -> Option<Decimal> {
    // Ratios have four decimal places, so small prices are computed per thousand units.
    ratio(cost.checked_mul_int(1000)?, quantity)
}
