//! `backup` and `restore`: saves the data directory to one file, and restores it.

use super::{CliError, output};
use crate::backups::offline_restore::{OfflineRestore, put_back};
use crate::backups::postgres_restore::{PostgresRestore, put_into_postgres};
use crate::backups::{BackupService, BackupsError};
use crate::data::open::OpenData;
use crate::secrets::secret_key::SecretKey;
use crate::settings::Settings;
use ::backup::{BackupError, BackupFile, Check, Folder, LeftOut, Manifest, Passphrase, Reason, replaced};
use catalogue::format_timestamptz;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::moving::TableComparison;

/// Back up the data directory and verify the backup by opening it
///
/// Works while a server runs. Writes into the folder of backups (setting backup_dir).
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  quarterdeck-server backup
  quarterdeck-server backup --passphrase-file ~/backup.key
  quarterdeck-server backup --list --json

An open backup is a tar archive compressed with gzip, readable without this program.")]
pub struct Backup {
    /// File whose first line is the passphrase to encrypt the backup with
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// List the existing backups and take none
    #[arg(long)]
    list: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Show the contents of a backup, and restore it with --yes
///
/// No server may run on the data directory. The current data is backed up first if it can be read, and is moved to
/// DATA_DIR/replaced in any case: nothing is deleted. Sessions, devices and API tokens that were revoked since the backup
/// stay revoked; roles and passwords are those of the backup.
///
/// With the setting database, the rows are restored into that PostgreSQL database in one transaction and compared table by
/// table. A database that contains rows is refused without --replace. Other files are restored into the data directory
/// unless a file of that name exists.
#[derive(Args)]
pub struct Restore {
    /// Name of a backup from `backup --list`, or a file
    #[arg(value_name = "NAME|FILE")]
    backup: String,
    /// File whose first line is the passphrase of the backup
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// Restore the backup. Without it, only show its contents
    #[arg(long)]
    yes: bool,
    /// With PostgreSQL: replace the rows in the database, which are backed up first
    #[arg(long)]
    replace: bool,
}

fn first_line(path: &Path) -> Result<String, BackupsError> {
    let text = std::fs::read_to_string(path)
        .map_err(|cause| BackupsError::PassphraseFile { path: path.to_owned(), cause })?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

pub fn run(backup: &Backup, settings: &Settings) -> Result<(), CliError> {
    if backup.list {
        let folder = Folder::of(&settings.data_dir, settings.backups.folder.clone());
        return list(backup.json, &folder, &settings.data_dir);
    }
    let house = OpenData::open(settings, None)?;
    let keys = SecretKey::of(house.data_dir.path(), settings.is_desktop);
    let depot =
        BackupService::new(house.store.clone(), house.data_dir.path(), &settings.backups, Arc::new(keys));
    let passphrase = backup
        .passphrase_file
        .as_deref()
        .map(|path| Ok::<_, BackupsError>(Passphrase::for_encryption(first_line(path)?)?))
        .transpose()?;
    let kept = depot.take(Reason::ByHand, passphrase.as_ref())?;
    if backup.json {
        output::json(&kept)?;
    } else {
        output::line(depot.folder.file(&kept.name)?.display())?;
        output::line(line(&kept))?;
    }
    if kept.is_verified() { Ok(()) } else { Err(CliError::Said) }
}

fn list(as_json: bool, folder: &Folder, data_dir: &Path) -> Result<(), CliError> {
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
    for aside in replaced::list(data_dir, folder)? {
        let copy = match &aside.backup {
            Some(backup) => format!("the same is in {backup}"),
            None => "the only copy of what was there".to_owned(),
        };
        output::line(format!(
            "replaced/{}  {}  {:.1} MB, put aside by a restore, {copy}",
            aside.name,
            &format_timestamptz(aside.replaced_at)[..19],
            megabytes(aside.bytes)
        ))?;
    }
    Ok(())
}

fn line(kept: &BackupFile) -> String {
    let check = match &kept.facts.check {
        Check::Verified { .. } => "verified".to_owned(),
        Check::Unverified { why } => format!("not verified: {why}"),
        Check::Failed { why } => format!("failed: {why}"),
    };
    let closed = if kept.closed { ", closed with a passphrase" } else { "" };
    let left_out = &kept.facts.left_out;
    let without = if left_out.is_empty() { String::new() } else { format!(", without {}", named(left_out)) };
    format!(
        "{}  {}  {:.1} MB{closed}  {check}{without}",
        kept.name,
        &format_timestamptz(kept.facts.taken_at)[..19],
        megabytes(kept.bytes)
    )
}

/// Formats `"a link (it is neither a file nor a folder)"`.
fn named(left_out: &[LeftOut]) -> String {
    left_out.iter().map(|left| format!("{} ({})", left.path, left.why)).collect::<Vec<_>>().join(", ")
}

#[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

pub fn restore(restore: &Restore, settings: &Settings) -> Result<(), CliError> {
    let folder = Folder::of(&settings.data_dir, settings.backups.folder.clone());
    let file = match folder.file(&restore.backup) {
        Err(BackupError::Unknown { .. }) if Path::new(&restore.backup).is_file() => {
            PathBuf::from(&restore.backup)
        }
        found => found?,
    };
    let passphrase = restore
        .passphrase_file
        .as_deref()
        .map(|path| first_line(path).map(Passphrase::for_decryption))
        .transpose()?;
    let manifest = ::backup::inspect(&file, passphrase.as_ref())?;
    show(&file, &manifest)?;
    if !restore.yes {
        output::line(
            "Nothing was changed. Run it again with --yes to put this in place of what is there now.",
        )?;
        return Ok(());
    }
    if let Some(url) = &settings.database {
        return restore_into_postgres(settings, url, &file, passphrase.as_ref(), restore.replace);
    }
    let OfflineRestore { before, aside, left, knows_revoked } =
        put_back(settings, &file, passphrase.as_ref())?;
    match before {
        Some(Ok(kept)) => output::line(format!("Backed up what was there as {}", kept.name))?,
        Some(Err(error)) => output::line(format!(
            "What was there could not be backed up ({error}); it is kept aside as it is"
        ))?,
        None => {}
    }
    output::line("Everybody signs in again, and desktops are let in again")?;
    if !knows_revoked {
        output::line(TOKENS_COUNT_AGAIN)?;
    }
    for place in left {
        output::line(format!("{} could not be moved aside and is where it was", place.display()))?;
    }
    if let Some(aside) = aside {
        output::line(format!("Done. What was there before is in {}", aside.display()))?;
    }
    Ok(())
}

fn restore_into_postgres(
    settings: &Settings,
    url: &str,
    file: &Path,
    passphrase: Option<&Passphrase>,
    is_replacing: bool,
) -> Result<(), CliError> {
    let mut print = |table: &TableComparison| {
        // A closed pipe does not stop the restore.
        let _ = output::line(format!("{}: {} rows", table.table, table.target.rows));
    };
    let PostgresRestore { before, knows_revoked, tables, left } =
        put_into_postgres(settings, url, file, passphrase, is_replacing, &mut print)?;
    let rows: u64 = tables.iter().map(|table| table.target.rows).sum();
    output::line(format!(
        "Done. All {rows} rows of {} tables are in PostgreSQL and are equal",
        tables.len()
    ))?;
    if let Some(kept) = before {
        output::line(format!("What was there is in the backup {}", kept.name))?;
    }
    output::line("Everybody signs in again, and desktops are let in again")?;
    if !knows_revoked {
        output::line(TOKENS_COUNT_AGAIN)?;
    }
    for place in left {
        output::line(format!("{} is another one than in the backup and was left as it is", place.display()))?;
    }
    Ok(())
}

/// Printed if revocations since the backup are unknown.
const TOKENS_COUNT_AGAIN: &str =
    "API tokens that were revoked since this backup was taken count again: revoke them again";

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
    for left in &manifest.left_out {
        output::line(format!("  {:>15}  {}, {}", "not in it", left.path, left.why))?;
    }
    for (table, rows) in &manifest.rows {
        output::line(format!("  {rows:>12} rows {table}"))?;
    }
    Ok(())
}
