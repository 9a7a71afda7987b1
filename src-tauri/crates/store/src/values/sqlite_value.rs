//! Catalogue values in SQLite's representation.

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};

/// A cell as SQLite stores it: see ARCHITECTURE.md, "How values are held".
pub(crate) struct Cell<'a>(pub catalogue::ValueRef<'a>);

impl ToSql for Cell<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        use catalogue::ValueRef as Held;
        Ok(match &self.0 {
            Held::Null => ToSqlOutput::Owned(rusqlite::types::Value::Null),
            Held::Bool(value) => ToSqlOutput::from(i64::from(*value)),
            Held::Int(value) | Held::Timestamp(value) => ToSqlOutput::from(*value),
            Held::Date(value) => ToSqlOutput::from(i64::from(*value)),
            Held::Float(value) => ToSqlOutput::from(*value),
            Held::Decimal(value) => ToSqlOutput::from(value.to_string()),
            Held::Text(text) | Held::Json(text) => ToSqlOutput::from(*text),
            Held::Uuid(uuid) => ToSqlOutput::Borrowed(ValueRef::Blob(uuid.as_bytes())),
        })
    }
}
