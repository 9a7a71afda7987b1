//! Waste: what the rules of `analysis::savings` find in bills and clusters, kept as recommendations, and what became of those that were closed.
//!
//! Start at [`judge`]: the bill is read in sums ([`bill`]), clusters with what they used ([`clusters`]), both are judged, and the rows are brought to what was found ([`kept`]); what a person decided stays,
//! what is found again after it was closed is open again ([`again`]). [`proof`] compares what closed ones cost before and after; [`ledger`] adds up.

mod again;
mod bill;
mod clusters;
mod days;
mod duplicates;
mod growth;
mod judge;
mod kept;
mod ledger;
mod nights;
mod proof;
mod rightsizing;
mod row;
mod sums;
mod witness;

pub(crate) use clusters::pods::PodResources;
pub use judge::{Outcome, refresh, run};
pub(crate) use judge::{day, read_ahead};
pub(crate) use ledger::ledger_of;
pub(crate) use proof::{closing_card, open_card};
pub(crate) use rightsizing::{RightsizingOutcome, RightsizingRequest, generate};
pub(crate) use sums::{Usage, quantity};

use crate::Function;
use crate::kit::typed;

pub(crate) const FIELDS: &[(&str, Function)] =
    &[("recommendations_analyse", typed!(judge::operation)), ("savings_ledger", typed!(ledger::operation))];
