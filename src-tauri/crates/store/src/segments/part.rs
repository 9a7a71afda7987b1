//! What is added up, and the parts of the rows it is added up from.

use super::layout::{Slot, SlotKind};
use super::pack::{Codes, Column, Numbers};
use super::values::DerivedTexts;
use crate::query::TimeUnit;
use std::sync::Arc;

/// A key of groups.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub slot: Slot,
    pub held: SlotKind,
    pub cut: Cut,
    /// Where that is null: another slot, and its texts by code, numbered as those of the cut.
    pub or: Option<(Slot, Arc<[u32]>)>,
}

/// What of a value makes a group.
#[derive(Debug, Clone)]
pub(super) enum Cut {
    Whole,
    /// The start of the unit a time lies in.
    Start(TimeUnit),
    /// The text under a key of a JSON value.
    Under(Arc<DerivedTexts>),
}

/// What is added up.
#[derive(Debug, Clone, Default)]
pub(super) struct AggregateRequest {
    pub keys: Vec<Key>,
    pub sums: Vec<Slot>,
    pub distinct: Vec<Vec<Slot>>,
    /// Dimensions that are whole numbers, of which the smallest or the greatest is wanted.
    pub extremes: Vec<Slot>,
}

impl AggregateRequest {
    /// The dimensions that are looked at.
    pub fn dimensions(&self) -> Vec<Slot> {
        let keys = self
            .keys
            .iter()
            .flat_map(|key| std::iter::once(key.slot).chain(key.or.as_ref().map(|(slot, _)| *slot)));
        keys.chain(self.distinct.iter().flatten().copied()).chain(self.extremes.iter().copied()).collect()
    }

    /// Whether groups are told by how many rows they have and what these come to.
    pub fn is_sums_only(&self) -> bool {
        self.distinct.is_empty() && self.extremes.is_empty()
    }
}

/// A part of the rows: a segment, a cube, or rows read a moment ago.
#[derive(Debug)]
pub(super) struct Part {
    pub rows: usize,
    /// By slot.
    pub columns: Vec<Option<Arc<Column>>>,
    /// Where rows stand for more than one of the table.
    pub weights: Option<Arc<Column>>,
}

/// Which rows of a part count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RowSelection {
    All,
    Rows(Vec<u32>),
}

/// Some of the chosen rows, one after another.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rows<'a> {
    /// This one and those behind it.
    From(usize),
    These(&'a [u32]),
}

impl RowSelection {
    /// So many of them, behind the first `skipped`.
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
