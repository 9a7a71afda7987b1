//! How PostgreSQL runs a statement, told without the values it was run with.

use super::Session;
use super::statement::Statement;
use rusqlite::Result;

/// What the statement is prepared as for the time it is looked at.
const NAME: &str = "explained";

impl Session {
    /// The generic plan of a statement, a line a step; the transaction stays as it was. `EXPLAIN` takes no statement with parameters in
    /// PostgreSQL 15, but it takes the execution of a prepared one, and a generic plan does not depend on what the parameters are.
    pub(crate) fn generic_plan(&self, sql: &str) -> Result<Vec<String>> {
        if self.has_transaction() {
            return self.plan_in_transaction(sql);
        }
        self.batch("BEGIN READ ONLY")?;
        let lines = self.plan_in_transaction(sql);
        self.batch("ROLLBACK").and(lines)
    }

    fn plan_in_transaction(&self, sql: &str) -> Result<Vec<String>> {
        let Statement { text, places, .. } = Statement::new(sql);
        self.batch(&format!("SAVEPOINT {NAME}"))?;
        let lines = self.batch(&format!("PREPARE {NAME} AS {text}")).and_then(|()| {
            let lines = self.batch("SET LOCAL plan_cache_mode = force_generic_plan").and_then(|()| {
                let nulls = vec!["NULL"; places.len()].join(", ");
                let arguments = if nulls.is_empty() { nulls } else { format!("({nulls})") };
                self.lines(&format!("EXPLAIN EXECUTE {NAME}{arguments}"))
            });
            // A prepared statement is not undone with the transaction.
            self.batch(&format!("ROLLBACK TO {NAME}; DEALLOCATE {NAME}"))?;
            lines
        });
        self.batch(&format!("ROLLBACK TO {NAME}; RELEASE {NAME}"))?;
        lines
    }

    fn lines(&self, sql: &str) -> Result<Vec<String>> {
        let mut statement = self.prepare(sql);
        let mut cursor = statement.query();
        let mut lines = Vec::new();
        while let Some(row) = cursor.next()? {
            lines.extend(row.first().and_then(|cell| match cell {
                rusqlite::types::Value::Text(line) => Some(line.clone()),
                _ => None,
            }));
        }
        Ok(lines)
    }
}
