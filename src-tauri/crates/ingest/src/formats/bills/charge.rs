//! The cells of one charge while a row is translated: one buffer that is used again for every row.

use crate::cells::filled;
use crate::formats::focus::Column;
use catalogue::Decimal;
use csv::ByteRecord;

/// A charge in the columns of FOCUS, as text.
#[derive(Debug)]
pub struct Charge {
    text: Vec<u8>,
    cells: [(usize, usize); Column::ALL.len()],
    /// The money is that of other rows: it is kept and never added.
    pub is_excluded: bool,
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

impl Default for Charge {
    fn default() -> Self {
        Self { text: Vec::new(), cells: [(0, 0); Column::ALL.len()], is_excluded: false, evidence: None }
    }
}

impl Charge {
    /// Empties every cell.
    pub fn clear(&mut self) {
        self.text.clear();
        self.cells.fill((0, 0));
        self.is_excluded = false;
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
