//! Collects the values of a row beyond the fields of a charge in one JSON object with the file's column names; nothing is lost.
//!
//! Values are texts as in the file; a cell with a JSON object or list remains JSON. Empty cells are left out.

use super::columns;
use super::forms::Forms;
use crate::cells::filled;
use crate::formats::numbers::Amount;
use crate::limit::TAGS_REMEMBERED;
use csv::ByteRecord;
use serde::de::IgnoredAny;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

/// Maximum length of a JSON cell that is cached, in bytes.
const REMEMBERED_BYTES: usize = 1_024;

/// A column that is stored in the details.
#[derive(Debug)]
pub struct Detail {
    place: usize,
    name: String,
    /// The name as a JSON string, with the colon.
    key: String,
    is_number: bool,
}

impl Detail {
    /// The columns of a header without a field of their own. Each gets a unique name.
    pub fn of_header(header: &[String]) -> Vec<Self> {
        let places = (0..header.len()).filter(|place| !columns::has_own_field(&header[*place]));
        Self::of_columns(header, places)
    }

    /// The columns at these indices. Each gets a unique name.
    pub fn of_columns(header: &[String], places: impl Iterator<Item = usize>) -> Vec<Self> {
        let mut names = BTreeSet::new();
        places
            .map(|place| {
                let name = &header[place];
                let plain = if name.is_empty() { format!("column {}", place + 1) } else { name.clone() };
                let numbered = (2..).map(|number| format!("{plain} ({number})"));
                let name =
                    std::iter::once(plain.clone()).chain(numbered).find(|name| names.insert(name.clone()));
                let name = name.expect("there is always a next number");
                let mut key = String::new();
                push_text(&name, &mut key);
                key.push(':');
                Self { place, is_number: columns::is_detail_number(&plain), name, key }
            })
            .collect()
    }

    /// The name in the details.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Writes the details of the rows.
#[derive(Debug, Default)]
pub struct DetailWriter {
    json: String,
    /// Cells known to be valid JSON: most rows repeat those of others.
    good: HashSet<Box<str>>,
}

impl DetailWriter {
    /// The details of a row; empty when there are none. Cells that are not UTF-8 text are passed to `damaged` and left out.
    pub fn write<'r>(
        &mut self,
        details: &[Detail],
        forms: &Forms,
        record: &'r ByteRecord,
        mut damaged: impl FnMut(&str, &'r [u8]),
    ) -> &str {
        self.json.clear();
        for detail in details {
            let Some(cell) = record.get(detail.place).and_then(filled) else { continue };
            let Ok(text) = std::str::from_utf8(cell) else {
                damaged(&detail.name, cell);
                continue;
            };
            self.json.push(if self.json.is_empty() { '{' } else { ',' });
            self.json.push_str(&detail.key);
            let mark = if detail.is_number { forms.mark(detail.place) } else { None };
            let number = mark.and_then(|mark| Amount::new(text)?.read(mark));
            if let Some(number) = number {
                let _ = write!(self.json, "\"{number}\"");
            } else if self.is_json(text) {
                self.json.push_str(text);
            } else {
                push_text(text, &mut self.json);
            }
        }
        if !self.json.is_empty() {
            self.json.push('}');
        }
        &self.json
    }

    /// Whether a text is a JSON object or list.
    fn is_json(&mut self, text: &str) -> bool {
        if !text.starts_with(['{', '[']) {
            return false;
        }
        if self.good.contains(text) {
            return true;
        }
        let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
        if is_json && text.len() <= REMEMBERED_BYTES {
            if self.good.len() >= TAGS_REMEMBERED {
                self.good.clear();
            }
            self.good.insert(text.into());
        }
        is_json
    }
}

/// Appends a text as JSON.
fn push_text(text: &str, json: &mut String) {
    json.push('"');
    if text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
        json.push_str(text);
    } else {
        for c in text.chars() {
            match c {
                '"' | '\\' => json.extend(['\\', c]),
                '\0'..='\x1f' => {
                    let _ = write!(json, "\\u{:04x}", u32::from(c));
                }
                _ => json.push(c),
            }
        }
    }
    json.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(header: &[&str], cells: &[&str], expected: &str) {
        let header: Vec<String> = header.iter().map(|name| (*name).to_owned()).collect();
        let details = Detail::of_header(&header);
        let record = ByteRecord::from(cells.to_vec());
        let mut writer = DetailWriter::default();
        for _ in 0..2 {
            let json =
                writer.write(&details, &Forms::default(), &record, |_, _| panic!("all cells are text"));
            assert_eq!(json, expected);
            assert!(json.is_empty() || serde_json::from_str::<serde_json::Value>(json).is_ok());
        }
    }

    #[test]
    fn filled_cells_of_columns_without_a_place_are_kept_under_their_names() {
        check(
            &["BilledCost", "x_Operation", "ListUnitPrice", "HostProviderName", "x_Empty"],
            &["1", " Run\n\"now\" ", "0.10", "AWS", ""],
            r#"{"x_Operation":"Run\u000a\"now\"","ListUnitPrice":"0.10","HostProviderName":"AWS"}"#,
        );
        check(&["BilledCost", "x_Empty"], &["1", "NULL"], "");
    }

    #[test]
    fn json_stays_json_and_what_only_looks_like_it_is_text() {
        check(
            &["SkuPriceDetails", "x_List", "x_Broken"],
            &[r#"{"CoreCount":4}"#, "[1, 2]", "{CoreCount"],
            r#"{"SkuPriceDetails":{"CoreCount":4},"x_List":[1, 2],"x_Broken":"{CoreCount"}"#,
        );
    }

    #[test]
    fn columns_of_one_name_or_none_are_told_apart() {
        check(
            &["Id", "Id", "", "Id (2)"],
            &["a", "b", "c", "d"],
            r#"{"Id":"a","Id (2)":"b","column 3":"c","Id (2) (2)":"d"}"#,
        );
    }
}
