//! Explains how PostgreSQL runs a statement, without its parameter values.

use super::Session;
use super::statement::Statement;
use rusqlite::Result;

/// Name of the prepared statement while it is explained.
const NAME: &str = "explained";

impl Session {
    /// The generic plan of a statement, one line per step; the transaction is not changed. In PostgreSQL 15 `EXPLAIN` does not accept
    /// statements with parameters, but it accepts `EXECUTE` of a prepared one, and a generic plan does not depend on the parameters.
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
            // Rolling back does not deallocate a prepared statement.
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
