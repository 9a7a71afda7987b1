//! Schemas of types, separately for requests (deserialisation) and responses (serialisation).

use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The path of the schemas in the OpenAPI document.
const PLACE: &str = "/components/schemas";
/// Suffix for the name of a type whose request schema differs from its response schema.
const SENT: &str = "Sent";

/// The schemas of requests and of responses. A type with the same schema in both appears once in the result.
pub struct Schemas {
    pub sent: SchemaGenerator,
    pub answered: SchemaGenerator,
}

impl Schemas {
    pub fn new() -> Self {
        let mut settings = SchemaSettings::draft2020_12();
        settings.definitions_path = PLACE.into();
        settings.meta_schema = None;
        Self {
            sent: settings.clone().for_deserialize().into_generator(),
            answered: settings.for_serialize().into_generator(),
        }
    }

    /// All schemas by name. A type whose request schema differs from its response schema is renamed for requests, and the references in `requests`
    /// are updated.
    pub fn finish(mut self, requests: &mut Value) -> Map<String, Value> {
        let mut all = self.answered.take_definitions(true);
        let mut sent = self.sent.take_definitions(true);
        let renamed = differing(&all, &sent);
        rename(requests, &renamed);
        for schema in sent.values_mut() {
            rename(schema, &renamed);
        }
        for (name, schema) in sent {
            let name = if renamed.contains(&name) { format!("{name}{SENT}") } else { name };
            all.insert(name, schema);
        }
        all
    }
}

/// Names in both maps whose schemas differ, or that refer to such a type.
fn differing(answered: &Map<String, Value>, sent: &Map<String, Value>) -> BTreeSet<String> {
    let both = |(name, schema): (&String, &Value)| answered.get(name).map(|other| other != schema);
    let mut found: BTreeSet<String> =
        sent.iter().filter(|entry| both(*entry) == Some(true)).map(|(name, _)| name.clone()).collect();
    loop {
        let refers = |schema: &Value| {
            let mut is_one = false;
            each_reference(&mut schema.clone(), &mut |name| is_one |= found.contains(name.as_str()));
            is_one
        };
        let more: Vec<String> = sent
            .iter()
            .filter(|(name, schema)| answered.contains_key(*name) && !found.contains(*name) && refers(schema))
            .map(|(name, _)| name.clone())
            .collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

fn rename(schema: &mut Value, renamed: &BTreeSet<String>) {
    each_reference(schema, &mut |name| {
        if renamed.contains(name.as_str()) {
            name.push_str(SENT);
        }
    });
}

/// Calls `act` with the name of every referenced type. `act` may change the name.
fn each_reference(value: &mut Value, act: &mut impl FnMut(&mut String)) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::String(text) if key == "$ref" => {
                        if let Some(name) = text.strip_prefix('#').and_then(|text| text.strip_prefix(PLACE)) {
                            let mut name = name.trim_start_matches('/').to_owned();
                            act(&mut name);
                            *text = format!("#{PLACE}/{name}");
                        }
                    }
                    member => each_reference(member, act),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_reference(item, act)),
        _ => {}
    }
}
