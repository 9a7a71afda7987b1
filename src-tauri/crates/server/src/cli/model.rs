//! `model`: models downloaded, carried, checked.

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

/// Download models, carry them between machines, check and remove them
///
/// The registry is named by MODEL_REGISTRY_URL and opened by LICENSE_KEY: in the environment, in the settings file, or on the page Settings, Model
/// downloads, which counts more. The registry offers svc-slm, svc-llm and, where it has one, svc-text-embeddings.
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

/// Download a model, or go on where it stopped
///
/// Ctrl-C pauses; whatever came is kept, after a kill too, and is not fetched twice. Ends with exit code 1 when there is no model at the end.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  LICENSE_KEY=… MODEL_REGISTRY_URL=https://models.example.com quarterdeck-server model pull svc-slm
  quarterdeck-server model pull svc-llm --wait")]
pub struct Pull {
    /// Name of the model
    name: String,
    /// Wait for the network as long as it takes, instead of some seconds
    #[arg(long)]
    wait: bool,
}

/// Show the models that are here and the downloads on their way
#[derive(Args)]
pub struct List {
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Take a model in from a file, with the .sha256 file beside it if there is one
#[derive(Args)]
pub struct Import {
    file: PathBuf,
    /// Name of the model [default: the file's, without its ending]
    #[arg(long)]
    name: Option<String>,
    /// The SHA-256 it must have, where there is no .sha256 file
    #[arg(long, value_name = "HEX")]
    sha256: Option<String>,
}

/// Write a model and its .sha256 file into a folder, such as that of a stick
///
/// The same file there is left as it is; another one is never replaced.
#[derive(Args)]
pub struct Export {
    name: String,
    folder: PathBuf,
    /// What the file is called there [default: like the model]
    #[arg(long, value_name = "NAME")]
    file: Option<String>,
}

/// Hash models again, and put aside what changed
#[derive(Args)]
pub struct Verify {
    /// [default: all]
    name: Option<String>,
    /// The SHA-256 it must have: then you vouch for it
    #[arg(long, value_name = "HEX", requires = "name")]
    sha256: Option<String>,
}

/// Remove a model, or what came of its download
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

/// Shows a bar until the download has ended; whether a person paused it.
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

/// A bar on a terminal; nothing elsewhere.
fn bar_of(name: &ModelName, size: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{prefix} [{bar:30}] {percent}% of {total_bytes} {msg}")
        .expect("the template names known parts");
    ProgressBar::new(size).with_style(style).with_prefix(name.to_string())
}
