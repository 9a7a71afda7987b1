//! The response types of models and their providers. Sizes are in bytes, times are ISO 8601 in UTC.

use auth::saml::time;
use llm::{Field, GivenOverride, Override, Program, ProviderKind, SourcedValue};
use models::settings::SettingView;
use models::{Failure, Model, State, Status, Trust};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// All models of this machine with their status, the download settings, and disk usage.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Models")]
pub struct ModelsOverview {
    pub models: Vec<ServiceModel>,
    /// Settings by name.
    pub settings: BTreeMap<&'static str, SettingView>,
    /// Where secrets are stored, such as "In the keyring of this computer".
    pub secrets: Option<&'static str>,
    /// Names of the settings that are required for downloads but not set.
    pub missing: Vec<&'static str>,
    pub folder: PathBuf,
    /// The folder for model files to import.
    pub laid_folder: PathBuf,
    /// The folder that models are exported to.
    pub export_folder: PathBuf,
    pub used_bytes: u64,
    /// Bytes that running downloads still need.
    pub reserved_bytes: u64,
    pub free_bytes: Option<u64>,
}

/// A model that is installed, downloading or available.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ServiceModel {
    pub name: String,
    pub about: &'static str,
    pub here: Option<ModelHere>,
    pub download: Option<ModelDownload>,
}

/// An installed model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ModelHere {
    name: String,
    sha256: String,
    size_bytes: u64,
    trust: Trust,
    told_by: String,
    #[schemars(extend("enum" = ["download", "import"]))]
    source: String,
    /// Host name of the registry, or name of the imported file.
    origin: String,
    installed_at: String,
    checked_at: String,
}

impl From<&Model> for ModelHere {
    fn from(model: &Model) -> Self {
        Self {
            name: model.name.clone(),
            sha256: model.sha256.clone(),
            size_bytes: model.size_bytes,
            trust: model.trust,
            told_by: model.told_by.clone(),
            source: model.source.clone(),
            origin: model.origin.clone(),
            installed_at: time::text(model.installed_at),
            checked_at: time::text(model.checked_at),
        }
    }
}

/// A download that is running, paused or failed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ModelDownload {
    name: String,
    state: State,
    size_bytes: Option<u64>,
    /// Bytes downloaded. Never decreases.
    bytes: u64,
    /// Bytes downloaded again, not included in `bytes`.
    again_bytes: u64,
    /// Bytes verified so far.
    hashed_bytes: u64,
    /// Bytes per second.
    rate: u64,
    seconds_left: Option<u64>,
    can_resume: bool,
    /// Bytes stored on disk, from which a resumed download continues.
    kept_bytes: u64,
    /// The address of the registry. Empty if the model does not come from a registry.
    registry: String,
    /// The expected SHA-256, if the registry stated one.
    sha256: Option<String>,
    /// What the download is waiting for. Null if it is not waiting.
    trouble: Option<String>,
    failure: Option<Failure>,
    notices: Vec<DownloadNotice>,
    started_at: String,
    updated_at: String,
}

/// A notice about a download.
#[derive(Debug, Serialize, JsonSchema)]
struct DownloadNotice {
    at: String,
    text: String,
}

impl From<&Status> for ModelDownload {
    fn from(status: &Status) -> Self {
        let notices = status.notices.iter();
        Self {
            name: status.name.clone(),
            state: status.state,
            size_bytes: status.size_bytes,
            bytes: status.bytes,
            again_bytes: status.again_bytes,
            hashed_bytes: status.hashed_bytes,
            rate: status.rate,
            seconds_left: status.seconds_left,
            can_resume: status.can_resume,
            kept_bytes: status.kept_bytes,
            registry: status.registry.clone(),
            sha256: status.sha256.clone(),
            trouble: status.trouble.clone(),
            failure: status.failure.clone(),
            notices: notices
                .map(|notice| DownloadNotice { at: time::text(notice.at), text: notice.text.clone() })
                .collect(),
            started_at: time::text(status.started_at),
            updated_at: time::text(status.updated_at),
        }
    }
}

/// All model providers, the available provider types, and the programs that run local models.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Providers")]
pub struct ProvidersOverview {
    /// Providers in order of preference, first choice first.
    pub providers: Vec<ProviderShown>,
    pub overrides: Vec<Override>,
    /// Overrides for single tiers and agents set in the environment. `provider` is a display name.
    pub given_overrides: Vec<GivenOverride>,
    pub kinds: Vec<KindShown>,
    /// Where secrets are stored, such as "Stored encrypted on this machine".
    pub secrets: Option<&'static str>,
    pub runner: llm::LocalRunners,
    pub programs: Vec<Program>,
    /// Names of the models downloaded to this machine.
    pub downloaded: Vec<String>,
    /// Id of the provider added by this request. Absent in other responses.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub added: Option<String>,
}

/// A provider of models.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Provider")]
pub struct ProviderShown {
    pub id: String,
    /// The provider type. Null if the environment names an unknown type.
    pub kind: Option<ProviderKind>,
    /// The provider type as named in the environment.
    pub named: String,
    pub name: String,
    /// Whether the provider is defined in the environment.
    pub is_given: bool,
    pub is_saved: bool,
    pub is_on: ValueOf<bool>,
    pub may_leave: ValueOf<bool>,
    pub is_local: bool,
    pub host: Option<String>,
    /// Empty if this provider is not used for chat.
    pub chat_model: ValueOf<String>,
    pub small_model: ValueOf<String>,
    pub embeddings_model: ValueOf<String>,
    /// Models from the environment that are used if the first one fails.
    pub fallbacks: Vec<String>,
    /// Settings by name.
    pub fields: BTreeMap<Field, FieldValue>,
    pub missing: Vec<Field>,
    /// Cost since the start of the month (UTC), as an exact decimal in the currency of the price list.
    pub spent: String,
    #[schemars(with = "Option<ProviderTest>")]
    pub test: Option<serde_json::Value>,
    pub updated_at: Option<String>,
    pub updated_by: String,
}

/// The stored result of a provider test.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "kept and shown as JSON; its shape is for the document")]
struct ProviderTest {
    /// Whether every model responded.
    is_sound: bool,
    steps: Vec<llm::Step>,
    at: String,
}

/// A value and its source.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct ValueOf<T> {
    value: T,
    source: llm::Source,
}

impl<T: Clone> From<&SourcedValue<T>> for ValueOf<T> {
    fn from(found: &SourcedValue<T>) -> Self {
        Self { value: found.value.clone(), source: found.source }
    }
}

/// A connection setting.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ProviderFieldValue")]
pub struct FieldValue {
    /// The effective value. Null if secret or not set.
    pub value: Option<String>,
    pub is_set: bool,
    pub source: Option<llm::Source>,
    /// Name of the environment variable, if the provider is defined in the environment.
    pub variable: Option<&'static str>,
}

/// A provider type and its settings.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ProviderKindShown")]
pub struct KindShown {
    pub name: ProviderKind,
    pub title: &'static str,
    pub fields: Vec<FieldNeeded>,
    /// The default address. `{region}` is a placeholder for the region.
    pub address: Option<&'static str>,
    pub region: &'static str,
    pub chats: bool,
    pub embeds: bool,
}

/// A setting of a provider type.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FieldNeeded {
    pub name: Field,
    pub is_secret: bool,
    pub is_required: bool,
}
