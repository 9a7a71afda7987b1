//! JSONata: expressions that find and reshape values, with a bound on work, memory and nesting.
//!
//! Start at [`Expression::parse`]. The language is that of <https://docs.jsonata.org> without what needs a clock or chance (`$now`, `$random`), `$eval`, the
//! operators `%`, `@`, `#` and `|…|` on paths, partial application, and pictures of numbers and times; each is refused by its name when an expression is
//! read. Nothing is read or written.

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

/// Steps that one evaluation may take; a value that is made counts as one, a text by its length.
const FUEL: u64 = 2_000_000;
/// How deep evaluation may call itself.
const DEEPEST: u32 = 220;
/// How deep lists and objects may be nested in what is made.
const DEEPEST_VALUE: u32 = 100;

/// An expression that was understood.
#[derive(Debug)]
pub struct Expression(Node);

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// What was expected where.
    pub fn parse(text: &str) -> Result<Self, String> {
        reader::read(text).map(Self)
    }

    /// What it gives for a value; none where nothing is there.
    ///
    /// # Errors
    /// What could not be done.
    pub fn evaluate(&self, input: &Value) -> Result<Option<Value>, String> {
        let input = value::from_json(input, 0)?;
        let mut machine = Machine::new(input.clone());
        let found = machine.evaluate(&self.0, &input, 0)?;
        value::to_json(&found, &mut machine.fuel)
    }

    /// Whether a value meets it as a condition.
    ///
    /// # Errors
    /// What could not be done; a number is no condition, since it would be a place in a list.
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
