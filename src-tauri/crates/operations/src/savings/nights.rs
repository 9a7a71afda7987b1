//! Machines of non-production environments by hour of the week, for bills with hourly charges.

use super::days::BillDays;
use super::sums::{Usage, cost, one_of, uuid};
use analysis::savings::{Hours, Night};
use catalogue::{Value, parse_timestamp};
use graphql::Refusal;
use std::collections::{BTreeMap, BTreeSet};
use store::query::{Filter, Key, Term, TimeUnit};
use uuid::Uuid;

/// Tags that contain the environment of a resource.
const LABELS: [&str; 8] =
    ["environment", "Environment", "env", "Env", "stage", "Stage", "user:environment", "user:env"];
/// Environments that are not needed at night.
const NOT_PRODUCTION: [&str; 14] = [
    "dev",
    "development",
    "test",
    "testing",
    "qa",
    "staging",
    "stage",
    "sandbox",
    "nonprod",
    "non-prod",
    "demo",
    "int",
    "integration",
    "uat",
];
/// One hour in µs.
const HOUR: i64 = 3_600_000_000;

/// The machines; empty if the bill has no hourly charges.
pub fn read(usage: &Usage<'_>, known: &BillDays, kinds: &BTreeSet<String>) -> Result<Vec<Night>, Refusal> {
    let days = (known.period.from, known.period.to);
    let label = usage.label(&LABELS)?;
    let environments =
        usage.groups(vec![("environment", label.clone())], vec![("count", Term::Count)], days, Vec::new())?;
    let environments: Vec<Value> = environments
        .iter()
        .filter_map(|row| row.text("environment"))
        .filter(|name| NOT_PRODUCTION.contains(&name.trim().to_ascii_lowercase().as_str()))
        .map(Value::Text)
        .collect();
    if environments.is_empty() {
        return Ok(Vec::new());
    }
    let is_machine = |kind: &&String| kind.contains("BoxUsage:") || kind.contains("InstanceUsage:");
    let machines = kinds.iter().filter(is_machine).map(|kind| Value::Text(kind.clone())).collect();
    let mut machine = one_of(&usage.kind()?, machines);
    machine.push(usage.charges.is("service_category", "Compute")?);
    let mut nights: BTreeMap<(Uuid, String), Night> = BTreeMap::new();
    for environment in one_of(&label, environments) {
        let keys = vec![
            ("account", usage.charges.key("cloud_account")?),
            ("resource", usage.charges.key("cloud_resource_id")?),
            ("service", usage.service()?),
            ("kind", usage.kind()?),
            ("region", usage.region()?),
            ("currency", usage.charges.key("unit")?),
            ("environment", label.clone()),
            ("hour", Key::Time(usage.column("date")?, TimeUnit::Hour)),
        ];
        let conditions = vec![environment, Filter::Or(machine.clone())];
        for row in usage.groups(keys, usage.cost()?, days, conditions)? {
            let (Some(resource), Some(account), Some(currency)) =
                (uuid(&row, "resource"), uuid(&row, "account"), row.text("currency"))
            else {
                continue;
            };
            let hour =
                row.text("hour").and_then(|hour| parse_timestamp(&hour)).map(|time| time.div_euclid(HOUR));
            let (Some(hour), Some(cost)) = (hour, cost(&row)) else { continue };
            let night = nights.entry((resource, currency.clone())).or_insert_with(|| Night {
                account,
                resource,
                resource_name: None,
                service: row.text("service").unwrap_or_default(),
                usage: row.text("kind").unwrap_or_default(),
                region: row.text("region").unwrap_or_default(),
                currency,
                environment: row.text("environment").unwrap_or_default(),
                hours: Hours::default(),
            });
            night.hours = night.hours.and(hour, cost).unwrap_or(night.hours);
        }
    }
    Ok(nights.into_values().collect())
}
