//! Changes of a database that are more than additions: the files of `schema/migrations/`.

/// One numbered change. Its statements run once for each database that existed before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migration {
    /// The version of the schema it leads to; the first schema has version 1, so the first migration is number 2.
    pub number: u32,
    /// The file's name without number and ending.
    pub name: String,
    /// The file as it stands, for its checksum.
    pub text: String,
    /// What the database has before it and no longer has after it.
    pub drops: Vec<RemovedPart>,
    pub rebuilds: Rebuilds,
}

/// A table, or a column of one, that a migration removes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedPart {
    pub table: String,
    /// None: the whole table.
    pub column: Option<String>,
}

/// Which tables a migration brings into the shape of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rebuilds {
    Tables(Vec<String>),
    /// Every table that differs.
    All,
}

impl Migration {
    /// Whether it changes rows or removes something. One that does not only brings tables of SQLite into another shape.
    pub fn changes_data(&self) -> bool {
        let is_statement = |line: &str| !line.is_empty() && !line.starts_with("--");
        !self.drops.is_empty() || self.text.lines().map(str::trim).any(is_statement)
    }

    /// Whether it brings the table into the shape of the catalogue. Tables it drops columns of are among them.
    pub fn rebuilds(&self, table: &str) -> bool {
        let is_dropped = || self.drops.iter().any(|dropped| dropped.table == table);
        match &self.rebuilds {
            Rebuilds::All => true,
            Rebuilds::Tables(tables) => tables.iter().any(|name| name == table) || is_dropped(),
        }
    }

    /// Whether it removes this table (`column` none) or column.
    pub fn drops(&self, table: &str, column: Option<&str>) -> bool {
        let is_it = |dropped: &RemovedPart| dropped.table == table && dropped.column.as_deref() == column;
        self.drops.iter().any(is_it)
    }
}
