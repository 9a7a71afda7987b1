//! Migrations that do more than add to a database: the files of `schema/migrations/`.

/// One numbered migration. Its statements run once on each database created before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migration {
    /// The schema version after this migration. The first schema has version 1; the first migration is therefore number 2.
    pub number: u32,
    /// The file name without number and extension.
    pub name: String,
    /// The unchanged text of the file, for its checksum.
    pub text: String,
    /// The tables and columns this migration removes.
    pub drops: Vec<RemovedPart>,
    pub rebuilds: Rebuilds,
}

/// A table, or one of its columns, that a migration removes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedPart {
    pub table: String,
    /// `None`: the whole table.
    pub column: Option<String>,
}

/// The tables a migration rebuilds to match the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rebuilds {
    Tables(Vec<String>),
    /// Every table that differs from the catalogue.
    All,
}

impl Migration {
    /// Whether it changes rows or removes tables or columns. A migration that does neither only rebuilds SQLite tables.
    pub fn changes_data(&self) -> bool {
        let is_statement = |line: &str| !line.is_empty() && !line.starts_with("--");
        !self.drops.is_empty() || self.text.lines().map(str::trim).any(is_statement)
    }

    /// Whether it rebuilds the table to match the catalogue. True as well for tables it drops columns of.
    pub fn rebuilds(&self, table: &str) -> bool {
        let is_dropped = || self.drops.iter().any(|dropped| dropped.table == table);
        match &self.rebuilds {
            Rebuilds::All => true,
            Rebuilds::Tables(tables) => tables.iter().any(|name| name == table) || is_dropped(),
        }
    }

    /// Whether it removes this column, or this table if `column` is `None`.
    pub fn drops(&self, table: &str, column: Option<&str>) -> bool {
        let is_it = |dropped: &RemovedPart| dropped.table == table && dropped.column.as_deref() == column;
        self.drops.iter().any(is_it)
    }
}
