//! Iterates over the entries of an API response: at the top level of the file, or in a list under a key of its only object.

use crate::read_error::ReadError;
use crate::record::{Finding, Record};
use crate::shape::{Json, Kind};
use crate::sink::{Place, Sink};
use serde_json::{Map, Value};
use std::io::Read;

/// Converts one entry to records; `Err` is the reason it is left out. The first argument is the key of the list, empty at the top level.
pub type Taker<'t> = dyn FnMut(&str, &Value) -> Result<Vec<Record>, &'static str> + 't;

/// Calls `take` for each entry of the lists under `keys`, each entry of a top-level list, and each object of a file that has none of
/// these keys. Other keys of an object with lists are skipped.
pub fn read(
    read: &mut dyn Read,
    keys: &[&str],
    sink: &mut dyn Sink,
    take: &mut Taker<'_>,
) -> Result<(), ReadError> {
    let mut json = Json::new(read);
    while json.next_document()? {
        if json.kind()? == Kind::List {
            json.list(&mut |json, _| entry(json, "", sink, take))?;
            continue;
        }
        let place = json.place();
        let mut single = Map::new();
        let mut has_list = false;
        json.object(&mut |json, key| {
            if keys.contains(&key) {
                has_list = true;
                let key = key.to_owned();
                return json.list(&mut |json, _| entry(json, &key, sink, take)).map(drop);
            }
            if let Ok(value) = json.element()? {
                single.insert(key.to_owned(), value);
            }
            Ok(())
        })?;
        if !has_list {
            hand_on(&place, "", &Value::Object(single), sink, take)?;
        }
    }
    Ok(())
}

fn entry(json: &mut Json<'_>, key: &str, sink: &mut dyn Sink, take: &mut Taker<'_>) -> Result<(), ReadError> {
    let place = json.place();
    match json.element()? {
        Ok(value) => hand_on(&place, key, &value, sink, take),
        Err(flaw) => sink.left_out(&place, flaw.reason(), ""),
    }
}

fn hand_on(
    place: &Place,
    key: &str,
    value: &Value,
    sink: &mut dyn Sink,
    take: &mut Taker<'_>,
) -> Result<(), ReadError> {
    match take(key, value) {
        Ok(records) => records.into_iter().try_for_each(|record| sink.record(place, record)),
        Err(reason) => sink.left_out(place, reason, ""),
    }
}

/// Wraps a finding as the only record of an entry.
pub fn one(finding: Finding) -> Vec<Record> {
    vec![Record::Finding(Box::new(finding))]
}
