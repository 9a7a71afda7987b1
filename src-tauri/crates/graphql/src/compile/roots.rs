//! The root fields of the catalogue, by name.

use catalogue::{Catalogue, TableId};
use std::collections::HashMap;

/// What a root field answers with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Root {
    List(TableId),
    Aggregate(TableId),
    ByKey(TableId),
    /// Place in [`Catalogue::listings`].
    Listing(usize),
}

/// All root fields.
pub(crate) struct Roots(HashMap<String, Root>);

impl Roots {
    pub(crate) fn new(catalogue: &Catalogue) -> Self {
        let mut roots = HashMap::new();
        for (id, table) in catalogue.iter().filter(|(_, table)| table.exposed && table.root) {
            roots.insert(table.name.clone(), Root::List(id));
            roots.insert(format!("{}_aggregate", table.name), Root::Aggregate(id));
            if !table.primary_key.is_empty() {
                roots.insert(format!("{}_by_pk", table.name), Root::ByKey(id));
            }
        }
        for (place, listing) in catalogue.listings.iter().enumerate() {
            roots.insert(listing.name.clone(), Root::Listing(place));
        }
        Self(roots)
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Root> {
        self.0.get(name)
    }
}
