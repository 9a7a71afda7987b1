//! Language models and embeddings: who serves them, and asking one. Eight kinds of provider, service models on this machine, one interface.
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
//! - [`Chat`] is a request: [`Message`]s (system, user, assistant, tool), [`Tool`]s with a JSON schema each, a bound on tokens, a temperature.
//! - [`Answer`] comes piece by piece as [`Event`]s. A stream that breaks off is [`Trouble::CutOff`]; what came before has been handed out.
//! - [`Failure`] says what went wrong, in words for a person, with a [`Trouble`] to tell kinds apart (unreachable, key refused, limit reached with the
//!   time to wait, model unknown, cut off, nonsense, …). Secrets are in none of them.
//! - [`Usage`] counts tokens as the provider says; what it does not say is 0 and [`Usage::is_told`] is false.
//! - [`Provider::is_local`] tells whether it runs on this machine (its address is loopback, or it is ours); [`Provider::may_leave`] is what a person
//!   decided. [`ask`] and [`embed`] pass over a provider that is neither ([`Trouble::MustStay`]): the guard is here and nowhere else.
//! - [`Providers::candidates`] applies overrides by agent and by tier, then the form, then the environment (semantics §15). None at all is
//!   [`Trouble::NotConfigured`], with the settings that are missing in [`Failure::missing`].
//!
//! Nothing is asked that nobody configured. This crate does not know who is asking, counts no budgets, and keeps no conversation.

mod answer;
mod ask;
mod chat;
mod check;
mod environment;
mod failure;
mod framing;
mod kind;
mod provider;
mod providers;
mod record;
mod rows;
mod runner;
mod save;
pub mod seal;
mod sign;
mod spent;
mod static_model;
#[cfg(test)]
mod tests;
mod trying;
mod wire;

pub use answer::{Answer, Reply};
pub use ask::{Embeddings, ask, embed};
pub use chat::{Chat, End, Event, Message, Tool, ToolCall, Usage};
pub use check::{Outcome, ProviderCheck, Step};
pub use environment::{AMAZON, EnvironmentValues, NAMES as ENVIRONMENT, Variable};
pub use failure::{Failure, Trouble};
pub use kind::{Field, ProviderKind, Tier};
pub use provider::Provider;
pub use providers::{Choice, GivenOverride, Providers, Purpose, Setup};
pub use record::{
    ENVIRONMENT as FROM_ENVIRONMENT, ENVIRONMENT_EMBEDDINGS as FROM_ENVIRONMENT_EMBEDDINGS, Entry, Source,
    SourcedValue, StoredValue,
};
pub use rows::{Override, SavedProvider};
pub use runner::{LocalRunners, Program};
pub use save::{Change, SaveError, Saving, is_of_environment};
pub use seal::KeyPlace;
pub use spent::ProviderCosts;
