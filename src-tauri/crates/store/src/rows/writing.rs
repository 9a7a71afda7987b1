//! Inserts, updates and deletes rows: directly, or with the audit trail if the transaction has an actor.

use super::condition::{Condition, filter};
use super::inserter::{Fill, Inserter};
use super::shared_cells::SharedCells;
use super::{Transaction, column, find};
use crate::StoreError;
use crate::access::{check_write, is_text_tenant, names_tenant};
use crate::bounds::Meter;
use crate::driver::constraint::{constraint_error, unique_with};
use crate::query::change::{ColumnChange, Conflict, NewRow};
use crate::rows::changes::Changes;
use crate::trail::Actor;
use crate::values::cells::check;
use catalogue::{CallerScope, Column, Default, Right, Scalar, Scope, Table, ValueRef};

impl<'a> Transaction<'a> {
    /// Inserts one row. Omitted columns get their default; the tenant column is filled in.
    pub fn insert(&self, table: &str, row: &[(&str, ValueRef<'_>)]) -> Result<(), StoreError> {
        if let Some(actor) = self.actor {
            let (id, table) = self.table(table)?;
            return self.with_changes(actor, |changes| {
                changes.insert(id, &new_row(table, row)?, None, &mut 0).map(|_| ())
            });
        }
        let row = one_name_each(self.table(table)?.1, row)?;
        let (columns, values): (Vec<&str>, Vec<ValueRef<'_>>) = row.into_iter().unzip();
        self.inserter_with(table, &columns, "")?.insert(&values)
    }

    /// Inserts one row, or updates the row with equal `key` columns (a primary key or unique constraint): its other given columns are
    /// overwritten. Columns in `keep` are written only on insert.
    pub fn upsert(
        &self,
        table: &str,
        key: &[&str],
        row: &[(&str, ValueRef<'_>)],
        keep: &[&str],
    ) -> Result<(), StoreError> {
        let (id, described) = self.table(table)?;
        let row = &one_name_each(described, row)?;
        let stored = |names: &[&str]| -> Result<Vec<&str>, StoreError> {
            names.iter().map(|name| Ok(column(described, name)?.name.as_str())).collect()
        };
        let (key, keep) = (&stored(key)?[..], &stored(keep)?[..]);
        let (columns, values): (Vec<&str>, Vec<ValueRef<'_>>) = row.iter().copied().unzip();
        if let Some(actor) = self.actor {
            let name = |name: &&str| find(described, name);
            let update = columns.iter().filter(|name| !key.contains(name) && !keep.contains(name));
            let conflict = Conflict {
                columns: key.iter().map(name).collect::<Result<_, _>>()?,
                unless: unique_with(described, key).and_then(|unique| unique.only_where_null),
                update: update.map(name).collect::<Result<_, _>>()?,
                filter: None,
            };
            return self.with_changes(actor, |changes| {
                changes.insert(id, &new_row(described, row)?, Some(&conflict), &mut 0).map(|_| ())
            });
        }
        let keys: Vec<String> = key.iter().map(|name| format!("\"{name}\"")).collect();
        let mut conflict = format!(" ON CONFLICT ({})", keys.join(", "));
        if let Some(unless) = unique_with(described, key).and_then(|unique| unique.only_where_null) {
            conflict.push_str(&format!(" WHERE \"{}\" IS NULL", described.column(unless).name));
        }
        let dialect = self.connection.dialect();
        let overwritten = columns.iter().filter(|name| !key.contains(name) && !keep.contains(name));
        let overwritten = overwritten
            .map(|name| column(described, name).map(|column| (column, dialect.cell("excluded", column))))
            .collect::<Result<Vec<_>, _>>()?;
        let changed = dialect.assignments(&format!("\"{}\".", described.name), &overwritten);
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

    /// Updates the rows that meet all conditions. Returns their number.
    pub fn update(
        &self,
        table: &str,
        conditions: &[Condition<'_>],
        set: &[(&str, ValueRef<'_>)],
    ) -> Result<u64, StoreError> {
        let (id, table) = self.table(table)?;
        if let Some(actor) = self.actor {
            let cell = |(id, value)| ColumnChange::To(id, value);
            let sets: Vec<ColumnChange> = new_row(table, set)?.cells.into_iter().map(cell).collect();
            for (name, value) in set {
                self.check_tenant(table, column(table, name)?, *value)?;
            }
            let filter = filter(table, conditions)?;
            return self.with_changes(actor, |changes| changes.change(id, filter, sets));
        }
        check_write(self.caller)?;
        let mut values = Vec::new();
        let mut assignments = Vec::new();
        for (name, value) in &one_name_each(table, set)? {
            let column = column(table, name)?;
            check(table, column, *value)?;
            self.check_tenant(table, column, *value)?;
            values.push(*value);
            assignments.push((column, format!("?{}", values.len() + 1)));
        }
        let assignments = self.connection.dialect().assignments("t.", &assignments);
        let wheres = self.wheres(Right::Write, id, table, conditions, &mut values)?;
        let sql = format!("UPDATE \"{}\" AS t SET {}{wheres}", table.name, assignments.join(", "));
        self.change(table, &sql, &values)
    }

    /// Deletes the rows that meet all conditions. Returns their number.
    pub fn delete(&self, table: &str, conditions: &[Condition<'_>]) -> Result<u64, StoreError> {
        let (id, table) = self.table(table)?;
        if let Some(actor) = self.actor {
            let filter = filter(table, conditions)?;
            return self.with_changes(actor, |changes| changes.delete(id, &filter));
        }
        check_write(self.caller)?;
        let mut values = Vec::new();
        let wheres = self.wheres(Right::Write, id, table, conditions, &mut values)?;
        self.change(table, &format!("DELETE FROM \"{}\" AS t{wheres}", table.name), &values)
    }

    /// A prepared insert for many rows with the same columns. Not for operations, whose changes must be recorded row by row.
    pub fn inserter(&self, table: &str, columns: &[&str]) -> Result<Inserter<'a>, StoreError> {
        if self.actor.is_some() {
            return Err(StoreError::Denied);
        }
        let mut inserter = self.inserter_with(table, columns, "")?;
        inserter.copy =
            Some(format!("COPY \"{}\" ({}) FROM STDIN BINARY", inserter.table.name, inserter.names));
        Ok(inserter)
    }

    pub(super) fn inserter_with(
        &self,
        table: &str,
        columns: &[&str],
        conflict: &str,
    ) -> Result<Inserter<'a>, StoreError> {
        check_write(self.caller)?;
        let (_, table) = self.table(table)?;
        if table.scope == Scope::Service && self.caller.scope != CallerScope::AllTenants {
            return Err(StoreError::Denied);
        }
        let given = columns.iter().map(|name| column(table, name)).collect::<Result<Vec<_>, _>>()?;
        for (place, column) in given.iter().enumerate() {
            if given[..place].iter().any(|other| other.name == column.name) {
                return Err(StoreError::TwoValues { table: table.name.clone(), column: column.name.clone() });
            }
        }
        let shared = SharedCells::of(self.connection, table, &given);
        let own = given.iter().filter(|column| !shared.holds(column));
        let mut names: Vec<String> = own.map(|column| format!("\"{}\"", column.name)).collect();
        let mut filled = Vec::new();
        for (id, column) in table.iter_columns() {
            if given.iter().any(|given| given.name == column.name) {
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
        names.extend(shared.names());
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
        let names = names.join(", ");
        Ok(Inserter {
            statement: self.prepare(&sql)?,
            copy: None,
            names,
            table,
            given,
            filled,
            shared,
            tenant,
        })
    }

    fn with_changes<T>(
        &self,
        actor: Actor<'_>,
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
            actor,
            hooks: &[],
        })
    }

    /// Refuses to move a row to another tenant.
    fn check_tenant(&self, table: &Table, column: &Column, value: ValueRef<'_>) -> Result<(), StoreError> {
        let is_tenant = matches!(table.scope, Scope::Tenant(id) if table.column(id).name == column.name);
        match self.caller.tenant() {
            Some(tenant) if is_tenant && !names_tenant(value, tenant) => Err(StoreError::Denied),
            _ => Ok(()),
        }
    }

    fn change(&self, table: &Table, sql: &str, values: &[ValueRef<'_>]) -> Result<u64, StoreError> {
        let mut statement = self.prepare(sql)?;
        self.bind(&mut statement, values)?;
        let changed = statement.execute().map_err(|error| constraint_error(table, error))?;
        Ok(changed as u64)
    }
}

/// The cells under the database's column names. A column given under two names must have the same value in both.
fn one_name_each<'r, 'v>(
    table: &'r Table,
    row: &[(&'r str, ValueRef<'v>)],
) -> Result<Vec<(&'r str, ValueRef<'v>)>, StoreError> {
    let mut cells: Vec<(&str, ValueRef<'v>)> = Vec::with_capacity(row.len());
    for (name, value) in row {
        let column = column(table, name)?;
        let same = cells.iter().find(|(given, _)| !table.aliases.is_empty() && *given == column.name);
        match same {
            Some((_, other)) if other == value => {}
            Some(_) => {
                return Err(StoreError::TwoValues { table: table.name.clone(), column: column.name.clone() });
            }
            None => cells.push((&column.name, *value)),
        }
    }
    Ok(cells)
}

/// Converts and checks named cells.
fn new_row(table: &Table, row: &[(&str, ValueRef<'_>)]) -> Result<NewRow, StoreError> {
    let row = one_name_each(table, row)?;
    let cell = |(name, value): &(&str, ValueRef<'_>)| {
        let id = find(table, name)?;
        check(table, table.column(id), *value)?;
        Ok((id, ValueRef::to_owned(*value)))
    };
    Ok(NewRow { cells: row.iter().map(cell).collect::<Result<_, StoreError>>()?, ..NewRow::default() })
}
