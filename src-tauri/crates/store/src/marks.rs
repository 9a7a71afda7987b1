//! Change marks of tables, and a cache of results that is valid as long as the marks do not change.
//!
//! The catalogue declares which columns have a mark (`@marked`). Triggers renew the table's mark in the transaction that changes such a
//! column, whoever writes. Two snapshots with equal marks therefore have equal values. A mark is random and never repeats, not even after
//! a rollback or a restore.

use catalogue::{Catalogue, Table};
use std::any::{Any, TypeId};
use std::sync::{Arc, Mutex, PoisonError};
use uuid::Uuid;

/// Maximum number of cached results: enough for a few tenants.
const CAPACITY: usize = 32;

pub(crate) fn mark_of(table: &Table) -> String {
    format!("{}#mark", table.name)
}

fn marked(catalogue: &Catalogue) -> impl Iterator<Item = &Table> {
    catalogue.iter().map(|(_, table)| table).filter(|table| !table.marked.is_empty())
}

/// Name and SQL statements of each mark table.
pub(crate) fn tables(catalogue: &Catalogue) -> Vec<(String, String)> {
    let of = |table: &Table| {
        let name = mark_of(table);
        let sql = format!(
            "CREATE TABLE \"{name}\" (\"mark\" BLOB NOT NULL) STRICT; INSERT INTO \"{name}\" VALUES (randomblob(16))"
        );
        (name, sql)
    };
    marked(catalogue).map(of).collect()
}

/// Name and SQL statement of each trigger.
pub(crate) fn triggers(catalogue: &Catalogue) -> Vec<(String, String)> {
    let of = |table: &Table| {
        let columns: Vec<String> =
            table.marked.iter().map(|id| format!("\"{}\"", table.column(*id).name)).collect();
        // Names that differ only in case are different values.
        let changes: Vec<String> =
            columns.iter().map(|name| format!("OLD.{name} IS NOT NEW.{name} COLLATE BINARY")).collect();
        let update = format!("UPDATE OF {}", columns.join(", "));
        let trigger = |when: &str, event: &str, condition: &str| {
            let name = format!("{}#mark {when}", table.name);
            // No INSERT OR REPLACE: a writer's OR IGNORE would apply to it.
            let sql = format!(
                "CREATE TRIGGER \"{name}\" AFTER {event} ON \"{}\"{condition} BEGIN UPDATE \"{}\" SET \"mark\" = randomblob(16); END",
                table.name,
                mark_of(table)
            );
            (name, sql)
        };
        [
            trigger("insert", "INSERT", ""),
            trigger("delete", "DELETE", ""),
            trigger("update", &update, &format!(" WHEN {}", changes.join(" OR "))),
        ]
    };
    marked(catalogue).flat_map(of).collect()
}

/// Name and SQL statement of each mark table in PostgreSQL.
pub(crate) fn postgres_tables(catalogue: &Catalogue) -> Vec<(String, String)> {
    let of = |table: &Table| {
        let name = mark_of(table);
        let sql = format!(
            "CREATE TABLE \"{name}\" (\"mark\" bytea NOT NULL); \
             INSERT INTO \"{name}\" VALUES (uuid_send(gen_random_uuid()))"
        );
        (name, sql)
    };
    marked(catalogue).map(of).collect()
}

/// Name and SQL statement of each trigger in PostgreSQL. Rows inserted or deleted by one statement renew the mark once.
pub(crate) fn postgres_triggers(catalogue: &Catalogue) -> Vec<(String, String)> {
    let of = |table: &Table| {
        let columns: Vec<String> =
            table.marked.iter().map(|id| format!("\"{}\"", table.column(*id).name)).collect();
        // Names that differ only in case are different values.
        let changes: Vec<String> = columns
            .iter()
            .map(|name| format!("OLD.{name}::text COLLATE \"C\" IS DISTINCT FROM NEW.{name}::text"))
            .collect();
        let trigger = |when: &str, event: &str| {
            let name = format!("{}#mark {when}", table.name);
            let sql = format!(
                "CREATE OR REPLACE TRIGGER \"{name}\" AFTER {event} EXECUTE FUNCTION give_mark('{}')",
                mark_of(table)
            );
            (name, sql)
        };
        let name = &table.name;
        [
            trigger("insert", &format!("INSERT ON \"{name}\"")),
            trigger("delete", &format!("DELETE ON \"{name}\"")),
            trigger(
                "update",
                &format!(
                    "UPDATE OF {} ON \"{name}\" FOR EACH ROW WHEN ({})",
                    columns.join(", "),
                    changes.join(" OR ")
                ),
            ),
        ]
    };
    marked(catalogue).flat_map(of).collect()
}

/// Statements that renew all marks in PostgreSQL, after rows were written without triggers.
pub(crate) fn postgres_renewal(catalogue: &Catalogue) -> Vec<String> {
    let of =
        |table: &Table| format!("UPDATE \"{}\" SET \"mark\" = uuid_send(gen_random_uuid())", mark_of(table));
    marked(catalogue).map(of).collect()
}

/// Results computed from rows.
#[derive(Default)]
pub(crate) struct Marks(Mutex<Vec<CachedMarks>>);

struct CachedMarks {
    what: TypeId,
    tables: String,
    tenant: Uuid,
    marks: Vec<u8>,
    made: Arc<dyn Any + Send + Sync>,
}

impl Marks {
    pub(crate) fn find<T: Any + Send + Sync>(
        &self,
        tenant: Uuid,
        tables: &str,
        marks: &[u8],
    ) -> Option<Arc<T>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |kept: &CachedMarks| {
            kept.what == TypeId::of::<T>()
                && kept.tables == tables
                && kept.tenant == tenant
                && kept.marks == marks
        };
        let place = kept.iter().position(is_it)?;
        // The most recently used entry is evicted last.
        let found = kept.remove(place);
        let made = Arc::clone(&found.made);
        kept.push(found);
        made.downcast().ok()
    }

    pub(crate) fn keep<T: Any + Send + Sync>(
        &self,
        tenant: Uuid,
        tables: String,
        marks: Vec<u8>,
        made: &Arc<T>,
    ) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let what = TypeId::of::<T>();
        kept.retain(|kept| kept.what != what || kept.tables != tables || kept.tenant != tenant);
        if kept.len() >= CAPACITY {
            kept.remove(0);
        }
        let made: Arc<dyn Any + Send + Sync> = Arc::<T>::clone(made);
        kept.push(CachedMarks { what, tables, tenant, marks, made });
    }
}
