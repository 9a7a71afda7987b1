//! Reads `schema/` and `tests/cases/` from disk for the tests; the crate itself uses no disk.

#![allow(dead_code, reason = "not every test reads all of it")]

use std::path::{Path, PathBuf};

use async_graphql_parser::parse_query;
use async_graphql_parser::types::{OperationType, Selection};
use catalogue::{Catalogue, Source};

/// The `schema/` folder of the repository.
pub fn schema_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schema")
}

/// The product's catalogue. Panics with all errors, by file and line, if it is invalid.
#[track_caller]
pub fn catalogue() -> Catalogue {
    let files = files();
    let sources = files.iter().map(|(name, text)| Source { name, text }).collect::<Vec<_>>();
    match Catalogue::parse(&sources) {
        Ok(catalogue) => catalogue,
        Err(error) => panic!("schema/: {error}"),
    }
}

fn files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for folder in ["tables", "operations", "views"] {
        let entries = std::fs::read_dir(schema_dir().join(folder)).unwrap();
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
            files.push((name, std::fs::read_to_string(path).unwrap()));
        }
    }
    files
}

/// One folder of `tests/cases/`.
pub struct Case {
    /// `area/case`
    pub name: String,
    pub query: String,
    pub answer: String,
    /// The root fields in its query.
    pub asked: Vec<Asked>,
}

/// One use of a root field in a case.
pub struct Asked {
    pub field: String,
    pub is_mutation: bool,
    pub arguments: Vec<String>,
    /// Whether the field succeeded; `false` as well if the result itself contains a list of errors.
    pub is_answered: bool,
}

impl Case {
    /// The use of the root field, if the query contains it.
    pub fn find(&self, field: &str) -> Option<&Asked> {
        self.asked.iter().find(|asked| asked.field == field)
    }
}

/// All folders of `tests/cases/` whose query can be read.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let folders = |path: &Path| {
        let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        let mut found: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
        found.sort();
        found
    };
    let root = schema_dir().join("../tests/cases");
    for case in folders(&root).iter().flat_map(|area| folders(area)) {
        let read = |name: &str| std::fs::read_to_string(case.join(name));
        if let (Ok(query), Ok(answer)) = (read("query.graphql"), read("expect.json")) {
            let name = case.strip_prefix(&root).unwrap().display().to_string();
            let asked = asked(&query, &serde_json::from_str(&answer).unwrap());
            cases.push(Case { name, query, answer, asked });
        }
    }
    cases
}

fn asked(query: &str, answer: &serde_json::Value) -> Vec<Asked> {
    // A query with a syntax error uses no root field.
    let Ok(document) = parse_query(query) else { return Vec::new() };
    let mut found = Vec::new();
    for (_, operation) in document.operations.iter() {
        for selection in &operation.node.selection_set.node.items {
            let Selection::Field(field) = &selection.node else { continue };
            let key = field.node.response_key().node.as_str();
            let refusals = answer["data"][key]["errors"].as_array().is_some_and(|errors| !errors.is_empty());
            found.push(Asked {
                field: field.node.name.node.to_string(),
                is_mutation: operation.node.ty == OperationType::Mutation,
                arguments: field.node.arguments.iter().map(|(name, _)| name.node.to_string()).collect(),
                is_answered: answer.get("errors").is_none() && !refusals,
            });
        }
    }
    found
}
