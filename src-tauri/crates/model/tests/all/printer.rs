//! Writes the catalogue as Rust: one file per area, and a file that declares them.

use crate::names::{camel, identifier, row_name};
use catalogue::{Catalogue, Column, LookupValue, RelationshipKind, Scalar, Table, TableKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

pub const HEAD: &str =
    "// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.\n\n";

/// All generated files: name and text.
pub fn files(catalogue: &Catalogue) -> BTreeMap<String, String> {
    let mut bodies: BTreeMap<&str, Body> = BTreeMap::new();
    for table in &catalogue.tables {
        let body = bodies.entry(&table.area).or_default();
        match &table.kind {
            TableKind::Lookup { values, .. } => {
                body.lookup(&camel(&table.name), &table.description, values);
                body.table(catalogue, table, &format!("{}Row", camel(&table.name)));
            }
            TableKind::View { parameters, .. } if !parameters.is_empty() => {}
            TableKind::Table | TableKind::View { .. } => {
                body.table(catalogue, table, &row_name(&table.name));
            }
        }
    }
    for plain in &catalogue.enums {
        bodies.entry(&plain.area).or_default().lookup(
            &enum_name(&plain.name),
            &plain.description,
            &plain.values,
        );
    }
    let mut files: BTreeMap<String, String> =
        bodies.iter().map(|(area, body)| (format!("generated/{area}.rs"), body.file(area))).collect();
    files.insert("generated.rs".to_owned(), index(&bodies));
    files.extend(crate::shapes::files(catalogue));
    files
}

#[derive(Default)]
struct Body {
    text: String,
    rows: Vec<String>,
    tables: Vec<String>,
    lookups: Vec<String>,
}

impl Body {
    fn file(&self, area: &str) -> String {
        let lookups = if self.lookups.is_empty() { "" } else { "use crate::lookup::lookup;\n" };
        let tables = if self.rows.is_empty() { "" } else { "use crate::table::table;\n" };
        let scalars = if self.rows.is_empty() {
            ""
        } else {
            "#[allow(unused_imports, reason = \"not every area holds every type\")]\nuse super::prelude::*;\n"
        };
        format!(
            "//! Tables and lookups of `schema/tables/{area}.graphql`.\n\n{HEAD}{scalars}{lookups}{tables}{}",
            self.text
        )
    }

    fn lookup(&mut self, name: &str, about: &str, values: &[LookupValue]) {
        let _ = write!(self.text, "\nlookup! {{\n{}    {name} {{\n", documented("    ", about));
        let mut known = BTreeSet::new();
        for value in values {
            let variant = camel(&value.value);
            assert!(known.insert(variant.clone()), "{name} has two values that are {variant}");
            let about = documented("        ", &value.description);
            let _ = writeln!(self.text, "{about}        {variant} = {:?},", value.value);
        }
        self.text.push_str("    }\n}\n");
        self.lookups.push(name.to_owned());
    }

    fn table(&mut self, catalogue: &Catalogue, table: &Table, row: &str) {
        let key = match table.primary_key[..] {
            [key] => format!(" by {}", identifier(&table.column(key).name)),
            _ => String::new(),
        };
        let name = identifier(&table.name);
        let _ = write!(
            self.text,
            "\ntable! {{\n{}    {row} in {name}{key} {{\n",
            documented("    ", &table.description)
        );
        for column in &table.columns {
            let about = documented("        ", &column.description);
            let r#type = type_of(catalogue, table, row, column);
            let _ = writeln!(self.text, "{about}        {}: {type},", identifier(&column.name));
        }
        self.text.push_str("    }\n}\n");
        self.rows.push(row.to_owned());
        self.tables.push(name);
    }
}

pub fn documented(indent: &str, text: &str) -> String {
    text.lines().fold(String::new(), |out, line| format!("{out}{indent}/// {}\n", line.trim_end()))
}

pub fn enum_name(name: &str) -> String {
    camel(name.strip_suffix("_enum").unwrap_or(name))
}

/// The Rust type of a column's cells.
fn type_of(catalogue: &Catalogue, table: &Table, row: &str, column: &Column) -> String {
    let is_own_key = matches!(table.primary_key[..], [key] if table.column(key).name == column.name);
    let target = column.references.as_ref().map(|reference| catalogue.table(reference.table));
    let plain = match &column.scalar {
        Scalar::Uuid => match target {
            Some(target) if target.primary_key.len() == 1 => format!("Id<{}>", row_name(&target.name)),
            _ if is_own_key => format!("Id<{row}>"),
            _ => related(catalogue, table, column)
                .map_or_else(|| "Uuid".to_owned(), |target| format!("Id<{target}>")),
        },
        Scalar::String | Scalar::Citext | Scalar::Bytea => "String".to_owned(),
        Scalar::Int | Scalar::Bigint => "i64".to_owned(),
        Scalar::Float8 if !column.exact => "f64".to_owned(),
        Scalar::Float8 | Scalar::Numeric => "Decimal".to_owned(),
        Scalar::Boolean => "bool".to_owned(),
        Scalar::Timestamp => "Timestamp".to_owned(),
        Scalar::Timestamptz => "ZonedTimestamp".to_owned(),
        Scalar::Date => "Date".to_owned(),
        Scalar::Json | Scalar::Jsonb => "Json".to_owned(),
        Scalar::StringList => "Vec<String>".to_owned(),
        Scalar::Enum { lookup: Some(lookup), .. } => camel(&catalogue.table(*lookup).name),
        Scalar::Enum { name, lookup: None } => enum_name(name),
    };
    let plain = if column.secret { format!("Secret<{plain}>") } else { plain };
    if column.nullable { format!("Option<{plain}>") } else { plain }
}

/// The row type of the one-relationship that joins this column alone with the target's primary key.
fn related(catalogue: &Catalogue, table: &Table, column: &Column) -> Option<String> {
    let found = table.relationships.iter().find(|relationship| {
        let key = &catalogue.table(relationship.target).primary_key;
        let is_by_column = matches!(relationship.join[..], [(here, there)]
            if table.column(here).name == column.name && key[..] == [there]);
        relationship.kind == RelationshipKind::One && is_by_column
    })?;
    let target = catalogue.table(found.target);
    matches!(target.kind, TableKind::Table).then(|| row_name(&target.name))
}

/// The file that declares the others.
fn index(bodies: &BTreeMap<&str, Body>) -> String {
    let mut text = format!("//! What follows from the catalogue.\n\n{HEAD}");
    for area in bodies.keys() {
        let _ = writeln!(text, "mod {area};");
    }
    text.push_str("#[allow(clippy::pub_underscore_fields, reason = \"operators of conditions begin so\")]\npub mod operations;\n");
    let list = |title: &str, about: &str, pick: fn(&Body) -> &Vec<String>| {
        let mut text = format!("\n/// {about}\npub mod {title} {{\n");
        for (area, body) in bodies {
            let names = pick(body);
            if !names.is_empty() {
                let _ = writeln!(text, "    pub use super::{area}::{{{}}};", names.join(", "));
            }
        }
        text.push_str("}\n");
        text
    };
    text.push_str(&list("rows", "A struct for the rows of each table.", |body| &body.rows));
    text.push_str(&list("lookups", "An enum for each lookup.", |body| &body.lookups));
    text.push_str(&list("tables", "A module for each table, with its columns.", |body| &body.tables));
    text.push_str(
        "\n/// What columns hold.\nmod prelude {\n    pub use super::{lookups::*, rows::*};\n    \
         pub use crate::scalars::{Date, Id, Json, Secret, Timestamp, ZonedTimestamp};\n    \
         pub use catalogue::Decimal;\n    pub use uuid::Uuid;\n}\n",
    );
    text
}
