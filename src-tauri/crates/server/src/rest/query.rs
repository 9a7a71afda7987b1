//! Query parameters, taken from the properties of the type that parses them.

use super::operation::SchemaOf;
use schemars::SchemaGenerator;
use serde_json::{Value, json};

/// The parameters in the format of OpenAPI.
pub fn parameters(query: SchemaOf, generator: &mut SchemaGenerator) -> Vec<Value> {
    let schema = query(generator).to_value();
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties
        .map(|(name, property)| {
            let mut property = property.clone();
            let about = property.as_object_mut().and_then(|property| property.remove("description"));
            let mut parameter = json!({
                "name": name,
                "in": "query",
                "required": required.contains(&name.as_str()),
                "schema": property,
            });
            if let Some(about) = about {
                parameter["description"] = about;
            }
            parameter
        })
        .collect()
}
