//! SQL functions that read and change cells that rows share.

use super::cells::{cell, damaged, owned, with};
use super::{Values, number};
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Error, Result};
use std::cell::RefCell;
use std::sync::Arc;

const PURE: FunctionFlags = FunctionFlags::SQLITE_UTF8.union(FunctionFlags::SQLITE_DETERMINISTIC);
/// Cells a connection keeps at hand: neighbours share most of theirs.
const AT_HAND: usize = 64;

/// Cells that were looked up last, by their number.
struct Hand {
    values: Arc<Values>,
    held: Vec<Option<(i64, Arc<[u8]>)>>,
}

impl Hand {
    fn new(values: &Arc<Values>) -> Self {
        Self { values: Arc::clone(values), held: vec![None; AT_HAND] }
    }

    /// The cells a row holds or refers to.
    fn cells<'h>(&'h mut self, held: ValueRef<'h>) -> Result<&'h [u8]> {
        match held {
            ValueRef::Null => Ok(&[]),
            ValueRef::Blob(cells) => Ok(cells),
            ValueRef::Integer(number) => {
                let place = usize::try_from(number.unsigned_abs() % AT_HAND as u64).unwrap_or_default();
                let slot = &mut self.held[place];
                if slot.as_ref().is_none_or(|(known, _)| *known != number) {
                    *slot = Some((number, self.values.get(number)?));
                }
                Ok(slot.as_ref().map(|(_, cells)| &**cells).unwrap_or_default())
            }
            ValueRef::Real(_) | ValueRef::Text(_) => Err(damaged()),
        }
    }
}

/// Makes the functions known to one connection; they look for cells in `values`.
pub(crate) fn register(connection: &Connection, values: &Arc<Values>) -> Result<()> {
    let hand = RefCell::new(Hand::new(values));
    connection.create_scalar_function("shared_cell", 2, PURE, move |context| {
        let place = place(context, 1)?;
        owned(cell(hand.borrow_mut().cells(context.get_raw(0))?, place)?)
    })?;
    let hand = RefCell::new(Hand::new(values));
    connection.create_scalar_function("shared_with", -1, PURE, move |context| {
        let changes: Vec<(usize, ValueRef<'_>)> = (1..context.len().saturating_sub(1))
            .step_by(2)
            .map(|argument| Ok((place(context, argument)?, context.get_raw(argument + 1))))
            .collect::<Result<_>>()?;
        let cells = with(hand.borrow_mut().cells(context.get_raw(0))?, &changes)?;
        Ok(if cells.is_empty() { Value::Null } else { Value::Blob(cells) })
    })?;
    // Stands in the statement that adds cells, so that the transaction finds what nobody else can see yet.
    let values = Arc::clone(values);
    connection.create_scalar_function("shared_noted", 1, FunctionFlags::SQLITE_UTF8, move |context| {
        let cells = context.get_raw(0).as_blob()?;
        values.note(number(cells), cells);
        Ok(cells.to_vec())
    })
}

fn place(context: &Context<'_>, argument: usize) -> Result<usize> {
    usize::try_from(context.get::<i64>(argument)?).map_err(|error| Error::UserFunctionError(Box::new(error)))
}
