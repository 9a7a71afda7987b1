//! Reads the cost of usage, summed by the store: by day for the rules, and by other keys for the drivers of an anomaly.

use super::DAY;
use crate::kit::values::exact;
use crate::spending::VIRTUAL;
use analysis::anomalies::{DailyCost, HISTORY_DAYS, JUDGED_DAYS};
use catalogue::{ColumnId, Decimal, Table, TableId, Value, parse_date};
use graphql::Refusal;
use serde_json::Value as Json;
use store::query::{
    Filter, Grouping, GroupingShape, Key, Operator, QueryKind, Subject, Term, Test, TimeUnit,
};
use store::{Query, StoreError, Transaction};
use uuid::Uuid;

/// The name used for charges without a service.
pub(super) const NO_SERVICE: &str = "no service named";
/// The class of charges that correct a bill of an earlier period (FOCUS, `ChargeClass`).
const CORRECTION: &str = "Correction";
/// Days read per query, which bounds the size of a result.
const CHUNK: i32 = 15;
/// Later than every date with a four-digit year.
const ANY_DAY: i32 = 4_000_000;
/// The limit of queries that should return all groups.
const ALL: u64 = u32::MAX as u64;

/// Names of a kind of use, its cost and the quantity used.
pub(super) type UseOfKind = ([String; 5], Decimal, Decimal);

/// An output name and its group key.
pub(super) type NamedKey = (&'static str, Key);

/// Charges that count as usage. Excludes purchases, credits, taxes, corrections of earlier bills, and rows whose amount another row includes.
pub(super) struct Usage<'a> {
    rows: &'a Transaction<'a>,
    id: TableId,
    table: &'a Table,
}

impl<'a> Usage<'a> {
    pub fn of(rows: &'a Transaction<'a>) -> Result<Self, Refusal> {
        let name = "spends";
        let catalogue = rows.catalogue();
        let id = catalogue.find(name).ok_or_else(|| StoreError::UnknownTable(name.to_owned()))?;
        Ok(Self { rows, id, table: catalogue.table(id) })
    }

    /// The newest day with a charge, up to and including `until`.
    pub fn newest(&self, until: i32) -> Result<Option<i32>, Refusal> {
        let newest = Term::Max(self.column("date")?);
        let within = self.during(-ANY_DAY..until.saturating_add(1))?;
        let rows = self.groups(Vec::new(), vec![("newest", newest)], vec![within])?;
        Ok(rows.first().and_then(|row| date(&row["newest"])))
    }

    /// The cost of every service of every account by day, up to and including `newest`, for as many days as the rules need.
    pub fn daily(&self, newest: i32) -> Result<Vec<DailyCost>, Refusal> {
        let first = newest - JUDGED_DAYS - HISTORY_DAYS;
        self.costs(first..newest + 1, &self.daily_keys()?, None, daily_cost)
    }

    /// The group keys of a daily cost.
    pub(super) fn daily_keys(&self) -> Result<Vec<NamedKey>, Refusal> {
        Ok(vec![
            ("day", self.day()?),
            ("account", self.column("cloud_account")?),
            ("bill", self.column("billing_account_id")?),
            ("service", self.service()?),
            ("currency", self.column("unit")?),
        ])
    }

    /// The cost on these days grouped by the keys, optionally restricted to charges that meet a condition. Reads [`CHUNK`] days at a time.
    pub(super) fn costs<T>(
        &self,
        days: std::ops::Range<i32>,
        keys: &[NamedKey],
        condition: Option<&Filter>,
        read: impl Fn(&Json) -> Option<T>,
    ) -> Result<Vec<T>, Refusal> {
        let mut costs = Vec::new();
        let mut from = self.oldest_since(days.start)?.unwrap_or(days.end - 1);
        while from < days.end {
            let until = (from + CHUNK).min(days.end);
            let mut conditions = vec![self.during(from..until)?];
            conditions.extend(condition.cloned());
            costs.extend(self.groups(keys.to_vec(), self.cost()?, conditions)?.iter().filter_map(&read));
            from = until;
        }
        Ok(costs)
    }

    fn oldest_since(&self, first: i32) -> Result<Option<i32>, Refusal> {
        let oldest = Term::Of(store::query::Function::Min, self.id_of("date")?);
        let within = self.during(first..ANY_DAY)?;
        let rows = self.groups(Vec::new(), vec![("oldest", oldest)], vec![within])?;
        Ok(rows.first().and_then(|row| date(&row["oldest"])))
    }

    /// The cost of usage grouped by a key, restricted to charges that meet the conditions.
    pub fn by(&self, key: Key, conditions: Vec<Filter>) -> Result<Vec<(String, Decimal)>, Refusal> {
        let rows = self.groups(vec![("key", key)], self.cost()?, conditions)?;
        let group = |row: &Json| {
            let name = row["key"].as_str().unwrap_or_default().to_owned();
            Some((name, amount(row)?))
        };
        Ok(rows.iter().filter_map(group).collect())
    }

    /// Cost and quantity of each kind of use (service, kind, meter, units), restricted to charges that meet the conditions.
    pub fn by_kind(&self, conditions: Vec<Filter>) -> Result<Vec<UseOfKind>, Refusal> {
        let keys = vec![
            ("service", self.service()?),
            ("kind", self.usage_type()?),
            ("meter", self.column("sku_meter")?),
            ("consumed_unit", self.column("consumed_unit")?),
            ("pricing_unit", self.column("pricing_unit")?),
        ];
        let names = ["service", "kind", "meter", "consumed_unit", "pricing_unit"];
        let mut figures = self.cost()?;
        let consumed = self.id_of("consumed_quantity")?;
        let none = Filter::Test { subject: Subject::Column(consumed), test: Test::IsNull };
        let priced = Term::Only(Box::new(Term::Sum(self.id_of("pricing_quantity")?)), none);
        figures.extend([("consumed", Term::Sum(consumed)), ("priced", priced)]);
        let rows = self.groups(keys, figures, conditions)?;
        let group = |row: &Json| {
            let key = names.map(|name| row[name].as_str().unwrap_or_default().to_owned());
            Some((key, amount(row)?, sum_of(row, ["consumed", "priced"])?))
        };
        Ok(rows.iter().filter_map(group).collect())
    }

    /// The import that contributed the most charges.
    pub fn import_of(&self, conditions: Vec<Filter>) -> Result<Option<Uuid>, Refusal> {
        let keys = vec![("import", self.column("import_id")?)];
        let rows = self.groups(keys, vec![("count", Term::Count)], conditions)?;
        let most = rows.iter().max_by_key(|row| (row["count"].as_u64(), row["import"].as_str()));
        Ok(most.and_then(|row| crate::kit::uuid(row, "import")))
    }

    /// Charges that begin on these days.
    pub fn during(&self, days: std::ops::Range<i32>) -> Result<Filter, Refusal> {
        self.between(i64::from(days.start) * DAY..i64::from(days.end) * DAY)
    }

    /// Charges that begin between these times, µs since 1970 UTC.
    fn between(&self, times: std::ops::Range<i64>) -> Result<Filter, Refusal> {
        let test = Test::All(vec![
            Test::Compare(Operator::GreaterOrEqual, Value::Timestamp(times.start)),
            Test::Compare(Operator::Less, Value::Timestamp(times.end)),
        ]);
        Ok(Filter::Test { subject: Subject::Column(self.id_of("date")?), test })
    }

    /// Charges that begin within any of these time ranges. Overlapping ranges are merged.
    pub fn within(&self, mut times: Vec<std::ops::Range<i64>>) -> Result<Filter, Refusal> {
        times.sort_unstable_by_key(|time| time.start);
        let mut spans: Vec<std::ops::Range<i64>> = Vec::new();
        for time in times {
            match spans.last_mut() {
                Some(span) if span.end >= time.start => span.end = span.end.max(time.end),
                _ => spans.push(time),
            }
        }
        Ok(Filter::Or(spans.into_iter().map(|span| self.between(span)).collect::<Result<_, _>>()?))
    }

    /// Charges with this value of a declared tag.
    pub fn of_tag(&self, tag: &str, value: &str) -> Result<Filter, Refusal> {
        Ok(equals(self.tag(tag)?, Value::Text(value.to_owned())))
    }

    /// The value of a declared tag; for a virtual tag, the value that its rules wrote.
    pub(super) fn tag(&self, tag: &str) -> Result<Key, Refusal> {
        Ok(Key::JsonKey(self.id_of("tags")?, format!("{VIRTUAL}{tag}")))
    }

    /// Charges of a service, by the name that anomalies use for it.
    pub fn of_service(&self, name: &str) -> Result<Filter, Refusal> {
        let key = self.service()?;
        Ok(match name {
            NO_SERVICE => Filter::Test { subject: Subject::Key(key), test: Test::IsNull },
            name => equals(key, Value::Text(name.to_owned())),
        })
    }

    pub fn column(&self, name: &str) -> Result<Key, Refusal> {
        Ok(Key::Column(self.id_of(name)?))
    }

    /// The service name, as in the listings of charges.
    pub fn service(&self) -> Result<Key, Refusal> {
        let in_tags = Key::JsonPath(self.id_of("tags")?, "$.nb_service_name[0]".to_owned());
        Ok(Key::First(vec![self.column("service_name")?, in_tags]))
    }

    pub fn day(&self) -> Result<Key, Refusal> {
        Ok(Key::Time(self.id_of("date")?, TimeUnit::Day))
    }

    pub fn hour(&self) -> Result<Key, Refusal> {
        Ok(Key::Time(self.id_of("date")?, TimeUnit::Hour))
    }

    /// The kind of use as the cost file names it (`x_UsageType`).
    pub fn usage_type(&self) -> Result<Key, Refusal> {
        Ok(Key::JsonKey(self.id_of("details")?, "x_UsageType".to_owned()))
    }

    /// Cost at contract price; charges without one count with their billed amount.
    fn cost(&self) -> Result<Vec<(&'static str, Term)>, Refusal> {
        let contracted = self.id_of("contracted_cost")?;
        let none = Filter::Test { subject: Subject::Column(contracted), test: Test::IsNull };
        let billed = Term::Only(Box::new(Term::Sum(self.id_of("amount")?)), none);
        Ok(vec![("contracted", Term::Sum(contracted)), ("billed", billed)])
    }

    /// Usage charges that meet the conditions, grouped by the keys, with the figures by name.
    pub(super) fn groups(
        &self,
        keys: Vec<(&'static str, Key)>,
        figures: Vec<(&'static str, Term)>,
        conditions: Vec<Filter>,
    ) -> Result<Vec<Json>, Refusal> {
        let mut filter = vec![
            self.or_null("exclude_aggregate", Value::Bool(false))?,
            self.or_null("charge_category", Value::Text("Usage".to_owned()))?,
            // Refunds and late charges for a day do not describe the usage of that day.
            self.or_null_but("charge_class", Value::Text(CORRECTION.to_owned()))?,
        ];
        filter.extend(conditions);
        let terms = keys.iter().map(|(name, key)| ((*name).to_owned(), Term::Key(key.clone())));
        let grouping = Grouping {
            table: self.id,
            terms: terms.chain(figures.into_iter().map(|(name, term)| (name.to_owned(), term))).collect(),
            keys: keys.into_iter().map(|(_, key)| key).collect(),
            filter: Some(Filter::And(filter)),
            order: Vec::new(),
            limit: ALL,
            offset: 0,
            shape: GroupingShape::List,
        };
        let query = Query { name: "groups".to_owned(), kind: QueryKind::Grouped(grouping) };
        match self.rows.read(&query)? {
            Json::Array(rows) => Ok(rows),
            other => Ok(vec![other]),
        }
    }

    fn or_null(&self, column: &str, value: Value) -> Result<Filter, Refusal> {
        self.null_or(column, Operator::Equal, value)
    }

    fn or_null_but(&self, column: &str, value: Value) -> Result<Filter, Refusal> {
        self.null_or(column, Operator::NotEqual, value)
    }

    fn null_or(&self, column: &str, operator: Operator, value: Value) -> Result<Filter, Refusal> {
        let subject = || self.id_of(column).map(Subject::Column);
        Ok(Filter::Or(vec![
            Filter::Test { subject: subject()?, test: Test::IsNull },
            Filter::Test { subject: subject()?, test: Test::Compare(operator, value) },
        ]))
    }

    fn id_of(&self, name: &str) -> Result<ColumnId, Refusal> {
        let unknown =
            || StoreError::UnknownColumn { table: self.table.name.clone(), column: name.to_owned() };
        Ok(self.table.find_column(name).ok_or_else(unknown)?)
    }
}

pub(super) fn daily_cost(row: &Json) -> Option<DailyCost> {
    Some(DailyCost {
        day: date(&row["day"])?,
        account: crate::kit::uuid(row, "account")?,
        billing_account: row["bill"].as_str().map(str::to_owned),
        service: row["service"].as_str().unwrap_or(NO_SERVICE).to_owned(),
        // An amount without a currency cannot be compared.
        currency: row["currency"].as_str()?.to_owned(),
        amount: amount(row)?,
    })
}

pub(super) fn amount(row: &Json) -> Option<Decimal> {
    sum_of(row, ["contracted", "billed"])
}

/// `None` if the sum has more digits than [`Decimal`] holds.
fn sum_of(row: &Json, names: [&str; 2]) -> Option<Decimal> {
    let part = |name: &str| match &row[name] {
        Json::Null => Some(Decimal::ZERO),
        cell => exact(cell),
    };
    part(names[0])?.checked_add(part(names[1])?)
}

fn date(cell: &Json) -> Option<i32> {
    parse_date(cell.as_str()?.get(..10)?)
}

/// Charges whose key has this value.
pub fn equals(key: Key, value: Value) -> Filter {
    Filter::Test { subject: Subject::Key(key), test: Test::Compare(Operator::Equal, value) }
}
