//! Analyses as pure functions: likely causes of events, forecasts, savings, anomalies, commitments and allocation.
//!
//! Start at [`forecast`] for forecasts of costs. Start at [`explain`] for the causes of an event: an [`Event`] and the rows found around it
//! ([`Material`]) give ranked [`Hypothesis`]es, each with the ids of the rows on which it is based. The same rows always give the same result:
//! nothing here reads the clock, the store or the network, and nothing is assumed that no row shows.
//!
//! [`savings`] finds waste in bills, clusters and scans, and verifies savings afterwards. [`digest`] describes the changes of a week in
//! sentences. [`allocation`] splits shared cost exactly. [`commitments`] calculates what a commitment would have saved. [`anomalies`] finds days
//! on which usage cost more or less than its own history leads one to expect.

pub mod allocation;
pub mod anomalies;
pub mod cluster_costs;
pub mod commitments;
pub mod digest;
mod evidence;
pub mod forecast;
mod material;
mod numbers;
mod report;
mod rules;
pub mod savings;
mod template;
#[cfg(test)]
mod tests;
mod titles;
pub mod words;

pub use evidence::{Evidence, Kind};
pub use material::{Change, Event, Line, Material, Neighbour, Occurrence, Other, Spend, State, Subject};
pub use report::{Analysis, Hypothesis, Likelihood};
pub use template::template;
pub use titles::rule_title;

use evidence::Collection;
use report::Draft;

/// The largest number of hypotheses; more would distract from the first ones.
const MOST: usize = 6;

/// The hypotheses that the rules find, most likely first; equal scores keep the order of the rules.
pub fn explain(event: &Event, material: &Material) -> Analysis {
    let mut evidence = Collection::default();
    let mut drafts: Vec<Draft> = Vec::new();
    for rule in rules::ALL {
        drafts.extend(rule(event, material, &mut evidence));
    }
    drafts.sort_by_key(|draft| std::cmp::Reverse(draft.score));
    drafts.truncate(MOST);
    report::finish(event, material, drafts, evidence)
}
