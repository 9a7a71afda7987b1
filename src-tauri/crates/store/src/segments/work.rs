//! The threads that aggregate parts.

use super::add::add;
use super::codes::Values;
use super::filter::{Condition, KnownTruths, choose};
use super::groups::{Distinct, Extremes, Groups, TooLong};
use super::layout::{Layout, Slot};
use super::part::{AggregateRequest, Cut, Part};
use super::plan::Plan;
use super::scratch::ScratchBuffers;
use super::spans::units;
use super::tally::Tally;

/// The shared input of all threads.
pub(super) struct AggregationInput<'a> {
    pub layout: Layout<'a>,
    pub plan: &'a Plan,
    pub conditions: &'a [&'a Condition],
    pub values: &'a Values,
    pub wanted: &'a AggregateRequest,
    pub sizes: &'a [(Option<u32>, bool)],
    /// The first and last time of all parts.
    pub span: Option<(i64, i64)>,
    /// Cached results by condition.
    pub known: Vec<KnownTruths>,
}

/// The state of one thread.
pub(super) struct Worker<'a> {
    input: &'a AggregationInput<'a>,
    groups: Groups,
    tally: Tally,
    buffers: ScratchBuffers,
    pub known: Vec<KnownTruths>,
}

impl AggregationInput<'_> {
    /// Slots by which rows are grouped, filtered or counted.
    pub fn dimensions(&self) -> Vec<Slot> {
        let mut slots = self.wanted.dimensions();
        for condition in self.conditions {
            condition.slots(&mut slots);
        }
        slots.retain(|slot| *slot < self.layout.dimensions());
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    pub fn begin(&self) -> Worker<'_> {
        let distinct = self.plan.distinct.iter().map(|slots| Distinct::new(slots.len() == 1)).collect();
        let extremes = self.plan.extremes.iter().map(|(_, is_greatest)| Extremes::of(*is_greatest)).collect();
        let mut groups = Groups::new(self.sizes, self.wanted.sums.len(), distinct, extremes);
        if groups.sizes().is_some() {
            // Threads that number times equally can add their sums directly.
            for (place, key) in self.wanted.keys.iter().enumerate() {
                if let (Cut::Start(unit), Some(span)) = (&key.cut, self.span) {
                    groups.preassign_ids(place, units(*unit, span));
                }
            }
        }
        Worker {
            input: self,
            groups,
            tally: Tally::default(),
            buffers: ScratchBuffers::default(),
            known: self.known.clone(),
        }
    }
}

/// The slot and the text of a condition whose results are worth caching.
pub(super) fn costly(condition: &Condition) -> Option<(Slot, String)> {
    let mut slots = Vec::new();
    condition.slots(&mut slots);
    let [slot] = slots[..] else { return None };
    condition.is_costly().then(|| (slot, format!("{condition:?}")))
}

impl Worker<'_> {
    pub fn add(&mut self, part: &Part) -> Result<(), TooLong> {
        let input = self.input;
        let seen = |slot, value| input.values.seen(&input.layout, slot, value);
        let chosen = choose(part, input.conditions, &seen, &mut self.known);
        if self.tally.add(part, &chosen, input.wanted, &mut self.groups, &mut self.buffers)? {
            return Ok(());
        }
        add(part, &chosen, input.wanted, &mut self.groups, &mut self.buffers)
    }

    /// All groups of this thread, together with those of another.
    pub fn finish(mut self, other: Option<Self>) -> Result<Groups, TooLong> {
        if let Some(mut other) = other {
            if !(self.groups.unify_ids(&other.groups) && self.tally.merge(&mut other.tally)) {
                other.tally.hand_over(&mut other.groups)?;
            }
            self.groups.merge(&other.groups)?;
        }
        self.tally.hand_over(&mut self.groups)?;
        Ok(self.groups)
    }
}
