//! Language models and embeddings behind one interface: eight kinds of remote providers, and models that run on this machine.
//!
//! ```text
//! let providers: llm::Providers = …;                            // one a service; cheap to clone
//! let candidates = providers.candidates(&Purpose::chat())?;     // who is asked, first choice first; blocks (reads the database)
//! let mut answer = llm::ask(&candidates, &chat).await?;         // the first that begins to answer; later ones are fallbacks
//! while let Some(event) = answer.next().await? { … }            // Event::Text, Call, Usage, End; dropping it stops the model
//! let reply = answer.whole().await?;                            // or all of it at once: text, calls, usage, latency
//! let embedded = llm::embed(&candidates, &texts).await?;        // candidates for Purpose::Embeddings; a vector a text, in order
//! ```
//!
//! - [`Chat`] is a request: [`Message`]s (system, user, assistant, tool), [`Tool`]s with a JSON schema each, a token limit, a temperature.
//! - [`Answer`] is a stream of [`Event`]s. An interrupted stream is [`FailureKind::CutOff`]; the events before it have been returned.
//! - [`Failure`] describes an error for users, with a [`FailureKind`] to classify it (unreachable, key rejected, limit reached with the time to wait,
//!   model unknown, interrupted, invalid response, …). It contains no secrets.
//! - [`Usage`] counts tokens as reported by the provider; unreported counts are 0, and [`Usage::is_told`] is false if nothing was reported.
//! - [`Provider::is_local`] is whether it runs on this machine (its address is loopback, or this program runs it); [`Provider::may_leave`] is
//!   whether a user allowed data to leave. [`ask`] and [`embed`] skip a provider for which neither is true ([`FailureKind::MustStay`]). No other code
//!   checks this.
//! - [`Providers::candidates`] applies overrides by agent and by tier, then saved settings, then the environment (semantics §15). Without any
//!   provider it fails with [`FailureKind::NotConfigured`], with the missing settings in [`Failure::missing`].
//!
//! Only configured providers are contacted. This crate does not know the user, has no budgets for users, and stores no conversations.

mod answer;
mod ask;
mod chat;
mod check;
mod environment;
mod failure;
mod framing;
mod kind;
mod monthly_cost;
mod provider;
mod provider_test;
mod providers;
mod record;
mod rows;
mod runner;
mod save;
pub mod seal;
mod sign;
mod static_model;
#[cfg(test)]
mod tests;
mod wire;

pub use answer::{Answer, Reply};
pub use ask::{Embeddings, ask, embed};
pub use chat::{Chat, End, Event, Message, Tool, ToolCall, Usage};
pub use check::{Outcome, ProviderCheck, Step};
pub use environment::{AMAZON, EnvironmentValues, NAMES as ENVIRONMENT, Variable};
pub use failure::{Failure, FailureKind};
pub use kind::{Field, ProviderKind, Tier};
pub use monthly_cost::ProviderCosts;
pub use provider::Provider;
pub use providers::{Choice, GivenOverride, Providers, Purpose, Setup};
pub use record::{
    ENVIRONMENT as FROM_ENVIRONMENT, ENVIRONMENT_EMBEDDINGS as FROM_ENVIRONMENT_EMBEDDINGS, Entry, Source,
    SourcedValue, StoredValue,
};
pub use rows::{Override, SavedProvider};
pub use runner::{LocalRunners, Program};
pub use save::{Change, SaveError, Saving, is_of_environment};
pub use seal::KeyStorage;
