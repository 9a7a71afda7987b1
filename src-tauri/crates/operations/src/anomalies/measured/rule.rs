//! Converts a user-defined rule to the form that the analysis takes.

use analysis::anomalies::{Operator, Quantile, Watch};
use graphql::Refusal;
use model::{AnomalyChangeOperator, row};

row! {
    pub(super) struct Rule from anomaly_config {
        id, tenant_id, cloud_account_id, anomaly_type, buffer_percentage, change_operator, reference_period,
        reference_unit, enabled
    }
}

/// The longest reference period in hours: the hours read per series.
const MOST_HOURS: i32 = super::DAYS * 24;

impl Rule {
    pub(super) fn watch(&self) -> Result<Watch, Refusal> {
        let operator = match self.change_operator {
            AnomalyChangeOperator::Gt => Operator::Greater,
            AnomalyChangeOperator::Gte => Operator::GreaterOrEqual,
            AnomalyChangeOperator::Lt => Operator::Less,
            AnomalyChangeOperator::Lte => Operator::LessOrEqual,
        };
        Ok(Watch {
            operator,
            buffer: self.buffer_percentage,
            hours: hours(&self.reference_period)?,
            quantile: quantile(&self.reference_unit)?,
            period: self.reference_period.clone(),
            unit: self.reference_unit.clone(),
        })
    }
}

/// Refuses a reference period or unit that is invalid.
pub(in crate::anomalies) fn check(period: Option<&str>, unit: Option<&str>) -> Result<(), Refusal> {
    period.map(hours).transpose()?;
    unit.map(quantile).transpose()?;
    Ok(())
}

/// Parses a number with a unit (h, d, w) into hours, limited to [`MOST_HOURS`].
fn hours(text: &str) -> Result<i32, Refusal> {
    let wrong =
        || Refusal::invalid(format!("`reference_period` is \"{text}\": expected such as 12h, 7d or 1w"));
    let long = match text.chars().last() {
        Some('h') => 1,
        Some('d') => 24,
        Some('w') => 7 * 24,
        _ => return Err(wrong()),
    };
    let count = text.get(..text.len() - 1).and_then(|number| number.parse::<u32>().ok());
    let count = count.filter(|count| *count > 0).ok_or_else(wrong)?;
    Ok(i32::try_from(count).unwrap_or(i32::MAX).saturating_mul(long).min(MOST_HOURS))
}

fn quantile(text: &str) -> Result<Quantile, Refusal> {
    Quantile::parse(text).ok_or_else(|| {
        Refusal::invalid(format!(
            "`reference_unit` is \"{text}\": expected a percentile such as P99, MEDIAN, AVG, MIN or MAX"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_is_hours_days_or_weeks() {
        let of = |text: &str| hours(text).ok();
        assert_eq!((of("12h"), of("7d"), of("1w")), (Some(12), Some(168), Some(168)));
        assert_eq!(of("99999999w"), Some(MOST_HOURS));
        for wrong in ["", "w", "0d", "-1d", "1m", "1 w", "é"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        assert!(check(Some("2w"), Some("median")).is_ok() && check(None, Some("best")).is_err());
    }
}
