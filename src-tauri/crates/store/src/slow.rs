//! Logs slow reads with their plan, so that an operator can see missing indices.
//!
//! The log contains the statement with `?` in place of values, because values contain user text and tenant names.

use crate::driver::db::Db;
use crate::plan::{AggregateBody, Data, Node, Rows, Shape};
use std::time::Duration;

/// Logs each statement of a root field with its plan, the time it took and the number of SQLite VM steps. Few steps in a long time
/// indicate a busy disk.
pub(crate) fn log(connection: Db<'_>, data: &Data, took: Duration, steps: u64) {
    for sql in statements(data) {
        let plan = match plan(connection, sql) {
            Ok(plan) => plan,
            Err(error) => format!("(no plan: {error})"),
        };
        let milliseconds = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        tracing::warn!(milliseconds, steps, statement = sql, plan, "a read of the database was slow");
    }
}

/// The database's plan of a statement: one line per step, indented below its parent.
fn plan(connection: Db<'_>, sql: &str) -> rusqlite::Result<String> {
    let connection = match connection {
        Db::Sqlite(connection) => connection,
        Db::Postgres(session) => return Ok(session.generic_plan(sql)?.join("\n")),
    };
    let mut explained = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
    let mut rows = explained.raw_query();
    let (mut depths, mut lines) = (std::collections::HashMap::from([(0, 0)]), Vec::new());
    while let Some(row) = rows.next()? {
        let (step, parent): (i64, i64) = (row.get("id")?, row.get("parent")?);
        let depth = depths.get(&parent).copied().unwrap_or_default();
        depths.insert(step, depth + 1);
        lines.push(format!("{}{}", "  ".repeat(depth), row.get::<_, String>("detail")?));
    }
    Ok(lines.join("\n"))
}

/// The statements of a root field, including those of nested lists.
fn statements(data: &Data) -> Vec<&str> {
    let mut found = Vec::new();
    match data {
        Data::Rows(rows) | Data::First(rows) | Data::Grouped { rows, .. } => of_rows(rows, &mut found),
        Data::Aggregate(parts) => of_parts(parts, &mut found),
        Data::Json(_) => {}
    }
    found
}

fn of_rows<'a>(rows: &'a Rows, found: &mut Vec<&'a str>) {
    found.push(&rows.statement.sql);
    of_shape(&rows.shape, found);
}

fn of_shape<'a>(shape: &'a Shape, found: &mut Vec<&'a str>) {
    for (_, node) in &shape.0 {
        match node {
            Node::Cell { .. } | Node::Json(_) => {}
            Node::Object { shape, .. } => of_shape(shape, found),
            Node::Many { rows, .. } => of_rows(rows, found),
            Node::Aggregate { parts, .. } => of_parts(parts, found),
        }
    }
}

fn of_parts<'a>(parts: &'a [(String, AggregateBody)], found: &mut Vec<&'a str>) {
    for (_, part) in parts {
        match part {
            AggregateBody::Figures(rows, _) | AggregateBody::Nodes(rows) => of_rows(rows, found),
            AggregateBody::Json(_) => {}
        }
    }
}
