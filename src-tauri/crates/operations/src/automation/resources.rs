//! The resource filters of auto-pilots.

use graphql::Refusal;
use serde_json::{Value, json};

/// A filter by namespace, type and name; an empty part matches everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ResourceFilter {
    pub namespace: String,
    pub kind: String,
    pub name: String,
}

impl ResourceFilter {
    /// Reads an object with `namespace`, `type` and `name`.
    pub(super) fn read(filter: &Value) -> Self {
        let part = |name: &str| filter[name].as_str().unwrap_or_default().trim().to_owned();
        Self { namespace: part("namespace"), kind: part("type"), name: part("name") }
    }

    pub(super) fn write(&self) -> Value {
        json!({ "namespace": self.namespace, "type": self.kind, "name": self.name })
    }

    /// A description: "Deployment web in shop", "every Deployment in shop", "everything".
    pub(super) fn words(&self) -> String {
        let kind = if self.kind.is_empty() { "workload" } else { &self.kind };
        let what = match (self.kind.is_empty(), self.name.is_empty()) {
            (true, true) if self.namespace.is_empty() => return "everything".to_owned(),
            (_, true) => format!("every {kind}"),
            (true, false) => self.name.clone(),
            (false, false) => format!("{kind} {}", self.name),
        };
        if self.namespace.is_empty() { what } else { format!("{what} in {}", self.namespace) }
    }

    /// Whether both filters can match the same resource. Types are compared ignoring case (semantics §10).
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let same = |one: &str, other: &str| one.is_empty() || other.is_empty() || one == other;
        same(&self.namespace, &other.namespace)
            && same(&self.name, &other.name)
            && same(&self.kind.to_lowercase(), &other.kind.to_lowercase())
    }

    /// Whether the filter matches this resource, whose parts are all known.
    pub(super) fn matches(&self, resource: &Self) -> bool {
        let fits = |wanted: &str, found: &str| wanted.is_empty() || wanted == found;
        fits(&self.namespace, &resource.namespace)
            && fits(&self.name, &resource.name)
            && fits(&self.kind.to_lowercase(), &resource.kind.to_lowercase())
    }
}

/// Formats the filter as `shop/Deployment/web`, with `*` for a part that matches everything.
impl std::fmt::Display for ResourceFilter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let part = |text: &str| if text.is_empty() { "*".to_owned() } else { text.to_owned() };
        write!(f, "{}/{}/{}", part(&self.namespace), part(&self.kind), part(&self.name))
    }
}

/// Reads the list of filters in a request; it must not be empty.
pub(super) fn list(given: Option<&Value>) -> Result<Vec<ResourceFilter>, Refusal> {
    let given = given.and_then(Value::as_array).into_iter().flatten();
    let mut list: Vec<ResourceFilter> = Vec::new();
    for filter in given.filter(|filter| !filter.is_null()).map(ResourceFilter::read) {
        if !list.contains(&filter) {
            list.push(filter);
        }
    }
    if list.is_empty() {
        return Err(Refusal::invalid("`resource_filter` is empty: expected at least one resource"));
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::ResourceFilter;

    fn resources(text: &str) -> ResourceFilter {
        let mut parts = text.split('/').map(|part| part.trim_matches('*').to_owned());
        let mut next = || parts.next().unwrap_or_default();
        ResourceFilter { namespace: next(), kind: next(), name: next() }
    }

    #[test]
    fn filters_meet_when_no_part_keeps_them_apart() {
        let web = resources("shop/Deployment/web");
        assert!(web.overlaps(&resources("shop/deployment/web")));
        assert!(web.overlaps(&resources("shop/*/*")));
        assert!(resources("*/*/web").overlaps(&resources("shop/*/*")));
        assert!(!web.overlaps(&resources("shop/Deployment/api")));
        assert!(!web.overlaps(&resources("pay/*/*")));
    }

    #[test]
    fn resources_are_told_in_words() {
        let words = |text| resources(text).words();
        assert_eq!(words("shop/Deployment/web"), "Deployment web in shop");
        assert_eq!(words("shop/Deployment/*"), "every Deployment in shop");
        assert_eq!(words("shop/*/*"), "every workload in shop");
        assert_eq!(words("*/*/web"), "web");
        assert_eq!(words("*/*/*"), "everything");
    }

    #[test]
    fn a_resource_is_held_by_what_leaves_its_parts_open() {
        let web = resources("shop/Deployment/web");
        assert!(resources("*/*/*").matches(&web));
        assert!(resources("shop/DEPLOYMENT/*").matches(&web));
        assert!(!resources("shop/Deployment/web").matches(&resources("/Deployment/web")));
        assert_eq!(resources("shop/*/web").to_string(), "shop/*/web");
    }
}
