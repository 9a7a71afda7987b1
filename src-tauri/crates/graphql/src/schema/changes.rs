//! Schema types for writing: inputs, constraints, responses, and the root fields that write.

use super::{Part, field, type_ref};
use crate::compile::fits;
use crate::roots::Write;
use async_graphql::dynamic::{Enum, EnumItem, Field, InputObject, InputValue, Object, TypeRef};
use catalogue::{Catalogue, Column, RelationshipKind, Table};

/// Update operators other than `_set`: argument and suffix of the input type.
const OPERATORS: [(&str, &str); 6] = [
    ("_append", "append_input"),
    ("_delete_at_path", "delete_at_path_input"),
    ("_delete_elem", "delete_elem_input"),
    ("_delete_key", "delete_key_input"),
    ("_inc", "inc_input"),
    ("_prepend", "prepend_input"),
];

fn operator_columns<'a>(table: &'a Table, operator: &'a str) -> impl Iterator<Item = &'a Column> {
    table.interface_columns().filter(move |column| fits(operator, &column.scalar))
}

fn operator_type(operator: &str, column: &Column) -> TypeRef {
    match operator {
        "_delete_at_path" => TypeRef::named_nn_list(TypeRef::STRING),
        "_delete_elem" => TypeRef::named(TypeRef::INT),
        "_delete_key" => TypeRef::named(TypeRef::STRING),
        _ => type_ref(&column.scalar, true),
    }
}

fn operators(table: &Table) -> impl Iterator<Item = (&'static str, String)> {
    OPERATORS
        .into_iter()
        .filter(|(operator, _)| operator_columns(table, operator).next().is_some())
        .map(|(operator, suffix)| (operator, format!("{}_{suffix}", table.name)))
}

/// The seven root fields that write a table.
pub(super) fn root_fields(table: &Table) -> Vec<Field> {
    let name = &table.name;
    Write::ALL
        .map(|write| {
            let kind = match write {
                Write::Insert | Write::Update | Write::Delete => {
                    TypeRef::named(format!("{name}_mutation_response"))
                }
                Write::UpdateMany => TypeRef::named_list(format!("{name}_mutation_response")),
                Write::InsertOne | Write::UpdateByKey | Write::DeleteByKey => TypeRef::named(name),
            };
            arguments(write, table).into_iter().fold(field(write.field(name), kind, ""), Field::argument)
        })
        .into()
}

fn arguments(write: Write, table: &Table) -> Vec<InputValue> {
    let name = &table.name;
    let on_conflict = || InputValue::new("on_conflict", TypeRef::named(format!("{name}_on_conflict")));
    let wheres = || InputValue::new("where", TypeRef::named_nn(format!("{name}_bool_exp")));
    let sets = || {
        let set = ("_set", format!("{name}_set_input"));
        operators(table)
            .chain([set])
            .map(|(operator, kind)| InputValue::new(operator, TypeRef::named(kind)))
            .collect::<Vec<_>>()
    };
    match write {
        Write::Insert => {
            let objects = TypeRef::named_nn_list_nn(format!("{name}_insert_input"));
            vec![InputValue::new("objects", objects), on_conflict()]
        }
        Write::InsertOne => {
            vec![InputValue::new("object", TypeRef::named_nn(format!("{name}_insert_input"))), on_conflict()]
        }
        Write::Update => sets().into_iter().chain([wheres()]).collect(),
        Write::UpdateByKey => {
            let key = InputValue::new("pk_columns", TypeRef::named_nn(format!("{name}_pk_columns_input")));
            sets().into_iter().chain([key]).collect()
        }
        Write::UpdateMany => {
            vec![InputValue::new("updates", TypeRef::named_nn_list_nn(format!("{name}_updates")))]
        }
        Write::Delete => vec![wheres()],
        Write::DeleteByKey => table
            .primary_key
            .iter()
            .map(|id| InputValue::new(&table.column(*id).name, type_ref(&table.column(*id).scalar, false)))
            .collect(),
    }
}

/// The types for writing one table.
pub(super) fn types(catalogue: &Catalogue, table: &Table) -> Vec<Part> {
    let name = &table.name;
    let columns = |suffix: &str| {
        table.interface_columns().fold(InputObject::new(format!("{name}_{suffix}")), |input, column| {
            input.field(InputValue::new(&column.name, type_ref(&column.scalar, true)))
        })
    };
    let mut parts = vec![
        Part::Input(insert_input(catalogue, table, columns("insert_input"))),
        Part::Input(columns("set_input")),
        Part::Enum(constraint(table)),
        Part::Enum(update_column(table)),
        Part::Input(
            InputObject::new(format!("{name}_on_conflict"))
                .field(InputValue::new("constraint", TypeRef::named_nn(format!("{name}_constraint"))))
                .field(InputValue::new(
                    "update_columns",
                    TypeRef::named_nn_list_nn(format!("{name}_update_column")),
                ))
                .field(InputValue::new("where", TypeRef::named(format!("{name}_bool_exp")))),
        ),
        Part::Object(
            Object::new(format!("{name}_mutation_response"))
                .field(field("affected_rows", TypeRef::named_nn(TypeRef::INT), ""))
                .field(field("returning", TypeRef::named_nn_list_nn(name), "")),
        ),
        Part::Input(table.primary_key.iter().fold(
            InputObject::new(format!("{name}_pk_columns_input")),
            |input, id| {
                let column = table.column(*id);
                input.field(InputValue::new(&column.name, type_ref(&column.scalar, false)))
            },
        )),
    ];
    let mut updates = InputObject::new(format!("{name}_updates"))
        .field(InputValue::new("_set", TypeRef::named(format!("{name}_set_input"))))
        .field(InputValue::new("where", TypeRef::named_nn(format!("{name}_bool_exp"))));
    for (operator, kind) in operators(table) {
        updates = updates.field(InputValue::new(operator, TypeRef::named(&kind)));
        parts.push(Part::Input(
            operator_columns(table, operator).fold(InputObject::new(kind), |input, column| {
                input.field(InputValue::new(&column.name, operator_type(operator, column)))
            }),
        ));
    }
    parts.push(Part::Input(updates));
    let nested = |suffix: &str, data: TypeRef| {
        InputObject::new(format!("{name}_{suffix}"))
            .field(InputValue::new("data", data))
            .field(InputValue::new("on_conflict", TypeRef::named(format!("{name}_on_conflict"))))
    };
    let insert_input = format!("{name}_insert_input");
    if is_target(catalogue, table, RelationshipKind::One) {
        parts.push(Part::Input(nested("obj_rel_insert_input", TypeRef::named_nn(&insert_input))));
    }
    if is_target(catalogue, table, RelationshipKind::Many) {
        parts.push(Part::Input(nested("arr_rel_insert_input", TypeRef::named_nn_list_nn(&insert_input))));
    }
    parts
}

fn is_target(catalogue: &Catalogue, table: &Table, kind: RelationshipKind) -> bool {
    catalogue.iter().filter(|(_, other)| other.exposed).flat_map(|(_, other)| &other.relationships).any(
        |relationship| relationship.kind == kind && catalogue.table(relationship.target).name == table.name,
    )
}

fn insert_input(catalogue: &Catalogue, table: &Table, columns: InputObject) -> InputObject {
    table
        .relationships
        .iter()
        .filter(|relationship| catalogue.table(relationship.target).exposed)
        .filter(|relationship| table.find_column(&relationship.name).is_none())
        .fold(columns, |input, relationship| {
            let suffix = match relationship.kind {
                RelationshipKind::One => "obj_rel_insert_input",
                RelationshipKind::Many => "arr_rel_insert_input",
            };
            let target = &catalogue.table(relationship.target).name;
            input.field(InputValue::new(&relationship.name, TypeRef::named(format!("{target}_{suffix}"))))
        })
}

fn constraint(table: &Table) -> Enum {
    table
        .unique
        .iter()
        .map(|unique| &unique.name)
        .chain([&table.primary_key_name])
        .fold(Enum::new(format!("{}_constraint", table.name)), |known, name| known.item(EnumItem::new(name)))
}

fn update_column(table: &Table) -> Enum {
    table.interface_columns().fold(Enum::new(format!("{}_update_column", table.name)), |known, column| {
        known.item(EnumItem::new(&column.name))
    })
}
