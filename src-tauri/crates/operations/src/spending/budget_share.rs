//! A project's limit and spending in each of its accounts, in addition to its funding.

use super::answer::{Date, Money};
use super::budgets::portion::{Ledger, Portion};
use catalogue::Decimal;
use graphql::Refusal;
use serde::Serialize;
use uuid::Uuid;

/// A project's share of an account.
#[derive(Serialize)]
pub(super) struct Share {
    account_id: Uuid,
    name: String,
    percent: Money,
    from: Option<Date>,
    until: Option<Date>,
    budget: Option<Money>,
    spent: Option<Money>,
}

/// The shares of accounts behind a project's funding, by account name. Without a ledger, the spending is unknown.
pub(super) fn shares(
    portions: &[Portion],
    ledger: Option<(&Ledger<'_>, Option<&str>)>,
) -> Result<Vec<Share>, Refusal> {
    let mut found = Vec::new();
    for (place, portion) in portions.iter().enumerate() {
        let Some(share) = &portion.share else { continue };
        let spent = ledger.map(|(ledger, currency)| ledger.spent_of(place, currency)).transpose()?;
        found.push(Share {
            account_id: share.account,
            name: share.name.clone(),
            percent: Money(portion.percent.unwrap_or(Decimal::from(100))),
            from: portion.days.0.map(Date),
            until: portion.days.1.map(Date),
            budget: share.budget.map(Money),
            spent: spent.map(Money),
        });
    }
    found.sort_by(|one, other| (&one.name, one.account_id).cmp(&(&other.name, other.account_id)));
    Ok(found)
}
