//! The cells of one charge while a row is translated: one buffer that is used again for every row.

use crate::cells::filled;
use crate::formats::focus::Column;
use catalogue::Decimal;
use csv::ByteRecord;
use std::collections::BTreeSet;

/// Accounts and periods that a question names at most.
const NAMED: usize = 4;

/// A charge in the columns of FOCUS, as text.
#[derive(Debug)]
pub struct Charge {
    text: Vec<u8>,
    cells: [(usize, usize); Column::ALL.len()],
    /// The money is that of other rows: it is kept and never added.
    pub is_excluded: bool,
    /// Its times are those of a local clock: the file named their offset from UTC.
    pub has_local_time: bool,
    /// Set when what the row means depends on an answer that nobody has given yet: what it says about the answer.
    pub evidence: Option<Evidence>,
}

/// What a row of an Azure export says about whether its costs are actual or amortised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// A purchase of a commitment.
    PricedPurchase,
    /// Usage that a commitment covers, without a cost.
    FreeUsage,
    /// Usage that a commitment covers, with a cost.
    PricedUsage,
    /// What nobody used of a commitment.
    Unused,
}

impl Evidence {
    /// How many kinds there are.
    pub const COUNT: usize = Self::Unused as usize + 1;
}

/// What the rows of a file say about an answer that nobody has given yet.
#[derive(Debug, Default)]
pub struct EvidenceCounts {
    counts: [u64; Evidence::COUNT],
    accounts: BTreeSet<String>,
    /// Beginnings of billing periods, as the file writes them.
    periods: BTreeSet<String>,
}

impl EvidenceCounts {
    /// Takes note of a charge that waits for the answer.
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

    /// Whose charges they are, in words: `billing account 123, billing period from 05/01/2026`.
    pub fn whose(&self) -> String {
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

    /// The cell of a column; empty when it was not set.
    pub fn get(&self, column: Column) -> &[u8] {
        let (start, end) = self.cells[column as usize];
        &self.text[start..end]
    }

    pub fn set(&mut self, column: Column, cell: &[u8]) {
        let start = self.text.len();
        self.text.extend_from_slice(cell);
        self.cells[column as usize] = (start, self.text.len());
    }

    /// Sets a cell to the first of the places that is filled.
    pub fn set_first(&mut self, column: Column, record: &ByteRecord, places: &[usize]) {
        if let Some(cell) = first(record, places) {
            self.set(column, cell);
        }
    }

    pub fn set_number(&mut self, column: Column, number: Decimal) {
        self.set(column, number.to_text().as_str().as_bytes());
    }
}

/// The first of the places that is filled.
pub fn first<'r>(record: &'r ByteRecord, places: &[usize]) -> Option<&'r [u8]> {
    places.iter().find_map(|place| record.get(*place).and_then(filled))
}
