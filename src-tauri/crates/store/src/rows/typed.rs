//! Access to rows by catalogue ids; the base of typed reads and writes (crate `model`).

use super::Transaction;
use crate::StoreError;
use crate::access::check_write;
use crate::bounds::Meter;
use crate::dialect;
use crate::driver::constraint::unique_with;
use crate::driver::sqlite::store_error;
use crate::plan::{Body, Data, Node};
use crate::query::change::{ColumnChange, Conflict, NewRow};
use crate::query::{Field, FieldKind, Filter, Query, QueryKind, Range, Select};
use crate::rows::changes::Changes;
use crate::statement::{Keys, PlanArguments, bind};
use crate::trail::Actor;
use crate::values::cells::{check, decode};
use catalogue::{ColumnId, TableId, Value};

impl Transaction<'_> {
    /// Whether the transaction has an actor for the audit trail.
    pub fn has_actor(&self) -> bool {
        self.actor.is_some()
    }

    /// Passes rows to `take` in the order of the range, each with its cells in the order of `columns`.
    pub fn fetch<E: From<StoreError>>(
        &self,
        table: TableId,
        columns: &[ColumnId],
        range: &Range,
        mut take: impl FnMut(Vec<Value>) -> Result<(), E>,
    ) -> Result<(), E> {
        let described = self.catalogue.table(table);
        let field = |column: &ColumnId| Field {
            name: String::new(),
            kind: FieldKind::Column { column: *column, path: None },
        };
        let select = Select { table, fields: columns.iter().map(field).collect(), range: range.clone() };
        let query = Query { name: String::new(), kind: QueryKind::List(select) };
        let plan = dialect::plan(self.connection.dialect(), self.catalogue, self.caller, &query);
        let Body::Data(Data::Rows(rows)) = plan.body else { return Ok(()) };
        let places = rows.shape.0.iter().filter_map(|(_, node)| match node {
            Node::Cell { index, .. } => Some(*index),
            _ => None,
        });
        let cells: Vec<_> = places.zip(columns).map(|(place, id)| (place, described.column(*id))).collect();
        let mut statement = self.prepare(&rows.statement.sql)?;
        let given = PlanArguments::at(self.now);
        bind(&mut statement, self.caller.tenant(), &Keys::new(), &rows.statement.values, given)
            .map_err(store_error)?;
        let mut cursor = statement.query();
        while let Some(row) = cursor.next().map_err(store_error)? {
            let cells = cells
                .iter()
                .map(|(place, column)| row.get_ref(*place).map(|cell| decode(column, cell)))
                .collect::<rusqlite::Result<Vec<_>>>()
                .map_err(store_error)?;
            take(cells)?;
        }
        Ok(())
    }

    /// Inserts one row. Omitted columns get their default. With `(key, once)`, an existing row with equal `key` columns is updated
    /// instead; columns in `once` are written only on insert.
    pub fn insert_row(
        &self,
        table: TableId,
        cells: Vec<(ColumnId, Value)>,
        unless: Option<(Vec<ColumnId>, Vec<ColumnId>)>,
    ) -> Result<(), StoreError> {
        let cells = self.checked(table, cells)?;
        let described = self.catalogue.table(table);
        let conflict = unless.map(|(key, once)| {
            let names: Vec<&str> = key.iter().map(|id| described.column(*id).name.as_str()).collect();
            let update = cells.iter().map(|(id, _)| *id).filter(|id| !key.contains(id) && !once.contains(id));
            Conflict {
                update: update.collect(),
                unless: unique_with(described, &names).and_then(|unique| unique.only_where_null),
                filter: None,
                columns: key,
            }
        });
        let row = NewRow { cells, ..NewRow::default() };
        self.change_rows(|changes| changes.insert(table, &row, conflict.as_ref(), &mut 0).map(|_| ()))
    }

    /// Updates the rows that match the filter. Returns their number.
    pub fn update_rows(
        &self,
        table: TableId,
        filter: Filter,
        cells: Vec<(ColumnId, Value)>,
    ) -> Result<u64, StoreError> {
        let sets: Vec<ColumnChange> =
            self.checked(table, cells)?.into_iter().map(|(id, value)| ColumnChange::To(id, value)).collect();
        self.change_rows(|changes| changes.change(table, filter, sets))
    }

    /// Deletes the rows that match the filter. Returns their number.
    pub fn delete_rows(&self, table: TableId, filter: &Filter) -> Result<u64, StoreError> {
        self.change_rows(|changes| changes.delete(table, filter))
    }

    /// Checks that the columns can hold the cells, and merges cells given under several names.
    fn checked(
        &self,
        table: TableId,
        cells: Vec<(ColumnId, Value)>,
    ) -> Result<Vec<(ColumnId, Value)>, StoreError> {
        let described = self.catalogue.table(table);
        let mut distinct: Vec<(ColumnId, Value)> = Vec::with_capacity(cells.len());
        for (id, value) in cells {
            check(described, described.column(id), value.borrow())?;
            match distinct.iter().find(|(given, _)| *given == id) {
                None => distinct.push((id, value)),
                Some((_, other)) if *other == value => {}
                Some(_) => {
                    let column = described.column(id).name.clone();
                    return Err(StoreError::TwoValues { table: described.name.clone(), column });
                }
            }
        }
        Ok(distinct)
    }

    fn change_rows<T>(
        &self,
        work: impl FnOnce(&Changes<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.actor.is_none() {
            check_write(self.caller)?;
        }
        let meter = Meter::new(self.bounds);
        work(&Changes {
            connection: self.connection,
            catalogue: self.catalogue,
            caller: self.caller,
            now: self.now,
            meter: &meter,
            bounds: self.bounds,
            actor: self.actor.unwrap_or(Actor::DERIVED),
            hooks: &[],
        })
    }
}
