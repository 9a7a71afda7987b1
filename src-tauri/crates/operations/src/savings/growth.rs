//! Reads storage that is checked for steady growth, by complete calendar months.

use super::days::{BillDays, HISTORY};
use super::sums::{Usage, cost, one_of, quantity, uuid};
use analysis::forecast::{first_of_next, start_of_month};
use analysis::savings::{Growth, Month};
use catalogue::Value;
use graphql::Refusal;
use std::collections::BTreeMap;
use store::query::{Key, TimeUnit};
use uuid::Uuid;

/// Account, service, kind, region, currency.
type SeriesKey = (Uuid, String, String, String, String);

pub fn read(usage: &Usage<'_>, known: &BillDays, kinds: Vec<Value>) -> Result<Vec<Growth>, Refusal> {
    let to = known.period.to;
    let mut series: BTreeMap<SeriesKey, BTreeMap<i32, Month>> = BTreeMap::new();
    for condition in one_of(&usage.kind()?, kinds) {
        let keys = vec![
            ("account", usage.charges.key("cloud_account")?),
            ("service", usage.service()?),
            ("kind", usage.kind()?),
            ("region", usage.region()?),
            ("currency", usage.charges.key("unit")?),
            ("month", Key::Time(usage.column("date")?, TimeUnit::Month)),
        ];
        let mut figures = usage.cost()?;
        figures.extend(usage.quantity()?);
        for row in usage.groups(keys, figures, (start_of_month(to - HISTORY), to), vec![condition])? {
            let one = || {
                let account = uuid(&row, "account")?;
                let month = Month { first: row.day("month")?, cost: cost(&row)?, quantity: quantity(&row)? };
                let text = |name: &str| row.text(name).unwrap_or_default();
                let key = (account, text("service"), text("kind"), text("region"), row.text("currency")?);
                Some((key, month))
            };
            let Some((key, month)) = one() else { continue };
            // An incomplete month would look like growth or shrinkage.
            let is_whole = first_of_next(month.first) - 1 <= to
                && known.first.get(&key.0).is_some_and(|first| *first <= month.first);
            if is_whole {
                series.entry(key).or_default().insert(month.first, month);
            }
        }
    }
    let growth =
        |((account, service, usage, region, currency), months): (SeriesKey, BTreeMap<i32, Month>)| {
            let months: Vec<Month> = months.into_values().collect();
            let has_no_gap = months.windows(2).all(|pair| first_of_next(pair[0].first) == pair[1].first);
            let is_current = months.last().is_some_and(|last| first_of_next(first_of_next(last.first)) > to);
            (has_no_gap && is_current).then_some(Growth { account, service, usage, region, currency, months })
        };
    Ok(series.into_iter().filter_map(growth).collect())
}
