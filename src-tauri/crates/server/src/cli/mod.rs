//! The command line of `quarterdeck-server`. Its `--help` is its documentation.

mod analyse;
mod ask;
mod backup;
mod causes;
mod desk;
mod doctor;
mod import;
mod imports;
mod knowledge;
mod migrate;
mod model;
mod output;
mod provider;
mod query;
mod schema;
mod serve;
mod spent;
mod table;
mod token;
mod user;

use crate::error::chain;
use crate::logging;
use crate::settings;
use crate::settings::{Flags, Settings, SettingsError};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  quarterdeck-server serve
  quarterdeck-server import bill.csv.gz
  quarterdeck-server import exports/ --dry-run --json
  quarterdeck-server user add ada@example.com --name \"Ada Lovelace\"
  quarterdeck-server user link ada@example.com
  quarterdeck-server token create ada@example.com --name nightly-report --json
  quarterdeck-server table dump spends --format csv > spends.csv
  quarterdeck-server backup
  quarterdeck-server restore quarterdeck-20261120T020000000Z --yes
  quarterdeck-server migrate --to postgres://quarterdeck@%2Frun%2Fpostgresql/quarterdeck
  quarterdeck-server model pull svc-slm
  quarterdeck-server provider add ollama --model llama3.2 --on
  quarterdeck-server ask \"What did compute cost in October?\"
  quarterdeck-server analyse --as-of 2026-06-18
  quarterdeck-server knowledge add runbook.md
  quarterdeck-server query '{ cloud_accounts { id account_name } }'
  quarterdeck-server schema diff
  quarterdeck-server doctor
  quarterdeck-server doctor --repair

Exit codes: 0 done, 1 failed, 2 wrong usage or settings. Answers go to stdout, errors and logs to stderr.

Settings come from flags, the environment and a TOML file (DATA_DIR/quarterdeck.toml or --config), the former winning;
`quarterdeck-server doctor` shows each with its source:";

/// Imports cost and usage exports into one database and shows where the money goes: the service without a window.
#[derive(Parser)]
#[command(name = "quarterdeck-server", version, after_long_help = handbook(), after_help = "See --help for examples.")]
struct Cli {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: Command,
}

/// Where the data is; the same for every command.
#[derive(Args)]
struct Place {
    #[arg(long, global = true, value_name = "DIR", help = with_env(&settings::DATA_DIR))]
    data_dir: Option<PathBuf>,
    /// Settings file to read instead of DATA_DIR/quarterdeck.toml
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[arg(long, global = true, value_name = "URL", help = with_env(&settings::DATABASE))]
    database: Option<String>,
    #[arg(long, global = true, value_name = "DIR", help = with_env(&settings::SCHEMA))]
    schema: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Serve),
    Import(import::Import),
    Imports(imports::Imports),
    #[command(subcommand)]
    User(user::User),
    #[command(subcommand)]
    Token(token::Token),
    #[command(subcommand)]
    Table(table::Table),
    Backup(backup::Backup),
    Restore(backup::Restore),
    Migrate(migrate::Migrate),
    #[command(subcommand)]
    Model(model::Model),
    #[command(subcommand)]
    Provider(provider::Provider),
    Ask(ask::Ask),
    #[command(subcommand)]
    Knowledge(knowledge::Knowledge),
    Analyse(analyse::Analyse),
    Causes(causes::Causes),
    Budget(spent::Budget),
    Ledger(spent::Ledger),
    Query(query::Query),
    #[command(subcommand)]
    Schema(schema::Schema),
    Doctor(doctor::Doctor),
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
enum CliError {
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    OpenData(#[from] crate::data::open::OpenDataError),
    #[error(transparent)]
    Start(#[from] crate::start::StartError),
    #[error(transparent)]
    Account(#[from] auth::AccountError),
    #[error(transparent)]
    Table(#[from] table::TableError),
    #[error(transparent)]
    Backup(#[from] ::backup::BackupError),
    #[error(transparent)]
    Backups(#[from] crate::backups::BackupsError),
    #[error(transparent)]
    OfflineRestore(#[from] crate::backups::offline_restore::OfflineRestoreError),
    #[error(transparent)]
    PostgresRestore(#[from] crate::backups::postgres_restore::PostgresRestoreError),
    #[error(transparent)]
    Model(#[from] models::LibraryError),
    #[error(transparent)]
    Download(#[from] models::Failure),
    #[error(transparent)]
    ModelName(#[from] models::NotAName),
    #[error(transparent)]
    Provider(#[from] llm::SaveError),
    #[error(transparent)]
    Setup(#[from] operations::model_setup::SetupError),
    #[error("{0}")]
    Usage(String),
    /// An operation refused the request.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Interface(#[from] graphql::BuildError),
    #[error(
        "the answer of the interface cannot be read: expected JSON, got what begins with {start:?}. Ask for less at once; if it happens again, report it with the request"
    )]
    NotJson {
        start: String,
        #[source]
        cause: serde_json::Error,
    },
    #[error("the answer could not be printed")]
    Print(#[from] std::io::Error),
    #[error("the runtime of the service could not be started")]
    Runtime(#[source] std::io::Error),
    #[error("the system does not let Ctrl-C be heard")]
    Signals(#[source] std::io::Error),
    /// Everything was reported already.
    #[error("failed")]
    Said,
    /// A file waits for a decision, which was reported already.
    #[error("a decision is needed")]
    Undecided,
    /// No row of a file could be read, which was reported already.
    #[error("no row could be read")]
    NothingRead,
}

impl CliError {
    fn exit_code(&self) -> u8 {
        match self {
            Self::Settings(_)
            | Self::ModelName(_)
            | Self::Usage(_)
            | Self::Setup(operations::model_setup::SetupError::Wrong(_)) => 2,
            Self::Undecided => 3,
            Self::NothingRead => 4,
            _ => 1,
        }
    }
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    match execute(cli) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output has closed the pipe (`| head`).
        Err(CliError::Print(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            if !matches!(error, CliError::Said | CliError::Undecided | CliError::NothingRead) {
                eprintln!("quarterdeck-server: {}", chain(&error));
            }
            ExitCode::from(error.exit_code())
        }
    }
}

fn execute(cli: Cli) -> Result<(), CliError> {
    let listen = match &cli.command {
        Command::Serve(serve) => serve.listen.clone(),
        _ => None,
    };
    let Place { data_dir, config, database, schema } = cli.place;
    let flags = Flags { config, data_dir, listen, database, schema };
    let settings = Settings::read(&flags, &|name| std::env::var(name).ok())?;
    logging::start(&settings.log);
    match cli.command {
        Command::Serve(_) => serve::run(settings),
        Command::Import(import) => import::run(&import, &settings),
        Command::Imports(imports) => imports::run(&imports, &settings),
        Command::User(user) => user::run(&user, &settings),
        Command::Token(token) => token::run(&token, &settings),
        Command::Table(table) => table::run(&table, &settings),
        Command::Backup(backup) => backup::run(&backup, &settings),
        Command::Restore(restore) => backup::restore(&restore, &settings),
        Command::Migrate(migrate) => migrate::run(&migrate, &settings),
        Command::Model(model) => model::run(&model, &settings),
        Command::Provider(provider) => provider::run(&provider, &settings),
        Command::Ask(ask) => ask::run(&ask, &settings),
        Command::Knowledge(knowledge) => knowledge::run(&knowledge, &settings),
        Command::Analyse(analyse) => analyse::run(&analyse, &settings),
        Command::Causes(causes) => causes::run(&causes, &settings),
        Command::Budget(budget) => spent::budget(&budget, &settings),
        Command::Ledger(ledger) => spent::ledger(&ledger, &settings),
        Command::Query(query) => query::run(&query, &settings),
        Command::Schema(schema) => schema::run(&schema, &settings),
        Command::Doctor(doctor) => doctor::run(&doctor, &settings),
    }
}

/// Examples, exit codes, and every setting with its name in the file and in the environment.
fn handbook() -> String {
    let settings = settings::ALL.iter().map(|definition| {
        let default = definition.default.filter(|value| !value.is_empty());
        let default = default.map(|value| format!(" [default: {value}]")).unwrap_or_default();
        format!("\n  {}, {}: {}{default}", definition.name, definition.environment, definition.meaning)
    });
    format!("{EXAMPLES}{}", settings.collect::<String>())
}

/// The help text of a flag: the meaning of its setting, its environment variable and its default.
fn with_env(definition: &settings::Definition) -> String {
    let default = definition.default.map(|value| format!(" [default: {value}]")).unwrap_or_default();
    format!("{} [env: {}]{default}", definition.meaning, definition.environment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// Commands that shared their arguments once showed the description of the arguments instead of their own.
    #[test]
    fn every_command_says_what_it_alone_does() {
        fn walk(command: &clap::Command) {
            let mut told = std::collections::BTreeMap::new();
            for one in command.get_subcommands() {
                let about =
                    one.get_about().unwrap_or_else(|| panic!("{} says nothing", one.get_name())).to_string();
                let before = told.insert(about, one.get_name());
                assert!(before.is_none(), "{} and {before:?} say the same", one.get_name());
                walk(one);
            }
        }
        walk(&Cli::command());
    }

    #[test]
    fn help_names_every_setting_of_the_environment() {
        let help = Cli::command().render_long_help().to_string();
        for definition in settings::ALL.iter() {
            assert!(help.contains(definition.environment), "{}", definition.environment);
        }
    }
}
