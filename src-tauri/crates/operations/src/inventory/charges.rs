//! The billed cost of resources in an interval, by currency.

use super::selection::Selection;
use crate::kit::values::exact;
use crate::kit::{Arguments, uuid};
use catalogue::{ColumnId, Decimal, RelationshipId, Table, TableId, Value};
use graphql::{Call, Refusal};
use model::operations::CloudResourcesAmount;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use store::query::{
    Direction, Filter, Grouping, GroupingShape, Key, Operator, QueryKind, Subject, Term, Test,
};
use store::{Query, StoreError, Transaction};
use uuid::Uuid;

/// The limit of queries that return all groups: there are few currencies.
const ALL: u64 = u32::MAX as u64;

/// The billed sum in one currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CurrencySum {
    currency: Option<String>,
    amount: Option<Decimal>,
    charges: u64,
}

impl CurrencySum {
    fn read(row: &Json) -> Self {
        let currency = row["currency"].as_str().map(str::to_owned);
        Self { currency, amount: exact(&row["amount"]), charges: row["charges"].as_u64().unwrap_or_default() }
    }

    /// The sum in the API's form.
    pub(super) fn shown(self) -> CloudResourcesAmount {
        CloudResourcesAmount { currency: self.currency, amount: self.amount.unwrap_or(Decimal::ZERO).into() }
    }
}

/// Subtracts the sums `some` from the sums `all`; the currency with the most charges is first. `None` if an amount is unknown.
fn without(all: Vec<CurrencySum>, some: &[CurrencySum]) -> Option<Vec<CurrencySum>> {
    let less = |one: CurrencySum| {
        let Some(part) = some.iter().find(|part| part.currency == one.currency) else { return Some(one) };
        let amount = one.amount?.checked_sub(part.amount?)?;
        Some(CurrencySum { amount: Some(amount), charges: one.charges.saturating_sub(part.charges), ..one })
    };
    let mut rest = all.into_iter().map(less).collect::<Option<Vec<_>>>()?;
    rest.retain(|one| one.charges > 0);
    rest.sort_by_key(|one| std::cmp::Reverse(one.charges));
    Some(rest)
}

/// The charges that begin in an interval, except rows whose amount another row includes.
pub(super) struct Charges<'a> {
    rows: &'a Transaction<'a>,
    id: TableId,
    table: &'a Table,
    from: i64,
    until: i64,
}

impl<'a> Charges<'a> {
    pub(super) fn of(call: &Call<'a>, request: Arguments<'_>) -> Result<Self, Refusal> {
        let time = |name: &str| {
            let missing = || Refusal::invalid(format!("`{name}` is missing: expected a time"));
            request.time(name)?.ok_or_else(missing)
        };
        let (from, until) = (time("from")?, time("until")?);
        if from > until {
            return Err(Refusal::invalid("`from` is after `until`: an interval begins before it ends"));
        }
        let name = "spends";
        let catalogue = call.rows.catalogue();
        let id = catalogue.find(name).ok_or_else(|| StoreError::UnknownTable(name.to_owned()))?;
        Ok(Self { rows: call.rows, id, table: catalogue.table(id), from, until })
    }

    /// The billed total of the resources, by currency; the currency with the most charges is first.
    pub(super) fn totals(&self, resources: &Selection<'_>) -> Result<Vec<CurrencySum>, Refusal> {
        if resources.condition().is_none()
            && let Some(sums) = self.assigned()?
        {
            return Ok(sums);
        }
        self.by_currency(self.filter(vec![self.resource(resources)?])?)
    }

    /// The billed total of charges without a resource.
    pub(super) fn unassigned(&self) -> Result<Vec<CurrencySum>, Refusal> {
        let none = self.test("cloud_resource_id", Test::IsNull)?;
        self.by_currency(self.filter(vec![none])?)
    }

    /// The billed total of charges with a resource: all charges minus those without one. The first sum comes from column storage and the second
    /// from an index; selecting the charges that have a resource would read nearly all of them. `None` if an amount is unknown.
    fn assigned(&self) -> Result<Option<Vec<CurrencySum>>, Refusal> {
        let (all, none) = (self.by_currency(self.filter(Vec::new())?)?, self.unassigned()?);
        Ok(without(all, &none))
    }

    fn by_currency(&self, filter: Filter) -> Result<Vec<CurrencySum>, Refusal> {
        let currency = Key::Column(self.column("unit")?);
        let grouping = Grouping {
            table: self.id,
            terms: vec![
                ("currency".to_owned(), Term::Key(currency.clone())),
                ("amount".to_owned(), self.amount()?),
                ("charges".to_owned(), Term::Count),
            ],
            keys: vec![currency],
            filter: Some(filter),
            order: vec![(Term::Count, Direction::Descending { nulls_first: false })],
            limit: ALL,
            offset: 0,
            shape: GroupingShape::List,
        };
        Ok(self.read(grouping)?.iter().map(CurrencySum::read).collect())
    }

    /// A page of the resources with charges in a currency, ordered by their billed amount.
    pub(super) fn resources_by_amount(
        &self,
        resources: &Selection<'_>,
        currency: &str,
        is_descending: bool,
        (limit, offset): (u64, u64),
    ) -> Result<Vec<Uuid>, Refusal> {
        let resource = Key::Column(self.column("cloud_resource_id")?);
        let direction = if is_descending {
            Direction::Descending { nulls_first: false }
        } else {
            Direction::Ascending { nulls_first: false }
        };
        let grouping = Grouping {
            table: self.id,
            terms: vec![("id".to_owned(), Term::Key(resource.clone()))],
            keys: vec![resource],
            filter: Some(self.filter(vec![self.resource(resources)?, self.is_in(currency)?])?),
            order: vec![(self.amount()?, direction)],
            limit,
            offset,
            shape: GroupingShape::List,
        };
        Ok(self.read(grouping)?.iter().filter_map(|row| uuid(row, "id")).collect())
    }

    /// The number of resources with charges in a currency.
    pub(super) fn count_of_resources(
        &self,
        resources: &Selection<'_>,
        currency: &str,
    ) -> Result<u64, Refusal> {
        let resource = Key::Column(self.column("cloud_resource_id")?);
        let grouping = Grouping {
            table: self.id,
            terms: vec![("count".to_owned(), Term::CountDistinct(vec![resource]))],
            keys: Vec::new(),
            filter: Some(self.filter(vec![self.resource(resources)?, self.is_in(currency)?])?),
            order: Vec::new(),
            limit: 1,
            offset: 0,
            shape: GroupingShape::List,
        };
        let rows = self.read(grouping)?;
        Ok(rows.first().and_then(|row| row["count"].as_u64()).unwrap_or_default())
    }

    /// The billed amounts of each resource, by resource.
    pub(super) fn of_each(&self, resources: &[Uuid]) -> Result<HashMap<Uuid, Vec<Json>>, Refusal> {
        let resource = Key::Column(self.column("cloud_resource_id")?);
        let currency = Key::Column(self.column("unit")?);
        let ids = resources.iter().map(|id| Value::Uuid(*id)).collect();
        let grouping = Grouping {
            table: self.id,
            terms: vec![
                ("id".to_owned(), Term::Key(resource.clone())),
                ("currency".to_owned(), Term::Key(currency.clone())),
                ("amount".to_owned(), self.amount()?),
            ],
            keys: vec![resource, currency],
            filter: Some(self.filter(vec![self.test("cloud_resource_id", Test::OneOf(ids))?])?),
            order: Vec::new(),
            limit: ALL,
            offset: 0,
            shape: GroupingShape::List,
        };
        let mut amounts: HashMap<Uuid, Vec<Json>> = HashMap::new();
        for mut row in self.read(grouping)? {
            let Some(id) = uuid(&row, "id") else { continue };
            let amount = json!({ "currency": row["currency"].take(), "amount": row["amount"].take() });
            amounts.entry(id).or_default().push(amount);
        }
        Ok(amounts)
    }

    /// A condition on resources: none of these charges in the currency belongs to the resource.
    pub(super) fn none_for(&self, currency: &str) -> Result<Filter, Refusal> {
        let table = "cloud_resourses";
        let catalogue = self.rows.catalogue();
        let id = catalogue.find(table).ok_or_else(|| StoreError::UnknownTable(table.to_owned()))?;
        let relationship = relationship(catalogue.table(id), "spends")?;
        let filter = Box::new(self.filter(vec![self.is_in(currency)?])?);
        Ok(Filter::Not(Box::new(Filter::Related { relationship, filter })))
    }

    /// The condition that a charge belongs to one of the resources.
    fn resource(&self, resources: &Selection<'_>) -> Result<Filter, Refusal> {
        Ok(match resources.condition() {
            None => Filter::Not(Box::new(self.test("cloud_resource_id", Test::IsNull)?)),
            Some(filter) => Filter::Related {
                relationship: relationship(self.table, "cloud_resourse")?,
                filter: Box::new(filter),
            },
        })
    }

    fn is_in(&self, currency: &str) -> Result<Filter, StoreError> {
        self.test("unit", Test::Compare(Operator::Equal, Value::Text(currency.to_owned())))
    }

    /// The interval combined with further conditions.
    fn filter(&self, more: Vec<Filter>) -> Result<Filter, Refusal> {
        let within = Test::All(vec![
            Test::Compare(Operator::GreaterOrEqual, Value::Timestamp(self.from)),
            Test::Compare(Operator::Less, Value::Timestamp(self.until)),
        ]);
        let mut conditions = vec![
            self.test("date", within)?,
            Filter::Or(vec![
                self.test("exclude_aggregate", Test::IsNull)?,
                self.test("exclude_aggregate", Test::Compare(Operator::Equal, Value::Bool(false)))?,
            ]),
        ];
        conditions.extend(more);
        Ok(Filter::And(conditions))
    }

    fn amount(&self) -> Result<Term, StoreError> {
        self.column("amount").map(Term::Sum)
    }

    fn test(&self, column: &str, test: Test) -> Result<Filter, StoreError> {
        Ok(Filter::Test { subject: Subject::Column(self.column(column)?), test })
    }

    fn column(&self, name: &str) -> Result<ColumnId, StoreError> {
        let unknown =
            || StoreError::UnknownColumn { table: self.table.name.clone(), column: name.to_owned() };
        self.table.find_column(name).ok_or_else(unknown)
    }

    fn read(&self, grouping: Grouping) -> Result<Vec<Json>, Refusal> {
        let query = Query { name: "groups".to_owned(), kind: QueryKind::Grouped(grouping) };
        match self.rows.read(&query)? {
            Json::Array(rows) => Ok(rows),
            other => Ok(vec![other]),
        }
    }
}

fn relationship(table: &Table, name: &str) -> Result<RelationshipId, StoreError> {
    let unknown = || StoreError::UnknownColumn { table: table.name.clone(), column: name.to_owned() };
    table.find_relationship(name).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::{CurrencySum, without};
    use catalogue::Decimal;

    fn sum(currency: &str, amount: Option<&str>, charges: u64) -> CurrencySum {
        let amount = amount.map(|text| Decimal::parse(text).unwrap());
        CurrencySum { currency: Some(currency.to_owned()), amount, charges }
    }

    #[test]
    fn what_names_no_resource_is_taken_off_to_the_last_digit() {
        let all = vec![
            sum("USD", Some("30.000000000000000003"), 9),
            sum("EUR", Some("7"), 5),
            sum("CHF", Some("0"), 2),
        ];
        let none = [sum("USD", Some("10.000000000000000001"), 6), sum("EUR", Some("7"), 5)];
        let rest = without(all, &none).unwrap();
        assert_eq!(rest, [sum("USD", Some("20.000000000000000002"), 3), sum("CHF", Some("0"), 2)]);
    }

    #[test]
    fn the_currency_with_most_charges_left_stands_first_and_what_is_not_known_is_not_told() {
        let all = vec![sum("USD", Some("9"), 9), sum("EUR", Some("5"), 5)];
        let rest = without(all.clone(), &[sum("USD", Some("8"), 8)]).unwrap();
        assert_eq!(rest, [sum("EUR", Some("5"), 5), sum("USD", Some("1"), 1)]);
        assert_eq!(without(all, &[sum("USD", None, 8)]), None);
    }
}
