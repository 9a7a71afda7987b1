//! Writes the types of operations as Rust: inputs and result objects.

use crate::names::{camel, identifier};
use crate::printer::{HEAD, documented, enum_name};
use catalogue::{Catalogue, Member, PlainType, TypeBase, TypeShape, TypeUse};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// One file per area, and the file that declares them.
pub fn files(catalogue: &Catalogue) -> BTreeMap<String, String> {
    let mut areas: BTreeMap<&str, (String, Vec<String>)> = BTreeMap::new();
    for plain in &catalogue.types {
        let (text, names) = areas.entry(&plain.area).or_default();
        if let Some(shape) = shape(catalogue, plain) {
            text.push_str(&shape);
            names.push(camel(&plain.name));
        }
    }
    let mut files = BTreeMap::new();
    let mut index =
        format!("//! What operations are asked and what they answer, of `schema/operations/`.\n\n{HEAD}");
    let names: Vec<&String> = areas.values().flat_map(|(_, names)| names).collect();
    let distinct: BTreeSet<&&String> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "two types of operations have the same name in Rust");
    for (area, (text, names)) in &areas {
        if names.is_empty() {
            continue;
        }
        let head = "#[allow(unused_imports, reason = \"not every area holds every type\")]\nuse super::prelude::*;\n";
        let file = format!("//! Types of `schema/operations/{area}.graphql`.\n\n{HEAD}{head}{text}");
        files.insert(format!("generated/operations/{area}.rs"), file);
        let _ = writeln!(index, "mod {area};");
    }
    for (area, (_, names)) in areas.iter().filter(|(_, (_, names))| !names.is_empty()) {
        let _ = writeln!(index, "pub use {area}::{{{}}};", names.join(", "));
    }
    index.push_str(
        "\n/// What members hold.\nmod prelude {\n    pub use super::*;\n    pub use crate::generated::lookups::*;\n    \
         pub use crate::number::Number;\n    pub use serde::{Deserialize, Serialize};\n    pub use uuid::Uuid;\n}\n",
    );
    files.insert("generated/operations.rs".to_owned(), index);
    files
}

fn shape(catalogue: &Catalogue, plain: &PlainType) -> Option<String> {
    let (members, derive) = match &plain.shape {
        TypeShape::Object(members) => (members, "Serialize"),
        TypeShape::Input(members) => (members, "Deserialize"),
        TypeShape::Scalar => return None,
    };
    let is_optional = members.iter().all(|member| member.kind.nullable);
    let default = if is_optional { ", Default" } else { "" };
    let mut text = format!(
        "\n{}#[allow(non_snake_case, reason = \"members are called as the interface calls them\")]\n\
         #[derive(Debug{default}, {derive})]\npub struct {} {{\n",
        documented("", &plain.description),
        camel(&plain.name)
    );
    for member in members {
        let r#type = type_of(catalogue, plain, member);
        let about = documented("    ", &member.description);
        let _ = writeln!(text, "{about}    pub {}: {type},", identifier(&member.name));
    }
    text.push_str("}\n");
    Some(text)
}

fn type_of(catalogue: &Catalogue, of: &PlainType, member: &Member) -> String {
    let is_circle = reaches(catalogue, &member.kind, &of.name, &mut BTreeSet::new());
    let is_answer = matches!(of.shape, TypeShape::Object(_));
    used(catalogue, &member.kind, is_circle, is_answer)
}

fn used(catalogue: &Catalogue, kind: &TypeUse, boxed: bool, is_answer: bool) -> String {
    let plain = match &kind.base {
        TypeBase::List(item) => {
            // Lists in requests may contain nulls if the interface allows it; lists in our responses never do.
            let item = TypeUse { nullable: item.nullable && !is_answer, base: item.base.clone() };
            format!("Vec<{}>", used(catalogue, &item, false, is_answer))
        }
        TypeBase::Named(name) if boxed => format!("Box<{}>", named(catalogue, name)),
        TypeBase::Named(name) => named(catalogue, name),
    };
    if kind.nullable { format!("Option<{plain}>") } else { plain }
}

fn named(catalogue: &Catalogue, name: &str) -> String {
    match name {
        "uuid" => "Uuid".to_owned(),
        "Boolean" => "bool".to_owned(),
        "Int" | "bigint" => "i64".to_owned(),
        "float8" | "Float" | "numeric" => "Number".to_owned(),
        "json" | "Json" | "jsonb" => "serde_json::Value".to_owned(),
        _ if catalogue::scalar(name).is_some() => "String".to_owned(),
        _ => match catalogue.find_type(name).map(|plain| &plain.shape) {
            Some(TypeShape::Scalar) => "serde_json::Value".to_owned(),
            Some(_) => camel(name),
            None => enum_of(catalogue, name),
        },
    }
}

/// The Rust enum of this name: a lookup's, or one without a table.
fn enum_of(catalogue: &Catalogue, name: &str) -> String {
    let lookup = catalogue.tables.iter().find(|table| {
        matches!(&table.kind, catalogue::TableKind::Lookup { enum_name: Some(found), .. } if found == name)
    });
    lookup.map_or_else(|| enum_name(name), |table| camel(&table.name))
}

/// Whether a value of this type contains one of type `of` without a list in between.
fn reaches<'c>(catalogue: &'c Catalogue, kind: &'c TypeUse, of: &str, seen: &mut BTreeSet<&'c str>) -> bool {
    let TypeBase::Named(name) = &kind.base else { return false };
    if name == of {
        return true;
    }
    if !seen.insert(name) {
        return false;
    }
    match catalogue.find_type(name).map(|plain| &plain.shape) {
        Some(TypeShape::Object(members) | TypeShape::Input(members)) => {
            members.iter().any(|member| reaches(catalogue, &member.kind, of, seen))
        }
        _ => false,
    }
}
