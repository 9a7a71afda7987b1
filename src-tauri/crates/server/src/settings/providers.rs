//! Settings of model providers: their environment variables. Saved values override them; their meanings are in `llm`.

use super::{Definition, Origin};
use llm::{AMAZON, ENVIRONMENT, EnvironmentValues};
use std::sync::LazyLock;

/// One definition for each variable, in display order. The key in the TOML file is the name in lower case.
static ALL: LazyLock<Vec<Definition>> = LazyLock::new(|| {
    let definition = |&(environment, _, is_secret, meaning): &llm::Variable| Definition {
        name: environment.to_ascii_lowercase().leak(),
        environment,
        // A default that took effect with nothing else set would configure a provider that nobody asked for.
        default: None,
        meaning,
        is_secret,
    };
    ENVIRONMENT.iter().map(definition).collect()
});

pub(super) fn all() -> Vec<&'static Definition> {
    ALL.iter().collect()
}

/// The settings given at start, by environment variable; only those that are set: the settings above, those of single tiers and agents (only
/// available in the environment), and the keys used by Amazon's own tools.
pub(super) fn given(
    of: &dyn Fn(&Definition) -> Origin,
    environment: &dyn Fn(&str) -> Option<String>,
) -> EnvironmentValues {
    let set = |value: &String| !value.is_empty();
    let own = ALL.iter().filter_map(|one| Some((one.environment.to_owned(), of(one).value.filter(set)?)));
    // The names of agents are not known here: take every variable that could belong to one.
    let narrow = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let is_narrow = |name: &String| name.starts_with("LLM_") && ALL.iter().all(|one| one.environment != name);
    let names = narrow.filter(is_narrow).chain(AMAZON.map(str::to_owned));
    let others = names.filter_map(|name| environment(&name).filter(set).map(|value| (name, value)));
    own.chain(others).collect()
}
