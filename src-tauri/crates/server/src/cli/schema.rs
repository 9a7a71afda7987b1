//! `schema`: compares the database with the catalogue, and applies the differences.

use super::{CliError, output};
use crate::data::catalogue_source;
use crate::data::directory::database_in;
use crate::data::open::OpenDataError;
use crate::settings::Settings;
use catalogue::{Catalogue, format_timestamptz};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::sync::Arc;
use store::DatabaseFile;
use store::schema::{AppliedMigration, Report, State};

/// Compare the database with the catalogue, and update it
#[derive(Subcommand)]
pub enum Schema {
    Diff(Diff),
    Apply(Apply),
}

/// Show differences between database and catalogue and pending migrations; changes nothing
#[derive(Args)]
pub struct Diff {
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Update the database as every start does: additions and migrations, all or nothing
///
/// Before a migration the database is copied to quarterdeck.db.before-schema-N. To roll back, stop the service and replace quarterdeck.db with
/// the copy.
#[derive(Args)]
pub struct Apply {
    /// Run everything in a transaction and roll it back
    #[arg(long)]
    dry_run: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(schema: &Schema, settings: &Settings) -> Result<(), CliError> {
    match schema {
        Schema::Diff(arguments) => diff(arguments, settings),
        Schema::Apply(arguments) => apply(arguments, settings),
    }
}

fn diff(arguments: &Diff, settings: &Settings) -> Result<(), CliError> {
    let (file, catalogue) = open(settings)?;
    let state = store::schema::state(&file, &catalogue).map_err(OpenDataError::from)?;
    if arguments.json {
        return Ok(output::json(&state_as_json(&state))?);
    }
    output::line(format!("Version   {}, this program has {}", state.version, store::SCHEMA_VERSION))?;
    for applied in &state.applied {
        let at = format_timestamptz(applied.at);
        output::line(format!("Applied   {:04} {}, {at}, by {}", applied.number, applied.name, applied.by))?;
        for note in &applied.notes {
            output::line(format!("          {note}"))?;
        }
    }
    for number in &state.edited {
        output::line(format!("Edited    {number:04} was applied with another text than it has today"))?;
    }
    for (number, name) in &state.pending {
        output::line(format!("Due       {number:04} {name}"))?;
    }
    for difference in &state.differences {
        output::line(format!("Differs   {difference}"))?;
    }
    for addition in &state.additions {
        output::line(format!("To do     {}", first_line(addition)))?;
    }
    if state.pending.is_empty() && state.differences.is_empty() && state.additions.is_empty() {
        output::line("The database is as the catalogue has it")?;
    }
    Ok(())
}

fn apply(arguments: &Apply, settings: &Settings) -> Result<(), CliError> {
    let (mut file, catalogue) = open(settings)?;
    let report =
        store::schema::apply(&mut file, &catalogue, arguments.dry_run).map_err(OpenDataError::from)?;
    if arguments.json {
        return Ok(output::json(&report_as_json(&report, arguments.dry_run))?);
    }
    if let Some(copy) = &report.copy {
        output::line(format!("Copied    to {}", copy.display()))?;
    }
    for addition in &report.additions {
        output::line(format!("Added     {}", first_line(addition)))?;
    }
    for applied in &report.migrations {
        output::line(format!("Applied   {:04} {}", applied.number, applied.name))?;
        for note in &applied.notes {
            output::line(format!("          {note}"))?;
        }
    }
    for table in &report.rebuilt {
        output::line(format!("Rebuilt   {table}"))?;
    }
    output::line(match (report.created, arguments.dry_run) {
        (_, true) => "All of it works; nothing was changed",
        (true, false) => "The database was created",
        (false, false) => "The database is as the catalogue has it",
    })?;
    Ok(())
}

fn open(settings: &Settings) -> Result<(DatabaseFile, Arc<Catalogue>), CliError> {
    if settings.database.is_some() {
        return Err(CliError::Refused(
            "`schema` reads the file of SQLite; a database of PostgreSQL is brought up to the catalogue by each start"
                .to_owned(),
        ));
    }
    let path = database_in(&settings.data_dir);
    if !path.exists() {
        let path = path.display();
        return Err(CliError::Refused(format!(
            "there is no database {path} yet; the first start creates it"
        )));
    }
    let file = DatabaseFile::open(&path).map_err(OpenDataError::from)?;
    let catalogue = catalogue_source::load(settings.schema.as_deref()).map_err(OpenDataError::from)?;
    Ok((file, catalogue))
}

fn state_as_json(state: &State) -> Value {
    let differences = state.differences.iter().map(|difference| {
        json!({"table": difference.table, "column": difference.column, "message": difference.to_string()})
    });
    let pending = state.pending.iter().map(|(number, name)| json!({"number": number, "name": name}));
    json!({
        "version": state.version,
        "known_version": store::SCHEMA_VERSION,
        "applied": state.applied.iter().map(applied_as_json).collect::<Vec<_>>(),
        "edited": state.edited,
        "pending": pending.collect::<Vec<_>>(),
        "differences": differences.collect::<Vec<_>>(),
        "additions": state.additions,
    })
}

fn report_as_json(report: &Report, dry_run: bool) -> Value {
    json!({
        "dry_run": dry_run,
        "created": report.created,
        "copy": report.copy,
        "additions": report.additions,
        "migrations": report.migrations.iter().map(applied_as_json).collect::<Vec<_>>(),
        "rebuilt": report.rebuilt,
    })
}

fn applied_as_json(applied: &AppliedMigration) -> Value {
    json!({
        "number": applied.number,
        "name": applied.name,
        "checksum": applied.checksum,
        "at": format_timestamptz(applied.at),
        "by": applied.by,
        "notes": applied.notes,
    })
}

fn first_line(statement: &str) -> &str {
    statement.lines().next().unwrap_or_default().trim_end_matches(" (")
}
