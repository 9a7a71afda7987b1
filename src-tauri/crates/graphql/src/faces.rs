//! What the interface looks like to callers: they see only what they may use.
//!
//! Which tables that are depends on how far a caller's rights reach, so there are few faces. Who writes the whole tenant sees
//! the whole interface; what nobody writes is refused when it is tried.

use crate::BuildError;
use crate::compile::Roots;
use crate::schema;
use async_graphql::dynamic::Schema;
use catalogue::{AccountScope, Caller, Catalogue, Reach, RelationshipKind, Right};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The faces of one interface.
pub(crate) struct Faces {
    catalogue: Arc<Catalogue>,
    whole: Face,
    roots: Mutex<HashMap<Reaches, Arc<Roots>>>,
    /// The one asked for last, beside the whole one: a schema takes up to 18 MB and a moment to build, and is rarely asked for.
    schema: Mutex<Option<(Reaches, Schema)>>,
}

/// How far a caller's rights reach: to read, to write.
type Reaches = (Reach, Reach);

struct Face {
    roots: Arc<Roots>,
    schema: Schema,
}

impl Faces {
    pub(crate) fn new(catalogue: &Arc<Catalogue>) -> Result<Self, BuildError> {
        let house = Caller::house();
        let whole = Face {
            roots: Arc::new(Roots::new(catalogue, &house)),
            schema: schema::build(catalogue, &house).map_err(|error| BuildError(error.to_string()))?,
        };
        Ok(Self { catalogue: catalogue.clone(), whole, roots: Mutex::default(), schema: Mutex::default() })
    }

    /// The root fields the caller may use.
    pub(crate) fn roots(&self, caller: &Caller) -> Arc<Roots> {
        if caller.writes_tenant() {
            return self.whole.roots.clone();
        }
        let mut known = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        let roots = || Arc::new(Roots::new(&self.catalogue, caller));
        known.entry(reaches(caller)).or_insert_with(roots).clone()
    }

    /// The schema introspection shows the caller.
    pub(crate) fn schema(&self, caller: &Caller) -> Result<Schema, BuildError> {
        if caller.writes_tenant() {
            return Ok(self.whole.schema.clone());
        }
        let reaches = reaches(caller);
        // Held while it builds, so that many callers at once build one.
        let mut known = self.schema.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, schema)) = known.as_ref().filter(|(known, _)| *known == reaches) {
            return Ok(schema.clone());
        }
        // The old one goes before the new one comes.
        *known = None;
        let schema = schema::build(&seen(&self.catalogue, caller), caller)
            .map_err(|error| BuildError(error.to_string()))?;
        Ok(known.insert((reaches, schema)).1.clone())
    }
}

fn reaches(caller: &Caller) -> Reaches {
    (caller.reach(Right::Read), caller.reach(Right::Write))
}

/// The catalogue as the caller may know it.
fn seen(catalogue: &Catalogue, caller: &Caller) -> Catalogue {
    let mut seen = catalogue.clone();
    let is_part = !caller.reads_tenant();
    for (shown, (id, _)) in seen.tables.iter_mut().zip(catalogue.iter()) {
        shown.exposed &= catalogue.allows(caller, Right::Read, id);
        for relationship in shown.relationships.iter_mut().filter(|one| one.kind == RelationshipKind::One) {
            let target = catalogue.table(relationship.target);
            // The related row may be one the caller does not meet.
            relationship.nullable |=
                is_part && (target.account != Some(AccountScope::All) || target.own.is_some());
        }
    }
    seen.listings.retain(|listing| catalogue.allows(caller, Right::Read, listing.table));
    seen
}
