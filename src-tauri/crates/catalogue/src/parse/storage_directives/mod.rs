//! Reads the directives for data that a table stores in addition to its rows or outside them: segments, search index, marks, shared values.

mod marked;
mod searched;
mod segments;
mod shared;

use super::drafts::Drafts;
use super::problems::Problems;
use crate::Catalogue;

/// Adds the directives of the drafts to their tables. Columns, indices and scopes of the tables must be complete.
pub(super) fn resolve(drafts: &Drafts<'_>, catalogue: &mut Catalogue, problems: &mut Problems) {
    segments::resolve(drafts, catalogue, problems);
    searched::resolve(drafts, catalogue, problems);
    marked::resolve(drafts, catalogue, problems);
    shared::resolve(drafts, catalogue, problems);
}
