//! Errors of the database.

use std::path::PathBuf;

/// Why a read or write was refused or failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no table {0}")]
    UnknownTable(String),
    #[error("table {table} has no column {column}")]
    UnknownColumn { table: String, column: String },
    /// A unique constraint, by its GraphQL name such as `users_pkey`.
    #[error("Uniqueness violation. duplicate key value violates unique constraint \"{constraint}\"")]
    Unique { constraint: String },
    /// The written values and the constraint they violate, in the wording of PostgreSQL: see [`crate::constraint`].
    #[error("Foreign key violation. {0}")]
    ForeignKey(String),
    #[error(
        "Not-NULL violation. null value in column \"{column}\" of relation \"{table}\" violates not-null constraint"
    )]
    NotNull { table: String, column: String },
    #[error(
        "cannot proceed to insert object relation \"{relationship}\" since insert to its table affects zero rows"
    )]
    NoParent { relationship: String },
    #[error("{table}.{column} cannot hold {found}: expected {expected}")]
    WrongValue { table: String, column: String, expected: String, found: String },
    /// A column has several names, and the row sets them to different values.
    #[error("{table}.{column} has several names, which were given different values: give one of them")]
    TwoValues { table: String, column: String },
    /// The values are valid, but the value computed from them is out of range.
    #[error("value out of range: {0}")]
    OutOfRange(String),
    /// A change that the existing JSON value does not allow, such as deleting an object's member by index.
    #[error("{0}")]
    WrongJson(String),
    #[error("access denied")]
    Denied,
    /// An internal error: a write must name its actor or be marked as derived.
    #[error("a write names no actor")]
    NoActor,
    /// An operation's code refused the request: `place` in the request, `code` and `message` for the response. The request's writes are
    /// rolled back unless `keeps_changes` is set.
    #[error("{message}")]
    Refused { code: &'static str, place: String, message: String, keeps_changes: bool },
    /// None of the caller's roles may use the operation at `place`.
    #[error("Access Denied: the role {role} may not use this; allowed are {}", .allowed.join(", "))]
    Forbidden { place: String, role: &'static str, allowed: Vec<&'static str> },
    #[error(
        "the answer has more than {limit} rows, which is the limit; ask for fewer with \"limit\" and \"offset\", or raise the setting max_rows"
    )]
    TooManyRows { limit: u64 },
    #[error(
        "the answer is longer than {limit} bytes, which is the limit; ask for fewer rows or fields, or raise the setting max_answer_bytes"
    )]
    TooManyBytes { limit: usize },
    #[error(
        "the request was stopped after {milliseconds} ms, which is the limit; ask for less at once, or raise the setting max_seconds"
    )]
    TooLong { milliseconds: u64 },
    /// Refused by estimate before any statement ran. `found` is a number of rows.
    #[error(
        "fields of this request would look at about {found} rows, and to go through their tables {limit} times is the limit; ask for fewer at once, give lists a \"limit\", name rows by their keys, or raise the setting max_passes"
    )]
    TooManyPasses { limit: u64, found: u64 },
    /// Refused by estimate before any statement ran.
    #[error(
        "conditions and orders of this request would look through about {found} related rows, and {limit} is the limit; ask in two steps (keys first, then \"_in\" with them), or raise the setting max_related_rows"
    )]
    TooManyRelated { limit: u64, found: u64 },
    #[error("the request was stopped because its caller went away")]
    Interrupted,
    #[error(
        "an import or another program is writing to this database and did not finish within {seconds} s; try again when it is done"
    )]
    Busy { seconds: u64 },
    #[error(
        "all {connections} connections that read from the database are in use, and none came free within {seconds} s; try again in a moment"
    )]
    NoConnection { connections: usize, seconds: u64 },
    /// A newer version of the program migrated the PostgreSQL database while this one was running.
    #[error(
        "the database was brought to schema {found} by a newer Quarterdeck, and this program knows up to {known}: nothing is read or written here any \
         more. Install that version on this server and start it again"
    )]
    NewerSchema { found: i64, known: i64 },
    /// PostgreSQL cannot be reached, or the connection broke during the request: whether changes were committed is unknown.
    #[error(
        "the database cannot be reached; nothing of this request is known to be kept. It is tried again with the next request: see that PostgreSQL runs and answers at the address of the setting \"database\""
    )]
    Unreachable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The function exists for SQLite only, and the database is PostgreSQL.
    #[error("this is done with the file of SQLite only, and the rows are in PostgreSQL")]
    OfOneFile,
    #[error("the disk is full; nothing was changed. Free some space and try again")]
    DiskFull,
    #[error("the database cannot be written: its file or folder is read-only for this user, or not there")]
    ReadOnly,
    /// The content of the file is corrupt.
    #[error(
        "the database is damaged; put a backup back (Settings → Backup & restore). What is there now is kept aside"
    )]
    Damaged(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The code of an operation failed.
    #[error("the operation failed")]
    Code(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the database failed")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl StoreError {
    /// Whether the file or its disk is damaged. Retrying or changing permissions does not help.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged(_))
    }

    /// Whether this server currently cannot use its database at all; another server may.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::NoConnection { .. } | Self::NewerSchema { .. } | Self::Unreachable(_))
    }
}

/// Why a database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(
        "{path} was written by a newer Quarterdeck (schema {found}; this program knows up to {known}). Install that version or choose another data directory or database"
    )]
    Newer { path: PathBuf, found: i64, known: i64 },
    #[error(
        "{path} was written by an earlier Quarterdeck, and migration {number} ({name}) has no statements for PostgreSQL: open it with the version that wrote it"
    )]
    NoMigration { path: PathBuf, number: u32, name: String },
    #[error(
        "\"{url}\" is not an address of PostgreSQL (expected postgres://user:password@host:5432/database): {why}"
    )]
    NoAddress { url: String, why: String },
    /// A move of another database's rows into this one was interrupted.
    #[error(
        "{path} is not finished: rows of another database were being moved here, and that was cut off. Run the same `quarterdeck-server migrate` or `restore` again; \
         to give it up, remove what is there (the file, or the database of PostgreSQL) and choose another"
    )]
    Unfinished { path: PathBuf },
    #[error("{path} is not a Quarterdeck database")]
    NotOurs { path: PathBuf },
    /// Opening would treat the database as new and delete its write-ahead log.
    #[error("{path} is empty or gone, and what was written last is still in its log beside it")]
    Lost { path: PathBuf },
    #[error(
        "{path} differs from the catalogue in what only a migration may change:{}\nA newer Quarterdeck or files given with --schema may have made it \
         so: open it with those. Whoever changed the catalogue adds schema/migrations/NNNN_<what>.sql (see schema/README.md)",
        lines(differences)
    )]
    NeedsMigration { path: PathBuf, differences: Vec<Difference> },
    /// Reported when a migration makes the comparison of non-ASCII letters case-insensitive.
    #[error(
        "{path}: two rows have the same {columns} when case does not count: rename one of them with the version of Quarterdeck that wrote it"
    )]
    SameValue { path: PathBuf, columns: String },
    #[error("{path} was not changed: migration {number} ({name}) failed")]
    Migration {
        path: PathBuf,
        number: u32,
        name: String,
        #[source]
        cause: Box<StoreError>,
    },
    #[error("{path} was not changed: the rows of {table} do not fit the catalogue")]
    Rebuild {
        path: PathBuf,
        table: String,
        #[source]
        cause: Box<StoreError>,
    },
    #[error("{path} was not changed: after the migrations {rows}")]
    Orphans { path: PathBuf, rows: String },
    #[error("{path} was not changed: it could not be copied to {copy} before its migrations")]
    NoCopy {
        path: PathBuf,
        copy: PathBuf,
        #[source]
        cause: Box<StoreError>,
    },
    #[error("{path} cannot be opened")]
    Cannot {
        path: PathBuf,
        #[source]
        cause: StoreError,
    },
}

/// A difference between database and catalogue that only a migration may remove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub table: String,
    /// `None`: the difference concerns the whole table.
    pub column: Option<String>,
    pub kind: DifferenceKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DifferenceKind {
    /// The database has the table or column, but the catalogue does not.
    Unknown,
    /// The catalogue has a column that cannot be null, and existing rows would have no value for it.
    NoValue,
    /// Both have it, with different definitions.
    Changed { database: String, catalogue: String },
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { table, column, kind } = self;
        match column {
            Some(column) => write!(f, "{table}.{column}: ")?,
            None => write!(f, "{table}: ")?,
        }
        match kind {
            DifferenceKind::Unknown => f.write_str("the database has it, the catalogue does not"),
            DifferenceKind::NoValue => f.write_str(
                "the catalogue has it without null and default, so existing rows have no value for it",
            ),
            DifferenceKind::Changed { database, catalogue } => {
                write!(f, "the database has {database}, the catalogue {catalogue}")
            }
        }
    }
}

fn lines(differences: &[Difference]) -> String {
    differences.iter().fold(String::new(), |text, difference| format!("{text}\n  {difference}"))
}
