//! All providers of a service: what is set up, and who is asked for what.

use crate::environment::{self, Given, Whose};
use crate::failure::{Failure, Trouble};
use crate::kind::Field;
use crate::provider::{Common, Connection, Provider};
use crate::record::{self, ENVIRONMENT, Entry, Kept};
use crate::rows::{self, Override, Saved};
use crate::seal::{self, KeyPlace};
use crate::sign::google_token::Tokens;
use catalogue::Caller;
use outgoing::Way;
use serde::Serialize;
use std::sync::Arc;
use store::{Store, StoreError, Transaction};

/// How hard a task is; each may have a model of its own (semantics §15).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Questions, decisions, answers: the main model.
    Reasoning,
    /// Finding what a question needs: the small model, where there is one.
    Retrieval,
    /// Saying something shorter: the small model, where there is one.
    Summary,
}

impl Tier {
    pub const ALL: [Self; 3] = [Self::Reasoning, Self::Retrieval, Self::Summary];

    pub fn name(self) -> &'static str {
        match self {
            Self::Reasoning => "reasoning",
            Self::Retrieval => "retrieval",
            Self::Summary => "summary",
        }
    }
}

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
    pub(crate) keys: Option<Arc<dyn KeyPlace>>,
    common: Arc<Common>,
}

impl Providers {
    /// `environment` has the variables of [`crate::ENVIRONMENT`] and those that tiers and agents have, as far as they are set. Nothing is connected
    /// to. Without [`Self::with_keys`] no secret is saved or opened; without [`Self::with_downloads`] there is neither proxy nor service model.
    pub fn new(store: Store, environment: Given, now: fn() -> i64) -> Self {
        let common = Arc::new(Common { now, environment, tokens: Tokens::default() });
        Self { store, downloads: None, keys: None, common }
    }

    /// The same, with a place for the key of secrets.
    #[must_use]
    pub fn with_keys(self, keys: Arc<dyn KeyPlace>) -> Self {
        Self { keys: Some(keys), ..self }
    }

    /// The same, with models of this machine, and the proxy and authorities that were set for fetching them.
    #[must_use]
    pub fn with_downloads(self, downloads: models::Downloads) -> Self {
        Self { downloads: Some(downloads), ..self }
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
        for choice in setup.choices(purpose) {
            match self.provider(&choice.entry, &choice.model) {
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
        self.provider(entry.ok_or_else(none)?, model)
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
                Kept::Plain(value) => value.clone(),
                Kept::Sealed(sealed) => {
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
        })
    }

    fn way(&self) -> Result<Way, Failure> {
        let Some(downloads) = &self.downloads else { return Ok(Way::default()) };
        let settings = downloads.settings().map_err(|error| Failure::store(&error))?;
        settings.way().map_err(|failure| Failure::setting(failure.to_string()))
    }
}

/// What the seal of a secret is good for.
pub(crate) fn purpose_of(id: &str, field: Field) -> String {
    format!("quarterdeck model provider {id} {}", field.name())
}

/// Everything that is set up, as read at one moment.
#[derive(Clone)]
pub struct Setup {
    /// As saved.
    pub saved: Vec<Saved>,
    /// As it counts, those first that are asked first.
    pub entries: Vec<Entry>,
    pub overrides: Vec<Override>,
    environment: Given,
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
                for entry in self.on().filter(|entry| entry.is_saved) {
                    add_of_tier(&mut choices, entry, tier);
                }
                let narrow = [agent.map(Whose::Agent), Some(Whose::Tier(tier))];
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

    fn on(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_on.value)
    }

    /// What the environment says of one tier or agent.
    fn given(&self, whose: Whose<'_>) -> Option<Entry> {
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
