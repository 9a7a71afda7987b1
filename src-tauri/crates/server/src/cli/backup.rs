//! `backup` and `restore`: the data directory in one file, and back.

use super::{CliError, output};
use crate::backups::{BackupsError, Depot};
use crate::clock;
use crate::data_dir::{DATABASE, DataDir};
use crate::error::chain;
use crate::house::House;
use crate::schema;
use crate::settings::Settings;
use ::backup::{BackupError, Check, Folder, Kept, Manifest, Passphrase, Reason};
use catalogue::format_timestamptz;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Take a backup of the whole data directory, and check it by opening it
///
/// Works while a server runs. Without --list, one is taken into the folder of backups (setting backup_dir).
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  quarterdeck-server backup
  quarterdeck-server backup --passphrase-file ~/backup.key
  quarterdeck-server backup --list --json

An open backup is a tar archive compressed with gzip, readable without this program.")]
pub struct Backup {
    /// File whose first line is a passphrase that closes the backup
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// List the backups there are instead of taking one
    #[arg(long)]
    list: bool,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

/// Show what is in a backup, and with --yes put it back
///
/// No server may run on the data directory. What is there now is backed up first where it can be read, and kept aside in
/// any case (DATA_DIR/replaced): nothing is deleted.
#[derive(Args)]
pub struct Restore {
    /// Name of a backup from `backup --list`, or a file
    #[arg(value_name = "NAME|FILE")]
    backup: String,
    /// File whose first line is the passphrase it was closed with
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// Put it back. Without it, it is only shown
    #[arg(long)]
    yes: bool,
}

fn first_line(path: &Path) -> Result<String, BackupsError> {
    let text = std::fs::read_to_string(path)
        .map_err(|cause| BackupsError::PassphraseFile { path: path.to_owned(), cause })?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

pub fn run(backup: &Backup, settings: &Settings) -> Result<(), CliError> {
    if backup.list {
        return list(backup.json, &Folder::open(settings.backups.folder.clone())?);
    }
    let house = House::open(settings, None)?;
    let depot = Depot::open(house.store.clone(), house.data_dir.path(), &settings.backups)
        .map_err(BackupsError::from)?;
    let passphrase = backup
        .passphrase_file
        .as_deref()
        .map(|path| Ok::<_, BackupsError>(Passphrase::to_close(first_line(path)?)?))
        .transpose()?;
    let kept = depot.take(Reason::ByHand, passphrase.as_ref())?;
    if backup.json {
        output::json(&kept)?;
    } else {
        output::line(depot.folder.file(&kept.name)?.display())?;
        output::line(line(&kept))?;
    }
    if kept.is_sound() { Ok(()) } else { Err(CliError::Said) }
}

fn list(as_json: bool, folder: &Folder) -> Result<(), CliError> {
    let kept = folder.list()?;
    if as_json {
        return Ok(output::json(&kept)?);
    }
    if kept.is_empty() {
        output::line(format!("There are no backups in {}", folder.path().display()))?;
    }
    for kept in &kept {
        output::line(line(kept))?;
    }
    Ok(())
}

fn line(kept: &Kept) -> String {
    let check = match &kept.remark.check {
        Check::Verified { .. } => "verified".to_owned(),
        Check::Unverified { why } => format!("not verified: {why}"),
        Check::Failed { why } => format!("failed: {why}"),
    };
    let closed = if kept.closed { ", closed with a passphrase" } else { "" };
    format!(
        "{}  {}  {:.1} MB{closed}  {check}",
        kept.name,
        &format_timestamptz(kept.remark.taken_at)[..19],
        megabytes(kept.bytes)
    )
}

#[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

pub fn restore(restore: &Restore, settings: &Settings) -> Result<(), CliError> {
    let folder = Folder::open(settings.backups.folder.clone())?;
    let file = match folder.file(&restore.backup) {
        Err(BackupError::Unknown { .. }) if Path::new(&restore.backup).is_file() => {
            PathBuf::from(&restore.backup)
        }
        found => found?,
    };
    let passphrase = restore
        .passphrase_file
        .as_deref()
        .map(|path| first_line(path).map(Passphrase::to_open))
        .transpose()?;
    let manifest = ::backup::inspect(&file, passphrase.as_ref())?;
    show(&file, &manifest)?;
    if !restore.yes {
        output::line(
            "Nothing was changed. Run it again with --yes to put this in place of what is there now.",
        )?;
        return Ok(());
    }
    let data_dir = DataDir::create(&settings.data_dir).map_err(crate::house::HouseError::from)?;
    let lock = data_dir.lock().map_err(crate::house::HouseError::from)?;
    let database = data_dir.database();
    if database.exists() {
        match taken_before(settings) {
            Ok(kept) => output::line(format!("Backed up what is there now as {}", kept.name))?,
            Err(error) => output::line(format!(
                "What is there now could not be backed up ({error}); it is kept aside as it is"
            ))?,
        }
    }
    let catalogue =
        Arc::new(schema::load(settings.schema.as_deref()).map_err(crate::house::HouseError::from)?);
    ::backup::stage(&file, passphrase.as_ref(), data_dir.path(), DATABASE, &folder, &catalogue)?;
    if let Some(replaced) = ::backup::finish(data_dir.path(), DATABASE, folder.path(), Duration::ZERO)? {
        output::line(format!("Done. What was there before is in {}", replaced.aside.display()))?;
    }
    drop(lock);
    tracing::info!(at = clock::now(), "a backup was put back");
    Ok(())
}

/// A backup of what a restore is about to replace; in words why not.
fn taken_before(settings: &Settings) -> Result<Kept, String> {
    let house = House::open(settings, None).map_err(|error| chain(&error))?;
    let depot = Depot::open(house.store.clone(), house.data_dir.path(), &settings.backups)
        .map_err(|error| chain(&error))?;
    depot.take_unasked(Reason::BeforeRestore).map_err(|error| chain(&error))
}

fn show(file: &Path, manifest: &Manifest) -> Result<(), CliError> {
    output::line(format!(
        "{}: taken {} by Quarterdeck {}",
        file.display(),
        &format_timestamptz(manifest.taken_at)[..19],
        manifest.version
    ))?;
    for item in &manifest.files {
        output::line(format!("  {:>12.1} MB  {}", megabytes(item.bytes), item.path))?;
    }
    for (table, rows) in &manifest.rows {
        output::line(format!("  {rows:>12} rows {table}"))?;
    }
    Ok(())
}
