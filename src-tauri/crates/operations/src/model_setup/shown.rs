//! The response types of models and their providers. Sizes are in bytes, times are ISO 8601 in UTC.

use auth::saml::time;
use llm::{Field, GivenOverride, Override, Program, ProviderKind, SourcedValue};
use models::settings::SettingView;
use models::{Failure, Model, State, Status, Trust};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Every model of this machine with how it stands, the settings, and the disk.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Models")]
pub struct ModelsOverview {
    pub models: Vec<ServiceModel>,
    /// By their names.
    pub settings: BTreeMap<&'static str, SettingView>,
    /// Where secrets are: "In the keyring of this computer".
    pub secrets: Option<&'static str>,
    /// What downloading needs and is not set.
    pub missing: Vec<&'static str>,
    pub folder: PathBuf,
    /// Where files are laid to be taken in.
    pub laid_folder: PathBuf,
    /// Where files are put to be carried elsewhere.
    pub export_folder: PathBuf,
    pub used_bytes: u64,
    /// What running downloads will still take.
    pub reserved_bytes: u64,
    pub free_bytes: Option<u64>,
}

/// A model that is here, on its way, or on offer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ServiceModel {
    pub name: String,
    pub about: &'static str,
    pub here: Option<ModelHere>,
    pub download: Option<ModelDownload>,
}

/// A model that is here, whole.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ModelHere {
    name: String,
    sha256: String,
    size_bytes: u64,
    trust: Trust,
    told_by: String,
    #[schemars(extend("enum" = ["download", "import"]))]
    source: String,
    /// Host of the registry, or name of the file.
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

/// A download that has not ended well.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ModelDownload {
    name: String,
    state: State,
    size_bytes: Option<u64>,
    /// Never goes back.
    bytes: u64,
    /// Fetched a second time, beside `bytes`.
    again_bytes: u64,
    /// How far verification is.
    hashed_bytes: u64,
    /// Bytes per second.
    rate: u64,
    seconds_left: Option<u64>,
    can_resume: bool,
    /// What a resume goes on from.
    kept_bytes: u64,
    /// The address of the registry it comes from; empty where it came from none.
    registry: String,
    /// The SHA-256 it must have, where the registry said one.
    sha256: Option<String>,
    /// What it waits for, while it does.
    trouble: Option<String>,
    failure: Option<Failure>,
    notices: Vec<DownloadNotice>,
    started_at: String,
    updated_at: String,
}

/// Something a person should know of.
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

/// Every provider of models, the kinds there are, and what there is to run models with.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Providers")]
pub struct ProvidersOverview {
    /// The first is asked first.
    pub providers: Vec<ProviderShown>,
    pub overrides: Vec<Override>,
    /// What the environment says of single tiers and agents; `provider` is a name.
    pub given_overrides: Vec<GivenOverride>,
    pub kinds: Vec<KindShown>,
    /// Where secrets are: "Stored encrypted on this machine".
    pub secrets: Option<&'static str>,
    pub runner: llm::LocalRunners,
    pub programs: Vec<Program>,
    /// Names of the models of this machine.
    pub downloaded: Vec<String>,
    /// The id of the one that was added by this request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub added: Option<String>,
}

/// A provider of models.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Provider")]
pub struct ProviderShown {
    pub id: String,
    /// Null: the environment names a kind nobody knows.
    pub kind: Option<ProviderKind>,
    /// The kind as the environment names it.
    pub named: String,
    pub name: String,
    /// Whether the environment describes it.
    pub is_given: bool,
    pub is_saved: bool,
    pub is_on: ValueOf<bool>,
    pub may_leave: ValueOf<bool>,
    pub is_local: bool,
    pub host: Option<String>,
    /// Empty: not from here.
    pub chat_model: ValueOf<String>,
    pub small_model: ValueOf<String>,
    pub embeddings_model: ValueOf<String>,
    /// Models of the environment that are asked when its first fails.
    pub fallbacks: Vec<String>,
    /// By their names.
    pub fields: BTreeMap<Field, FieldValue>,
    pub missing: Vec<Field>,
    /// What it has cost since the month began (UTC), exact, in the currency of the price list.
    pub spent: String,
    #[schemars(with = "Option<ProviderTest>")]
    pub test: Option<serde_json::Value>,
    pub updated_at: Option<String>,
    pub updated_by: String,
}

/// What a test of a provider showed, as it is kept.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "kept and shown as JSON; its shape is for the document")]
struct ProviderTest {
    /// Every model answered.
    is_sound: bool,
    steps: Vec<llm::Step>,
    at: String,
}

/// A value with where it comes from.
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

/// A value of a connection.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ProviderFieldValue")]
pub struct FieldValue {
    /// Null for what is secret or not set.
    pub value: Option<String>,
    pub is_set: bool,
    pub source: Option<llm::Source>,
    /// The variable of the environment, where the environment describes the provider.
    pub variable: Option<&'static str>,
}

/// A kind of provider, and what it needs.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ProviderKindShown")]
pub struct KindShown {
    pub name: ProviderKind,
    pub title: &'static str,
    pub fields: Vec<FieldNeeded>,
    /// Where it is reached when no address is set; `{region}` stands for the region.
    pub address: Option<&'static str>,
    pub region: &'static str,
    pub chats: bool,
    pub embeds: bool,
}

/// A value that a kind of provider takes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FieldNeeded {
    pub name: Field,
    pub is_secret: bool,
    pub is_required: bool,
}
