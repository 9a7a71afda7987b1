//! Access to rows for product code (sign-in, importers, jobs): tables and columns by name, values in and out.

pub(crate) mod changes;
mod condition;
mod inserter;
mod marked;
mod members;
mod new_rows;
mod shared_cells;
mod sharer;
mod typed;
mod writing;

pub use condition::{Condition, eq, ge, gt, is_null, le, lt, ne, one_of};
pub use inserter::Inserter;
pub use marked::MarkedRows;
pub use new_rows::NewRows;
pub(crate) use sharer::Sharer;

use crate::access::row_condition;
use crate::answers::Writer;
use crate::answers::pieces::ResponseChunks;
use crate::bounds::{Bounds, Meter};
use crate::driver::db::{Call, Db};
use crate::driver::postgres::take_write_lock;
use crate::driver::sqlite::store_error;
use crate::indices;
use crate::marks::Marks;
use crate::plan::Body;
use crate::query::Query;
use crate::sql::Dialect;
use crate::statement::PlanArguments;
use crate::trail::Actor;
use crate::values::cells::decode;
use crate::values::sqlite_value::Cell;
use crate::{StoreError, dialect, json, segments};
use catalogue::{Caller, Catalogue, Column, ColumnId, Right, Scalar, Table, TableId, Value, ValueRef};
use condition::Test;
use std::cell::{Cell as Flag, RefCell};
use uuid::Uuid;

/// Rows of one caller inside one transaction or snapshot. Every read and write is restricted to the caller's tenant: an insert fills the
/// tenant column, an update or delete affects only the tenant's rows. Rows that belong to a tenant through another row (`through:` in the
/// catalogue) are checked on read, update and delete; for an insert, the caller must have read the row it refers to.
pub struct Transaction<'a> {
    connection: Db<'a>,
    catalogue: &'a Catalogue,
    caller: &'a Caller,
    now: i64,
    bounds: Bounds,
    /// The actor; if set, every change is recorded in the audit trail.
    actor: Option<Actor<'a>>,
    /// Statements that rebuild the dropped indices.
    suspended: RefCell<Vec<String>>,
    /// Whether hooks are disabled for this transaction.
    are_hooks_disabled: Flag<bool>,
    /// The cache of results by change marks; `None` if nothing is cached.
    pub(crate) marks: Option<&'a Marks>,
    /// Answers groupings from column segments; `None`: from rows.
    segments: Option<segments::Reader<'a>>,
}

impl<'a> Transaction<'a> {
    pub(crate) fn new(
        connection: Db<'a>,
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
            actor: None,
            suspended: RefCell::default(),
            are_hooks_disabled: Flag::default(),
            marks: None,
            segments: None,
        }
    }

    /// Lets groupings be answered from column segments.
    #[must_use]
    pub(crate) fn with_segments(self, segments: Option<segments::Reader<'a>>) -> Self {
        Self { segments, ..self }
    }

    /// Enables the cache of results by change marks.
    #[must_use]
    pub(crate) fn with_marks(self, marks: &'a Marks) -> Self {
        Self { marks: Some(marks), ..self }
    }

    /// Disables [hooks](crate::AfterWriteHook) for this transaction: the written rows already contain the hooks' results.
    pub fn disable_hooks(&self) {
        self.are_hooks_disabled.set(true);
    }

    pub(crate) fn are_hooks_disabled(&self) -> bool {
        self.are_hooks_disabled.get()
    }

    /// Sets the actor to an operation.
    #[must_use]
    pub(crate) fn with_actor(mut self, actor: Actor<'a>) -> Self {
        self.actor = Some(actor);
        self
    }

    /// The same transaction for another caller: an operation that has checked the caller's rights acts as the service for the tenant. The
    /// audit trail still names the user.
    #[must_use]
    pub fn as_caller<'b>(&'b self, caller: &'b Caller) -> Transaction<'b> {
        let rows = Transaction::new(self.connection, self.catalogue, caller, self.now, self.bounds);
        Transaction { actor: self.actor, marks: self.marks, segments: self.segments, ..rows }
    }

    /// The same transaction without an actor: written rows are derived from a row that is recorded in the audit trail.
    #[must_use]
    pub fn without_actor(&self) -> Transaction<'_> {
        let rows = Transaction::new(self.connection, self.catalogue, self.caller, self.now, self.bounds);
        Transaction { marks: self.marks, segments: self.segments, ..rows }
    }

    /// The same transaction with the service as actor: the audit trail names the operation, and the user it acts for, if any.
    #[must_use]
    pub fn with_audit_operation<'b>(&'b self, operation: &'b str, user: Option<Uuid>) -> Transaction<'b> {
        self.without_actor().with_actor(Actor { operation, user, is_code: true, is_recorded: true })
    }

    /// The caller whose access applies.
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

    /// Maximum number of rows in all lists of one response together.
    pub fn most_rows(&self) -> u64 {
        self.bounds.rows
    }

    /// Answers a query from this transaction or snapshot, as JSON.
    pub fn read(&self, query: &Query) -> Result<serde_json::Value, StoreError> {
        let plan = dialect::plan(self.connection.dialect(), self.catalogue, self.caller, query);
        let mut out = vec![b'{'];
        match &plan.body {
            Body::Code(code) => {
                json::key(&mut out, &plan.name);
                out.extend_from_slice(code.0.run(self)?.as_bytes());
            }
            Body::Data(data) => {
                let meter = Meter::new(self.bounds);
                let tenant = self.caller.tenant();
                let given = PlanArguments::at(self.now);
                let segments =
                    self.segments.map(|reader| segments::Reader { tenant, caller: self.caller, ..reader });
                let writer = Writer {
                    connection: self.connection,
                    tenant,
                    given,
                    meter: &meter,
                    segments,
                    memo: segments::Memo::default(),
                };
                let mut pieces = ResponseChunks::from(out);
                writer.root(&plan.name, data, false, &mut pieces).map_err(store_error)?;
                out = pieces.into_bytes();
            }
        }
        out.push(b'}');
        let unreadable = |error| StoreError::Database(Box::new(error));
        let mut answer: serde_json::Value = serde_json::from_slice(&out).map_err(unreadable)?;
        Ok(answer.get_mut(&plan.name).map(serde_json::Value::take).unwrap_or_default())
    }

    /// Drops the table's indices if it has few rows compared with `expected`; returns whether they are dropped now. Does nothing with
    /// PostgreSQL. Only within [`crate::Store::load`] and [`crate::Store::large_transaction`], which rebuild them. Call
    /// [`Self::restore_indices`] before reading the table by an index.
    pub fn suspend_indices(&self, table: &str, expected: u64) -> Result<bool, StoreError> {
        let (_, table) = self.table(table)?;
        let mut suspended = self.suspended.borrow_mut();
        indices::suspend(self.connection, table, expected, &mut suspended).map_err(store_error)
    }

    /// Rebuilds the indices dropped by [`Self::suspend_indices`].
    pub fn restore_indices(&self) -> Result<(), StoreError> {
        indices::build(self.connection, &self.suspended.take()).map_err(store_error)
    }

    /// Takes the write lock: nobody else writes until this transaction ends. Every transaction has it from its start, except those of
    /// [`crate::Store::bulk`] with PostgreSQL.
    pub fn take_write_lock(&self) -> Result<(), StoreError> {
        match self.connection {
            Db::Sqlite(_) => Ok(()),
            Db::Postgres(session) => take_write_lock(session),
        }
    }

    /// Runs `work` in a savepoint: its failure rolls back only its own writes. Calls cannot be nested.
    pub fn attempt<T, E: From<StoreError>>(&self, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.connection.execute_batch("SAVEPOINT attempt").map_err(store_error)?;
        let suspended = self.suspended.borrow().clone();
        let answer = work();
        if answer.is_err() {
            self.suspended.replace(suspended);
        }
        // Some failures roll back the whole transaction; the savepoint then no longer exists.
        if !self.connection.is_autocommit() {
            let end = if answer.is_ok() { "RELEASE attempt" } else { "ROLLBACK TO attempt; RELEASE attempt" };
            self.connection.execute_batch(end).map_err(store_error)?;
        }
        answer
    }

    /// The rows that meet all conditions, with the given columns, in no particular order.
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

    /// Passes the rows that meet all conditions to `take` one by one, without holding all of them in memory, in no particular order.
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
        let dialect = self.connection.dialect();
        let names: Vec<String> = columns.iter().map(|column| dialect.cell("t", column)).collect();
        let sql = format!("SELECT {} FROM \"{}\" t{wheres}", names.join(", "), table.name);
        let mut statement = self.prepare(&sql)?;
        self.bind(&mut statement, &values)?;
        let mut cursor = statement.query();
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

    /// The number of rows that meet all conditions.
    pub fn count(&self, table: &str, conditions: &[Condition<'_>]) -> Result<u64, StoreError> {
        let (id, table) = self.table(table)?;
        let mut values = Vec::new();
        let wheres = self.wheres(Right::Read, id, table, conditions, &mut values)?;
        let mut statement = self.prepare(&format!("SELECT count(*) FROM \"{}\" t{wheres}", table.name))?;
        self.bind(&mut statement, &values)?;
        let mut cursor = statement.query();
        let row = cursor.next().map_err(store_error)?;
        let count = row.map_or(Ok(0), |row| row.get::<i64>(0)).map_err(store_error)?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    pub(crate) fn table(&self, name: &str) -> Result<(TableId, &'a Table), StoreError> {
        let id = self.catalogue.find(name).ok_or_else(|| StoreError::UnknownTable(name.to_owned()))?;
        Ok((id, self.catalogue.table(id)))
    }

    /// ` WHERE …` for alias `t`. Appends the conditions' values to `values`, which are bound from parameter 2 on.
    fn wheres<'v>(
        &self,
        right: Right,
        id: TableId,
        table: &Table,
        conditions: &[Condition<'v>],
        values: &mut Vec<ValueRef<'v>>,
    ) -> Result<String, StoreError> {
        let dialect = self.connection.dialect();
        let access = row_condition(dialect, self.catalogue, self.caller, right, id, "t");
        let by_keys = |condition: &Condition<'_>| {
            matches!(condition.test, Test::OneOf(_))
                && matches!(table.primary_key[..], [key] if table.column(key).name == condition.column)
        };
        let mut parts: Vec<String> = match access {
            // Without statistics SQLite assumes that a tenant has few rows, and would scan all of them for a list of keys.
            Some(access) if dialect == Dialect::Sqlite && conditions.iter().any(by_keys) => {
                vec![format!("+({access})")]
            }
            access => access.into_iter().collect(),
        };
        for condition in conditions {
            let column = column(table, condition.column)?;
            let (cell, any_case) = (dialect.cell("t", column), column.scalar == Scalar::Citext);
            let mut bind = |value: ValueRef<'v>| {
                values.push(value);
                format!("?{}", values.len() + 1)
            };
            parts.push(match &condition.test {
                Test::IsNull => format!("{cell} IS NULL"),
                Test::Compare(operator, value) if any_case => {
                    dialect.compared_without_case(&cell, operator, &bind(*value))
                }
                Test::Compare(operator, value) => format!("{cell} {operator} {}", bind(*value)),
                // PostgreSQL has no empty list.
                Test::OneOf(found) if found.is_empty() => "FALSE".to_owned(),
                Test::OneOf(found) => {
                    let places: Vec<String> = found.iter().map(|value| bind(*value)).collect();
                    if any_case {
                        dialect.among_without_case(&cell, &places)
                    } else {
                        format!("{cell} IN ({})", places.join(", "))
                    }
                }
            });
        }
        Ok(if parts.is_empty() { String::new() } else { format!(" WHERE {}", parts.join(" AND ")) })
    }

    pub(crate) fn connection(&self) -> Db<'a> {
        self.connection
    }

    /// Selects keys among the caller's rows that meet all conditions. `sql` gets the conditions as a clause on the table with alias `t`,
    /// and the number of the parameter that holds `phrase`.
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
        let mut cursor = statement.query();
        while let Some(row) = cursor.next().map_err(store_error)? {
            let key = row.get_ref(0).map_err(store_error)?;
            keys.extend(key.as_blob().ok().and_then(|bytes| Uuid::from_slice(bytes).ok()));
        }
        Ok(keys)
    }

    fn prepare(&self, sql: &str) -> Result<Call<'a>, StoreError> {
        self.connection.prepare_cached(sql).map_err(store_error)
    }

    fn bind(&self, statement: &mut Call<'_>, values: &[ValueRef<'_>]) -> Result<(), StoreError> {
        let wanted = statement.parameter_count();
        if wanted > 0 {
            let tenant = Cell(self.caller.tenant().map_or(ValueRef::Null, ValueRef::Uuid));
            statement.bind(1, tenant).map_err(store_error)?;
        }
        for (place, value) in values.iter().enumerate() {
            statement.bind(place + 2, Cell(*value)).map_err(store_error)?;
        }
        Ok(())
    }
}

pub(crate) fn column<'a>(table: &'a Table, name: &str) -> Result<&'a Column, StoreError> {
    let unknown = || StoreError::UnknownColumn { table: table.name.clone(), column: name.to_owned() };
    table.find_column(name).map(|id| table.column(id)).ok_or_else(unknown)
}

fn find(table: &Table, name: &str) -> Result<ColumnId, StoreError> {
    let unknown = || StoreError::UnknownColumn { table: table.name.clone(), column: name.to_owned() };
    table.find_column(name).ok_or_else(unknown)
}
