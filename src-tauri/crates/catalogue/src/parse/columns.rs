//! Adds the columns to every table: names, types, defaults, keys. [`links`] resolves names of other tables later.
//!
//! [`links`]: super::links

use std::collections::HashMap;

use super::aliases;
use super::drafts::{DraftKind, Drafts, Field, TableDraft};
use super::lookups;
use super::problems::{Problems, SourceLine};
use super::values;
use crate::{
    Catalogue, Column, ColumnId, Default, EnumType, LookupValue, OnDelete, Scalar, Scope, Table, TableId,
    TableKind, Writers,
};
use async_graphql_parser::types::{BaseType, Type};
use async_graphql_value::ConstValue;

/// Enums of the interface by name: the lookup that holds the values, if any, and the values.
pub(super) type Enums<'a> = HashMap<&'a str, (Option<TableId>, Vec<&'a str>)>;

/// Builds the tables with their columns. Relationships, constraints and scopes are added later.
pub(super) fn build(drafts: &Drafts<'_>, problems: &mut Problems) -> Catalogue {
    let enums = enums(drafts, problems);
    let mut catalogue = Catalogue {
        tables: Vec::with_capacity(drafts.tables.len()),
        enums: drafts.enums.iter().map(|draft| lookups::plain(draft)).collect(),
        listings: Vec::new(),
        view_fields: Vec::new(),
        types: Vec::new(),
        operations: Vec::new(),
        trail: None,
        migrations: Vec::new(),
        by_name: HashMap::new(),
    };
    for (index, draft) in drafts.tables.iter().enumerate() {
        if catalogue.by_name.insert(draft.name.to_owned(), id(index)).is_some() {
            problems.add(draft.place, format!("`{}` is defined twice", draft.name));
        }
        catalogue.tables.push(table(draft, &enums, problems));
    }
    catalogue
}

/// The id of a table from the index of its draft: drafts and tables have the same order.
pub(super) fn id(index: usize) -> TableId {
    TableId(u16::try_from(index).expect("a catalogue has fewer than 65,536 tables"))
}

fn enums<'a>(drafts: &Drafts<'a>, problems: &mut Problems) -> Enums<'a> {
    let mut enums = Enums::new();
    let lookups = drafts.tables.iter().enumerate().filter_map(|(index, draft)| match &draft.kind {
        DraftKind::Lookup { values } => {
            Some((draft.place, draft.head.text("enum", problems)?, Some(id(index)), *values))
        }
        _ => None,
    });
    let mut found = lookups.collect::<Vec<_>>();
    found.extend(drafts.enums.iter().map(|draft| (draft.place, draft.name, None, draft.values)));
    for (place, name, lookup, values) in found {
        let values = values.iter().map(|value| value.node.value.node.as_str()).collect();
        if enums.insert(name, (lookup, values)).is_some()
            || drafts.tables.iter().any(|table| table.name == name)
        {
            problems.add(place, format!("there are two things called `{name}`"));
        }
    }
    enums
}

fn table(draft: &TableDraft<'_>, enums: &Enums<'_>, problems: &mut Problems) -> Table {
    let mut table = Table {
        name: draft.name.to_owned(),
        description: draft.description.to_owned(),
        area: area(draft.place.file).to_owned(),
        kind: TableKind::Table,
        exposed: draft.head.flag("exposed", true, problems),
        root: draft.head.flag("root", true, problems) && draft.head.flag("exposed", true, problems),
        written_by: writers(draft, problems),
        columns: Vec::new(),
        aliases: Vec::new(),
        primary_key: Vec::new(),
        primary_key_name: String::new(),
        unique: Vec::new(),
        indices: Vec::new(),
        relationships: Vec::new(),
        // `links` sets the scope that the table declares; until then nobody may see the rows.
        scope: Scope::Service,
        account: None,
        own_user_column: None,
        private_user_column: None,
        segments: None,
        searched: None,
        marked: Vec::new(),
        columns_by_name: HashMap::new(),
        relationships_by_name: HashMap::new(),
    };
    if draft.description.is_empty() {
        problems.add(draft.place, format!("`{}` needs a description: what is a row?", draft.name));
    }
    let head = &draft.head;
    let named = if matches!(draft.kind, DraftKind::Lookup { .. }) { "constraint" } else { "key" };
    table.primary_key_name =
        head.text(named, problems).map_or_else(|| format!("{}_pkey", draft.name), str::to_owned);
    if let DraftKind::Lookup { .. } = draft.kind {
        lookups::implied_columns(draft, &mut table, problems);
    }
    for field in draft.fields.iter().filter(|field| !field.is_relationship() && !field.is_alias()) {
        if let Some(column) = column(field, enums, problems) {
            let is_key = field.find("key").is_some();
            add_column(&mut table, column, is_key, field.place, problems);
        }
    }
    for field in draft.fields.iter().filter(|field| field.is_alias()) {
        if let Some(column) = column(field, enums, problems) {
            aliases::add(&mut table, column, field, problems);
        }
    }
    if let DraftKind::Lookup { .. } = draft.kind {
        table.primary_key = table.find_column(lookups::key(draft, problems)).into_iter().collect();
    }
    table.kind = match &draft.kind {
        DraftKind::Table => TableKind::Table,
        DraftKind::View { select } => TableKind::View {
            select: (*select).to_owned(),
            parameters: draft.head.texts("parameters", problems).into_iter().map(str::to_owned).collect(),
        },
        DraftKind::Lookup { values } => lookups::kind(draft, values, &table, enums, problems),
    };
    if table.primary_key.is_empty() && !matches!(draft.kind, DraftKind::View { .. }) {
        problems.add(draft.place, format!("`{}` has no @key", draft.name));
    }
    table
}

fn writers(draft: &TableDraft<'_>, problems: &mut Problems) -> Writers {
    match draft.head.value("write") {
        None | Some(ConstValue::Boolean(true)) => Writers::Accounts,
        Some(ConstValue::Boolean(false)) => Writers::Nobody,
        Some(ConstValue::Enum(word)) if word == "tenant" => Writers::Tenant,
        Some(value) => {
            problems.add(draft.place, format!("write: {value} is unknown; known: true, false, tenant"));
            Writers::Nobody
        }
    }
}

/// The area of a file: `tables/cost.graphql` gives `cost`.
pub(super) fn area(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.split('.').next().unwrap_or(name)
}

/// Adds a column. An existing column of the same name is an error.
pub(super) fn add_column(
    table: &mut Table,
    column: Column,
    is_key: bool,
    place: SourceLine<'_>,
    problems: &mut Problems,
) {
    if table.find_column(&column.name).is_some() {
        problems.add(place, format!("`{}.{}` is defined twice", table.name, column.name));
        return;
    }
    let id = ColumnId(u16::try_from(table.columns.len()).expect("a table has fewer than 65,536 columns"));
    table.columns_by_name.insert(column.name.clone(), id);
    table.columns.push(column);
    if is_key {
        table.primary_key.push(id);
    }
}

fn column(field: &Field<'_>, enums: &Enums<'_>, problems: &mut Problems) -> Option<Column> {
    let definition = field.definition;
    let scalar = scalar(&definition.ty.node, enums).or_else(|| {
        problems.add(
            field.place,
            format!(
                "`{}`: `{}` is neither a scalar nor an enum of the catalogue; a relationship needs @one(by: …) or @many(from: …)",
                field.name(),
                definition.ty.node.base
            ),
        );
        None
    })?;
    let is_exact = field.find("exact").is_some();
    if is_exact && scalar != Scalar::Float8 {
        problems.add(
            field.place,
            format!("`{}`: @exact is for float8; numeric is exact by itself", field.name()),
        );
    }
    let nullable = definition.ty.node.nullable;
    if field.find("key").is_some() && nullable {
        problems.add(
            field.place,
            format!(
                "`{}`: a key cannot be null, write `{scalar}!`",
                field.name(),
                scalar = scalar.graphql_name()
            ),
        );
    }
    let is_exact = is_exact || scalar == Scalar::Numeric;
    let default =
        field.find("default").and_then(|directive| default(directive, &scalar, is_exact, enums, problems));
    Some(Column {
        name: field.name().to_owned(),
        description: definition.description.as_ref().map(|text| text.node.clone()).unwrap_or_default(),
        scalar,
        nullable,
        default,
        secret: field.find("secret").is_some(),
        exact: is_exact,
        references: None,
        shared: None,
    })
}

fn scalar(ty: &Type, enums: &Enums<'_>) -> Option<Scalar> {
    let name = match &ty.base {
        BaseType::Named(name) => name.as_str(),
        BaseType::List(item) => {
            let is_text = item.base.to_string() == "String" && !item.nullable;
            return is_text.then_some(Scalar::StringList);
        }
    };
    Some(match name {
        "uuid" => Scalar::Uuid,
        "String" => Scalar::String,
        "citext" => Scalar::Citext,
        "Int" => Scalar::Int,
        "bigint" => Scalar::Bigint,
        "float8" => Scalar::Float8,
        "numeric" => Scalar::Numeric,
        "Boolean" => Scalar::Boolean,
        "timestamp" => Scalar::Timestamp,
        "timestamptz" => Scalar::Timestamptz,
        "date" => Scalar::Date,
        "json" => Scalar::Json,
        "jsonb" => Scalar::Jsonb,
        "bytea" => Scalar::Bytea,
        _ => Scalar::Enum { name: name.to_owned(), lookup: enums.get(name)?.0 },
    })
}

fn default(
    directive: &super::directives::Directive<'_>,
    scalar: &Scalar,
    is_exact: bool,
    enums: &Enums<'_>,
    problems: &mut Problems,
) -> Option<Default> {
    let value = directive.value("value");
    let call = directive.text("call", problems);
    let default = match (value, call) {
        (Some(value), None) => values::literal(value, scalar, is_exact, enums).map(Default::Literal),
        (None, Some("now")) => match scalar {
            Scalar::Timestamp | Scalar::Timestamptz | Scalar::Date => Ok(Default::Now),
            _ => Err("`now` is a time, the column is none".to_owned()),
        },
        (None, Some("random_uuid")) => match scalar {
            Scalar::Uuid | Scalar::String => Ok(Default::GeneratedUuid),
            _ => Err("`random_uuid` needs a column of type uuid or String".to_owned()),
        },
        _ => Err("@default needs either `value` or `call` (now, random_uuid)".to_owned()),
    };
    default.map_err(|message| problems.add(directive.place, message)).ok()
}

/// What the DDL does to this row when the referenced row is deleted.
pub(super) fn on_delete(directive: &super::directives::Directive<'_>, problems: &mut Problems) -> OnDelete {
    match directive.text("on_delete", problems) {
        None | Some("restrict") => OnDelete::Restrict,
        Some("cascade") => OnDelete::Cascade,
        Some("set_null") => OnDelete::SetNull,
        Some(other) => {
            problems.add(
                directive.place,
                format!("on_delete: {other} is unknown; known: restrict, cascade, set_null"),
            );
            OnDelete::Restrict
        }
    }
}

impl EnumType {
    pub(super) fn new(name: &str, description: &str, area_of: &str, values: Vec<LookupValue>) -> Self {
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            area: area(area_of).to_owned(),
            values,
            is_scalar: false,
        }
    }
}
