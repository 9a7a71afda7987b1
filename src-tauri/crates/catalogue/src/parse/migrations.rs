//! Parses migrations: `migrations/NNNN_<name>.sql`, SQL with comment lines that declare the tables to rebuild.
//!
//! `-- rebuild: TABLE` (or `*`) and `-- drop: TABLE` or `-- drop: TABLE.COLUMN` must be on lines of their own.

use super::Source;
use super::problems::{Problems, SourceLine};
use crate::{Migration, Rebuilds, RemovedPart};

/// Number of the first migration: the first schema has version 1.
const FIRST: u32 = 2;

/// All migrations, in order of their numbers.
pub(super) fn read(sources: &[Source<'_>], problems: &mut Problems) -> Vec<Migration> {
    let mut migrations: Vec<Migration> = Vec::new();
    for source in sources {
        let Some(file) = source.name.strip_prefix("migrations/") else { continue };
        let place = SourceLine { file: source.name, line: 0 };
        let Some((number, name)) = numbered(file) else {
            problems
                .add(place, "expected a name such as 0007_merge_columns.sql: four digits, `_`, what it does");
            continue;
        };
        let expected = migrations.last().map_or(FIRST, |last| last.number + 1);
        if number != expected {
            problems.add(
                place,
                format!("migrations count without gaps from {FIRST:04}: expected {expected:04} here"),
            );
        }
        migrations.push(migration(number, name, source, problems));
    }
    migrations
}

/// Splits a file name: `0007_merge_columns.sql` gives 7 and `merge_columns`.
fn numbered(file: &str) -> Option<(u32, &str)> {
    let (digits, name) = file.strip_suffix(".sql")?.split_once('_')?;
    let is_number = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !name.is_empty()).then_some((digits.parse().ok()?, name))
}

fn migration(number: u32, name: &str, source: &Source<'_>, problems: &mut Problems) -> Migration {
    let (mut drops, mut tables, mut is_all) = (Vec::new(), Vec::new(), false);
    for (line, text) in (1..).zip(source.text.lines()) {
        let Some(said) = text.strip_prefix("-- ") else { continue };
        if let Some(table) = said.strip_prefix("rebuild: ") {
            match table.trim() {
                "*" => is_all = true,
                table => tables.push(table.to_owned()),
            }
        } else if let Some(dropped) = said.strip_prefix("drop: ") {
            let (table, column) = match dropped.trim().split_once('.') {
                Some((table, column)) => (table, Some(column.to_owned())),
                None => (dropped.trim(), None),
            };
            if table.is_empty() || column.as_ref().is_some_and(String::is_empty) {
                let place = SourceLine { file: source.name, line };
                problems.add(place, "expected `-- drop: TABLE` or `-- drop: TABLE.COLUMN`");
            }
            drops.push(RemovedPart { table: table.to_owned(), column });
        }
    }
    let rebuilds = if is_all { Rebuilds::All } else { Rebuilds::Tables(tables) };
    Migration { number, name: name.to_owned(), text: source.text.to_owned(), drops, rebuilds }
}
