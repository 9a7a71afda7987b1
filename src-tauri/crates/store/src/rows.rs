//! How product code (sign-in, importers, jobs) reads and writes rows: by name, values in, values out.

use crate::access::{check_write, is_text_tenant, names_tenant, row_condition};
use crate::bounds::{Bounds, Meter};
use crate::cells::{check, decode};
use crate::change::{Conflict, NewRow, Set};
use crate::constraint::{constraint_error, unique_with};
use crate::driver::sqlite::store_error;
use crate::indices;
use crate::json::Cell;
use crate::pieces::Pieces;
use crate::plan::Body;
use crate::query::{self, Filter, Operator, Query, Subject};
use crate::trail::Hand;
use crate::write::Changes;
use crate::{StoreError, dialect, json};
use catalogue::{
    Caller, CallerScope, Catalogue, Column, ColumnId, Default, Right, Scalar, Scope, Table, TableId, Value,
    ValueRef,
};
use rusqlite::{CachedStatement, Connection};
use std::cell::{Cell as Flag, RefCell};
use uuid::Uuid;

/// A condition on one column; several in a list must all hold.
#[derive(Debug, Clone)]
pub struct Condition<'a> {
    column: &'a str,
    test: Test<'a>,
}

#[derive(Debug, Clone)]
enum Test<'a> {
    Compare(&'static str, ValueRef<'a>),
    IsNull,
    OneOf(Vec<ValueRef<'a>>),
}

/// `column = value`
pub fn eq<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare("=", value.into()) }
}
/// `column <> value`
pub fn ne<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare("<>", value.into()) }
}
/// `column < value`
pub fn lt<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare("<", value.into()) }
}
/// `column <= value`
pub fn le<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare("<=", value.into()) }
}
/// `column > value`
pub fn gt<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare(">", value.into()) }
}
/// `column >= value`
pub fn ge<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare(">=", value.into()) }
}
/// `column IS NULL`
pub fn is_null(column: &str) -> Condition<'_> {
    Condition { column, test: Test::IsNull }
}
/// `column IN (values)`; an empty list matches nothing.
pub fn one_of<'a>(column: &'a str, values: Vec<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::OneOf(values) }
}

/// Rows of one caller inside one transaction or snapshot. The caller's tenant is part of every read and every write:
/// an insert fills the tenant column, an update or delete touches the tenant's rows only. Rows that belong to a tenant
/// through another row (`through:` in the catalogue) are checked when read, changed or removed; who inserts one names a
/// row it has read before.
pub struct Transaction<'a> {
    connection: &'a Connection,
    catalogue: &'a Catalogue,
    caller: &'a Caller,
    now: i64,
    bounds: Bounds,
    /// Whose code writes: then every change is written down in the audit trail.
    hand: Option<Hand<'a>>,
    /// Statements that build the indices a load has taken down.
    suspended: RefCell<Vec<String>>,
    /// Nothing follows from what is written.
    left: Flag<bool>,
}

impl<'a> Transaction<'a> {
    pub(crate) fn new(
        connection: &'a Connection,
        catalogue: &'a Catalogue,
        caller: &'a Caller,
        now: i64,
        bounds: Bounds,
    ) -> Self {
        Self {
            connection,
            catalogue,
            caller,
            now,
            bounds,
            hand: None,
            suspended: RefCell::default(),
            left: Flag::default(),
        }
    }

    /// Nothing [follows](crate::Follow) from what this transaction writes: its rows tell themselves what came of them.
    pub fn leave_as_they_are(&self) {
        self.left.set(true);
    }

    pub(crate) fn is_left(&self) -> bool {
        self.left.get()
    }

    /// The same rows in the hand of an operation.
    #[must_use]
    pub(crate) fn by(mut self, hand: Hand<'a>) -> Self {
        self.hand = Some(hand);
        self
    }

    /// The same transaction for another caller: an operation that has checked who asks acts as the service for the tenant.
    /// The audit trail goes on naming the person.
    #[must_use]
    pub fn acting_as<'b>(&'b self, caller: &'b Caller) -> Transaction<'b> {
        let rows = Transaction::new(self.connection, self.catalogue, caller, self.now, self.bounds);
        Transaction { hand: self.hand, ..rows }
    }

    /// The same transaction in nobody's hand: what is written follows from a row that the audit trail tells of anyway.
    #[must_use]
    pub fn derived(&self) -> Transaction<'_> {
        Transaction::new(self.connection, self.catalogue, self.caller, self.now, self.bounds)
    }

    /// The same transaction in the hand of the service: the audit trail names what it does by itself, and for whom if for anybody.
    #[must_use]
    pub fn in_hand<'b>(&'b self, operation: &'b str, person: Option<Uuid>) -> Transaction<'b> {
        self.derived().by(Hand { operation, person, is_code: true })
    }

    /// The caller whose rows these are.
    pub fn caller(&self) -> &'a Caller {
        self.caller
    }

    /// The time of the transaction or snapshot, µs since 1970 UTC.
    pub fn now(&self) -> i64 {
        self.now
    }

    pub fn catalogue(&self) -> &'a Catalogue {
        self.catalogue
    }

    /// Rows of all lists of one answer together.
    pub fn most_rows(&self) -> u64 {
        self.bounds.rows
    }

    /// Answers a query from this transaction or snapshot, as JSON.
    pub fn read(&self, query: &Query) -> Result<serde_json::Value, StoreError> {
        let plan = dialect::sqlite::plan(self.catalogue, self.caller, query);
        let mut out = vec![b'{'];
        match &plan.body {
            Body::Code(code) => {
                json::key(&mut out, &plan.name);
                out.extend_from_slice(code.0.run(self)?.as_bytes());
            }
            Body::Data(data) => {
                let meter = Meter::new(self.bounds);
                let tenant = self.caller.tenant();
                let given = json::Given::at(self.now);
                let writer = json::Writer {
                    connection: self.connection,
                    tenant,
                    given,
                    meter: &meter,
                    segments: None,
                };
                let mut pieces = Pieces::from(out);
                writer.root(&plan.name, data, false, &mut pieces).map_err(store_error)?;
                out = pieces.into_bytes();
            }
        }
        out.push(b'}');
        let unreadable = |error| StoreError::Database(Box::new(error));
        let mut answer: serde_json::Value = serde_json::from_slice(&out).map_err(unreadable)?;
        Ok(answer.get_mut(&plan.name).map(serde_json::Value::take).unwrap_or_default())
    }

    /// Takes the table's indices down when it holds few rows beside the `expected` ones.
    pub(crate) fn suspend_indices(&self, table: &str, expected: u64) -> Result<(), StoreError> {
        let (_, table) = self.table(table)?;
        self.suspended.replace(indices::suspend(self.connection, table, expected).map_err(store_error)?);
        Ok(())
    }

    /// Builds the indices a [load](crate::Store::load) has taken down.
    pub fn restore_indices(&self) -> Result<(), StoreError> {
        for statement in self.suspended.take() {
            self.connection.execute_batch(&statement).map_err(store_error)?;
        }
        Ok(())
    }

    /// The rows that meet all conditions, with the columns in the order asked for. No order is promised.
    pub fn select(
        &self,
        table: &str,
        columns: &[&str],
        conditions: &[Condition<'_>],
    ) -> Result<Vec<Vec<Value>>, StoreError> {
        let mut rows = Vec::new();
        self.for_each(table, columns, conditions, |row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Hands over the rows that meet all conditions one by one, without holding them all. No order is promised.
    pub fn for_each<E: From<StoreError>>(
        &self,
        table: &str,
        columns: &[&str],
        conditions: &[Condition<'_>],
        mut take: impl FnMut(Vec<Value>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (id, table) = self.table(table)?;
        let columns = columns.iter().map(|name| column(table, name)).collect::<Result<Vec<_>, _>>()?;
        let mut values = Vec::new();
        let wheres = self.wheres(Right::Read, id, table, conditions, &mut values)?;
        let names: Vec<String> = columns.iter().map(|column| format!("t.\"{}\"", column.name)).collect();
        let sql = format!("SELECT {} FROM \"{}\" t{wheres}", names.join(", "), table.name);
        let mut statement = self.prepare(&sql)?;
        self.bind(&mut statement, &values)?;
        let mut cursor = statement.raw_query();
        while let Some(row) = cursor.next().map_err(store_error)? {
            let cells = columns
                .iter()
                .enumerate()
                .map(|(place, column)| row.get_ref(place).map(|cell| decode(column, cell)))
                .collect::<rusqlite::Result<Vec<_>>>()
                .map_err(store_error)?;
            take(cells)?;
        }
        Ok(())
    }

    /// How many rows meet all conditions.
    pub fn count(&self, table: &str, conditions: &[Condition<'_>]) -> Result<u64, StoreError> {
        let (id, table) = self.table(table)?;
        let mut values = Vec::new();
        let wheres = self.wheres(Right::Read, id, table, conditions, &mut values)?;
        let mut statement = self.prepare(&format!("SELECT count(*) FROM \"{}\" t{wheres}", table.name))?;
        self.bind(&mut statement, &values)?;
        let mut cursor = statement.raw_query();
        let row = cursor.next().map_err(store_error)?;
        let count = row.map_or(Ok(0), |row| row.get::<_, i64>(0)).map_err(store_error)?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    /// Adds one row. Columns left out get their default; the tenant column is filled in.
    pub fn insert(&self, table: &str, row: &[(&str, ValueRef<'_>)]) -> Result<(), StoreError> {
        if let Some(hand) = self.hand {
            let (id, table) = self.table(table)?;
            return self.with_changes(hand, |changes| {
                changes.insert(id, &new_row(table, row)?, None, &mut 0).map(|_| ())
            });
        }
        let (columns, values): (Vec<&str>, Vec<ValueRef<'_>>) = row.iter().copied().unzip();
        self.inserter(table, &columns)?.insert(&values)
    }

    /// Adds one row, or changes the row whose `key` columns (a primary key or unique constraint) are the same: its other
    /// given columns are overwritten. Columns in `keep` are written only when the row is new.
    pub fn upsert(
        &self,
        table: &str,
        key: &[&str],
        row: &[(&str, ValueRef<'_>)],
        keep: &[&str],
    ) -> Result<(), StoreError> {
        let (columns, values): (Vec<&str>, Vec<ValueRef<'_>>) = row.iter().copied().unzip();
        let (id, described) = self.table(table)?;
        if let Some(hand) = self.hand {
            let name = |name: &&str| find(described, name);
            let update = columns.iter().filter(|name| !key.contains(name) && !keep.contains(name));
            let conflict = Conflict {
                columns: key.iter().map(name).collect::<Result<_, _>>()?,
                unless: unique_with(described, key).and_then(|unique| unique.unless),
                update: update.map(name).collect::<Result<_, _>>()?,
                filter: None,
            };
            return self.with_changes(hand, |changes| {
                changes.insert(id, &new_row(described, row)?, Some(&conflict), &mut 0).map(|_| ())
            });
        }
        let keys: Vec<String> = key
            .iter()
            .map(|name| column(described, name).map(|column| format!("\"{}\"", column.name)))
            .collect::<Result<_, _>>()?;
        let mut conflict = format!(" ON CONFLICT ({})", keys.join(", "));
        if let Some(unless) = unique_with(described, key).and_then(|unique| unique.unless) {
            conflict.push_str(&format!(" WHERE \"{}\" IS NULL", described.column(unless).name));
        }
        let changed: Vec<String> = columns
            .iter()
            .filter(|name| !key.contains(name) && !keep.contains(name))
            .map(|name| format!("\"{name}\" = excluded.\"{name}\""))
            .collect();
        if changed.is_empty() {
            conflict.push_str(" DO NOTHING");
        } else {
            conflict.push_str(&format!(" DO UPDATE SET {}", changed.join(", ")));
            if let (Some(_), Scope::Tenant(tenant)) = (self.caller.tenant(), &described.scope) {
                let tenant = &described.column(*tenant).name;
                conflict
                    .push_str(&format!(" WHERE \"{}\".\"{tenant}\" = excluded.\"{tenant}\"", described.name));
            }
        }
        self.inserter_with(table, &columns, &conflict)?.insert(&values)
    }

    /// Changes the rows that meet all conditions; how many they were.
    pub fn update(
        &self,
        table: &str,
        conditions: &[Condition<'_>],
        set: &[(&str, ValueRef<'_>)],
    ) -> Result<u64, StoreError> {
        let (id, table) = self.table(table)?;
        if let Some(hand) = self.hand {
            let cell = |(id, value)| Set::To(id, value);
            let sets: Vec<Set> = new_row(table, set)?.cells.into_iter().map(cell).collect();
            for (name, value) in set {
                self.check_tenant(table, column(table, name)?, *value)?;
            }
            let filter = filter(table, conditions)?;
            return self.with_changes(hand, |changes| changes.change(id, filter, sets));
        }
        check_write(self.caller)?;
        let mut values = Vec::new();
        let mut assignments = Vec::new();
        for (name, value) in set {
            let column = column(table, name)?;
            check(table, column, *value)?;
            self.check_tenant(table, column, *value)?;
            values.push(*value);
            assignments.push(format!("\"{}\" = ?{}", column.name, values.len() + 1));
        }
        let wheres = self.wheres(Right::Write, id, table, conditions, &mut values)?;
        let sql = format!("UPDATE \"{}\" AS t SET {}{wheres}", table.name, assignments.join(", "));
        self.change(table, &sql, &values)
    }

    /// Removes the rows that meet all conditions; how many they were.
    pub fn delete(&self, table: &str, conditions: &[Condition<'_>]) -> Result<u64, StoreError> {
        let (id, table) = self.table(table)?;
        if let Some(hand) = self.hand {
            let filter = filter(table, conditions)?;
            return self.with_changes(hand, |changes| changes.delete(id, &filter));
        }
        check_write(self.caller)?;
        let mut values = Vec::new();
        let wheres = self.wheres(Right::Write, id, table, conditions, &mut values)?;
        self.change(table, &format!("DELETE FROM \"{}\" AS t{wheres}", table.name), &values)
    }

    /// A prepared insert for many rows of the same columns. Not for operations: what they write is written down row by row.
    pub fn inserter(&self, table: &str, columns: &[&str]) -> Result<Inserter<'a>, StoreError> {
        if self.hand.is_some() {
            return Err(StoreError::Denied);
        }
        self.inserter_with(table, columns, "")
    }

    fn inserter_with(
        &self,
        table: &str,
        columns: &[&str],
        conflict: &str,
    ) -> Result<Inserter<'a>, StoreError> {
        check_write(self.caller)?;
        let (_, table) = self.table(table)?;
        if table.scope == Scope::House && self.caller.scope != CallerScope::House {
            return Err(StoreError::Denied);
        }
        let given = columns.iter().map(|name| column(table, name)).collect::<Result<Vec<_>, _>>()?;
        let mut filled = Vec::new();
        let mut names: Vec<String> = given.iter().map(|column| format!("\"{}\"", column.name)).collect();
        for (id, column) in table.iter_columns() {
            if columns.contains(&column.name.as_str()) {
                continue;
            }
            let fill = match (&column.default, self.caller.tenant()) {
                (_, Some(tenant)) if table.scope == Scope::Tenant(id) && is_text_tenant(column) => {
                    Fill::TenantText(tenant.to_string())
                }
                (_, Some(tenant)) if table.scope == Scope::Tenant(id) => Fill::Tenant(tenant),
                (Some(Default::Now), _) => Fill::Now(self.now),
                (Some(Default::GeneratedUuid), _) if column.scalar == Scalar::Uuid => Fill::Uuid,
                (Some(Default::GeneratedUuid), _) => Fill::UuidText,
                _ => continue,
            };
            names.push(format!("\"{}\"", column.name));
            filled.push(fill);
        }
        let places: Vec<String> = (1..=names.len()).map(|place| format!("?{place}")).collect();
        let sql = format!(
            "INSERT INTO \"{}\" ({}) VALUES ({}){conflict}",
            table.name,
            names.join(", "),
            places.join(", ")
        );
        let tenant = match table.scope {
            Scope::Tenant(id) => {
                let place = columns.iter().position(|name| table.find_column(name) == Some(id));
                place.zip(self.caller.tenant())
            }
            _ => None,
        };
        Ok(Inserter { statement: self.prepare(&sql)?, table, given, filled, tenant })
    }

    fn with_changes<T>(
        &self,
        hand: Hand<'_>,
        work: impl FnOnce(&Changes<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let meter = Meter::new(self.bounds);
        work(&Changes {
            connection: self.connection,
            catalogue: self.catalogue,
            caller: self.caller,
            now: self.now,
            meter: &meter,
            bounds: self.bounds,
            hand,
            follows: &[],
        })
    }

    fn table(&self, name: &str) -> Result<(TableId, &'a Table), StoreError> {
        let id = self.catalogue.find(name).ok_or_else(|| StoreError::UnknownTable(name.to_owned()))?;
        Ok((id, self.catalogue.table(id)))
    }

    /// A row may not be moved into another tenant.
    fn check_tenant(&self, table: &Table, column: &Column, value: ValueRef<'_>) -> Result<(), StoreError> {
        let is_tenant = matches!(table.scope, Scope::Tenant(id) if table.column(id).name == column.name);
        match self.caller.tenant() {
            Some(tenant) if is_tenant && !names_tenant(value, tenant) => Err(StoreError::Denied),
            _ => Ok(()),
        }
    }

    /// ` WHERE …` over alias `t`; the values of the conditions join `values`, which are bound from parameter 2 on.
    fn wheres<'v>(
        &self,
        right: Right,
        id: TableId,
        table: &Table,
        conditions: &[Condition<'v>],
        values: &mut Vec<ValueRef<'v>>,
    ) -> Result<String, StoreError> {
        let mut parts: Vec<String> =
            row_condition(self.catalogue, self.caller, right, id, "t").into_iter().collect();
        for condition in conditions {
            let name = &column(table, condition.column)?.name;
            let mut bind = |value: ValueRef<'v>| {
                values.push(value);
                format!("?{}", values.len() + 1)
            };
            parts.push(match &condition.test {
                Test::IsNull => format!("t.\"{name}\" IS NULL"),
                Test::Compare(operator, value) => format!("t.\"{name}\" {operator} {}", bind(*value)),
                Test::OneOf(found) => {
                    let places: Vec<String> = found.iter().map(|value| bind(*value)).collect();
                    format!("t.\"{name}\" IN ({})", places.join(", "))
                }
            });
        }
        Ok(if parts.is_empty() { String::new() } else { format!(" WHERE {}", parts.join(" AND ")) })
    }

    pub(crate) fn connection(&self) -> &'a Connection {
        self.connection
    }

    /// Keys that a statement finds among the caller's rows that meet all conditions. `sql` is given the conditions, as a clause on
    /// the table as `t`, and the number of the place the `phrase` has.
    pub(crate) fn keys(
        &self,
        table: &str,
        conditions: &[Condition<'_>],
        sql: impl FnOnce(&str, usize) -> String,
        phrase: &str,
    ) -> Result<Vec<Uuid>, StoreError> {
        let (id, table) = self.table(table)?;
        let mut values = Vec::new();
        let wheres = self.wheres(Right::Read, id, table, conditions, &mut values)?;
        values.push(ValueRef::Text(phrase));
        let mut statement = self.prepare(&sql(&wheres, values.len() + 1))?;
        self.bind(&mut statement, &values)?;
        let mut keys = Vec::new();
        let mut cursor = statement.raw_query();
        while let Some(row) = cursor.next().map_err(store_error)? {
            let key = row.get_ref(0).map_err(store_error)?;
            keys.extend(key.as_blob().ok().and_then(|bytes| Uuid::from_slice(bytes).ok()));
        }
        Ok(keys)
    }

    fn prepare(&self, sql: &str) -> Result<CachedStatement<'a>, StoreError> {
        self.connection.prepare_cached(sql).map_err(store_error)
    }

    fn bind(&self, statement: &mut CachedStatement<'_>, values: &[ValueRef<'_>]) -> Result<(), StoreError> {
        let wanted = statement.parameter_count();
        if wanted > 0 {
            let tenant = Cell(self.caller.tenant().map_or(ValueRef::Null, ValueRef::Uuid));
            statement.raw_bind_parameter(1, tenant).map_err(store_error)?;
        }
        for (place, value) in values.iter().enumerate() {
            statement.raw_bind_parameter(place + 2, Cell(*value)).map_err(store_error)?;
        }
        Ok(())
    }

    fn change(&self, table: &Table, sql: &str, values: &[ValueRef<'_>]) -> Result<u64, StoreError> {
        let mut statement = self.prepare(sql)?;
        self.bind(&mut statement, values)?;
        let changed = statement.raw_execute().map_err(|error| constraint_error(table, error))?;
        Ok(changed as u64)
    }
}

/// What an insert puts into columns it was not given.
enum Fill {
    Tenant(Uuid),
    TenantText(String),
    Now(i64),
    Uuid,
    UuidText,
}

/// Adds many rows of the same columns.
pub struct Inserter<'a> {
    statement: CachedStatement<'a>,
    table: &'a Table,
    given: Vec<&'a Column>,
    filled: Vec<Fill>,
    /// Where the tenant stands among the given columns, and what it must be.
    tenant: Option<(usize, Uuid)>,
}

impl Inserter<'_> {
    /// Adds one row; the values stand in the order of the columns.
    pub fn insert(&mut self, row: &[ValueRef<'_>]) -> Result<(), StoreError> {
        debug_assert_eq!(row.len(), self.given.len(), "one value a column");
        if let Some((place, tenant)) = self.tenant
            && !names_tenant(row[place], tenant)
        {
            return Err(StoreError::Denied);
        }
        for (place, (column, value)) in self.given.iter().zip(row).enumerate() {
            check(self.table, column, *value)?;
            // Amounts are most of a charge: their text needs no allocation.
            let bound = match value {
                ValueRef::Decimal(amount) => {
                    self.statement.raw_bind_parameter(place + 1, amount.to_text().as_str())
                }
                value => self.statement.raw_bind_parameter(place + 1, Cell(*value)),
            };
            bound.map_err(store_error)?;
        }
        for (place, fill) in self.filled.iter().enumerate() {
            let text;
            let value = match fill {
                Fill::Tenant(tenant) => ValueRef::Uuid(*tenant),
                Fill::TenantText(tenant) => ValueRef::Text(tenant),
                Fill::Now(now) => ValueRef::Timestamp(*now),
                Fill::Uuid => ValueRef::Uuid(Uuid::new_v4()),
                Fill::UuidText => {
                    text = Uuid::new_v4().to_string();
                    ValueRef::Text(&text)
                }
            };
            self.statement
                .raw_bind_parameter(self.given.len() + place + 1, Cell(value))
                .map_err(store_error)?;
        }
        self.statement.raw_execute().map_err(|error| constraint_error(self.table, error))?;
        Ok(())
    }
}

fn column<'a>(table: &'a Table, name: &str) -> Result<&'a Column, StoreError> {
    let unknown = || StoreError::UnknownColumn { table: table.name.clone(), column: name.to_owned() };
    table.find_column(name).map(|id| table.column(id)).ok_or_else(unknown)
}

fn find(table: &Table, name: &str) -> Result<ColumnId, StoreError> {
    let unknown = || StoreError::UnknownColumn { table: table.name.clone(), column: name.to_owned() };
    table.find_column(name).ok_or_else(unknown)
}

/// Named cells, checked.
fn new_row(table: &Table, row: &[(&str, ValueRef<'_>)]) -> Result<NewRow, StoreError> {
    let cell = |(name, value): &(&str, ValueRef<'_>)| {
        let id = find(table, name)?;
        check(table, table.column(id), *value)?;
        Ok((id, ValueRef::to_owned(*value)))
    };
    Ok(NewRow { cells: row.iter().map(cell).collect::<Result<_, StoreError>>()?, ..NewRow::default() })
}

/// The conditions as a filter.
fn filter(table: &Table, conditions: &[Condition<'_>]) -> Result<Filter, StoreError> {
    let one = |condition: &Condition<'_>| {
        let test = match &condition.test {
            Test::IsNull => query::Test::IsNull,
            Test::OneOf(values) => {
                query::Test::OneOf(values.iter().map(|value| ValueRef::to_owned(*value)).collect())
            }
            Test::Compare(sign, value) => {
                let operator = match *sign {
                    "=" => Operator::Equal,
                    "<>" => Operator::NotEqual,
                    "<" => Operator::Less,
                    "<=" => Operator::LessOrEqual,
                    ">" => Operator::Greater,
                    _ => Operator::GreaterOrEqual,
                };
                query::Test::Compare(operator, ValueRef::to_owned(*value))
            }
        };
        Ok(Filter::Test { subject: Subject::Column(find(table, condition.column)?), test })
    };
    Ok(Filter::And(conditions.iter().map(one).collect::<Result<_, StoreError>>()?))
}
