//! Coerces arguments of operations to their declared types: scalars, enums, inputs, lists.

use super::Compiler;
use super::input::Input;
use super::scalar::read_as;
use crate::error::{GraphqlError, Path};
use catalogue::{Member, Scalar, TypeBase, TypeShape, TypeUse, Value, scalar};
use serde_json::{Map, Value as Json};

impl Compiler<'_> {
    /// The value as JSON of the type, with defaults; a single value becomes a list where a list is declared.
    pub(super) fn coerce(
        &self,
        kind: &TypeUse,
        input: &Input,
        path: &Path<'_>,
    ) -> Result<Json, GraphqlError> {
        if *input == Input::Null {
            let unexpected = || path.invalid(format!("unexpected null value for type '{}'", kind.name()));
            return if kind.nullable { Ok(Json::Null) } else { Err(unexpected()) };
        }
        match &kind.base {
            TypeBase::List(item) => {
                input.each(path, |member, path| self.coerce(item, member, path)).map(Json::Array)
            }
            TypeBase::Named(name) => self.coerce_named(name, input, path),
        }
    }

    fn coerce_named(&self, name: &str, input: &Input, path: &Path<'_>) -> Result<Json, GraphqlError> {
        if let Some(scalar) = scalar(name) {
            return self.coerce_scalar(name, &scalar, input, path);
        }
        match self.catalogue.find_type(name).map(|plain| &plain.shape) {
            Some(TypeShape::Input(members)) => self.coerce_object(name, members, input, path),
            Some(_) => Ok(input.to_json()),
            None => {
                let scalar = Scalar::Enum { name: name.to_owned(), lookup: None };
                self.coerce_scalar(name, &scalar, input, path)
            }
        }
    }

    fn coerce_object(
        &self,
        name: &str,
        members: &[Member],
        input: &Input,
        path: &Path<'_>,
    ) -> Result<Json, GraphqlError> {
        let entries = input.entries(path)?;
        if let Some((unknown, _)) =
            entries.iter().find(|(given, _)| !members.iter().any(|member| member.name == *given))
        {
            let place = path.join(unknown);
            return Err(place.invalid(format!("field '{unknown}' not found in type: '{name}'")));
        }
        let mut object = Map::new();
        for member in members {
            let given = entries.iter().find(|(given, _)| *given == member.name).map(|(_, value)| value);
            let default = member.default.as_ref().map(Input::from);
            match given.or(default.as_ref()) {
                Some(value) => {
                    let value = self.coerce(&member.kind, value, &path.join(&member.name))?;
                    object.insert(member.name.clone(), value);
                }
                None if member.kind.nullable => {}
                None => return Err(path.invalid(format!("missing required field '{}'", member.name))),
            }
        }
        Ok(Json::Object(object))
    }

    fn coerce_scalar(
        &self,
        name: &str,
        scalar: &Scalar,
        input: &Input,
        path: &Path<'_>,
    ) -> Result<Json, GraphqlError> {
        // An ID may be written as a number.
        if let (true, Input::Number(number)) = (name == "ID", input) {
            return Ok(number.to_string().into());
        }
        let value = read_as(self.catalogue, (scalar, name, false), input, path)?;
        Ok(match value {
            Value::Uuid(uuid) => uuid.to_string().into(),
            Value::Int(number) => number.into(),
            Value::Text(text) => text.into(),
            // The number may have been sent as text.
            Value::Float(_) | Value::Decimal(_) => match input {
                Input::Text(text) => text.parse().map_or(Json::Null, Json::Number),
                other => other.to_json(),
            },
            _ => input.to_json(),
        })
    }
}
