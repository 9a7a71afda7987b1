//! References of the rows of a file, checked after all rows were read.

use super::TransferError;
use catalogue::{Caller, Catalogue, Column, Reference, TableKind, Value, ValueRef};
use std::collections::HashMap;
use store::{Transaction, eq};

/// Maximum number of lookup values in a message.
const SHOWN: usize = 24;

/// The values of columns with references, each with the first line that contains it.
#[derive(Default)]
pub struct References<'t> {
    lines: HashMap<(&'t str, String), (u64, &'t Reference, Value)>,
}

impl<'t> References<'t> {
    /// Records the value of a column.
    pub fn note(&mut self, line: u64, column: &'t Column, value: &Value) {
        if let Some(reference) = column.references.as_ref().filter(|_| *value != Value::Null) {
            let key = (column.name.as_str(), format!("{value:?}"));
            self.lines.entry(key).or_insert_with(|| (line, reference, value.clone()));
        }
    }

    /// Refuses the first line that refers to a row that does not exist in any tenant.
    pub fn check(self, rows: &Transaction<'_>) -> Result<(), TransferError> {
        let system = Caller::system();
        let all = rows.as_caller(&system);
        let mut noted: Vec<_> = self.lines.into_iter().collect();
        noted.sort_unstable_by(|left, right| (left.1.0, left.0.0).cmp(&(right.1.0, right.0.0)));
        for ((column, _), (line, reference, value)) in noted {
            let table = rows.catalogue().table(reference.table);
            let target = &table.column(reference.column).name;
            if all.count(&table.name, &[eq(target, value.borrow())])? == 0 {
                return Err(TransferError::NoSuchRow {
                    line,
                    column: column.to_owned(),
                    found: shown(value.borrow()),
                    expected: expected(rows.catalogue(), reference),
                });
            }
        }
        Ok(())
    }
}

/// Refuses a text that is not a value of the column's enum.
pub fn check_enum(catalogue: &Catalogue, column: &Column, value: &Value) -> Result<(), String> {
    let (catalogue::Scalar::Enum { name, .. }, Value::Text(text)) = (&column.scalar, value) else {
        return Ok(());
    };
    let values = catalogue.enum_values(name).unwrap_or_default();
    if values.iter().any(|known| known.value == *text) {
        return Ok(());
    }
    Err(one_of(values.iter().map(|known| known.value.as_str())))
}

fn expected(catalogue: &Catalogue, reference: &Reference) -> String {
    let table = catalogue.table(reference.table);
    match &table.kind {
        TableKind::Lookup { values, .. } if table.primary_key == [reference.column] => {
            format!("{} of {}", one_of(values.iter().map(|known| known.value.as_str())), table.name)
        }
        _ => format!("the {} of a row of {}", table.column(reference.column).name, table.name),
    }
}

fn one_of<'v>(values: impl Iterator<Item = &'v str>) -> String {
    let mut values: Vec<&str> = values.collect();
    let more = if values.len() > SHOWN { ", …" } else { "" };
    values.truncate(SHOWN);
    format!("one of {}{more}", values.join(", "))
}

fn shown(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Text(text) => format!("{text:?}"),
        ValueRef::Uuid(id) => id.to_string(),
        ValueRef::Int(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}
