//! Prints the values of a listing's rows as expressions.

use super::{Build, Printer};
use crate::query::Key;
use crate::statement::{ParameterValue, Print};
use catalogue::{TableId, Value};

impl Printer<'_> {
    /// The expression for a stored value, and how it is written as JSON. Adds the joins it needs.
    pub(super) fn key(&self, build: &mut Build, table: TableId, alias: &str, key: &Key) -> (String, Print) {
        let described = self.table(table);
        let cell = |column| self.dialect.cell(alias, described.column(column));
        match key {
            Key::Column(column) => self.column(table, alias, *column),
            Key::Time(column, unit) => {
                let print = Print::of(described.column(*column));
                (format!("time_start({}, '{}')", cell(*column), unit.name()), print)
            }
            Key::JsonKey(column, name) => {
                (format!("json_text({}, {})", cell(*column), build.bind_once(name)), Print::Text)
            }
            Key::JsonPath(column, path) => {
                let (cell, path) = (cell(*column), build.bind_once(&self.dialect.path(path)));
                (self.dialect.text_at(&cell, &path), Print::Text)
            }
            Key::Related(way, column) => {
                let (mut at, mut alias) = (table, alias.to_owned());
                for step in way {
                    alias = self.join(build, at, &alias, *step);
                    at = self.table(at).relationship(*step).target;
                }
                let column = self.table(at).column(*column);
                (self.dialect.cell(&alias, column), Print::of(column))
            }
            Key::First(keys) => {
                let mut print = Print::Text;
                let members: Vec<String> = keys
                    .iter()
                    .map(|key| match self.key(build, table, alias, key) {
                        (expression, Print::Uuid) => format!("uuid_text({expression})"),
                        (expression, found) => {
                            print = found;
                            expression
                        }
                    })
                    .collect();
                (self.dialect.collated(format!("coalesce({})", members.join(", ")), print), print)
            }
            Key::Joined(columns, with) => {
                let with = format!(" || {} || ", build.bind_once(with));
                let cells: Vec<String> = columns.iter().map(|column| cell(*column)).collect();
                (format!("({})", cells.join(&with)), Print::Text)
            }
            Key::Recent(column, micros) => {
                (format!("({} > {})", cell(*column), build.bind_moment(-micros)), Print::Boolean)
            }
        }
    }

    /// The value as text: ids in their text form, numbers as written.
    pub(super) fn key_text(&self, build: &mut Build, table: TableId, alias: &str, key: &Key) -> String {
        let (expression, print) = self.key(build, table, alias, key);
        as_text(&expression, print)
    }
}

/// An expression for a value as text.
pub(super) fn as_text(expression: &str, print: Print) -> String {
    match print {
        Print::Uuid => format!("uuid_text({expression})"),
        Print::Json | Print::JsonWithWhitespace => format!("json_print({expression})"),
        Print::Boolean => {
            format!("CASE WHEN {expression} THEN 'true' WHEN NOT {expression} THEN 'false' END")
        }
        Print::Integer | Print::Float => format!("CAST({expression} AS TEXT)"),
        // Times stay unchanged: they are written as text anyway.
        Print::Text
        | Print::Bytes
        | Print::Decimal
        | Print::Timestamp
        | Print::Timestamptz
        | Print::Date
        | Print::Instant => expression.to_owned(),
    }
}

impl Build {
    /// Binds the text to one parameter for all its uses; otherwise GROUP BY would not recognise equal expressions.
    fn bind_once(&mut self, text: &str) -> String {
        self.once(ParameterValue::Value(Value::Text(text.to_owned())))
    }

    /// Binds the time of the request plus this many microseconds.
    pub(super) fn bind_moment(&mut self, after: i64) -> String {
        self.once(ParameterValue::After(after))
    }

    fn once(&mut self, bound: ParameterValue) -> String {
        match self.values.iter().position(|known| *known == bound) {
            Some(place) => format!("?{}", self.reserved + place + 1),
            None => self.push(bound),
        }
    }
}
