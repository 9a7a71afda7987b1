//! Root fields with code: arguments checked, the selection remembered, the code put where the store runs it.

use super::Compiler;
use super::arguments::unexpected;
use super::input::Input;
use super::selection::Chosen;
use super::shape::Shape;
use crate::error::{GraphqlError, Path};
use crate::operations::{Call, Operations, Refusal};
use catalogue::{Operation, Root};
use serde_json::{Map, Value};
use std::sync::Arc;
use store::{Code, StoreError, Transaction, Work};

impl Compiler<'_> {
    pub(super) fn call(
        &self,
        operation: &Operation,
        chosen: &Chosen<'_>,
        path: &Path<'_>,
    ) -> Result<Code, GraphqlError> {
        let place = path.join("args");
        let given = self.arguments(chosen, &place)?;
        if let Some((name, _)) =
            given.iter().find(|(name, _)| !operation.arguments.iter().any(|known| known.name == *name))
        {
            return Err(unexpected(chosen, name, &place));
        }
        let mut arguments = Map::new();
        for member in &operation.arguments {
            let value = given.iter().find(|(name, _)| *name == member.name).map(|(_, value)| value);
            let default = member.default.as_ref().map(Input::from);
            match value.or(default.as_ref()) {
                Some(value) => {
                    let value = self.coerce(&member.kind, value, &place.join(&member.name))?;
                    arguments.insert(member.name.clone(), value);
                }
                None if member.kind.nullable => {}
                None => {
                    return Err(place.invalid(format!("missing required argument '{}'", member.name)));
                }
            }
        }
        Ok(Code(Arc::new(Called {
            operations: Arc::clone(self.operations),
            root: operation.root,
            name: operation.name.clone(),
            arguments,
            answer: self.shape(&operation.answer, &chosen.sets, chosen, path)?,
            place: path.to_string(),
        })))
    }
}

/// One call, ready to be made.
struct Called {
    operations: Arc<dyn Operations>,
    root: Root,
    name: String,
    arguments: Map<String, Value>,
    answer: Shape,
    place: String,
}

impl Work for Called {
    fn run(&self, rows: &Transaction<'_>) -> Result<String, StoreError> {
        let call = Call {
            name: &self.name,
            root: self.root,
            arguments: &self.arguments,
            caller: rows.caller(),
            rows,
            now: rows.now(),
            selection: &self.answer,
        };
        let refused = |refusal: Refusal| refusal.at(self.place.clone());
        let answer = self.operations.call(&call).map_err(refused)?;
        let mut out = String::new();
        let broken = |wrong: String| {
            Refusal::new("unexpected", format!("operation {}: {wrong}", self.name)).at(self.place.clone())
        };
        self.answer.write(&answer, &mut out).map_err(broken)?;
        Ok(out)
    }
}
