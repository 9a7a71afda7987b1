//! Runs the changes of a request one after another in their shared transaction.

mod answer;
mod checks;
mod statements;

use crate::StoreError;
use crate::access::{is_text_tenant, names_tenant};
use crate::bounds::{Bounds, Meter};
use crate::dialect::ChangePrinter;
use crate::driver::db::Db;
use crate::driver::sqlite::store_error;
use crate::hooks::{self, AfterWriteHook};
use crate::json::{key, separate, string};
use crate::query::Filter;
use crate::query::change::{Answer, Change, ChangeKind, ColumnChange, Conflict, NewRow, Update};
use crate::references::References;
use crate::rows::Transaction;
use crate::statement::Keys;
use crate::trail::{Actor, Trail};
use crate::values::sqlite_value::Cell;
use catalogue::{
    Caller, Catalogue, ColumnId, Default, RelationshipId, Right, Scalar, Scope, Table, TableId, Value,
};
use rusqlite::types::{ToSql, ToSqlOutput};
use std::borrow::Cow;
use uuid::Uuid;

/// The context in which the changes of one request run.
pub(crate) struct Changes<'a> {
    pub connection: Db<'a>,
    pub catalogue: &'a Catalogue,
    pub caller: &'a Caller,
    pub now: i64,
    pub meter: &'a Meter,
    pub bounds: Bounds,
    /// The actor recorded for the changes.
    pub actor: Actor<'a>,
    /// Hooks that run after a change, before its result is written.
    pub hooks: &'a [AfterWriteHook],
}

/// The cells of a row before a change, for the audit trail.
type Before = Option<Keys>;

/// Rows changed by one change, including rows of nested inserts.
#[derive(Default)]
struct TouchedRows {
    keys: Vec<Keys>,
    count: u64,
}

impl Changes<'_> {
    /// Runs one change and writes `"name":…`.
    pub(crate) fn run(&self, change: &Change, out: &mut Vec<u8>) -> Result<(), StoreError> {
        key(out, &change.name);
        match &change.kind {
            ChangeKind::Text(text) => {
                string(out, text);
                Ok(())
            }
            ChangeKind::Code(code) => {
                let actor = Actor { is_code: true, ..self.actor };
                let rows =
                    Transaction::new(self.connection, self.catalogue, self.caller, self.now, self.bounds);
                out.extend_from_slice(code.0.run(&rows.with_actor(actor))?.as_bytes());
                self.run_hooks(change)
            }
            ChangeKind::Insert { table, rows, conflict, answer } => {
                let mut touched = TouchedRows::default();
                for row in rows {
                    if let Some(key) = self.insert(*table, row, conflict.as_ref(), &mut touched.count)? {
                        touched.keys.push(key);
                    }
                }
                self.run_hooks(change)?;
                self.answer(*table, answer, &touched, out)
            }
            ChangeKind::Update { table, updates, answer } => {
                let several = matches!(answer, Answer::Responses(_));
                out.extend_from_slice(if several { b"[" } else { b"" });
                // Each of several updates returns the rows as they are after it, before the next one runs.
                for (place, update) in updates.iter().enumerate() {
                    separate(out, place);
                    let touched = self.update(*table, update)?;
                    self.run_hooks(change)?;
                    self.answer(*table, answer, &touched, out)?;
                }
                out.extend_from_slice(if several { b"]" } else { b"" });
                Ok(())
            }
            ChangeKind::Delete { table, filter, answer } => {
                self.check(*table)?;
                let keys = self.keys(*table, &self.printer().find(*table, filter))?;
                let touched = TouchedRows { count: keys.len() as u64, keys };
                self.answer(*table, answer, &touched, out)?;
                self.remove(*table, &touched.keys)?;
                self.run_hooks(change)
            }
        }
    }

    /// Runs the hooks after a change. A hook's refusal is reported at the field of the change.
    fn run_hooks(&self, change: &Change) -> Result<(), StoreError> {
        let done = hooks::run(self.connection, self.catalogue, self.hooks, self.now, self.bounds);
        done.map_err(|error| match error {
            StoreError::Refused { code, message, keeps_changes, place } if place.is_empty() => {
                let place = format!("$.selectionSet.{}", change.name);
                StoreError::Refused { code, message, keeps_changes, place }
            }
            error => error,
        })
    }

    fn printer(&self) -> ChangePrinter<'_> {
        ChangePrinter::new(self.connection.dialect(), self.catalogue, self.caller)
    }

    fn trail(&self, table: TableId) -> Option<Trail<'_>> {
        Trail::of(self.connection, self.catalogue, self.caller, self.actor, self.now, table)
    }

    fn remove(&self, table: TableId, keys: &[Keys]) -> Result<(), StoreError> {
        let sql = self.printer().delete(table);
        let trail = self.trail(table);
        for key in keys {
            let before = self.before(trail.as_ref(), table, key)?;
            self.execute(table, &sql, key).map_err(|error| self.named(table, key, error))?;
            if let Some(trail) = &trail {
                trail.note(table, before.as_ref(), None)?;
            }
        }
        Ok(())
    }

    fn references(&self) -> References<'_> {
        References { connection: self.connection, catalogue: self.catalogue }
    }

    /// For a row that cannot be deleted: the error with the reference that prevents it.
    fn named(&self, table: TableId, key: &Keys, error: StoreError) -> StoreError {
        if !matches!(error, StoreError::ForeignKey(_)) {
            return error;
        }
        match self.references().blocking_reference(table, key) {
            Ok(found) => found.unwrap_or(error),
            Err(failed) => failed,
        }
    }

    fn before(&self, trail: Option<&Trail<'_>>, table: TableId, key: &Keys) -> Result<Before, StoreError> {
        match trail {
            Some(trail) => trail.row(table, &self.catalogue.table(table).primary_key, key),
            None => Ok(None),
        }
    }

    /// The existing row that an insert will conflict with, for the audit trail.
    fn met(
        &self,
        trail: Option<&Trail<'_>>,
        table: TableId,
        cells: &[(ColumnId, Value)],
        conflict: Option<&Conflict>,
    ) -> Result<Before, StoreError> {
        let (Some(trail), Some(conflict)) = (trail, conflict) else { return Ok(None) };
        let cell = |id: &ColumnId| match cells.iter().find(|(given, _)| given == id) {
            Some((_, value)) => Some(value.clone()),
            None => match &self.catalogue.table(table).column(*id).default {
                Some(Default::Literal(value)) => Some(value.clone()),
                _ => None,
            },
        };
        let Some(values) = conflict.columns.iter().map(cell).collect::<Option<Vec<Value>>>() else {
            return Ok(None);
        };
        let values = values.iter().map(held).collect::<Result<Keys, StoreError>>()?;
        let row = trail.row(table, &conflict.columns, &values)?;
        let is_bound = |row: &Keys| {
            let null = |id: ColumnId| row[usize::from(id.0)] == rusqlite::types::Value::Null;
            conflict.unless.is_none_or(null)
        };
        Ok(row.filter(is_bound))
    }

    /// Refuses tables in which the caller may write no row.
    pub(crate) fn check(&self, table: TableId) -> Result<(), StoreError> {
        // Code may write rows that users may not write (a history), within the caller's rights.
        if self.actor.is_code && self.catalogue.table(table).scope != Scope::Service {
            return Ok(());
        }
        if self.catalogue.allows(self.caller, Right::Write, table) { Ok(()) } else { Err(StoreError::Denied) }
    }

    /// Inserts a row with its nested rows. Returns its key, or `None` if a conflict left the existing row unchanged.
    pub(crate) fn insert(
        &self,
        table: TableId,
        row: &NewRow,
        conflict: Option<&Conflict>,
        count: &mut u64,
    ) -> Result<Option<Keys>, StoreError> {
        self.check(table)?;
        let described = self.catalogue.table(table);
        let mut cells = row.cells.clone();
        for (relationship, parent, conflict) in &row.parents {
            let related = described.relationship(*relationship);
            let Some(parent) = self.insert(related.target, parent, conflict.as_ref(), count)? else {
                return Err(StoreError::NoParent { relationship: related.name.clone() });
            };
            let there: Vec<ColumnId> = related.join.iter().map(|(_, there)| *there).collect();
            for ((here, _), value) in related.join.iter().zip(self.cells(related.target, &there, &parent)?) {
                cells.retain(|(column, _)| column != here);
                cells.push((*here, value));
            }
        }
        let given: Vec<ColumnId> = cells.iter().map(|(column, _)| *column).collect();
        self.fill(described, &mut cells)?;
        let trail = self.trail(table);
        let before = self.met(trail.as_ref(), table, &cells, conflict)?;
        let statement = self.printer().insert(table, &cells, conflict);
        let keys = self.keys(table, &statement).map_err(|error| self.masked(table, &cells, error))?;
        let Some(key) = keys.into_iter().next_back() else { return Ok(None) };
        *count += 1;
        self.check_row(table, &key, &given)?;
        self.check_defaults(table, &key, &given)?;
        if let Some(trail) = &trail {
            trail.note(table, before.as_ref(), self.before(Some(trail), table, &key)?.as_ref())?;
        }
        for (relationship, rows, conflict) in &row.children {
            self.insert_children(table, &key, *relationship, rows, conflict.as_ref(), count)?;
        }
        Ok(Some(key))
    }

    fn insert_children(
        &self,
        table: TableId,
        parent: &Keys,
        relationship: RelationshipId,
        rows: &[NewRow],
        conflict: Option<&Conflict>,
        count: &mut u64,
    ) -> Result<(), StoreError> {
        let related = self.catalogue.table(table).relationship(relationship);
        let here: Vec<ColumnId> = related.join.iter().map(|(here, _)| *here).collect();
        let values = self.cells(table, &here, parent)?;
        for row in rows {
            let mut row = row.clone();
            for ((_, there), value) in related.join.iter().zip(&values) {
                row.cells.retain(|(column, _)| column != there);
                row.cells.push((*there, value.clone()));
            }
            self.insert(related.target, &row, conflict, count)?;
        }
        Ok(())
    }

    /// Fills in the tenant and the defaults of the catalogue.
    fn fill(&self, table: &Table, cells: &mut Vec<(ColumnId, Value)>) -> Result<(), StoreError> {
        for (id, column) in table.iter_columns() {
            let given = cells.iter().find(|(known, _)| *known == id).map(|(_, value)| value);
            let is_tenant = table.scope == Scope::Tenant(id);
            match (given, self.caller.tenant()) {
                (Some(value), Some(tenant)) if is_tenant && !names_tenant(value.borrow(), tenant) => {
                    return Err(StoreError::Denied);
                }
                (Some(value), Some(_)) if self.is_of_another(table, id, value) => {
                    return Err(StoreError::Denied);
                }
                (Some(_), _) => {}
                (None, Some(tenant)) if is_tenant && is_text_tenant(column) => {
                    cells.push((id, Value::Text(tenant.to_string())));
                }
                (None, Some(tenant)) if is_tenant => cells.push((id, Value::Uuid(tenant))),
                (None, _) if table.private_user_column == Some(id) => {
                    cells.extend(self.caller.user.map(|user| (id, Value::Uuid(user))));
                }
                (None, _) if self.writer().is_some() && self.catalogue.is_author(column) => {
                    cells.extend(self.writer().map(|user| (id, Value::Uuid(user))));
                }
                (None, _) => match &column.default {
                    Some(Default::Now) => cells.push((id, Value::Timestamp(self.now))),
                    Some(Default::GeneratedUuid) if column.scalar == Scalar::Uuid => {
                        cells.push((id, Value::Uuid(Uuid::new_v4())));
                    }
                    Some(Default::GeneratedUuid) => {
                        cells.push((id, Value::Text(Uuid::new_v4().to_string())));
                    }
                    _ => {}
                },
            }
        }
        Ok(())
    }

    /// Whether a cell assigns a private row to another user than the caller.
    fn is_of_another(&self, table: &Table, column: ColumnId, value: &Value) -> bool {
        table.private_user_column == Some(column)
            && self.caller.user.is_some_and(|user| *value != Value::Uuid(user))
    }

    /// The user who writes the row; `None` if code writes it on their behalf.
    fn writer(&self) -> Option<Uuid> {
        self.caller.user.filter(|_| !self.actor.is_code)
    }

    /// The update, with the user added to columns that name the last editor.
    fn signed<'u>(&self, table: TableId, update: &'u Update) -> Cow<'u, Update> {
        let Some(user) = self.writer() else { return Cow::Borrowed(update) };
        let is_set = |id: ColumnId| update.sets.iter().any(|set| set.column() == id);
        let columns = self.catalogue.table(table).iter_columns();
        let missing: Vec<ColumnChange> = columns
            .filter(|(id, column)| self.catalogue.is_editor(column) && !is_set(*id))
            .map(|(id, _)| ColumnChange::To(id, Value::Uuid(user)))
            .collect();
        if missing.is_empty() {
            return Cow::Borrowed(update);
        }
        let sets = update.sets.iter().cloned().chain(missing).collect();
        Cow::Owned(Update { filter: update.filter.clone(), sets })
    }

    fn update(&self, table: TableId, update: &Update) -> Result<TouchedRows, StoreError> {
        self.check(table)?;
        if update.sets.is_empty() {
            return Ok(TouchedRows::default());
        }
        let given: Vec<ColumnId> = update.sets.iter().map(ColumnChange::column).collect();
        let signed = self.signed(table, update);
        let update = signed.as_ref();
        self.check_moves(table, update)?;
        let cells: Vec<(ColumnId, Value)> = update.sets.iter().filter_map(ColumnChange::cell).collect();
        self.check_tenant(table, &cells)?;
        let trail = self.trail(table);
        let before = self.rows_before(trail.as_ref(), table, &update.filter)?;
        let keys = self
            .keys(table, &self.printer().update(table, update))
            .map_err(|error| self.masked(table, &cells, error))?;
        for key in &keys {
            self.check_row(table, key, &given)?;
        }
        if let Some(broken) = self.references().broken_reference(table, &given)? {
            return Err(broken);
        }
        if let Some(trail) = &trail {
            self.note_updates(trail, table, update, &before)?;
        }
        Ok(TouchedRows { count: keys.len() as u64, keys })
    }

    /// Updates the rows that match a filter. Returns their number.
    pub(crate) fn change(
        &self,
        table: TableId,
        filter: Filter,
        sets: Vec<ColumnChange>,
    ) -> Result<u64, StoreError> {
        Ok(self.update(table, &Update { filter, sets })?.count)
    }

    /// Deletes the rows that match a filter. Returns their number.
    pub(crate) fn delete(&self, table: TableId, filter: &Filter) -> Result<u64, StoreError> {
        self.check(table)?;
        let keys = self.keys(table, &self.printer().find(table, filter))?;
        self.remove(table, &keys)?;
        Ok(keys.len() as u64)
    }

    fn rows_before(
        &self,
        trail: Option<&Trail<'_>>,
        table: TableId,
        filter: &Filter,
    ) -> Result<Vec<Keys>, StoreError> {
        let Some(trail) = trail else { return Ok(Vec::new()) };
        let keys = self.keys(table, &self.printer().find(table, filter))?;
        let rows = keys.iter().filter_map(|key| self.before(Some(trail), table, key).transpose());
        rows.collect()
    }

    fn note_updates(
        &self,
        trail: &Trail<'_>,
        table: TableId,
        update: &Update,
        before: &[Keys],
    ) -> Result<(), StoreError> {
        let described = self.catalogue.table(table);
        for row in before {
            let mut key = Keys::new();
            for id in &described.primary_key {
                let set = update.sets.iter().find(|set| set.column() == *id);
                key.push(match set {
                    Some(ColumnChange::To(_, value)) => held(value)?,
                    _ => row[usize::from(id.0)].clone(),
                });
            }
            trail.note(table, Some(row), self.before(Some(trail), table, &key)?.as_ref())?;
        }
        Ok(())
    }
}

/// The value as SQLite stores it.
fn held(value: &Value) -> Result<rusqlite::types::Value, StoreError> {
    Ok(match Cell(value.borrow()).to_sql().map_err(store_error)? {
        ToSqlOutput::Owned(value) => value,
        ToSqlOutput::Borrowed(value) => {
            value.try_into().map_err(|error| StoreError::Database(Box::new(error)))?
        }
        _ => rusqlite::types::Value::Null,
    })
}
