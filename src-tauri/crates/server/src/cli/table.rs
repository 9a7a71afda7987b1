//! `table`: loads and dumps tables as files.

use super::{CliError, output};
use crate::data::open::OpenData;
use crate::settings::Settings;
use crate::transfer::{self, Format, TableFile, TransferError};
use auth::tenancy;
use catalogue::Caller;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};

/// Load rows into tables and dump them, as CSV or NDJSON
#[derive(Subcommand)]
pub enum Table {
    Load(Load),
    Dump(Dump),
}

/// Load the rows of files into tables, all or none
///
/// CSV: a header with column names, then rows; an empty cell is null where the column may be null. NDJSON: one object
/// per line. Missing columns get their defaults, and the tenant is filled in. Times are ISO 8601 (without a zone: UTC).
/// On an error the line and column are reported, and nothing is loaded. Rows are loaded unchanged: triage rules do not
/// apply to events loaded this way. Works while a server runs on the same data.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  quarterdeck-server table load cloud_accounts accounts.csv
  quarterdeck-server table load cloud_accounts accounts.csv events events.ndjson
  quarterdeck-server table dump spends --format ndjson > spends.ndjson")]
pub struct Load {
    /// Table, such as `cloud_accounts`, and file with its rows (.csv, .ndjson or .jsonl); several pairs are loaded in this order
    #[arg(required = true, num_args = 2.., value_names = ["TABLE", "FILE"])]
    files: Vec<PathBuf>,
    /// Load CSV texts unchanged. Without it, a ' that a dump added before a text that looks like a formula is removed
    #[arg(long)]
    raw: bool,
    /// Tenant of the rows [default: the first tenant]
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,
}

/// Print the rows of a table in no particular order, without secret columns
#[derive(Args)]
pub struct Dump {
    /// Table, such as `spends`
    table: String,
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// CSV for programs. Without it, a ' is added before texts that a spreadsheet would run as formulas (= + - @)
    #[arg(long)]
    raw: bool,
    /// Tenant of the rows [default: the first tenant]
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,
}

/// Why a table command failed.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("{path} cannot be read")]
    Open {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error(
        "expected a table and the file of its rows, or several such pairs; the last, {last:?}, has no file"
    )]
    Pair { last: PathBuf },
    #[error("{path} is neither .csv nor .ndjson or .jsonl: its ending says how to read it")]
    Ending { path: PathBuf },
    #[error("{path} was not loaded")]
    Load {
        path: PathBuf,
        #[source]
        cause: Box<TransferError>,
    },
    #[error(transparent)]
    Dump(Box<TransferError>),
}

pub fn run(table: &Table, settings: &Settings) -> Result<(), CliError> {
    match table {
        Table::Load(arguments) => load(arguments, settings),
        Table::Dump(arguments) => dump(arguments, settings),
    }
}

fn load(arguments: &Load, settings: &Settings) -> Result<(), CliError> {
    let (pairs, left) = arguments.files.as_chunks::<2>();
    if let [last] = left {
        return Err(TableError::Pair { last: last.clone() }.into());
    }
    let tables: Vec<_> = pairs.iter().map(|[table, _]| table.to_string_lossy()).collect();
    let mut files = Vec::with_capacity(pairs.len());
    for (table, [_, path]) in tables.iter().zip(pairs) {
        let format = format_of(path).ok_or_else(|| TableError::Ending { path: path.clone() })?;
        let rows =
            std::fs::File::open(path).map_err(|cause| TableError::Open { path: path.clone(), cause })?;
        files.push(TableFile { table, format: for_whom(format, arguments.raw), rows });
    }
    let (house, caller) = open(settings, arguments.tenant.as_deref())?;
    let counts = transfer::load(&house.store, &caller, files).map_err(|(place, cause)| TableError::Load {
        path: pairs[place][1].clone(),
        cause: Box::new(cause),
    })?;
    for (rows, table) in counts.iter().zip(&tables) {
        output::line(format!("Loaded {rows} rows into {table}"))?;
    }
    Ok(())
}

fn dump(arguments: &Dump, settings: &Settings) -> Result<(), CliError> {
    let (house, caller) = open(settings, arguments.tenant.as_deref())?;
    let format = for_whom(arguments.format, arguments.raw);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match transfer::dump(&house.store, &caller, &arguments.table, format, &mut out) {
        Ok(_) => Ok(()),
        Err(TransferError::Io(error)) => Err(CliError::Print(error)),
        Err(error) => Err(TableError::Dump(Box::new(error)).into()),
    }
}

fn open(settings: &Settings, tenant: Option<&str>) -> Result<(OpenData, Caller), CliError> {
    let house = OpenData::open(settings, None)?;
    let tenant = tenancy::find(&house.store, tenant)?;
    let caller = Caller::system_for(tenant.id);
    Ok((house, caller))
}

fn for_whom(format: Format, is_raw: bool) -> Format {
    match format {
        Format::Csv if is_raw => Format::RawCsv,
        other => other,
    }
}

fn format_of(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()?.to_lowercase().as_str() {
        "csv" => Some(Format::Csv),
        "ndjson" | "jsonl" => Some(Format::Ndjson),
        _ => None,
    }
}
