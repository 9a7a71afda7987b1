//! The cost of providers in the current month, from the request ledger; and the monthly limits.

use crate::failure::{Failure, FailureKind};
use crate::kind::Field;
use crate::providers::{Providers, Setup};
use crate::record::{Entry, StoredValue};
use catalogue::{Caller, Decimal};
use chrono::{DateTime, Datelike, Months, NaiveTime, Utc};
use model::tables::llm_ledger;
use model::{Read as _, Timestamp, row};
use std::collections::BTreeMap;
use store::StoreError;

/// Cost by provider id.
pub type ProviderCosts = BTreeMap<String, Decimal>;

row! { struct LedgerEntry from llm_ledger { id } }

impl Providers {
    /// The cost of each provider since the month began (UTC), in the currency of the price list; requests without a price count as 0. Blocks the
    /// thread.
    pub fn spent(&self) -> Result<ProviderCosts, StoreError> {
        let since = month(self.now()).map_or(i64::MIN, |month| month.timestamp_micros());
        let sums = self.store.snapshot(&Caller::system(), |rows| {
            rows.query::<LedgerEntry>()
                .filter(llm_ledger::sent_at.ge(Timestamp(since)))
                .group((llm_ledger::provider.key(), llm_ledger::cost.sum()))
                .rows()
        })?;
        Ok(sums.into_iter().filter_map(|(provider, cost)| Some((provider, cost?))).collect())
    }

    /// The costs, if any provider has a limit to compare them with.
    pub(crate) fn spent_if_bound(&self, setup: &Setup) -> Result<ProviderCosts, Failure> {
        if setup.entries.iter().all(|entry| limit(entry).is_none()) {
            return Ok(ProviderCosts::new());
        }
        self.spent().map_err(|error| Failure::store(&error))
    }

    /// Fails if a provider has reached its monthly limit.
    pub(crate) fn check_spent(&self, entry: &Entry, spent: &ProviderCosts) -> Result<(), Failure> {
        let Some(limit) = limit(entry) else { return Ok(()) };
        let used = spent.get(&entry.id).copied().unwrap_or(Decimal::ZERO);
        if used < limit {
            return Ok(());
        }
        let again = month(self.now()).and_then(|month| month.checked_add_months(Months::new(1)));
        let again = again
            .map(|day| format!(" It is asked again from {} on.", day.format("%-d %B")))
            .unwrap_or_default();
        Err(Failure::new(
            FailureKind::Limited,
            format!("{} has used up its monthly limit: {used} of {limit}.{again}", entry.name),
            "Raise the limit under Settings, Model providers, or use another provider.",
        ))
    }
}

/// The monthly limit of a provider, if there is one.
fn limit(entry: &Entry) -> Option<Decimal> {
    match &entry.values.get(&Field::MonthlyLimit)?.value {
        StoredValue::Plain(text) if !text.is_empty() => Decimal::parse(text).ok(),
        _ => None,
    }
}

/// The start of the month of a time, UTC.
fn month(now: i64) -> Option<DateTime<Utc>> {
    let day = DateTime::from_timestamp_micros(now)?.date_naive().with_day(1)?;
    Some(day.and_time(NaiveTime::MIN).and_utc())
}
