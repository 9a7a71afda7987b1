//! The journal of an import: records its changes other than new charges, to undo them later.

use super::cells::Rows;
use crate::ids;
use catalogue::{Value, ValueRef};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use store::{Condition, StoreError, Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "import_changes";
/// Metrics need a check whether this import or another one added them.
const MEASUREMENTS: &str = "cloud_resource_metrics";
/// Maximum number of rows in one entry.
const CHUNK: usize = 4_000;

/// The kind of a journal entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Rows of an older import that were replaced.
    Deleted,
    /// Earlier values of columns.
    Updated,
    /// Keys of added rows.
    Inserted,
    /// Tag keys that the file contains, whether new or not.
    Contained,
}

impl Kind {
    /// The value stored in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Deleted => "deleted",
            Self::Updated => "updated",
            Self::Inserted => "inserted",
            Self::Contained => "met",
        }
    }
}

/// The column that identifies rows of a table in the journal.
pub fn key_column(table: &str) -> &'static str {
    match table {
        "k8s_nodes" | "k8s_workloads" | "k8s_pods" => "cloud_resource_id",
        "spend_source_keys" => "source_id",
        _ => "id",
    }
}

/// The journal id of a namespace; the key of its row consists of texts.
pub fn key_of_namespace(account: &str, name: &str) -> Uuid {
    ids::derived(Uuid::nil(), "k8s_namespace", &[account, name])
}

/// The properties that the rows of one open entry share: kind, table and columns.
type EntryKey = (Kind, &'static str, Vec<String>);

/// The journal of one import.
pub struct Journal<'a> {
    transaction: &'a Transaction<'a>,
    import: Uuid,
    position: Cell<i64>,
    open: RefCell<HashMap<EntryKey, Rows>>,
    /// Metrics that this import added.
    added: RefCell<HashSet<Uuid>>,
}

impl<'a> Journal<'a> {
    /// A journal that continues after `position` entries.
    pub fn new(transaction: &'a Transaction<'a>, import: Uuid, position: i64) -> Self {
        Self {
            transaction,
            import,
            position: Cell::new(position),
            open: RefCell::default(),
            added: RefCell::default(),
        }
    }

    /// Records the key of a row that the import adds.
    pub fn inserted(&self, table: &'static str, key: Value) -> Result<(), StoreError> {
        if let (Some(id), MEASUREMENTS) = (key.as_uuid(), table) {
            self.added.borrow_mut().insert(id);
        }
        self.note(Kind::Inserted, table, &["key"], vec![key])
    }

    /// Whether the import added this metric.
    pub fn has_added(&self, id: Uuid) -> bool {
        self.added.borrow().contains(&id)
    }

    /// Records a key that the file contains.
    pub fn record_contained(&self, table: &'static str, key: Value) -> Result<(), StoreError> {
        self.note(Kind::Contained, table, &["key"], vec![key])
    }

    /// Records the current values of columns. Call it before changing them.
    pub fn updates(&self, table: &'static str, id: Uuid, columns: &[&str]) -> Result<(), StoreError> {
        self.updates_of(table, id, &[eq(key_column(table), id)], columns)
    }

    /// Records the current values of columns in a row selected by other conditions.
    pub fn updates_of(
        &self,
        table: &'static str,
        id: Uuid,
        key: &[Condition<'_>],
        columns: &[&str],
    ) -> Result<(), StoreError> {
        let all: Vec<&str> = ["id"].into_iter().chain(columns.iter().copied()).collect();
        for mut row in self.transaction.select(table, columns, key)? {
            row.insert(0, Value::Uuid(id));
            self.note(Kind::Updated, table, &all, row)?;
        }
        Ok(())
    }

    /// Records the rows that meet all conditions, and deletes them. Returns their number.
    pub fn delete(
        &self,
        table: &'static str,
        of_import: Uuid,
        conditions: &[Condition<'_>],
    ) -> Result<u64, StoreError> {
        let catalogue = self.transaction.catalogue();
        let id = catalogue.find(table).ok_or_else(|| StoreError::UnknownTable(table.to_owned()))?;
        let columns: Vec<&str> =
            catalogue.table(id).iter_columns().map(|(_, column)| column.name.as_str()).collect();
        let mut rows = Rows::of(&columns);
        self.transaction.for_each(table, &columns, conditions, |row| {
            rows.rows.push(row);
            if rows.rows.len() >= CHUNK {
                self.write(Kind::Deleted, table, Some(of_import), &rows)?;
                rows.rows.clear();
            }
            Ok::<_, StoreError>(())
        })?;
        if !rows.rows.is_empty() {
            self.write(Kind::Deleted, table, Some(of_import), &rows)?;
        }
        self.transaction.delete(table, conditions)
    }

    /// Writes the entries that are still open.
    pub fn finish(&self) -> Result<(), StoreError> {
        let mut open: Vec<_> = self.open.take().into_iter().collect();
        open.sort_by(|((kind, table, columns), _), ((other, other_table, others), _)| {
            (kind.name(), *table, columns).cmp(&(other.name(), *other_table, others))
        });
        for ((kind, table, _), rows) in open {
            self.write(kind, table, None, &rows)?;
        }
        Ok(())
    }

    fn note(
        &self,
        kind: Kind,
        table: &'static str,
        columns: &[&str],
        row: Vec<Value>,
    ) -> Result<(), StoreError> {
        let mut open = self.open.borrow_mut();
        // Rows of one entry have the same columns.
        let names = columns.iter().map(|name| (*name).to_owned()).collect();
        let rows = open.entry((kind, table, names)).or_insert_with(|| Rows::of(columns));
        rows.rows.push(row);
        if rows.rows.len() >= CHUNK {
            let full = std::mem::replace(rows, Rows::of(columns));
            drop(open);
            self.write(kind, table, None, &full)?;
        }
        Ok(())
    }

    /// Writes one entry.
    pub fn write(
        &self,
        kind: Kind,
        table: &str,
        of_import: Option<Uuid>,
        rows: &Rows,
    ) -> Result<(), StoreError> {
        let position = self.position.get();
        self.position.set(position + 1);
        self.transaction.insert(
            TABLE,
            &[
                ("import_id", self.import.into()),
                ("position", position.into()),
                ("kind", kind.name().into()),
                ("of_import", of_import.map_or(ValueRef::Null, ValueRef::Uuid)),
                ("table_name", table.into()),
                ("row_count", i64::try_from(rows.rows.len()).unwrap_or(i64::MAX).into()),
                ("content", rows.to_text().as_str().into()),
            ],
        )
    }
}
