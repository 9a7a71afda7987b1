//! JSONata: expressions that query and transform values, with limits on work, memory and nesting.
//!
//! Start at [`Expression::parse`]. The language is that of <https://docs.jsonata.org> except: functions of time and randomness (`$now`, `$random`),
//! `$eval`, the operators `%`, `@`, `#` and `|…|` on paths, partial application, and picture strings of numbers and times. Each of these is refused
//! by name when an expression is parsed. Evaluation has no side effects.

mod functions;
mod machine;
mod operators;
mod reader;
mod tree;
mod value;

#[cfg(test)]
mod tests;

use machine::Machine;
use serde_json::Value;
use tree::Node;

/// Maximum number of steps of an evaluation; creating a value counts as one, a text by its length.
const FUEL: u64 = 2_000_000;
/// Maximum recursion depth of the evaluation.
const DEEPEST: u32 = 220;
/// Maximum nesting of resulting lists and objects.
const DEEPEST_VALUE: u32 = 100;

/// A parsed expression.
#[derive(Debug)]
pub struct Expression(Node);

impl Expression {
    /// Parses an expression.
    ///
    /// # Errors
    /// The position and what was expected there.
    pub fn parse(text: &str) -> Result<Self, String> {
        reader::read(text).map(Self)
    }

    /// The result for an input; `None` for an undefined result.
    ///
    /// # Errors
    /// Why the evaluation failed.
    pub fn evaluate(&self, input: &Value) -> Result<Option<Value>, String> {
        let input = value::from_json(input, 0)?;
        let mut machine = Machine::new(input.clone());
        let found = machine.evaluate(&self.0, &input, 0)?;
        value::to_json(&found, &mut machine.fuel)
    }

    /// Whether an item meets the expression as a condition.
    ///
    /// # Errors
    /// Why the evaluation failed. A number is not a condition, since it would be an index into a list.
    pub fn holds(&self, item: &Value) -> Result<bool, String> {
        match self.evaluate(item)? {
            Some(Value::Number(number)) => Err(format!(
                "the condition gives the number {number}: expected a comparison, such as cpu > 80"
            )),
            Some(found) => Ok(value::from_json(&found, 0)?.is_true()),
            None => Ok(false),
        }
    }
}
