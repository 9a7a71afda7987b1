//! `model`: downloads, transfers and verifies models.

use super::{CliError, output};
use crate::clock;
use crate::data::open::OpenData;
use crate::secrets::model_secrets;
use crate::secrets::secret_key::SecretKey;
use crate::settings::Settings;
use crate::signals::Signals;
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use models::{Downloads, Library, ModelName, Status};
use operations::model_setup::{PlatformAdmin, SetupError, service_models, with_times};
use serde_json::json;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use store::StoreError;

/// Download, copy, verify and remove models
///
/// Set the registry with MODEL_REGISTRY_URL and LICENSE_KEY, in the environment, the settings file or on the page Settings, Model downloads, which
/// takes precedence. The registry offers svc-slm, svc-llm and possibly svc-text-embeddings.
#[derive(Subcommand)]
pub enum Model {
    Pull(Pull),
    List(List),
    Import(Import),
    Export(Export),
    Verify(Verify),
    Remove(Remove),
    Move(Move),
}

/// Download a model, or resume its download
///
/// Ctrl-C pauses the download. Downloaded data is kept, even if the process is killed, and is not downloaded again. Exit code 1 if the model is not complete at the end.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  LICENSE_KEY=… MODEL_REGISTRY_URL=https://models.example.com quarterdeck-server model pull svc-slm
  quarterdeck-server model pull svc-llm --wait")]
pub struct Pull {
    /// Name of the model
    name: String,
    /// Wait for the network without a time limit
    #[arg(long)]
    wait: bool,
}

/// List the installed models and running downloads
#[derive(Args)]
pub struct List {
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Install a model from a file, with the .sha256 file in the same folder if it exists
#[derive(Args)]
pub struct Import {
    file: PathBuf,
    /// Name of the model [default: the file name without its extension]
    #[arg(long)]
    name: Option<String>,
    /// The expected SHA-256, if there is no .sha256 file
    #[arg(long, value_name = "HEX")]
    sha256: Option<String>,
}

/// Copy a model and its .sha256 file to a folder, such as a USB stick
///
/// An identical file is left unchanged; a different file is never overwritten.
#[derive(Args)]
pub struct Export {
    name: String,
    folder: PathBuf,
    /// Name of the copy [default: the name of the model]
    #[arg(long, value_name = "NAME")]
    file: Option<String>,
}

/// Verify the SHA-256 of models, and set changed ones aside
#[derive(Args)]
pub struct Verify {
    /// [default: all]
    name: Option<String>,
    /// The expected SHA-256, on your own responsibility
    #[arg(long, value_name = "HEX", requires = "name")]
    sha256: Option<String>,
}

/// Remove a model, or its partial download
#[derive(Args)]
pub struct Remove {
    name: String,
}

/// Move all models to another folder
#[derive(Args)]
pub struct Move {
    folder: PathBuf,
}

pub fn run(model: &Model, settings: &Settings) -> Result<(), CliError> {
    let house = OpenData::open(settings, None)?;
    let keys = SecretKey::of(house.data_dir.path(), settings.is_desktop);
    let downloads = model_secrets::downloads(&house, settings, Arc::new(keys));
    let library = downloads.library().map_err(models::LibraryError::from)?;
    let by = PlatformAdmin::machine(&house.store, house.tenant.id, clock::now());
    match model {
        Model::Pull(arguments) => pull(arguments, &by, &downloads),
        Model::List(arguments) => list(arguments, &downloads, &library),
        Model::Import(arguments) => import(arguments, &by, &downloads, &library),
        Model::Export(arguments) => {
            let name = ModelName::parse(&arguments.name)?;
            let bar = bar_of(&name, library.find(&name)?.size_bytes);
            let mut progress = |bytes| bar.set_position(bytes);
            let export =
                library.export(&name, arguments.file.as_deref(), &arguments.folder, &mut progress)?;
            bar.finish_and_clear();
            let path = export.path.display();
            Ok(output::line(if export.is_new {
                format!("Wrote {path} and its .sha256 file")
            } else {
                format!("{path} and its .sha256 file are there already, and the same")
            })?)
        }
        Model::Verify(arguments) => verify(arguments, &by, &downloads, &library),
        Model::Remove(arguments) => {
            let name = ModelName::parse(&arguments.name)?;
            if downloads.status(&name).map_err(models::LibraryError::from)?.is_some() {
                service_models::cancel(&by, &downloads, &name)?;
                output::line(format!("Removed what came of the download of {name}"))?;
                if library.find(&name).is_err() {
                    return Ok(());
                }
            }
            service_models::remove(&by, &downloads, &name)?;
            Ok(output::line(format!("Removed {name}"))?)
        }
        Model::Move(arguments) => {
            let folder = std::path::absolute(&arguments.folder)?;
            service_models::move_to(&by, &downloads, &folder)?;
            Ok(output::line(format!("The models are in {}", folder.display()))?)
        }
    }
}

fn pull(arguments: &Pull, by: &PlatformAdmin, downloads: &Downloads) -> Result<(), CliError> {
    let name = ModelName::parse(&arguments.name)?;
    let downloads = if arguments.wait { downloads.clone() } else { downloads.without_patience() };
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Runtime)?;
    let paused = runtime.block_on(follow(by, &downloads, &name))?;
    match downloads.status(&name).map_err(models::LibraryError::from)? {
        None => {
            let library = downloads.library().map_err(models::LibraryError::from)?;
            let model = library.find(&name)?;
            output::line(format!("{name} is ready: {} bytes, SHA-256 {}", model.size_bytes, model.sha256))?;
            if model.trust == models::Trust::FirstUse {
                eprintln!(
                    "The registry offered no hash: the file is trusted because it came first. Compare it with `model verify {name} --sha256 …`."
                );
            }
            Ok(())
        }
        Some(_) if paused => {
            eprintln!("Paused. The same command goes on where it stopped.");
            Err(CliError::Said)
        }
        Some(status) => match status.failure {
            Some(failure) => Err(failure.into()),
            None => Err(CliError::Said),
        },
    }
}

/// Shows a progress bar until the download has ended. Returns whether the user paused it.
async fn follow(by: &PlatformAdmin, downloads: &Downloads, name: &ModelName) -> Result<bool, CliError> {
    let mut signals = Signals::hear().map_err(CliError::Signals)?;
    let mut changed = downloads.changed();
    service_models::pull(by, downloads, name, false)?;
    let bar = bar_of(name, 0);
    let mut told = String::new();
    while downloads.is_running(name) {
        tokio::select! {
            biased;
            () = signals.come() => {
                service_models::pause(by, downloads, name)?;
                bar.finish_and_clear();
                return Ok(true);
            }
            _ = changed.changed() => {}
        }
        if let Some(status) = downloads.status(name).map_err(models::LibraryError::from)? {
            show(&bar, &status, &mut told);
        }
    }
    bar.finish_and_clear();
    Ok(false)
}

fn show(bar: &ProgressBar, status: &Status, told: &mut String) {
    bar.set_length(status.size_bytes.unwrap_or(0));
    bar.set_position(status.bytes);
    let rate = format!("{}.{} MB/s", status.rate / 1_000_000, status.rate % 1_000_000 / 100_000);
    let left = status.seconds_left.map(|seconds| format!(", {} min {} s left", seconds / 60, seconds % 60));
    bar.set_message(match status.state {
        models::State::Downloading => format!("{rate}{}", left.unwrap_or_default()),
        state => state.as_str().replace('_', " "),
    });
    if let Some(notice) = status.notices.last().filter(|notice| notice.text != *told) {
        told.clone_from(&notice.text);
        bar.println(&notice.text);
    }
}

fn list(arguments: &List, downloads: &Downloads, library: &Library) -> Result<(), CliError> {
    let stored = |error: StoreError| CliError::from(models::LibraryError::from(error));
    let (here, coming) = (library.list().map_err(stored)?, downloads.list().map_err(stored)?);
    if arguments.json {
        let models: Vec<_> = here.iter().map(with_times).collect();
        let downloads: Vec<_> = coming.iter().map(with_times).collect();
        return Ok(output::json(&json!({
            "folder": library.folder(),
            "models": models,
            "downloads": downloads,
        }))?);
    }
    for model in &here {
        let trust = if model.trust == models::Trust::FirstUse { ", nobody vouched for it" } else { "" };
        output::line(format!(
            "{}  ready, {} bytes, SHA-256 {}{trust}",
            model.name, model.size_bytes, model.sha256
        ))?;
    }
    for status in &coming {
        let size = status.size_bytes.map_or_else(|| "?".to_owned(), |size| size.to_string());
        let why = status.failure.as_ref().map(|failure| format!(": {failure}")).unwrap_or_default();
        let state = status.state.as_str().replace('_', " ");
        output::line(format!("{}  {state}, {} of {size} bytes{why}", status.name, status.bytes))?;
    }
    if here.is_empty() && coming.is_empty() {
        output::line(
            "No models here. `quarterdeck-server model pull svc-slm` downloads one, `model import FILE` takes one in.",
        )?;
    }
    Ok(())
}

fn import(
    arguments: &Import,
    by: &PlatformAdmin,
    downloads: &Downloads,
    library: &Library,
) -> Result<(), CliError> {
    let name = match &arguments.name {
        Some(name) => ModelName::parse(name)?,
        None => ModelName::of_file(&arguments.file.to_string_lossy())?,
    };
    let bar = bar_of(&name, std::fs::metadata(&arguments.file).map_or(0, |file| file.len()));
    let told = arguments.sha256.as_deref();
    let mut progress = |bytes| bar.set_position(bytes);
    let work = || Ok(library.import(&arguments.file, &name, told, by.now, &mut progress)?);
    let model = service_models::import_with(by, downloads, &name, work)?;
    bar.finish_and_clear();
    output::line(format!("{name} is ready: {} bytes, SHA-256 {}", model.size_bytes, model.sha256))?;
    if model.trust == models::Trust::FirstUse {
        eprintln!("There was no .sha256 file and no --sha256: the file is trusted as it is.");
    }
    Ok(())
}

fn verify(
    arguments: &Verify,
    by: &PlatformAdmin,
    downloads: &Downloads,
    library: &Library,
) -> Result<(), CliError> {
    let stored = |error: StoreError| CliError::from(models::LibraryError::from(error));
    let names = if let Some(name) = &arguments.name {
        vec![ModelName::parse(name)?]
    } else {
        let models = library.list().map_err(stored)?;
        models.iter().map(|model| ModelName::parse(&model.name)).collect::<Result<_, _>>()?
    };
    let mut is_broken = false;
    for name in names {
        let bar = bar_of(&name, library.find(&name)?.size_bytes);
        let mut progress = |bytes| bar.set_position(bytes);
        let checked =
            service_models::verify(by, downloads, &name, arguments.sha256.as_deref(), &mut progress);
        bar.finish_and_clear();
        match checked {
            Ok(model) => output::line(format!("{name} is sound: SHA-256 {}", model.sha256))?,
            Err(SetupError::Broken { found, kept }) => {
                is_broken = true;
                eprintln!(
                    "{name} changed on disk: its SHA-256 is {found}. It is not used any more and is kept as {}.",
                    kept.display()
                );
            }
            Err(error) => return Err(error.into()),
        }
    }
    if is_broken { Err(CliError::Said) } else { Ok(()) }
}

/// A progress bar on a terminal, otherwise nothing.
fn bar_of(name: &ModelName, size: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{prefix} [{bar:30}] {percent}% of {total_bytes} {msg}")
        .expect("the template names known parts");
    ProgressBar::new(size).with_style(style).with_prefix(name.to_string())
}
