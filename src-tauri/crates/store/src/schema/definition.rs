//! Parses CREATE TABLE statements, to compare tables.

use crate::shared;
use catalogue::SharedPosition;
use std::collections::BTreeMap;

/// The parts of a CREATE TABLE statement, independent of their order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Definition {
    /// Each column by name: type, nullability, default, checks.
    pub columns: BTreeMap<String, String>,
    /// The foreign key of each column: table, column, action on delete.
    pub references: BTreeMap<String, String>,
    /// The primary key and other constraints of the whole table.
    pub constraints: Vec<String>,
}

impl Definition {
    /// Parses a statement as stored by SQLite.
    pub fn parse(sql: &str) -> Self {
        let mut definition = Self::default();
        let inside = match (sql.find('('), sql.rfind(')')) {
            (Some(first), Some(last)) if first < last => &sql[first + 1..last],
            _ => return definition,
        };
        for part in parts(inside) {
            definition.add(&part);
        }
        definition.constraints.sort_unstable();
        definition
    }

    /// The position of a column in a shared group, if it is in one.
    pub fn shared_place(&self, column: &str) -> Option<SharedPosition> {
        self.columns.iter().find_map(|(name, definition)| {
            let group = name.strip_prefix('#')?.to_owned();
            let place = shared::stored(definition).iter().position(|known| *known == column)?;
            Some(SharedPosition { group, index: place })
        })
    }

    fn add(&mut self, part: &str) {
        if let Some(reference) = part.strip_prefix("FOREIGN KEY (") {
            if let Some((column, target)) = reference.split_once(") ") {
                self.references.insert(unquoted(column), target.to_owned());
            }
            return;
        }
        let Some((name, rest)) = part.strip_prefix('"').and_then(|part| part.split_once("\" ")) else {
            self.constraints.push(part.to_owned());
            return;
        };
        // A column that was added later has its foreign key in the column definition.
        let (column, reference) = match rest.find(" REFERENCES \"") {
            Some(place) => (&rest[..place], Some(&rest[place + 1..])),
            None => (rest, None),
        };
        self.columns.insert(name.to_owned(), column.to_owned());
        if let Some(reference) = reference {
            self.references.insert(name.to_owned(), reference.to_owned());
        }
    }
}

/// Splits at commas outside quotes and parentheses.
fn parts(text: &str) -> Vec<String> {
    let (mut parts, mut part, mut depth, mut quote) = (Vec::new(), String::new(), 0_usize, None);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) => {
                part.push(letter);
                if letter == open {
                    quote = None;
                }
            }
            (None, '\'' | '"') => {
                part.push(letter);
                quote = Some(letter);
            }
            (None, ',') if depth == 0 => parts.push(std::mem::take(&mut part)),
            (None, letter) if letter.is_whitespace() => {
                if !part.is_empty() && !part.ends_with(' ') {
                    part.push(' ');
                }
            }
            (None, letter) => {
                match letter {
                    '(' => depth += 1,
                    ')' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                part.push(letter);
            }
        }
    }
    parts.push(part);
    parts.iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

fn unquoted(name: &str) -> String {
    name.trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_falls_into_columns_references_and_constraints() {
        let made = Definition::parse(
            "CREATE TABLE \"a\" (\n  \"x\" TEXT DEFAULT 'one, (two',\n  \"y\" INTEGER CHECK (\"y\" IN (0, 1)),\n  PRIMARY KEY (\"x\", \"y\"),\n  FOREIGN KEY (\"x\") REFERENCES \"b\" (\"id\") ON DELETE CASCADE\n) STRICT",
        );
        assert_eq!(made.columns["x"], "TEXT DEFAULT 'one, (two'");
        assert_eq!(made.columns["y"], "INTEGER CHECK (\"y\" IN (0, 1))");
        assert_eq!(made.references["x"], "REFERENCES \"b\" (\"id\") ON DELETE CASCADE");
        assert_eq!(made.constraints, ["PRIMARY KEY (\"x\", \"y\")"]);
        let later = Definition::parse(
            "CREATE TABLE \"a\" (\"x\" TEXT, PRIMARY KEY (\"x\"), \"z\" TEXT REFERENCES \"b\" (\"id\") ON DELETE SET NULL) STRICT",
        );
        assert_eq!(later.columns["z"], "TEXT");
        assert_eq!(later.references["z"], "REFERENCES \"b\" (\"id\") ON DELETE SET NULL");
    }
}
