//! Opens a database: an SQLite file, or a PostgreSQL URL.

use crate::driver::database_file::DatabaseFile;
use crate::driver::postgres::{self, ConnectionLimits, Session};
use crate::error::OpenError;
use crate::schema;
use crate::schema::postgres::Purpose;
use catalogue::Catalogue;
use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Updates the schema of the file to the catalogue.
pub(crate) fn update_schema(mut file: DatabaseFile, catalogue: &Catalogue) -> Result<Connection, OpenError> {
    schema::update_schema(&mut file, catalogue)?;
    Ok(file.connection)
}

/// Timeout for connecting, unless the URL sets one.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Opens a PostgreSQL database and updates its schema to the catalogue.
pub(crate) fn postgres(
    url: &str,
    catalogue: &Arc<Catalogue>,
    purpose: Purpose,
    limits: ConnectionLimits,
) -> Result<Arc<postgres::Connections>, OpenError> {
    let (address, path) = address(url)?;
    let writer = Session::open(&address).map_err(|cause| OpenError::Cannot { path: path.clone(), cause })?;
    schema::postgres::update_schema(&writer, catalogue, &path, purpose)?;
    Ok(postgres::Connections::new(address, limits, writer, schema::MIGRATIONS, catalogue))
}

/// Parses a URL; returns it with the name of the database for messages.
pub(crate) fn address(url: &str) -> Result<(postgres::Address, PathBuf), OpenError> {
    let no_address = |why: String| OpenError::NoAddress { url: without_password(url), why };
    let mut address: postgres::Address = url.parse().map_err(no_address)?;
    if address.config.get_connect_timeout().is_none() {
        address.config.connect_timeout(CONNECT_TIMEOUT);
    }
    address.config.application_name(session_name());
    Ok((address, PathBuf::from(without_password(url))))
}

/// The name of this process's sessions in PostgreSQL (`pg_stat_activity`), which distinguishes them from other processes of ours.
fn session_name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| format!("Quarterdeck {}", uuid::Uuid::new_v4()))
}

/// The URL without user and password, for messages.
pub(crate) fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return "(an address without ://)".to_owned() };
    let end = rest.find('/').unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let user =
        authority.rsplit_once('@').map(|(person, _)| person.split_once(':').map_or(person, |(user, _)| user));
    match user {
        Some(user) => format!("{scheme}://{user}@{host}{path}"),
        None => format!("{scheme}://{host}{path}"),
    }
}
