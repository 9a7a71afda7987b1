//! Sums of usage for the savings rules: cost, quantity and kind of use. The cost is the effective cost, or the billed cost if a charge has none.

use crate::spending::{Charges, Scope, Sums};
use catalogue::{Decimal, Value};
use graphql::Refusal;
use store::query::{Filter, Function, Key, Subject, Term, Test, TimeUnit};
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Values per condition.
const BATCH: usize = 400;

/// Usage charges. Excludes purchases, credits, taxes, and rows whose amount another row includes.
pub struct Usage<'a> {
    pub charges: Charges<'a>,
    /// Restricts the charges to these accounts; empty for all.
    accounts: Vec<Value>,
}

/// A day on which charges of an account begin.
pub struct DayOfAccount {
    pub account: Uuid,
    /// The billing account that receives the invoice.
    pub invoice: Option<String>,
    pub day: i32,
    pub last: i32,
}

impl<'a> Usage<'a> {
    pub fn of(rows: &'a Transaction<'a>) -> Result<Self, Refusal> {
        Ok(Self { charges: Charges::at(rows)?, accounts: Vec::new() })
    }

    /// Restricts the charges to some accounts.
    #[must_use]
    pub fn within(mut self, accounts: impl Iterator<Item = Uuid>) -> Self {
        self.accounts = accounts.map(Value::Uuid).collect();
        self
    }

    /// The newest day on which a usage charge begins, up to and including `until`.
    pub fn newest(&self, until: i32) -> Result<Option<i32>, Refusal> {
        let newest = Term::Of(Function::Max, self.column("date")?);
        let rows = self.groups(Vec::new(), vec![("newest", newest)], (i32::MIN / 2, until), Vec::new())?;
        Ok(rows.first().and_then(|row| row.day("newest")))
    }

    /// For each account, the days on which charges begin, with the last day they cover.
    pub fn extents(&self, days: (i32, i32)) -> Result<Vec<DayOfAccount>, Refusal> {
        let keys = vec![
            ("account", self.charges.key("cloud_account")?),
            ("invoice", self.charges.key("billing_account_id")?),
            ("day", self.charges.day()?),
            ("end", Key::Time(self.column("period_end")?, TimeUnit::Day)),
        ];
        let rows = self.groups(keys, vec![("count", Term::Count)], days, Vec::new())?;
        let extent = |row: &Sums| {
            let day = row.day("day")?;
            // An end at midnight is exclusive; an end within a day belongs to that day.
            let end = row.day("end").map_or(day, |end| (end - 1).max(day));
            Some(DayOfAccount {
                account: uuid(row, "account")?,
                invoice: row.text("invoice"),
                day,
                last: end,
            })
        };
        Ok(rows.iter().filter_map(extent).collect())
    }

    /// The kind of use as named in the bill, or the charge's description if it has none.
    pub fn kind(&self) -> Result<Key, Refusal> {
        self.charges.usage_kind()
    }

    /// The service name, as in the listings of charges.
    pub fn service(&self) -> Result<Key, Refusal> {
        let in_tags = Key::JsonPath(self.column("tags")?, "$.nb_service_name[0]".to_owned());
        Ok(Key::First(vec![self.charges.key("service_name")?, in_tags]))
    }

    pub fn region(&self) -> Result<Key, Refusal> {
        let in_tags = Key::JsonPath(self.column("tags")?, "$.nb_resource_region_code[0]".to_owned());
        Ok(Key::First(vec![self.charges.key("region")?, in_tags]))
    }

    /// The value of the first of these tags that a charge has.
    pub fn label(&self, names: &[&str]) -> Result<Key, Refusal> {
        let tags = self.column("tags")?;
        Ok(Key::First(names.iter().map(|name| Key::JsonKey(tags, (*name).to_owned())).collect()))
    }

    pub fn column(&self, name: &str) -> Result<catalogue::ColumnId, StoreError> {
        let table = self.charges.table;
        let unknown = || StoreError::UnknownColumn { table: table.name.clone(), column: name.to_owned() };
        table.find_column(name).ok_or_else(unknown)
    }

    /// The two sums that [`cost`] adds.
    pub fn cost(&self) -> Result<Vec<(&'static str, Term)>, Refusal> {
        self.either("effective_cost", "amount", ("effective", "billed"))
    }

    /// The two sums that [`quantity`] adds.
    pub fn quantity(&self) -> Result<Vec<(&'static str, Term)>, Refusal> {
        self.either("consumed_quantity", "pricing_quantity", ("consumed", "priced"))
    }

    fn either(
        &self,
        first: &str,
        other: &str,
        names: (&'static str, &'static str),
    ) -> Result<Vec<(&'static str, Term)>, Refusal> {
        let none = self.charges.test(first, Test::IsNull)?;
        let other = Term::Only(Box::new(self.charges.sum(other)?), none);
        Ok(vec![(names.0, self.charges.sum(first)?), (names.1, other)])
    }

    /// Groups of usage that begins from the first to the last day, inclusive.
    pub fn groups(
        &self,
        keys: Vec<(&str, Key)>,
        figures: Vec<(&str, Term)>,
        (from, until): (i32, i32),
        mut conditions: Vec<Filter>,
    ) -> Result<Vec<Sums>, Refusal> {
        conditions.push(Filter::Or(vec![
            self.charges.test("charge_category", Test::IsNull)?,
            self.charges.is("charge_category", "Usage")?,
        ]));
        self.read(keys, figures, (from, until), conditions)
    }

    /// Like [`Self::groups`], for usage and unused parts of commitments that meet a condition.
    pub fn of_commitments(
        &self,
        keys: Vec<(&str, Key)>,
        figures: Vec<(&str, Term)>,
        days: (i32, i32),
        condition: Filter,
    ) -> Result<Vec<Sums>, Refusal> {
        self.read(keys, figures, days, vec![condition, self.charges.use_made_or_not()?])
    }

    fn read(
        &self,
        keys: Vec<(&str, Key)>,
        figures: Vec<(&str, Term)>,
        (from, until): (i32, i32),
        mut conditions: Vec<Filter>,
    ) -> Result<Vec<Sums>, Refusal> {
        if !self.accounts.is_empty() {
            conditions.push(self.charges.test("cloud_account", Test::OneOf(self.accounts.clone()))?);
        }
        let from = Some(from).filter(|from| *from > i32::MIN / 2);
        let filter = self.charges.filter(&Scope::default(), (from, Some(until)), conditions)?;
        self.charges.grouped(keys, figures, filter)
    }
}

/// Conditions that a key has one of the values, in batches.
pub fn one_of(key: &Key, values: Vec<Value>) -> Vec<Filter> {
    let test = |values: &[Value]| Filter::Test {
        subject: Subject::Key(key.clone()),
        test: Test::OneOf(values.to_vec()),
    };
    values.chunks(BATCH).map(test).collect()
}

/// The cost of a group. `None` if the sum exceeds 38 digits.
pub fn cost(sums: &Sums) -> Option<Decimal> {
    sums.amount("effective").checked_add(sums.amount("billed"))
}

/// The quantity used by a group. `None` if the sum exceeds 38 digits.
pub fn quantity(sums: &Sums) -> Option<Decimal> {
    sums.amount("consumed").checked_add(sums.amount("priced"))
}

pub fn uuid(sums: &Sums, name: &str) -> Option<Uuid> {
    sums.text(name).and_then(|text| Uuid::parse_str(&text).ok())
}
