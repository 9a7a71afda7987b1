//! The cost and savings that a proposed commitment would have had: an hourly amount for a term, at a given discount or the discount that the bill
//! shows.
//!
//! Start at [`recommended`] for the amount with the largest net saving, and at [`assess`] for any other. With D the hourly cost of usage at
//! contract prices, d the discount and C the commitment: an hour's usage needs D × (1 − d) of the commitment and gets at most C; the rest is paid
//! as before. Therefore an hour costs C + max(0, D − C ÷ (1 − d)), and the commitment saves money if its utilisation exceeds 1 − d.

mod hours;

pub use hours::{HOURS_A_DAY, HourlyUse};

use crate::numbers::{ceiling, floor, product, quotient, round, sum};
use catalogue::Decimal;

/// Decimal places of an hourly commitment.
const HOURLY_DIGITS: u8 = 3;
/// Decimal places if the usage is so small that it would be rounded to 0.
const SMALL_DIGITS: u8 = 8;
/// Decimal places of amounts.
const DIGITS: u8 = 10;

/// The terms of an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// The discount on contract prices, between 0 and 1, exclusive.
    pub discount: Decimal,
    /// The fraction paid on the first day, 0 to 1.
    pub upfront: Decimal,
    /// The length of the term in days.
    pub days: u32,
}

/// The result of a commitment over the analysed hours, and over its term at the same usage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proposal {
    /// The hourly commitment.
    pub hourly: Decimal,
    /// `hourly` × hours.
    pub commitment_cost: Decimal,
    /// The used part of the commitment, at committed prices.
    pub used_cost: Decimal,
    /// The cost of the covered usage at contract prices.
    pub covered_cost: Decimal,
    /// The commitment plus the usage it does not cover.
    pub cost: Decimal,
    /// The cost of the usage without the commitment minus `cost`; negative for a loss.
    pub saving: Decimal,
    /// The cost of the commitment over the whole term.
    pub term_cost: Decimal,
    /// The amount paid on the first day.
    pub upfront_cost: Decimal,
    /// Days until the upfront payment is recovered; `None` if not within the term.
    pub pays_back_after: Option<u32>,
    /// Days after which the savings equal the cost of the whole term, so that stopping the usage causes no loss; `None` if not within the term.
    pub earns_term_after: Option<u32>,
}

/// The hourly amount that would have saved most; `None` if no amount saves. Of amounts with equal savings, the smallest.
///
/// The saving grows with the amount as long as more than 1 − d of all hours use at least that much. The optimum is therefore the usage of the
/// hour with that rank, at committed prices, truncated to an amount that can be bought.
#[must_use]
pub fn recommended(use_of: &HourlyUse, discount: Decimal) -> Option<Decimal> {
    let rest = rest(discount)?;
    let mut hours = use_of.costs();
    hours.sort_unstable();
    hours.reverse();
    let count = i64::try_from(hours.len()).ok()?;
    let rank = floor(rest.checked_mul_int(count)?, 0)?.to_i64()?;
    let cost = hours.get(usize::try_from(rank).ok()?)?;
    let hourly = product(*cost, rest)?;
    [HOURLY_DIGITS, SMALL_DIGITS]
        .into_iter()
        .filter_map(|digits| floor(hourly, digits))
        .find(|hourly| !hourly.is_zero() && !hourly.is_negative())
}

/// The result of an hourly amount. `None` without hours, or if a number exceeds 38 digits.
#[must_use]
pub fn assess(use_of: &HourlyUse, hourly: Decimal, terms: Terms) -> Option<Proposal> {
    let rest = rest(terms.discount)?;
    // The largest usage per hour that the commitment covers, at contract prices.
    let most = quotient(hourly, rest, DIGITS)?;
    let costs = use_of.costs();
    let hours = i64::try_from(costs.len()).ok().filter(|hours| *hours > 0)?;
    let (mut used, mut covered) = (Vec::with_capacity(costs.len()), Vec::with_capacity(costs.len()));
    for cost in &costs {
        let needed = product(*cost, rest)?;
        let is_whole = needed <= hourly;
        used.push(if is_whole { needed } else { hourly });
        covered.push(if is_whole { *cost } else { most });
    }
    let used_cost = round(sum(used.into_iter())?, DIGITS)?;
    let covered_cost = round(sum(covered.into_iter())?, DIGITS)?;
    let commitment_cost = hourly.checked_mul_int(hours)?;
    let saving = covered_cost.checked_sub(commitment_cost)?;
    let term_cost = hourly.checked_mul_int(HOURS_A_DAY * i64::from(terms.days))?;
    let upfront_cost = product(term_cost, terms.upfront)?;
    let later = product(commitment_cost, Decimal::from(1).checked_sub(terms.upfront)?)?;
    let within = |days: Option<u32>| days.filter(|days| *days <= terms.days);
    Some(Proposal {
        hourly,
        commitment_cost,
        used_cost,
        covered_cost,
        cost: use_of.total()?.checked_sub(saving)?,
        saving,
        term_cost,
        upfront_cost,
        pays_back_after: within(days_until(upfront_cost, covered_cost.checked_sub(later)?, hours)),
        earns_term_after: within(days_until(term_cost, covered_cost, hours)),
    })
}

/// Whole days until an amount is recovered, with `gain` per `hours` hours.
fn days_until(amount: Decimal, gain: Decimal, hours: i64) -> Option<u32> {
    if gain.is_negative() || gain.is_zero() {
        return None;
    }
    ceiling(amount.checked_mul_int(hours)?, gain.checked_mul_int(HOURS_A_DAY)?)
}

/// 1 − d, the utilisation above which a commitment saves money; `None` if the discount is not between 0 and 1.
#[must_use]
pub fn rest(discount: Decimal) -> Option<Decimal> {
    let rest = Decimal::from(1).checked_sub(discount)?;
    let is_share = |share: Decimal| !share.is_negative() && !share.is_zero();
    (is_share(rest) && is_share(discount)).then_some(rest)
}

/// The discount that committed prices in the bill show: the saving on covered usage as a fraction of contract prices, to four decimal places.
/// `None` if it is not between 0 and 1.
#[must_use]
pub fn shown_discount(contracted: Decimal, effective: Decimal) -> Option<Decimal> {
    let is_known = !contracted.is_zero() && !contracted.is_negative() && !effective.is_negative();
    let discount = quotient(contracted.checked_sub(effective)?, contracted, 4).filter(|_| is_known)?;
    rest(discount).map(|_| discount)
}

#[cfg(test)]
mod tests;
