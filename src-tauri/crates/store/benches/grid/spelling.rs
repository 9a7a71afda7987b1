//! How values are written in hand-written statements.

use super::rows::Made;
use catalogue::format_timestamptz;
use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    Sqlite,
    Postgres,
}

impl Spelling {
    pub fn id(self, id: Uuid) -> String {
        match self {
            Self::Sqlite => format!("x'{}'", id.simple()),
            Self::Postgres => format!("'{id}'"),
        }
    }

    /// Prefix that keeps a column's index from being used.
    pub fn unindexed(self) -> &'static str {
        match self {
            Self::Sqlite => "+",
            Self::Postgres => "",
        }
    }

    pub fn literal(self, made: &Made) -> String {
        match made {
            Made::Null => "NULL".to_owned(),
            Made::Text(text) | Made::Json(text) => format!("'{}'", text.replace('\'', "''")),
            Made::Uuid(id) => self.id(*id),
            Made::Time(at) if self == Self::Postgres => format!("'{}'", format_timestamptz(*at)),
            Made::Time(number) | Made::Number(number) => number.to_string(),
            Made::Date(days) if self == Self::Postgres => format!("date '1970-01-01' + {days}"),
            Made::Date(days) => days.to_string(),
            Made::Float(number) => format!("{number:?}"),
            Made::Decimal(number) => format!("'{number}'"),
            Made::Bool(truth) if self == Self::Postgres => truth.to_string(),
            Made::Bool(truth) => i64::from(*truth).to_string(),
        }
    }
}
