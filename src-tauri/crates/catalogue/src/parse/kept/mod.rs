//! What a table keeps of its rows beside them, or of their cells apart from them.

mod marked;
mod searched;
mod segments;
mod shared;

use super::drafts::Drafts;
use super::problems::Problems;
use crate::Catalogue;

/// Adds what the drafts say to their tables, whose columns, indices and scopes are known by then.
pub(super) fn resolve(drafts: &Drafts<'_>, catalogue: &mut Catalogue, problems: &mut Problems) {
    segments::resolve(drafts, catalogue, problems);
    searched::resolve(drafts, catalogue, problems);
    marked::resolve(drafts, catalogue, problems);
    shared::resolve(drafts, catalogue, problems);
}
