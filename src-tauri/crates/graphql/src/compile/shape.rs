//! Writes the result of an operation as the request selects it.

use super::Compiler;
use super::arguments::no_arguments;
use super::selection::ChosenField;
use crate::error::{GraphqlError, Path};
use crate::operations::Selection;
use async_graphql_parser::types::SelectionSet;
use catalogue::{Member, TypeBase, TypeShape, TypeUse};
use serde_json::Value;

/// A declared type with the selection on it.
pub(super) struct Shape {
    kind: TypeUse,
    /// For an object: the selected fields, in order.
    fields: Option<Vec<Field>>,
}

struct Field {
    key: String,
    what: What,
}

enum What {
    /// `__typename`
    Text(String),
    Member(String, Shape),
}

impl Compiler<'_> {
    pub(super) fn shape(
        &self,
        kind: &TypeUse,
        sets: &[&SelectionSet],
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<Shape, GraphqlError> {
        let name = kind.name();
        let shape = self.catalogue.find_type(name).map(|plain| &plain.shape);
        let Some(TypeShape::Object(members)) = shape else {
            if chosen.sets.iter().any(|set| !set.items.is_empty()) {
                return Err(path
                    .invalid(format!("unexpected subselection set for non-object field of type '{name}'")));
            }
            return Ok(Shape { kind: kind.clone(), fields: None });
        };
        let path = path.join("selectionSet");
        let field = |chosen: &ChosenField<'_>| {
            let what = self.member(name, members, chosen, &path)?;
            Ok(Field { key: chosen.key.to_owned(), what })
        };
        let fields = self.some(sets, name, &path)?.iter().map(field).collect::<Result<_, GraphqlError>>()?;
        Ok(Shape { kind: kind.clone(), fields: Some(fields) })
    }

    fn member(
        &self,
        type_name: &str,
        members: &[Member],
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<What, GraphqlError> {
        let name = chosen.field.node.name.node.as_str();
        let place = path.join(name);
        no_arguments(chosen, &place)?;
        if name == "__typename" {
            return Ok(What::Text(type_name.to_owned()));
        }
        let member = members
            .iter()
            .find(|member| member.name == name)
            .ok_or_else(|| place.invalid(format!("field '{name}' not found in type: '{type_name}'")))?;
        let shape = self.shape(&member.kind, &chosen.sets, chosen, &place)?;
        Ok(What::Member(name.to_owned(), shape))
    }
}

impl Shape {
    /// Writes the selected parts of the value. The error states where the value does not match its declared type.
    pub(super) fn write(&self, value: &Value, out: &mut String) -> Result<(), String> {
        self.write_as(&self.kind, value, out)
    }

    fn write_as(&self, kind: &TypeUse, value: &Value, out: &mut String) -> Result<(), String> {
        if value.is_null() {
            if !kind.nullable {
                return Err(format!("null where {kind} is declared"));
            }
            out.push_str("null");
            return Ok(());
        }
        match (&kind.base, value) {
            (TypeBase::List(item), Value::Array(values)) => self.list(item, values, out),
            (TypeBase::List(item), single) => self.list(item, std::slice::from_ref(single), out),
            (TypeBase::Named(_), value) => match (&self.fields, value) {
                (None, value) => {
                    out.push_str(&value.to_string());
                    Ok(())
                }
                (Some(fields), Value::Object(_)) => object(fields, value, out),
                // The interface declares some lists as a single object (semantics §1); its clients expect the list.
                (Some(_), Value::Array(values)) => self.list(kind, values, out),
                (Some(_), value) => Err(format!("{value} where {kind} is declared")),
            },
        }
    }

    fn list(&self, item: &TypeUse, values: &[Value], out: &mut String) -> Result<(), String> {
        out.push('[');
        for (place, value) in values.iter().enumerate() {
            if place > 0 {
                out.push(',');
            }
            self.write_as(item, value, out)?;
        }
        out.push(']');
        Ok(())
    }
}

impl Selection for Shape {
    fn has(&self, path: &[&str]) -> bool {
        let Some((first, rest)) = path.split_first() else { return true };
        self.fields
            .iter()
            .flatten()
            .any(|field| matches!(&field.what, What::Member(name, shape) if name == first && shape.has(rest)))
    }
}

fn object(fields: &[Field], value: &Value, out: &mut String) -> Result<(), String> {
    out.push('{');
    for (place, field) in fields.iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        out.push_str(&Value::from(field.key.as_str()).to_string());
        out.push(':');
        match &field.what {
            What::Text(text) => out.push_str(&Value::from(text.as_str()).to_string()),
            What::Member(name, shape) => {
                let value = value.get(name).unwrap_or(&Value::Null);
                shape.write(value, out).map_err(|wrong| format!("{name}: {wrong}"))?;
            }
        }
    }
    out.push('}');
    Ok(())
}
