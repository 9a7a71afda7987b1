//! Answers `__schema` and `__type` with async-graphql, from the caller's schema.

use crate::compile::Introspect;
use crate::error::{GraphqlError, Path};
use crate::schema_per_role::SchemaPerRole;
use async_graphql_parser::Positioned;
use async_graphql_parser::types::{DocumentOperations, ExecutableDocument, Field, Selection};
use catalogue::Caller;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Answers the introspection fields of a request.
pub(crate) struct Introspection<'a> {
    pub schemas: &'a SchemaPerRole,
    pub caller: &'a Caller,
}

impl Introspect for Introspection<'_> {
    fn answer(
        &self,
        document: &ExecutableDocument,
        field: &Positioned<Field>,
        variables: Option<&serde_json::Map<String, serde_json::Value>>,
        path: &Path<'_>,
    ) -> Result<String, GraphqlError> {
        let mut document = document.clone();
        let mut lone = field.clone();
        lone.node.alias = None;
        let name = lone.node.name.node.to_string();
        keep_only(&mut document, lone);
        let mut request = async_graphql::Request::new("");
        request.set_parsed_query(document);
        if let Some(variables) = variables {
            let variables = variables.iter().filter(|(_, value)| is_short(value));
            let variables = variables.map(|(name, value)| (name.clone(), value.clone())).collect();
            request = request.variables(async_graphql::Variables::from_json(variables));
        }
        let schema = self.schemas.schema(self.caller).map_err(|error| path.invalid(error.to_string()))?;
        let response = ready(schema.execute(request));
        if let Some(error) = response.errors.first() {
            return Err(path.invalid(error.message.clone()));
        }
        let answer = match &response.data {
            async_graphql::Value::Object(fields) => fields.get(name.as_str()),
            _ => None,
        };
        // Serialised directly to text, which keeps the requested order of fields.
        serde_json::to_string(&answer).map_err(|error| path.invalid(error.to_string()))
    }
}

/// Whether a value can be an introspection argument: a type name or a flag.
fn is_short(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::String(text) => text.len() <= 1_000,
        value => !value.is_array() && !value.is_object(),
    }
}

/// Reduces the document to one operation with one field.
fn keep_only(document: &mut ExecutableDocument, field: Positioned<Field>) {
    let position = field.pos;
    let operation = match &mut document.operations {
        DocumentOperations::Single(operation) => operation.clone(),
        DocumentOperations::Multiple(operations) => {
            let Some(operation) = operations.values().next() else { return };
            operation.clone()
        }
    };
    let mut operation = operation;
    operation.node.selection_set.node.items = vec![Positioned::new(Selection::Field(field), position)];
    document.operations = DocumentOperations::Single(operation);
}

/// Runs a future that never waits: introspection only reads memory.
fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(answer) = future.as_mut().poll(&mut context) {
            return answer;
        }
    }
}
