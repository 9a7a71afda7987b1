//! The settings of single sign-on: values from the environment, saved values, and their validation.
//!
//! A saved value takes effect at once on every server that shares the database: settings are read at each use and not cached.

use super::certificate::{self, Certificate};
use super::mapping::{Mapping, Row};
use crate::setting;
use catalogue::{Caller, Role};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use store::{Store, StoreError, Transaction};
use url::Url;

/// One setting by its name in the contract.
#[derive(Debug)]
pub struct Definition {
    pub name: &'static str,
    pub default: Option<&'static str>,
    /// Whether nobody can sign in without it.
    pub is_required: bool,
    pub meaning: &'static str,
}

const fn required(name: &'static str, meaning: &'static str) -> Definition {
    Definition { name, default: None, is_required: true, meaning }
}

const fn optional(name: &'static str, default: Option<&'static str>, meaning: &'static str) -> Definition {
    Definition { name, default, is_required: false, meaning }
}

pub const ENABLED: &str = "SAML_ENABLED";
pub const ENTRY_POINT: &str = "SAML_ENTRY_POINT";
pub const ISSUER: &str = "SAML_ISSUER";
pub const CERT: &str = "SAML_CERT";
pub const AUDIENCE: &str = "SAML_AUDIENCE";
pub const URL: &str = "APPAUTH_URL";
pub const GROUP_MAPPING: &str = "SAML_GROUP_MAPPING";
pub const SYNC: &str = "SAML_SYNC_ROLES_ON_LOGIN";
pub const REMOVE: &str = "SAML_REMOVE_OLD_ROLES";
pub const UNMAPPED: &str = "SAML_INCLUDE_UNMAPPED_GROUPS";
pub const DEFAULT_ROLE: &str = "AUTH_DEFAULT_ROLE";
pub const SIGN_REQUESTS: &str = "SAML_SIGN_REQUESTS";
/// The four settings without which the service reports `SAML not configured`.
pub const FOUR: [&str; 4] = [ENTRY_POINT, ISSUER, CERT, AUDIENCE];

/// Every setting of single sign-on (contract, "SAML configuration settings"), and whether requests are signed.
pub const ALL: [Definition; 12] = [
    optional(
        ENABLED,
        Some("false"),
        "Whether users can sign in through the identity provider: true or false",
    ),
    required(ENTRY_POINT, "Single sign-on URL of the identity provider"),
    required(ISSUER, "Entity ID of the identity provider"),
    required(
        CERT,
        "Signing certificates of the identity provider, PEM; several during a certificate rollover",
    ),
    required(AUDIENCE, "Entity ID of this service, as registered at the identity provider"),
    optional(URL, None, "URL of this service, as browsers reach it. Default: the address it listens on"),
    optional(GROUP_MAPPING, Some("{}"), "Mapping of groups of the identity provider to roles: a JSON object"),
    optional(
        SYNC,
        Some("true"),
        "Whether every sign-in updates a user's roles from their groups: true or false",
    ),
    optional(
        REMOVE,
        Some("true"),
        "Whether a sign-in removes roles that no group of the user grants any more: true or false",
    ),
    optional(
        UNMAPPED,
        Some("false"),
        "Whether a group without a mapping grants the role of the same name: true or false",
    ),
    optional(
        DEFAULT_ROLE,
        Some("tenant_admin_readonly"),
        "Role of new users: tenant_admin or tenant_admin_readonly",
    ),
    optional(
        SIGN_REQUESTS,
        Some("false"),
        "Whether to sign requests to the identity provider: true or false. The certificate is in the metadata of this service",
    ),
];

pub fn definition(name: &str) -> Option<&'static Definition> {
    ALL.iter().find(|definition| definition.name == name)
}

/// The source of a setting's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SettingSource")]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A draft value that is not saved.
    Draft,
    Saved,
    Environment,
    Default,
}

/// A value with its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub value: Option<String>,
    pub source: Source,
    /// The value of the environment, even if another one has precedence.
    pub environment: Option<String>,
}

/// Values by setting name.
pub type SettingValues = BTreeMap<String, String>;
/// Changes by setting name; `None` removes a saved value.
pub type Draft = BTreeMap<String, Option<String>>;

/// All settings. The order of precedence: draft, saved value, environment, default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    entries: BTreeMap<&'static str, Entry>,
    own_url: String,
}

/// Reads the current settings. `own_url` is the address of the service unless configured.
pub fn load(
    rows: &Transaction<'_>,
    environment: &SettingValues,
    own_url: &str,
) -> Result<Settings, StoreError> {
    let mut saved = SettingValues::new();
    for definition in &ALL {
        if let Some(value) = setting::get(rows, definition.name)? {
            saved.insert(definition.name.to_owned(), value);
        }
    }
    Ok(Settings::layer(environment, &saved, own_url))
}

/// Like [`load`], in a snapshot of its own.
pub fn read(store: &Store, environment: &SettingValues, own_url: &str) -> Result<Settings, StoreError> {
    store.snapshot(&Caller::system(), |rows| load(rows, environment, own_url))
}

/// Saves changes and ignores unknown names. The caller has [checked](Settings::problems) them.
pub fn save(rows: &Transaction<'_>, changes: &Draft, now: i64) -> Result<(), StoreError> {
    for (name, value) in changes {
        let Some(definition) = definition(name) else { continue };
        match value {
            None => setting::remove(rows, definition.name)?,
            Some(value) => setting::put(rows, definition.name, value, now)?,
        }
    }
    Ok(())
}

/// A problem with a setting's value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SettingProblem")]
pub struct Problem {
    pub setting: &'static str,
    pub message: String,
}

/// The values that responses are checked with.
#[derive(Debug, Clone)]
pub struct Verifier {
    pub entry_point: Url,
    pub issuer: String,
    pub audience: String,
    pub acs_url: String,
    /// At least one.
    pub certificates: Vec<Certificate>,
}

impl Settings {
    /// Combines saved values with those of the environment. Empty counts as not set.
    pub fn layer(environment: &SettingValues, saved: &SettingValues, own_url: &str) -> Self {
        let entries = ALL.iter().map(|definition| {
            let of = |given: &SettingValues| {
                given.get(definition.name).filter(|value| !value.trim().is_empty()).cloned()
            };
            let environment = of(environment);
            let (value, source) = match (saved.get(definition.name), &environment) {
                // A value saved as empty unsets the setting, whatever the environment contains.
                (Some(value), _) => {
                    (Some(value.clone()).filter(|value| !value.trim().is_empty()), Source::Saved)
                }
                (None, Some(value)) => (Some(value.clone()), Source::Environment),
                (None, None) => (None, Source::Default),
            };
            let value = value.or_else(|| definition.default.map(str::to_owned));
            (definition.name, Entry { value, source, environment })
        });
        Self { entries: entries.collect(), own_url: own_url.trim_end_matches('/').to_owned() }
    }

    /// The settings with a draft applied.
    #[must_use]
    pub fn with(&self, draft: &Draft) -> Self {
        let mut settings = self.clone();
        for (name, value) in draft {
            let Some(definition) = definition(name) else { continue };
            let Some(entry) = settings.entries.get_mut(definition.name) else { continue };
            let environment = entry.environment.clone();
            let default = definition.default.map(str::to_owned);
            *entry = match value {
                Some(value) => Entry {
                    value: Some(value.clone()).filter(|value| !value.trim().is_empty()).or(default),
                    source: Source::Draft,
                    environment,
                },
                None => Entry {
                    source: if environment.is_some() { Source::Environment } else { Source::Default },
                    value: environment.clone().or(default),
                    environment,
                },
            };
        }
        settings
    }

    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.get(name)
    }

    pub fn value(&self, name: &str) -> Option<&str> {
        self.entries.get(name)?.value.as_deref()
    }

    fn trimmed(&self, name: &str) -> Option<&str> {
        self.value(name).map(str::trim)
    }

    /// `SAML_ENABLED` is `true`.
    pub fn is_enabled(&self) -> bool {
        self.trimmed(ENABLED).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// Which of [`FOUR`] are missing.
    pub fn missing(&self) -> Vec<&'static str> {
        FOUR.into_iter().filter(|name| self.value(name).is_none()).collect()
    }

    /// The address at which browsers reach this service, without a trailing slash.
    pub fn base_url(&self) -> String {
        self.trimmed(URL).unwrap_or(&self.own_url).trim_end_matches('/').to_owned()
    }

    pub fn acs_url(&self) -> String {
        format!("{}/api/auth/saml/acs", self.base_url())
    }

    pub fn sign_on_url(&self) -> String {
        format!("{}/api/auth/saml/login", self.base_url())
    }

    /// The entity id of this service; its address if no audience is set.
    pub fn entity_id(&self) -> String {
        self.trimmed(AUDIENCE).map_or_else(|| self.base_url(), str::to_owned)
    }

    /// The values to check responses with.
    ///
    /// # Errors
    ///
    /// The settings that are missing or invalid.
    pub fn verifier(&self) -> Result<Verifier, Vec<Problem>> {
        let mut problems: Vec<Problem> = self
            .missing()
            .into_iter()
            .map(|setting| Problem { setting, message: "is missing".to_owned() })
            .collect();
        problems.extend(
            self.problems()
                .into_iter()
                .filter(|problem| FOUR.contains(&problem.setting) || problem.setting == URL),
        );
        if !problems.is_empty() {
            return Err(problems);
        }
        let unusable = || vec![Problem { setting: ENTRY_POINT, message: "cannot be used".to_owned() }];
        let text = |name| self.trimmed(name).unwrap_or_default().to_owned();
        Ok(Verifier {
            entry_point: Url::parse(&text(ENTRY_POINT)).map_err(|_| unusable())?,
            issuer: text(ISSUER),
            audience: text(AUDIENCE),
            acs_url: self.acs_url(),
            certificates: self.certificates().map_err(|message| vec![Problem { setting: CERT, message }])?,
        })
    }

    /// The certificates of `SAML_CERT`.
    pub fn certificates(&self) -> Result<Vec<Certificate>, String> {
        certificate::parse_all(self.value(CERT).unwrap_or_default()).map_err(|error| error.to_string())
    }

    /// The group mapping. The error states why it cannot be read.
    pub fn mapping(&self) -> Result<Mapping, String> {
        let rows = self.mapping_rows()?;
        Ok(Mapping { rows, include_unmapped: self.switch(UNMAPPED) })
    }

    fn mapping_rows(&self) -> Result<Vec<Row>, String> {
        Mapping::parse(self.value(GROUP_MAPPING).unwrap_or("{}"))
    }

    pub fn syncs_roles(&self) -> bool {
        self.switch(SYNC)
    }

    /// Whether requests are signed.
    pub fn signs_requests(&self) -> bool {
        self.switch(SIGN_REQUESTS)
    }

    pub fn removes_roles(&self) -> bool {
        self.switch(REMOVE)
    }

    /// A switch that is neither true nor false has its default value; [`Self::problems`] reports it.
    fn switch(&self, name: &str) -> bool {
        let read = self.value(name).and_then(boolean);
        read.or_else(|| definition(name)?.default.and_then(boolean)).unwrap_or(false)
    }

    /// The default role of new users; `None` if none is set: they get no role.
    pub fn default_role(&self) -> Option<Role> {
        crate::user::tenant_role(self.trimmed(DEFAULT_ROLE)?).ok()
    }

    /// The invalid values, with reasons. A missing value is not reported.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut note = |setting, message: String| problems.push(Problem { setting, message });
        for name in [ENABLED, SYNC, REMOVE, UNMAPPED, SIGN_REQUESTS] {
            if let Some(value) = self.value(name).filter(|value| boolean(value).is_none()) {
                note(name, format!("is {value:?}: expected true or false"));
            }
        }
        for name in [ENTRY_POINT, URL] {
            if let Some(message) =
                self.trimmed(name).and_then(|value| url_problem(value, name == ENTRY_POINT))
            {
                note(name, message);
            }
        }
        for name in [ISSUER, AUDIENCE] {
            if self
                .trimmed(name)
                .is_some_and(|value| value.len() > 1024 || value.chars().any(char::is_control))
            {
                note(name, "is longer than 1024 letters or contains control characters".to_owned());
            }
        }
        if self.value(CERT).is_some()
            && let Err(message) = self.certificates()
        {
            note(CERT, message);
        }
        match self.mapping_rows() {
            Err(message) => note(GROUP_MAPPING, message),
            Ok(rows) => {
                for (at, row) in rows.iter().enumerate() {
                    if let Err(error) = crate::user::tenant_role(&row.role) {
                        note(GROUP_MAPPING, format!("row {}, {:?}: {error}", at + 1, row.group));
                    }
                }
            }
        }
        if let Some(Err(error)) = self.trimmed(DEFAULT_ROLE).map(crate::user::tenant_role) {
            note(DEFAULT_ROLE, error.to_string());
        }
        problems
    }

    /// Fingerprint of the values that decide whether a response is accepted. A dry run is valid for all settings with the same fingerprint.
    pub fn deciding_hash(&self) -> String {
        let parts: Vec<&str> = FOUR.iter().map(|name| self.trimmed(name).unwrap_or_default()).collect();
        let signed = if self.signs_requests() { "\nsigned" } else { "" };
        crate::fingerprint(&format!("{}\n{}{signed}", parts.join("\n\n"), self.base_url()))
    }

    /// The values that differ from the defaults, stored with a dry run.
    pub fn values(&self) -> SettingValues {
        let of = |(name, entry): (&&'static str, &Entry)| Some(((*name).to_owned(), entry.value.clone()?));
        self.entries.iter().filter_map(of).collect()
    }
}

/// Parses `true` or `false`.
pub fn boolean(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

fn url_problem(text: &str, may_have_query: bool) -> Option<String> {
    let expected = "expected an address like https://sso.example.com/saml2/idp/sso";
    let Ok(url) = Url::parse(text) else { return Some(format!("is not a full URL: {expected}")) };
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Some(format!("begins with {:?}: {expected}", url.scheme()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Some("contains a name or password: leave them out".to_owned());
    }
    if url.fragment().is_some() || (!may_have_query && url.query().is_some()) {
        return Some("contains more than an address: leave out what follows # or ?".to_owned());
    }
    None
}
