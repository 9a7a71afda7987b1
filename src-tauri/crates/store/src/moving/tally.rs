//! The figures by which a table is compared: row count, exact sums, and a digest of all cells.

use catalogue::{Column, Decimal, DecimalSum, Scalar};
use foldhash::quality::FixedState;
use rusqlite::types::ValueRef as Held;
use std::hash::{BuildHasher, Hash as _, Hasher as _};

/// Fixed seeds: equal cells have equal hashes in every process.
const SEEDS: [u64; 2] = [0x5144_434B, 0x4D4F_5645];

/// The figures of a table; equal for equal rows in any order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    pub rows: u64,
    /// Name and exact sum of each column with integers or decimals, if there are rows.
    pub sums: Vec<(String, String)>,
    digest: [u64; 2],
}

/// A table's figures in the source and in the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableComparison {
    pub table: String,
    pub source: Tally,
    pub target: Tally,
}

impl TableComparison {
    pub fn is_equal(&self) -> bool {
        self.source == self.target
    }

    /// Whether neither side has rows.
    pub fn is_empty(&self) -> bool {
        self.source.rows == 0 && self.target.rows == 0
    }

    /// Describes the difference.
    pub(super) fn difference(&self) -> String {
        let Self { table, source, target } = self;
        if source.rows != target.rows {
            return format!(
                "{table} has {} rows in the source and {} in the target",
                source.rows, target.rows
            );
        }
        let sums = source.sums.iter().zip(&target.sums).find(|(source, target)| source != target);
        match sums {
            Some(((column, source), (_, target))) => {
                format!("{table}.{column} sums up to {source} in the source and {target} in the target")
            }
            None => format!("{table} has other values"),
        }
    }
}

/// The type of a column, as far as it matters for sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Decimal,
    Whole,
    Other,
}

impl Kind {
    pub fn of(column: &Column) -> Self {
        match column.scalar {
            Scalar::Numeric => Self::Decimal,
            Scalar::Float8 if column.exact => Self::Decimal,
            Scalar::Int | Scalar::Bigint => Self::Whole,
            _ => Self::Other,
        }
    }
}

/// Computes a tally while rows are read.
pub(super) struct Counter<'c> {
    columns: &'c [(String, Kind)],
    sums: Vec<DecimalSum>,
    seeds: [FixedState; 2],
    hashers: Vec<<FixedState as BuildHasher>::Hasher>,
    tally: Tally,
}

impl<'c> Counter<'c> {
    pub fn new(columns: &'c [(String, Kind)]) -> Self {
        Self {
            columns,
            sums: vec![DecimalSum::new(); columns.len()],
            seeds: SEEDS.map(FixedState::with_seed),
            hashers: Vec::with_capacity(SEEDS.len()),
            tally: Tally::default(),
        }
    }

    pub fn begin_row(&mut self) {
        self.hashers.clear();
        self.hashers.extend(self.seeds.iter().map(BuildHasher::build_hasher));
    }

    /// Adds the next cell of the row.
    pub fn add(&mut self, place: usize, cell: Held<'_>) {
        let exact = match (self.columns[place].1, cell) {
            (Kind::Decimal, Held::Text(text)) => {
                std::str::from_utf8(text).ok().and_then(|text| Decimal::parse(text).ok())
            }
            (Kind::Whole, Held::Integer(number)) => Some(Decimal::from(number)),
            _ => None,
        };
        if let Some(number) = exact {
            self.sums[place].add(number);
        }
        for hasher in &mut self.hashers {
            match (exact, cell) {
                (Some(number), _) => (0_u8, number).hash(hasher),
                (None, Held::Null) => 1_u8.hash(hasher),
                (None, Held::Integer(number)) => (2_u8, number).hash(hasher),
                // SQLite stores no negative zero.
                (None, Held::Real(number)) => (3_u8, (number + 0.0).to_bits()).hash(hasher),
                (None, Held::Text(text)) => (4_u8, text).hash(hasher),
                (None, Held::Blob(bytes)) => (5_u8, bytes).hash(hasher),
            }
        }
    }

    pub fn end_row(&mut self) {
        self.tally.rows += 1;
        for (digest, hasher) in self.tally.digest.iter_mut().zip(&self.hashers) {
            *digest = digest.wrapping_add(hasher.finish());
        }
    }

    pub fn finish(mut self) -> Tally {
        if self.tally.rows > 0 {
            let summed = self.columns.iter().zip(&self.sums).filter(|((_, kind), _)| *kind != Kind::Other);
            self.tally.sums = summed.map(|((name, _), sum)| (name.clone(), sum.to_string())).collect();
        }
        self.tally
    }
}
