//! `doctor`: describes and checks this installation.

use super::{CliError, output};
use crate::data::catalogue_source;
use crate::data::directory::{DataDir, DataDirError, database_in, size_on_disk};
use crate::error::chain;
use crate::listen::pages;
use crate::metrics::Readings;
use crate::settings::{Line, Origin, Settings};
use catalogue::{Caller, Catalogue};
use clap::Args;
use serde::Serialize;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use store::{OpenError, Store, StoreError};

/// Free disk space below which to warn: a database grows by about the size of the imported files.
const LITTLE_SPACE_BYTES: u64 = 1024 * 1024 * 1024;

/// Check this installation: settings with their sources, database, disk, versions, missing parts
///
/// Changes nothing without --repair. Exit code 1 if there is an error; missing optional parts are only listed.
#[derive(Args)]
pub struct Doctor {
    /// Rebuild the derived sums (segments and cubes)
    #[arg(long)]
    repair: bool,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
    /// Print metrics of the data directory in Prometheus format instead; a running service has more at /metrics
    #[arg(long, conflicts_with_all = ["json", "repair"])]
    metrics: bool,
}

#[derive(Serialize)]
struct Findings {
    version: &'static str,
    system: String,
    settings: Vec<Line>,
    checks: Vec<Check>,
}

#[derive(Serialize)]
struct Check {
    what: &'static str,
    state: State,
    says: String,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    /// Works, but needs attention.
    Note,
    Wrong,
}

impl Check {
    fn ok(what: &'static str, says: impl Into<String>) -> Self {
        Self { what, state: State::Ok, says: says.into() }
    }
    fn note(what: &'static str, says: impl Into<String>) -> Self {
        Self { what, state: State::Note, says: says.into() }
    }
    fn wrong(what: &'static str, says: impl Into<String>) -> Self {
        Self { what, state: State::Wrong, says: says.into() }
    }
}

pub fn run(doctor: &Doctor, settings: &Settings) -> Result<(), CliError> {
    if doctor.metrics {
        return metrics(settings);
    }
    let findings = Findings {
        version: env!("CARGO_PKG_VERSION"),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        settings: settings.origins.iter().map(Origin::line).collect(),
        checks: check(settings, doctor.repair),
    };
    if doctor.json {
        output::json(&findings)?;
    } else {
        print(&findings)?;
    }
    if findings.checks.iter().any(|check| check.state == State::Wrong) {
        return Err(CliError::Said);
    }
    Ok(())
}

/// Prints the metrics of the data directory.
fn metrics(settings: &Settings) -> Result<(), CliError> {
    let text = figures(settings).map_err(|error| CliError::Refused(chain(&*error)))?;
    Ok(output::line(text.trim_end())?)
}

fn figures(settings: &Settings) -> Result<String, Box<dyn Error>> {
    let path = database_in(&settings.data_dir);
    if settings.database.is_none() && !path.exists() {
        return Err(
            format!("{} is not there; the first start of the service creates it", path.display()).into()
        );
    }
    let catalogue = catalogue_source::load(settings.schema.as_deref())?;
    let store = open(settings, catalogue)?;
    Ok(Readings::of_data(&store, &settings.data_dir)?.text()?)
}

fn check(settings: &Settings, repair: bool) -> Vec<Check> {
    let mut checks = vec![data_dir(&settings.data_dir), disk(&settings.data_dir)];
    let catalogue = catalogue_source::load(settings.schema.as_deref());
    match catalogue {
        Ok(catalogue) => {
            checks.push(Check::ok("catalogue", format!("{} tables", catalogue.tables.len())));
            checks.extend(database(settings, catalogue, repair));
        }
        Err(error) => checks.push(Check::wrong("catalogue", chain(&error))),
    }
    checks.push(server(&settings.data_dir));
    checks.push(if pages::are_built() {
        Check::ok("pages", "built into this program")
    } else {
        Check::note("pages", "not built into this program; `make run` builds them")
    });
    checks
}

fn data_dir(path: &Path) -> Check {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_dir() => {
            Check::wrong("data directory", format!("{} is not a folder", path.display()))
        }
        Ok(found) if found.permissions().readonly() => {
            Check::wrong("data directory", format!("{} is read-only", path.display()))
        }
        Ok(_) => Check::ok("data directory", path.display().to_string()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Check::note("data directory", format!("{} is created by the first start", path.display()))
        }
        Err(error) => Check::wrong("data directory", format!("{}: {error}", path.display())),
    }
}

fn disk(path: &Path) -> Check {
    let existing = path.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
    match fs4::available_space(existing) {
        Ok(bytes) if bytes < LITTLE_SPACE_BYTES => Check::note("disk", format!("only {} free", size(bytes))),
        Ok(bytes) => Check::ok("disk", format!("{} free", size(bytes))),
        Err(error) => Check::note("disk", format!("free space is not known: {error}")),
    }
}

/// Opens the database of the settings.
fn open(settings: &Settings, catalogue: Arc<Catalogue>) -> Result<Store, OpenError> {
    let store = match &settings.database {
        Some(address) => Store::open_postgres(address, catalogue)?,
        None => Store::open(&database_in(&settings.data_dir), catalogue)?,
    };
    match &settings.database_replica {
        Some(address) => store.with_replica(address),
        None => Ok(store),
    }
}

/// Checks whether the replica is up to date.
fn replica(store: &Store) -> Check {
    let what = "replica";
    match store.is_replica_current() {
        Ok(true) => Check::ok(what, "has everything that was written"),
        Ok(false) => Check::note(what, "follows, and is behind"),
        Err(error) => Check::wrong(what, chain(&error)),
    }
}

fn database(settings: &Settings, catalogue: Arc<Catalogue>, repair: bool) -> Vec<Check> {
    let path = database_in(&settings.data_dir);
    if settings.database.is_none() && !path.exists() {
        return vec![Check::note("database", format!("{} is created by the first start", path.display()))];
    }
    let store = match open(settings, catalogue) {
        Ok(store) => store,
        Err(error) => return vec![Check::wrong("database", chain(&error))],
    };
    let counted = store.snapshot(&Caller::system(), |rows| {
        Ok::<_, StoreError>((rows.count("tenant", &[])?, rows.count("users", &[])?))
    });
    let counts = match counted {
        Ok((tenants, users)) => Check::ok(
            "database",
            match &settings.database {
                Some(_) => format!("PostgreSQL, tenants: {tenants}, users: {users}"),
                None => {
                    format!(
                        "{}, {}, tenants: {tenants}, users: {users}",
                        path.display(),
                        size(size_on_disk(&path))
                    )
                }
            },
        ),
        Err(error) => return vec![Check::wrong("database", chain(&error))],
    };
    let replica = settings.database_replica.as_ref().map(|_| replica(&store));
    let file = settings.database.is_none().then(|| file(&store));
    [counts].into_iter().chain(file).chain([segments(&store, repair)]).chain(replica).collect()
}

/// Checks the integrity of the database file and the references of its rows.
fn file(store: &Store) -> Check {
    let what = "database file";
    let found = match store.check() {
        Ok(found) => found,
        Err(error) => return Check::wrong(what, chain(&error)),
    };
    if found.is_empty() {
        return Check::ok(what, "sound");
    }
    let some = found.iter().take(3).map(String::as_str).collect::<Vec<_>>().join("; ");
    let says =
        format!("{} faults, such as: {some}; `quarterdeck-server restore` brings a backup back", found.len());
    Check::wrong(what, says)
}

/// Checks whether the stored sums match the rows.
fn segments(store: &Store, repair: bool) -> Check {
    let what = "quick sums";
    if repair && let Err(error) = store.repair_segments() {
        return Check::wrong(what, format!("they could not be made anew: {}", chain(&error)));
    }
    let kept = match store.check_segments() {
        Ok(kept) => kept,
        Err(error) => return Check::wrong(what, chain(&error)),
    };
    let wrong: Vec<&str> = kept.iter().flat_map(|kept| &kept.wrong).map(String::as_str).collect();
    if !wrong.is_empty() {
        let some = wrong.iter().take(3).copied().collect::<Vec<_>>().join("; ");
        let says = format!("{} differ from the rows: {some}; `doctor --repair` makes them anew", wrong.len());
        return Check::wrong(what, says);
    }
    let tables: Vec<String> = kept
        .iter()
        .map(|kept| {
            format!(
                "{}: {} rows in {} segments and {} parts of cubes, {}, {} rows without",
                kept.table,
                kept.rows,
                kept.segments,
                kept.cube_parts,
                size(kept.bytes),
                kept.loose_rows
            )
        })
        .collect();
    Check::ok(what, format!("the same as the rows tell; {}", tables.join("; ")))
}

fn server(path: &Path) -> Check {
    // A check must not create the folder.
    if !path.join("server.lock").exists() {
        return Check::ok("server", "none is running on this data directory");
    }
    match DataDir::create(path).and_then(|data_dir| data_dir.lock()) {
        Ok(_) => Check::ok("server", "none is running on this data directory"),
        Err(DataDirError::InUse { owner, .. }) => Check::ok("server", format!("running: {owner}")),
        Err(error) => Check::wrong("server", chain(&error)),
    }
}

fn print(findings: &Findings) -> std::io::Result<()> {
    output::line(format!("Quarterdeck {} on {}\n\nSettings", findings.version, findings.system))?;
    for setting in &findings.settings {
        let value = setting.value.as_deref().filter(|value| !value.is_empty()).unwrap_or("(not set)");
        output::line(format!(
            "  {:<20} {value}\n                       from {}; {} in the environment",
            setting.name, setting.source, setting.environment
        ))?;
    }
    output::line("\nChecks")?;
    for check in &findings.checks {
        let mark = match check.state {
            State::Ok => "ok   ",
            State::Note => "note ",
            State::Wrong => "WRONG",
        };
        output::line(format!("  {mark} {:<15} {}", check.what, check.says))?;
    }
    Ok(())
}

/// Formats a number of bytes: `1.5 GB`.
#[allow(clippy::cast_precision_loss, reason = "one digit after the point is shown")]
pub fn size(bytes: u64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut amount = bytes as f64;
    let mut unit = 0;
    while amount >= 1000.0 && unit < units.len() - 1 {
        amount /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{amount:.1} {}", units[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Flags;

    /// Size of a database page, bytes.
    const PAGE: usize = 8192;

    fn settings(data_dir: &Path) -> Settings {
        let flags = Flags { data_dir: Some(data_dir.to_owned()), ..Flags::default() };
        Settings::read(&flags, &|name| (name == "APPAUTH_SECRET").then(|| "swordfish".to_owned())).unwrap()
    }

    #[test]
    fn looking_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = folder.path().join("data");
        let checks = check(&settings(&data_dir), false);
        assert!(checks.iter().all(|check| check.state != State::Wrong));
        assert!(!data_dir.exists());
    }

    #[test]
    fn a_broken_database_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(database_in(folder.path()), "Dear Ada, the cranes need oil. ".repeat(100)).unwrap();
        let checks = check(&settings(folder.path()), false);
        let database = checks.iter().find(|check| check.what == "database").unwrap();
        assert!(database.state == State::Wrong, "{}", database.says);
    }

    #[test]
    fn sums_kept_beside_the_rows_are_compared_with_them_and_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        Store::open(&database_in(folder.path()), catalogue_source::load(None).unwrap()).unwrap();
        for repair in [false, true] {
            let checks = check(&settings(folder.path()), repair);
            let sums = checks.iter().find(|check| check.what == "quick sums").unwrap();
            assert!(sums.state == State::Ok, "{}", sums.says);
            assert!(sums.says.contains("spends: 0 rows in 0 segments"), "{}", sums.says);
        }
    }

    #[test]
    fn a_file_with_a_damaged_page_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let path = database_in(folder.path());
        Store::open(&path, catalogue_source::load(None).unwrap()).unwrap();
        let found = || {
            let checks = check(&settings(folder.path()), false);
            checks.into_iter().find(|check| check.what == "database file")
        };
        let sound = found().unwrap();
        assert!(sound.state == State::Ok, "{}", sound.says);
        // One of the last pages belongs to an index that is not read while the database is opened.
        let bytes = std::fs::read(&path).unwrap();
        let damaged = (1..40).find_map(|page| {
            let mut bytes = bytes.clone();
            let end = bytes.len() - page * PAGE;
            bytes[end - PAGE..end].fill(0xff);
            std::fs::write(&path, bytes).unwrap();
            found()
        });
        let damaged = damaged.unwrap();
        assert!(damaged.state == State::Wrong, "{}", damaged.says);
        assert!(damaged.says.contains("backup"), "{}", damaged.says);
    }

    #[test]
    fn secrets_are_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let lines: Vec<_> = settings(folder.path()).origins.iter().map(Origin::line).collect();
        let text = serde_json::to_string(&lines).unwrap();
        assert!(text.contains("(set, not shown)") && !text.contains("swordfish"), "{text}");
    }

    #[test]
    fn sizes_are_told_in_units_people_know() {
        assert_eq!([0, 999, 1_500, 2_000_000_000].map(size), ["0 B", "999 B", "1.5 kB", "2.0 GB"]);
    }
}
