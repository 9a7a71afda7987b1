//! Environment variables shared with other programs, used where our own are not set.

/// The usual proxy variable of this machine.
pub fn usual_proxy(environment: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    first(&["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"], environment)
}

/// The hosts that are reached without that proxy.
pub fn usual_no_proxy(environment: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    first(&["NO_PROXY", "no_proxy"], environment)
}

fn first(names: &[&str], environment: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    names.iter().find_map(|name| environment(name).filter(|value| !value.is_empty()))
}
