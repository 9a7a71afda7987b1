//! The SQL dialects, and how values are written in them.

use uuid::Uuid;

/// The collation of SQLite that orders decimal text by value.
pub(crate) const DECIMAL_COLLATION: &str = "DECIMAL";

/// The SQL dialect of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    pub(crate) fn uuid_literal(self, id: Uuid) -> String {
        match self {
            Self::Sqlite => format!("x'{}'", id.simple()),
            Self::Postgres => format!("'{id}'::uuid"),
        }
    }

    /// A text literal written as its bytes, so that none of it can be read as SQL.
    pub(crate) fn text_literal(self, text: &str) -> String {
        use std::fmt::Write as _;
        let mut bytes = String::with_capacity(text.len() * 2);
        for byte in text.bytes() {
            let _ = write!(bytes, "{byte:02x}");
        }
        match self {
            Self::Sqlite => format!("CAST(x'{bytes}' AS TEXT)"),
            Self::Postgres => format!("convert_from('\\x{bytes}'::bytea, 'UTF8')"),
        }
    }
}
