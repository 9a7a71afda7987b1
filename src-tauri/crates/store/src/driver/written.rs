//! What a transaction has written.

use std::collections::BTreeSet;

/// The tables a transaction has written so far.
#[derive(Default, Clone)]
pub(crate) struct WrittenTables {
    pub(super) tables: BTreeSet<String>,
    /// Tables that rows were removed from.
    pub(super) removed: BTreeSet<String>,
    /// Most rows are of the table the row before was of.
    last: String,
    pub(super) rows: u64,
}

impl WrittenTables {
    /// Notes a row that was written.
    pub(super) fn note(&mut self, table: &str, is_removed: bool) {
        self.rows += 1;
        if is_removed && !self.removed.contains(table) {
            self.removed.insert(table.to_owned());
        }
        if self.last != table {
            table.clone_into(&mut self.last);
            self.tables.insert(table.to_owned());
        }
    }
}
