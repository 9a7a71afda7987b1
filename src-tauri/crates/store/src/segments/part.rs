//! The aggregation request, and the parts of the rows it runs on.

use super::layout::{Slot, SlotKind};
use super::pack::{Codes, Column, Numbers};
use super::values::DerivedTexts;
use crate::query::TimeUnit;
use std::sync::Arc;

/// A group key.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub slot: Slot,
    pub storage: SlotKind,
    pub cut: Cut,
    /// A fallback for null: another slot, and its texts by code, with the same numbering as the texts of `cut`.
    pub fallback: Option<(Slot, Arc<[u32]>)>,
}

/// The part of a value that forms a group.
#[derive(Debug, Clone)]
pub(super) enum Cut {
    Whole,
    /// The start of the time's unit.
    Start(TimeUnit),
    /// The text derived from a value, such as that under a key of JSON.
    Derived(Arc<DerivedTexts>),
}

/// The requested groups and aggregates.
#[derive(Debug, Clone, Default)]
pub(super) struct AggregateRequest {
    pub keys: Vec<Key>,
    pub sums: Vec<Slot>,
    pub distinct: Vec<Vec<Slot>>,
    /// Integer dimensions whose smallest or greatest value is requested.
    pub extremes: Vec<Slot>,
}

impl AggregateRequest {
    /// The dimensions that are read.
    pub fn dimensions(&self) -> Vec<Slot> {
        let keys = self
            .keys
            .iter()
            .flat_map(|key| std::iter::once(key.slot).chain(key.fallback.as_ref().map(|(slot, _)| *slot)));
        keys.chain(self.distinct.iter().flatten().copied()).chain(self.extremes.iter().copied()).collect()
    }

    /// Whether only counts and sums are requested.
    pub fn is_sums_only(&self) -> bool {
        self.distinct.is_empty() && self.extremes.is_empty()
    }
}

/// A part of the rows: a segment, a part of a cube, or rows just read from the table.
#[derive(Debug)]
pub(super) struct Part {
    pub rows: usize,
    /// Columns by slot.
    pub columns: Vec<Option<Arc<Column>>>,
    /// For cubes: the number of table rows each row stands for.
    pub weights: Option<Arc<Column>>,
}

/// The selected rows of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RowSelection {
    All,
    Rows(Vec<u32>),
}

/// A consecutive range of the selected rows.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rows<'a> {
    /// The row with this index and those after it.
    From(usize),
    These(&'a [u32]),
}

impl RowSelection {
    /// `count` of the selected rows, after the first `skipped`.
    pub fn block(&self, skipped: usize, count: usize) -> Rows<'_> {
        match self {
            Self::All => Rows::From(skipped),
            Self::Rows(rows) => Rows::These(&rows[skipped..][..count]),
        }
    }

    pub fn count(&self, rows: usize) -> usize {
        match self {
            Self::All => rows,
            Self::Rows(chosen) => chosen.len(),
        }
    }
}

impl Part {
    pub fn codes(&self, slot: Slot) -> Option<&Codes> {
        match self.columns.get(slot)?.as_deref()? {
            Column::Codes(codes) => Some(codes),
            _ => None,
        }
    }

    pub fn numbers(&self, slot: Slot) -> Option<&Numbers> {
        match self.columns.get(slot)?.as_deref()? {
            Column::Numbers(numbers) => Some(numbers),
            Column::Alias(other) => self.numbers(*other),
            _ => None,
        }
    }

    pub fn weights(&self) -> Option<&[u32]> {
        match self.weights.as_deref()? {
            Column::Weights(weights) => Some(weights),
            _ => None,
        }
    }
}
