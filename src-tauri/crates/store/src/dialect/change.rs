//! Prints changes as SQL statements. Every statement returns the keys of the rows it changed.

use super::{Build, Printer};
use crate::access::fixed_columns;
use crate::plan::Rows;
use crate::query::change::{ColumnChange, Conflict, Member, MemberValue, Update};
use crate::query::{Field, Filter, Range};
use crate::shared;
use crate::sql::Dialect;
use crate::statement::{Print, Statement};
use catalogue::{Caller, Catalogue, ColumnId, Right, Scalar, Table, TableId, Value};

/// Prints the changes of one caller.
pub(crate) struct ChangePrinter<'a>(Printer<'a>);

impl<'a> ChangePrinter<'a> {
    pub(crate) fn new(dialect: Dialect, catalogue: &'a Catalogue, caller: &'a Caller) -> Self {
        Self(Printer { catalogue, caller, dialect })
    }

    /// Inserts one row.
    pub(crate) fn insert(
        &self,
        table: TableId,
        cells: &[(ColumnId, Value)],
        conflict: Option<&Conflict>,
    ) -> Statement {
        let described = self.0.table(table);
        let mut build = Build::new(0);
        let (names, values) = added(self.0.dialect, &mut build, described, cells);
        let target = if cells.is_empty() {
            "DEFAULT VALUES".to_owned()
        } else {
            format!("({}) VALUES ({})", names.join(", "), values.join(", "))
        };
        let conflict =
            conflict.map(|conflict| self.conflict(&mut build, table, conflict)).unwrap_or_default();
        let sql = format!(
            "INSERT INTO \"{}\" AS t {target}{conflict} RETURNING {}",
            described.name,
            self.keys(table, "")
        );
        Statement { sql, values: build.values }
    }

    fn conflict(&self, build: &mut Build, table: TableId, conflict: &Conflict) -> String {
        let described = self.0.table(table);
        let name = |id: &ColumnId| quoted(&described.column(*id).name);
        let columns: Vec<String> = conflict.columns.iter().map(name).collect();
        let mut sql = format!(" ON CONFLICT ({})", columns.join(", "));
        if let Some(unless) = &conflict.unless {
            sql.push_str(&format!(" WHERE {} IS NULL", name(unless)));
        }
        if conflict.update.is_empty() {
            sql.push_str(" DO NOTHING");
            return sql;
        }
        let given = |id: &ColumnId| {
            let column = described.column(*id);
            (column, self.0.dialect.cell("excluded", column))
        };
        let sets = self.0.dialect.assignments("t.", &conflict.update.iter().map(given).collect::<Vec<_>>());
        sql.push_str(&format!(" DO UPDATE SET {}", sets.join(", ")));
        let mut conditions = self.0.conditions_for(Right::Write, build, table, conflict.filter.as_ref(), &[]);
        let fixed = fixed_columns(self.0.catalogue, self.0.caller, table);
        conditions.extend(
            fixed
                .iter()
                .filter(|id| conflict.update.contains(id))
                .map(|id| format!("t.{0} = excluded.{0}", name(id))),
        );
        if !conditions.is_empty() {
            sql.push_str(&format!(" WHERE {}", conditions.join(" AND ")));
        }
        sql
    }

    /// Updates the rows that match the update's filter.
    pub(crate) fn update(&self, table: TableId, update: &Update) -> Statement {
        let described = self.0.table(table);
        let mut build = Build::new(0);
        let value = |set: &ColumnChange| (described.column(set.column()), self.value(&mut build, table, set));
        let sets: Vec<_> = update.sets.iter().map(value).collect();
        let sets = self.0.dialect.assignments("t.", &sets);
        let conditions = self.0.conditions_for(Right::Write, &mut build, table, Some(&update.filter), &[]);
        let sql = format!(
            "UPDATE \"{}\" AS t SET {} WHERE {} RETURNING {}",
            described.name,
            sets.join(", "),
            conditions.join(" AND "),
            self.keys(table, "")
        );
        Statement { sql, values: build.values }
    }

    /// The SQL expression for a column's new value.
    fn value(&self, build: &mut Build, table: TableId, set: &ColumnChange) -> String {
        let column = self.0.table(table).column(set.column());
        let now = self.0.dialect.cell("t", column);
        match set {
            ColumnChange::To(_, value) => build.bind(value.clone()),
            ColumnChange::Increment(_, value) => {
                let parameter = build.bind(value.clone());
                match Print::of(column) {
                    Print::Decimal => format!("decimal_add({now}, {parameter})"),
                    Print::Float => format!("float_add({now}, {parameter})"),
                    _ if column.scalar == Scalar::Bigint => format!("int_add({now}, {parameter}, 64)"),
                    _ => format!("int_add({now}, {parameter}, 32)"),
                }
            }
            ColumnChange::Append(_, value) => format!("json_concat({now}, {})", build.bind(value.clone())),
            ColumnChange::Prepend(_, value) => format!("json_concat({}, {now})", build.bind(value.clone())),
            ColumnChange::DeleteKey(_, key) => {
                format!("json_without_key({now}, {})", build.bind(Value::Text(key.clone())))
            }
            ColumnChange::DeleteElement(_, place) => {
                format!("json_without_element({now}, {})", build.bind(Value::Int(*place)))
            }
            ColumnChange::DeleteAtPath(_, path) => {
                let path = serde_json::Value::from(path.clone()).to_string();
                format!("json_without_path({now}, {})", build.bind(Value::Json(path)))
            }
        }
    }

    /// Sets members of a JSON column in the rows that match the filter and have other values.
    pub(crate) fn members(
        &self,
        table: TableId,
        column: ColumnId,
        members: &[Member],
        filter: &Filter,
    ) -> Statement {
        let described = self.0.table(table);
        let column = described.column(column);
        let now = self.0.dialect.cell("t", column);
        let mut build = Build::new(0);
        let (mut changed, mut differs) = (now.clone(), Vec::new());
        for member in members {
            let key = build.bind(Value::Text(member.key.clone()));
            let value = self.member(&mut build, table, &now, member);
            changed = format!("json_with_text({changed}, {key}, {value})");
            differs.push(format!("json_text({now}, {key}) IS DISTINCT FROM {value}"));
        }
        let mut conditions = self.0.conditions_for(Right::Write, &mut build, table, Some(filter), &[]);
        conditions.push(if differs.is_empty() {
            "FALSE".to_owned()
        } else {
            format!("({})", differs.join(" OR "))
        });
        let sql = format!(
            "UPDATE \"{}\" AS t SET {} WHERE {}",
            described.name,
            self.0.dialect.assignments("t.", &[(column, changed)]).join(", "),
            conditions.join(" AND ")
        );
        Statement { sql, values: build.values }
    }

    /// The SQL expression for the new value of a JSON member; `now` is the current value.
    fn member(&self, build: &mut Build, table: TableId, now: &str, member: &Member) -> String {
        let arm = |(filter, value): &(Filter, MemberValue)| {
            let condition = self.0.filter(build, table, "t", filter);
            let value = match value {
                MemberValue::Text(text) => build.bind(Value::Text(text.clone())),
                MemberValue::Member(key) => {
                    format!("json_text({now}, {})", build.bind(Value::Text(key.clone())))
                }
            };
            format!("WHEN {condition} THEN {value}")
        };
        let arms: Vec<String> = member.values.iter().map(arm).collect();
        if arms.is_empty() { "NULL".to_owned() } else { format!("CASE {} END", arms.join(" ")) }
    }

    /// Selects the keys of the rows that match a filter.
    pub(crate) fn find(&self, table: TableId, filter: &Filter) -> Statement {
        let described = self.0.table(table);
        let mut build = Build::new(0);
        let conditions = self.0.conditions_for(Right::Write, &mut build, table, Some(filter), &[]);
        let sql = format!(
            "SELECT {} FROM \"{}\" t WHERE {}",
            self.keys(table, "t."),
            described.name,
            conditions.join(" AND ")
        );
        Statement { sql, values: build.values }
    }

    /// Deletes the row whose key is bound from parameter 2 on.
    pub(crate) fn delete(&self, table: TableId) -> String {
        let described = self.0.table(table);
        let conditions =
            self.0.conditions_for(Right::Write, &mut Build::new(0), table, None, &described.primary_key);
        format!("DELETE FROM \"{}\" AS t WHERE {}", described.name, conditions.join(" AND "))
    }

    /// Returns a row if the caller has the right to the row whose columns are bound from parameter 2 on.
    pub(crate) fn is_accessible(&self, right: Right, table: TableId, columns: &[ColumnId]) -> String {
        let conditions = self.0.conditions_for(right, &mut Build::new(0), table, None, columns);
        format!("SELECT 1 FROM \"{}\" t WHERE {} LIMIT 1", self.0.table(table).name, conditions.join(" AND "))
    }

    /// Selects columns of the row whose key is bound from parameter 2 on.
    pub(crate) fn columns(&self, table: TableId, columns: &[ColumnId]) -> String {
        let described = self.0.table(table);
        let names: Vec<String> =
            columns.iter().map(|id| self.0.dialect.cell("", described.column(*id))).collect();
        let conditions: Vec<String> = described
            .primary_key
            .iter()
            .enumerate()
            .map(|(place, id)| format!("{} = ?{}", quoted(&described.column(*id).name), place + 2))
            .collect();
        format!("SELECT {} FROM \"{}\" WHERE {}", names.join(", "), described.name, conditions.join(" AND "))
    }

    /// Selects all columns of the row whose columns `by` are bound from parameter 2 on, without the caller's row filter.
    pub(crate) fn cells(dialect: Dialect, catalogue: &Catalogue, table: TableId, by: &[ColumnId]) -> String {
        let described = catalogue.table(table);
        let names: Vec<String> = described.columns.iter().map(|column| dialect.cell("", column)).collect();
        let condition = |(place, id): (usize, &ColumnId)| {
            format!("{} = ?{}", quoted(&described.column(*id).name), place + 2)
        };
        let conditions: Vec<String> = by.iter().enumerate().map(condition).collect();
        format!("SELECT {} FROM \"{}\" WHERE {}", names.join(", "), described.name, conditions.join(" AND "))
    }

    /// Inserts a row on behalf of the service, without access checks.
    pub(crate) fn add(
        dialect: Dialect,
        catalogue: &Catalogue,
        table: TableId,
        cells: &[(ColumnId, Value)],
    ) -> Statement {
        let described = catalogue.table(table);
        let mut build = Build::new(0);
        let (names, values) = added(dialect, &mut build, described, cells);
        let (names, values) = (names.join(", "), values.join(", "));
        let sql = format!("INSERT INTO \"{}\" ({names}) VALUES ({values})", described.name);
        Statement { sql, values: build.values }
    }

    /// Selects the object of the row whose key is bound from parameter 2 on.
    pub(crate) fn row(&self, table: TableId, fields: &[Field]) -> Rows {
        let key = self.0.table(table).primary_key.clone();
        self.0.rows(table, fields, &Range::default(), &key)
    }

    fn keys(&self, table: TableId, prefix: &str) -> String {
        let described = self.0.table(table);
        let names =
            described.primary_key.iter().map(|id| format!("{prefix}{}", quoted(&described.column(*id).name)));
        names.collect::<Vec<_>>().join(", ")
    }
}

/// The database columns that a new row sets, and the expressions for their values.
fn added(
    dialect: Dialect,
    build: &mut Build,
    table: &Table,
    cells: &[(ColumnId, Value)],
) -> (Vec<String>, Vec<String>) {
    let groups = if dialect == Dialect::Sqlite { shared::groups(table) } else { Vec::new() };
    let is_own = |id: &ColumnId| dialect != Dialect::Sqlite || table.column(*id).shared.is_none();
    let own = cells.iter().filter(|(id, _)| is_own(id));
    let (mut names, mut values): (Vec<String>, Vec<String>) =
        own.map(|(id, value)| (quoted(&table.column(*id).name), build.bind(value.clone()))).unzip();
    for group in groups {
        let given = |(id, value): &(ColumnId, Value)| {
            let place = group.columns.iter().position(|column| column == id)?;
            Some(format!(", {place}, {}", build.bind(value.clone())))
        };
        let given: String = cells.iter().filter_map(given).collect();
        if !given.is_empty() {
            names.push(shared::held("", group.name));
            values.push(format!("shared_with({}{given})", group.default_literal(table)));
        }
    }
    (names, values)
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}
