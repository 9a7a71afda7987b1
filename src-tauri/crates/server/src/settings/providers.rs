//! Model providers: what the environment says of them. Saved values override it; `llm` says what each means.

use super::{Definition, Origin};
use llm::{AMAZON, ENVIRONMENT, EnvironmentValues};
use std::sync::LazyLock;

/// One a variable, in the order people are shown them. The names of the file are theirs in small letters.
static ALL: LazyLock<Vec<Definition>> = LazyLock::new(|| {
    let definition = |&(environment, _, is_secret, meaning): &llm::Variable| Definition {
        name: environment.to_ascii_lowercase().leak(),
        environment,
        // A default that counted without anything else being set would be a provider nobody asked for.
        default: None,
        meaning,
        is_secret,
    };
    ENVIRONMENT.iter().map(definition).collect()
});

pub(super) fn all() -> Vec<&'static Definition> {
    ALL.iter().collect()
}

/// What was given at the start, by the names of the environment; only what was set: the settings, those of single tiers and agents (the environment
/// alone has these), and the keys Amazon's own tools go by.
pub(super) fn given(
    of: &dyn Fn(&Definition) -> Origin,
    environment: &dyn Fn(&str) -> Option<String>,
) -> EnvironmentValues {
    let set = |value: &String| !value.is_empty();
    let own = ALL.iter().filter_map(|one| Some((one.environment.to_owned(), of(one).value.filter(set)?)));
    // Names of agents are not known here, so every variable that could be one's is looked at.
    let narrow = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let is_narrow = |name: &String| name.starts_with("LLM_") && ALL.iter().all(|one| one.environment != name);
    let names = narrow.filter(is_narrow).chain(AMAZON.map(str::to_owned));
    let others = names.filter_map(|name| environment(&name).filter(set).map(|value| (name, value)));
    own.chain(others).collect()
}
