//! Whether a saving came about: what a resource cost in a month before, and what it costs in the months after.

use super::finding::{Amount, Figure};
use catalogue::{Decimal, format_date};
use serde::{Deserialize, Serialize};

/// From this part of the estimate on a saving counts as verified, in hundredths.
const VERIFIED: i64 = 90;
/// Below this part it counts as none.
const NONE: i64 = 10;

/// How much of an estimate came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// 90 % of the estimate or more.
    Verified,
    /// Less, and 10 % or more.
    Partial,
    None,
}

/// What the months after a change prove. `before` − `after` is `saved`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerifiedSaving {
    /// The newest month, such as 2026-07.
    pub month: String,
    pub currency: String,
    pub before: Amount,
    pub after: Amount,
    pub saved: Amount,
    pub verdict: Verdict,
    pub figures: Vec<Figure>,
    /// Every month since, the oldest first.
    pub months: Vec<MonthSaved>,
}

/// What a month proves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MonthSaved {
    pub month: String,
    pub before: Amount,
    pub after: Amount,
    pub saved: Amount,
}

/// Judges the months after a change, the oldest first, each by its first day: `None` where there is none.
pub fn verify(
    (from, to): (i32, i32),
    before: Decimal,
    estimated: Decimal,
    after: &[(i32, Decimal)],
    currency: &str,
) -> Option<VerifiedSaving> {
    let months: Option<Vec<MonthSaved>> = after
        .iter()
        .map(|(first, after)| {
            Some(MonthSaved {
                month: format_date(*first).get(..7)?.to_owned(),
                before: Amount(before),
                after: Amount(*after),
                saved: Amount(before.checked_sub(*after)?),
            })
        })
        .collect();
    let months = months?;
    let last = months.last()?.clone();
    let figures = vec![
        Figure::new(format!("Cost from {} to {}", format_date(from), format_date(to)), before, currency),
        Figure::new(format!("Cost in {}", last.month), last.after.0, currency),
        Figure::new("Estimated saving", estimated, currency),
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

/// Without an estimate whatever is saved is verified.
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
            let period = (day("2026-06-01"), day("2026-06-30"));
            verify(period, Decimal::from(100), Decimal::from(20), &months(after), "EUR")
        };
        let verdict = |after: &[i64]| judge(after).map(|saving| saving.verdict);
        assert_eq!(verdict(&[80]), Some(Verdict::Verified));
        assert_eq!(verdict(&[82]), Some(Verdict::Verified));
        assert_eq!(verdict(&[83]), Some(Verdict::Partial));
        assert_eq!((verdict(&[99]), verdict(&[120])), (Some(Verdict::None), Some(Verdict::None)));
        assert_eq!(verdict(&[]), None);
        let saving = judge(&[95, 80]).unwrap();
        assert_eq!((saving.month.as_str(), saving.months.len()), ("2026-08", 2));
        assert_eq!(saving.saved, Amount(Decimal::from(20)));
    }
}
