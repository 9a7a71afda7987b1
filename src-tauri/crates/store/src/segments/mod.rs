//! Column segments: columns stored beside a table's rows, for sums over very many rows.
//!
//! Rows remain the source of truth. In a transaction that adds thousands of rows, [`refresh`] also writes *segments* of 65,536 rows each,
//! column by column, with texts as dictionary codes and amounts as integers of one scale, and *cubes*, their sums by time and a few
//! columns. A trigger marks the segment of a changed or deleted row as stale. A grouping is answered from valid cubes and segments, and
//! from the rows elsewhere, with exact sums. The answer is therefore identical to that of SQL, to the last digit and in the same order,
//! whichever process wrote last. A query that columns cannot answer goes to SQL; [`Explanation`] contains the reason.
//!
//! The catalogue declares the columns (`@segments`, `@cube`). The database tables that store them have the table's name followed by `#`
//! ([`layout`]).

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
mod distinct;
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
mod run;
mod scratch;
mod shared_columns;
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

/// Number of rows after the last segment that a write may leave for a later one.
const FEW: u64 = 1 << 15;
/// If more rows than this have no valid segment, SQL answers, which may find them by an index.
const MOST_LOOSE: u64 = 1 << 18;

/// Updates the segments of a table to its rows, in the open transaction. Does nothing for a table without segments.
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

/// Performs one short step of an update on the first table that needs it. Returns whether there was one; call again until there is none.
pub(crate) fn renew(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<bool> {
    for layout in layout::layouts(catalogue) {
        if build::renew(connection, &layout)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Updates segments as [`refresh`] does, for tables with enough new rows to slow down reads noticeably.
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
