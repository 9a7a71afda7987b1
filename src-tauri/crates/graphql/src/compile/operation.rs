//! Chooses the operation of a document, and determines the values of its variables.

use super::input::Input;
use super::parameters::Origin;
use crate::error::{GraphqlError, Path};
use async_graphql_parser::types::{DocumentOperations, ExecutableDocument, OperationDefinition};
use async_graphql_value::Name;
use std::collections::HashMap;

pub(super) struct Operation<'a> {
    pub definition: &'a OperationDefinition,
}

impl<'a> Operation<'a> {
    /// The operation with this name, or the only one.
    pub(super) fn choose(document: &'a ExecutableDocument, name: Option<&str>) -> Result<Self, GraphqlError> {
        let path = Path::ROOT.join("operationName");
        // Some clients send an empty name instead of none.
        let name = name.filter(|name| !name.is_empty());
        let definition = match (&document.operations, name) {
            (DocumentOperations::Single(operation), _) => operation,
            (DocumentOperations::Multiple(operations), Some(name)) => {
                operations.get(name).ok_or_else(|| {
                    let mut names: Vec<&str> = operations.keys().map(Name::as_str).collect();
                    names.sort_unstable();
                    path.invalid(format!(
                        "no such operation found in the document: \"{name}\". It has: {}",
                        names.join(", ")
                    ))
                })?
            }
            (DocumentOperations::Multiple(operations), None) if operations.len() == 1 => {
                operations.values().next().expect("there is one")
            }
            (DocumentOperations::Multiple(_), None) => {
                return Err(path.invalid(
                    "exactly one operation has to be present in the document when operationName is not specified",
                ));
            }
        };
        Ok(Self { definition: &definition.node })
    }

    /// The values of all declared variables: given, else the default, else `None`.
    pub(super) fn variables(
        &self,
        given: Option<&serde_json::Map<String, serde_json::Value>>,
    ) -> Result<HashMap<String, Option<Input>>, GraphqlError> {
        let mut values = HashMap::new();
        // Counted as in `parameters::shape_of`: over all given variables, declared or not.
        let mut leaves = 0;
        let mut next = || {
            leaves += 1;
            Origin::Leaf(leaves - 1)
        };
        let mut given: HashMap<&str, Input> = given
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.as_str(), Input::of_variable(value, &mut next)))
            .collect();
        for definition in &self.definition.variable_definitions {
            let name = definition.node.name.node.as_str();
            if values.contains_key(name) {
                let variables = Path::ROOT.join("variableValues");
                return Err(
                    variables.invalid(format!("there are several definitions of the variable \"{name}\""))
                );
            }
            let value = match given.remove(name) {
                Some(value) => Some(value),
                None => definition.node.default_value.as_ref().map(|value| Input::from(&value.node)),
            };
            let refused = match &value {
                None => "expecting a value for non-nullable variable",
                Some(Input::Null) => "null value found for non-nullable variable",
                Some(_) => "",
            };
            if !definition.node.var_type.node.nullable && !refused.is_empty() {
                let variables = Path::ROOT.join("variableValues");
                return Err(variables.invalid(format!("{refused}: \"{name}\"")));
            }
            values.insert(name.to_owned(), value);
        }
        Ok(values)
    }
}
