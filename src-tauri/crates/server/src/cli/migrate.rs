//! `migrate`: moves the rows of one database into another, from SQLite to PostgreSQL and back.

use super::{CliError, output};
use crate::data::catalogue_source;
use crate::data::directory::{DataDir, Lock, database_in};
use crate::data::open::OpenDataError;
use crate::error::chain;
use crate::settings::Settings;
use clap::Args;
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use store::Store;
use store::moving::{MoveError, MoveReport, TableComparison, into_file, into_postgres};

/// Move all rows into another database: from SQLite into PostgreSQL, or back
///
/// No service may run on either of them. The source does not change. Row counts, exact sums of numeric columns and all cells are
/// compared table by table, and the target can be used only when all are equal. A target with other rows is refused. If the
/// command was interrupted, run it again.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  QUARTERDECK_DATABASE=postgres://quarterdeck:password@db.internal/quarterdeck quarterdeck-server migrate
  quarterdeck-server migrate --from ~/.local/share/quarterdeck --to postgres://quarterdeck@%2Frun%2Fpostgresql/quarterdeck
  quarterdeck-server migrate --from postgres://quarterdeck@%2Frun%2Fpostgresql/quarterdeck --to /srv/quarterdeck

A password on a command line is seen by everybody on the machine: give the address in the environment.")]
pub struct Migrate {
    /// Source: a data directory or a PostgreSQL URL [default: the data directory]
    #[arg(long, value_name = "DIR|URL")]
    from: Option<String>,
    /// Target: a PostgreSQL URL or a data directory [default: the setting database]
    #[arg(long, value_name = "DIR|URL")]
    to: Option<String>,
    /// Print the comparison as JSON
    #[arg(long)]
    json: bool,
}

/// The location of a database.
enum Place {
    Directory(PathBuf),
    Postgres(String),
}

impl Place {
    fn of(text: &str) -> Self {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Self::Postgres(text.to_owned());
        }
        let path = PathBuf::from(text);
        Self::Directory(std::path::absolute(&path).unwrap_or(path))
    }

    /// Locks out services, where that is possible.
    fn lock(&self) -> Result<Option<Lock>, CliError> {
        let Self::Directory(path) = self else { return Ok(None) };
        let data_dir = DataDir::create(path).map_err(OpenDataError::from)?;
        Ok(Some(data_dir.lock().map_err(OpenDataError::from)?))
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    /// Nothing was written: the target contained these rows already.
    was_there: bool,
    tables: Vec<Row<'a>>,
    /// Files outside the database that belong to it.
    beside: Vec<Beside>,
}

#[derive(Serialize)]
struct Row<'a> {
    table: &'a str,
    rows: u64,
    sums: Vec<Sum<'a>>,
}

#[derive(Serialize)]
struct Sum<'a> {
    column: &'a str,
    source: &'a str,
    target: &'a str,
}

/// A file or folder of the data directory that is not in the database.
#[derive(Serialize)]
struct Beside {
    path: PathBuf,
    bytes: u64,
    what: &'static str,
}

/// Names of such files and folders in the data directory, and their purpose.
const BESIDE: [(&str, &str); 7] = [
    ("secrets.key", "opens secrets that are sealed in the database; without it they must be entered again"),
    ("secrets.in-keyring", "says that the key of secrets is in the keyring of this computer"),
    ("instance-keys.sealed", "lets this computer into other instances"),
    ("imports", "bytes of imported files, kept as receipts"),
    ("incoming", "files that wait to be imported"),
    ("quarterdeck.toml", "settings"),
    ("models", "models; they can be downloaded again"),
];

pub fn run(migrate: &Migrate, settings: &Settings) -> Result<(), CliError> {
    let from = migrate.from.as_deref().map_or_else(|| Place::Directory(settings.data_dir.clone()), Place::of);
    let Some(to) = migrate.to.as_deref().or(settings.database.as_deref()).map(Place::of) else {
        return Err(CliError::Usage(
            "no target: expected --to with an address of PostgreSQL or a data directory, or the setting database".to_owned(),
        ));
    };
    if matches!((&from, &to), (Place::Directory(_), Place::Directory(_))) {
        return Err(CliError::Usage(
            "both places are data directories: stop the service and copy the folder, or use `backup` and `restore`".to_owned(),
        ));
    }
    if let Place::Directory(path) = &from
        && !database_in(path).exists()
    {
        return Err(CliError::Usage(format!("there is no database in {}; see --from", path.display())));
    }
    let _locks = (from.lock()?, to.lock()?);
    let catalogue = catalogue_source::load(settings.schema.as_deref()).map_err(OpenDataError::from)?;
    let source = match &from {
        Place::Directory(path) => Store::open(&database_in(path), catalogue),
        Place::Postgres(url) => Store::open_postgres(url, catalogue),
    };
    let source = source.map_err(|error| CliError::Refused(chain(&error)))?;
    let moved = move_rows(&source, &to, migrate.json)?;
    // With the rows in PostgreSQL, the files remain in the data directory of the settings.
    let files = if let Place::Directory(path) = &from { path } else { &settings.data_dir };
    let beside = beside(files)?;
    if migrate.json {
        return Ok(output::json(&Answer {
            was_there: moved.already_equal,
            tables: moved.tables.iter().map(row).collect(),
            beside,
        })?);
    }
    tell(&moved, files, &to, &beside)
}

fn move_rows(source: &Store, to: &Place, is_quiet: bool) -> Result<MoveReport, CliError> {
    let mut print = |table: &TableComparison| {
        // A closed pipe does not stop the move.
        let _ = if is_quiet { Ok(()) } else { line(table) };
    };
    match to {
        Place::Postgres(url) => into_postgres(source, url, &mut print).map_err(|error| refused(&error)),
        Place::Directory(path) => {
            let moved = into_file(source, &database_in(path), &mut print).map_err(|error| refused(&error))?;
            if let Ok(data_dir) = DataDir::create(path) {
                data_dir.keep_private();
            }
            Ok(moved)
        }
    }
}

fn refused(error: &MoveError) -> CliError {
    CliError::Refused(chain(error))
}

fn row(table: &TableComparison) -> Row<'_> {
    let sums = table.source.sums.iter().zip(&table.target.sums);
    Row {
        table: &table.table,
        rows: table.target.rows,
        sums: sums.map(|((column, source), (_, target))| Sum { column, source, target }).collect(),
    }
}

/// Formats `spends  2000 rows  effective_cost 12.5 = 12.5`.
fn line(table: &TableComparison) -> io::Result<()> {
    let equal = |left: &str, right: &str| if left == right { "=" } else { "is not" };
    let TableComparison { table, source, target } = table;
    let (left, right) = (source.rows.to_string(), target.rows.to_string());
    output::line(format!("{table}: rows {left} {} {right}", equal(&left, &right)))?;
    for ((column, left), (_, right)) in source.sums.iter().zip(&target.sums) {
        output::line(format!("  {column} {left} {} {right}", equal(left, right)))?;
    }
    Ok(())
}

fn tell(moved: &MoveReport, files: &Path, to: &Place, beside: &[Beside]) -> Result<(), CliError> {
    let rows: u64 = moved.tables.iter().map(|table| table.target.rows).sum();
    output::line(if moved.already_equal {
        format!("All {rows} rows were there already and are equal. Nothing was written")
    } else {
        format!("All {rows} rows of {} tables arrived and are equal", moved.tables.len())
    })?;
    match to {
        Place::Directory(path) if path != files => {
            output::line(format!("Move these from {} to {}:", files.display(), path.display()))?;
        }
        Place::Directory(_) => output::line("These stay where they are:")?,
        Place::Postgres(_) => output::line(format!(
            "These stay in {}, which the service goes on using; on another computer, move them along:",
            files.display()
        ))?,
    }
    for Beside { path, bytes, what } in beside {
        output::line(format!("  {} ({bytes} bytes): {what}", path.display()))?;
    }
    match to {
        Place::Directory(path) => output::line(format!(
            "Take the setting database away and start the service with --data-dir {}. The rows in PostgreSQL stay until you drop them",
            path.display()
        ))?,
        Place::Postgres(_) => output::line(format!(
            "Give the address in the setting database (QUARTERDECK_DATABASE) and start the service. {} stays until you remove it",
            database_in(files).display()
        ))?,
    }
    Ok(())
}

fn beside(data_dir: &Path) -> io::Result<Vec<Beside>> {
    let found =
        BESIDE.iter().map(|(name, what)| (data_dir.join(name), *what)).filter(|(path, _)| path.exists());
    found.map(|(path, what)| Ok(Beside { bytes: size(&path)?, path, what })).collect()
}

/// Size of a file, or of all files in a folder, bytes.
fn size(path: &Path) -> io::Result<u64> {
    let found = path.symlink_metadata()?;
    if !found.is_dir() {
        return Ok(found.len());
    }
    std::fs::read_dir(path)?.map(|entry| size(&entry?.path())).sum()
}
