//! Analyses of charges: forecasts, budgets, commitments, allocation. Charges are read as daily sums, never one by one.

mod allocation;
mod answer;
mod budget;
mod budget_check;
mod budget_share;
mod budgets;
mod burn;
mod charges;
mod commitment_totals;
mod commitments;
mod crossed;
mod days;
mod dimension;
mod forecast;
mod outlook;
mod proposals;
mod scope;
mod selection;
mod thresholds;
mod virtual_tags;

pub(crate) use allocation::{AFTER_WRITE as ALLOCATION_RULES, refresh as allocate};
pub(crate) use budgets::budgets_of;
pub(crate) use charges::{Charges, LATEST, Sums};
pub(crate) use crossed::{CrossedThreshold, NEWS_DAYS, crossed};
pub(crate) use dimension::{Dimension, VIRTUAL};
pub(crate) use forecast::metric_column;
pub(crate) use scope::Scope;
pub use virtual_tags::TaggedCharges;
pub(crate) use virtual_tags::{AFTER_WRITE as VIRTUAL_TAGS, refresh as tag};

use crate::Function;
use store::AfterWriteHook;

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("allocation_preview", allocation::preview),
    ("tag_coverage", allocation::coverage),
    ("unit_costs", allocation::unit_costs),
    ("virtual_tag_preview", virtual_tags::preview),
    ("spend_forecast", forecast::forecast),
    ("spend_budgets", budgets::budgets),
    ("spend_commitments", commitments::commitments),
    ("spend_commitment_proposals", proposals::proposals),
];

/// Refuses invalid budgets, regardless of who writes them.
pub(crate) const AFTER_WRITE: AfterWriteHook = AfterWriteHook {
    table: "budget",
    columns: &["name", "scope", "amount", "currency", "thresholds"],
    deletions: false,
    run: budget_check::written,
};
