//! Cache of plans: a request with the same text and variables of the same shape is neither parsed nor compiled again. Values of variables
//! are filled in when a plan runs; values that affected the plan are part of its key.

use crate::Request;
use crate::compile::{PlanShape, shape_of};
use catalogue::{Caller, Catalogue, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use store::{PlanScope, Plans};

/// Longer requests are not cached.
const LONGEST_BYTES: usize = 32 * 1024;
/// Size of one generation. Both generations together use at most twice as much.
const GENERATION_BYTES: usize = 2 * 1024 * 1024;
/// Maximum number of plans for one text and shape of variables, made for different values.
const VARIANTS: usize = 64;

/// What two requests must have in common to share plans, apart from values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    query: String,
    operation: Option<String>,
    shape: String,
    whose: PlanScope,
}

/// Plans by request, in two generations: when the young one is full it becomes the old one, and unused plans of the previous old one are
/// dropped.
#[derive(Default)]
pub(crate) struct KnownPlans(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    young: HashMap<Key, Vec<Arc<PlanEntry>>>,
    old: HashMap<Key, Vec<Arc<PlanEntry>>>,
    young_bytes: usize,
}

/// Plans, and what they were made for.
#[derive(Default)]
pub(crate) struct PlanEntry {
    pub(crate) made: PlanShape,
    pub(crate) plans: Plans,
}

/// The cache key of a request.
pub(crate) struct Place(Key);

/// Cached plans, and the values of their parameters.
pub(crate) type FilledPlans = (Arc<PlanEntry>, Vec<Value>);

impl KnownPlans {
    /// The cache key of the request, and its plans if cached. `None` for requests too long to cache.
    pub(crate) fn find(
        &self,
        catalogue: &Catalogue,
        caller: &Caller,
        request: &Request,
    ) -> Option<(Place, Option<FilledPlans>)> {
        let (shape, leaves) = shape_of(request.variables.as_ref());
        let texts: usize = leaves.iter().filter_map(|leaf| leaf.as_str()).map(str::len).sum();
        if request.query.len() + shape.len() + texts > LONGEST_BYTES {
            return None;
        }
        let key = Key {
            query: request.query.clone(),
            operation: request.operation_name.clone(),
            shape,
            whose: PlanScope::of(caller),
        };
        let known = self.generations().find(&key, |known| known.made.is_for(&leaves));
        // If a value cannot be read as its parameter requires, the request is compiled again, which reports the error.
        let filled = known.and_then(|known| {
            let parameters = known.made.values(catalogue, &leaves)?;
            Some((known, parameters))
        });
        Some((Place(key), filled))
    }

    /// Caches the plans of a request.
    pub(crate) fn keep(&self, place: Place, known: Arc<PlanEntry>) {
        self.generations().add(place.0, known);
    }

    fn generations(&self) -> std::sync::MutexGuard<'_, Generations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn find(&mut self, key: &Key, is_wanted: impl Fn(&PlanEntry) -> bool) -> Option<Arc<PlanEntry>> {
        let find = |variants: &Vec<Arc<PlanEntry>>| variants.iter().find(|known| is_wanted(known)).cloned();
        if let Some(known) = self.young.get(key).and_then(find) {
            return Some(known);
        }
        let known = self.old.get(key).and_then(find)?;
        self.add(key.clone(), known.clone());
        Some(known)
    }

    fn add(&mut self, key: Key, known: Arc<PlanEntry>) {
        let weight = key.query.len() + key.shape.len() + known.weight();
        self.young_bytes += weight;
        if self.young_bytes > GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = weight;
        }
        let variants = self.young.entry(key).or_default();
        if variants.len() == VARIANTS {
            variants.remove(0);
        }
        variants.push(known);
    }
}

impl PlanEntry {
    fn weight(&self) -> usize {
        self.plans.weight() + self.made.weight()
    }
}

#[cfg(test)]
mod tests {
    use super::{GENERATION_BYTES, KnownPlans, PlanEntry};
    use crate::Request;
    use catalogue::{Caller, Catalogue, Role};
    use std::sync::Arc;
    use uuid::Uuid;

    fn catalogue() -> Catalogue {
        Catalogue::parse(&[]).unwrap()
    }

    fn request(text: &str) -> Request {
        Request { query: text.to_owned(), ..Request::default() }
    }

    fn reader(tenant: u128) -> Caller {
        Caller::user(Uuid::from_u128(7), Uuid::from_u128(tenant), vec![Role::TenantAdminReadonly])
    }

    fn is_known(plans: &KnownPlans, caller: &Caller, text: &str) -> bool {
        plans.find(&catalogue(), caller, &request(text)).expect("it is short").1.is_some()
    }

    #[test]
    fn plans_are_shared_by_readers_of_whole_tenants_only() {
        let known = KnownPlans::default();
        let (place, none) = known.find(&catalogue(), &reader(1), &request("{ a }")).expect("it is short");
        assert!(none.is_none());
        known.keep(place, Arc::new(PlanEntry::default()));
        assert!(is_known(&known, &reader(1), "{ a }"));
        assert!(is_known(&known, &reader(2), "{ a }"));
        assert!(!is_known(&known, &reader(1), "{ b }"));
        let narrow = Caller::user(Uuid::from_u128(7), Uuid::from_u128(1), vec![Role::TenantUsage]);
        assert!(!is_known(&known, &narrow, "{ a }"));
    }

    #[test]
    fn what_is_not_asked_for_is_forgotten_and_what_is_stays() {
        let (known, catalogue) = (KnownPlans::default(), catalogue());
        let keep = |text: &str| {
            if let Some((place, None)) = known.find(&catalogue, &reader(1), &request(text)) {
                known.keep(place, Arc::new(PlanEntry::default()));
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
