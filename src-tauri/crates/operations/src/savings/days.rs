//! The days of a bill that are judged.

use super::sums::{DayOfAccount, Usage};
use analysis::forecast::{first_of_next, month_before, start_of_month};
use analysis::savings::Period;
use graphql::Refusal;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Days of a bill that are read: the period by which growth is judged, plus one month.
pub const HISTORY: i32 = 160;
/// A charge for more days than this is a monthly charge.
const LONGEST_DAILY: i32 = 2;

/// The judged period of some accounts' bill.
#[derive(Debug, Clone, Default)]
pub struct BillDays {
    pub period: Period,
    /// The first day with a charge of each account, within the days read.
    pub first: BTreeMap<Uuid, i32>,
}

/// The days of one invoice.
#[derive(Default)]
struct Invoice {
    first: BTreeMap<Uuid, i32>,
    /// The newest day with a charge of at most [`LONGEST_DAILY`] days.
    daily: Option<i32>,
    /// The newest day that any charge covers.
    longest: i32,
}

/// For each group of accounts with a common invoice, the month that ends on the newest day of their bill up to `as_of`. Invoices are independent:
/// the days of one do not show whether another is complete.
pub fn known(usage: &Usage<'_>, as_of: i32) -> Result<Vec<BillDays>, Refusal> {
    let Some(newest) = usage.newest(as_of)? else { return Ok(Vec::new()) };
    let mut invoices: BTreeMap<String, Invoice> = BTreeMap::new();
    let mut of_account: BTreeMap<Uuid, (i32, String)> = BTreeMap::new();
    for DayOfAccount { account, invoice, day, last } in usage.extents((newest - HISTORY, newest))? {
        let name = invoice.unwrap_or_else(|| account.to_string());
        let newest = of_account.entry(account).or_insert_with(|| (day, name.clone()));
        if newest.0 <= day {
            *newest = (day, name.clone());
        }
        let known = invoices.entry(name).or_default();
        let first = known.first.entry(account).or_insert(day);
        *first = day.min(*first);
        known.longest = known.longest.max(last);
        if last - day < LONGEST_DAILY {
            known.daily = known.daily.max(Some(day));
        }
    }
    let mut periods: BTreeMap<(i32, i32), BTreeMap<Uuid, i32>> = BTreeMap::new();
    for (name, invoice) in invoices {
        let to = invoice.daily.unwrap_or(invoice.longest);
        let begin = begin(to);
        let oldest = invoice.first.values().min().copied().unwrap_or(to);
        let accounts =
            invoice.first.into_iter().filter(|(id, _)| of_account.get(id).is_some_and(|of| of.1 == name));
        periods.entry((begin.max(oldest).min(to), to)).or_default().extend(accounts);
    }
    let known = |((from, to), first)| BillDays { period: Period { from, to }, first };
    Ok(periods.into_iter().map(known).filter(|known| !known.first.is_empty()).collect())
}

/// The first day of the month that ends on day `to`.
fn begin(to: i32) -> i32 {
    if first_of_next(to) == to + 1 { start_of_month(to) } else { month_before(to) + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalogue::parse_date;

    #[test]
    fn a_month_ends_on_the_newest_day() {
        let day = |text: &str| parse_date(text).unwrap();
        for (to, from) in
            [("2026-06-30", "2026-06-01"), ("2026-02-28", "2026-02-01"), ("2026-06-18", "2026-05-19")]
        {
            assert_eq!(begin(day(to)), day(from), "{to}");
        }
    }
}
