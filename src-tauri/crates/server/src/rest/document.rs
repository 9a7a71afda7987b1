//! The OpenAPI document of the routes.

use super::operation::{Access, Content};
use super::query;
use super::route::{Area, Facts};
use super::schemas::Schemas;
use crate::error::Problem;
use axum::http::{Method, StatusCode};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// Names of the security schemes.
const BEARER: &str = "bearer";
const SESSION: &str = "session";

/// The introduction of the document.
const ABOUT: &str = "The REST API: sign-in, imports, backups, models, the assistant, webhooks, health. Rows are read and written with GraphQL at \
                     POST /api/graphql; its schema is in schema/generated. A program sends the bearer token that POST /api/auth/token returns.";

/// The OpenAPI 3.1 document, derived from the types of the handlers.
pub fn document(areas: &[Area]) -> Value {
    let mut schemas = Schemas::new();
    let mut requests = Map::new();
    let mut paths: Map<String, Value> = Map::new();
    for area in areas {
        for route in &area.routes {
            for (method, operation) in operations(area, &route.facts, &mut schemas, &mut requests) {
                let path = route.facts.path.replace("{*", "{");
                let item = paths.entry(path).or_insert_with(|| Value::Object(Map::new()));
                item[method] = operation;
            }
        }
    }
    let problem = schemas.answered.subschema_for::<Problem>();
    let mut requests = Value::Object(requests);
    let types = schemas.finish(&mut requests);
    for (place, body) in requests.as_object().into_iter().flatten() {
        let (path, method) = place.split_once(' ').unwrap_or_default();
        for (key, value) in body.as_object().into_iter().flatten() {
            paths[path][method][key] = value.clone();
        }
    }
    let tags: Vec<Value> =
        areas.iter().map(|area| json!({ "name": area.name, "description": area.about })).collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Quarterdeck REST API",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": types,
            "responses": {
                "Problem": {
                    "description": "The error: `error` is a code for programs, `message` a text for users",
                    "content": { "application/json": { "schema": problem } },
                },
            },
            "securitySchemes": {
                BEARER: { "type": "http", "scheme": "bearer" },
                SESSION: { "type": "apiKey", "in": "cookie", "name": "quarterdeck_8790" },
            },
        },
    })
}

/// The operations of a route, one for each method. Its parameters and body are added to `requests`, by path and method, because their types may be
/// renamed.
fn operations(
    area: &Area,
    facts: &Facts,
    schemas: &mut Schemas,
    requests: &mut Map<String, Value>,
) -> Vec<(&'static str, Value)> {
    let all = [Method::GET, Method::PUT, Method::POST, Method::DELETE, Method::PATCH];
    let own: Vec<Method> = facts.method.clone().map_or_else(|| all.to_vec(), |method| vec![method]);
    own.into_iter()
        .map(|method| {
            let name = name_of(&method);
            let mut operation = json!({
                "operationId": id_of(name, facts.path),
                "tags": [area.name],
                "summary": facts.summary,
                "security": security(facts.operation.access),
                "responses": responses(facts, schemas),
            });
            if let Some(who) = who(facts.operation.access) {
                operation["description"] = who.into();
            }
            let taken = taken(facts, &mut schemas.sent);
            requests.insert(format!("{} {name}", facts.path.replace("{*", "{")), taken);
            (name, operation)
        })
        .collect()
}

fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "get",
        Method::PUT => "put",
        Method::DELETE => "delete",
        Method::PATCH => "patch",
        _ => "post",
    }
}

/// The operation id, such as `get_imports_id_file`.
fn id_of(method: &str, path: &str) -> String {
    let words = path
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !matches!(*word, "" | "api"));
    std::iter::once(method).chain(words).collect::<Vec<_>>().join("_")
}

/// Parameters and body of an operation.
fn taken(facts: &Facts, generator: &mut SchemaGenerator) -> Value {
    let mut taken = Map::new();
    let mut parameters: Vec<Value> = facts
        .parameters()
        .zip(path_types(facts, generator))
        .map(|(name, schema)| json!({ "name": name, "in": "path", "required": true, "schema": schema }))
        .collect();
    if let Some(read) = facts.operation.query {
        parameters.extend(query::parameters(read, generator));
    }
    if !parameters.is_empty() {
        taken.insert("parameters".to_owned(), Value::Array(parameters));
    }
    if let Some(body) = facts.operation.body {
        taken.insert(
            "requestBody".to_owned(),
            json!({ "required": true, "content": content(body, generator) }),
        );
    }
    Value::Object(taken)
}

/// Schemas of the path parameters; strings where the handler does not parse them one by one.
fn path_types(facts: &Facts, generator: &mut SchemaGenerator) -> Vec<Value> {
    let read: Vec<Value> = facts
        .operation
        .path
        .iter()
        .flat_map(|part| {
            let schema = part(generator).to_value();
            match schema["prefixItems"].as_array() {
                Some(items) => items.clone(),
                None => vec![schema],
            }
        })
        .collect();
    let names = facts.parameters().count();
    if read.len() == names { read } else { vec![json!({ "type": "string" }); names] }
}

fn content(content: Content, generator: &mut SchemaGenerator) -> Value {
    match content {
        Content::Json(schema) => json!({ "application/json": { "schema": object(schema(generator)) } }),
        Content::JsonOrForm(schema) => {
            let schema = object(schema(generator));
            json!({ "application/json": { "schema": schema }, "application/x-www-form-urlencoded": { "schema": schema } })
        }
        Content::File(media_type) => json!({ media_type: { "schema": { "type": "string" } } }),
    }
}

/// A schema as an object: OpenAPI tools do not accept a boolean schema.
fn object(schema: Schema) -> Value {
    if schema.as_bool() == Some(true) { json!({}) } else { schema.to_value() }
}

/// The responses of an operation. Where they are not described, only the error responses.
fn responses(facts: &Facts, schemas: &mut Schemas) -> Value {
    let mut responses = Map::new();
    for answer in &facts.operation.answers {
        let mut response = Map::new();
        if let Some(held) = answer.content {
            if is_anything(held, &mut schemas.answered) {
                continue;
            }
            response.insert("content".to_owned(), content(held, &mut schemas.answered));
        }
        let reason = StatusCode::from_u16(answer.status).ok().and_then(|status| status.canonical_reason());
        response.insert("description".to_owned(), reason.unwrap_or("Done").into());
        let kept = responses.entry(answer.status.to_string()).or_insert_with(|| json!({ "content": {} }));
        // A status may have several media types.
        match (kept["content"].as_object_mut(), response.remove("content")) {
            (Some(kept), Some(Value::Object(more))) => kept.extend(more),
            _ => {
                if let Some(kept) = kept.as_object_mut() {
                    kept.remove("content");
                }
            }
        }
        if let (Some(kept), Some(words)) = (kept.as_object_mut(), response.remove("description")) {
            kept.insert("description".to_owned(), words);
        }
    }
    for status in refusals(facts) {
        responses.insert(status.to_string(), json!({ "$ref": "#/components/responses/Problem" }));
    }
    responses.insert("default".to_owned(), json!({ "$ref": "#/components/responses/Problem" }));
    Value::Object(responses)
}

/// Whether the content is JSON without a type, which describes nothing.
fn is_anything(content: Content, generator: &mut SchemaGenerator) -> bool {
    matches!(content, Content::Json(schema) if schema(generator).as_bool() == Some(true))
}

/// Error statuses that follow from the requirements of a route.
fn refusals(facts: &Facts) -> Vec<u16> {
    let operation = &facts.operation;
    let mut statuses = Vec::new();
    if matches!(operation.body, Some(Content::Json(_) | Content::JsonOrForm(_))) || operation.query.is_some()
    {
        statuses.push(400);
    }
    match operation.access {
        Access::Anyone => {}
        Access::SignedIn | Access::Secret(_) => statuses.push(401),
        _ => statuses.extend([401, 403]),
    }
    if facts.parameters().next().is_some() {
        statuses.push(404);
    }
    statuses
}

fn security(access: Access) -> Value {
    match access {
        Access::Anyone | Access::Secret(_) => json!([]),
        Access::Browser | Access::Window => json!([{ SESSION: [] }]),
        _ => json!([{ BEARER: [] }, { SESSION: [] }]),
    }
}

/// Who may call a route, as a sentence.
fn who(access: Access) -> Option<String> {
    let words = match access {
        Access::Anyone | Access::SignedIn => return None,
        Access::Secret(which) => return Some(format!("Requires {which}.")),
        Access::TenantAdmin => "Requires the role `tenant_admin`.",
        Access::Browser => "Requires a browser session; bearer tokens are refused.",
        Access::PlatformAdmin => "Requires an administrator of the instance (of the first tenant).",
        Access::LocalAdministrator => {
            "Requires the local administrator, on a service that only this computer reaches."
        }
        Access::Window => "Requires the window of the desktop program.",
    };
    Some(words.to_owned())
}
