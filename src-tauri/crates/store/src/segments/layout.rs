//! The layout of a table's segments: their columns and order, and the database tables that store them.

use crate::shared;
use crate::sql::Dialect;
use catalogue::{Catalogue, ColumnId, Cube, Dimension, Scalar, Segments, Table, TableId};

/// Number of low bits of a column id that hold the slot; the others are the segment's.
pub(super) const SLOT_BITS: u32 = 6;

/// Index of a column in a segment: time, then grouping dimensions, then sums, then the number of rows a row stands for.
pub(super) type Slot = usize;

/// The slot of the time.
pub(super) const TIME: Slot = 0;

/// The grain of segments of rows.
pub(super) const ROWS: i64 = 0;

/// How the values of a dimension are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotKind {
    /// Integers, times, booleans: the value itself.
    Number,
    /// Texts, JSON, ids: the code in the table's dictionary.
    Value,
}

/// The layout of one table's segments.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout<'a> {
    pub id: TableId,
    pub table: &'a Table,
    pub segments: &'a Segments,
}

/// The layouts of all tables with segments.
pub(super) fn layouts(catalogue: &Catalogue) -> impl Iterator<Item = Layout<'_>> {
    catalogue.iter().filter_map(|(id, table)| Some(Layout { id, table, segments: table.segments.as_ref()? }))
}

impl<'a> Layout<'a> {
    pub fn of(catalogue: &'a Catalogue, id: TableId) -> Option<Self> {
        let table = catalogue.table(id);
        Some(Self { id, table, segments: table.segments.as_ref()? })
    }

    /// The number of dimensions, including time.
    pub fn dimensions(&self) -> usize {
        1 + self.segments.by.len()
    }

    pub fn slots(&self) -> usize {
        self.dimensions() + self.segments.sums.len() + 1
    }

    /// The slot with the number of table rows a cube row stands for.
    pub fn weight(&self) -> Slot {
        self.slots() - 1
    }

    pub fn slot(&self, dimension: &Dimension) -> Option<Slot> {
        if *dimension == Dimension::Column(self.segments.time) {
            return Some(TIME);
        }
        self.segments.by.iter().position(|by| by == dimension).map(|place| place + 1)
    }

    pub fn dimension_of(&self, column: ColumnId) -> Option<Slot> {
        self.slot(&Dimension::Column(column))
    }

    pub fn sum_of(&self, column: ColumnId) -> Option<Slot> {
        self.segments.sums.iter().position(|sum| *sum == column).map(|place| self.dimensions() + place)
    }

    /// The slots of a cube: its dimensions have the same slots as in segments of rows.
    pub fn cube_slots(&self, cube: &Cube) -> Vec<Slot> {
        let named = cube.by.iter().filter_map(|dimension| self.slot(dimension));
        std::iter::once(TIME).chain(named).collect()
    }

    /// How the values of a slot are stored.
    pub fn storage(&self, slot: Slot) -> SlotKind {
        if slot == TIME {
            return SlotKind::Number;
        }
        match &self.segments.by[slot - 1] {
            Dimension::Key(..) | Dimension::Path(..) | Dimension::First(_) => SlotKind::Value,
            Dimension::Column(column) => match self.table.column(*column).scalar {
                Scalar::Int
                | Scalar::Bigint
                | Scalar::Boolean
                | Scalar::Timestamp
                | Scalar::Timestamptz
                | Scalar::Date => SlotKind::Number,
                _ => SlotKind::Value,
            },
        }
    }

    /// Whether the values of a slot are uuids.
    pub fn is_id(&self, slot: Slot) -> bool {
        match slot.checked_sub(1).and_then(|place| self.segments.by.get(place)) {
            Some(Dimension::Column(column)) => self.table.column(*column).scalar == Scalar::Uuid,
            _ => false,
        }
    }

    /// The columns a slot is computed from.
    pub fn sources(&self, slot: Slot) -> Vec<ColumnId> {
        let dimensions = self.dimensions();
        match slot {
            TIME => vec![self.segments.time],
            slot if slot < dimensions => self.segments.by[slot - 1].columns(),
            slot => vec![self.segments.sums[slot - dimensions]],
        }
    }

    /// For a text slot in a shared group: the group's database column, and the index of the text in it.
    pub fn shared_text(&self, slot: Slot) -> Option<(String, usize)> {
        let Some(Dimension::Column(column)) =
            slot.checked_sub(1).and_then(|place| self.segments.by.get(place))
        else {
            return None;
        };
        let column = self.table.column(*column);
        let position = column.shared.as_ref().filter(|_| column.scalar == Scalar::String)?;
        Some((shared::held("", &position.group), position.index))
    }

    /// The SQL expression a slot is read from; keys of JSON columns are read from the whole document.
    pub fn expression(&self, slot: Slot) -> String {
        let dimensions = self.dimensions();
        match slot {
            TIME => self.quoted(self.segments.time),
            slot if slot < dimensions => self.dimension_expression(&self.segments.by[slot - 1]),
            slot => self.quoted(self.segments.sums[slot - dimensions]),
        }
    }

    fn dimension_expression(&self, dimension: &Dimension) -> String {
        match dimension {
            Dimension::Column(column) | Dimension::Key(column, _) => self.quoted(*column),
            Dimension::Path(column, path) => {
                format!("({} ->> '{}')", self.quoted(*column), path.replace('\'', "''"))
            }
            Dimension::First(members) => {
                let members: Vec<String> =
                    members.iter().map(|member| self.dimension_expression(member)).collect();
                format!("coalesce({})", members.join(", "))
            }
        }
    }

    fn quoted(&self, column: ColumnId) -> String {
        Dialect::Sqlite.cell("", self.table.column(column))
    }

    /// The name of a slot for messages.
    pub fn describe_slot(&self, slot: Slot) -> String {
        match slot.checked_sub(1).and_then(|place| self.segments.by.get(place)) {
            Some(dimension) => self.describe(dimension),
            None => match self.sources(slot)[..] {
                [column] => format!("`{}`", self.table.column(column).name),
                _ => String::new(),
            },
        }
    }

    /// The name of a dimension for messages.
    pub fn describe(&self, dimension: &Dimension) -> String {
        let name = |column: &ColumnId| &self.table.column(*column).name;
        match dimension {
            Dimension::Column(column) => name(column).clone(),
            Dimension::Key(column, inner) | Dimension::Path(column, inner) => {
                format!("{}.{inner}", name(column))
            }
            Dimension::First(members) => {
                let members: Vec<String> = members.iter().map(|member| self.describe(member)).collect();
                members.join(" ?? ")
            }
        }
    }

    /// A textual description of the layout: segments built with another one are not read.
    pub fn signature(&self) -> String {
        let name = |column: &ColumnId| self.table.column(*column).name.clone();
        let names = |columns: &[ColumnId]| columns.iter().map(name).collect::<Vec<_>>().join(",");
        let words = |by: &[Dimension]| {
            by.iter().map(|dimension| self.describe(dimension)).collect::<Vec<_>>().join(",")
        };
        let cubes: Vec<String> =
            self.segments.cubes.iter().map(|cube| format!("{:?}:{}", cube.every, words(&cube.by))).collect();
        format!(
            "1;{};{};{};{}",
            name(&self.segments.time),
            words(&self.segments.by),
            names(&self.segments.sums),
            cubes.join(";")
        )
    }

    /// The columns whose change makes a segment stale.
    fn mirrored(&self) -> Vec<ColumnId> {
        let mut columns: Vec<ColumnId> = (0..self.weight()).flat_map(|slot| self.sources(slot)).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// The name of a database table, index or trigger that belongs to this table. Names in the catalogue never contain `#`.
    pub fn name(&self, part: &str) -> String {
        format!("\"{}#{part}\"", self.table.name)
    }
}

/// Name and statement of every database table that stores segments.
pub(crate) fn tables(catalogue: &Catalogue) -> Vec<(String, String)> {
    let tables = layouts(catalogue).flat_map(|layout| {
        let table = |part: &str, columns: &str, without: &str| {
            let sql = format!("CREATE TABLE {} ({columns}) STRICT{without}", layout.name(part));
            (format!("{}#{part}", layout.table.name), sql)
        };
        [
            table("layout", "\"words\" TEXT NOT NULL, \"epoch\" INTEGER NOT NULL", ""),
            table(
                "segments",
                "\"grain\" INTEGER NOT NULL, \"first_row\" INTEGER NOT NULL, \"last_row\" INTEGER NOT NULL, \
                 \"id\" INTEGER NOT NULL, \"rows\" INTEGER NOT NULL, \"earliest\" INTEGER, \"latest\" INTEGER, \
                 \"exact\" INTEGER NOT NULL, \"stale\" INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (\"grain\", \"first_row\")",
                ", WITHOUT ROWID",
            ),
            table("columns", "\"id\" INTEGER PRIMARY KEY, \"data\" BLOB NOT NULL", ""),
            table(
                "values",
                "\"slot\" INTEGER NOT NULL, \"code\" INTEGER NOT NULL, \"value\" BLOB NOT NULL, \
                 PRIMARY KEY (\"slot\", \"code\")",
                ", WITHOUT ROWID",
            ),
        ]
    });
    tables.collect()
}

/// Name and statement of the triggers that mark segments as stale when their rows change. Inserts need no trigger: a new row gets a row id
/// above all others and therefore comes after every segment, and a segment whose last row was deleted is stale.
pub(crate) fn triggers(catalogue: &Catalogue) -> Vec<(String, String)> {
    let triggers = layouts(catalogue).flat_map(|layout| {
        let segments = layout.name("segments");
        let mut mirrored: Vec<String> = Vec::new();
        for column in layout.mirrored() {
            let column = layout.table.column(column);
            let held = match &column.shared {
                Some(place) => shared::held("", &place.group),
                None => format!("\"{}\"", column.name),
            };
            if !mirrored.contains(&held) {
                mirrored.push(held);
            }
        }
        let trigger = |part: &str, event: &str| {
            let sql = format!(
                "CREATE TRIGGER {} AFTER {event} ON \"{}\" BEGIN UPDATE {segments} SET \"stale\" = 1 WHERE \"grain\" = {ROWS} \
                 AND \"first_row\" = (SELECT max(\"first_row\") FROM {segments} WHERE \"grain\" = {ROWS} \
                 AND \"first_row\" <= old.rowid) AND \"last_row\" >= old.rowid AND \"stale\" = 0; END",
                layout.name(part),
                layout.table.name,
            );
            (format!("{}#{part}", layout.table.name), sql)
        };
        [trigger("deleted", "DELETE"), trigger("changed", &format!("UPDATE OF {}", mirrored.join(", ")))]
    });
    triggers.collect()
}
