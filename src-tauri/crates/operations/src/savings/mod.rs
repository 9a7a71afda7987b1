//! Savings: findings of the rules of `analysis::savings` in bills and clusters, stored as recommendations, and the proofs of closed ones.
//!
//! Start at [`judge`]: bills are read as sums ([`bill`]), clusters with their usage ([`clusters`]), both are judged, and the rows are updated
//! ([`kept`]). A closed recommendation that is found again is reopened ([`again`]). [`proof`] compares the cost before and after closing;
//! [`ledger`] sums the savings.

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
