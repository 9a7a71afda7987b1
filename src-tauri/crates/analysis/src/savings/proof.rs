//! Verifies savings: compares the cost of a resource in a month before the change with the months after it.

use super::bill::Period;
use super::finding::{Amount, Figure, days_of_a_month, for_days};
use crate::forecast::first_of_next;
use catalogue::{Decimal, format_date};
use serde::{Deserialize, Serialize};

/// A saving of at least this percentage of the estimate counts as verified.
const VERIFIED: i64 = 90;
/// A saving below this percentage counts as none.
const NONE: i64 = 10;

/// How much of an estimated saving was realised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// 90% of the estimate or more.
    Verified,
    /// At least 10%, but less than 90%.
    Partial,
    None,
}

/// The result of the months after a change. `before` − `after` is `saved`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerifiedSaving {
    /// The newest month, for example 2026-07.
    pub month: String,
    pub currency: String,
    pub before: Amount,
    pub after: Amount,
    pub saved: Amount,
    pub verdict: Verdict,
    pub figures: Vec<Figure>,
    /// Every month since the change, oldest first.
    pub months: Vec<MonthSaving>,
}

/// The result of one month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MonthSaving {
    pub month: String,
    pub before: Amount,
    pub after: Amount,
    pub saved: Amount,
}

/// Judges the months after a change, oldest first, each given by its first day; `None` without any. `before` is a cost from
/// [`super::for_a_month`] and is scaled to the length of each month.
pub fn verify(
    period: Period,
    before: Decimal,
    estimated: Decimal,
    after: &[(i32, Decimal)],
    currency: &str,
) -> Option<VerifiedSaving> {
    let of = days_of_a_month(period);
    let days = |first: i32| first_of_next(first) - first;
    let months: Option<Vec<MonthSaving>> = after
        .iter()
        .map(|(first, after)| {
            let before = for_days(before, of, days(*first))?;
            Some(MonthSaving {
                month: format_date(*first).get(..7)?.to_owned(),
                before: Amount(before),
                after: Amount(*after),
                saved: Amount(before.checked_sub(*after)?),
            })
        })
        .collect();
    let months = months?;
    let (last, (newest, _)) = (months.last()?.clone(), after.last()?);
    let estimated = for_days(estimated, of, days(*newest))?;
    let (from, to) = (format_date(period.from), format_date(period.to));
    let figures = vec![
        Figure::new(format!("Cost from {from} to {to}"), before, currency),
        Figure::whole("For days", i64::from(of), "days"),
        Figure::whole(format!("Days of {}", last.month), i64::from(days(*newest)), "days"),
        Figure::new(format!("Cost in {}", last.month), last.after.0, currency),
        Figure::new(format!("Estimated saving for {}", last.month), estimated, currency),
        Figure::whole("Verified from", VERIFIED, "% of the estimate"),
        Figure::whole("None below", NONE, "% of the estimate"),
    ];
    Some(VerifiedSaving {
        verdict: verdict(last.saved.0, estimated)?,
        month: last.month,
        currency: currency.to_owned(),
        before: last.before,
        after: last.after,
        saved: last.saved,
        figures,
        months,
    })
}

/// Without an estimate, any saving is verified.
fn verdict(saved: Decimal, estimated: Decimal) -> Option<Verdict> {
    let is_saved = !saved.is_zero() && !saved.is_negative();
    let hundredths = saved.checked_mul_int(100)?;
    Some(match () {
        () if !is_saved => Verdict::None,
        () if hundredths >= estimated.checked_mul_int(VERIFIED)? => Verdict::Verified,
        () if hundredths >= estimated.checked_mul_int(NONE)? => Verdict::Partial,
        () => Verdict::None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalogue::parse_date;

    #[test]
    fn a_saving_is_judged_by_its_newest_month() {
        let day = |text: &str| parse_date(text).unwrap();
        let months = |after: &[i64]| -> Vec<(i32, Decimal)> {
            let firsts = ["2026-07-01", "2026-08-01"].map(day);
            firsts.into_iter().zip(after.iter().copied().map(Decimal::from)).collect()
        };
        let judge = |after: &[i64]| {
            // 300 for 30 days is 310 for 31, and 60 is 62.
            let period = Period { from: day("2026-06-01"), to: day("2026-06-30") };
            verify(period, Decimal::from(300), Decimal::from(60), &months(after), "EUR")
        };
        let verdict = |after: &[i64]| judge(after).map(|saving| saving.verdict);
        assert_eq!(verdict(&[248]), Some(Verdict::Verified));
        assert_eq!((verdict(&[254]), verdict(&[255])), (Some(Verdict::Verified), Some(Verdict::Partial)));
        assert_eq!((verdict(&[303]), verdict(&[304])), (Some(Verdict::Partial), Some(Verdict::None)));
        // The same daily cost as before.
        assert_eq!((verdict(&[310]), verdict(&[320])), (Some(Verdict::None), Some(Verdict::None)));
        assert_eq!(verdict(&[]), None);
        let saving = judge(&[300, 248]).unwrap();
        assert_eq!((saving.month.as_str(), saving.months.len()), ("2026-08", 2));
        assert_eq!((saving.before, saving.saved), (Amount(Decimal::from(310)), Amount(Decimal::from(62))));
    }
}
