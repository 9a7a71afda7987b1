//! Sums of charges, read from column storage.

use super::answer::too_large;
use super::days::{day_of, start};
use super::dimension::column;
use super::scope::Scope;
use catalogue::{Decimal, Table, TableId, Value, parse_timestamp};
use graphql::Refusal;
use serde_json::Value as Json;
use std::borrow::Cow;
use store::query::{
    Filter, Function, Grouping, GroupingShape, Key, Operator, QueryKind, Subject, Term, Test, TimeUnit,
};
use store::{Query, StoreError, Transaction};

/// The limit of queries that return all groups.
const ALL: u64 = u32::MAX as u64;
/// Names of the kind of use, most specific first: AWS, the FOCUS export of Azure, every other bill.
const KINDS: [&str; 2] = ["x_UsageType", "x_SkuMeterName"];

/// If the newest charges of a bill are older than this many days, the bill has ended: one month, plus some days until its file arrives.
pub(crate) const LATEST: i32 = 35;

/// Names of the sums of [`Charges::contracted`].
const CONTRACTED: &str = "contracted";
const UNPRICED: &str = "unpriced";

/// The charges that the caller can see, except rows whose amount another row includes.
pub(crate) struct Charges<'a> {
    rows: &'a Transaction<'a>,
    id: TableId,
    pub table: &'a Table,
}

/// A group of a query result: its members by name.
pub(crate) struct Sums(Json);

impl Sums {
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        match &self.0[name] {
            Json::Null => None,
            Json::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        }
    }

    /// A sum; an empty sum is zero.
    pub(crate) fn amount(&self, name: &str) -> Decimal {
        match &self.0[name] {
            Json::Number(number) => Decimal::parse(&number.to_string()).unwrap_or_default(),
            Json::String(text) => Decimal::parse(text).unwrap_or_default(),
            _ => Decimal::ZERO,
        }
    }

    /// The sum of the two figures of [`Charges::contracted`].
    pub(super) fn contracted(&self) -> Result<Decimal, Refusal> {
        self.amount(CONTRACTED).checked_add(self.amount(UNPRICED)).ok_or_else(too_large)
    }

    /// A day, in days since 1970.
    pub(crate) fn day(&self, name: &str) -> Option<i32> {
        self.0[name].as_str().and_then(parse_timestamp).map(day_of)
    }

    /// The members of a JSON column. A group key is returned as text, a column of a row as a value.
    pub(crate) fn object(&self, name: &str) -> Option<Cow<'_, serde_json::Map<String, Json>>> {
        match &self.0[name] {
            Json::Object(members) => Some(Cow::Borrowed(members)),
            Json::String(text) => serde_json::from_str(text).ok().map(Cow::Owned),
            _ => None,
        }
    }

    /// A count; 0 if it is missing.
    pub(crate) fn whole(&self, name: &str) -> u64 {
        self.0[name].as_u64().unwrap_or_default()
    }
}

impl<'a> Charges<'a> {
    /// The charges that the caller of `rows` can see.
    pub(crate) fn at(rows: &'a Transaction<'a>) -> Result<Self, StoreError> {
        let name = "spends";
        let id = rows.catalogue().find(name).ok_or_else(|| StoreError::UnknownTable(name.to_owned()))?;
        Ok(Self { rows, id, table: rows.catalogue().table(id) })
    }

    /// The last day up to `until` on which a charge of the scope begins.
    pub(crate) fn last_day(&self, scope: &Scope, until: Option<i32>) -> Result<Option<i32>, Refusal> {
        let term = Term::Of(Function::Max, column(self.table, "date")?);
        let filter = self.filter(scope, (None, until), Vec::new())?;
        let found = self.grouped(Vec::new(), vec![("last", term)], filter)?;
        Ok(found.first().and_then(|sums| sums.day("last")))
    }

    /// The last day up to `until` that the bills of the scope cover: the last day on which usage begins. Taxes, fees and credits may be dated
    /// later, such as VAT on the last day of a month, or a fee for the next year. If usage has ended, the last of the charges that follow it,
    /// each at most [`LATEST`] days after the previous one.
    pub(crate) fn known_day(&self, scope: &Scope, until: Option<i32>) -> Result<Option<i32>, Refusal> {
        let Some(last) = self.last_day(scope, until)? else { return Ok(None) };
        // Nearly always there is recent usage, which avoids scanning all earlier days.
        if let Some(used) = self.last_use(scope, (Some(last - LATEST), last))? {
            return Ok(Some(used));
        }
        let Some(used) = self.last_use(scope, (None, last))? else { return Ok(Some(last)) };
        let filter = self.filter(scope, (Some(used), Some(last)), Vec::new())?;
        let mut days: Vec<i32> = self
            .grouped(vec![("day", self.day()?)], Vec::new(), filter)?
            .iter()
            .filter_map(|sums| sums.day("day"))
            .collect();
        days.sort_unstable();
        Ok(Some(days.into_iter().fold(used, |known, day| if day - known <= LATEST { day } else { known })))
    }

    /// The last of the given days on which usage of the scope begins.
    fn last_use(&self, scope: &Scope, (from, until): (Option<i32>, i32)) -> Result<Option<i32>, Refusal> {
        let term = Term::Of(Function::Max, column(self.table, "date")?);
        let filter = self.filter(scope, (from, Some(until)), vec![self.is_use()?])?;
        let found = self.grouped(Vec::new(), vec![("last", term)], filter)?;
        Ok(found.first().and_then(|sums| sums.day("last")))
    }

    /// The condition that a charge is usage. A charge without a category counts as usage.
    pub(crate) fn is_use(&self) -> Result<Filter, StoreError> {
        Ok(Filter::Or(vec![self.is_missing("charge_category")?, self.is("charge_category", "Usage")?]))
    }

    /// The first day on which usage of the scope begins. Fees and refunds may be dated before everything else in the bill.
    pub(super) fn first_day(&self, scope: &Scope) -> Result<Option<i32>, Refusal> {
        let term = Term::Of(Function::Min, column(self.table, "date")?);
        let filter = self.filter(scope, (None, None), vec![self.is_use()?])?;
        let found = self.grouped(Vec::new(), vec![("first", term)], filter)?;
        Ok(found.first().and_then(|sums| sums.day("first")))
    }

    /// The kind of use as named in the bill, or the charge's description if it has none.
    pub(crate) fn usage_kind(&self) -> Result<Key, Refusal> {
        let details = column(self.table, "details")?;
        let mut keys: Vec<Key> = KINDS.iter().map(|name| Key::JsonKey(details, (*name).to_owned())).collect();
        keys.push(self.key("sku_meter")?);
        keys.push(self.key("charge_description")?);
        Ok(Key::First(keys))
    }

    /// Charges of a scope that begin from the first to the last day, inclusive, and meet further conditions.
    pub(crate) fn filter(
        &self,
        scope: &Scope,
        (from, until): (Option<i32>, Option<i32>),
        more: Vec<Filter>,
    ) -> Result<Filter, Refusal> {
        let mut conditions = scope.filter(self.table)?;
        let time = |operator, day: i32| Test::Compare(operator, Value::Timestamp(start(day)));
        let bounds = [
            from.map(|day| time(Operator::GreaterOrEqual, day)),
            until.map(|day| time(Operator::Less, day.saturating_add(1))),
        ];
        let bounds: Vec<Test> = bounds.into_iter().flatten().collect();
        if !bounds.is_empty() {
            conditions.push(self.test("date", Test::All(bounds))?);
        }
        conditions.push(Filter::Or(vec![
            self.test("exclude_aggregate", Test::IsNull)?,
            self.test("exclude_aggregate", Test::Compare(Operator::Equal, Value::Bool(false)))?,
        ]));
        conditions.extend(more);
        Ok(Filter::And(conditions))
    }

    /// The condition that a column passes the test.
    pub(crate) fn test(&self, name: &str, test: Test) -> Result<Filter, StoreError> {
        Ok(Filter::Test { subject: Subject::Column(column(self.table, name)?), test })
    }

    /// The condition that a column is null.
    pub(super) fn is_missing(&self, name: &str) -> Result<Filter, StoreError> {
        self.test(name, Test::IsNull)
    }

    /// The condition that a column equals the text.
    pub(crate) fn is(&self, name: &str, text: &str) -> Result<Filter, StoreError> {
        self.test(name, Test::Compare(Operator::Equal, Value::Text(text.to_owned())))
    }

    /// The condition that the name of the charge's resource contains one of these texts, ignoring case. Never null.
    pub(super) fn has_resource_named(&self, parts: &[String]) -> Result<Filter, StoreError> {
        let relationship = "cloud_resourse";
        let unknown =
            || StoreError::UnknownColumn { table: self.table.name.clone(), column: relationship.to_owned() };
        let relationship = self.table.find_relationship(relationship).ok_or_else(unknown)?;
        let resources = self.rows.catalogue().table(self.table.relationship(relationship).target);
        let name = Subject::Column(column(resources, "name")?);
        let holds = |part: &String| Filter::Test {
            subject: name.clone(),
            test: Test::Compare(Operator::LikeAnyCase, Value::Text(pattern(part))),
        };
        let filter = Filter::Or(parts.iter().map(holds).collect());
        Ok(Filter::Related { relationship, filter: Box::new(filter) })
    }

    pub(crate) fn key(&self, name: &str) -> Result<Key, StoreError> {
        column(self.table, name).map(Key::Column)
    }

    pub(crate) fn day(&self) -> Result<Key, StoreError> {
        column(self.table, "date").map(|date| Key::Time(date, TimeUnit::Day))
    }

    pub(crate) fn month(&self) -> Result<Key, StoreError> {
        column(self.table, "date").map(|date| Key::Time(date, TimeUnit::Month))
    }

    pub(crate) fn sum(&self, name: &str) -> Result<Term, StoreError> {
        column(self.table, name).map(Term::Sum)
    }

    /// The cost at contract price; charges without one count with their billed amount.
    pub(super) fn contracted(&self) -> Result<[(&'static str, Term); 2], StoreError> {
        let none = self.test("contracted_cost", Test::IsNull)?;
        let billed = Term::Only(Box::new(self.sum("amount")?), none);
        Ok([(CONTRACTED, self.sum("contracted_cost")?), (UNPRICED, billed)])
    }

    /// Usage, and fees of commitments for unused capacity: some bills report the unused part with the fee.
    pub(crate) fn use_made_or_not(&self) -> Result<Filter, StoreError> {
        Ok(Filter::Or(vec![
            self.is("charge_category", "Usage")?,
            Filter::And(vec![
                self.is("charge_category", "Purchase")?,
                self.is("commitment_discount_status", "Unused")?,
            ]),
        ]))
    }

    /// One group per combination of the keys, with keys and figures by name.
    pub(crate) fn grouped(
        &self,
        keys: Vec<(&str, Key)>,
        figures: Vec<(&str, Term)>,
        filter: Filter,
    ) -> Result<Vec<Sums>, Refusal> {
        let named = keys.iter().map(|(name, key)| ((*name).to_owned(), Term::Key(key.clone())));
        let grouping = Grouping {
            table: self.id,
            terms: named.chain(figures.into_iter().map(|(name, term)| (name.to_owned(), term))).collect(),
            keys: keys.into_iter().map(|(_, key)| key).collect(),
            filter: Some(filter),
            order: Vec::new(),
            limit: ALL,
            offset: 0,
            shape: GroupingShape::List,
        };
        let query = Query { name: "groups".to_owned(), kind: QueryKind::Grouped(grouping) };
        Ok(match self.rows.read(&query)? {
            Json::Array(rows) => rows.into_iter().map(Sums).collect(),
            other => vec![Sums(other)],
        })
    }
}

/// A LIKE pattern that matches texts which contain the part.
fn pattern(part: &str) -> String {
    let mut pattern = String::from("%");
    for letter in part.chars() {
        if ['%', '_', '\\'].contains(&letter) {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}
