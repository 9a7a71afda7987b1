//! Types of `schema/operations/models.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct AIListServiceModelsRequest {
    /// All unless said.
    pub names: Option<Vec<String>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIServiceModelRequest {
    /// Such as svc-llm.
    pub name: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIPullServiceModelRequest {
    /// Such as svc-llm.
    pub name: String,
    /// From the beginning, whatever came before.
    pub again: Option<bool>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIImportServiceModelRequest {
    /// Name of the file, without folders.
    pub file: String,
    /// The file's, without its ending, unless said.
    pub name: Option<String>,
    /// The SHA-256 it must have, where there is no `.sha256` file: then you vouch for it.
    pub sha256: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIExportServiceModelRequest {
    /// Such as svc-llm.
    pub name: String,
    /// What the file is called, without folders; like the model unless said.
    pub file: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIVerifyServiceModelRequest {
    pub name: String,
    /// The SHA-256 it must have: then you vouch for it.
    pub sha256: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIUpdateServiceModelSettingsRequest {
    pub values: Vec<AISettingInput>,
}

/// A setting that changes.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AISettingInput {
    pub name: String,
    /// Null takes a saved value back, so that the environment counts again; empty means none.
    pub value: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIMoveServiceModelsRequest {
    /// A whole path, such as /var/lib/models.
    pub path: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIServiceModelsResponse {
    pub data: AIServiceModels,
}

/// The models of a service, and what downloading needs.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIServiceModels {
    pub models: Vec<AIServiceModel>,
    pub settings: Vec<AISetting>,
    /// Settings that downloading needs and that are not set.
    pub missing: Vec<String>,
    /// Where secrets are kept, in words.
    pub secrets: Option<String>,
    pub folder: String,
    /// Where files lie that `ai_import_service_model` takes in.
    pub laid_folder: String,
    /// Where `ai_export_service_model` writes files.
    pub export_folder: String,
    /// Bytes on disk, equal files once.
    pub used_bytes: i64,
    /// What running downloads will still take.
    pub reserved_bytes: i64,
    pub free_bytes: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIExportServiceModelResponse {
    pub data: AIServiceModelExport,
}

/// A model that was written into a file.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIServiceModelExport {
    /// The file's whole path on the machine of the service.
    pub path: String,
    pub size_bytes: i64,
    pub sha256: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIServiceModelResponse {
    pub data: AIServiceModel,
}

/// A service model: here, on its way, or neither.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIServiceModel {
    pub name: String,
    /// What it is for.
    pub about: String,
    pub here: Option<AIModelFile>,
    pub download: Option<AIModelDownload>,
}

/// A model that is here, whole.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIModelFile {
    pub sha256: String,
    pub size_bytes: i64,
    /// Who vouches for the hash: registry, file, person, or first_use (nobody: what came first is what counts).
    pub trust: String,
    /// Where the hash was said.
    pub told_by: String,
    /// download or import.
    pub source: String,
    /// Host of the registry, or name of the file.
    pub origin: String,
    pub installed_at: String,
    /// When the file was last hashed and found equal.
    pub checked_at: String,
}

/// A download that has not ended well yet.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIModelDownload {
    /// queued, preflight, space_check, downloading, stalled, waiting_network, verifying, installing, paused, failed or quarantined.
    pub state: String,
    pub size_bytes: Option<i64>,
    /// Never goes back.
    pub bytes: i64,
    /// Bytes that had to be fetched a second time, beside `bytes`.
    pub again_bytes: i64,
    /// How far verification is.
    pub hashed_bytes: i64,
    /// What a resume goes on from.
    pub kept_bytes: i64,
    /// Bytes per second.
    pub rate: i64,
    pub seconds_left: Option<i64>,
    pub can_resume: bool,
    /// Address of the registry it comes from.
    pub registry: String,
    /// The SHA-256 it must have, where the registry said one.
    pub sha256: Option<String>,
    /// What it waits for, while it does.
    pub trouble: Option<String>,
    pub failure: Option<AIModelFailure>,
    pub notices: Vec<AIModelNotice>,
    pub started_at: String,
    pub updated_at: String,
}

/// Why a download ended without a model.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIModelFailure {
    /// For programs, such as disk_full.
    pub kind: String,
    pub reason: String,
    /// What to do about it.
    pub remedy: String,
}

/// Something a person should know of, such as a start from the beginning.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIModelNotice {
    pub at: String,
    pub text: String,
}

/// A setting, with where its value comes from.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AISetting {
    pub name: String,
    /// None for what is secret.
    pub value: Option<String>,
    pub is_set: bool,
    /// The last four characters of a license key.
    pub ends_with: Option<String>,
    /// saved, environment or default.
    pub source: String,
    pub is_secret: bool,
    /// What is wrong with it.
    pub problem: Option<String>,
    pub meaning: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AICheckModelRegistryResponse {
    pub data: AIModelRegistry,
}

/// What was found at the registry's address.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIModelRegistry {
    pub host: String,
    pub is_encrypted: bool,
    /// Why it does not answer or does not take the key; null when all is well.
    pub trouble: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct AIListModelProvidersRequest {
    /// All unless said.
    pub ids: Option<Vec<String>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIModelProviderRequest {
    pub id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AICreateModelProviderRequest {
    /// bedrock, azure, vertexai, googleai, openai, huggingface, ollama, sagemaker, service or ondevice.
    pub kind: String,
    /// What people call it.
    pub name: Option<String>,
    pub is_on: Option<bool>,
    /// Whether what it is asked may leave this machine.
    pub may_leave: Option<bool>,
    /// The model for questions; empty: not from here.
    pub chat_model: Option<String>,
    /// The model for single tasks.
    pub small_model: Option<String>,
    pub embeddings_model: Option<String>,
    /// By the names of `fields`. Give secrets as variables.
    pub values: Option<Vec<AISettingInput>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIUpdateModelProviderRequest {
    pub id: String,
    pub kind: Option<String>,
    pub name: Option<String>,
    pub is_on: Option<bool>,
    pub may_leave: Option<bool>,
    pub chat_model: Option<String>,
    pub small_model: Option<String>,
    pub embeddings_model: Option<String>,
    /// By the names of `fields`; those left out stay. Give secrets as variables.
    pub values: Option<Vec<AISettingInput>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIOrderModelProvidersRequest {
    pub ids: Vec<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIUpdateModelOverridesRequest {
    pub overrides: Vec<AIModelOverrideInput>,
}

/// Another model for one agent or one tier of tasks.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIModelOverrideInput {
    /// agent or tier.
    pub scope: String,
    /// Of the agent; or reasoning, retrieval, summary.
    pub name: String,
    /// Its id.
    pub provider: String,
    pub model: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIModelProvidersResponse {
    pub data: AIModelProviders,
}

/// Who serves language models.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIModelProviders {
    pub providers: Vec<AIModelProvider>,
    pub overrides: Vec<AIModelOverride>,
    /// What the environment says of single tiers and agents; what is saved for the same one counts instead.
    pub given_overrides: Vec<AIGivenModelOverride>,
    pub kinds: Vec<AIProviderKind>,
    /// Where secrets are kept, in words.
    pub secrets: Option<String>,
    /// What there is on the machine to run service models with.
    pub runner: Option<serde_json::Value>,
    /// Programs that run service models now.
    pub programs: serde_json::Value,
    /// Service models that are here.
    pub downloaded: Vec<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIModelProviderResponse {
    pub id: String,
    /// Null when it is gone.
    pub data: Option<AIModelProvider>,
}

/// A provider of language models as it counts: what was saved over what the environment says.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIModelProvider {
    pub id: String,
    /// Null where the environment names a kind that is not known.
    pub kind: Option<String>,
    /// The kind as the environment names it.
    pub named: String,
    pub name: String,
    /// Whether the environment describes it.
    pub is_given: bool,
    /// Whether something of it was saved.
    pub is_saved: bool,
    pub is_on: AISourcedBoolean,
    /// Whether what it is asked may leave this machine.
    pub may_leave: AISourcedBoolean,
    /// Whether it runs on this machine.
    pub is_local: bool,
    pub host: Option<String>,
    pub chat_model: AISourcedText,
    pub small_model: AISourcedText,
    pub embeddings_model: AISourcedText,
    /// Models of the environment that are asked when its first fails.
    pub fallbacks: Vec<String>,
    pub fields: Vec<AIProviderValue>,
    /// Values it does not work without and that are not set.
    pub missing: Vec<String>,
    /// What it has cost since the month began, in the currency of the price list.
    pub spent: String,
    pub test: Option<AIProviderTest>,
    pub updated_at: Option<String>,
    pub updated_by: String,
}

/// A value, and where it comes from: saved, environment or default.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AISourcedBoolean {
    pub value: bool,
    pub source: String,
}

/// A value, and where it comes from: saved, environment or default.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AISourcedText {
    pub value: String,
    pub source: String,
}

/// One value of a provider's connection.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIProviderValue {
    pub name: String,
    /// None for what is secret.
    pub value: Option<String>,
    pub is_set: bool,
    /// saved or environment; null where it is not set.
    pub source: Option<String>,
    /// The variable of the environment it may come from.
    pub variable: Option<String>,
}

/// What a test showed.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIProviderTest {
    /// Every model answered.
    pub is_sound: bool,
    pub at: String,
    pub steps: Vec<AIProviderStep>,
}

/// One thing a test showed.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIProviderStep {
    /// ok, warning or failed.
    pub outcome: String,
    pub text: String,
    /// What to do about it; empty when all is well.
    pub remedy: String,
    pub latency_ms: Option<i64>,
    pub tokens: Option<i64>,
}

/// A model of its own that the environment gives one agent or one tier of tasks.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIGivenModelOverride {
    /// `agent` or `tier`.
    pub scope: String,
    /// In small letters; of an agent as its variables end.
    pub name: String,
    /// As people call the provider.
    pub provider: String,
    pub model: String,
}

/// Another model for one agent or one tier of tasks.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIModelOverride {
    pub scope: String,
    pub name: String,
    pub provider: String,
    pub model: String,
}

/// A kind of provider, and what it takes.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIProviderKind {
    pub name: String,
    pub title: String,
    pub fields: Vec<AIProviderField>,
    /// Where it is reached when no address is set.
    pub address: Option<String>,
    pub region: String,
    pub chats: bool,
    pub embeds: bool,
}

/// A value that a kind of provider takes.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIProviderField {
    pub name: String,
    pub is_secret: bool,
    pub is_required: bool,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIProviderModelsResponse {
    pub data: Option<Vec<String>>,
}
