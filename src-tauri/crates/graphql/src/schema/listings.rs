//! Schema types for listings: request objects with operators, and rows.

use super::{Part, field, orders};
use crate::compile::listing_operators;
use async_graphql::dynamic::{
    Enum, Field, InputObject, InputValue, Object, Scalar as ScalarType, SchemaBuilder, TypeRef,
};
use catalogue::{Catalogue, Listing, RequestType};
use std::collections::BTreeSet;

/// The types shared by all listings.
pub(super) fn register_shared(mut builder: SchemaBuilder, catalogue: &Catalogue) -> SchemaBuilder {
    if catalogue.listings.is_empty() {
        return builder;
    }
    builder = builder
        .register(ScalarType::new("Datetime").description("A time in UTC, as 2026-11-20T06:38:00Z."))
        .register(ScalarType::new("Json").description("A text that holds JSON."))
        .register(orders(Enum::new("QuerySortOrderRequest")))
        .register(
            InputObject::new("QuerySortByRequest")
                .field(InputValue::new("column", TypeRef::named_nn(TypeRef::STRING)))
                .field(InputValue::new("order", TypeRef::named("QuerySortOrderRequest"))),
        )
        .register(
            InputObject::new("QueryColumnTransformationRequest")
                .description("date_unit [unit] cuts a time, distinct [columns] counts combinations, json_key [key] picks a tag.")
                .field(InputValue::new("args", TypeRef::named_nn_list(TypeRef::STRING)))
                .field(InputValue::new("expr", TypeRef::named_nn(TypeRef::STRING)))
                .field(InputValue::new("name", TypeRef::named_nn(TypeRef::STRING))),
        );
    let columns = catalogue.listings.iter().flat_map(|listing| &listing.columns);
    let used: BTreeSet<RequestType> = columns.filter_map(|column| column.request).collect();
    for request in used {
        let kind = request.scalar();
        let input =
            listing_operators(request).iter().fold(InputObject::new(request.name()), |input, operator| {
                let kind = match *operator {
                    "_in" | "_not_in" => TypeRef::named_nn_list(kind),
                    "_is_null" => TypeRef::named(TypeRef::BOOLEAN),
                    "_has_key" => TypeRef::named(TypeRef::STRING),
                    "_between" => TypeRef::named(request.between()),
                    name if name.ends_with("_f") => TypeRef::named(TypeRef::STRING),
                    _ => TypeRef::named(kind),
                };
                input.field(InputValue::new(*operator, kind))
            });
        builder = builder.register(input);
        if listing_operators(request).contains(&"_between") {
            let bounds = ["_gt", "_gte", "_lt", "_lte"].into_iter();
            let input = bounds.fold(InputObject::new(request.between()), |input, operator| {
                input.field(InputValue::new(operator, TypeRef::named(kind)))
            });
            let is_null = || InputValue::new("_is_null", TypeRef::named(TypeRef::BOOLEAN));
            builder =
                builder.register(if request == RequestType::Float { input.field(is_null()) } else { input });
        }
    }
    builder
}

/// The types of one listing. Types in `known` exist already; new ones are added to it.
pub(super) fn types(listing: &Listing, known: &mut BTreeSet<String>) -> Vec<Part> {
    let mut parts = Vec::new();
    if let Some(name) = listing.where_type.as_ref().filter(|name| known.insert((*name).clone())) {
        let mut wheres = InputObject::new(name)
            .field(InputValue::new("_and", TypeRef::named_list(name)))
            .field(InputValue::new("_not", TypeRef::named(name)))
            .field(InputValue::new("_or", TypeRef::named_list(name)));
        for column in &listing.columns {
            if let Some(request) = column.request {
                wheres = wheres.field(InputValue::new(&column.name, TypeRef::named(request.name())));
            }
        }
        parts.push(Part::Input(wheres));
    }
    if known.insert(listing.row_type.clone()) {
        let row = listing.columns.iter().fold(Object::new(&listing.row_type), |object, column| match &column
            .row_type
        {
            Some(kind) => object.field(field(&column.name, written(kind), &column.description)),
            None => object,
        });
        parts.push(Part::Object(row));
    }
    if let Some(name) = listing.response_type.as_ref().filter(|name| known.insert((*name).clone())) {
        let rows = field("rows", TypeRef::named_list(&listing.row_type), "");
        parts.push(Part::Object(Object::new(name).field(rows)));
    }
    parts
}

/// The root field of a listing.
pub(super) fn root_field(listing: &Listing) -> Field {
    let kind = match &listing.response_type {
        Some(response) => TypeRef::named(response),
        None => TypeRef::named_list(&listing.row_type),
    };
    listing.arguments.iter().fold(field(&listing.name, kind, &listing.description), |field, (name, kind)| {
        field.argument(InputValue::new(name, written(kind)))
    })
}

/// Parses a type in GraphQL notation: `[String!]`.
pub(super) fn written(text: &str) -> TypeRef {
    if let Some(inner) = text.strip_suffix('!') {
        return TypeRef::NonNull(Box::new(written(inner)));
    }
    match text.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        Some(inner) => TypeRef::List(Box::new(written(inner))),
        None => TypeRef::named(text),
    }
}
