//! The types of grouped listings: request objects with operators, and rows.

use super::{Part, field, orders};
use async_graphql::dynamic::{
    Enum, Field, InputObject, InputValue, Object, Scalar as ScalarType, SchemaBuilder, TypeRef,
};
use catalogue::{Catalogue, Listing};
use std::collections::BTreeSet;

/// Request types by the type of a logical column: name, type of values, operators as the interface has them.
const REQUESTS: [(&str, &str, &[&str]); 5] = [
    (
        "QueryWhereStringRequest",
        "String",
        &[
            "_contains",
            "_eq",
            "_eq_f",
            "_has_key",
            "_ilike",
            "_ilike_f",
            "_in",
            "_is_null",
            "_like",
            "_like_f",
            "_neq",
            "_neq_f",
            "_nlike",
            "_not_in",
        ],
    ),
    (
        "QueryWhereDatetimeRequest",
        "Datetime",
        &[
            "_between", "_eq", "_eq_f", "_gt", "_gt_f", "_gte", "_gte_f", "_in", "_is_null", "_lt", "_lt_f",
            "_lte", "_lte_f", "_neq", "_neq_f",
        ],
    ),
    (
        "QueryWhereFloatRequest",
        "Float",
        &[
            "_between", "_eq", "_eq_f", "_gt", "_gt_f", "_gte", "_gte_f", "_in", "_is_null", "_lt", "_lt_f",
            "_lte", "_lte_f", "_neq", "_neq_f",
        ],
    ),
    ("QueryWhereBooleanRequest", "Boolean", &["_eq", "_neq"]),
    ("QueryWhereJsonRequest", "jsonb", &["_contains", "_has_key", "_is_null"]),
];

/// The types all listings share.
pub(super) fn register_shared(mut builder: SchemaBuilder, catalogue: &Catalogue) -> SchemaBuilder {
    if catalogue.listings.is_empty() {
        return builder;
    }
    builder = builder
        .register(ScalarType::new("Datetime").description("A time in UTC, as 2026-11-20T06:38:00."))
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
    let used: BTreeSet<&str> = catalogue
        .listings
        .iter()
        .flat_map(|listing| &listing.columns)
        .filter(|column| column.filterable)
        .map(|column| request_of(&column.graphql_type))
        .collect();
    for (name, kind, operators) in REQUESTS.iter().filter(|(name, ..)| used.contains(name)) {
        let input = operators.iter().fold(InputObject::new(*name), |input, operator| {
            let kind = match *operator {
                "_in" | "_not_in" => TypeRef::named_nn_list(*kind),
                "_is_null" => TypeRef::named(TypeRef::BOOLEAN),
                "_has_key" => TypeRef::named(TypeRef::STRING),
                "_between" => TypeRef::named(between(kind)),
                name if name.ends_with("_f") => TypeRef::named(TypeRef::STRING),
                _ => TypeRef::named(*kind),
            };
            input.field(InputValue::new(*operator, kind))
        });
        builder = builder.register(input);
        if operators.contains(&"_between") {
            let bounds = ["_gt", "_gte", "_lt", "_lte"].into_iter();
            let input = bounds.fold(InputObject::new(between(kind)), |input, operator| {
                input.field(InputValue::new(operator, TypeRef::named(*kind)))
            });
            let is_null = || InputValue::new("_is_null", TypeRef::named(TypeRef::BOOLEAN));
            builder = builder.register(if *kind == "Float" { input.field(is_null()) } else { input });
        }
    }
    builder
}

fn between(kind: &str) -> String {
    format!("QueryWhere{kind}BetweenRequest")
}

fn request_of(graphql_type: &str) -> &'static str {
    let found = REQUESTS.iter().find(|(_, kind, _)| *kind == graphql_type);
    found.map_or("QueryWhereFloatRequest", |(name, ..)| name)
}

/// The types of one listing.
pub(super) fn types(listing: &Listing) -> Vec<Part> {
    let name = &listing.where_type;
    let mut wheres = InputObject::new(name)
        .field(InputValue::new("_and", TypeRef::named_list(name)))
        .field(InputValue::new("_not", TypeRef::named(name)))
        .field(InputValue::new("_or", TypeRef::named_list(name)));
    for column in listing.columns.iter().filter(|column| column.filterable) {
        let kind = TypeRef::named(request_of(&column.graphql_type));
        wheres = wheres.field(InputValue::new(&column.name, kind));
    }
    let row = listing.columns.iter().filter(|column| column.selectable).fold(
        Object::new(&listing.row_type),
        |object, column| {
            object.field(field(&column.name, TypeRef::named(&column.graphql_type), &column.description))
        },
    );
    let response =
        Object::new(&listing.response_type).field(field("rows", TypeRef::named_list(&listing.row_type), ""));
    vec![Part::Input(wheres), Part::Object(row), Part::Object(response)]
}

/// The root field of a listing.
pub(super) fn root_field(listing: &Listing) -> Field {
    let transformations = TypeRef::named_nn_list("QueryColumnTransformationRequest");
    field(&listing.name, TypeRef::named(&listing.response_type), &listing.description)
        .argument(InputValue::new("column_transformations", transformations))
        .argument(InputValue::new("columns", TypeRef::named_list(TypeRef::STRING)))
        .argument(InputValue::new("group_by", TypeRef::named_nn_list(TypeRef::STRING)))
        .argument(InputValue::new("limit", TypeRef::named(TypeRef::INT)))
        .argument(InputValue::new("offset", TypeRef::named(TypeRef::INT)))
        .argument(InputValue::new("order_by", TypeRef::named_list("QuerySortByRequest")))
        .argument(InputValue::new("where", TypeRef::named(&listing.where_type)))
}
