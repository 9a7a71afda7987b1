//! `import`: files in, one report each.

mod files;
mod report;

use super::{CliError, output};
use crate::clock;
use crate::courtesy;
use crate::error::chain;
use crate::findings;
use crate::house::House;
use crate::settings::{Importing, Settings};
use auth::household;
use catalogue::Caller;
use clap::Args;
use files::Found;
use indicatif::{ProgressBar, ProgressStyle};
use ingest::{Archive, FormAnswers, Report, RowsChoice, State};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use store::{StoreError, eq};
use uuid::Uuid;

/// Import cost and recommendation exports
///
/// Recognised by content, whatever the name: FOCUS 1.0 to 1.4 as CSV, packed with gzip or not, and the CSV exports of
/// AWS Compute Optimizer for EC2 and EBS. Each file is imported whole or not at all. The same file a second time changes
/// nothing. Files of one command are one delivery; whether its rows add to those that are there or take their place is decided by
/// their content. Where that is not certain nothing changes, and you say which with --add or --replace.
///
/// Folders are searched for files, recursively; what is no data in them is named and passed over. The manifest of an export
/// (Azure, AWS) says which files one run of it has: they are imported together once all are there, and the newest run counts.
/// Works while a server runs on the same data directory.
///
/// Ends with exit code 1 when a file could not be imported, 3 when a file waits for a decision or
/// for the other files of its manifest, 4 when no row of a file could
/// be read.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  quarterdeck-server import focus-export.csv.gz
  quarterdeck-server import exports/ --tenant Acme
  quarterdeck-server import spreadsheet.csv --read-as decimal_comma --read-as day_first
  quarterdeck-server import bill.csv --dry-run --json | jq '.[0].totals'")]
pub struct Import {
    /// Files and folders
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// Tenant the data belongs to; on the first start, the name of the first tenant [default: the first tenant]
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,
    /// The rows are further charges: they stand beside those that are there
    #[arg(long, conflicts_with = "replace")]
    add: bool,
    /// The rows take the place of those that are there; `--replace=accounts`: of those of the same accounts only
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    replace: Option<Replace>,
    /// Read everything, report, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// How numbers and dates are written where a file leaves two readings
    #[arg(long, value_name = "FORM", value_parser = ["decimal_comma", "decimal_point", "day_first", "month_first"])]
    read_as: Vec<String>,
    /// Print the reports as a JSON array
    #[arg(long)]
    json: bool,
}

/// What `--replace` takes out.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Replace {
    /// All rows of the imports that the files tell again
    All,
    /// Those of the accounts in the files
    Accounts,
}

impl Import {
    fn choice(&self) -> Option<RowsChoice> {
        match self.replace {
            Some(Replace::All) => Some(RowsChoice::Replace),
            Some(Replace::Accounts) => Some(RowsChoice::ReplaceAccounts),
            None => self.add.then_some(RowsChoice::Add),
        }
    }
}

pub fn run(arguments: &Import, settings: &Settings) -> Result<(), CliError> {
    courtesy::give_way();
    let house = House::open(settings, arguments.tenant.as_deref())?;
    if let Some(why) = auth::sample::refuses_files(&house.store, house.tenant.id)? {
        return Err(CliError::Refused(why));
    }
    let owner = household::administrator(&house.store)?;
    let files = files::find(&arguments.paths);
    let mut reports = Vec::with_capacity(files.len());
    let mut has_failed = false;
    let forms = arguments.read_as.iter().try_fold(FormAnswers::default(), |forms, word| forms.with(word));
    let forms = forms.ok_or_else(|| CliError::Usage("--read-as takes the words of its help".to_owned()))?;
    let choices = (arguments.choice(), forms, arguments.dry_run);
    let imported = import(&house, owner, &files, choices, settings.importing);
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

/// What a folder holds besides data is no failed import to be listed.
fn forget(house: &House, id: Uuid) {
    let forgotten = house.store.transaction(&Caller::house_for(house.tenant.id), |rows| {
        rows.delete("imports", &[eq("id", id)])?;
        Ok::<_, StoreError>(())
    });
    if let Err(error) = forgotten {
        tracing::warn!("a file that was passed over stays in the list of imports: {}", chain(&error));
    }
}

/// Imports the files as one delivery; their reports in the same order.
fn import(
    house: &House,
    owner: Uuid,
    found: &[Found],
    (choice, forms, dry_run): (Option<RowsChoice>, FormAnswers, bool),
    importing: Importing,
) -> Vec<(Uuid, Report)> {
    let archive = Archive::new(house.data_dir.imports(), importing.kept_bytes);
    let options = ingest::Options {
        owner,
        delivery: Uuid::new_v4(),
        choice,
        decided_by: None,
        most_lower: importing.most_lower,
        archive: Some(&archive),
        forms,
        dry_run,
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
    let names: Vec<String> = found.iter().map(Found::name).collect();
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
            progress: ingest::Progress { tell: tell.as_ref(), cancelled: &never },
        })
        .collect();
    let imported = ingest::import(&house.store, &Caller::house_for(house.tenant.id), &files, options);
    bar.finish_and_clear();
    if !dry_run {
        crate::jobs::prune(&house.store, &archive);
        let reports = imported.as_deref().unwrap_or_default();
        findings::after_imports(&house.store, &Caller::house_for(house.tenant.id), reports);
    }
    let ids = files.iter().map(|file| file.import_id);
    match imported {
        Ok(reports) => {
            let reports = reports.into_iter().zip(found);
            let report = |(report, file): (Result<Report, _>, &Found)| {
                report.unwrap_or_else(|error| failed(file, chain(&error)))
            };
            ids.zip(reports.map(report)).collect()
        }
        Err(error) => ids.zip(found.iter().map(|file| failed(file, chain(&error)))).collect(),
    }
}

/// The report of a file that could not be imported.
fn failed(file: &Found, message: String) -> Report {
    let mut report = Report::of(&file.name(), file.size_bytes);
    report.error = Some(ingest::Failure { message, looked_for: Vec::new(), found: String::new() });
    report
}

/// A bar on a terminal; nothing elsewhere.
fn progress_bar(files: &[Found]) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{prefix} [{bar:30}] {percent}% {msg}, {eta} left")
        .expect("the template names known parts");
    let bar = ProgressBar::new(files.iter().map(|file| file.size_bytes).sum()).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
