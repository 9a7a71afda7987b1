//! Plans of requests seen before: the same text with the same variables is neither parsed nor compiled again.

use crate::Request;
use catalogue::Caller;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use store::{Plans, Whose};

/// Requests longer than this are not kept.
const LONGEST_BYTES: usize = 32 * 1024;
/// Texts of one generation together. Plans weigh a few times their text, so both generations stay within some megabytes.
const GENERATION_BYTES: usize = 512 * 1024;

/// What makes two requests the same. Variables are compared as they were sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    query: String,
    operation: Option<String>,
    variables: String,
    whose: Whose,
}

/// Plans by request. Two generations: when the young one is full it becomes the old one, and what was not asked for since is
/// forgotten.
#[derive(Default)]
pub(crate) struct KnownPlans(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    young: HashMap<Key, Arc<Plans>>,
    old: HashMap<Key, Arc<Plans>>,
    young_bytes: usize,
}

/// A request that may be kept.
pub(crate) struct Place(Key);

impl KnownPlans {
    /// Where the request's plans stand or would stand, and the plans if they are known. `None` for requests too long to keep.
    pub(crate) fn find(&self, caller: &Caller, request: &Request) -> Option<(Place, Option<Arc<Plans>>)> {
        let variables = match &request.variables {
            Some(variables) if !variables.is_empty() => serde_json::to_string(variables).ok()?,
            _ => String::new(),
        };
        if request.query.len() + variables.len() > LONGEST_BYTES {
            return None;
        }
        let key = Key {
            query: request.query.clone(),
            operation: request.operation_name.clone(),
            variables,
            whose: Whose::of(caller),
        };
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = generations.young.get(&key) {
            let known = known.clone();
            return Some((Place(key), Some(known)));
        }
        let known = generations.old.remove(&key);
        if let Some(known) = &known {
            generations.add(key.clone(), known.clone());
        }
        Some((Place(key), known))
    }

    /// Keeps the plans of a request.
    pub(crate) fn keep(&self, place: Place, plans: &Arc<Plans>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(place.0, plans.clone());
    }
}

impl Generations {
    fn add(&mut self, key: Key, plans: Arc<Plans>) {
        self.young_bytes += key.query.len() + key.variables.len();
        if self.young_bytes > GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = key.query.len() + key.variables.len();
        }
        self.young.insert(key, plans);
    }
}

#[cfg(test)]
mod tests {
    use super::{GENERATION_BYTES, KnownPlans};
    use crate::Request;
    use catalogue::{Caller, Role};
    use std::sync::Arc;
    use store::Plans;
    use uuid::Uuid;

    fn request(text: &str) -> Request {
        Request { query: text.to_owned(), ..Request::default() }
    }

    fn reader(tenant: u128) -> Caller {
        Caller::person(Uuid::from_u128(7), Uuid::from_u128(tenant), vec![Role::TenantAdminReadonly])
    }

    fn is_known(plans: &KnownPlans, caller: &Caller, text: &str) -> bool {
        plans.find(caller, &request(text)).expect("it is short").1.is_some()
    }

    #[test]
    fn plans_are_shared_by_readers_of_whole_tenants_only() {
        let known = KnownPlans::default();
        let (place, none) = known.find(&reader(1), &request("{ a }")).expect("it is short");
        assert!(none.is_none());
        known.keep(place, &Arc::new(Plans::default()));
        assert!(is_known(&known, &reader(1), "{ a }"));
        assert!(is_known(&known, &reader(2), "{ a }"));
        assert!(!is_known(&known, &reader(1), "{ b }"));
        let narrow = Caller::person(Uuid::from_u128(7), Uuid::from_u128(1), vec![Role::TenantUsage]);
        assert!(!is_known(&known, &narrow, "{ a }"));
    }

    #[test]
    fn what_is_not_asked_for_is_forgotten_and_what_is_stays() {
        let known = KnownPlans::default();
        let keep = |text: &str| {
            if let Some((place, None)) = known.find(&reader(1), &request(text)) {
                known.keep(place, &Arc::new(Plans::default()));
            }
        };
        keep("{ first }");
        keep("{ asked }");
        for number in 0..3 * GENERATION_BYTES / 1000 {
            keep(&format!("{{ {number:0998} }}"));
            keep("{ asked }");
        }
        assert!(is_known(&known, &reader(1), "{ asked }"));
        assert!(!is_known(&known, &reader(1), "{ first }"));
    }
}
