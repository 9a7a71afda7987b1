//! The cells of one charge while a row is translated, in a buffer that is reused for every row.

use crate::cells::filled;
use crate::formats::focus::Column;
use catalogue::Decimal;
use csv::ByteRecord;
use std::collections::BTreeSet;

/// Maximum number of accounts and of periods named in a question.
const NAMED: usize = 4;

/// A charge in FOCUS columns, as text.
#[derive(Debug)]
pub struct Charge {
    text: Vec<u8>,
    cells: [(usize, usize); Column::ALL.len()],
    /// Its amount is included in other rows: it is stored but excluded from sums.
    pub is_excluded: bool,
    /// Its times are local times, because the file stated their offset from UTC.
    pub has_local_time: bool,
    /// Set when the meaning of the row depends on an answer that is still missing: the evidence that the row gives for it.
    pub evidence: Option<Evidence>,
}

/// Evidence from a row of an Azure export about whether its costs are actual or amortised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// A purchase of a commitment.
    PricedPurchase,
    /// Usage covered by a commitment, without a cost.
    FreeUsage,
    /// Usage covered by a commitment, with a cost.
    PricedUsage,
    /// The unused part of a commitment.
    Unused,
}

impl Evidence {
    /// The number of kinds.
    pub const COUNT: usize = Self::Unused as usize + 1;
}

/// Evidence from the rows of a file for a missing answer.
#[derive(Debug, Default)]
pub struct EvidenceCounts {
    counts: [u64; Evidence::COUNT],
    accounts: BTreeSet<String>,
    /// Starts of billing periods, as written in the file.
    periods: BTreeSet<String>,
}

impl EvidenceCounts {
    /// Records a charge that depends on the missing answer.
    pub fn add(&mut self, charge: &Charge) {
        let Some(evidence) = charge.evidence else { return };
        self.counts[evidence as usize] += 1;
        let begins = [Column::BillingPeriodStart, Column::ChargePeriodStart];
        let begin = begins.into_iter().map(|column| charge.get(column)).find(|cell| !cell.is_empty());
        let accounts = Some(charge.get(Column::BillingAccountId)).filter(|cell| !cell.is_empty());
        for (names, cell) in [(&mut self.accounts, accounts), (&mut self.periods, begin)] {
            if let Some(cell) = cell.filter(|_| names.len() <= NAMED) {
                names.insert(String::from_utf8_lossy(cell).into_owned());
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.counts.iter().all(|count| *count == 0)
    }

    pub fn count(&self, evidence: Evidence) -> u64 {
        self.counts[evidence as usize]
    }

    /// The accounts and periods of these charges as text: `billing account 123, billing period from 05/01/2026`.
    pub fn accounts_and_periods(&self) -> String {
        let words = |one: &str, names: &BTreeSet<String>| {
            let more = if names.len() > NAMED { " and more" } else { "" };
            let shown: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
            (!shown.is_empty()).then(|| format!("{one} {}{more}", shown.join(", ")))
        };
        let parts = [words("billing account", &self.accounts), words("billing period from", &self.periods)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl Default for Charge {
    fn default() -> Self {
        Self {
            text: Vec::new(),
            cells: [(0, 0); Column::ALL.len()],
            is_excluded: false,
            has_local_time: false,
            evidence: None,
        }
    }
}

impl Charge {
    /// Empties every cell.
    pub fn clear(&mut self) {
        self.text.clear();
        self.cells.fill((0, 0));
        self.is_excluded = false;
        self.has_local_time = false;
        self.evidence = None;
    }

    /// The cell of a column; empty when it is not set.
    pub fn get(&self, column: Column) -> &[u8] {
        let (start, end) = self.cells[column as usize];
        &self.text[start..end]
    }

    pub fn set(&mut self, column: Column, cell: &[u8]) {
        let start = self.text.len();
        self.text.extend_from_slice(cell);
        self.cells[column as usize] = (start, self.text.len());
    }

    /// Sets a cell to the first non-empty one of these columns.
    pub fn set_first(&mut self, column: Column, record: &ByteRecord, places: &[usize]) {
        if let Some(cell) = first(record, places) {
            self.set(column, cell);
        }
    }

    pub fn set_number(&mut self, column: Column, number: Decimal) {
        self.set(column, number.to_text().as_str().as_bytes());
    }
}

/// The first non-empty cell of these columns.
pub fn first<'r>(record: &'r ByteRecord, places: &[usize]) -> Option<&'r [u8]> {
    places.iter().find_map(|place| record.get(*place).and_then(filled))
}
