//! Writes the shared column groups (`@shared`) of an insert of many rows.

use super::sharer::Sharer;
use crate::driver::db::{Call, Db};
use crate::shared::{self, Group, pack};
use crate::values::sqlite_value::Cell;
use catalogue::{Column, Table, Value, ValueRef};
use rusqlite::types::{ToSql as _, ToSqlOutput};

/// The groups that contain a given column; empty with PostgreSQL.
pub(super) struct SharedCells<'a> {
    groups: Vec<GivenGroup<'a>>,
    sharer: Option<Sharer<'a>>,
    packed: Vec<u8>,
}

struct GivenGroup<'a> {
    group: Group<'a>,
    /// For each column of the group, its index among the given columns, or its default.
    sources: Vec<CellSource>,
}

enum CellSource {
    Given(usize),
    Default(Value),
}

impl CellSource {
    fn cell<'v>(&'v self, row: &[ValueRef<'v>]) -> Cell<'v> {
        match self {
            Self::Given(place) => Cell(row[*place]),
            Self::Default(value) => Cell(value.borrow()),
        }
    }
}

impl<'a> SharedCells<'a> {
    pub(super) fn of(connection: Db<'a>, table: &'a Table, given: &[&Column]) -> Self {
        let Db::Sqlite(_) = connection else {
            return Self { groups: Vec::new(), sharer: None, packed: Vec::new() };
        };
        let place = |column: &Column| given.iter().position(|one| one.name == column.name);
        let mut groups = shared::groups(table);
        groups.retain(|group| group.columns.iter().any(|id| place(table.column(*id)).is_some()));
        let source = |column: &Column| {
            place(column).map_or_else(|| CellSource::Default(shared::default(column)), CellSource::Given)
        };
        let of = |group: Group<'a>| {
            let sources = group.columns.iter().map(|id| source(table.column(*id))).collect();
            GivenGroup { group, sources }
        };
        let groups: Vec<_> = groups.into_iter().map(of).collect();
        let sharer = (!groups.is_empty()).then(|| Sharer::new(connection));
        Self { groups, sharer, packed: Vec::new() }
    }

    /// Whether a given column is stored in a group.
    pub(super) fn holds(&self, column: &Column) -> bool {
        self.sharer.is_some() && column.shared.is_some()
    }

    /// The database columns that store the groups.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.groups.iter().map(|given| shared::held("", given.group.name))
    }

    /// Binds the row's value of each group, after the parameter numbered `place`.
    pub(super) fn bind(
        &mut self,
        statement: &mut Call<'_>,
        place: usize,
        row: &[ValueRef<'_>],
    ) -> rusqlite::Result<()> {
        let Some(sharer) = &mut self.sharer else { return Ok(()) };
        for (number, given) in self.groups.iter().enumerate() {
            let cells: Vec<Cell<'_>> = given.sources.iter().map(|source| source.cell(row)).collect();
            let cells = cells.iter().map(Cell::to_sql).collect::<rusqlite::Result<Vec<ToSqlOutput<'_>>>>()?;
            pack(cells.iter().map(shared::as_ref), &mut self.packed);
            let held = sharer.hold(&self.packed)?;
            statement.bind(place + number + 1, held)?;
        }
        Ok(())
    }
}
