//! Reads lists and single objects in JSON and YAML, object by object.

use super::dump::Dump;
use super::json_path::{str_at, str_at as text_of, value_at};
use super::kind::kind_of;
use crate::read_error::ReadError;
use crate::shape::yaml::{self, Piece};
use crate::shape::{Json, Kind};
use crate::sink::{Position, Sink};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of objects buffered until the kind of their list is known, which may follow them.
const WAITING: usize = 20_000;

/// The kinds in a list, and the namespaces of each.
#[derive(Default)]
struct ListContents {
    kinds: BTreeMap<String, BTreeSet<Option<String>>>,
}

impl ListContents {
    fn add(&mut self, object: &Value, list_kind: Option<&str>) {
        if let Some(kind) = kind_of(object, list_kind) {
            let namespace = str_at(object, &["metadata", "namespace"]).map(str::to_owned);
            self.kinds.entry(kind).or_default().insert(namespace);
        }
    }

    /// A list of one namespace is complete for that namespace only. kubectl lists either one namespace or all, for all kinds alike.
    fn mark_complete(self, dump: &mut Dump) {
        let namespaces: BTreeSet<&String> = self.kinds.values().flatten().flatten().collect();
        let is_of_all = namespaces.len() > 1;
        for (kind, namespaces) in self.kinds {
            let mut namespaces = namespaces.into_iter();
            match (namespaces.next(), namespaces.next()) {
                (Some(only), None) if !is_of_all => dump.mark_complete(&kind, only.as_deref()),
                _ => dump.mark_complete(&kind, None),
            }
        }
    }
}

/// Reads the documents of a file into a dump. `prefix` precedes every position, such as the name of an archive member; `kind` is the kind
/// of objects in a list that does not state it.
pub fn read(
    json: &mut Json<'_>,
    prefix: &str,
    kind: Option<&str>,
    dump: &mut Dump,
    sink: &mut dyn Sink,
) -> Result<(), ReadError> {
    while json.next_document()? {
        match json.kind()? {
            Kind::Object => object_or_list(json, prefix, dump, sink)?,
            Kind::List => {
                let mut listed = ListContents::default();
                json.list(&mut |json, _| match element(json, prefix, kind, &mut listed, dump, sink)? {
                    Some((place, _)) => sink.skip(&place, "unknown kind", ""),
                    None => Ok(()),
                })?;
            }
            _ => {
                let place = within(prefix, json.position());
                json.skip()?;
                sink.skip(&place, "not a Kubernetes object", "")?;
            }
        }
    }
    Ok(())
}

/// Reads YAML documents into a dump. `is_whole`: a list without a continuation token is complete.
pub fn read_yaml(
    text: &str,
    prefix: &str,
    is_whole: bool,
    dump: &mut Dump,
    sink: &mut dyn Sink,
) -> Result<(), ReadError> {
    let mut listed = ListContents::default();
    yaml::pieces(text, &mut |piece| match piece {
        Piece::Item(index, object) => {
            listed.add(&object, None);
            dump.object(within(prefix, Position(format!("$.items[{index}]"))), &object, None, sink)
        }
        Piece::Document(rest, true) => {
            let listed = std::mem::take(&mut listed);
            if is_whole && text_of(&rest, &["metadata", "continue"]).is_none() {
                listed.mark_complete(dump);
            }
            Ok(())
        }
        Piece::Document(object, false) if object.as_object().is_none_or(Map::is_empty) => Ok(()),
        Piece::Document(object, false) => {
            dump.object(within(prefix, Position("$".to_owned())), &object, None, sink)
        }
    })
}

fn object_or_list(
    json: &mut Json<'_>,
    prefix: &str,
    dump: &mut Dump,
    sink: &mut dyn Sink,
) -> Result<(), ReadError> {
    let top = json.position();
    let mut rest = Map::new();
    let mut waiting: Vec<(Position, Value)> = Vec::new();
    let mut listed = ListContents::default();
    let mut is_list = false;
    let mut flaw = None;
    json.object(&mut |json, key| {
        if key == "items" && json.kind()? == Kind::List {
            is_list = true;
            let list_kind = rest.get("kind").and_then(Value::as_str).map(str::to_owned);
            json.list(&mut |json, _| {
                let kind = list_kind.as_deref();
                if let Some(unknown) = element(json, prefix, kind, &mut listed, dump, sink)? {
                    if waiting.len() < WAITING {
                        waiting.push(unknown);
                    } else {
                        sink.skip(&unknown.0, "unknown kind", "")?;
                    }
                }
                Ok(())
            })?;
            return Ok(());
        }
        let place = json.position();
        match json.element()? {
            Ok(value) => {
                rest.insert(key.to_owned(), value);
            }
            Err(found) => flaw = Some((place, found)),
        }
        Ok(())
    })?;
    // `"items": null` is an empty list.
    is_list |= rest.get("items").is_some_and(Value::is_null);
    if let Some((place, flaw)) = flaw {
        return sink.skip(&within(prefix, place), flaw.reason(), "");
    }
    let rest = Value::Object(rest);
    if !is_list {
        return dump.object(within(prefix, top), &rest, None, sink);
    }
    let list_kind = str_at(&rest, &["kind"]);
    for (place, object) in waiting {
        listed.add(&object, list_kind);
        dump.object(place, &object, list_kind, sink)?;
    }
    if str_at(&rest, &["metadata", "continue"]).is_none() {
        listed.mark_complete(dump);
    }
    Ok(())
}

/// Reads one element of a list; returns it when its kind is not known yet.
fn element(
    json: &mut Json<'_>,
    prefix: &str,
    list_kind: Option<&str>,
    listed: &mut ListContents,
    dump: &mut Dump,
    sink: &mut dyn Sink,
) -> Result<Option<(Position, Value)>, ReadError> {
    let place = within(prefix, json.position());
    let object = match json.element()? {
        Ok(object) => object,
        Err(flaw) => return sink.skip(&place, flaw.reason(), "").map(|()| None),
    };
    // A list inside a list, as old versions of `kubectl get pods,nodes` write it.
    if let Some(items) = value_at(&object, &["items"]).as_array() {
        let kind = str_at(&object, &["kind"]);
        for (index, item) in items.iter().enumerate() {
            listed.add(item, kind);
            dump.object(Position(format!("{}.items[{index}]", place.0)), item, kind, sink)?;
        }
        return Ok(None);
    }
    if kind_of(&object, list_kind).is_none() && value_at(&object, &["metadata"]).is_object() {
        return Ok(Some((place, object)));
    }
    listed.add(&object, list_kind);
    dump.object(place, &object, list_kind, sink)?;
    Ok(None)
}

fn within(prefix: &str, place: Position) -> Position {
    if prefix.is_empty() { place } else { Position(format!("{prefix} {}", place.0)) }
}
