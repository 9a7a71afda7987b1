//! The schema per role: callers see only what they may use.
//!
//! The visible tables depend on how far a caller's rights reach, therefore there are few different schemas. Callers who write the whole
//! tenant see the whole interface; writes that nobody may make are refused when attempted.

use crate::BuildError;
use crate::roots::{Roots, is_called};
use crate::schema;
use async_graphql::dynamic::Schema;
use catalogue::{AccountScope, Caller, CallerScope, Catalogue, Reach, RelationshipKind, Right, Role};
use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The schemas of one interface.
pub(crate) struct SchemaPerRole {
    catalogue: Arc<Catalogue>,
    /// Roles that may call every operation.
    unrestricted_roles: Vec<Role>,
    whole: Arc<Roots>,
    roots: Mutex<HashMap<SchemaKey, Arc<Roots>>>,
    /// The most recently requested schema: it takes up to 18 MB and some time to build, and is rarely requested.
    schema: Mutex<Option<(SchemaKey, Schema)>>,
}

/// How far a caller's rights to read and to write reach; and their roles, if operations depend on them.
type SchemaKey = (Reach, Reach, Vec<Role>);

impl SchemaPerRole {
    pub(crate) fn new(catalogue: &Arc<Catalogue>) -> Result<Self, BuildError> {
        // Built only to test whether it can be, and built again on request. Runs on a separate thread, so that its memory is returned to
        // the system.
        let builder = || build(catalogue, &Caller::system()).map(drop);
        let built = thread::scope(|scope| scope.spawn(builder).join());
        built.unwrap_or_else(|panic| resume_unwind(panic))?;
        Ok(Self::for_tested_catalogue(catalogue))
    }

    /// For a catalogue whose schema is known to be buildable.
    pub(crate) fn for_tested_catalogue(catalogue: &Arc<Catalogue>) -> Self {
        let is_admitted = |role: &Role| catalogue.operations.iter().all(|one| one.roles.contains(role));
        Self {
            catalogue: catalogue.clone(),
            unrestricted_roles: Role::ALL.into_iter().filter(is_admitted).collect(),
            whole: Arc::new(Roots::new(catalogue, &Caller::system())),
            roots: Mutex::default(),
            schema: Mutex::default(),
        }
    }

    /// Whether the caller sees the whole interface.
    fn sees_all(&self, caller: &Caller) -> bool {
        let is_house = caller.scope == CallerScope::AllTenants;
        is_house
            || caller.writes_tenant()
                && caller.roles.iter().any(|role| self.unrestricted_roles.contains(role))
    }

    fn key(&self, caller: &Caller) -> SchemaKey {
        let asked = if self.catalogue.operations.is_empty() { Vec::new() } else { caller.roles.clone() };
        (caller.reach(Right::Read), caller.reach(Right::Write), asked)
    }

    /// The root fields the caller may use.
    pub(crate) fn roots(&self, caller: &Caller) -> Arc<Roots> {
        if self.sees_all(caller) {
            return self.whole.clone();
        }
        let mut known = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        let roots = || Arc::new(Roots::new(&self.catalogue, caller));
        known.entry(self.key(caller)).or_insert_with(roots).clone()
    }

    /// The schema that introspection shows to the caller.
    pub(crate) fn schema(&self, caller: &Caller) -> Result<Schema, BuildError> {
        let sees_all = self.sees_all(caller);
        let reaches =
            if sees_all { (Reach::AllTenants, Reach::AllTenants, Vec::new()) } else { self.key(caller) };
        // Locked during the build, so that concurrent callers build one schema only.
        let mut known = self.schema.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, schema)) = known.as_ref().filter(|(known, _)| *known == reaches) {
            return Ok(schema.clone());
        }
        // Drop the old schema before the new one is built.
        *known = None;
        let schema = if sees_all {
            build(&self.catalogue, &Caller::system())?
        } else {
            build(&visible_catalogue(&self.catalogue, caller), caller)?
        };
        Ok(known.insert((reaches, schema)).1.clone())
    }
}

fn build(catalogue: &Catalogue, caller: &Caller) -> Result<Schema, BuildError> {
    schema::build(catalogue, caller).map_err(|error| BuildError(error.to_string()))
}

/// The catalogue without the parts hidden from the caller.
fn visible_catalogue(catalogue: &Catalogue, caller: &Caller) -> Catalogue {
    let mut visible = catalogue.clone();
    let is_part = !caller.reads_tenant();
    for (shown, (id, _)) in visible.tables.iter_mut().zip(catalogue.iter()) {
        shown.exposed &= catalogue.allows(caller, Right::Read, id);
        for relationship in shown.relationships.iter_mut().filter(|one| one.kind == RelationshipKind::One) {
            let target = catalogue.table(relationship.target);
            // The caller may not have access to the related row.
            relationship.nullable |=
                is_part && (target.account != Some(AccountScope::All) || target.own_user_column.is_some());
        }
    }
    visible.operations.retain(|operation| is_called(operation, caller));
    visible.view_fields.retain(|field| catalogue.allows(caller, Right::Read, field.table));
    visible.listings.retain(|listing| catalogue.allows(caller, Right::Read, listing.table));
    visible
}
