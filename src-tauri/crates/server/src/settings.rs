//! The settings: each has one name, one default and one meaning, here.
//!
//! A value comes from, strongest first: a flag, the environment, the TOML file, the default. Where it came from is kept
//! for `doctor`.

use directories::ProjectDirs;
use serde::Serialize;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One setting as it is known outside. Its flag is `--` and its name with dashes, where it has one.
#[derive(Debug)]
pub struct Definition {
    /// In the TOML file.
    pub name: &'static str,
    /// In the environment.
    pub environment: &'static str,
    pub default: Option<&'static str>,
    pub meaning: &'static str,
    /// Its value is never shown.
    pub is_secret: bool,
}

pub const DATA_DIR: Definition = Definition {
    name: "data_dir",
    environment: "QUARTERDECK_DATA_DIR",
    default: None,
    meaning: "Folder of the database and of files waiting for import. Without it, the place this system has for data \
              of programs (Linux: $XDG_DATA_HOME/quarterdeck, else ~/.local/share/quarterdeck)",
    is_secret: false,
};
pub const LISTEN: Definition = Definition {
    name: "listen",
    environment: "QUARTERDECK_LISTEN",
    default: Some("127.0.0.1:8790"),
    meaning: "Address and port to answer on. Port 0 takes a free one",
    is_secret: false,
};
pub const SCHEMA: Definition = Definition {
    name: "schema",
    environment: "QUARTERDECK_SCHEMA",
    default: None,
    meaning: "Folder of a catalogue to use instead of the built-in one",
    is_secret: false,
};
pub const HOSTS: Definition = Definition {
    name: "hosts",
    environment: "QUARTERDECK_HOSTS",
    default: Some(""),
    meaning: "Further names (host or host:port, separated by commas) under which browsers reach this service, such as \
              the name of a reverse proxy",
    is_secret: false,
};
pub const SESSION_HOURS: Definition = Definition {
    name: "session_hours",
    environment: "QUARTERDECK_SESSION_HOURS",
    default: Some("24"),
    meaning: "Hours until a browser has to sign in again",
    is_secret: false,
};
pub const APPAUTH_SECRET: Definition = Definition {
    name: "appauth_secret",
    environment: "APPAUTH_SECRET",
    default: None,
    meaning: "What bearer tokens are signed with. Without it, one is generated and kept in the database",
    is_secret: true,
};

pub const SESSION_IDLE_HOURS: Definition = Definition {
    name: "session_idle_hours",
    environment: "QUARTERDECK_SESSION_IDLE_HOURS",
    default: None,
    meaning: "Hours without a request until a browser has to sign in again. Without it, as long as session_hours",
    is_secret: false,
};
pub const DEPLOYMENT: Definition = Definition {
    name: "deployment",
    environment: "QUARTERDECK_DEPLOYMENT",
    default: Some("self-hosted"),
    meaning: "Where new people belong: self-hosted (all in one tenant) or hosted (by the domain of their address, in the \
              tenants' allowed_domains)",
    is_secret: false,
};
pub const LICENSE_KEY: Definition = Definition {
    name: "license_key",
    environment: "LICENSE_KEY",
    default: None,
    meaning: "The license. Where it is a JWT, its `tenant` names the tenant of new people",
    is_secret: true,
};
pub const LICENSE_TENANT: Definition = Definition {
    name: "license_tenant",
    environment: "LICENSE_TENANT",
    default: None,
    meaning: "Tenant of new people, where the license names none. Without it, the tenant of the first start",
    is_secret: false,
};

/// One of single sign-on: read by `auth`, which says what it means and what it is by default. Saved values override it.
const fn sign_on(name: &'static str, environment: &'static str, meaning: &'static str) -> Definition {
    Definition { name, environment, default: None, meaning, is_secret: false }
}

pub const SIGN_ON: [&Definition; 11] = [
    &sign_on(
        "saml_enabled",
        "SAML_ENABLED",
        "Whether people can sign in through an identity provider: true or false",
    ),
    &sign_on("saml_entry_point", "SAML_ENTRY_POINT", "Sign-on address of the identity provider"),
    &sign_on("saml_issuer", "SAML_ISSUER", "Entity id of the identity provider"),
    &sign_on(
        "saml_cert",
        "SAML_CERT",
        "Certificates the identity provider signs with, with or without PEM lines",
    ),
    &sign_on(
        "saml_audience",
        "SAML_AUDIENCE",
        "Entity id of this service, as registered at the identity provider",
    ),
    &sign_on("appauth_url", "APPAUTH_URL", "Address of this service, as browsers reach it"),
    &sign_on("saml_group_mapping", "SAML_GROUP_MAPPING", "Which group gives which role: a JSON object"),
    &sign_on(
        "saml_sync_roles_on_login",
        "SAML_SYNC_ROLES_ON_LOGIN",
        "Whether roles follow the groups at every sign-in",
    ),
    &sign_on(
        "saml_remove_old_roles",
        "SAML_REMOVE_OLD_ROLES",
        "Whether roles no group gives any more are taken away",
    ),
    &sign_on(
        "saml_include_unmapped_groups",
        "SAML_INCLUDE_UNMAPPED_GROUPS",
        "Whether groups missing from the mapping count as roles of their own name",
    ),
    &sign_on(
        "auth_default_role",
        "AUTH_DEFAULT_ROLE",
        "Role of new people: tenant_admin or tenant_admin_readonly",
    ),
];

/// One of the limits: a whole number from 1.
const fn limit(
    name: &'static str,
    environment: &'static str,
    default: &'static str,
    meaning: &'static str,
) -> Definition {
    Definition { name, environment, default: Some(default), meaning, is_secret: false }
}

pub const MAX_BODY_BYTES: Definition = limit(
    "max_body_bytes",
    "QUARTERDECK_MAX_BODY_BYTES",
    "12582912",
    "Length of a request's body; uploaded files are not bound by it",
);
pub const MAX_QUERY_BYTES: Definition = limit(
    "max_query_bytes",
    "QUARTERDECK_MAX_QUERY_BYTES",
    "262144",
    "Length of the text of a GraphQL query, without its variables",
);
pub const MAX_DEPTH: Definition =
    limit("max_depth", "QUARTERDECK_MAX_DEPTH", "20", "Selections inside selections of a GraphQL query");
pub const MAX_FIELDS: Definition = limit(
    "max_fields",
    "QUARTERDECK_MAX_FIELDS",
    "1500",
    "Fields and aliases of a GraphQL query, with its fragments opened",
);
pub const MAX_CONDITIONS: Definition = limit(
    "max_conditions",
    "QUARTERDECK_MAX_CONDITIONS",
    "2000",
    "Entries of all `where` and `order_by` of a GraphQL query",
);
pub const MAX_CONDITION_DEPTH: Definition = limit(
    "max_condition_depth",
    "QUARTERDECK_MAX_CONDITION_DEPTH",
    "20",
    "Conditions inside conditions of one `where`",
);
pub const MAX_VALUES: Definition = limit(
    "max_values",
    "QUARTERDECK_MAX_VALUES",
    "200000",
    "Values of all arguments of a GraphQL query, with its variables put in",
);
pub const MAX_ROWS: Definition =
    limit("max_rows", "QUARTERDECK_MAX_ROWS", "100000", "Rows of one answer, those of nested lists included");
pub const MAX_ANSWER_BYTES: Definition =
    limit("max_answer_bytes", "QUARTERDECK_MAX_ANSWER_BYTES", "134217728", "Length of one answer");
pub const MAX_SECONDS: Definition = limit(
    "max_seconds",
    "QUARTERDECK_MAX_SECONDS",
    "30",
    "Seconds the database may work on one GraphQL request before it is stopped",
);
pub const MAX_CONCURRENT: Definition = limit(
    "max_concurrent",
    "QUARTERDECK_MAX_CONCURRENT",
    "8",
    "GraphQL requests of one user that are worked on at once; further ones wait two seconds for their turn",
);
pub const MAX_SUBSCRIPTIONS: Definition = limit(
    "max_subscriptions",
    "QUARTERDECK_MAX_SUBSCRIPTIONS",
    "50",
    "Subscriptions that run over one WebSocket connection at once",
);
pub const MAX_CONNECTIONS: Definition = limit(
    "max_connections",
    "QUARTERDECK_MAX_CONNECTIONS",
    "32",
    "WebSocket connections of one user that are open at once",
);
pub const LOG: Definition = Definition {
    name: "log",
    environment: "QUARTERDECK_LOG",
    default: Some("info"),
    meaning: "What is logged on stderr: error, warn, info, debug or trace, or a filter such as server=debug,info",
    is_secret: false,
};

/// Every setting, in the order people are shown them.
pub const ALL: [&Definition; 35] = [
    &DATA_DIR,
    &LISTEN,
    &SCHEMA,
    &HOSTS,
    &SESSION_HOURS,
    &SESSION_IDLE_HOURS,
    &APPAUTH_SECRET,
    &DEPLOYMENT,
    &LICENSE_KEY,
    &LICENSE_TENANT,
    SIGN_ON[0],
    SIGN_ON[1],
    SIGN_ON[2],
    SIGN_ON[3],
    SIGN_ON[4],
    SIGN_ON[5],
    SIGN_ON[6],
    SIGN_ON[7],
    SIGN_ON[8],
    SIGN_ON[9],
    SIGN_ON[10],
    &LOG,
    &MAX_BODY_BYTES,
    &MAX_QUERY_BYTES,
    &MAX_DEPTH,
    &MAX_FIELDS,
    &MAX_CONDITIONS,
    &MAX_CONDITION_DEPTH,
    &MAX_VALUES,
    &MAX_ROWS,
    &MAX_ANSWER_BYTES,
    &MAX_SECONDS,
    &MAX_CONCURRENT,
    &MAX_SUBSCRIPTIONS,
    &MAX_CONNECTIONS,
];

/// Name of the settings file in the data directory.
pub const FILE_NAME: &str = "quarterdeck.toml";

/// What the command line said.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// A settings file other than `DATA_DIR/quarterdeck.toml`. It must exist.
    pub config: Option<PathBuf>,
    pub data_dir: Option<PathBuf>,
    pub listen: Option<String>,
    pub schema: Option<PathBuf>,
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Flag,
    Environment,
    File(PathBuf),
    Default,
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flag => f.write_str("flag"),
            Self::Environment => f.write_str("environment"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

/// One setting's value as text, and where it came from.
#[derive(Debug, Clone)]
pub struct Origin {
    pub definition: &'static Definition,
    pub value: Option<String>,
    pub source: Source,
}

/// A setting as people are shown it: what is secret is told as set, not shown.
#[derive(Debug, Serialize)]
pub struct Line {
    pub name: &'static str,
    pub environment: &'static str,
    pub value: Option<String>,
    pub source: String,
    pub meaning: &'static str,
}

impl Origin {
    pub fn line(&self) -> Line {
        let definition = self.definition;
        let shown =
            |value: &String| if definition.is_secret { "(set, not shown)".to_owned() } else { value.clone() };
        Line {
            name: definition.name,
            environment: definition.environment,
            value: self.value.as_ref().map(shown),
            source: self.source.to_string(),
            meaning: definition.meaning,
        }
    }
}

/// All settings, checked.
#[derive(Debug, Clone)]
pub struct Settings {
    pub data_dir: PathBuf,
    pub listen: SocketAddr,
    pub schema: Option<PathBuf>,
    pub hosts: Vec<String>,
    pub session_lifetime: Duration,
    /// How long a session lasts without being used.
    pub session_idle: Duration,
    pub appauth_secret: Option<String>,
    pub sign_on: SignOn,
    pub log: String,
    pub limits: Limits,
    /// The same, as text with sources, in the order of [`ALL`].
    pub origins: Vec<Origin>,
}

/// Single sign-on as it was set when the service started.
#[derive(Debug, Clone)]
pub struct SignOn {
    /// By the names of the contract; only what was set.
    pub given: auth::saml::settings::Given,
    pub deployment: auth::provision::Deployment,
    /// Where the tenant of new people comes from, for people.
    pub tenant_from: &'static str,
}

impl SignOn {
    fn read(of: &dyn Fn(&Definition) -> Origin) -> Result<Self, SettingsError> {
        let value = |definition| of(definition).value.filter(|value| !value.is_empty());
        let given = SIGN_ON
            .into_iter()
            .filter_map(|definition| Some((definition.environment.to_owned(), value(definition)?)));
        let from_license = value(&LICENSE_KEY).and_then(|key| auth::saml::license::tenant_of(&key));
        let (deployment, tenant_from) = match of(&DEPLOYMENT).value.as_deref() {
            Some("hosted") => (auth::provision::Deployment::Hosted, "allowed_domains"),
            Some("self-hosted") => {
                let (tenant, from) = match (from_license, value(&LICENSE_TENANT)) {
                    (Some(tenant), _) => (Some(tenant), "license"),
                    (None, Some(tenant)) => (Some(tenant), "setting"),
                    (None, None) => (None, "first tenant"),
                };
                (auth::provision::Deployment::SelfHosted { tenant }, from)
            }
            _ => return Err(wrong(&of(&DEPLOYMENT), "self-hosted or hosted")),
        };
        Ok(Self { given: given.collect(), deployment, tenant_from })
    }
}

/// How much one caller may ask for.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub body_bytes: usize,
    /// GraphQL requests of one user at once.
    pub concurrent: usize,
    /// Subscriptions of one connection.
    pub subscriptions: usize,
    /// WebSocket connections of one user at once.
    pub connections: usize,
    /// What one GraphQL request may ask for.
    pub request: graphql::Limits,
    /// What it may take of the database.
    pub answer: store::Bounds,
}

impl Limits {
    fn read(of: &dyn Fn(&Definition) -> Origin) -> Result<Self, SettingsError> {
        let size = |definition, most| whole(&of(definition), most);
        let any = usize::MAX;
        Ok(Self {
            body_bytes: size(&MAX_BODY_BYTES, any)?,
            concurrent: size(&MAX_CONCURRENT, 10_000)?,
            subscriptions: size(&MAX_SUBSCRIPTIONS, any)?,
            connections: size(&MAX_CONNECTIONS, 10_000)?,
            request: graphql::Limits {
                query_bytes: size(&MAX_QUERY_BYTES, any)?,
                // What is read goes into the stack as deep as it nests.
                depth: size(&MAX_DEPTH, 60)?,
                // SQLite answers with 2,000 columns at most.
                fields: size(&MAX_FIELDS, 1_900)?,
                conditions: size(&MAX_CONDITIONS, any)?,
                condition_depth: size(&MAX_CONDITION_DEPTH, 60)?,
                values: size(&MAX_VALUES, any)?,
                rows: size(&MAX_ROWS, any)? as u64,
            },
            answer: store::Bounds {
                rows: size(&MAX_ROWS, any)? as u64,
                bytes: size(&MAX_ANSWER_BYTES, any)?,
                time: Duration::from_secs(size(&MAX_SECONDS, 86_400)? as u64),
            },
        })
    }
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("{name} is {found:?} (from {from}): expected {expected}")]
    Wrong { name: &'static str, found: String, from: Source, expected: String },
    #[error("{path} has a setting {found:?} that does not exist; there is {}", names())]
    Unknown { path: PathBuf, found: String },
    #[error("the settings file {path} cannot be read")]
    Unreadable {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error("the settings file {path} is not TOML")]
    NotToml {
        path: PathBuf,
        #[source]
        cause: Box<toml::de::Error>,
    },
    #[error("this user has no home directory; name a data directory with --data-dir or {}", DATA_DIR.environment)]
    NoHome,
}

impl Settings {
    /// Reads the settings. `environment` answers what a variable is set to; empty counts as not set.
    pub fn read(flags: &Flags, environment: &dyn Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let named = flags.config.as_deref().map(|path| File::read(path, true)).transpose()?;
        let path_flag = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());

        let mut data_dir = resolve(&DATA_DIR, path_flag(&flags.data_dir), environment, named.as_ref())?;
        let folder = match &data_dir.value {
            Some(path) => PathBuf::from(path),
            None => platform_data_dir().ok_or(SettingsError::NoHome)?,
        };
        // Shown to people and written into their commands, it must mean the same from any folder.
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        data_dir.value = Some(folder.display().to_string());
        let file = match named {
            Some(file) => file,
            None => File::read(&folder.join(FILE_NAME), false)?,
        };

        let mut origins = vec![data_dir];
        for definition in ALL.into_iter().skip(1) {
            let flag = match definition.name {
                "listen" => flags.listen.clone(),
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
        Ok(Self {
            data_dir: folder,
            listen: parse(of(&LISTEN), "an address and a port such as 127.0.0.1:8790")?,
            schema: of(&SCHEMA).value.clone().map(PathBuf::from),
            hosts: words(of(&HOSTS)),
            session_lifetime: hours(of(&SESSION_HOURS))?,
            session_idle: match of(&SESSION_IDLE_HOURS).value {
                Some(_) => hours(of(&SESSION_IDLE_HOURS))?,
                None => hours(of(&SESSION_HOURS))?,
            },
            sign_on: SignOn::read(&|definition| of(definition).clone())?,
            appauth_secret: of(&APPAUTH_SECRET).value.clone(),
            limits: Limits::read(&|definition| of(definition).clone())?,
            log: of(&LOG).value.clone().unwrap_or_default(),
            origins,
        })
    }

    /// The settings of this process, without a command line.
    pub fn from_environment() -> Result<Self, SettingsError> {
        Self::read(&Flags::default(), &|name| std::env::var(name).ok())
    }
}

/// Where this system keeps data of programs: XDG on Linux, Application Support on macOS, AppData on Windows.
fn platform_data_dir() -> Option<PathBuf> {
    ProjectDirs::from("", "", "quarterdeck").map(|folders| folders.data_dir().to_owned())
}

/// The settings file; without entries when there is none and nobody asked for it.
struct File {
    path: PathBuf,
    entries: toml::Table,
}

impl File {
    fn read(path: &Path, must_exist: bool) -> Result<Self, SettingsError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(cause) if !must_exist && is_absence(&cause) => String::new(),
            Err(cause) => return Err(SettingsError::Unreadable { path: path.to_owned(), cause }),
        };
        let entries: toml::Table = text
            .parse()
            .map_err(|cause| SettingsError::NotToml { path: path.to_owned(), cause: Box::new(cause) })?;
        if let Some(found) = entries.keys().find(|key| ALL.iter().all(|known| known.name != key.as_str())) {
            return Err(SettingsError::Unknown { path: path.to_owned(), found: found.clone() });
        }
        Ok(Self { path: path.to_owned(), entries })
    }
}

/// A data directory below a file is refused later, in words about the data directory.
fn is_absence(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

fn resolve(
    definition: &'static Definition,
    flag: Option<String>,
    environment: &dyn Fn(&str) -> Option<String>,
    file: Option<&File>,
) -> Result<Origin, SettingsError> {
    let from_file = || -> Result<Option<(String, Source)>, SettingsError> {
        let Some((file, entry)) = file.and_then(|file| Some((file, file.entries.get(definition.name)?)))
        else {
            return Ok(None);
        };
        let source = Source::File(file.path.clone());
        match scalar(entry) {
            Some(text) => Ok(Some((text, source))),
            None => Err(SettingsError::Wrong {
                name: definition.name,
                found: entry.type_str().to_owned(),
                from: source,
                expected: "a text, a number or a list of texts".to_owned(),
            }),
        }
    };
    let found = match flag {
        Some(value) => Some((value, Source::Flag)),
        None => match environment(definition.environment).filter(|value| !value.is_empty()) {
            Some(value) => Some((value, Source::Environment)),
            None => from_file()?,
        },
    };
    let (value, source) = match found {
        Some((value, source)) => (Some(value), source),
        None => (definition.default.map(str::to_owned), Source::Default),
    };
    Ok(Origin { definition, value, source })
}

fn scalar(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Array(entries) => {
            entries.iter().map(scalar).collect::<Option<Vec<_>>>().map(|texts| texts.join(","))
        }
        _ => None,
    }
}

fn parse<T: std::str::FromStr>(origin: &Origin, expected: &'static str) -> Result<T, SettingsError> {
    origin.value.as_deref().unwrap_or_default().parse().map_err(|_| wrong(origin, expected))
}

fn hours(origin: &Origin) -> Result<Duration, SettingsError> {
    let expected = "a whole number of hours between 1 and 8760";
    let hours: u64 = parse(origin, expected)?;
    if (1..=8760).contains(&hours) {
        Ok(Duration::from_secs(hours * 3600))
    } else {
        Err(wrong(origin, expected))
    }
}

fn whole(origin: &Origin, most: usize) -> Result<usize, SettingsError> {
    let number = origin.value.as_deref().unwrap_or_default().parse();
    number.ok().filter(|number| (1..=most).contains(number)).ok_or_else(|| {
        wrong(
            origin,
            match most {
                usize::MAX => "a whole number from 1".to_owned(),
                most => format!("a whole number between 1 and {most}"),
            },
        )
    })
}

fn words(origin: &Origin) -> Vec<String> {
    let value = origin.value.as_deref().unwrap_or_default();
    value.split(',').map(|word| word.trim().to_lowercase()).filter(|word| !word.is_empty()).collect()
}

fn wrong(origin: &Origin, expected: impl Into<String>) -> SettingsError {
    SettingsError::Wrong {
        name: origin.definition.name,
        found: origin.value.clone().unwrap_or_default(),
        from: origin.source.clone(),
        expected: expected.into(),
    }
}

fn names() -> String {
    ALL.map(|definition| definition.name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(_: &str) -> Option<String> {
        None
    }

    fn in_folder(text: &str) -> (tempfile::TempDir, Flags) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE_NAME), text).unwrap();
        let flags = Flags { data_dir: Some(folder.path().to_owned()), ..Flags::default() };
        (folder, flags)
    }

    fn listen_of(settings: &Settings) -> (String, String) {
        (settings.listen.to_string(), settings.origins[1].source.to_string())
    }

    #[test]
    fn a_flag_beats_the_environment_beats_the_file_beats_the_default() {
        let environment = |name: &str| (name == "QUARTERDECK_LISTEN").then(|| "127.0.0.1:2".to_owned());
        let (folder, file_only) = in_folder("listen = \"127.0.0.1:3\"");
        let with_flag = Flags { listen: Some("127.0.0.1:1".to_owned()), ..file_only.clone() };
        let empty = Flags { data_dir: Some(folder.path().join("none")), ..Flags::default() };
        let file = folder.path().join(FILE_NAME).display().to_string();

        let read = |flags, environment| listen_of(&Settings::read(flags, environment).unwrap());
        assert_eq!(read(&with_flag, &environment), ("127.0.0.1:1".into(), "flag".into()));
        assert_eq!(read(&file_only, &environment), ("127.0.0.1:2".into(), "environment".into()));
        assert_eq!(read(&file_only, &nothing), ("127.0.0.1:3".into(), file));
        assert_eq!(read(&empty, &nothing), ("127.0.0.1:8790".into(), "default".into()));
    }

    #[test]
    fn a_wrong_value_is_refused_with_its_source_and_what_was_expected() {
        let (_folder, flags) = in_folder("session_hours = 0");
        let error = Settings::read(&flags, &nothing).unwrap_err().to_string();
        assert!(error.starts_with("session_hours is \"0\" (from /"), "{error}");
        assert!(error.ends_with("expected a whole number of hours between 1 and 8760"), "{error}");
    }

    #[test]
    fn a_misspelt_name_in_the_file_is_refused_with_the_names_there_are() {
        let (_folder, flags) = in_folder("listne = \"127.0.0.1:1\"");
        let error = Settings::read(&flags, &nothing).unwrap_err().to_string();
        assert!(error.contains("\"listne\" that does not exist; there is data_dir, listen,"), "{error}");
    }

    #[test]
    fn limits_are_whole_numbers_from_1() {
        let (_folder, flags) = in_folder("max_rows = 7\nmax_seconds = 2");
        let limits = Settings::read(&flags, &nothing).unwrap().limits;
        assert_eq!((limits.answer.rows, limits.answer.time), (7, Duration::from_secs(2)));
        let (_folder, flags) = in_folder("max_depth = 0");
        let error = Settings::read(&flags, &nothing).unwrap_err().to_string();
        assert!(error.ends_with("expected a whole number between 1 and 60"), "{error}");
    }

    #[test]
    fn limits_without_a_setting_are_those_of_the_engine() {
        let limits = Settings::read(&Flags::default(), &nothing).unwrap().limits;
        assert_eq!(limits.request, graphql::Limits::default());
        assert_eq!(limits.answer, store::Bounds::default());
    }

    #[test]
    fn hosts_are_a_list_or_words_between_commas() {
        let (_folder, flags) = in_folder("hosts = [\"Cost.example.com\", \"localhost:5173\"]");
        let settings = Settings::read(&flags, &nothing).unwrap();
        assert_eq!(settings.hosts, ["cost.example.com", "localhost:5173"]);
    }

    #[test]
    fn a_settings_file_somebody_named_must_exist() {
        let flags = Flags { config: Some("/nowhere/q.toml".into()), ..Flags::default() };
        let error = Settings::read(&flags, &nothing).unwrap_err().to_string();
        assert_eq!(error, "the settings file /nowhere/q.toml cannot be read");
    }
}
