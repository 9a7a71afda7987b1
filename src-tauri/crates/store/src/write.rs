//! Runs changes, one after another, in the transaction they share.

use crate::StoreError;
use crate::access::{fixed_columns, is_text_tenant, names_tenant, scope_columns};
use crate::bounds::{Bounds, Meter};
use crate::change::{Answer, Change, ChangeKind, Conflict, NewRow, ResponsePart, Set, Update};
use crate::constraint::{constraint_error, dangling};
use crate::dialect::ChangePrinter;
use crate::driver::db::Db;
use crate::driver::sqlite::store_error;
use crate::follow::{self, Follow};
use crate::json::{Given, Keys, Writer, bind, key, separate, string};
use crate::plan::Statement;
use crate::query::{Filter, Operator, Subject, Test};
use crate::references::References;
use crate::rows::Transaction;
use crate::segments;
use crate::sqlite_value::Cell;
use crate::trail::{Hand, Trail};
use catalogue::{
    Caller, Catalogue, ColumnId, Default, RelationshipId, Right, Scalar, Scope, Table, TableId, TableKind,
    Value,
};
use rusqlite::types::{ToSql, ToSqlOutput};
use std::borrow::Cow;
use std::io::Write as _;
use uuid::Uuid;

/// What the changes of one request are run with.
pub(crate) struct Changes<'a> {
    pub connection: Db<'a>,
    pub catalogue: &'a Catalogue,
    pub caller: &'a Caller,
    pub now: i64,
    pub meter: &'a Meter,
    pub bounds: Bounds,
    /// Who is written down beside what they change.
    pub hand: Hand<'a>,
    /// What follows from a change, before it is answered.
    pub follows: &'a [Follow],
}

/// The cells of a row before a change, for the audit trail.
type Before = Option<Keys>;

/// Rows touched by one change, and rows brought along by nested inserts.
#[derive(Default)]
struct Touched {
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
                let hand = Hand { is_code: true, ..self.hand };
                let rows =
                    Transaction::new(self.connection, self.catalogue, self.caller, self.now, self.bounds);
                out.extend_from_slice(code.0.run(&rows.by(hand))?.as_bytes());
                self.follow(change)
            }
            ChangeKind::Insert { table, rows, conflict, answer } => {
                let mut touched = Touched::default();
                for row in rows {
                    if let Some(key) = self.insert(*table, row, conflict.as_ref(), &mut touched.count)? {
                        touched.keys.push(key);
                    }
                }
                self.follow(change)?;
                self.answer(*table, answer, &touched, out)
            }
            ChangeKind::Update { table, updates, answer } => {
                let several = matches!(answer, Answer::Responses(_));
                out.extend_from_slice(if several { b"[" } else { b"" });
                // Each of several answers what stands after it, before the next one runs.
                for (place, update) in updates.iter().enumerate() {
                    separate(out, place);
                    let touched = self.update(*table, update)?;
                    self.follow(change)?;
                    self.answer(*table, answer, &touched, out)?;
                }
                out.extend_from_slice(if several { b"]" } else { b"" });
                Ok(())
            }
            ChangeKind::Delete { table, filter, answer } => {
                self.check(*table)?;
                let keys = self.keys(*table, &self.printer().find(*table, filter))?;
                let touched = Touched { count: keys.len() as u64, keys };
                self.answer(*table, answer, &touched, out)?;
                self.remove(*table, &touched.keys)?;
                self.follow(change)
            }
        }
    }

    /// Does what follows from a change. A refusal is one of the field that changed rows.
    fn follow(&self, change: &Change) -> Result<(), StoreError> {
        let done = follow::run(self.connection, self.catalogue, self.follows, self.now, self.bounds);
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
        Trail::of(self.connection, self.catalogue, self.caller, self.hand, self.now, table)
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

    /// The error of a row that cannot be removed, with the reference that keeps it.
    fn named(&self, table: TableId, key: &Keys, error: StoreError) -> StoreError {
        if !matches!(error, StoreError::ForeignKey(_)) {
            return error;
        }
        match self.references().that_keeps(table, key) {
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

    /// The row an insert is going to meet, for the trail.
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

    /// Refuses tables the caller may write no row of.
    pub(crate) fn check(&self, table: TableId) -> Result<(), StoreError> {
        // Code writes what nobody writes (a history), in the places where the caller writes.
        if self.hand.is_code && self.catalogue.table(table).scope != Scope::House {
            return Ok(());
        }
        if self.catalogue.allows(self.caller, Right::Write, table) { Ok(()) } else { Err(StoreError::Denied) }
    }

    /// Adds a row with those it brings along; its key, or `None` when a conflict left the existing row as it is.
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

    /// Puts in the tenant and what the catalogue says a row has when nobody says otherwise.
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
                (None, _) if table.private == Some(id) => {
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

    /// Whether a cell says that a private row is another person's than the caller's.
    fn is_of_another(&self, table: &Table, column: ColumnId, value: &Value) -> bool {
        table.private == Some(column) && self.caller.user.is_some_and(|user| *value != Value::Uuid(user))
    }

    /// The person a row is written by, where it is they who write it, and not code for them.
    fn writer(&self) -> Option<Uuid> {
        self.caller.user.filter(|_| !self.hand.is_code)
    }

    /// The update with the person who makes it, in columns that say who changed a row last.
    fn signed<'u>(&self, table: TableId, update: &'u Update) -> Cow<'u, Update> {
        let Some(user) = self.writer() else { return Cow::Borrowed(update) };
        let is_set = |id: ColumnId| update.sets.iter().any(|set| set.column() == id);
        let columns = self.catalogue.table(table).iter_columns();
        let missing: Vec<Set> = columns
            .filter(|(id, column)| self.catalogue.is_editor(column) && !is_set(*id))
            .map(|(id, _)| Set::To(id, Value::Uuid(user)))
            .collect();
        if missing.is_empty() {
            return Cow::Borrowed(update);
        }
        let sets = update.sets.iter().cloned().chain(missing).collect();
        Cow::Owned(Update { filter: update.filter.clone(), sets })
    }

    fn update(&self, table: TableId, update: &Update) -> Result<Touched, StoreError> {
        self.check(table)?;
        if update.sets.is_empty() {
            return Ok(Touched::default());
        }
        let given: Vec<ColumnId> = update.sets.iter().map(Set::column).collect();
        let signed = self.signed(table, update);
        let update = signed.as_ref();
        self.check_moves(table, update)?;
        let cells: Vec<(ColumnId, Value)> = update.sets.iter().filter_map(Set::cell).collect();
        self.check_tenant(table, &cells)?;
        let trail = self.trail(table);
        let before = self.rows_before(trail.as_ref(), table, &update.filter)?;
        let keys = self
            .keys(table, &self.printer().update(table, update))
            .map_err(|error| self.masked(table, &cells, error))?;
        for key in &keys {
            self.check_row(table, key, &given)?;
        }
        if let Some(broken) = self.references().that_dangles(table, &given)? {
            return Err(broken);
        }
        if let Some(trail) = &trail {
            self.note_updates(trail, table, update, &before)?;
        }
        Ok(Touched { count: keys.len() as u64, keys })
    }

    /// Changes the rows that meet a filter; how many they were.
    pub(crate) fn change(&self, table: TableId, filter: Filter, sets: Vec<Set>) -> Result<u64, StoreError> {
        Ok(self.update(table, &Update { filter, sets })?.count)
    }

    /// Removes the rows that meet a filter; how many they were.
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
                    Some(Set::To(_, value)) => held(value)?,
                    _ => row[usize::from(id.0)].clone(),
                });
            }
            trail.note(table, Some(row), self.before(Some(trail), table, &key)?.as_ref())?;
        }
        Ok(())
    }

    /// Who writes single accounts may not move a row from one to another, and nobody a private row to another person.
    fn check_moves(&self, table: TableId, update: &Update) -> Result<(), StoreError> {
        let fixed = fixed_columns(self.catalogue, self.caller, table);
        for set in update.sets.iter().filter(|set| fixed.contains(&set.column())) {
            let Set::To(column, value) = set else { return Err(StoreError::Denied) };
            let stays = Filter::Test {
                subject: Subject::Column(*column),
                test: Test::Compare(Operator::Equal, value.clone()),
            };
            let moved = Filter::And(vec![update.filter.clone(), Filter::Not(Box::new(stays))]);
            if !self.keys(table, &self.printer().find(table, &moved))?.is_empty() {
                return Err(StoreError::Denied);
            }
        }
        Ok(())
    }

    /// A row is never given to another tenant: refused before a constraint can tell what that tenant has.
    fn check_tenant(&self, table: TableId, cells: &[(ColumnId, Value)]) -> Result<(), StoreError> {
        let (Scope::Tenant(column), Some(tenant)) =
            (&self.catalogue.table(table).scope, self.caller.tenant())
        else {
            return Ok(());
        };
        let is_foreign =
            |(id, value): &(ColumnId, Value)| id == column && !names_tenant(value.borrow(), tenant);
        if cells.iter().any(is_foreign) { Err(StoreError::Denied) } else { Ok(()) }
    }

    /// What is said of a row that breaks a unique constraint. Where it also refers to a row the caller may not meet, the caller hears what would be said
    /// without the constraint: whether others have such a row is not told.
    fn masked(&self, table: TableId, cells: &[(ColumnId, Value)], error: StoreError) -> StoreError {
        if !matches!(error, StoreError::Unique { .. }) {
            return error;
        }
        self.check_cells(table, cells).err().unwrap_or(error)
    }

    /// Refuses cells that refer to rows the caller may not meet, as [`Self::check_row`] does for a row that is written.
    fn check_cells(&self, table: TableId, cells: &[(ColumnId, Value)]) -> Result<(), StoreError> {
        let described = self.catalogue.table(table);
        let scope = scope_columns(self.catalogue, table);
        let mut broken = None;
        for (id, value) in cells {
            let column = described.column(*id);
            let Some(reference) = column.references.as_ref().filter(|_| *value != Value::Null) else {
                continue;
            };
            let is_met = self.printer().is_met(Right::Read, reference.table, &[reference.column]);
            if self.exists(&is_met, &vec![held(value)?])? {
                continue;
            }
            if scope.contains(id) {
                return Err(StoreError::Denied);
            }
            broken = broken.or_else(|| Some(dangling(described, column)));
        }
        broken.map_or(Ok(()), Err)
    }

    /// A row just written must be one the caller may write, and the columns the caller gave must refer to rows the caller may
    /// meet: neither can a row be given to another tenant, nor does a reference tell whether another tenant has a row.
    fn check_row(&self, table: TableId, row: &Keys, given: &[ColumnId]) -> Result<(), StoreError> {
        let described = self.catalogue.table(table);
        let printer = self.printer();
        if !self.exists(&printer.is_met(Right::Write, table, &described.primary_key), row)? {
            return Err(StoreError::Denied);
        }
        for id in given {
            let column = described.column(*id);
            let Some(reference) = &column.references else { continue };
            let value = self.raw_cells(table, &[*id], row)?;
            if value == [rusqlite::types::Value::Null] {
                continue;
            }
            // Code writes down who did it, whether or not that person reads the list of people.
            let is_self = |user: Uuid| value == [rusqlite::types::Value::Blob(user.as_bytes().to_vec())];
            if self.hand.is_code && self.hand.person.is_some_and(is_self) {
                continue;
            }
            if !self.exists(&printer.is_met(Right::Read, reference.table, &[reference.column]), &value)? {
                return Err(dangling(described, column));
            }
        }
        Ok(())
    }

    /// A default may refer to a row that is not there (values of lookups always are).
    fn check_defaults(&self, table: TableId, row: &Keys, given: &[ColumnId]) -> Result<(), StoreError> {
        let described = self.catalogue.table(table);
        for (id, column) in described.iter_columns().filter(|(id, _)| !given.contains(id)) {
            let (Some(Default::Literal(_)), Some(reference)) = (&column.default, &column.references) else {
                continue;
            };
            if matches!(self.catalogue.table(reference.table).kind, TableKind::Lookup { .. }) {
                continue;
            }
            let value = self.raw_cells(table, &[id], row)?;
            if !self.references().is_there(reference, &value)? {
                return Err(dangling(described, column));
            }
        }
        Ok(())
    }

    fn exists(&self, sql: &str, keys: &Keys) -> Result<bool, StoreError> {
        let mut statement = self.connection.prepare_cached(sql).map_err(store_error)?;
        bind(&mut statement, self.caller.tenant(), keys, &[], Given::default()).map_err(store_error)?;
        let found = statement.query().next().map_err(store_error)?.is_some();
        Ok(found)
    }

    fn raw_cells(&self, table: TableId, columns: &[ColumnId], row: &Keys) -> Result<Keys, StoreError> {
        let sql = self.printer().columns(table, columns);
        let mut statement = self.connection.prepare_cached(&sql).map_err(store_error)?;
        bind(&mut statement, self.caller.tenant(), row, &[], Given::default()).map_err(store_error)?;
        let mut cursor = statement.query();
        let Some(row) = cursor.next().map_err(store_error)? else { return Err(StoreError::Denied) };
        (0..columns.len()).map(|place| row.get(place).map_err(store_error)).collect()
    }

    /// Columns of a row, as the catalogue means them.
    fn cells(&self, table: TableId, columns: &[ColumnId], row: &Keys) -> Result<Vec<Value>, StoreError> {
        let described = self.catalogue.table(table);
        let cells = self.raw_cells(table, columns, row)?;
        let decoded = columns
            .iter()
            .zip(&cells)
            .map(|(id, cell)| crate::cells::decode(described.column(*id), cell.into()));
        Ok(decoded.collect())
    }

    /// Runs a statement that returns keys.
    fn keys(&self, table: TableId, statement: &Statement) -> Result<Vec<Keys>, StoreError> {
        let described = self.catalogue.table(table);
        let failed = |error| constraint_error(described, error);
        let mut prepared = self.connection.prepare_cached(&statement.sql).map_err(store_error)?;
        let given = Given::at(self.now);
        bind(&mut prepared, self.caller.tenant(), &Keys::new(), &statement.values, given)
            .map_err(store_error)?;
        let mut cursor = prepared.query();
        let mut keys = Vec::new();
        while let Some(row) = cursor.next().map_err(failed)? {
            let cells = 0..described.primary_key.len();
            keys.push(
                cells.map(|place| row.get(place)).collect::<rusqlite::Result<Keys>>().map_err(store_error)?,
            );
        }
        Ok(keys)
    }

    fn execute(&self, table: TableId, sql: &str, keys: &Keys) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(sql).map_err(store_error)?;
        bind(&mut statement, self.caller.tenant(), keys, &[], Given::default()).map_err(store_error)?;
        let described = self.catalogue.table(table);
        statement.execute().map_err(|error| constraint_error(described, error))?;
        Ok(())
    }

    fn answer(
        &self,
        table: TableId,
        answer: &Answer,
        touched: &Touched,
        out: &mut Vec<u8>,
    ) -> Result<(), StoreError> {
        match answer {
            Answer::Response(parts) | Answer::Responses(parts) => self.response(table, parts, touched, out),
            Answer::Row(fields) => {
                if let Some(key) = touched.keys.first() {
                    return self.row(table, fields, key, out);
                }
                out.extend_from_slice(b"null");
                Ok(())
            }
        }
    }

    fn response(
        &self,
        table: TableId,
        parts: &[ResponsePart],
        touched: &Touched,
        out: &mut Vec<u8>,
    ) -> Result<(), StoreError> {
        out.push(b'{');
        for (place, part) in parts.iter().enumerate() {
            separate(out, place);
            match part {
                ResponsePart::AffectedRows { name } => {
                    key(out, name);
                    let _ = write!(out, "{}", touched.count);
                }
                ResponsePart::Text { name, text } => {
                    key(out, name);
                    string(out, text);
                }
                ResponsePart::Returning { name, fields } => {
                    key(out, name);
                    out.push(b'[');
                    for (place, row) in touched.keys.iter().enumerate() {
                        separate(out, place);
                        self.row(table, fields, row, out)?;
                    }
                    out.push(b']');
                }
            }
        }
        out.push(b'}');
        Ok(())
    }

    fn row(
        &self,
        table: TableId,
        fields: &[crate::query::Field],
        row: &Keys,
        out: &mut Vec<u8>,
    ) -> Result<(), StoreError> {
        let rows = self.printer().row(table, fields);
        let writer = Writer {
            connection: self.connection,
            tenant: self.caller.tenant(),
            given: Given::at(self.now),
            meter: self.meter,
            segments: None,
            memo: segments::Memo::default(),
        };
        self.meter.row(out.len())?;
        writer.first(&rows, std::slice::from_ref(row), out).map_err(store_error)
    }
}

/// The cell as SQLite holds it.
fn held(value: &Value) -> Result<rusqlite::types::Value, StoreError> {
    Ok(match Cell(value.borrow()).to_sql().map_err(store_error)? {
        ToSqlOutput::Owned(value) => value,
        ToSqlOutput::Borrowed(value) => {
            value.try_into().map_err(|error| StoreError::Database(Box::new(error)))?
        }
        _ => rusqlite::types::Value::Null,
    })
}
