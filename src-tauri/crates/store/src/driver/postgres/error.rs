//! Converts PostgreSQL errors to errors of the store.

use crate::StoreError;
use tokio_postgres::error::{DbError, SqlState};

/// SQLSTATE codes raised by our functions: see `schema/postgres/functions.sql`.
const OUT_OF_RANGE: &str = "QD001";
const WRONG_JSON: &str = "QD002";

/// How long a write waits for others before it fails: see [`super::connections`].
pub(super) const PATIENCE_SECONDS: u64 = 60;

pub(super) fn store_error(error: tokio_postgres::Error) -> StoreError {
    let Some(said) = error.as_db_error() else {
        return if error.is_closed() || is_of_transport(&error) {
            StoreError::Unreachable(Box::new(error))
        } else {
            StoreError::Database(Box::new(error))
        };
    };
    let table = || said.table().unwrap_or_default().to_owned();
    match said.code() {
        &SqlState::UNIQUE_VIOLATION => {
            StoreError::Unique { constraint: said.constraint().unwrap_or_default().to_owned() }
        }
        &SqlState::NOT_NULL_VIOLATION => {
            StoreError::NotNull { table: table(), column: said.column().unwrap_or_default().to_owned() }
        }
        &SqlState::FOREIGN_KEY_VIOLATION => StoreError::ForeignKey(said.message().to_owned()),
        &SqlState::QUERY_CANCELED => StoreError::Interrupted,
        &SqlState::LOCK_NOT_AVAILABLE
        | &SqlState::T_R_DEADLOCK_DETECTED
        | &SqlState::T_R_SERIALIZATION_FAILURE => StoreError::Busy { seconds: PATIENCE_SECONDS },
        &SqlState::DISK_FULL => StoreError::DiskFull,
        &SqlState::READ_ONLY_SQL_TRANSACTION => StoreError::ReadOnly,
        &SqlState::NUMERIC_VALUE_OUT_OF_RANGE => StoreError::OutOfRange(said.message().to_owned()),
        &SqlState::ADMIN_SHUTDOWN
        | &SqlState::CRASH_SHUTDOWN
        | &SqlState::CANNOT_CONNECT_NOW
        | &SqlState::TOO_MANY_CONNECTIONS => StoreError::Unreachable(Box::new(error)),
        state => match state.code() {
            OUT_OF_RANGE => StoreError::OutOfRange(said.message().to_owned()),
            WRONG_JSON => StoreError::WrongJson(said.message().to_owned()),
            _ => {
                tracing::error!(statement_error = %described(said), "PostgreSQL refused a statement");
                StoreError::Database(Box::new(error))
            }
        },
    }
}

/// Code and message, without values: those are in the detail.
fn described(said: &DbError) -> String {
    format!("{} {}", said.code().code(), said.message())
}

/// Whether the connection failed or could not be opened.
fn is_of_transport(error: &tokio_postgres::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(found) = cause {
        if found.is::<std::io::Error>() {
            return true;
        }
        cause = found.source();
    }
    false
}
