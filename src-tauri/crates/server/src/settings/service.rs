//! Settings of the service itself: its folder, addresses, sessions and logging.

use super::{Definition, Origin, SettingsError};

pub const DATA_DIR: Definition = Definition {
    name: "data_dir",
    environment: "QUARTERDECK_DATA_DIR",
    default: None,
    meaning: "Folder for the database and for files waiting for import. Default: the data folder of this system (Linux: \
              $XDG_DATA_HOME/quarterdeck or ~/.local/share/quarterdeck)",
    is_secret: false,
};

pub const LISTEN: Definition = Definition {
    name: "listen",
    environment: "QUARTERDECK_LISTEN",
    default: Some("127.0.0.1:8790"),
    meaning: "Address and port to listen on. Port 0 selects a free port",
    is_secret: false,
};

pub const SCHEMA: Definition = Definition {
    name: "schema",
    environment: "QUARTERDECK_SCHEMA",
    default: None,
    meaning: "Folder of a catalogue that replaces the built-in one",
    is_secret: false,
};

pub const HOSTS: Definition = Definition {
    name: "hosts",
    environment: "QUARTERDECK_HOSTS",
    default: Some(""),
    meaning: "Additional names (host or host:port, separated by commas) under which browsers reach this service, such as the name of a reverse \
              proxy",
    is_secret: false,
};

pub const SESSION_HOURS: Definition = Definition {
    name: "session_hours",
    environment: "QUARTERDECK_SESSION_HOURS",
    default: Some("24"),
    meaning: "Hours after which a browser must sign in again",
    is_secret: false,
};

pub const APPAUTH_SECRET: Definition = Definition {
    name: "appauth_secret",
    environment: "APPAUTH_SECRET",
    default: None,
    meaning: "Secret that signs bearer tokens. Default: generated and stored in the database",
    is_secret: true,
};

pub const SESSION_IDLE_HOURS: Definition = Definition {
    name: "session_idle_hours",
    environment: "QUARTERDECK_SESSION_IDLE_HOURS",
    default: None,
    meaning: "Hours without a request after which a browser must sign in again. Default: session_hours",
    is_secret: false,
};

pub const LOG: Definition = Definition {
    name: "log",
    environment: "QUARTERDECK_LOG",
    default: Some("info"),
    meaning: "Log level on stderr: error, warn, info, debug or trace, or a filter such as server=debug,info",
    is_secret: false,
};

pub const DATABASE: Definition = Definition {
    name: "database",
    environment: "QUARTERDECK_DATABASE",
    default: None,
    meaning: "URL of a PostgreSQL database (15 or newer) to use instead of the file in the data directory: postgres://host:5432/name?user=name. \
              Give a password in the environment or the settings file, not on the command line",
    is_secret: true,
};

pub const DATABASE_REPLICA: Definition = Definition {
    name: "database_replica",
    environment: "QUARTERDECK_DATABASE_REPLICA",
    default: None,
    meaning: "URL of a PostgreSQL read replica (streaming replication) of the server in the setting database. It answers requests that accept \
              data a few seconds old (header X-Max-Staleness)",
    is_secret: true,
};

pub const METRICS_TOKEN: Definition = Definition {
    name: "metrics_token",
    environment: "QUARTERDECK_METRICS_TOKEN",
    default: None,
    meaning: "Bearer token for /metrics. Without it, /metrics answers only programs on this computer, and not through a proxy",
    is_secret: true,
};

pub const DRAIN_SECONDS: Definition = Definition {
    name: "drain_seconds",
    environment: "QUARTERDECK_DRAIN_SECONDS",
    default: Some("0"),
    meaning: "Seconds for which the service still answers after SIGTERM while /readyz reports that it is not ready; for load balancers that check \
              it",
    is_secret: false,
};

pub const SLOW_STATEMENT_MS: Definition = Definition {
    name: "slow_statement_ms",
    environment: "QUARTERDECK_SLOW_STATEMENT_MS",
    default: Some("1000"),
    meaning: "Reads of the database that take at least so many milliseconds are logged with their plan, without values. 0 logs none",
    is_secret: false,
};

/// In display order. The data directory comes first because it contains the settings file.
pub(super) const ALL: &[&Definition] = &[
    &DATA_DIR,
    &LISTEN,
    &DATABASE,
    &DATABASE_REPLICA,
    &SCHEMA,
    &HOSTS,
    &SESSION_HOURS,
    &SESSION_IDLE_HOURS,
    &APPAUTH_SECRET,
    &LOG,
    &METRICS_TOKEN,
    &DRAIN_SECONDS,
    &SLOW_STATEMENT_MS,
];

/// The URL of the replica. Requires the setting `database`.
pub(super) fn replica(database: &Origin, replica: &Origin) -> Result<Option<String>, SettingsError> {
    if replica.value.is_some() && database.value.is_none() {
        let cause = "expected the setting database beside it; a replica follows a database of PostgreSQL";
        return Err(SettingsError::Unusable { name: DATABASE_REPLICA.name, cause: cause.into() });
    }
    Ok(replica.value.clone())
}
