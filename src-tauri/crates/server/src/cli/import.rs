//! `import`: imports files, with a report for each.

mod files;
mod report;
mod watching;

use super::{CliError, output};
use crate::background::priority;
use crate::clock;
use crate::data::open::OpenData;
use crate::error::chain;
use crate::jobs::findings;
use crate::jobs::questions::Reader;
use crate::settings::{Importing, Settings};
use auth::tenancy;
use catalogue::Caller;
use clap::Args;
use files::InputFile;
use indicatif::{ProgressBar, ProgressStyle};
use ingest::mapping::{self, Mapping, MappingContent};
use ingest::{Archive, FormAnswers, Report, RowsChoice, State};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use store::{StoreError, eq};
use uuid::Uuid;

/// Import bills, scanner reports, alerts and other exports
///
/// The format is detected from the content, not from the file name; all formats are listed below. A file is imported completely or not at all.
/// Importing the same file again changes nothing. The files of one command are one delivery. Its content decides whether its rows are added to
/// the stored rows or replace some of them. If this is not certain, nothing changes, and you decide with --add or --replace.
///
/// Folders are searched recursively; files without data are listed and skipped. The manifest of an export (Azure, AWS) lists
/// the files of one run. They are imported together when all of them are available, and the newest run replaces older ones.
/// Works while a server runs on the same data directory.
///
/// Exit codes: 1 if a file could not be imported, 3 if a file waits for a decision or for other files of its manifest,
/// 4 if no row of a file could be read.
#[derive(Args)]
#[command(after_long_help = after_help())]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub struct Import {
    /// Files and folders
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// Tenant of the data; on the first start, the name of the first tenant [default: the first tenant]
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,
    /// Add the rows to the stored rows
    #[arg(long, conflicts_with = "replace")]
    add: bool,
    /// Replace stored rows; `--replace=accounts`: only those of the accounts in the files; `--replace=overlapping`: only the charges
    /// that the files contain, too
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    replace: Option<Replace>,
    /// Read everything and report, but write nothing
    #[arg(long)]
    dry_run: bool,
    /// How to read an ambiguous file
    ///
    /// One of decimal_comma, decimal_point, day_first, month_first. For an Azure export: actual_cost or amortized_cost. For a bill without a
    /// currency: currency_ and the code, as in currency_eur. For OpenCost: cluster_ and a number, cluster_of_ and the id of an account,
    /// count_beside_bill, leave_to_bill, idle_in_parts or idle_apart
    #[arg(long, value_name = "FORM", value_parser = form)]
    read_as: Vec<String>,
    /// Name of the mapping for tables in no known format [default: the mapping stored for their header]
    #[arg(long, value_name = "NAME")]
    mapping: Option<String>,
    /// Maps a field to a column and stores the mapping under the name in --mapping. Required: cost=COLUMN, date=COLUMN,
    /// provider==VALUE (a fixed value for every row), account=, service=. Optional: currency=, end_date=, account_name=, region=,
    /// resource=, description=, invoice=, quantity=, unit=, and tag=COLUMN for each column of tags
    #[arg(long, value_name = "FIELD=COLUMN", requires = "mapping", conflicts_with = "dry_run")]
    map: Vec<String>,
    /// Watch the folder and import new and changed files until the command is interrupted. A file is complete when two checks find it
    /// unchanged. Imported files are recorded in the data directory, so that no file is imported twice
    #[arg(long, conflicts_with_all = ["dry_run", "json", "map"])]
    watch: bool,
    /// Seconds between two checks of --watch
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "watch", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    every: u32,
    /// Print the reports as a JSON array
    #[arg(long)]
    json: bool,
}

/// Parses a word of [`FormAnswers`].
fn form(word: &str) -> Result<String, String> {
    FormAnswers::default().with(word).map(|_| word.to_owned()).ok_or_else(|| {
        "expected decimal_comma, decimal_point, day_first, month_first, actual_cost, amortized_cost, count_beside_bill, leave_to_bill, \
         idle_in_parts, idle_apart, cluster_ and a number, cluster_of_ and the id of an account, or currency_ and a code such as currency_eur"
            .to_owned()
    })
}

/// The supported formats, from the list that is used for detection, and examples.
fn after_help() -> String {
    let mut text = String::from("What can be imported:\n");
    for one in ingest::readable() {
        text.push_str(&format!("  {}: {}. Fills {}.\n", one.title, one.source, one.fills));
    }
    text.push_str(EXAMPLES);
    text
}

const EXAMPLES: &str = "
Examples:
  quarterdeck-server import focus-export.csv.gz
  quarterdeck-server import exports/ --tenant Acme
  quarterdeck-server import spreadsheet.csv --read-as decimal_comma --read-as day_first
  quarterdeck-server import hetzner.csv --mapping hetzner --map cost=Amount --map currency==EUR --map date=Day \\
      --map provider==Hetzner --map account=Project --map service=Product
  quarterdeck-server import bill.csv --dry-run --json | jq '.[0].totals'";

/// The stored rows that `--replace` replaces.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Replace {
    /// All rows of the imports that the files restate
    All,
    /// Only rows of the accounts in the files
    Accounts,
    /// Only charges that the files contain, too; all others stay
    #[value(alias = "told")]
    Overlapping,
}

impl Import {
    fn choice(&self) -> Option<RowsChoice> {
        match self.replace {
            Some(Replace::All) => Some(RowsChoice::Replace),
            Some(Replace::Accounts) => Some(RowsChoice::ReplaceAccounts),
            Some(Replace::Overlapping) => Some(RowsChoice::Combine),
            None => self.add.then_some(RowsChoice::Add),
        }
    }

    fn choices(&self) -> Result<Choices<'_>, CliError> {
        let forms = self.read_as.iter().try_fold(FormAnswers::default(), |forms, word| forms.with(word));
        Ok(Choices {
            rows: self.choice(),
            forms: forms
                .ok_or_else(|| CliError::Usage("--read-as takes the words of its help".to_owned()))?,
            mapping: self.mapping.as_deref(),
            dry_run: self.dry_run,
        })
    }
}

pub fn run(arguments: &Import, settings: &Settings) -> Result<(), CliError> {
    priority::give_way();
    let house = OpenData::open(settings, arguments.tenant.as_deref())?;
    if let Some(why) = auth::sample::refuses_files(&house.store, house.tenant.id)? {
        return Err(CliError::Refused(why));
    }
    let owner = tenancy::administrator(&house.store)?;
    if arguments.watch {
        return watching::run(arguments, &house, owner, settings);
    }
    let files = files::find(&arguments.paths);
    let mut reports = Vec::with_capacity(files.len());
    let mut has_failed = false;
    if let Some(name) = arguments.mapping.as_deref() {
        keep_mapping(&house, name, &arguments.map, &files)?;
    }
    let choices = arguments.choices()?;
    let imported = import(&house, owner, &files, choices, &settings.importing);
    for (file, (id, report)) in files.iter().zip(imported) {
        let is_passed_over = !file.is_named && report.state == State::Failed && report.format.is_none();
        if is_passed_over {
            forget(&house, id);
        }
        has_failed |= report.state == State::Failed && !is_passed_over;
        if !arguments.json {
            if is_passed_over {
                output::line(report::passed_over(file, &report))?;
            } else if report.state == State::Failed {
                eprint!("{}", report::failure(file, &report));
            } else {
                output::line(report::success(file, &report, arguments.dry_run))?;
            }
        } else if report.state == State::Failed && !is_passed_over {
            eprint!("{}", report::failure(file, &report));
        }
        reports.push(report);
    }
    if arguments.json {
        output::json(&reports)?;
    }
    if files.is_empty() {
        eprintln!("quarterdeck-server: there is no file in what was named");
        has_failed = true;
    }
    let ended_as = |state| reports.iter().any(|report| report.state == state);
    if has_failed {
        Err(CliError::Said)
    } else if ended_as(State::NeedsDecision) || ended_as(State::WaitingForParts) {
        Err(CliError::Undecided)
    } else if ended_as(State::NothingRead) {
        Err(CliError::NothingRead)
    } else {
        Ok(())
    }
}

/// Options that apply to all files.
#[derive(Clone, Copy)]
struct Choices<'a> {
    rows: Option<RowsChoice>,
    forms: FormAnswers,
    mapping: Option<&'a str>,
    dry_run: bool,
}

/// Saves a mapping for the header of the first file without a known format. Without words, the mapping must exist.
fn keep_mapping(house: &OpenData, name: &str, words: &[String], files: &[InputFile]) -> Result<(), CliError> {
    let caller = Caller::system_for(house.tenant.id);
    if words.is_empty() {
        let kept =
            house.store.snapshot(&caller, mapping::all).map_err(|error| CliError::Refused(chain(&error)))?;
        let names: Vec<&str> = kept.iter().map(|kept| kept.mapping.name.as_str()).collect();
        if names.contains(&name) {
            return Ok(());
        }
        let known = if names.is_empty() { "there is none yet".to_owned() } else { names.join(", ") };
        return Err(CliError::Usage(format!(
            "there is no mapping {name:?} ({known}): say with --map which column is what"
        )));
    }
    let content = MappingContent::parse(words.iter().map(String::as_str))
        .map_err(|error| CliError::Usage(format!("--map: {error}")))?;
    let header = files.iter().find_map(|file| ingest::table_header(&file.path).ok().flatten());
    let header = header.ok_or_else(|| {
        CliError::Usage(
            "--map: none of the files is a CSV that no format knows; nothing needs a mapping".to_owned(),
        )
    })?;
    let mapping = Mapping { name: name.to_owned(), content };
    mapping::save(&house.store, &caller, &mapping, &header).map_err(|error| CliError::Refused(chain(&error)))
}

/// Other files in a folder are not listed as failed imports.
fn forget(house: &OpenData, id: Uuid) {
    let forgotten = house.store.transaction(&Caller::system_for(house.tenant.id), |rows| {
        rows.delete("imports", &[eq("id", id)])?;
        Ok::<_, StoreError>(())
    });
    if let Err(error) = forgotten {
        tracing::warn!("a file that was passed over stays in the list of imports: {}", chain(&error));
    }
}

/// Imports the files as one delivery. Returns their reports in the same order.
fn import(
    house: &OpenData,
    owner: Uuid,
    found: &[InputFile],
    choices: Choices<'_>,
    importing: &Importing,
) -> Vec<(Uuid, Report)> {
    let archive = Archive::new(house.data_dir.imports(), importing.kept_bytes).shared_by(&house.store);
    let options = ingest::Options {
        owner,
        delivery: Uuid::new_v4(),
        choice: choices.rows,
        most_lower: importing.most_lower,
        archive: Some(&archive),
        forms: choices.forms,
        mapping: choices.mapping,
        draft: None,
        dry_run: choices.dry_run,
        is_still_due: None,
        clock: clock::now,
    };
    let never = AtomicBool::new(false);
    let bar = progress_bar(found);
    let mut before = 0;
    let tells: Vec<Box<dyn Fn(u64, u64) + Sync>> = found
        .iter()
        .map(|file| {
            let (start, bar, name) = (before, bar.clone(), file.name());
            before += file.size_bytes;
            let tell = move |bytes: u64, rows: u64| {
                bar.set_prefix(name.clone());
                bar.set_position(start + bytes);
                bar.set_message(format!("{rows} rows"));
            };
            Box::new(tell) as Box<dyn Fn(u64, u64) + Sync>
        })
        .collect();
    let names: Vec<String> = found.iter().map(InputFile::name).collect();
    let locations: Vec<String> = found.iter().map(|file| file.path.to_string_lossy().into_owned()).collect();
    let files: Vec<ingest::File<'_>> = found
        .iter()
        .zip(&names)
        .zip(&tells)
        .enumerate()
        .map(|(place, ((file, name), tell))| ingest::File {
            import_id: Uuid::new_v4(),
            name,
            location: &locations[place],
            path: &file.path,
            original: None,
            forms: None,
            answers: &[],
            progress: ingest::Progress { on_progress: tell.as_ref(), cancelled: &never },
        })
        .collect();
    let imported = ingest::import(&house.store, &Caller::system_for(house.tenant.id), &files, options);
    bar.finish_and_clear();
    if !choices.dry_run {
        crate::jobs::prune(&house.store, &archive);
        let reports = imported.as_deref().unwrap_or_default();
        let reader = Reader { archive: &archive, most_lower: importing.most_lower };
        findings::after_imports(&house.store, &Caller::system_for(house.tenant.id), reader, reports);
    }
    let ids = files.iter().map(|file| file.import_id);
    match imported {
        Ok(reports) => {
            let reports = reports.into_iter().zip(found);
            let report = |(report, file): (Result<Report, _>, &InputFile)| {
                report.unwrap_or_else(|error| failed(file, chain(&error)))
            };
            ids.zip(reports.map(report)).collect()
        }
        Err(error) => ids.zip(found.iter().map(|file| failed(file, chain(&error)))).collect(),
    }
}

/// The report of a file that could not be imported.
fn failed(file: &InputFile, message: String) -> Report {
    let mut report = Report::of(&file.name(), file.size_bytes);
    report.error = Some(ingest::Failure { message, looked_for: Vec::new(), found: String::new() });
    report
}

/// A progress bar on a terminal, otherwise nothing.
fn progress_bar(files: &[InputFile]) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{prefix} [{bar:30}] {percent}% {msg}, {eta} left")
        .expect("the template names known parts");
    let bar = ProgressBar::new(files.iter().map(|file| file.size_bytes).sum()).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
