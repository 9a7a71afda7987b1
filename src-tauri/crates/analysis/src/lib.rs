//! Why an event may have happened, worked out by rules from rows that were read, and what costs come to on the days ahead.
//!
//! Start at [`forecast`] for the latter. Start at [`explain`] for the former: an [`Event`] and what was found around it ([`Material`]) give ranked [`Hypothesis`]es, each with the ids of
//! the rows it rests on. Same rows, same answer: nothing here reads the clock, the store or the network, and nothing is guessed
//! that no row says.
//!
//! [`savings`] finds waste in bills, clusters and scans, and proves what became of it. [`digest`] words what changed in a week. [`allocation`] splits shared cost, exactly. [`commitments`] works out what a commitment would have saved. [`anomalies`] finds days on which usage cost more or less than the series itself leads one to expect.

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

/// At most so many hypotheses are told; more would hide the first ones.
const MOST: usize = 6;

/// What the rules find in the rows, the likeliest first; equal scores keep the order of the rules.
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
