//! Models on the service's machine: downloads, imports, exports, verification, and the settings of downloads.

use super::platform_admin::AdminChange;
use super::shown::{ModelDownload, ModelHere, ModelsOverview, ServiceModel};
use super::{PlatformAdmin, SetupError};
use models::settings::{self, ALL, Changes};
use models::{Downloads, Export, Model, ModelName, OFFERED, Trust, Verification};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const DOWNLOAD: &str = "model_download";
const FILE: &str = "model_file";
const EXPORT: &str = "model_export";
const SETTING: &str = "setting";

/// All models with their states, the settings, and the disk usage. Blocks.
pub fn overview(downloads: &Downloads) -> Result<ModelsOverview, SetupError> {
    let settings = downloads.settings()?;
    let library = downloads.library()?;
    // Read downloads before the library: a download that completes in between is then in both lists instead of in neither.
    let coming = downloads.list()?;
    let here = library.list()?;
    let names: BTreeSet<&str> = here
        .iter()
        .map(|model| model.name.as_str())
        .chain(coming.iter().map(|status| status.name.as_str()))
        .filter(|name| OFFERED.iter().all(|(offered, _)| offered != name))
        .collect();
    let names =
        OFFERED.iter().map(|(name, about)| (*name, *about)).chain(names.into_iter().map(|name| (name, "")));
    let one = |(name, about): (&str, &'static str)| ServiceModel {
        name: name.to_owned(),
        about,
        here: here.iter().find(|model| model.name == name).map(ModelHere::from),
        download: coming.iter().find(|status| status.name == name).map(ModelDownload::from),
    };
    let missing = [settings::REGISTRY_URL, settings::LICENSE_KEY];
    let missing = missing.into_iter().filter(|name| settings.value(name).is_none()).collect();
    // Bytes still to be downloaded by running downloads.
    let reserved: u64 = coming
        .iter()
        .filter(|status| status.state.is_active())
        .map(|status| status.size_bytes.unwrap_or(0).saturating_sub(status.kept_bytes))
        .sum();
    Ok(ModelsOverview {
        models: names.map(one).collect(),
        settings: settings.shown(),
        secrets: downloads.about_secrets(),
        missing,
        folder: library.folder().to_owned(),
        laid_folder: library.laid_folder(),
        export_folder: library.export_folder(),
        used_bytes: library.used_bytes()?,
        reserved_bytes: reserved,
        free_bytes: downloads.free_bytes(library.folder()).ok(),
    })
}

/// Starts or resumes a download. With `again` it starts from the beginning. Blocks.
pub fn pull(
    by: &PlatformAdmin,
    downloads: &Downloads,
    name: &ModelName,
    again: bool,
) -> Result<(), SetupError> {
    if again {
        downloads.cancel(name)?;
    }
    let before = downloads.status(name)?;
    downloads.start(name)?;
    let after = json!({ "state": "queued", "again": again });
    let change = if before.is_some() { "update" } else { "insert" };
    let before = before.map(|status| json!({ "state": status.state }));
    by.note(
        "ai_pull_service_model",
        &AdminChange { before, after: Some(after), ..admin_change(DOWNLOAD, name, change) },
    )
}

/// Pauses a running download and keeps the downloaded part. Does nothing if it is not running. Blocks.
pub fn pause(by: &PlatformAdmin, downloads: &Downloads, name: &ModelName) -> Result<(), SetupError> {
    let before = downloads.status(name)?.filter(|status| status.state.is_active());
    downloads.pause(name)?;
    let Some(before) = before else { return Ok(()) };
    let (before, after) = (Some(json!({ "state": before.state })), Some(json!({ "state": "paused" })));
    by.note(
        "ai_pause_service_model",
        &AdminChange { before, after, ..admin_change(DOWNLOAD, name, "update") },
    )
}

/// Cancels a download and deletes its files. Blocks.
pub fn cancel(by: &PlatformAdmin, downloads: &Downloads, name: &ModelName) -> Result<(), SetupError> {
    let before = downloads.status(name)?;
    downloads.cancel(name)?;
    let Some(before) = before else { return Ok(()) };
    let before = Some(json!({ "state": before.state, "kept_bytes": before.kept_bytes }));
    by.note("ai_cancel_service_model", &AdminChange { before, ..admin_change(DOWNLOAD, name, "delete") })
}

/// Removes a model from this machine. Blocks.
pub fn remove(by: &PlatformAdmin, downloads: &Downloads, name: &ModelName) -> Result<(), SetupError> {
    let library = downloads.library()?;
    let model = library.find(name)?;
    library.remove(name)?;
    downloads.tell();
    let before = Some(audit_values(&model));
    by.note("ai_remove_service_model", &AdminChange { before, ..admin_change(FILE, name, "delete") })
}

/// Computes the hash of a model's file again. `sha256` is the expected hash if a user entered one; the user is
/// then recorded as its source. A file that changed is set aside. `progress` receives the bytes read. Blocks.
pub fn verify(
    by: &PlatformAdmin,
    downloads: &Downloads,
    name: &ModelName,
    sha256: Option<&str>,
    progress: &mut dyn FnMut(u64),
) -> Result<Model, SetupError> {
    let library = downloads.library()?;
    let before = audit_values(&library.find(name)?);
    let checked = library.verify(name, sha256, by.now, progress)?;
    downloads.tell();
    let operation = "ai_verify_service_model";
    match checked {
        Verification::Sound(model) => {
            let row = (FILE, json!({ "name": name.as_str() }));
            by.note_difference(operation, row, object(before), object(audit_values(&model)))?;
            Ok(model)
        }
        Verification::Broken { found, kept } => {
            by.note(operation, &AdminChange { before: Some(before), ..admin_change(FILE, name, "delete") })?;
            Err(SetupError::Broken { found, kept })
        }
    }
}

/// Imports a file from the import folder on the service's machine. Blocks.
pub fn import_from_folder(
    by: &PlatformAdmin,
    downloads: &Downloads,
    name: &ModelName,
    file: &str,
    sha256: Option<&str>,
) -> Result<Model, SetupError> {
    let library = downloads.library()?;
    import_with(by, downloads, name, || Ok(library.import_laid(file, name, sha256, by.now)?))
}

/// Runs `work`, which imports a model in any way, and writes the audit entry. Blocks.
pub fn import_with(
    by: &PlatformAdmin,
    downloads: &Downloads,
    name: &ModelName,
    work: impl FnOnce() -> Result<Model, SetupError>,
) -> Result<Model, SetupError> {
    let before = downloads.library()?.find(name).ok().map(|model| audit_values(&model));
    let model = work()?;
    downloads.tell();
    let change = if before.is_some() { "update" } else { "insert" };
    let done = AdminChange { before, after: Some(audit_values(&model)), ..admin_change(FILE, name, change) };
    by.note("ai_import_service_model", &done)?;
    Ok(model)
}

/// Exports a model to the export folder on the service's machine. A file that already exists is returned unchanged. Blocks.
pub fn export_named(
    by: &PlatformAdmin,
    downloads: &Downloads,
    name: &ModelName,
    file: Option<&str>,
) -> Result<ExportedFile, SetupError> {
    let Export { path, model, is_new } = downloads.export_named(name, file)?;
    let written = ExportedFile { path, size_bytes: model.size_bytes, sha256: model.sha256 };
    if is_new {
        let done = AdminChange {
            after: serde_json::to_value(&written).ok(),
            ..admin_change(EXPORT, name, "insert")
        };
        by.note("ai_export_service_model", &done)?;
    }
    Ok(written)
}

/// An exported model file.
#[derive(Serialize)]
pub struct ExportedFile {
    path: PathBuf,
    size_bytes: u64,
    sha256: String,
}

/// Saves download settings. `None` removes a saved value, and the value from the environment applies again. Blocks.
pub fn save_settings(by: &PlatformAdmin, downloads: &Downloads, changes: &Changes) -> Result<(), SetupError> {
    let known = |name: &str| settings::definition(name).is_some() && name != settings::FOLDER;
    if let Some(unknown) = changes.keys().find(|name| !known(name)) {
        let names: Vec<&str> = ALL.iter().map(|one| one.name).filter(|name| known(name)).collect();
        let there = names.join(", ");
        return Err(SetupError::Wrong(format!(
            "there is no setting {unknown:?} to save here; there is {there}"
        )));
    }
    let before = downloads.settings()?;
    let after = before.with(changes);
    let problems: Vec<(String, String)> =
        changes.keys().filter_map(|name| Some((name.clone(), after.problem(name)?))).collect();
    if !problems.is_empty() {
        return Err(SetupError::Settings(problems));
    }
    let folder = changes.get(settings::FOLDER).and_then(Option::as_deref).map(str::trim);
    if let Some(folder) = folder.filter(|folder| !folder.is_empty()) {
        check_folder(by, downloads, Path::new(folder))?;
    }
    downloads.save_settings(changes)?;
    let (before, after) = (before.shown(), downloads.settings()?.shown());
    for name in changes.keys() {
        let of = |shown: &std::collections::BTreeMap<&str, settings::SettingView>| {
            // For a secret, only whether it is set.
            shown
                .get(name.as_str())
                .map(|one| json!({ "value": one.value, "is_set": one.is_set, "source": one.source }))
        };
        let row = (SETTING, json!({ "name": name }));
        let is_secret = after.get(name.as_str()).is_some_and(|one| one.is_secret);
        let mut after = object(of(&after).unwrap_or_default());
        if is_secret {
            after.insert("is_new".to_owned(), changes[name].is_some().into());
        }
        by.note_difference(
            "ai_update_service_model_settings",
            row,
            object(of(&before).unwrap_or_default()),
            after,
        )?;
    }
    Ok(())
}

/// Moves the models to another folder on the service's machine. Blocks.
pub fn move_to(by: &PlatformAdmin, downloads: &Downloads, folder: &Path) -> Result<(), SetupError> {
    if !folder.is_absolute() {
        return Err(SetupError::Wrong(format!(
            "{} is no whole path: expected one such as /var/lib/models",
            folder.display()
        )));
    }
    check_folder(by, downloads, folder)?;
    let library = downloads.library()?;
    let before = library.folder().to_owned();
    let after = library.move_to(folder, by.now)?;
    downloads.tell();
    let value = |folder: &Path| object(json!({ "value": folder }));
    let row = (SETTING, json!({ "name": settings::FOLDER }));
    by.note_difference("ai_move_service_models", row, value(&before), value(after.folder()))
}

/// Checks that the caller may choose that folder. The command line may choose any.
fn check_folder(by: &PlatformAdmin, downloads: &Downloads, folder: &Path) -> Result<(), SetupError> {
    if by.is_machine() {
        return Ok(());
    }
    downloads.check_folder(folder).map_err(|error| SetupError::Wrong(format!("{error}.")))
}

fn admin_change(table: &'static str, name: &ModelName, change: &'static str) -> AdminChange {
    AdminChange { table, key: json!({ "name": name.as_str() }), change, before: None, after: None }
}

/// The values of a model for the audit trail.
fn audit_values(model: &Model) -> Value {
    json!({
        "sha256": model.sha256, "size_bytes": model.size_bytes, "trust": model.trust, "told_by": model.told_by,
        "source": model.source, "origin": model.origin,
    })
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// The hash that an imported file must have, parsed from the text of its `.sha256` file.
pub fn expected(sidecar: Option<&str>) -> Result<Option<(models::ExpectedDigest, Trust)>, SetupError> {
    let none = || SetupError::Wrong("Expected a SHA-256 as sha256sum writes it in `sha256`".to_owned());
    sidecar.map(|text| Ok((models::of_sidecar(text).ok_or_else(none)?, Trust::File))).transpose()
}
