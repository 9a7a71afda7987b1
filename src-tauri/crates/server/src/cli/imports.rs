//! `imports`: lists, undoes and decides imports, and shows the line of a file behind a charge.

use super::{CliError, output};
use crate::clock;
use crate::data::open::OpenData;
use crate::error::chain;
use crate::jobs;
use crate::jobs::findings;
use crate::jobs::questions::Reader;
use crate::settings::Settings;
use auth::tenancy;
use catalogue::{Caller, Value, format_timestamp};
use clap::{Args, Subcommand};
use ingest::Archive;
use ingest::undo::{UndoError, UndoRequest};
use serde::Serialize;
use serde_json::value::RawValue;
use std::error::Error;
use uuid::Uuid;

/// List, undo and decide imports, and show the source line of a charge
#[derive(Args)]
pub struct Imports {
    #[command(subcommand)]
    command: Command,
    /// Tenant of the imports [default: the first tenant]
    #[arg(long, value_name = "NAME", global = true)]
    tenant: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    /// List all imports, newest first
    List,
    /// Show the report of an import
    Show { id: Uuid },
    /// Show a line of an imported file and its record
    Line { id: Uuid, line: u64 },
    /// Undo an import: delete its rows and restore the rows it replaced
    Undo {
        id: Uuid,
        /// Also undo later imports that depend on it
        #[arg(long)]
        with_later: bool,
    },
    /// Decide an import that waits: add, replace, combine or replace_accounts, or the format of its numbers and dates
    Decide {
        id: Uuid,
        choice: String,
        /// For number and date formats: apply the answer to the other files of the delivery that wait for it, too
        #[arg(long)]
        all: bool,
    },
}

#[derive(Serialize)]
struct ImportLine {
    id: String,
    file_name: String,
    state: String,
    rows_written: i64,
    created_at: String,
}

#[derive(Serialize)]
struct Undone {
    undone: Vec<Uuid>,
}

#[derive(Serialize)]
struct LineOfFile {
    line: u64,
    text: String,
    columns: Vec<(String, String)>,
}

pub fn run(imports: &Imports, settings: &Settings) -> Result<(), CliError> {
    let house = OpenData::open(settings, imports.tenant.as_deref())?;
    let caller = Caller::system_for(house.tenant.id);
    let archive =
        Archive::new(house.data_dir.imports(), settings.importing.kept_bytes).shared_by(&house.store);
    match &imports.command {
        Command::List => list(&house, &caller, imports.json),
        Command::Show { id } => show(&house, &caller, *id),
        Command::Line { id, line } => self::line(&house, &caller, &archive, (*id, *line), imports.json),
        Command::Undo { id, with_later } => {
            let reader = Reader { archive: &archive, most_lower: settings.importing.most_lower };
            undo(&house, &caller, reader, (*id, *with_later), imports.json)
        }
        Command::Decide { id, choice, all } => {
            let reach = if *all { jobs::Reach::SameQuestion } else { jobs::Reach::File };
            let owner = tenancy::administrator(&house.store)?;
            let most_lower = settings.importing.most_lower;
            let reports = jobs::decide(
                &house.store,
                &caller,
                &archive,
                (*id, owner),
                (choice, None),
                reach,
                most_lower,
            )
            .map_err(refused)?;
            if imports.json {
                return Ok(output::json(&reports)?);
            }
            for report in &reports {
                output::line(format!(
                    "{}: {}, {} rows written",
                    report.file_name,
                    report.state.name(),
                    report.rows_written
                ))?;
            }
            Ok(())
        }
    }
}

fn list(house: &OpenData, caller: &Caller, json: bool) -> Result<(), CliError> {
    let columns = ["id", "file_name", "state", "rows_written", "created_at"];
    let mut rows = house
        .store
        .snapshot(caller, |rows| rows.select("imports", &columns, &[]))
        .map_err(|error: store::StoreError| refused(error))?;
    rows.sort_by_key(|row| std::cmp::Reverse(row.last().and_then(Value::as_int)));
    let text = |value: &Value| value.as_text().unwrap_or_default().to_owned();
    let listed: Vec<ImportLine> = rows
        .iter()
        .filter_map(|row| match row.as_slice() {
            [Value::Uuid(id), name, state, written, created] => Some(ImportLine {
                id: id.to_string(),
                file_name: text(name),
                state: text(state),
                rows_written: written.as_int().unwrap_or_default(),
                created_at: format!("{}Z", format_timestamp(created.as_int().unwrap_or_default())),
            }),
            _ => None,
        })
        .collect();
    if json {
        return Ok(output::json(&listed)?);
    }
    for row in &listed {
        output::line(format!(
            "{}  {}  {:<15} {:>9} rows  {}",
            row.id, row.created_at, row.state, row.rows_written, row.file_name
        ))?;
    }
    Ok(())
}

fn show(house: &OpenData, caller: &Caller, id: Uuid) -> Result<(), CliError> {
    let import = find(house, caller, id)?;
    let report =
        RawValue::from_string(import.report).map_err(|error| CliError::Refused(error.to_string()))?;
    Ok(output::json(&report)?)
}

fn line(
    house: &OpenData,
    caller: &Caller,
    archive: &Archive,
    (id, line): (Uuid, u64),
    json: bool,
) -> Result<(), CliError> {
    let import = find(house, caller, id)?;
    let dropped =
        || CliError::Refused(format!("the bytes of {} are not kept here any more", import.file_name));
    let path = archive.find(&import.sha256).map_err(refused)?.ok_or_else(dropped)?;
    let found = ingest::record_at(&path, line).map_err(refused)?;
    let found = found
        .ok_or_else(|| CliError::Refused(format!("{} has fewer than {line} lines", import.file_name)))?;
    if json {
        return Ok(output::json(&LineOfFile { line: found.line, text: found.text, columns: found.columns })?);
    }
    Ok(output::line(found.text)?)
}

fn undo(
    house: &OpenData,
    caller: &Caller,
    reader: Reader<'_>,
    (id, with_later): (Uuid, bool),
    json: bool,
) -> Result<(), CliError> {
    let by = UndoRequest { person: None, clock: clock::now };
    let mut undone = findings::undo(&house.store, caller, reader, (id, &[]), by);
    if let (Err(UndoError::Others(others)), true) = (&undone, with_later) {
        let with: Vec<Uuid> = others.iter().map(|other| other.id).collect();
        undone = findings::undo(&house.store, caller, reader, (id, &with), by);
    }
    let undone = undone.map_err(|error| match &error {
        UndoError::Others(others) => {
            let names: Vec<String> =
                others.iter().map(|other| format!("{} ({})", other.file_name, other.id)).collect();
            CliError::Refused(format!("{error}: {}. Add --with-later to undo them first", names.join(", ")))
        }
        _ => refused(error),
    })?;
    if json {
        return Ok(output::json(&Undone { undone })?);
    }
    for id in &undone {
        output::line(format!("{id} was undone"))?;
    }
    Ok(())
}

fn find(house: &OpenData, caller: &Caller, id: Uuid) -> Result<jobs::Import, CliError> {
    jobs::find(&house.store, caller, id)
        .map_err(refused)?
        .ok_or_else(|| CliError::Refused(format!("there is no import {id} in this tenant")))
}

fn refused(error: impl Error + 'static) -> CliError {
    CliError::Refused(chain(&error))
}
