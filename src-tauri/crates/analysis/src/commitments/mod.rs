//! What a proposed commitment would have cost and saved: so much an hour for a term, at a discount that somebody states or that the bill shows.
//!
//! Start at [`recommended`] for the amount with the best net, and at [`assess`] for any other. With D the cost of an hour's use at contract prices, d the
//! discount and C the commitment: an hour's use needs D × (1 − d) of the commitment and gets at most C; what is not covered is paid as before. So an hour
//! costs C + max(0, D − C ÷ (1 − d)), and the commitment saves once it is used by more than 1 − d.

mod hours;

pub use hours::{HOURS_A_DAY, HourlyUse};

use crate::numbers::{ceiling, floor, product, quotient, round, sum};
use catalogue::Decimal;

/// Digits after the point of what is committed to an hour.
const HOURLY_DIGITS: u8 = 3;
/// Digits of it where the use is so small that nothing would be left.
const SMALL_DIGITS: u8 = 8;
/// Digits of amounts.
const DIGITS: u8 = 10;

/// What somebody offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// A share of contract prices, above 0 and below 1.
    pub discount: Decimal,
    /// The share that is paid on the first day, 0 to 1.
    pub upfront: Decimal,
    /// Days of the term.
    pub days: u32,
}

/// What a commitment would have come to over the hours that were looked at, and what it comes to over its term at the same use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proposal {
    /// Committed to, an hour.
    pub hourly: Decimal,
    /// `hourly` × hours.
    pub commitment_cost: Decimal,
    /// Of the commitment, what was used, at committed prices.
    pub used_cost: Decimal,
    /// What the use that is covered costs at contract prices.
    pub covered_cost: Decimal,
    /// The commitment, and the use that it does not cover.
    pub cost: Decimal,
    /// What the use costs without it, less `cost`; below zero when it loses.
    pub saving: Decimal,
    /// Of the whole term.
    pub term_cost: Decimal,
    /// Paid on the first day.
    pub upfront_cost: Decimal,
    /// Days until what is paid on the first day has come back; none when it does not within the term.
    pub pays_back_after: Option<u32>,
    /// Days after which the use has saved the cost of the whole term, so that nothing is lost if it ends; none when it does not within the term.
    pub earns_term_after: Option<u32>,
}

/// The amount an hour that would have saved most; none when no amount saves. Of amounts that save the same, the smallest.
///
/// The saving grows with the amount as long as more than 1 − d of all hours use at least as much: so it is the use of the hour with that rank, at
/// committed prices, cut off to what can be bought.
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

/// What an amount an hour comes to. `None` without hours, and for numbers of more than 38 digits.
#[must_use]
pub fn assess(use_of: &HourlyUse, hourly: Decimal, terms: Terms) -> Option<Proposal> {
    let rest = rest(terms.discount)?;
    // What the commitment covers of an hour at most, at contract prices.
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

/// Whole days until an amount has come back of which so much comes in so many hours.
fn days_until(amount: Decimal, gain: Decimal, hours: i64) -> Option<u32> {
    if gain.is_negative() || gain.is_zero() {
        return None;
    }
    ceiling(amount.checked_mul_int(hours)?, gain.checked_mul_int(HOURS_A_DAY)?)
}

/// 1 − d, the utilisation from which a commitment saves; none when the discount is no share between 0 and 1.
#[must_use]
pub fn rest(discount: Decimal) -> Option<Decimal> {
    let rest = Decimal::from(1).checked_sub(discount)?;
    let is_share = |share: Decimal| !share.is_negative() && !share.is_zero();
    (is_share(rest) && is_share(discount)).then_some(rest)
}

/// The discount that committed prices show: what covered use costs less than at contract prices, as a share, to four digits. None when it is no share
/// between 0 and 1.
#[must_use]
pub fn shown_discount(contracted: Decimal, effective: Decimal) -> Option<Decimal> {
    let is_known = !contracted.is_zero() && !contracted.is_negative() && !effective.is_negative();
    let discount = quotient(contracted.checked_sub(effective)?, contracted, 4).filter(|_| is_known)?;
    rest(discount).map(|_| discount)
}

#[cfg(test)]
mod tests;
