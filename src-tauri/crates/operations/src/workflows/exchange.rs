//! Exports workflows as YAML, checks YAML documents, and imports them.

use super::needs::DefinitionNeeds;
use super::stored::{named, needed};
use super::write::{check_all, insert, write_over};
use crate::kit::{Arguments, account, text, uuid};
use automation::yaml;
use graphql::{Call, Refusal};
use llm::Providers;
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

/// The members of a document that describe the workflow besides its definition.
const OUTER: [&str; 3] = ["name", "tags", "status"];

#[derive(Serialize)]
pub(super) struct Export {
    name: String,
    yaml: String,
}

#[derive(Serialize)]
pub(super) struct Reading {
    definition: Option<Value>,
    is_sound: bool,
    mistakes: Vec<String>,
    warnings: Vec<String>,
    name: Option<String>,
}

/// Handles `workflow_export`.
pub(super) fn export(call: &Call<'_>) -> Result<Export, Refusal> {
    let row = needed(call, Arguments(call.arguments).object("request"), "id")?;
    let mut document = Map::new();
    document.insert("name".to_owned(), row["name"].clone());
    document.insert("status".to_owned(), row["status"].clone());
    let has_tags = row["tags"].as_object().is_some_and(|tags| !tags.is_empty())
        || row["tags"].as_array().is_some_and(|tags| !tags.is_empty());
    if has_tags {
        document.insert("tags".to_owned(), row["tags"].clone());
    }
    document.insert("definition".to_owned(), row["definition"].clone());
    Ok(Export { name: text(&row, "name").to_owned(), yaml: yaml::write(&Value::Object(document)) })
}

/// A parsed document: either `{name, definition}` or only a definition.
struct Document {
    name: Option<String>,
    definition: Value,
    tags: Option<Value>,
}

impl Document {
    fn read(yaml: &str) -> Result<Self, String> {
        let Value::Object(mut document) = yaml::read(yaml).map_err(|error| error.to_string())? else {
            return Err("line 1: expected a workflow: a map with name and definition".to_owned());
        };
        let name = document.get("name").and_then(Value::as_str).map(str::to_owned);
        let tags = document.get("tags").cloned().filter(|tags| !tags.is_null());
        let definition = if let Some(definition) = document.remove("definition") {
            definition
        } else {
            document.retain(|key, _| !OUTER.contains(&key.as_str()));
            Value::Object(document)
        };
        if !definition.is_object() {
            return Err("definition: expected a map with triggers and tasks".to_owned());
        }
        Ok(Self { name, definition, tags })
    }
}

/// Handles `workflow_read_yaml`.
pub(super) fn read_yaml(call: &Call<'_>, providers: &Providers) -> Result<Reading, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let account = account(call, request.needed_id("account_id")?)?;
    Ok(match Document::read(request.text("yaml").unwrap_or_default()) {
        Err(mistake) => Reading {
            definition: None,
            is_sound: false,
            mistakes: vec![mistake],
            warnings: Vec::new(),
            name: None,
        },
        Ok(document) => {
            let found =
                check_all(call, &DefinitionNeeds::of(call, account, providers), &document.definition)?;
            Reading {
                definition: Some(document.definition),
                is_sound: found.mistakes.is_empty(),
                mistakes: found.mistakes,
                warnings: found.warnings,
                name: document.name,
            }
        }
    })
}

#[derive(Serialize)]
pub(super) struct Import {
    id: Uuid,
    message: String,
    name: String,
    token: Option<String>,
}

/// Handles `workflow_import`.
pub(super) fn import(call: &Call<'_>) -> Result<Import, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let account = account(call, request.needed_id("account_id")?)?;
    let document = Document::read(request.needed("yaml")?).map_err(Refusal::invalid)?;
    let over = match request.id("id")? {
        Some(_) => Some(needed(call, request, "id")?),
        None => None,
    };
    let before = over.as_ref().map(|row| text(row, "name").to_owned());
    let name = request.text("name").map(str::to_owned).or(document.name).or(before);
    let mut workflow = Map::new();
    workflow.insert("name".to_owned(), name.map_or(Value::Null, Value::String));
    workflow.insert("definition".to_owned(), document.definition);
    workflow.extend(document.tags.map(|tags| ("tags".to_owned(), tags)));
    let given = Arguments(&workflow);
    let name = given.needed("name")?.trim().to_owned();
    match over {
        None => {
            let (id, token) = insert(call, account, given)?;
            Ok(Import { id, message: format!("workflow \"{name}\" is there, PAUSED"), name, token })
        }
        Some(row) => {
            let token = write_over(call, &row, account, given)?;
            let message = format!("{} was written over", named(&row));
            Ok(Import { id: uuid(&row, "id").unwrap_or_default(), message, name, token })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Document;
    use serde_json::json;

    #[test]
    fn a_document_is_a_workflow_or_a_definition_alone() {
        let whole = Document::read("name: Nightly\ndefinition:\n  version: v1\n  layout: {x: 1}\n").unwrap();
        assert_eq!(whole.name.as_deref(), Some("Nightly"));
        assert_eq!(whole.definition, json!({ "version": "v1", "layout": { "x": 1 } }));
        let alone = Document::read("name: Nightly\ntasks: []\nlayout: {x: 1}\n").unwrap();
        assert_eq!(alone.definition, json!({ "tasks": [], "layout": { "x": 1 } }));
        assert!(Document::read("- a").is_err_and(|mistake| mistake.starts_with("line 1:")));
        assert!(Document::read("a: [").is_err());
    }
}
