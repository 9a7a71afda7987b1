//! All providers of a service: their configuration, and the choice of providers for a purpose.

use crate::environment::{self, EnvironmentValues, VariableOwner};
use crate::failure::{Failure, FailureKind};
use crate::kind::{Connection, Field, ProviderKind, Tier, problem};
use crate::provider::{LocalResources, Provider, SharedState};
use crate::record::{self, ENVIRONMENT, ENVIRONMENT_EMBEDDINGS, Entry, Source, StoredValue};
use crate::rows::{self, Override, SavedProvider};
use crate::runner::{LocalRunners, Pace, Program, Runner, find};
use crate::seal::{self, KeyStorage};
use crate::sign::amazon_role::Roles;
use crate::sign::google_token::Tokens;
use crate::static_model::Statics;
use catalogue::Caller;
use outgoing::{EgressPolicy, OutgoingSettings};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use store::{Store, StoreError, Transaction};

/// How long a model may take before its next output.
const SILENCE: Duration = Duration::from_mins(3);

/// The purpose of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose<'a> {
    /// Chat, optionally for an agent.
    Chat {
        tier: Tier,
        agent: Option<&'a str>,
    },
    Embeddings,
}

impl Purpose<'_> {
    /// Chat with the main model, without an agent.
    pub fn chat() -> Self {
        Self::Chat { tier: Tier::Reasoning, agent: None }
    }
}

/// The providers of a service. Settings are read from the database at each use.
#[derive(Clone)]
pub struct Providers {
    pub(crate) store: Store,
    downloads: Option<models::Downloads>,
    runner: Option<Arc<Runner>>,
    pub(crate) keys: Option<Arc<dyn KeyStorage>>,
    common: Arc<SharedState>,
}

impl Providers {
    /// `environment` contains the variables of [`crate::ENVIRONMENT`] and those of tiers and agents, if set. Nothing is connected yet. Without
    /// [`Self::with_keys`] no secret can be saved or decrypted; without [`Self::with_downloads`] there is no proxy and no service model.
    pub fn new(store: Store, environment: EnvironmentValues, now: fn() -> i64) -> Self {
        let (tokens, roles, statics) = (Tokens::default(), Roles::default(), Statics::default());
        let common = Arc::new(SharedState { now, environment, tokens, roles, statics });
        Self { store, downloads: None, runner: None, keys: None, common }
    }

    /// Adds the storage of the encryption key for secrets.
    #[must_use]
    pub fn with_keys(self, keys: Arc<dyn KeyStorage>) -> Self {
        Self { keys: Some(keys), ..self }
    }

    /// Adds the models of this machine, with the proxy and certificate authorities configured for downloads.
    #[must_use]
    pub fn with_downloads(self, downloads: models::Downloads) -> Self {
        let runner = Arc::new(Runner::new(&downloads.data_dir().join("runner"), Pace::default()));
        Self { downloads: Some(downloads), runner: Some(runner), ..self }
    }

    /// The models of this machine, if configured.
    pub fn downloads(&self) -> Option<&models::Downloads> {
        self.downloads.as_ref()
    }

    /// The programs started to run models on this machine.
    pub fn programs(&self) -> Vec<Program> {
        self.runner.as_deref().map(Runner::list).unwrap_or_default()
    }

    /// The programs on this machine that can run models.
    pub fn find_runner(&self) -> LocalRunners {
        find(&self.common.environment)
    }

    /// Where the encryption key is stored, as text for users.
    pub fn about_secrets(&self) -> Option<&'static str> {
        self.keys.as_deref().map(KeyStorage::about)
    }

    /// Stops the programs on this machine and waits until they have ended. Blocks the thread.
    pub fn stop(&self) {
        if let Some(runner) = &self.runner {
            runner.stop();
        }
    }

    /// The whole configuration. Blocks the thread.
    pub fn setup(&self) -> Result<Setup, StoreError> {
        self.store.snapshot(&Caller::system(), |rows| self.setup_in(rows))
    }

    /// Like [`Self::setup`], within a transaction of the system caller.
    pub fn setup_in(&self, rows: &Transaction<'_>) -> Result<Setup, StoreError> {
        let saved = rows::all(rows)?;
        let entries = record::entries(&saved, &self.common.environment);
        Ok(Setup {
            saved,
            entries,
            overrides: rows::overrides(rows)?,
            environment: self.common.environment.clone(),
        })
    }

    /// The providers to use for a purpose, in order of preference. If there is none, fails with the missing settings. Blocks the thread.
    pub fn candidates(&self, purpose: &Purpose<'_>) -> Result<Vec<Provider>, Failure> {
        let setup = self.setup().map_err(|error| Failure::store(&error))?;
        self.candidates_of(&setup, purpose)
    }

    /// Like [`Self::candidates`], from a configuration read before.
    pub fn candidates_of(&self, setup: &Setup, purpose: &Purpose<'_>) -> Result<Vec<Provider>, Failure> {
        let mut candidates: Vec<Provider> = Vec::new();
        let mut first = None;
        let spent = self.spent_if_bound(setup)?;
        for choice in setup.choices(purpose) {
            let may = self.check_spent(&choice.entry, &spent);
            match may.and_then(|()| self.provider(&choice.entry, &choice.model)) {
                Ok(provider) => candidates.push(provider),
                Err(failure) => {
                    first.get_or_insert(failure);
                }
            }
        }
        if candidates.is_empty() {
            Err(first.unwrap_or_else(|| not_configured(purpose)))
        } else {
            Ok(candidates)
        }
    }

    /// One provider with one model, chosen for a conversation. Blocks the thread.
    pub fn named(&self, id: &str, model: &str) -> Result<Provider, Failure> {
        let setup = self.setup().map_err(|error| Failure::store(&error))?;
        let entry = setup.entries.iter().find(|entry| entry.id == id && entry.is_on.value);
        let none = || Failure::setting(format!("There is no model provider {id:?} that is switched on."));
        let entry = entry.ok_or_else(none)?;
        self.check_spent(entry, &self.spent_if_bound(&setup)?)?;
        self.provider(entry, model)
    }

    pub(crate) fn now(&self) -> i64 {
        (self.common.now)()
    }

    /// Creates the provider for an entry's model and decrypts its secrets. Blocks the thread.
    pub fn provider(&self, entry: &Entry, model: &str) -> Result<Provider, Failure> {
        let kind = entry.kind.ok_or_else(|| {
            Failure::setting(format!(
                "LLM_PROVIDER is {:?}, which is no kind of provider that is known.",
                entry.named
            ))
        })?;
        let mut connection = Connection::default();
        for (field, found) in &entry.values {
            let value = match &found.value {
                // Saved values have been validated; values of the environment have not.
                StoredValue::Plain(value) if found.source == Source::Environment => {
                    check_given(entry, *field, value)?;
                    value.clone()
                }
                StoredValue::Plain(value) => value.clone(),
                StoredValue::Sealed(sealed) => {
                    let keys = self.keys.as_deref().ok_or_else(seal::no_key_storage)?;
                    seal::open(keys, &purpose_of(&entry.id, *field), sealed)?
                }
            };
            connection.0.insert(*field, value);
        }
        Ok(Provider {
            id: entry.id.clone(),
            name: entry.name.clone(),
            kind,
            model: model.to_owned(),
            may_leave: entry.may_leave.value,
            connection,
            way: self.way()?,
            common: Arc::clone(&self.common),
            local: self.local(entry, kind, model)?,
        })
    }

    /// What it needs on this machine.
    fn local(&self, entry: &Entry, kind: ProviderKind, model: &str) -> Result<LocalResources, Failure> {
        let Some(downloads) = &self.downloads else { return Ok(LocalResources::default()) };
        let endpoint = entry.values.get(&Field::Endpoint).map(|found| &found.value);
        let mut local = LocalResources::default();
        match kind {
            ProviderKind::OnDevice => {
                let named = match endpoint {
                    Some(StoredValue::Plain(path)) if !path.trim().is_empty() => path.trim(),
                    _ => model,
                };
                let named = Path::new(named);
                let own = || downloads.data_dir().join("embeddings");
                local.folder = if named.is_absolute() { named.to_owned() } else { own() };
            }
            ProviderKind::Service => {
                let file = service_file(downloads, model)?;
                local.service = self.runner.clone().map(|runner| (file, runner));
            }
            _ => {}
        }
        Ok(local)
    }

    fn way(&self) -> Result<OutgoingSettings, Failure> {
        let Some(downloads) = &self.downloads else {
            return Ok(OutgoingSettings {
                egress: EgressPolicy::of_instance(),
                silence: SILENCE,
                ..OutgoingSettings::default()
            });
        };
        let settings = downloads.settings().map_err(|error| Failure::store(&error))?;
        let way = settings.way().map_err(|failure| Failure::setting(failure.to_string()))?;
        Ok(OutgoingSettings { silence: SILENCE, ..way })
    }
}

/// Fails if a value of the environment is invalid.
fn check_given(entry: &Entry, field: Field, value: &str) -> Result<(), Failure> {
    let Some(why) = problem(field, value.trim()) else { return Ok(()) };
    let names = [field.of_chat(), field.of_embeddings()];
    let [first, second] = if entry.id == ENVIRONMENT_EMBEDDINGS { [names[1], names[0]] } else { names };
    let name = first.or(second).unwrap_or_else(|| field.name());
    Err(Failure::new(
        FailureKind::Setting,
        format!("{name} {why}."),
        "Correct it in the environment of the service.",
    ))
}

/// The file of a downloaded model.
fn service_file(downloads: &models::Downloads, model: &str) -> Result<PathBuf, Failure> {
    let absent = |why: String| {
        let remedy = "Download it or take it in from a file under Settings, Model downloads.";
        Failure::new(FailureKind::Runner, format!("{model} cannot be run: {why}."), remedy)
    };
    let name = models::ModelName::parse(model).map_err(|error| absent(error.to_string()))?;
    let library = downloads.library().map_err(|error| Failure::store(&error))?;
    let found = library.find(&name).map_err(|error| absent(error.to_string()))?;
    Ok(library.path(&found))
}

/// The purpose a secret is encrypted for.
pub(crate) fn purpose_of(id: &str, field: Field) -> String {
    format!("quarterdeck model provider {id} {}", field.name())
}

/// The whole configuration at one time.
#[derive(Clone)]
pub struct Setup {
    /// Saved settings.
    pub saved: Vec<SavedProvider>,
    /// Effective settings, in order of preference.
    pub entries: Vec<Entry>,
    pub overrides: Vec<Override>,
    environment: EnvironmentValues,
}

/// A model override for a tier or an agent, set in the environment.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct GivenOverride {
    #[schemars(extend("enum" = ["tier", "agent"]))]
    pub scope: String,
    /// Name of the tier or agent in lower case. For an agent, the suffix of its environment variables.
    pub name: String,
    /// Display name of the provider.
    pub provider: String,
    pub model: String,
}

/// A provider and one of its models.
#[derive(Clone)]
pub struct Choice {
    pub entry: Entry,
    pub model: String,
}

impl Setup {
    /// The providers to use, in order of preference: saved settings of the agent, of the tier, general ones; then the environment in the same
    /// order.
    pub fn choices(&self, purpose: &Purpose<'_>) -> Vec<Choice> {
        let mut choices: Vec<Choice> = Vec::new();
        match *purpose {
            Purpose::Embeddings => {
                for entry in self.on() {
                    add(&mut choices, entry, &entry.embeddings_model.value);
                }
            }
            Purpose::Chat { tier, agent } => {
                let agent_name = agent.map(str::to_lowercase);
                let wanted = [("agent", agent_name.as_deref()), ("tier", Some(tier.name()))];
                for (scope, name) in wanted {
                    let is_it = |one: &&Override| one.scope == scope && Some(one.name.as_str()) == name;
                    for one in self.overrides.iter().filter(is_it) {
                        if let Some(entry) = self.on().find(|entry| entry.id == one.provider) {
                            add(&mut choices, entry, &one.model);
                        }
                    }
                }
                let is_saved = |entry: &&Entry| {
                    [&entry.chat_model, &entry.small_model].iter().any(|model| model.source == Source::Saved)
                };
                for entry in self.on().filter(is_saved) {
                    add_of_tier(&mut choices, entry, tier);
                }
                let narrow = [agent.map(VariableOwner::Agent), Some(VariableOwner::Tier(tier))];
                for whose in narrow.into_iter().flatten() {
                    if let Some(entry) = self.given(whose) {
                        add(&mut choices, &entry, &entry.chat_model.value);
                    }
                }
                for entry in self.on() {
                    add_of_tier(&mut choices, entry, tier);
                    for fallback in &entry.fallbacks {
                        add(&mut choices, entry, fallback);
                    }
                }
            }
        }
        choices
    }

    /// Models for single tiers and agents in the environment, except where a saved override takes precedence.
    pub fn given_overrides(&self) -> Vec<GivenOverride> {
        let described = environment::narrower(&self.environment).into_iter().filter_map(|(scope, name)| {
            let tier = Tier::ALL.into_iter().find(|tier| scope == "tier" && tier.name() == name);
            let whose = tier.map_or(VariableOwner::Agent(&name), VariableOwner::Tier);
            let entry = self.given(whose)?;
            Some(GivenOverride {
                scope: scope.to_owned(),
                provider: entry.name,
                model: entry.chat_model.value,
                name,
            })
        });
        described.collect()
    }

    fn on(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_on.value)
    }

    /// The entry that the environment describes for one tier or agent.
    fn given(&self, whose: VariableOwner<'_>) -> Option<Entry> {
        let described = environment::chat(&self.environment, whose)?;
        let general = self.entries.iter().find(|entry| entry.id == ENVIRONMENT);
        Some(record::of_environment(&described, general))
    }
}

fn add_of_tier(choices: &mut Vec<Choice>, entry: &Entry, tier: Tier) {
    let small = &entry.small_model.value;
    let is_small = tier != Tier::Reasoning && !small.is_empty();
    add(choices, entry, if is_small { small } else { &entry.chat_model.value });
}

fn add(choices: &mut Vec<Choice>, entry: &Entry, model: &str) {
    let is_known = choices.iter().any(|known| known.entry.id == entry.id && known.model == model);
    if !model.is_empty() && !is_known {
        choices.push(Choice { entry: entry.clone(), model: model.to_owned() });
    }
}

fn not_configured(purpose: &Purpose<'_>) -> Failure {
    let (what, missing) = match purpose {
        Purpose::Chat { .. } => ("No language model is set up", vec!["LLM_PROVIDER", "LLM_MODEL_NAME"]),
        Purpose::Embeddings => {
            ("No model for embeddings is set up", vec!["EMBEDDINGS_PROVIDER", "EMBEDDINGS_MODEL_NAME"])
        }
    };
    let message = format!("{what}: the settings {} are missing.", missing.join(" and "));
    let remedy = "Set a provider up under Settings, Model providers, or in the environment.";
    Failure { missing, ..Failure::new(FailureKind::NotConfigured, message, remedy) }
}
