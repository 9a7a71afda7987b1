//! The tables that are moved, and how their rows are read and written.

use super::MoveError;
use super::tally::{Counter, Kind, Tally};
use crate::driver::db::{Call, Db, Row};
use crate::driver::sqlite::store_error;
use crate::rows::Sharer;
use crate::shared::Group;
use crate::sql::Dialect;
use crate::{ddl, search, shared};
use catalogue::{Catalogue, ColumnId, Table, TableId, TableKind};
use rusqlite::types::ToSqlOutput;

/// A table whose rows are moved.
pub(super) struct TableToMove<'c> {
    pub name: String,
    /// The table of the catalogue; `None` for an auxiliary table.
    pub table: Option<(TableId, &'c Table)>,
    columns: Vec<(String, Kind)>,
}

/// All tables to move: those of the catalogue, and vectors computed by models.
pub(super) fn moved_tables(catalogue: &Catalogue) -> Vec<TableToMove<'_>> {
    let of = |(id, table): (TableId, &'_ Table)| {
        let columns = table.columns.iter().map(|column| (column.name.clone(), Kind::of(column)));
        (table.name.clone(), Some(id), columns.collect::<Vec<_>>())
    };
    let is_kept = |(_, table): &(TableId, &Table)| ddl::is_table(table);
    let beside = search::vector_tables(catalogue).into_iter().map(|name| {
        let columns = search::VECTOR_COLUMNS.map(|column| (column.to_owned(), Kind::Other));
        (name, None, columns.to_vec())
    });
    let tables = catalogue.iter().filter(is_kept).map(of).chain(beside);
    let described = |id: TableId| (id, catalogue.table(id));
    tables.map(|(name, id, columns)| TableToMove { name, table: id.map(described), columns }).collect()
}

impl TableToMove<'_> {
    /// Whether its rows are part of the catalogue.
    pub fn is_lookup(&self) -> bool {
        self.table.is_some_and(|(_, table)| matches!(table.kind, TableKind::Lookup { .. }))
    }

    fn select(&self, dialect: Dialect) -> String {
        let cells: Vec<String> = match self.table {
            Some((_, table)) => table.columns.iter().map(|column| dialect.cell("", column)).collect(),
            None => self.columns.iter().map(|(name, _)| format!("\"{name}\"")).collect(),
        };
        format!("SELECT {} FROM \"{}\"", cells.join(", "), self.name)
    }

    /// Computes the figures by which its rows are compared.
    pub fn tally(&self, db: Db<'_>) -> rusqlite::Result<Tally> {
        let mut counter = Counter::new(&self.columns);
        let mut statement = db.prepare_cached(&self.select(db.dialect()))?;
        let mut cursor = statement.query();
        while let Some(row) = cursor.next()? {
            counter.begin_row();
            for place in 0..self.columns.len() {
                counter.add(place, row.get_ref(place)?);
            }
            counter.end_row();
        }
        Ok(counter.finish())
    }

    /// Whether the table has any row.
    pub fn has_rows(&self, db: Db<'_>) -> rusqlite::Result<bool> {
        let mut statement = db.prepare_cached(&format!("SELECT 1 FROM \"{}\" LIMIT 1", self.name))?;
        Ok(statement.first::<i64>()?.is_some())
    }

    /// Copies all rows to the other database. Returns the tally of the rows read.
    pub fn copy(&self, from: Db<'_>, to: Db<'_>) -> Result<Tally, MoveError> {
        let failed = |error| MoveError::Rows { table: self.name.clone(), cause: store_error(error) };
        self.copy_rows(from, to).map_err(failed)
    }

    fn copy_rows(&self, from: Db<'_>, to: Db<'_>) -> rusqlite::Result<Tally> {
        // Rows of the catalogue exist already.
        let conflict = if self.is_lookup() { " ON CONFLICT DO NOTHING" } else { "" };
        let mut target = Target::of(self, to);
        let names = target.names.join(", ");
        let places: Vec<String> = (1..=target.names.len()).map(|place| format!("?{place}")).collect();
        let insert =
            format!("INSERT INTO \"{}\" ({names}) VALUES ({}){conflict}", self.name, places.join(", "));
        let copy = format!("COPY \"{}\" ({names}) FROM STDIN BINARY", self.name);
        let mut counter = Counter::new(&self.columns);
        let mut read = from.prepare_cached(&self.select(from.dialect()))?;
        let mut write = to.prepare_cached(&insert)?;
        let mut cursor = read.query();
        while let Some(row) = cursor.next()? {
            counter.begin_row();
            for place in 0..self.columns.len() {
                counter.add(place, row.get_ref(place)?);
            }
            counter.end_row();
            target.bind(&mut write, row)?;
            match &mut write {
                Call::Postgres(statement) if !self.is_lookup() => statement.add(&copy)?,
                statement => {
                    statement.execute()?;
                }
            }
        }
        // Send buffered rows here, so that errors are reported for this table.
        if let Db::Postgres(session) = to {
            session.flush()?;
        }
        Ok(counter.finish())
    }
}

/// The columns of the target table, and the source of their values.
struct Target<'c> {
    /// Quoted names.
    names: Vec<String>,
    /// Indices of the columns that are written as read.
    own: Vec<usize>,
    groups: Vec<Group<'c>>,
    sharer: Sharer<'c>,
    packed: Vec<u8>,
}

impl<'c> Target<'c> {
    fn of(moved: &TableToMove<'c>, to: Db<'c>) -> Self {
        let table = moved.table.map(|(_, table)| table).filter(|_| to.dialect() == Dialect::Sqlite);
        let groups = table.map(shared::groups).unwrap_or_default();
        let is_own = |place: &usize| table.is_none_or(|table| table.columns[*place].shared.is_none());
        let own: Vec<usize> = (0..moved.columns.len()).filter(is_own).collect();
        let names = own.iter().map(|place| format!("\"{}\"", moved.columns[*place].0));
        let names = names.chain(groups.iter().map(|group| shared::held("", group.name))).collect();
        Self { names, own, groups, sharer: Sharer::new(to), packed: Vec::new() }
    }

    fn bind(&mut self, write: &mut Call<'_>, row: Row<'_>) -> rusqlite::Result<()> {
        for (number, place) in self.own.iter().enumerate() {
            write.bind(number + 1, ToSqlOutput::Borrowed(row.get_ref(*place)?))?;
        }
        for (number, group) in self.groups.iter().enumerate() {
            let cell = |id: &ColumnId| row.get_ref(usize::from(id.0));
            let cells = group.columns.iter().map(cell).collect::<rusqlite::Result<Vec<_>>>()?;
            shared::pack(cells, &mut self.packed);
            write.bind(self.own.len() + number + 1, self.sharer.hold(&self.packed)?)?;
        }
        Ok(())
    }
}
