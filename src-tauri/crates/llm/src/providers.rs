//! All providers of a service: what is set up, and who is asked for what.

use crate::environment::{self, EnvironmentValues, VariableOwner};
use crate::failure::{Failure, Trouble};
use crate::kind::{Connection, Field, ProviderKind, Tier, problem};
use crate::provider::{Common, Local, Provider};
use crate::record::{self, ENVIRONMENT, ENVIRONMENT_EMBEDDINGS, Entry, Source, StoredValue};
use crate::rows::{self, Override, SavedProvider};
use crate::runner::{LocalRunners, Pace, Program, Runner, find};
use crate::seal::{self, KeyPlace};
use crate::sign::amazon_role::Roles;
use crate::sign::google_token::Tokens;
use crate::static_model::Statics;
use catalogue::Caller;
use outgoing::{EgressPolicy, OutgoingSettings};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use store::{Store, StoreError, Transaction};

/// A model may think for so long before its next word.
const SILENCE: Duration = Duration::from_mins(3);

/// What a model is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose<'a> {
    /// A conversation: of an agent, where it is one's.
    Chat {
        tier: Tier,
        agent: Option<&'a str>,
    },
    Embeddings,
}

impl Purpose<'_> {
    /// A conversation with the main model, of no agent.
    pub fn chat() -> Self {
        Self::Chat { tier: Tier::Reasoning, agent: None }
    }
}

/// The providers of a service. Settings are read from the database with every use.
#[derive(Clone)]
pub struct Providers {
    pub(crate) store: Store,
    downloads: Option<models::Downloads>,
    runner: Option<Arc<Runner>>,
    pub(crate) keys: Option<Arc<dyn KeyPlace>>,
    common: Arc<Common>,
}

impl Providers {
    /// `environment` has the variables of [`crate::ENVIRONMENT`] and those that tiers and agents have, as far as they are set. Nothing is connected
    /// to. Without [`Self::with_keys`] no secret is saved or opened; without [`Self::with_downloads`] there is neither proxy nor service model.
    pub fn new(store: Store, environment: EnvironmentValues, now: fn() -> i64) -> Self {
        let (tokens, roles, statics) = (Tokens::default(), Roles::default(), Statics::default());
        let common = Arc::new(Common { now, environment, tokens, roles, statics });
        Self { store, downloads: None, runner: None, keys: None, common }
    }

    /// The same, with a place for the key of secrets.
    #[must_use]
    pub fn with_keys(self, keys: Arc<dyn KeyPlace>) -> Self {
        Self { keys: Some(keys), ..self }
    }

    /// The same, with models of this machine, and the proxy and authorities that were set for fetching them.
    #[must_use]
    pub fn with_downloads(self, downloads: models::Downloads) -> Self {
        let runner = Arc::new(Runner::new(&downloads.data_dir().join("runner"), Pace::default()));
        Self { downloads: Some(downloads), runner: Some(runner), ..self }
    }

    /// The models of this machine, where they are kept.
    pub fn downloads(&self) -> Option<&models::Downloads> {
        self.downloads.as_ref()
    }

    /// Programs that run models on this machine, as far as they were started.
    pub fn programs(&self) -> Vec<Program> {
        self.runner.as_deref().map(Runner::list).unwrap_or_default()
    }

    /// What there is on this machine to run models with.
    pub fn find_runner(&self) -> LocalRunners {
        find(&self.common.environment)
    }

    /// Where the key of secrets is, as people are told.
    pub fn about_secrets(&self) -> Option<&'static str> {
        self.keys.as_deref().map(KeyPlace::about)
    }

    /// Ends what runs on this machine, and waits until it has. Blocks.
    pub fn stop(&self) {
        if let Some(runner) = &self.runner {
            runner.stop();
        }
    }

    /// Everything that is set up. Blocks.
    pub fn setup(&self) -> Result<Setup, StoreError> {
        self.store.snapshot(&Caller::house(), |rows| self.setup_in(rows))
    }

    /// The same inside a transaction of the house.
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

    /// Who is asked for that, first choice first. None at all is a failure that names the settings that are missing. Blocks.
    pub fn candidates(&self, purpose: &Purpose<'_>) -> Result<Vec<Provider>, Failure> {
        let setup = self.setup().map_err(|error| Failure::store(&error))?;
        self.candidates_of(&setup, purpose)
    }

    /// The same from a set-up that was read before.
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

    /// One provider with one model: a conversation's own choice. Blocks.
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

    /// Makes what is needed to ask an entry's model: its secrets are opened for it. Blocks.
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
                // Forms check what they save; nobody has looked at the environment.
                StoredValue::Plain(value) if found.source == Source::Environment => {
                    check_given(entry, *field, value)?;
                    value.clone()
                }
                StoredValue::Plain(value) => value.clone(),
                StoredValue::Sealed(sealed) => {
                    let keys = self.keys.as_deref().ok_or_else(seal::no_place)?;
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

    /// What runs on this machine for it.
    fn local(&self, entry: &Entry, kind: ProviderKind, model: &str) -> Result<Local, Failure> {
        let Some(downloads) = &self.downloads else { return Ok(Local::default()) };
        let endpoint = entry.values.get(&Field::Endpoint).map(|found| &found.value);
        let mut local = Local::default();
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

/// That a value of the environment can be used.
fn check_given(entry: &Entry, field: Field, value: &str) -> Result<(), Failure> {
    let Some(why) = problem(field, value.trim()) else { return Ok(()) };
    let names = [field.of_chat(), field.of_embeddings()];
    let [first, second] = if entry.id == ENVIRONMENT_EMBEDDINGS { [names[1], names[0]] } else { names };
    let name = first.or(second).unwrap_or_else(|| field.name());
    Err(Failure::new(
        Trouble::Setting,
        format!("{name} {why}."),
        "Correct it in the environment of the service.",
    ))
}

/// The file of a downloaded model.
fn service_file(downloads: &models::Downloads, model: &str) -> Result<PathBuf, Failure> {
    let absent = |why: String| {
        let remedy = "Download it or take it in from a file under Settings, Model downloads.";
        Failure::new(Trouble::Runner, format!("{model} cannot be run: {why}."), remedy)
    };
    let name = models::ModelName::parse(model).map_err(|error| absent(error.to_string()))?;
    let library = downloads.library().map_err(|error| Failure::store(&error))?;
    let found = library.find(&name).map_err(|error| absent(error.to_string()))?;
    Ok(library.path(&found))
}

/// What the seal of a secret is good for.
pub(crate) fn purpose_of(id: &str, field: Field) -> String {
    format!("quarterdeck model provider {id} {}", field.name())
}

/// Everything that is set up, as read at one moment.
#[derive(Clone)]
pub struct Setup {
    /// As saved.
    pub saved: Vec<SavedProvider>,
    /// As it counts, those first that are asked first.
    pub entries: Vec<Entry>,
    pub overrides: Vec<Override>,
    environment: EnvironmentValues,
}

/// A tier or an agent that has a model of its own in the environment.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct GivenOverride {
    #[schemars(extend("enum" = ["tier", "agent"]))]
    pub scope: String,
    /// In small letters; of an agent as its variables end.
    pub name: String,
    /// As people call it.
    pub provider: String,
    pub model: String,
}

/// A provider and a model of it.
#[derive(Clone)]
pub struct Choice {
    pub entry: Entry,
    pub model: String,
}

impl Setup {
    /// Who is asked, first choice first: what the database says of the agent, of the tier, of all; then the environment in the same order.
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

    /// What the environment says of single tiers and agents; what is saved for the same one counts instead.
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

    /// What the environment says of one tier or agent.
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
    Failure { missing, ..Failure::new(Trouble::NotConfigured, message, remedy) }
}
