//! Records which tables a transaction has written.

use std::collections::BTreeSet;

/// The tables a transaction has written so far.
#[derive(Default, Clone)]
pub(crate) struct WrittenTables {
    pub(super) tables: BTreeSet<String>,
    /// Tables from which rows were deleted.
    pub(super) removed: BTreeSet<String>,
    /// The table of the previous row: most rows are of the same table as the one before.
    last: String,
    pub(super) rows: u64,
}

impl WrittenTables {
    /// Records a written row.
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
