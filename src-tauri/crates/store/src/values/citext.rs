//! Case-insensitive comparison of `citext` columns, in every script.
//!
//! SQLite's own `NOCASE` only handles ASCII letters. Our connections replace it under the same name, therefore columns and indices of
//! existing databases can be used unchanged. ASCII letters compare as before; an index with other letters is rebuilt if it is out of
//! order.

use catalogue::{Catalogue, Scalar, Table, TableKind};
use rusqlite::{Connection, Result};
use std::borrow::Cow;
use std::cmp::Ordering;

/// The collation of `citext` columns.
pub(crate) const COLLATION: &str = "NOCASE";

/// Registers the collation on a connection.
pub(crate) fn register(connection: &Connection) -> Result<()> {
    connection.create_collation(COLLATION, compare)
}

/// The text in lower case, letter by letter. Texts that differ only in case have equal folds.
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Cow::Owned(text.to_ascii_lowercase());
        }
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().flat_map(fold_letter).collect())
}

/// The lower case of one letter. A final sigma is folded to a sigma.
fn fold_letter(letter: char) -> impl Iterator<Item = char> {
    let letter = if letter == 'ς' { 'σ' } else { letter };
    letter.to_lowercase()
}

fn compare(left: &str, right: &str) -> Ordering {
    if left.is_ascii() && right.is_ascii() {
        let small = |byte: u8| byte.to_ascii_lowercase();
        return left.bytes().map(small).cmp(right.bytes().map(small));
    }
    left.chars().flat_map(fold_letter).cmp(right.chars().flat_map(fold_letter))
}

/// Rebuilds indices that an earlier version sorted by ASCII case, if their table has other letters. Fails if two rows now violate a unique
/// constraint.
pub(crate) fn order_indices(connection: &Connection, catalogue: &Catalogue) -> Result<()> {
    let tables = catalogue.iter().filter(|(_, table)| !matches!(table.kind, TableKind::View { .. }));
    for (_, table) in tables {
        if has_other_letters(connection, table)? && !is_in_order(connection, table)? {
            connection.execute_batch(&format!("REINDEX \"{}\"", table.name))?;
        }
    }
    Ok(())
}

/// Whether an existing `citext` column of the table contains non-ASCII letters.
fn has_other_letters(connection: &Connection, table: &Table) -> Result<bool> {
    for column in table.columns.iter().filter(|column| column.scalar == Scalar::Citext) {
        if !connection.column_exists(None, table.name.as_str(), column.name.as_str())? {
            continue;
        }
        let sql = format!(
            "SELECT 1 FROM \"{}\" WHERE \"{}\" GLOB '*[^' || char(1) || '-' || char(127) || ']*' LIMIT 1",
            table.name, column.name
        );
        if connection.prepare(&sql)?.exists([])? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the table's indices are consistent with its rows.
fn is_in_order(connection: &Connection, table: &Table) -> Result<bool> {
    let check = format!("PRAGMA integrity_check(\"{}\")", table.name);
    let first: String = connection.query_row(&check, [], |row| row.get(0))?;
    Ok(first == "ok")
}

#[cfg(test)]
mod tests {
    use super::{compare, fold, is_in_order, order_indices, register};
    use catalogue::{Catalogue, Source};
    use rusqlite::Connection;
    use std::cmp::Ordering;

    const SCHEMA: &str = r#"
"Whose it is."
type tenant @table(tenant: "id") @unique(name: "tenant_name_key", columns: ["name"]) { id: uuid! @key  name: citext! }
"#;

    #[test]
    fn letters_of_every_script_compare_without_case() {
        for (left, right) in
            [("Ärger", "äRGER"), ("ΟΔΟΣ", "οδος"), ("ΟΔΟΣ", "οδοσ"), ("abc", "ABC"), ("Ж", "ж")]
        {
            assert_eq!(compare(left, right), Ordering::Equal, "{left} {right}");
            assert_eq!(fold(left), fold(right));
        }
        // `_` sorts between upper-case and lower-case ASCII letters, as in SQLite's own collation.
        assert_eq!(compare("a_", "AB"), Ordering::Less);
        assert_eq!(compare("ä", "z"), Ordering::Greater);
        assert_eq!(compare("a", "ab"), Ordering::Less);
    }

    /// A database written by an earlier version, with an index sorted by ASCII case.
    fn earlier(names: &[&str]) -> (tempfile::TempDir, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let old = Connection::open(&path).unwrap();
        old.execute_batch(
            "CREATE TABLE tenant (id BLOB NOT NULL PRIMARY KEY, name TEXT COLLATE NOCASE NOT NULL);
             CREATE UNIQUE INDEX tenant_name_key ON tenant (name);",
        )
        .unwrap();
        for (place, name) in names.iter().enumerate() {
            old.execute("INSERT INTO tenant VALUES (?1, ?2)", (vec![u8::try_from(place).unwrap()], name))
                .unwrap();
        }
        drop(old);
        let new = Connection::open(&path).unwrap();
        register(&new).unwrap();
        (folder, new)
    }

    #[test]
    fn an_index_of_an_earlier_version_is_put_in_order() {
        let catalogue = Catalogue::parse(&[Source { name: "tables/a.graphql", text: SCHEMA }]).unwrap();
        let (_, table) = catalogue.iter().next().unwrap();
        let (_folder, connection) = earlier(&["Ö", "ä", "Ü", "z", "é", "È"]);
        assert!(!is_in_order(&connection, table).unwrap());
        order_indices(&connection, &catalogue).unwrap();
        assert!(is_in_order(&connection, table).unwrap());
        let found: String =
            connection.query_row("SELECT name FROM tenant WHERE name = 'ö'", [], |row| row.get(0)).unwrap();
        assert_eq!(found, "Ö");
    }

    #[test]
    fn two_values_that_have_become_one_are_refused_and_nothing_is_changed() {
        let catalogue = Catalogue::parse(&[Source { name: "tables/a.graphql", text: SCHEMA }]).unwrap();
        let (_folder, connection) = earlier(&["Ä", "ä"]);
        let error = order_indices(&connection, &catalogue).unwrap_err().to_string();
        assert!(error.contains("tenant.name"), "{error}");
    }
}
