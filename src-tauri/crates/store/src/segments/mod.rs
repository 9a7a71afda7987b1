//! Columns of a table's rows, kept beside them for sums over very many.
//!
//! Rows stay what counts. In the transaction that adds them by the thousand, [`refresh`] also writes *segments*: 65,536 rows
//! each, column by column, texts as places in a dictionary, amounts as whole numbers at one scale; and *cubes*, their sums by
//! time and a few columns. A trigger marks the segment of a row that is changed or removed as stale. A grouping is answered
//! from cubes and segments where these are in force, and from the rows where they are not, added up exactly; so the answer is
//! the one SQL gives, to the last digit and in the same order, whoever wrote last and in which process. What columns cannot
//! tell goes to SQL, with the reason ([`Explanation`]).
//!
//! What is kept of which table stands in the catalogue (`@segments`, `@cube`); its tables in the database are named after it,
//! with a `#` ([`layout`]).

mod add;
mod answer;
mod bits;
mod build;
mod cache;
mod check;
mod checks;
mod codes;
mod cubes;
mod digits;
mod entries;
mod explain;
mod filter;
mod groups;
mod index;
mod layout;
mod listed;
mod pack;
mod part;
mod plan;
mod read;
mod room;
mod run;
mod shared_columns;
mod sights;
mod spans;
mod tally;
#[cfg(test)]
mod tests;
mod texts;
mod totals;
#[cfg(test)]
mod totals_tests;
mod values;
mod work;

pub(crate) use cache::Cache;
pub use check::SegmentReport;
pub(crate) use check::{check, repair};
pub use explain::{AnswerSource, Explanation};
pub(crate) use layout::{tables, triggers};
pub(crate) use listed::ListedAnswer;
pub(crate) use plan::{Plan, Planner, plan};
pub(crate) use run::Reader;
pub(crate) use totals::{Memo, Totals};

use catalogue::{Catalogue, TableId};
use layout::Layout;
use rusqlite::Connection;

/// Rows behind all segments that a write leaves to the next one.
const FEW: u64 = 1 << 15;
/// More rows than this without a segment in force are left to SQL, which may find them by an index.
const MOST_LOOSE: u64 = 1 << 18;

/// Brings the segments of a table up to its rows, within the transaction that is open. Nothing for a table without.
pub(crate) fn refresh(
    connection: &Connection,
    catalogue: &Catalogue,
    table: TableId,
) -> rusqlite::Result<()> {
    Layout::of(catalogue, table).map_or(Ok(()), |layout| build::refresh(connection, &layout))
}

/// Whether [`renew`] would find something to do.
pub(crate) fn is_due(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<bool> {
    for layout in layout::layouts(catalogue) {
        if build::is_due(connection, &layout)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes one short step towards that, of the first table that needs it; whether one did. Begin again until none does.
pub(crate) fn renew(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<bool> {
    for layout in layout::layouts(catalogue) {
        if build::renew(connection, &layout)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The same as [`refresh`], once so many rows have come one by one that reading them would be felt.
pub(crate) fn refresh_when_due(
    connection: &Connection,
    catalogue: &Catalogue,
    was_written: impl Fn(&str) -> bool,
) -> rusqlite::Result<()> {
    for layout in layout::layouts(catalogue).filter(|layout| was_written(&layout.table.name)) {
        let (behind, stale) = build::loose_rows(connection, &layout)?;
        if behind > FEW || stale > MOST_LOOSE {
            build::refresh(connection, &layout)?;
        }
    }
    Ok(())
}
