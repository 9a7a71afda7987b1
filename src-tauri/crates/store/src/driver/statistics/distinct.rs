//! Corrects sampled statistics: the average number of rows with equal leading index columns, where it exceeds the sample size.
//!
//! `ANALYZE` with a limit records the limit in this case. An index that begins with the tenant then seems to select a thousand rows
//! although it selects all of them, and SQLite fetches every row of the table by index, which takes ten times as long as a full scan.

use super::LOOKED_AT;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params_from_iter};

/// The number that `ANALYZE` records when it stopped at the limit.
const GAVE_UP: u64 = LOOKED_AT as u64 + 1;
/// Maximum number of distinct values counted. Each takes one or two index lookups.
const MOST_COUNTED: u64 = 2_000;

/// Tables with such a number, as in databases of earlier versions.
pub(super) fn unknown(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let is_counted = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1')";
    if !connection.query_row(is_counted, [], |row| row.get(0))? {
        return Ok(Vec::new());
    }
    let sql = "SELECT DISTINCT tbl FROM sqlite_stat1 WHERE ' ' || stat || ' ' LIKE '% ' || ?1 || ' %'";
    connection.prepare(sql)?.query_map([GAVE_UP], |row| row.get(0))?.collect()
}

/// Replaces each such number of a table by its row count divided by the number of distinct values.
pub(super) fn correct(connection: &Connection, table: &str) -> rusqlite::Result<()> {
    let indices: Vec<(String, String)> = connection
        .prepare("SELECT idx, stat FROM sqlite_stat1 WHERE tbl = ?1 AND idx IS NOT NULL")?
        .query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (index, stat) in indices {
        let mut words: Vec<String> = stat.split(' ').map(str::to_owned).collect();
        let rows = words.first().and_then(|word| word.parse::<u64>().ok()).unwrap_or_default();
        let columns = columns(connection, &index)?.unwrap_or_default();
        let mut most = rows;
        for place in 1..words.len().min(columns.len() + 1) {
            if words[place].parse() != Ok(GAVE_UP) {
                break;
            }
            let found = count(connection, table, &index, &columns[..place])?;
            most = (rows / found.max(1)).clamp(1, most.max(1));
            words[place] = most.to_string();
        }
        // If the number is correct, or no better one is known, it is changed by one: a table with the original number counts as due.
        for word in words.iter_mut().filter(|word| word.parse() == Ok(GAVE_UP)) {
            *word = (GAVE_UP + 1).to_string();
        }
        connection.execute(
            "UPDATE sqlite_stat1 SET stat = ?1 WHERE tbl = ?2 AND idx = ?3",
            (words.join(" "), table, &index),
        )?;
    }
    Ok(())
}

/// A column of an index, quoted, and its collation in the index.
struct IndexColumn {
    name: String,
    collation: String,
}

/// The columns of an index over all rows; `None` for an index on expressions or a partial index.
fn columns(connection: &Connection, index: &str) -> rusqlite::Result<Option<Vec<IndexColumn>>> {
    let is_partial = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?1 AND sql LIKE '% WHERE %')";
    if connection.query_row(is_partial, [index], |row| row.get(0))? {
        return Ok(None);
    }
    let mut statement =
        connection.prepare("SELECT name, coll FROM pragma_index_xinfo(?1) WHERE key ORDER BY seqno")?;
    let found = statement.query_map([index], |row| Ok((row.get::<_, Option<String>>(0)?, row.get(1)?)))?;
    let mut columns = Vec::new();
    for column in found {
        let (Some(name), collation) = column? else { return Ok(None) };
        columns.push(IndexColumn { name: format!("\"{name}\""), collation });
    }
    Ok(Some(columns))
}

/// The number of distinct combinations of the columns, at most [`MOST_COUNTED`]: each is found from the previous one by index lookups.
fn count(
    connection: &Connection,
    table: &str,
    index: &str,
    columns: &[IndexColumn],
) -> rusqlite::Result<u64> {
    let scan = Scan { connection, from: format!("\"{table}\" INDEXED BY \"{index}\""), columns };
    let Some(mut values) = scan.first(Vec::new())? else { return Ok(0) };
    for found in 1..MOST_COUNTED {
        match scan.next(values)? {
            Some(next) => values = next,
            None => return Ok(found),
        }
    }
    Ok(MOST_COUNTED)
}

struct Scan<'a> {
    connection: &'a Connection,
    from: String,
    columns: &'a [IndexColumn],
}

impl Scan<'_> {
    /// The first combination of all columns among the rows with these leading values.
    fn first(&self, mut values: Vec<Value>) -> rusqlite::Result<Option<Vec<Value>>> {
        while values.len() < self.columns.len() {
            match self.least(&values, false)? {
                Some(value) => values.push(value),
                None => return Ok(None),
            }
        }
        Ok(Some(values))
    }

    /// The combination after these values.
    fn next(&self, mut values: Vec<Value>) -> rusqlite::Result<Option<Vec<Value>>> {
        while !values.is_empty() {
            let above = self.least(&values, true)?;
            values.pop();
            if let Some(above) = above {
                values.push(above);
                return self.first(values);
            }
        }
        Ok(None)
    }

    /// The smallest value of the next column for these values, or, with `above`, the next value of the last of these columns.
    fn least(&self, values: &[Value], above: bool) -> rusqlite::Result<Option<Value>> {
        let equal = values.len() - usize::from(above);
        let at = |place: usize| {
            let IndexColumn { name, collation } = &self.columns[place];
            format!("{name} COLLATE {collation}")
        };
        let mut conditions: Vec<String> =
            (0..equal).map(|place| format!("{} IS ?{}", at(place), place + 1)).collect();
        let mut bound = &values[..equal];
        if above {
            // Null sorts before every value.
            if matches!(values[equal], Value::Null) {
                conditions.push(format!("{} IS NOT NULL", self.columns[equal].name));
            } else {
                conditions.push(format!("{} > ?{}", at(equal), equal + 1));
                bound = values;
            }
        }
        let filter =
            if conditions.is_empty() { String::new() } else { format!("WHERE {}", conditions.join(" AND ")) };
        let sql = format!(
            "SELECT {} FROM {} {filter} ORDER BY {} LIMIT 1",
            self.columns[equal].name,
            self.from,
            at(equal)
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        statement.query_row(params_from_iter(bound), |row| row.get(0)).optional()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{due, renew};
    use rusqlite::Connection;

    const ROWS: u32 = 6_000;

    /// Rows of one owner, with four kinds and null, each kind at every place.
    fn filled() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        let fill = format!(
            "CREATE TABLE thing (id INTEGER PRIMARY KEY, owner BLOB, kind TEXT, place INTEGER, text TEXT);
             CREATE INDEX by_kind ON thing (owner, kind DESC, place);
             CREATE INDEX some ON thing (owner) WHERE place > 1;
             CREATE INDEX computed ON thing (owner, upper(kind));
             WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {ROWS} - 1)
             INSERT INTO thing SELECT i, x'01', nullif('kind' || (i % 5), 'kind4'), i / 5, 'text' FROM n"
        );
        connection.execute_batch(&fill).unwrap();
        connection
    }

    fn stat(connection: &Connection, index: &str) -> String {
        let sql = "SELECT stat FROM sqlite_stat1 WHERE idx = ?1";
        connection.query_row(sql, [index], |row| row.get(0)).unwrap()
    }

    #[test]
    fn rows_that_share_a_value_are_counted_beyond_the_sample() {
        let connection = filled();
        renew(&connection, "thing").unwrap();
        assert_eq!(stat(&connection, "by_kind"), "6000 6000 1200 1");
        // An owner of all rows must not lead to fetching them by index. For an index on expressions no better number is known.
        connection.execute_batch("DROP INDEX computed").unwrap();
        let plan = "EXPLAIN QUERY PLAN SELECT count(*) FROM thing WHERE owner = x'01' AND text = 'text'";
        let plan: String = connection.query_row(plan, [], |row| row.get(3)).unwrap();
        assert_eq!(plan, "SCAN thing");
    }

    #[test]
    fn numbers_of_an_earlier_version_are_due_once() {
        let connection = filled();
        connection.execute_batch("PRAGMA analysis_limit = 1000; ANALYZE").unwrap();
        assert_eq!(stat(&connection, "by_kind"), "6000 1001 1001 1");
        assert_eq!(due(&connection).unwrap(), ["thing"]);
        renew(&connection, "thing").unwrap();
        assert_eq!(due(&connection).unwrap(), [""; 0]);
    }
}
