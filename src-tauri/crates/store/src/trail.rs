//! The audit trail: one row per changed row, written in the same transaction.
//!
//! The catalogue declares the table (`@trail`); without one, nothing is recorded. For an inserted or deleted row all columns are recorded,
//! for an updated row only those that differ. Secret columns are omitted.

use crate::StoreError;
use crate::dialect::ChangePrinter;
use crate::driver::db::Db;
use crate::driver::sqlite::store_error;
use crate::json::{cell, key, separate};
use crate::statement::{Keys, PlanArguments, Print, bind};
use catalogue::{Caller, CallerScope, Catalogue, ColumnId, Default, Scalar, Scope, Table, TableId, Value};
use uuid::Uuid;

/// The actor of a change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Actor<'a> {
    /// The GraphQL root field.
    pub operation: &'a str,
    pub user: Option<Uuid>,
    /// The code of an operation, which may write rows that users may not write themselves, such as a history.
    pub is_code: bool,
    /// Whether changes are recorded; `false` for rows derived from recorded ones.
    pub is_recorded: bool,
}

impl Actor<'_> {
    /// For rows derived from a row that is recorded in the trail.
    pub(crate) const DERIVED: Self = Self { operation: "", user: None, is_code: true, is_recorded: false };
}

/// Records the changes of one actor.
pub(crate) struct Trail<'a> {
    connection: Db<'a>,
    catalogue: &'a Catalogue,
    columns: catalogue::Trail,
    tenant: Uuid,
    actor: Actor<'a>,
    now: i64,
}

impl<'a> Trail<'a> {
    /// `None` for tables whose changes are not recorded: the trail itself, the service's own rows, tables without a key.
    pub(crate) fn of(
        connection: Db<'a>,
        catalogue: &'a Catalogue,
        caller: &Caller,
        actor: Actor<'a>,
        now: i64,
        table: TableId,
    ) -> Option<Self> {
        let described = catalogue.table(table);
        let trail = catalogue.trail.filter(|trail| trail.table != table)?;
        let CallerScope::Tenant(tenant) = caller.scope else { return None };
        let is_kept =
            actor.is_recorded && described.scope != Scope::Service && !described.primary_key.is_empty();
        is_kept.then_some(Self { connection, catalogue, columns: trail, tenant, actor, now })
    }

    /// All cells of the row with this key, in column order.
    pub(crate) fn row(
        &self,
        table: TableId,
        by: &[ColumnId],
        key: &Keys,
    ) -> Result<Option<Keys>, StoreError> {
        let sql = ChangePrinter::cells(self.connection.dialect(), self.catalogue, table, by);
        let mut statement = self.connection.prepare_cached(&sql).map_err(store_error)?;
        bind(&mut statement, None, key, &[], PlanArguments::default()).map_err(store_error)?;
        let mut cursor = statement.query();
        let Some(row) = cursor.next().map_err(store_error)? else { return Ok(None) };
        let columns = 0..self.catalogue.table(table).columns.len();
        columns.map(|place| row.get(place).map_err(store_error)).collect::<Result<_, _>>().map(Some)
    }

    /// Records a change: the cells before it (`None` for an insert) and after it (`None` for a delete).
    pub(crate) fn note(
        &self,
        table: TableId,
        before: Option<&Keys>,
        after: Option<&Keys>,
    ) -> Result<(), StoreError> {
        let described = self.catalogue.table(table);
        let (change, row) = match (before, after) {
            (None, None) => return Ok(()),
            (Some(before), Some(after)) if before == after => return Ok(()),
            (None, Some(row)) => ("insert", row),
            (Some(row), None) => ("delete", row),
            (Some(row), Some(_)) => ("update", row),
        };
        let changed = |place: usize| match (before, after) {
            (Some(before), Some(after)) => before[place] != after[place],
            _ => row[place] != rusqlite::types::Value::Null,
        };
        let told = |id: &ColumnId| !described.column(*id).secret && changed(usize::from(id.0));
        let columns: Vec<ColumnId> = described.iter_columns().map(|(id, _)| id).filter(told).collect();
        let object = |cells: Option<&Keys>| match cells {
            Some(cells) => object(described, &columns, cells).map(Value::Json),
            None => Ok(Value::Null),
        };
        let trail = &self.columns;
        let mut cells = vec![
            (trail.tenant, Value::Uuid(self.tenant)),
            (trail.user, self.actor.user.map_or(Value::Null, Value::Uuid)),
            (trail.time, Value::Timestamp(self.now)),
            (trail.row_table, Value::Text(described.name.clone())),
            (trail.row_key, Value::Json(self::object(described, &described.primary_key, row)?)),
            (trail.change, Value::Text(change.to_owned())),
            (trail.operation, Value::Text(self.actor.operation.to_owned())),
            (trail.before, object(before)?),
            (trail.after, object(after)?),
        ];
        for (id, column) in self.catalogue.table(trail.table).iter_columns() {
            let is_given = cells.iter().any(|(given, _)| *given == id);
            if !is_given && column.default == Some(Default::GeneratedUuid) && column.scalar == Scalar::Uuid {
                cells.push((id, Value::Uuid(Uuid::new_v4())));
            }
        }
        let statement = ChangePrinter::add(self.connection.dialect(), self.catalogue, trail.table, &cells);
        let mut prepared = self.connection.prepare_cached(&statement.sql).map_err(store_error)?;
        bind(&mut prepared, None, &Keys::new(), &statement.values, PlanArguments::default())
            .map_err(store_error)?;
        prepared.execute().map_err(store_error)?;
        Ok(())
    }
}

/// Some columns of a row as a JSON object.
fn object(table: &Table, columns: &[ColumnId], cells: &Keys) -> Result<String, StoreError> {
    let mut out = vec![b'{'];
    for (place, id) in columns.iter().enumerate() {
        let column = table.column(*id);
        separate(&mut out, place);
        key(&mut out, &column.name);
        cell(&mut out, (&cells[usize::from(id.0)]).into(), Print::of(column)).map_err(store_error)?;
    }
    out.push(b'}');
    String::from_utf8(out).map_err(|error| StoreError::Database(Box::new(error)))
}
