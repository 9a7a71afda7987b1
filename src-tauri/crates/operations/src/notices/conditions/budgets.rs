//! Notices about budget thresholds that were reached.

use super::{day, day_of, money};
use crate::notices::raise::{ActiveCondition, Cause};
use crate::spending::{CrossedThreshold, NEWS_DAYS, crossed};
use catalogue::{Decimal, format_date};
use channels::Severity;
use graphql::Refusal;
use store::Transaction;

/// One notice per budget, period and threshold; only the highest threshold reached is included.
pub(in crate::notices) fn budgets(rows: &Transaction<'_>) -> Result<Vec<ActiveCondition>, Refusal> {
    let today = day_of(rows.now());
    crossed(rows)?.iter().map(|threshold| condition(threshold, today)).collect()
}

fn condition(threshold: &CrossedThreshold, today: i32) -> Result<ActiveCondition, Refusal> {
    let CrossedThreshold { budget, name, percent, from, until, .. } = threshold;
    let currency = threshold.currency.as_deref();
    let amount = money(threshold.amount, currency);
    let is_over = *percent >= Decimal::from(100);
    let (on, title, severity) = if threshold.is_forecast {
        let title =
            format!("{name}: the forecast reaches {percent}% of the budget on {}", day(threshold.reached_on));
        ("forecast", title, Severity::Warning)
    } else {
        let title = format!("{name}: {percent}% of the budget was reached on {}", day(threshold.reached_on));
        let below = if *percent >= Decimal::from(80) { Severity::Warning } else { Severity::Info };
        ("actual", title, if is_over { Severity::Critical } else { below })
    };
    let spent = threshold.spent.map(|spent| format!("{} of {amount} billed", money(spent, currency)));
    let expected = threshold
        .forecast
        .map(|forecast| format!("{} expected by {}", money(forecast, currency), day(*until)));
    let parts: Vec<String> = spent.into_iter().chain(expected).collect();
    Ok(ActiveCondition {
        subject: "budget",
        key: format!("budget:{budget}:{}:{on}:{percent}", format_date(*from)),
        severity,
        title,
        text: format!("{}.", parts.join(", ")),
        link: Some(format!("/costs/budgets?id={budget}")),
        // The period decides, not the time at which its bills were imported.
        is_recent: *until >= today - NEWS_DAYS,
        cause: Cause::Budget { account: threshold.account, threshold: threshold.told()? },
    })
}
