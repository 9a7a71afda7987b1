//! Variables that other programs go by, too, for what is not set of ours.

/// The proxy of this machine's programs.
pub fn usual_proxy(environment: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    first(&["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"], environment)
}

/// The hosts they reach without it.
pub fn usual_no_proxy(environment: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    first(&["NO_PROXY", "no_proxy"], environment)
}

fn first(names: &[&str], environment: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    names.iter().find_map(|name| environment(name).filter(|value| !value.is_empty()))
}
