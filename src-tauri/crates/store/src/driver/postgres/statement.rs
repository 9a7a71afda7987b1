//! Converts statements to PostgreSQL's parameters: `?2` becomes `$1` if the first parameter is not used.

use std::sync::Arc;

/// A statement, and what can be derived from its text.
#[derive(Debug)]
pub(super) struct Statement {
    pub text: Arc<str>,
    /// The original parameter numbers of `$1`, `$2` …
    pub places: Vec<usize>,
    /// The highest parameter number.
    pub highest: usize,
    /// The table it writes, if any.
    pub table: Option<String>,
}

impl Statement {
    pub(super) fn new(sql: &str) -> Self {
        let mut text = String::with_capacity(sql.len());
        let mut places: Vec<usize> = Vec::new();
        let mut rest = sql;
        while let Some(at) = rest.find(['?', '\'', '"']) {
            text.push_str(&rest[..at]);
            let mark = rest.as_bytes()[at];
            rest = &rest[at + 1..];
            if mark == b'?' {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let Ok(number) = rest[..digits].parse::<usize>() else {
                    text.push('?');
                    continue;
                };
                rest = &rest[digits..];
                let place = places.iter().position(|known| *known == number).unwrap_or_else(|| {
                    places.push(number);
                    places.len() - 1
                });
                text.push_str(&format!("${}", place + 1));
                continue;
            }
            // Quoted text is unchanged; a doubled quote ends one text and begins the next.
            text.push(char::from(mark));
            let end = rest.find(char::from(mark)).map_or(rest.len(), |end| end + 1);
            text.push_str(&rest[..end]);
            rest = &rest[end..];
        }
        text.push_str(rest);
        let highest = places.iter().copied().max().unwrap_or_default();
        Self { table: written_table(&text), text: text.into(), places, highest }
    }
}

fn written_table(text: &str) -> Option<String> {
    let text = text.trim_start();
    let rest =
        ["INSERT INTO \"", "UPDATE \"", "DELETE FROM \""].iter().find_map(|head| text.strip_prefix(head))?;
    rest.split_once('"').map(|(table, _)| table.to_owned())
}

#[cfg(test)]
mod tests {
    use super::Statement;

    #[test]
    fn parameters_are_numbered_anew_and_quoted_marks_stay() {
        let statement =
            Statement::new(r#"SELECT '?1', "a?2" FROM t WHERE b = ?3 AND c = ?1 AND d = ?3 AND e = '''?9'"#);
        assert_eq!(
            &*statement.text,
            r#"SELECT '?1', "a?2" FROM t WHERE b = $1 AND c = $2 AND d = $1 AND e = '''?9'"#
        );
        assert_eq!((statement.places, statement.highest), (vec![3, 1], 3));
    }

    #[test]
    fn the_table_that_is_written_is_known() {
        let table = |sql: &str| Statement::new(sql).table;
        assert_eq!(table(r#"INSERT INTO "spends" AS t ("a") VALUES (?1)"#).as_deref(), Some("spends"));
        assert_eq!(table(r#"DELETE FROM "events" AS t"#).as_deref(), Some("events"));
        assert_eq!(table(r#"SELECT 1 FROM "events""#), None);
    }
}
