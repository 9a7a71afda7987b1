//! Schema types for operations: root fields implemented in code, and the types that only they use.

use super::{Part, enum_of, field};
use async_graphql::Value;
use async_graphql::dynamic::{
    Field, InputObject, InputValue, Object, Scalar as ScalarType, SchemaBuilder, TypeRef,
};
use catalogue::{Catalogue, Member, Operation, TypeBase, TypeShape, TypeUse, scalar};
use std::collections::BTreeSet;

/// The names of all types that the catalogue's operations use.
fn used(catalogue: &Catalogue) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = Vec::new();
    for operation in &catalogue.operations {
        open.push(operation.answer.name());
        open.extend(operation.arguments.iter().map(|argument| argument.kind.name()));
    }
    while let Some(name) = open.pop() {
        if !found.insert(name) {
            continue;
        }
        if let Some(TypeShape::Object(members) | TypeShape::Input(members)) =
            catalogue.find_type(name).map(|plain| &plain.shape)
        {
            open.extend(members.iter().map(|member| member.kind.name()));
        }
    }
    found
}

/// Scalars that no column has, with descriptions.
const SCALARS: [(&str, &str); 2] =
    [("Datetime", "A time in UTC, as 2026-11-20T06:38:00."), ("Json", "Any JSON.")];

/// Registers the types of the operations.
pub(super) fn register(mut builder: SchemaBuilder, catalogue: &Catalogue) -> SchemaBuilder {
    for name in used(catalogue) {
        let Some(plain) = catalogue.find_type(name) else {
            let known = SCALARS.iter().find(|(scalar, _)| *scalar == name);
            builder = match known {
                Some((name, description)) => {
                    builder.register(ScalarType::new(*name).description(*description))
                }
                None if scalar(name).is_none() => builder.register(enum_of(catalogue, name)),
                None => builder,
            };
            continue;
        };
        builder = match &plain.shape {
            TypeShape::Scalar => {
                let known = ScalarType::new(name);
                let described = plain.description.as_str();
                builder.register(if described.is_empty() { known } else { known.description(described) })
            }
            TypeShape::Object(members) => {
                let known = members.iter().fold(Object::new(name), |object, member| {
                    object.field(field(&member.name, type_ref(&member.kind), &member.description))
                });
                let described = plain.description.as_str();
                Part::Object(if described.is_empty() { known } else { known.description(described) })
                    .register(builder)
            }
            TypeShape::Input(members) => {
                let known =
                    members.iter().fold(InputObject::new(name), |input, member| input.field(value(member)));
                let described = plain.description.as_str();
                Part::Input(if described.is_empty() { known } else { known.description(described) })
                    .register(builder)
            }
        };
    }
    builder
}

/// The root field of an operation.
pub(super) fn root_field(operation: &Operation) -> Field {
    let known = field(&operation.name, type_ref(&operation.answer), &operation.description);
    operation.arguments.iter().fold(known, |field, argument| field.argument(value(argument)))
}

fn value(member: &Member) -> InputValue {
    let mut known = InputValue::new(&member.name, type_ref(&member.kind));
    if !member.description.is_empty() {
        known = known.description(&member.description);
    }
    match member.default.as_ref().map(|default| Value::from_json(default.clone())) {
        Some(Ok(default)) => known.default_value(default),
        _ => known,
    }
}

fn type_ref(kind: &TypeUse) -> TypeRef {
    let base = match &kind.base {
        TypeBase::Named(name) => TypeRef::named(name),
        TypeBase::List(item) => TypeRef::List(Box::new(type_ref(item))),
    };
    if kind.nullable { base } else { TypeRef::NonNull(Box::new(base)) }
}
