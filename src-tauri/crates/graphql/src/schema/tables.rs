//! Schema types for tables: `T`, `T_bool_exp`, `T_order_by`, `T_select_column`, `T_aggregate` and its parts.

use super::listings::written;
use super::{Part, comparison_name, field, type_ref};
use crate::compile::applies;
use async_graphql::dynamic::{
    Enum, EnumItem, Field, FieldValue, InputObject, InputValue, Object, ResolverContext, SubscriptionField,
    SubscriptionFieldFuture, TypeRef,
};
use async_graphql::futures_util::stream;
use catalogue::{Catalogue, Column, ColumnId, RelationshipKind, Scalar, Table, TableId, ViewField};
use store::query::Function;

/// The root fields `T`, `T_aggregate` and `T_by_pk`.
pub(super) fn root_fields(table: &Table) -> Vec<Field> {
    root(table).into_iter().map(Root::field).collect()
}

/// The subscription fields of these names.
pub(super) fn live_fields(table: &Table) -> Vec<SubscriptionField> {
    root(table).into_iter().map(Root::live_field).collect()
}

/// A root field that reads one table.
struct Root {
    name: String,
    kind: TypeRef,
    description: String,
    arguments: Vec<InputValue>,
}

impl Root {
    fn field(self) -> Field {
        let known = field(self.name, self.kind, &self.description);
        self.arguments.into_iter().fold(known, Field::argument)
    }

    fn live_field(self) -> SubscriptionField {
        let known = SubscriptionField::new(self.name, self.kind, never);
        let known = if self.description.is_empty() { known } else { known.description(self.description) };
        self.arguments.into_iter().fold(known, SubscriptionField::argument)
    }
}

/// Fields of the schema are never resolved.
fn never(_: ResolverContext<'_>) -> SubscriptionFieldFuture<'_> {
    SubscriptionFieldFuture::new(async { Ok(stream::empty::<async_graphql::Result<FieldValue<'_>>>()) })
}

fn root(table: &Table) -> Vec<Root> {
    let name = &table.name;
    let mut fields = vec![
        Root {
            name: name.clone(),
            kind: TypeRef::named_nn_list_nn(name),
            description: table.description.clone(),
            arguments: range(table),
        },
        Root {
            name: format!("{name}_aggregate"),
            kind: TypeRef::named_nn(format!("{name}_aggregate")),
            description: "Figures over the rows, and the rows.".to_owned(),
            arguments: range(table),
        },
    ];
    if !table.primary_key.is_empty() {
        let argument = |id: &ColumnId| {
            let column = table.column(*id);
            InputValue::new(&column.name, type_ref(&column.scalar, false))
        };
        fields.push(Root {
            name: format!("{name}_by_pk"),
            kind: TypeRef::named(name),
            description: "The row with this key, or null.".to_owned(),
            arguments: table.primary_key.iter().map(argument).collect(),
        });
    }
    fields
}

fn ranged(field: Field, table: &Table) -> Field {
    range(table).into_iter().fold(field, Field::argument)
}

fn range(table: &Table) -> Vec<InputValue> {
    let name = &table.name;
    vec![
        InputValue::new("distinct_on", TypeRef::named_nn_list(format!("{name}_select_column"))),
        InputValue::new("limit", TypeRef::named(TypeRef::INT)),
        InputValue::new("offset", TypeRef::named(TypeRef::INT)),
        InputValue::new("order_by", TypeRef::named_nn_list(format!("{name}_order_by"))),
        InputValue::new("where", TypeRef::named(format!("{name}_bool_exp"))),
    ]
}

/// All types of one table.
pub(super) fn types(catalogue: &Catalogue, id: TableId) -> Vec<Part> {
    let table = catalogue.table(id);
    let name = &table.name;
    let mut parts = vec![
        Part::Object(object(catalogue, table)),
        Part::Input(bool_exp(catalogue, table, &format!("{name}_bool_exp"))),
        Part::Input(order_by(catalogue, table)),
        Part::Enum(select_column(table, &format!("{name}_select_column"))),
        Part::Object(
            Object::new(format!("{name}_aggregate"))
                .field(field("aggregate", TypeRef::named(format!("{name}_aggregate_fields")), ""))
                .field(field("nodes", TypeRef::named_nn_list_nn(name), "")),
        ),
    ];
    let mut figures = Object::new(format!("{name}_aggregate_fields")).field(
        field("count", TypeRef::named_nn(TypeRef::INT), "")
            .argument(InputValue::new("columns", TypeRef::named_nn_list(format!("{name}_select_column"))))
            .argument(InputValue::new("distinct", TypeRef::named(TypeRef::BOOLEAN))),
    );
    for function in Function::ALL {
        let columns: Vec<&Column> =
            table.interface_columns().filter(|column| applies(function, column)).collect();
        if columns.is_empty() {
            continue;
        }
        let type_name = format!("{name}_{}_fields", function.name());
        figures = figures.field(field(function.name(), TypeRef::named(&type_name), ""));
        let keeps_type = matches!(function, Function::Sum | Function::Min | Function::Max);
        parts.push(Part::Object(columns.iter().fold(Object::new(type_name), |object, column| {
            let kind =
                if keeps_type { type_ref(&column.scalar, true) } else { TypeRef::named(TypeRef::FLOAT) };
            object.field(field(&column.name, kind, &column.description))
        })));
    }
    parts.push(Part::Object(figures));
    parts
}

/// The types of a root field over a view with arguments.
pub(super) fn view_types(catalogue: &Catalogue, field: &ViewField) -> Vec<Part> {
    let table = catalogue.table(field.table);
    let input = field.parameters.iter().fold(InputObject::new(&field.input_type), |input, column| {
        let value = InputValue::new(&column.name, type_ref(&column.scalar, false));
        input.field(if column.description.is_empty() {
            value
        } else {
            value.description(&column.description)
        })
    });
    vec![
        Part::Object(object(catalogue, table)),
        Part::Input(bool_exp(catalogue, table, &field.where_type)),
        Part::Input(order_by(catalogue, table)),
        Part::Enum(select_column(table, &field.column_type)),
        Part::Input(input),
    ]
}

/// The root field over a view with arguments.
pub(super) fn view_root(catalogue: &Catalogue, of: &ViewField) -> Field {
    let kind = TypeRef::named_nn_list_nn(&catalogue.table(of.table).name);
    of.arguments.iter().fold(field(&of.name, kind, &of.description), |field, (name, kind)| {
        field.argument(InputValue::new(name, written(kind)))
    })
}

fn readable(table: &Table) -> impl Iterator<Item = &Column> {
    table.interface_columns().filter(|column| !column.secret)
}

fn object(catalogue: &Catalogue, table: &Table) -> Object {
    let mut object = Object::new(&table.name).description(&table.description);
    for column in readable(table) {
        let mut shown = field(&column.name, type_ref(&column.scalar, column.nullable), &column.description);
        if column.scalar == Scalar::Jsonb {
            shown = shown.argument(InputValue::new("path", TypeRef::named(TypeRef::STRING)));
        }
        object = object.field(shown);
    }
    for relationship in &table.relationships {
        let target = catalogue.table(relationship.target);
        if !target.exposed {
            continue;
        }
        object = match relationship.kind {
            RelationshipKind::One => {
                let kind = if relationship.nullable {
                    TypeRef::named(&target.name)
                } else {
                    TypeRef::named_nn(&target.name)
                };
                object.field(field(&relationship.name, kind, &relationship.description))
            }
            RelationshipKind::Many => object
                .field(ranged(
                    field(
                        &relationship.name,
                        TypeRef::named_nn_list_nn(&target.name),
                        &relationship.description,
                    ),
                    target,
                ))
                .field(ranged(
                    field(
                        format!("{}_aggregate", relationship.name),
                        TypeRef::named_nn(format!("{}_aggregate", target.name)),
                        "",
                    ),
                    target,
                )),
        };
    }
    object
}

fn bool_exp(catalogue: &Catalogue, table: &Table, name: &str) -> InputObject {
    let mut input = InputObject::new(name)
        .description(format!("A condition on rows of {}; all its parts must hold.", table.name))
        .field(InputValue::new("_and", TypeRef::named_nn_list(name)))
        .field(InputValue::new("_not", TypeRef::named(name)))
        .field(InputValue::new("_or", TypeRef::named_nn_list(name)));
    for column in readable(table) {
        input = input.field(InputValue::new(&column.name, TypeRef::named(comparison_name(&column.scalar))));
    }
    for relationship in &table.relationships {
        let target = catalogue.table(relationship.target);
        if target.exposed {
            let kind = TypeRef::named(format!("{}_bool_exp", target.name));
            input = input.field(InputValue::new(&relationship.name, kind));
        }
        if target.exposed && relationship.kind == RelationshipKind::Many {
            let kind = TypeRef::named(format!("{}_aggregate_bool_exp", target.name));
            input = input.field(InputValue::new(format!("{}_aggregate", relationship.name), kind));
        }
    }
    input
}

fn order_by(catalogue: &Catalogue, table: &Table) -> InputObject {
    let mut input = InputObject::new(format!("{}_order_by", table.name));
    for column in readable(table) {
        input = input.field(InputValue::new(&column.name, TypeRef::named("order_by")));
    }
    for relationship in &table.relationships {
        let target = catalogue.table(relationship.target);
        if !target.exposed {
            continue;
        }
        let (name, kind) = match relationship.kind {
            RelationshipKind::One => (relationship.name.clone(), format!("{}_order_by", target.name)),
            RelationshipKind::Many => {
                (format!("{}_aggregate", relationship.name), format!("{}_aggregate_order_by", target.name))
            }
        };
        input = input.field(InputValue::new(name, TypeRef::named(kind)));
    }
    input
}

fn select_column(table: &Table, name: &str) -> Enum {
    readable(table)
        .fold(Enum::new(name), |known, column| known.item(EnumItem::new(&column.name)))
        .description(format!("A column of {}.", table.name))
}
