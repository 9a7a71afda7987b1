//! Builds async-graphql's schema, for its text and for introspection. `compile` answers requests.

mod changes;
mod listings;
mod operations;
mod related;
mod tables;

use crate::compile::operators;
use crate::roots::is_written;
use async_graphql::ValidationMode;
use async_graphql::dynamic::{
    Enum, EnumItem, Field, FieldFuture, InputObject, InputValue, Object, Scalar as ScalarType, Schema,
    SchemaBuilder, SchemaError, Subscription, TypeRef,
};
use catalogue::{Caller, Catalogue, Root, Scalar};
use std::collections::{BTreeMap, BTreeSet};

/// The custom scalars of the interface, with descriptions.
const SCALARS: [(&str, &str); 11] = [
    ("uuid", "A UUID in its text form."),
    ("citext", "Text compared without regard to case."),
    ("bigint", "A 64-bit whole number."),
    ("float8", "A number; money is exact to the last digit."),
    ("numeric", "An exact decimal number."),
    ("timestamp", "A time in UTC without zone, as 2026-11-20T06:38:00."),
    ("timestamptz", "A time with zone, as 2026-11-20T06:38:00+00:00."),
    ("date", "A day, as 2026-11-20."),
    ("json", "JSON, kept as it was written."),
    ("jsonb", "JSON that can be searched."),
    ("bytea", "Bytes, as \\x and hexadecimal digits."),
];

/// Builds the schema of a catalogue, with root fields for the tables `caller` may write.
pub(crate) fn build(catalogue: &Catalogue, caller: &Caller) -> Result<Schema, SchemaError> {
    let writes_some = catalogue.iter().any(|(id, _)| is_written(catalogue, caller, id))
        || catalogue.operations.iter().any(|operation| operation.root == Root::Mutation);
    let mut builder =
        Schema::build("query_root", writes_some.then_some("mutation_root"), Some("subscription_root"))
            .validation_mode(ValidationMode::Fast);
    for (name, description) in SCALARS {
        builder = builder.register(ScalarType::new(name).description(description));
    }
    builder = builder.register(order_by());
    builder = comparisons(builder, catalogue);
    let mut writes = Object::new("mutation_root").description("Everything that can be changed.");
    let mut root = Object::new("query_root").description("Everything that can be read.");
    let mut live = Subscription::new("subscription_root").description(
        "Everything that can be watched: a first answer, and another one after each change of it.",
    );
    for (id, table) in catalogue.iter().filter(|(_, table)| table.exposed) {
        let mut parts = tables::types(catalogue, id);
        if related::is_many_target(catalogue, id) {
            parts.extend(related::types(table));
        }
        if !table.primary_key.is_empty() {
            parts.extend(changes::types(catalogue, table));
        }
        if is_written(catalogue, caller, id) {
            writes = changes::root_fields(table).into_iter().fold(writes, Object::field);
        }
        for part in parts {
            builder = part.register(builder);
        }
        if table.root {
            for field in tables::root_fields(table) {
                root = root.field(field);
            }
            live = tables::live_fields(table).into_iter().fold(live, Subscription::field);
        }
    }
    for operation in &catalogue.operations {
        let field = operations::root_field(operation);
        match operation.root {
            Root::Query => root = root.field(field),
            Root::Mutation => writes = writes.field(field),
        }
    }
    builder = listings::register_shared(builder, catalogue);
    // A type declared in a file takes precedence over an equal one of a listing.
    builder = operations::register(builder, catalogue);
    for view in &catalogue.view_fields {
        for part in tables::view_types(catalogue, view) {
            builder = part.register(builder);
        }
        root = root.field(tables::view_root(catalogue, view));
    }
    let mut known = BTreeSet::new();
    for listing in &catalogue.listings {
        for part in listings::types(listing, &mut known) {
            builder = part.register(builder);
        }
        root = root.field(listings::root_field(listing));
    }
    let builder = builder.register(root).register(live);
    if writes_some { builder.register(writes).finish() } else { builder.finish() }
}

/// A type to be registered in the schema.
enum Part {
    Object(Object),
    Input(InputObject),
    Enum(Enum),
}

impl Part {
    fn register(self, builder: SchemaBuilder) -> SchemaBuilder {
        match self {
            Self::Object(object) => builder.register(object),
            Self::Input(input) => builder.register(input),
            Self::Enum(values) => builder.register(values),
        }
    }
}

fn order_by() -> Enum {
    let description =
        "Ascending or descending. Without a word about nulls they count as larger than any value.";
    orders(Enum::new("order_by").description(description))
}

fn orders(known: Enum) -> Enum {
    ["asc", "asc_nulls_first", "asc_nulls_last", "desc", "desc_nulls_first", "desc_nulls_last"]
        .into_iter()
        .fold(known, Enum::item)
}

/// Adds `X_comparison_exp` for every scalar and enum in use, and the enums themselves.
fn comparisons(mut builder: SchemaBuilder, catalogue: &Catalogue) -> SchemaBuilder {
    let columns = catalogue.iter().filter(|(_, table)| table.exposed).flat_map(|(_, table)| &table.columns);
    let mut used: BTreeMap<String, &Scalar> =
        columns.map(|column| (comparison_name(&column.scalar), &column.scalar)).collect();
    // Types used in comparisons with aggregates, whatever the column types.
    for scalar in [&Scalar::Int, &Scalar::Float8, &Scalar::Boolean, &Scalar::String] {
        used.insert(comparison_name(scalar), scalar);
    }
    builder = builder.register(
        InputObject::new("jsonb_cast_exp")
            .field(InputValue::new("String", TypeRef::named(comparison_name(&Scalar::String)))),
    );
    for (name, scalar) in used {
        let input =
            operators(catalogue, scalar).into_iter().fold(InputObject::new(name), |input, operator| {
                let kind = match operator {
                    "_in" | "_nin" if *scalar == Scalar::StringList => {
                        let list = TypeRef::NonNull(Box::new(TypeRef::named_nn_list(TypeRef::STRING)));
                        TypeRef::List(Box::new(list))
                    }
                    "_in" | "_nin" => TypeRef::named_nn_list(scalar.graphql_name()),
                    "_is_null" => TypeRef::named(TypeRef::BOOLEAN),
                    "_has_key" => TypeRef::named(TypeRef::STRING),
                    "_cast" => TypeRef::named("jsonb_cast_exp"),
                    "_has_keys_any" | "_has_keys_all" => TypeRef::named_nn_list(TypeRef::STRING),
                    _ => type_ref(scalar, true),
                };
                input.field(InputValue::new(operator, kind))
            });
        builder = builder.register(input);
        if let Some(values) = catalogue.scalar_values(scalar) {
            let names: Vec<&str> = values.iter().map(|value| value.value.as_str()).collect();
            let description = format!("One of {}.", names.join(", "));
            let shown = async_graphql::dynamic::Scalar::new(scalar.graphql_name());
            builder = builder.register(shown.description(description));
        } else if let Scalar::Enum { name, .. } = scalar {
            builder = builder.register(enum_of(catalogue, name));
        }
    }
    builder
}

fn enum_of(catalogue: &Catalogue, name: &str) -> Enum {
    let values = catalogue.enum_values(name).unwrap_or_default();
    values.iter().fold(Enum::new(name), |known, value| {
        let item = EnumItem::new(&value.value);
        known.item(if value.description.is_empty() { item } else { item.description(&value.description) })
    })
}

fn comparison_name(scalar: &Scalar) -> String {
    match scalar {
        Scalar::StringList => "String_array_comparison_exp".to_owned(),
        scalar => format!("{}_comparison_exp", scalar.graphql_name()),
    }
}

fn type_ref(scalar: &Scalar, nullable: bool) -> TypeRef {
    match (scalar, nullable) {
        (Scalar::StringList, true) => TypeRef::named_nn_list(TypeRef::STRING),
        (Scalar::StringList, false) => TypeRef::named_nn_list_nn(TypeRef::STRING),
        (scalar, true) => TypeRef::named(scalar.graphql_name()),
        (scalar, false) => TypeRef::named_nn(scalar.graphql_name()),
    }
}

/// A field of the schema. It is never resolved: introspection has its own resolvers.
fn field(name: impl Into<String>, kind: TypeRef, description: &str) -> Field {
    let field = Field::new(name, kind, |_| FieldFuture::Value(None));
    if description.is_empty() { field } else { field.description(description) }
}
