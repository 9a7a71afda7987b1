//! Compiles root fields implemented in code: checks the arguments, stores the selection, and passes the code to the store.

use super::Compiler;
use super::arguments::unexpected;
use super::input::Input;
use super::selection::ChosenField;
use super::shape::Shape;
use crate::Engine;
use crate::error::{GraphqlError, Path};
use crate::operations::{Call, Operations, PreTransactionCall, ReadAhead, Refusal};
use catalogue::{Caller, Operation, Role, Root};
use serde_json::{Map, Value};
use std::any::Any;
use std::sync::{Arc, OnceLock};
use store::{Cancel, Code, StoreError, Transaction, Work};

impl Compiler<'_> {
    pub(super) fn call(
        &self,
        operation: &Operation,
        chosen: &ChosenField<'_>,
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
        Ok(Code(Arc::new(PreparedCall {
            operations: Arc::clone(self.operations),
            root: operation.root,
            name: operation.name.clone(),
            arguments,
            answer: self.shape(&operation.answer, &chosen.sets, chosen, path)?,
            place: path.to_string(),
            answered: OnceLock::new(),
            read_ahead: OnceLock::new(),
        })))
    }
}

impl Compiler<'_> {
    /// An operation for which the caller has no role. Refused when it runs, so that its sibling fields are still answered.
    pub(super) fn forbidden(&self, operation: &Operation, path: &Path<'_>) -> Code {
        Code(Arc::new(Forbidden {
            place: path.to_string(),
            role: self.roots.role,
            allowed: operation.roles.clone(),
        }))
    }
}

/// A refused call.
struct Forbidden {
    place: String,
    role: Role,
    allowed: Vec<Role>,
}

impl Work for Forbidden {
    fn run(&self, _: &Transaction<'_>) -> Result<String, StoreError> {
        Err(StoreError::Forbidden {
            place: self.place.clone(),
            role: self.role.name(),
            allowed: self.allowed.iter().map(|role| role.name()).collect(),
        })
    }
}

/// A call with its arguments and selection.
struct PreparedCall {
    operations: Arc<dyn Operations>,
    root: Root,
    name: String,
    arguments: Map<String, Value>,
    answer: Shape,
    place: String,
    /// The answer computed before the transaction, if any.
    answered: OnceLock<Result<Value, Refusal>>,
    /// Data read before the transaction, if any.
    read_ahead: OnceLock<ReadAhead>,
}

/// Lets code answer before the snapshot or transaction starts, if it supports that. Only an operation that is alone in its request may
/// read ahead.
pub(crate) fn resolve_before_transaction(
    code: &Code,
    engine: &Engine,
    caller: &Caller,
    cancel: &Cancel,
    is_alone: bool,
) {
    let work: &dyn Any = code.0.as_ref();
    let Some(found) = work.downcast_ref::<PreparedCall>() else { return };
    let ahead = PreTransactionCall {
        name: &found.name,
        root: found.root,
        arguments: &found.arguments,
        caller,
        engine,
        cancel,
    };
    if let Some(answer) = found.operations.resolve_before_transaction(&ahead) {
        let _ = found.answered.set(answer);
    } else if is_alone && let Some(read) = found.operations.read_ahead(&ahead) {
        let _ = found.read_ahead.set(read);
    }
}

impl Work for PreparedCall {
    fn run(&self, rows: &Transaction<'_>) -> Result<String, StoreError> {
        let call = Call {
            name: &self.name,
            root: self.root,
            arguments: &self.arguments,
            caller: rows.caller(),
            rows,
            now: rows.now(),
            selection: &self.answer,
            read_ahead: self.read_ahead.get(),
        };
        let refused = |refusal: Refusal| refusal.with_position(self.place.clone());
        let answer = match self.answered.get() {
            Some(answered) => answered.clone(),
            None => self.operations.call(&call),
        };
        let answer = answer.map_err(refused)?;
        let mut out = String::new();
        let broken = |wrong: String| {
            Refusal::new("unexpected", format!("operation {}: {wrong}", self.name))
                .with_position(self.place.clone())
        };
        self.answer.write(&answer, &mut out).map_err(broken)?;
        Ok(out)
    }
}
