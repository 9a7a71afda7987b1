//! Reads tags and cost categories: one column each in legacy reports, one JSON column in CUR 2.0.

use super::super::charge::Charge;
use super::super::header::{Header, Keys};
use crate::cells::filled;
use crate::formats::focus::Column;
use csv::ByteRecord;
use serde_json::{Map, Value};

/// The prefix that distinguishes keys of cost categories from those of tags.
const CATEGORY: &str = "costCategory/";

/// The columns with tags and cost categories.
#[derive(Debug)]
pub struct TagColumns {
    /// Column index and key.
    single: Vec<(usize, String)>,
    /// Index of a JSON column and the prefix of its keys.
    json: Vec<(usize, &'static str)>,
}

impl TagColumns {
    pub fn find(header: &Header, keys: &Keys) -> Self {
        let mut single = Vec::new();
        let mut json = Vec::new();
        for (place, key) in keys.iter() {
            let name = header.name(place);
            if key == "resource_tags" {
                json.push((place, ""));
            } else if key == "cost_category" {
                json.push((place, CATEGORY));
            } else if let Some(tag) = name.strip_prefix("resourceTags/") {
                single.push((place, tag_key(tag)));
            } else if let Some(tag) = key.strip_prefix("resource_tags_") {
                single.push((place, tag_key(tag)));
            } else if let Some(category) = name.strip_prefix(CATEGORY) {
                single.push((place, format!("{CATEGORY}{category}")));
            } else if let Some(category) = key.strip_prefix("cost_category_") {
                single.push((place, format!("{CATEGORY}{category}")));
            }
        }
        Self { single, json }
    }

    /// The indices of the columns.
    pub fn places(&self) -> impl Iterator<Item = usize> {
        let json = self.json.iter().map(|(place, _)| *place);
        self.single.iter().map(|(place, _)| *place).chain(json)
    }

    /// Writes the tags of a row as one JSON object.
    pub fn write(&self, record: &ByteRecord, charge: &mut Charge) {
        let mut tags = Map::new();
        for (place, key) in &self.single {
            if let Some(cell) = record.get(*place).and_then(filled) {
                tags.insert(key.clone(), String::from_utf8_lossy(cell).into_owned().into());
            }
        }
        for (place, prefix) in &self.json {
            let Some(cell) = record.get(*place).and_then(filled) else { continue };
            match serde_json::from_slice(cell) {
                Ok(Value::Object(object)) => {
                    for (key, value) in object.into_iter().filter(|(_, value)| !is_empty(value)) {
                        tags.insert(format!("{prefix}{}", tag_key(&key)), value);
                    }
                }
                // A cell that is not an object is passed on alone, and the tag parser remarks on it.
                _ if tags.is_empty() && self.json.len() == 1 => return charge.set(Column::Tags, cell),
                _ => {}
            }
        }
        if !tags.is_empty() {
            charge.set(Column::Tags, Value::Object(tags).to_string().as_bytes());
        }
    }
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}

/// The key without the prefix `user:` or `user_` that reports add to user-defined tags. Tags created by AWS retain `aws:`.
fn tag_key(key: &str) -> String {
    if let Some(key) = key.strip_prefix("user:").or_else(|| key.strip_prefix("user_")) {
        return key.to_owned();
    }
    match key.strip_prefix("aws_") {
        Some(key) => format!("aws:{key}"),
        None => key.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_that_people_gave() {
        assert_eq!(tag_key("user:Env"), "Env");
        assert_eq!(tag_key("user_env"), "env");
        assert_eq!(tag_key("aws_created_by"), "aws:created_by");
        assert_eq!(tag_key("aws:createdBy"), "aws:createdBy");
    }
}
