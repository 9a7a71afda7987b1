//! Usage by hour that commitments could cover but do not yet, and the committed prices in the bill.

use super::super::answer::{too_large, total};
use super::super::charges::{Charges, Sums};
use super::super::commitments::SPOT;
use super::super::dimension::{Dimension, column};
use super::super::scope::Scope;
use super::request::Request;
use analysis::commitments::{HOURS_A_DAY, HourlyUse, shown_discount};
use catalogue::{Decimal, parse_timestamp};
use graphql::Refusal;
use std::collections::BTreeMap;
use store::query::{Filter, Key, Test, TimeUnit};

/// One hour in µs.
const HOUR: i64 = 3_600_000_000;
/// A monthly charge begins up to this many days before the first day read.
const LONGEST_CHARGE: i32 = 31;

/// The object of a possible commitment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub currency: Option<String>,
    pub service: Option<String>,
    /// `None` for a whole service.
    pub family: Option<String>,
}

/// A sum of charges for the same hours.
#[derive(Debug, Clone, Copy)]
struct Slice {
    /// First hour, and the hour after the last; hours since 1970.
    hours: (i64, i64),
    cost: Decimal,
}

/// Usage that commitments could cover, and usage that they cover already.
#[derive(Default)]
pub(super) struct Eligible {
    found: BTreeMap<Name, Vec<Slice>>,
    /// Contracted and effective cost of covered usage.
    committed: BTreeMap<Name, (Decimal, Decimal)>,
    /// The hour after the last one with a charge, since 1970.
    pub known_until: i64,
}

impl Eligible {
    /// Reads the usage on the days. Families are separated only within a requested service.
    pub fn read(
        charges: &Charges<'_>,
        scope: &Scope,
        (from, until): (i32, i32),
        request: &Request<'_>,
    ) -> Result<Self, Refusal> {
        let mut conditions = vec![charges.is("charge_category", "Usage")?];
        if let Some(currency) = request.currency {
            conditions.push(charges.is("unit", currency)?);
        }
        if let Some(service) = request.service {
            let service = [service.to_owned()];
            conditions.push(Dimension::Column("service_name").is_one_of(charges.table, &service)?);
        }
        let mut names = vec![
            ("currency", charges.key("unit")?),
            ("service", Dimension::Column("service_name").key(charges.table)?),
        ];
        if request.service.is_some() {
            names.push(("kind", charges.usage_kind()?));
        }
        let mut found = Self::default();
        let mut open = conditions.clone();
        open.push(charges.test("commitment_discount_id", Test::IsNull)?);
        open.push(Filter::Or(vec![
            charges.test("pricing_category", Test::IsNull)?,
            Filter::Not(Box::new(charges.is("pricing_category", SPOT)?)),
        ]));
        found.read_open(charges, scope, (from, until), (&names, open), request)?;
        let mut used = conditions;
        used.push(charges.is("commitment_discount_status", "Used")?);
        let mut figures = vec![("effective", charges.sum("effective_cost")?)];
        figures.extend(charges.contracted()?);
        let filter = charges.filter(scope, (Some(from), Some(until)), used)?;
        for sums in charges.grouped(names, figures, filter)? {
            for name in names_of(&sums, request) {
                let (contracted, effective) = found.committed.entry(name).or_default();
                *contracted = total([*contracted, sums.contracted()?])?;
                *effective = total([*effective, sums.amount("effective")])?;
            }
        }
        Ok(found)
    }

    fn read_open(
        &mut self,
        charges: &Charges<'_>,
        scope: &Scope,
        (from, until): (i32, i32),
        (names, conditions): (&[(&'static str, Key)], Vec<Filter>),
        request: &Request<'_>,
    ) -> Result<(), Refusal> {
        let hour = |name| column(charges.table, name).map(|column| Key::Time(column, TimeUnit::Hour));
        let mut keys = names.to_vec();
        keys.extend([("begin", hour("date")?), ("end", hour("period_end")?)]);
        let figures = charges.contracted()?.to_vec();
        let filter = charges.filter(scope, (Some(from - LONGEST_CHARGE), Some(until)), conditions)?;
        for sums in charges.grouped(keys, figures, filter)? {
            let hour =
                |name| sums.text(name).and_then(|text| parse_timestamp(&text)).map(|at| at.div_euclid(HOUR));
            let Some(begin) = hour("begin") else { continue };
            let end = hour("end").filter(|end| *end > begin).unwrap_or_else(|| end_of_day(begin));
            self.known_until = self.known_until.max(end);
            let cost = sums.contracted()?;
            for name in names_of(&sums, request) {
                self.found.entry(name).or_default().push(Slice { hours: (begin, end), cost });
            }
        }
        Ok(())
    }

    /// The names to return, with the discount that the bill shows: for each currency by descending cost, services before families.
    pub fn names(&self, most: usize, messages: &mut Vec<String>) -> Vec<(Name, Option<Decimal>)> {
        let cost = |slices: &Vec<Slice>| total(slices.iter().map(|slice| slice.cost)).unwrap_or_default();
        let mut names: Vec<(Decimal, &Name)> =
            self.found.iter().map(|(name, slices)| (cost(slices), name)).collect();
        names.retain(|(cost, _)| !cost.is_zero() && !cost.is_negative());
        names.sort_by(|one, other| {
            let key = |of: &(Decimal, &Name)| (of.1.currency.clone(), of.1.family.is_some());
            key(one).cmp(&key(other)).then_with(|| other.0.cmp(&one.0)).then_with(|| one.1.cmp(other.1))
        });
        let mut counts: BTreeMap<&Option<String>, usize> = BTreeMap::new();
        let (mut told, mut left) = (Vec::new(), 0);
        for (_, name) in names {
            let count = counts.entry(&name.currency).or_default();
            *count += 1;
            if *count > most {
                left += 1;
                continue;
            }
            let committed = self.committed.get(name);
            let discount =
                committed.and_then(|(contracted, effective)| shown_discount(*contracted, *effective));
            told.push((name.clone(), discount));
        }
        if left > 0 {
            messages.push(format!("{left} services or families with less cost are left out."));
        }
        told
    }

    /// The usage in a range of hours.
    pub fn hours(&self, name: &Name, (from, until): (i64, i64)) -> Result<HourlyUse, Refusal> {
        let mut use_of = HourlyUse::new(from, until);
        for slice in self.found.get(name).into_iter().flatten() {
            use_of.add(slice.hours, slice.cost).ok_or_else(too_large)?;
        }
        Ok(use_of)
    }
}

/// The end of the day that contains the hour. A charge without an end covers its day.
fn end_of_day(hour: i64) -> i64 {
    (hour.div_euclid(HOURS_A_DAY) + 1) * HOURS_A_DAY
}

/// The names that a sum counts for: its service, and within a requested service also its family.
fn names_of(sums: &Sums, request: &Request<'_>) -> Vec<Name> {
    let service = Name { currency: sums.text("currency"), service: sums.text("service"), family: None };
    if request.service.is_none() {
        return vec![service];
    }
    let kind = sums.text("kind").unwrap_or_default();
    let family = Name { family: Some(family(&kind).to_owned()), ..service.clone() };
    match request.family {
        Some(asked) if family.family.as_deref() == Some(asked) => vec![family],
        Some(_) => Vec::new(),
        None => vec![service, family],
    }
}

/// The instance family in a usage type such as `EU-BoxUsage:m7g.large`; any other kind of use is its own family.
fn family(kind: &str) -> &str {
    let name = kind.split_once(':').map_or(kind, |(_, name)| name);
    let is_instance = kind.contains("Usage:") && name.contains('.');
    name.rsplit_once('.').filter(|_| is_instance).map_or(kind, |(family, _)| family)
}

#[cfg(test)]
mod tests {
    use super::family;

    #[test]
    fn a_usage_type_of_an_instance_names_its_family() {
        assert_eq!(family("EU-BoxUsage:m7g.large"), "m7g");
        assert_eq!(family("InstanceUsage:db.r6g.xlarge"), "db.r6g");
        assert_eq!(family("EU-EBS:VolumeUsage.gp2"), "EU-EBS:VolumeUsage.gp2");
        assert_eq!(family("D4s v5"), "D4s v5");
    }
}
