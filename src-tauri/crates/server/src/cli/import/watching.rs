//! `import --watch`: scans a folder repeatedly.

use super::files::InputFile;
use super::{CliError, Import, import, output, report};
use crate::clock;
use crate::data::open::OpenData;
use crate::error::chain;
use crate::jobs::watched_folders::files::{self, Changes};
use crate::jobs::watched_folders::state::{self, Folder, Look};
use crate::jobs::watched_folders::{self, COMMAND, SOON};
use crate::settings::Settings;
use ingest::State;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Scans until the command is interrupted. The next command repeats an interrupted scan.
pub fn run(arguments: &Import, data: &OpenData, owner: Uuid, settings: &Settings) -> Result<(), CliError> {
    let [path] = arguments.paths.as_slice() else {
        return Err(CliError::Usage("--watch takes one folder".to_owned()));
    };
    let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
    if !path.is_dir() {
        return Err(CliError::Usage(format!("--watch: {} is no folder", path.display())));
    }
    let refused = |error: store::StoreError| CliError::Refused(chain(&error));
    let shown = path.to_string_lossy();
    let known = state::list(&data.store, data.tenant.id).map_err(refused)?;
    if known.iter().any(|folder| folder.path == shown && folder.asked_by != COMMAND) {
        return Err(CliError::Refused(format!("{shown} is watched by the server already")));
    }
    let every = i64::from(arguments.every);
    let folder = state::watch(&data.store, data.tenant.id, &shown, COMMAND, every).map_err(refused)?;
    state::hurry(&data.store, data.tenant.id, folder.id, clock::now()).map_err(refused)?;
    output::line(format!("watching {shown}, every {every} s; interrupt to end\n"))?;
    let watch = Watch { arguments, data, owner, settings, folder: &folder, holder: Uuid::new_v4() };
    loop {
        let next = watch.look(&path)?;
        std::thread::sleep(watched_folders::rest(next, clock::now()));
    }
}

struct Watch<'a> {
    arguments: &'a Import,
    data: &'a OpenData,
    owner: Uuid,
    settings: &'a Settings,
    folder: &'a Folder,
    holder: Uuid,
}

impl Watch<'_> {
    /// Scans once. Returns the time of the next scan, µs since 1970 UTC.
    fn look(&self, path: &Path) -> Result<i64, CliError> {
        let refused = |error: store::StoreError| CliError::Refused(chain(&error));
        let store = &self.data.store;
        let claimed = state::claim(store, self.folder, self.holder, clock::now()).map_err(refused)?;
        // Another command scans the folder, or has just done so.
        let Some(known) = claimed else { return Ok(clock::now() + SOON) };
        let every = self.folder.every_seconds * 1_000_000;
        let mut look = Look { next_run_at: clock::now() + every, ..Look::default() };
        match files::list(path) {
            Ok(seen) => {
                let Changes { whole, unsettled, .. } = files::compare(&known, &seen);
                if !unsettled.is_empty() {
                    look.next_run_at = clock::now() + SOON.min(every);
                }
                look.seen = Some(seen);
                self.import(path, &whole)?;
                look.taken = whole;
            }
            Err(error) => {
                eprintln!("quarterdeck-server: {}: {error}", path.display());
                look.error = Some(format!("{}: {error}", path.display()));
            }
        }
        state::finish(store, self.folder, (self.holder, &known), &look, clock::now()).map_err(refused)?;
        Ok(look.next_run_at)
    }

    fn import(&self, folder: &Path, names: &[String]) -> Result<(), CliError> {
        if names.is_empty() {
            return Ok(());
        }
        let file = |name: &String| {
            let path: PathBuf = folder.join(name);
            let size_bytes = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
            InputFile { path, size_bytes, is_named: false }
        };
        let found: Vec<InputFile> = names.iter().map(file).collect();
        let choices = self.arguments.choices()?;
        let reports = import(self.data, self.owner, &found, choices, &self.settings.importing);
        for (file, (_, report)) in found.iter().zip(reports) {
            if report.state == State::Failed {
                eprint!("{}", report::failure(file, &report));
            } else {
                output::line(report::success(file, &report, false))?;
            }
        }
        Ok(())
    }
}
