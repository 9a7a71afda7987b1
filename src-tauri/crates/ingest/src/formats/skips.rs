//! Collects skipped rows, and cells that were not read as written, with line and reason.

use crate::limit::{QUOTED_CHARACTERS, SKIPPED_LISTED};
use crate::outcome::{Reason, SkippedRow};
use std::collections::BTreeMap;

/// The skipped rows.
#[derive(Debug, Default)]
pub struct Skips {
    pub count: u64,
    pub listed: Vec<SkippedRow>,
    /// By column and reason. Reasons are fixed texts of this crate; there are only a few.
    reasons: BTreeMap<(String, &'static str), Occurrences>,
}

#[derive(Debug)]
struct Occurrences {
    count: u64,
    first_line: u64,
    last_line: u64,
    example: String,
    /// The position of the first one, in a file without lines.
    place: String,
}

impl Skips {
    /// Skips the row at `line` because of the cell in `column`.
    pub fn add(&mut self, line: u64, column: &str, cell: &[u8], reason: &'static str) {
        self.count += 1;
        if self.listed.len() < SKIPPED_LISTED {
            self.listed.push(SkippedRow {
                line,
                column: column.to_owned(),
                value: quoted(cell),
                reason: reason.to_owned(),
                place: String::new(),
            });
        }
        note_at(&mut self.reasons, line, column, cell, reason);
    }

    /// Skips the item at a position of a document; a position `line 17` counts as that line.
    pub fn add_at(&mut self, place: &str, quote: &str, reason: &'static str) {
        let line = place.strip_prefix("line ").and_then(|number| number.parse().ok());
        let place = if line.is_some() { "" } else { place };
        let line = line.unwrap_or_default();
        self.add(line, "", quote.as_bytes(), reason);
        if self.count <= SKIPPED_LISTED as u64
            && let Some(last) = self.listed.last_mut()
        {
            place.clone_into(&mut last.place);
        }
        if let Some(at) = self.reasons.get_mut(&(String::new(), reason))
            && at.count == 1
        {
            place.clone_into(&mut at.place);
        }
    }

    /// Adds the skipped rows of another part of reading.
    pub fn append(&mut self, other: Self) {
        self.count += other.count;
        let room = SKIPPED_LISTED.saturating_sub(self.listed.len());
        self.listed.extend(other.listed.into_iter().take(room));
        for (key, at) in other.reasons {
            self.reasons.entry(key).and_modify(|own| own.count += at.count).or_insert(at);
        }
    }

    /// The skipped rows by reason, most frequent first.
    pub fn reasons(&self) -> Vec<Reason> {
        let mut reasons: Vec<Reason> = self
            .reasons
            .iter()
            .map(|((column, reason), at)| Reason {
                reason: (*reason).to_owned(),
                column: column.clone(),
                count: at.count,
                first_line: at.first_line,
                last_line: at.last_line,
                example: at.example.clone(),
                first_place: at.place.clone(),
            })
            .collect();
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.count));
        reasons
    }
}

/// Cells that were not read as written, in rows that were not skipped.
#[derive(Debug, Default)]
pub struct Remarks {
    cells: BTreeMap<(String, &'static str), Occurrences>,
}

impl Remarks {
    /// Remarks on the cell in `column` of the row at `line`. `what` completes "Tags … in 3 rows".
    pub fn add(&mut self, line: u64, column: &str, cell: &[u8], what: &'static str) {
        note_at(&mut self.cells, line, column, cell, what);
    }

    /// One sentence per column and remark.
    pub fn sentences(&self) -> impl Iterator<Item = String> {
        self.cells.iter().map(|((column, what), at)| {
            let rows = if at.count == 1 { "1 row".to_owned() } else { format!("{} rows", at.count) };
            let example = if at.example.is_empty() { String::new() } else { format!(": {}", at.example) };
            format!(
                "{column} {what} in {rows} (first in line {}{example}). The rows were kept.",
                at.first_line
            )
        })
    }
}

fn note_at(
    places: &mut BTreeMap<(String, &'static str), Occurrences>,
    line: u64,
    column: &str,
    cell: &[u8],
    reason: &'static str,
) {
    places
        .entry((column.to_owned(), reason))
        .and_modify(|at| {
            at.count += 1;
            at.last_line = line;
        })
        .or_insert_with(|| Occurrences {
            count: 1,
            first_line: line,
            last_line: line,
            example: quoted(cell),
            place: String::new(),
        });
}

/// The cell as quoted in reports: as text, shortened.
fn quoted(cell: &[u8]) -> String {
    let start = &cell[..cell.len().min(QUOTED_CHARACTERS * 4)];
    let text = String::from_utf8_lossy(start);
    match text.char_indices().nth(QUOTED_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_left_out_are_counted_though_only_the_first_are_listed() {
        let mut skips = Skips::default();
        for line in 2..3_002 {
            skips.add(line, "BilledCost", b"abc", "not a number");
        }
        skips.add(3_002, "BilledCost", b"", "empty");
        assert_eq!((skips.count, skips.listed.len()), (3_001, SKIPPED_LISTED));
        let reasons = skips.reasons();
        assert_eq!((reasons[0].count, reasons[0].first_line, reasons[0].last_line), (3_000, 2, 3_001));
        assert_eq!((reasons[1].count, reasons[1].reason.as_str()), (1, "empty"));
    }

    #[test]
    fn a_long_cell_is_quoted_in_short() {
        assert_eq!(quoted("é".repeat(500).as_bytes()).chars().count(), QUOTED_CHARACTERS + 1);
    }

    #[test]
    fn a_remark_names_the_first_line() {
        let mut remarks = Remarks::default();
        remarks.add(7, "Tags", b"a=b", "is no JSON object and was left out");
        remarks.add(9, "Tags", b"c", "is no JSON object and was left out");
        assert_eq!(
            remarks.sentences().collect::<Vec<_>>(),
            ["Tags is no JSON object and was left out in 2 rows (first in line 7: a=b). The rows were kept."]
        );
    }
}
