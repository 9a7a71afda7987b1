//! Parses lookups: lists of allowed values, whose rows are part of the catalogue.

use super::columns::{Enums, add_column};
use super::directives;
use super::drafts::{EnumDraft, TableDraft};
use super::problems::{Problems, SourceLine};
use super::values;
use crate::{Column, ColumnId, EnumType, LookupValue, Scalar, Table, TableKind, Value};
use async_graphql_parser::Positioned;
use async_graphql_parser::types::EnumValueDefinition;

/// The implicit columns of a lookup: its key (`value` unless `key:` names another) and, if `description:` is set, the description column.
/// `extend type` may declare either one explicitly to change its type.
pub(super) fn implied_columns(draft: &TableDraft<'_>, table: &mut Table, problems: &mut Problems) {
    let names = [Some(key(draft, problems)), draft.head.text("description", problems)];
    for name in names.into_iter().flatten() {
        if !draft.fields.iter().any(|field| field.name() == name) {
            add_column(table, implied(name), false, draft.place, problems);
        }
    }
}

/// Name of the key column.
pub(super) fn key<'a>(draft: &TableDraft<'a>, problems: &mut Problems) -> &'a str {
    draft.head.text("key", problems).unwrap_or("value")
}

fn implied(name: &str) -> Column {
    Column {
        name: name.to_owned(),
        description: String::new(),
        scalar: Scalar::String,
        nullable: false,
        default: None,
        secret: false,
        exact: false,
        references: None,
        shared: None,
    }
}

/// The values with their rows.
pub(super) fn kind(
    draft: &TableDraft<'_>,
    written: &[Positioned<EnumValueDefinition>],
    table: &Table,
    enums: &Enums<'_>,
    problems: &mut Problems,
) -> TableKind {
    let description = draft.head.text("description", problems).and_then(|name| table.find_column(name));
    let mut values: Vec<LookupValue> = Vec::with_capacity(written.len());
    for value in written {
        let place = SourceLine { file: draft.place.file, line: value.node.value.pos.line };
        let mut read = plain_value(&value.node);
        if read.description.is_empty() {
            problems.add(place, format!("`{}` needs a description: when does it apply?", read.value));
        }
        if values.iter().any(|other| other.value == read.value) {
            problems.add(place, format!("`{}` stands twice in `{}`", read.value, draft.name));
        }
        read.cells.extend(table.primary_key.iter().map(|key| (*key, Value::Text(read.value.clone()))));
        read.cells.extend(description.map(|column| (column, Value::Text(read.description.clone()))));
        read.cells.extend(further_cells(place, &value.node, table, enums, problems));
        for (id, column) in table.iter_columns() {
            let is_given = read.cells.iter().any(|(given, _)| *given == id);
            if !column.nullable && column.default.is_none() && !is_given {
                problems.add(
                    place,
                    format!("`{}` needs @row({}: …): the column cannot be null", read.value, column.name),
                );
            }
        }
        values.push(read);
    }
    TableKind::Lookup { enum_name: draft.head.text("enum", problems).map(str::to_owned), values }
}

/// Parses `@row(column: value, …)`: the cells other than value and description.
fn further_cells(
    place: SourceLine<'_>,
    value: &EnumValueDefinition,
    table: &Table,
    enums: &Enums<'_>,
    problems: &mut Problems,
) -> Vec<(ColumnId, Value)> {
    let mut cells = Vec::new();
    for directive in &value.directives {
        if directive.node.name.node != "row" {
            let name = &directive.node.name.node;
            problems.add(place, format!("@{name} is unknown here; known: @row"));
            continue;
        }
        for (name, literal) in &directive.node.arguments {
            let Some(id) = table.find_column(&name.node) else {
                problems.add(place, format!("`{}` has no column `{}`", table.name, name.node));
                continue;
            };
            let column = table.column(id);
            match values::literal(&literal.node, &column.scalar, column.exact, enums) {
                Ok(cell) => cells.push((id, cell)),
                Err(message) => problems.add(place, message),
            }
        }
    }
    cells
}

/// An enum without a table.
pub(super) fn plain(draft: &EnumDraft<'_>) -> EnumType {
    let values = draft.values.iter().map(|value| plain_value(&value.node)).collect();
    let plain = EnumType::new(draft.name, draft.description, draft.place.file, values);
    EnumType { is_scalar: draft.is_scalar, ..plain }
}

fn plain_value(value: &EnumValueDefinition) -> LookupValue {
    LookupValue {
        value: value.value.node.to_string(),
        description: value.description.as_ref().map(|text| text.node.clone()).unwrap_or_default(),
        cells: Vec::new(),
    }
}

/// Reports errors in an enum without a table.
pub(super) fn check_plain(draft: &EnumDraft<'_>, problems: &mut Problems) {
    for (index, value) in draft.values.iter().enumerate() {
        let place = SourceLine { file: draft.place.file, line: value.node.value.pos.line };
        directives::read(draft.place.file, &value.node.directives, &[], problems);
        let name = &value.node.value.node;
        if draft.values[..index].iter().any(|other| other.node.value.node == *name) {
            problems.add(place, format!("`{name}` stands twice in `{}`", draft.name));
        }
    }
    if draft.description.is_empty() {
        problems.add(draft.place, format!("`{}` needs a description", draft.name));
    }
}
