//! Iterates over the entries of an API response: at the top level of the file, or in a list under a key of its only object.

use crate::read_error::ReadError;
use crate::record::{Finding, Record};
use crate::shape::{Json, Kind};
use crate::sink::{Position, Sink};
use serde_json::{Map, Value};
use std::io::Read;

/// A part of an entry: its path below the entry, empty for the whole entry, and its record or the reason it is left out.
pub type Part = (String, Result<Record, &'static str>);

/// Converts one entry to its parts; `Err` is the reason the whole entry is left out. The first argument is the key of the list, empty at
/// the top level.
pub type EntryConverter<'t> = dyn FnMut(&str, &Value) -> Result<Vec<Part>, &'static str> + 't;

/// Calls `convert` for each entry of the lists under `keys`, each entry of a top-level list, and each object of a file that has none of
/// these keys. Other keys of an object with lists are skipped.
pub fn read(
    read: &mut dyn Read,
    keys: &[&str],
    sink: &mut dyn Sink,
    convert: &mut EntryConverter<'_>,
) -> Result<(), ReadError> {
    let mut json = Json::new(read);
    while json.next_document()? {
        if json.kind()? == Kind::List {
            json.list(&mut |json, _| entry(json, "", sink, convert))?;
            continue;
        }
        let place = json.position();
        let mut single = Map::new();
        let mut flawed = Vec::new();
        let mut has_list = false;
        json.object(&mut |json, key| {
            if keys.contains(&key) {
                has_list = true;
                let key = key.to_owned();
                return json.list(&mut |json, _| entry(json, &key, sink, convert)).map(drop);
            }
            let member = json.position();
            match json.element()? {
                Ok(value) => drop(single.insert(key.to_owned(), value)),
                Err(flaw) => flawed.push((member, flaw.reason())),
            }
            Ok(())
        })?;
        if !has_list {
            for (member, reason) in flawed {
                sink.skip(&member, reason, "")?;
            }
            convert_entry(&place, "", &Value::Object(single), sink, convert)?;
        }
    }
    Ok(())
}

fn entry(
    json: &mut Json<'_>,
    key: &str,
    sink: &mut dyn Sink,
    convert: &mut EntryConverter<'_>,
) -> Result<(), ReadError> {
    let place = json.position();
    match json.element()? {
        Ok(value) => convert_entry(&place, key, &value, sink, convert),
        Err(flaw) => sink.skip(&place, flaw.reason(), ""),
    }
}

fn convert_entry(
    place: &Position,
    key: &str,
    value: &Value,
    sink: &mut dyn Sink,
    convert: &mut EntryConverter<'_>,
) -> Result<(), ReadError> {
    let parts = match convert(key, value) {
        Ok(parts) => parts,
        Err(reason) => return sink.skip(place, reason, ""),
    };
    for (path, part) in parts {
        let place = Position(format!("{}{path}", place.0));
        match part {
            Ok(record) => sink.record(&place, record)?,
            Err(reason) => sink.skip(&place, reason, "")?,
        }
    }
    Ok(())
}

/// Wraps a finding as the only part of an entry.
pub fn one(finding: Finding) -> Vec<Part> {
    vec![(String::new(), Ok(Record::Finding(Box::new(finding))))]
}
