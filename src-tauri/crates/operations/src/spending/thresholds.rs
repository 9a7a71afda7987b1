//! Thresholds of budgets.

use catalogue::Decimal;
use graphql::Refusal;
use serde_json::Value as Json;

/// The largest number of thresholds per budget.
const MOST: usize = 20;
/// The largest percentage; more is probably a typing error.
const LARGEST: i64 = 1000;
const EXPECTED: &str = "expected a list such as [50, 80, 100, {\"percent\": 100, \"on\": \"forecast\"}]";

/// The amount that a threshold is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Basis {
    Actual,
    Forecast,
}

impl Basis {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Actual => "actual",
            Self::Forecast => "forecast",
        }
    }
}

/// A threshold: a percentage of the budget, of the billed or the expected amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Threshold {
    pub percent: Decimal,
    pub on: Basis,
}

impl Threshold {
    /// The threshold's part of an amount; `None` beyond 38 digits.
    pub(super) fn of(&self, amount: Decimal) -> Option<Decimal> {
        share_of(amount, self.percent)
    }
}

/// A percentage of an amount; `None` beyond 38 digits.
pub(super) fn share_of(amount: Decimal, percent: Decimal) -> Option<Decimal> {
    let mantissa = amount.mantissa().checked_mul(percent.mantissa())?;
    Decimal::from_parts(mantissa, amount.scale() + percent.scale() + 2)
}

/// The thresholds of budgets without their own: 50%, 80% and 100% of the billed amount.
pub(super) fn usual() -> Vec<Threshold> {
    let at = |percent: i64| Threshold { percent: Decimal::from(percent), on: Basis::Actual };
    [50, 80, 100].map(at).to_vec()
}

/// Reads the thresholds of a budget, sorted by kind and percentage.
pub(super) fn read(thresholds: &Json) -> Result<Vec<Threshold>, Refusal> {
    let wrong = || Refusal::invalid(format!("`thresholds` is {thresholds}: {EXPECTED}"));
    let entries = thresholds.as_array().ok_or_else(wrong)?;
    if entries.len() > MOST {
        return Err(Refusal::invalid(format!(
            "`thresholds` has {} entries: expected {MOST} at most",
            entries.len()
        )));
    }
    let found = entries.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    for basis in [Basis::Actual, Basis::Forecast] {
        let percents: Vec<Decimal> = found
            .iter()
            .filter(|threshold| threshold.on == basis)
            .map(|threshold| threshold.percent)
            .collect();
        for pair in percents.windows(2) {
            let [before, after] = pair else { continue };
            if before >= after {
                return Err(Refusal::invalid(format!(
                    "`thresholds` has {before}% of {} before {after}%: expected ascending percentages, each once",
                    basis.name()
                )));
            }
        }
    }
    Ok(found)
}

fn one(entry: &Json) -> Result<Threshold, Refusal> {
    let wrong = || Refusal::invalid(format!("`thresholds` has {entry}: {EXPECTED}"));
    let (percent, on) = match entry {
        Json::Number(_) => (entry, Basis::Actual),
        Json::Object(members) => {
            if members.keys().any(|name| name != "percent" && name != "on") {
                return Err(wrong());
            }
            let on = match members.get("on").map(Json::as_str) {
                None | Some(Some("actual")) => Basis::Actual,
                Some(Some("forecast")) => Basis::Forecast,
                Some(_) => return Err(wrong()),
            };
            (members.get("percent").ok_or_else(wrong)?, on)
        }
        _ => return Err(wrong()),
    };
    let Json::Number(number) = percent else { return Err(wrong()) };
    let percent = Decimal::parse(&number.to_string()).map_err(|_| wrong())?;
    if percent.is_zero() || percent.is_negative() || percent > Decimal::from(LARGEST) {
        let message =
            format!("`thresholds` has {percent}%: expected a percentage above 0, {LARGEST} at most");
        return Err(Refusal::invalid(message));
    }
    Ok(Threshold { percent, on })
}

#[cfg(test)]
mod tests {
    use super::{Basis, Threshold, read};
    use catalogue::Decimal;
    use serde_json::json;

    #[test]
    fn plain_numbers_are_of_what_was_billed() {
        let found =
            read(&json!([50, 87.5, { "percent": 100, "on": "forecast" }, { "percent": 100 }])).unwrap();
        let names: Vec<(String, &str)> =
            found.iter().map(|threshold| (threshold.percent.to_string(), threshold.on.name())).collect();
        let expected = [("50", "actual"), ("87.5", "actual"), ("100", "forecast"), ("100", "actual")];
        assert_eq!(names, expected.map(|(percent, on)| (percent.to_owned(), on)));
        // 87.5% of 1,234.56 is 1,080.24.
        let threshold = Threshold { percent: Decimal::parse("87.5").unwrap(), on: Basis::Actual };
        let amount = Decimal::parse("1234.56").unwrap();
        assert_eq!(threshold.of(amount).map(|part| part.to_string()), Some("1080.24".to_owned()));
    }

    #[test]
    fn what_is_wrong_is_told() {
        let refused = |value| read(&value).unwrap_err().message;
        assert!(refused(json!(80)).contains("expected a list"), "{}", refused(json!(80)));
        assert!(refused(json!(["80"])).starts_with("`thresholds` has \"80\": expected a list"));
        assert!(refused(json!([80, 50])).contains("80% of actual before 50%"));
        assert!(refused(json!([0])).contains("above 0"));
        assert!(refused(json!([{ "percent": 80, "of": "forecast" }])).contains("expected a list"));
    }
}
