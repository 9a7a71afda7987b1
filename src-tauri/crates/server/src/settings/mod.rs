//! The settings: each has one name, one default and one meaning, defined here.
//!
//! A value comes from, strongest first: a flag, the environment, the TOML file, the default. Its origin is stored for `doctor`.
//!
//! To add a setting: its definition, and its entry in the list, in the file of its area below.

mod automation;
mod backup;
mod egress;
mod error;
mod file;
mod imports;
mod limits;
mod models;
mod origin;
mod providers;
mod service;
mod sign_on;
#[cfg(test)]
mod tests;
mod usual;

use directories::ProjectDirs;
use file::File;
use origin::{hours, parse, resolve, up_to, words};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

pub use automation::Automation;
pub use backup::Backups;
pub use egress::Egress;
pub use error::SettingsError;
pub use file::FILE_NAME;
pub use imports::Importing;
pub use limits::Limits;
pub use origin::{Line, Origin, Source};
pub use service::{
    APPAUTH_SECRET, DATA_DIR, DATABASE, DATABASE_REPLICA, DRAIN_SECONDS, HOSTS, LISTEN, LOG, METRICS_TOKEN,
    SCHEMA, SESSION_HOURS, SESSION_IDLE_HOURS, SLOW_STATEMENT_MS,
};
pub use sign_on::SignOn;

/// The definition of a setting. Its command-line flag, if any, is `--` and its name with dashes.
#[derive(Debug)]
pub struct Definition {
    /// Key in the TOML file.
    pub name: &'static str,
    /// Environment variable.
    pub environment: &'static str,
    pub default: Option<&'static str>,
    pub meaning: &'static str,
    /// Whether the value is secret and never displayed.
    pub is_secret: bool,
}

/// Every setting, in display order.
pub static ALL: LazyLock<Vec<&'static Definition>> = LazyLock::new(|| {
    [
        service::ALL,
        automation::ALL,
        backup::ALL,
        egress::ALL,
        imports::ALL,
        &sign_on::all(),
        models::ALL,
        &providers::all(),
        limits::ALL,
    ]
    .concat()
});

/// Settings given on the command line.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// A settings file other than `DATA_DIR/quarterdeck.toml`. It must exist.
    pub config: Option<PathBuf>,
    pub data_dir: Option<PathBuf>,
    pub listen: Option<String>,
    /// PostgreSQL URL.
    pub database: Option<String>,
    pub schema: Option<PathBuf>,
}

/// All settings, validated.
#[derive(Debug, Clone)]
pub struct Settings {
    pub data_dir: PathBuf,
    pub listen: SocketAddr,
    /// PostgreSQL URL, if the rows are stored there instead of in a file of the data directory.
    pub database: Option<String>,
    /// URL of a replica of that PostgreSQL server.
    pub database_replica: Option<String>,
    pub schema: Option<PathBuf>,
    pub hosts: Vec<String>,
    pub session_lifetime: Duration,
    /// How long an unused session lasts.
    pub session_idle: Duration,
    pub appauth_secret: Option<String>,
    /// Settings of workflow execution.
    pub automation: Automation,
    pub backups: Backups,
    /// Allowed destinations of connections.
    pub egress: Egress,
    /// Folders below which the models may be moved.
    pub model_folders: Vec<PathBuf>,
    pub sign_on: SignOn,
    /// Settings of models that were given, by environment variable.
    pub models: ::models::settings::SettingValues,
    /// Settings of model providers that were given, by environment variable.
    pub providers: llm::EnvironmentValues,
    /// Whether this is a desktop program, whose keyring stores the key of secrets. Set by the window.
    pub is_desktop: bool,
    pub log: String,
    /// Bearer token that readers of `/metrics` must send.
    pub metrics_token: Option<String>,
    /// How long the service still answers requests after it was asked to stop.
    pub drain: Duration,
    /// Duration from which a database read is logged with its plan.
    pub slow_statement: Option<Duration>,
    pub importing: Importing,
    pub limits: Limits,
    /// The settings as text with their origins, in the order of [`ALL`].
    pub origins: Vec<Origin>,
}

impl Settings {
    /// Reads the settings. `environment` returns the value of a variable; empty counts as not set.
    pub fn read(flags: &Flags, environment: &dyn Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let named = flags.config.as_deref().map(|path| File::read(path, true)).transpose()?;
        let path_flag = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());

        let mut data_dir = resolve(&DATA_DIR, path_flag(&flags.data_dir), environment, named.as_ref())?;
        let folder = match &data_dir.value {
            Some(path) => PathBuf::from(path),
            None => platform_data_dir().ok_or(SettingsError::NoHome)?,
        };
        // The path is shown to people and inserted into commands, therefore it must be absolute.
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        data_dir.value = Some(folder.display().to_string());
        let file = match named {
            Some(file) => file,
            None => File::read(&folder.join(FILE_NAME), false)?,
        };

        let mut origins = vec![data_dir];
        for definition in ALL.iter().copied().skip(1) {
            let flag = match definition.name {
                "listen" => flags.listen.clone(),
                "database" => flags.database.clone(),
                "schema" => path_flag(&flags.schema),
                _ => None,
            };
            origins.push(resolve(definition, flag, environment, Some(&file))?);
        }
        let of = |definition: &Definition| {
            origins
                .iter()
                .find(|origin| origin.definition.name == definition.name)
                .expect("ALL has every setting")
        };
        let egress = Egress::read(&|definition| of(definition).clone())?;
        Ok(Self {
            model_folders: egress::model_folders(&|definition| of(definition).clone())?,
            automation: Automation::read(&|definition| of(definition).clone())?,
            backups: Backups::read(&folder, &|definition| of(definition).clone())?,
            data_dir: folder,
            listen: parse(of(&LISTEN), "an address and a port such as 127.0.0.1:8790")?,
            database: of(&DATABASE).value.clone(),
            database_replica: service::replica(of(&DATABASE), of(&DATABASE_REPLICA))?,
            schema: of(&SCHEMA).value.clone().map(PathBuf::from),
            hosts: words(of(&HOSTS)),
            session_lifetime: hours(of(&SESSION_HOURS))?,
            session_idle: match of(&SESSION_IDLE_HOURS).value {
                Some(_) => hours(of(&SESSION_IDLE_HOURS))?,
                None => hours(of(&SESSION_HOURS))?,
            },
            sign_on: SignOn::read(&|definition| of(definition).clone(), environment, &egress)?,
            egress,
            models: models::given(&|definition| of(definition).clone(), environment),
            providers: providers::given(&|definition| of(definition).clone(), environment),
            is_desktop: false,
            appauth_secret: of(&APPAUTH_SECRET).value.clone(),
            importing: Importing::read(&|definition| of(definition).clone())?,
            limits: Limits::read(&|definition| of(definition).clone())?,
            log: of(&LOG).value.clone().unwrap_or_default(),
            metrics_token: of(&METRICS_TOKEN).value.clone(),
            drain: Duration::from_secs(up_to(of(&DRAIN_SECONDS), 600)?),
            slow_statement: match up_to(of(&SLOW_STATEMENT_MS), 86_400_000)? {
                0 => None,
                milliseconds => Some(Duration::from_millis(milliseconds)),
            },
            origins,
        })
    }

    /// The settings of this process, without a command line.
    pub fn from_environment() -> Result<Self, SettingsError> {
        Self::read(&Flags::default(), &|name| std::env::var(name).ok())
    }
}

/// The system's folder for application data: XDG on Linux, Application Support on macOS, AppData on Windows.
fn platform_data_dir() -> Option<PathBuf> {
    ProjectDirs::from("", "", "quarterdeck").map(|folders| folders.data_dir().to_owned())
}
