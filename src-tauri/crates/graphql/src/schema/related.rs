//! Input types for aggregates over related rows: `T_aggregate_order_by` and `T_aggregate_bool_exp` with their parts. They exist for
//! targets of to-many relationships.

use super::{Part, comparison_name};
use crate::compile::{PREDICATES, applies, takes};
use async_graphql::dynamic::{Enum, EnumItem, InputObject, InputValue, TypeRef};
use catalogue::{Catalogue, Column, RelationshipKind, Scalar, Table, TableId};
use store::query::Function;

/// Whether an exposed to-many relationship has the table as its target.
pub(super) fn is_many_target(catalogue: &Catalogue, id: TableId) -> bool {
    catalogue
        .iter()
        .filter(|(_, table)| table.exposed)
        .flat_map(|(_, table)| &table.relationships)
        .any(|relationship| relationship.kind == RelationshipKind::Many && relationship.target == id)
}

/// The types of one table.
pub(super) fn types(table: &Table) -> Vec<Part> {
    let mut parts = order_by(table);
    parts.extend(bool_exp(table));
    parts
}

fn order_by(table: &Table) -> Vec<Part> {
    let name = &table.name;
    let mut order = InputObject::new(format!("{name}_aggregate_order_by"))
        .field(InputValue::new("count", TypeRef::named("order_by")));
    let mut parts = Vec::new();
    for function in Function::ALL {
        let columns: Vec<&Column> =
            table.interface_columns().filter(|column| applies(function, column)).collect();
        if columns.is_empty() {
            continue;
        }
        let type_name = format!("{name}_{}_order_by", function.name());
        order = order.field(InputValue::new(function.name(), TypeRef::named(&type_name)));
        parts.push(Part::Input(columns.iter().fold(InputObject::new(type_name), |input, column| {
            input.field(InputValue::new(&column.name, TypeRef::named("order_by")))
        })));
    }
    parts.push(Part::Input(order));
    parts
}

fn bool_exp(table: &Table) -> Vec<Part> {
    let name = &table.name;
    let base = format!("{name}_aggregate_bool_exp");
    let mut all =
        InputObject::new(&base).field(InputValue::new("count", TypeRef::named(format!("{base}_count"))));
    let predicate = |type_name: &str, arguments: InputValue, comparison: String| {
        InputObject::new(type_name)
            .field(arguments)
            .field(InputValue::new("distinct", TypeRef::named(TypeRef::BOOLEAN)))
            .field(InputValue::new("filter", TypeRef::named(format!("{name}_bool_exp"))))
            .field(InputValue::new("predicate", TypeRef::named_nn(comparison)))
    };
    let counted = InputValue::new("arguments", TypeRef::named_nn_list(format!("{name}_select_column")));
    let mut parts =
        vec![Part::Input(predicate(&format!("{base}_count"), counted, comparison_name(&Scalar::Int)))];
    for function in PREDICATES {
        let columns: Vec<&Column> =
            table.interface_columns().filter(|column| takes(function, column)).collect();
        if columns.is_empty() {
            continue;
        }
        let type_name = format!("{base}_{function}");
        let column_type = format!("{name}_select_column_{base}_{function}_arguments_columns");
        all = all.field(InputValue::new(function, TypeRef::named(&type_name)));
        parts.push(Part::Enum(
            columns
                .iter()
                .fold(Enum::new(&column_type), |known, column| known.item(EnumItem::new(&column.name))),
        ));
        let arguments = if matches!(function, "corr" | "covar_samp") {
            let pair = format!("{type_name}_arguments");
            parts.push(Part::Input(
                InputObject::new(&pair)
                    .field(InputValue::new("X", TypeRef::named_nn(&column_type)))
                    .field(InputValue::new("Y", TypeRef::named_nn(&column_type))),
            ));
            TypeRef::named_nn(pair)
        } else {
            TypeRef::named_nn(column_type)
        };
        let scalar = if function.starts_with("bool_") { Scalar::Boolean } else { Scalar::Float8 };
        let arguments = InputValue::new("arguments", arguments);
        parts.push(Part::Input(predicate(&type_name, arguments, comparison_name(&scalar))));
    }
    parts.push(Part::Input(all));
    parts
}
