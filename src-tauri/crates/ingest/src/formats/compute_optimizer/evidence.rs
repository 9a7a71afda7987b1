//! The evidence for a recommendation as JSON: the current resource, every option, and the other values of the row. Numbers retain all digits of
//! the file.

use super::layout::{Field, Layout};
use crate::cells::{self, filled};
use csv::ByteRecord;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The evidence in one row.
pub fn of(
    layout: &Layout,
    record: &ByteRecord,
    arn: &str,
    name: &str,
    finding: &str,
    currency: &str,
) -> String {
    let options_stated: Option<u32> = layout
        .count
        .and_then(|place| record.get(place))
        .and_then(|cell| std::str::from_utf8(cell).ok()?.trim().parse().ok());
    let mut current = Object::default();
    let mut other = Object::default();
    let mut options: BTreeMap<u32, Object> = BTreeMap::new();
    for (field, cell) in layout.fields.iter().zip(record) {
        let Some(cell) = filled(cell) else { continue };
        match field {
            Field::Known => {}
            Field::Current(name) => current.cell(name, cell),
            Field::Other(name) => other.cell(name, cell),
            // Cells of options beyond the stated number contain only default values.
            Field::Option(number, _) if options_stated.is_some_and(|stated| *number > stated) => {}
            Field::Option(number, name) => options
                .entry(*number)
                .or_insert_with(|| {
                    let mut option = Object::default();
                    option.raw("rank", &number.to_string());
                    option
                })
                .cell(name, cell),
        }
    }
    let options: Vec<String> = options.into_values().map(Object::finish).collect();
    let mut evidence = Object::default();
    evidence.text("source", "aws_compute_optimizer");
    evidence.text("resource_type", layout.kind().resource_type());
    evidence.text("resource_arn", arn);
    evidence.text("resource_name", name);
    evidence.text("finding", finding);
    evidence.text("currency", currency);
    evidence.raw("current", &current.finish());
    evidence.raw("options", &format!("[{}]", options.join(",")));
    evidence.raw("evidence", &other.finish());
    evidence.finish()
}

/// A JSON object being written.
#[derive(Default)]
struct Object(String);

impl Object {
    fn raw(&mut self, name: &str, json: &str) {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        let name = serde_json::Value::from(name);
        write!(self.0, "{name}:{json}").expect("a string takes what is written to it");
    }

    fn text(&mut self, name: &str, text: &str) {
        self.raw(name, &serde_json::Value::from(text).to_string());
    }

    fn cell(&mut self, name: &str, cell: &[u8]) {
        match cells::number(cell) {
            Ok(number) => self.raw(name, &number.to_string()),
            Err(_) => self.text(name, &String::from_utf8_lossy(cell)),
        }
    }

    fn finish(self) -> String {
        if self.0.is_empty() { "{}".to_owned() } else { self.0 + "}" }
    }
}
