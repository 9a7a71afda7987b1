//! The auxiliary tables of a searched table, and the triggers that update them.

use catalogue::{Catalogue, SearchColumns, Table};

/// A searched table.
#[derive(Clone, Copy)]
pub(super) struct Layout<'a> {
    pub table: &'a Table,
    searched: &'a SearchColumns,
}

/// All searched tables.
pub(super) fn layouts(catalogue: &Catalogue) -> impl Iterator<Item = Layout<'_>> {
    catalogue.iter().filter_map(|(_, table)| Layout::of(table))
}

impl<'a> Layout<'a> {
    pub fn of(table: &'a Table) -> Option<Self> {
        Some(Self { table, searched: table.searched.as_ref()? })
    }

    /// The quoted name of an auxiliary table.
    pub fn name(&self, part: &str) -> String {
        format!("\"{}#{part}\"", self.table.name)
    }

    pub fn key(&self) -> &'a str {
        &self.table.column(self.table.primary_key[0]).name
    }

    /// The expression for a row's words in PostgreSQL.
    pub fn vector(&self, alias: &str) -> String {
        format!("to_tsvector('simple', text_plain({alias}.\"{}\"))", self.text())
    }

    pub fn text(&self) -> &'a str {
        &self.table.column(self.searched.text).name
    }

    pub fn of_column(&self) -> &'a str {
        &self.table.column(self.searched.object).name
    }
}

/// Name and statements of each auxiliary table in SQLite.
pub(crate) fn tables(catalogue: &Catalogue) -> Vec<(String, String)> {
    let of = |layout: Layout<'_>| {
        let (words, table) = (layout.name("words"), &layout.table.name);
        let text = layout.text();
        let name = |part: &str| format!("{table}#{part}");
        [
            (
                name("words"),
                // The index refers to the texts in the table itself; accents and case are ignored.
                format!(
                    "CREATE VIRTUAL TABLE {words} USING fts5(\"{text}\", content=\"{table}\", \
                     tokenize='unicode61 remove_diacritics 2'); INSERT INTO {words}({words}) VALUES ('rebuild')"
                ),
            ),
            (
                name("terms"),
                format!("CREATE VIRTUAL TABLE {} USING fts5vocab({words}, 'row')", layout.name("terms")),
            ),
            (
                name("vectors"),
                format!(
                    "CREATE TABLE {} (\"of\" BLOB NOT NULL, \"block\" INTEGER NOT NULL, \"model\" TEXT NOT NULL, \
                     \"keys\" BLOB NOT NULL, \"scales\" BLOB NOT NULL, \"codes\" BLOB NOT NULL, \
                     PRIMARY KEY (\"of\", \"block\")) STRICT",
                    layout.name("vectors")
                ),
            ),
        ]
    };
    layouts(catalogue).flat_map(of).collect()
}

/// Name and statement of each auxiliary table in PostgreSQL.
pub(crate) fn postgres_tables(catalogue: &Catalogue) -> Vec<(String, String)> {
    let of = |layout: Layout<'_>| {
        let sql = format!(
            "CREATE TABLE {} (\"of\" uuid NOT NULL, \"block\" bigint NOT NULL, \"model\" text NOT NULL, \
             \"keys\" bytea NOT NULL, \"scales\" bytea NOT NULL, \"codes\" bytea NOT NULL, PRIMARY KEY (\"of\", \"block\"))",
            layout.name("vectors")
        );
        (format!("{}#vectors", layout.table.name), sql)
    };
    layouts(catalogue).map(of).collect()
}

/// The columns of vector tables.
pub(crate) const VECTOR_COLUMNS: [&str; 6] = ["of", "block", "model", "keys", "scales", "codes"];

/// Names of the vector tables. Vectors come from models and cannot be derived from rows.
pub(crate) fn vector_tables(catalogue: &Catalogue) -> Vec<String> {
    layouts(catalogue).map(|layout| format!("{}#vectors", layout.table.name)).collect()
}

/// Name and statement of each word index in PostgreSQL.
pub(crate) fn postgres_indices(catalogue: &Catalogue) -> Vec<(String, String)> {
    let of = |layout: Layout<'_>| {
        let table = &layout.table.name;
        let name = format!("{table}#words");
        let sql = format!(
            "CREATE INDEX \"{name}\" ON \"{table}\" USING gin ({})",
            layout.vector(&format!("\"{table}\""))
        );
        (name, sql)
    };
    layouts(catalogue).map(of).collect()
}

/// Name and statement of each trigger in PostgreSQL: an object's vectors are deleted as soon as one of its parts is.
pub(crate) fn postgres_triggers(catalogue: &Catalogue) -> Vec<(String, String)> {
    let of = |layout: Layout<'_>| {
        let table = &layout.table.name;
        let name = format!("{table}#vectors forget");
        let sql = format!(
            "CREATE OR REPLACE TRIGGER \"{name}\" AFTER DELETE OR UPDATE OF \"{}\" ON \"{table}\" FOR EACH ROW \
             EXECUTE FUNCTION forget_vectors('{table}#vectors', '{}')",
            layout.text(),
            layout.of_column()
        );
        (name, sql)
    };
    layouts(catalogue).map(of).collect()
}

/// Whether SQLite created the table internally for a word index.
pub(crate) fn is_index_table(catalogue: &Catalogue, name: &str) -> bool {
    let parts = ["data", "idx", "docsize", "config"];
    layouts(catalogue)
        .any(|layout| parts.iter().any(|part| name == format!("{}#words_{part}", layout.table.name)))
}

/// Name and statement of each trigger: words follow the rows; an object's vectors are deleted as soon as one of its parts is.
pub(crate) fn triggers(catalogue: &Catalogue) -> Vec<(String, String)> {
    let of = |layout: Layout<'_>| {
        let (table, text, words) = (&layout.table.name, layout.text(), layout.name("words"));
        let add = format!("INSERT INTO {words}(rowid, \"{text}\") VALUES (NEW.rowid, NEW.\"{text}\");");
        let remove = format!(
            "INSERT INTO {words}({words}, rowid, \"{text}\") VALUES ('delete', OLD.rowid, OLD.\"{text}\");"
        );
        let forget =
            format!("DELETE FROM {} WHERE \"of\" = OLD.\"{}\";", layout.name("vectors"), layout.of_column());
        let trigger = |when: &str, event: &str, body: String| {
            let name = format!("{table}#words {when}");
            let sql = format!("CREATE TRIGGER \"{name}\" AFTER {event} ON \"{table}\" BEGIN {body} END");
            (name, sql)
        };
        [
            trigger("insert", "INSERT", add.clone()),
            trigger("delete", "DELETE", format!("{remove} {forget}")),
            trigger("update", &format!("UPDATE OF \"{text}\""), format!("{remove} {add} {forget}")),
        ]
    };
    layouts(catalogue).flat_map(of).collect()
}
