//! SQL functions that read and change shared cells.

use super::cells::{Cells, damaged, with};
use super::{Values, number};
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{ToSql, ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Error, Result};
use std::cell::RefCell;
use std::sync::Arc;

const PURE: FunctionFlags = FunctionFlags::SQLITE_UTF8.union(FunctionFlags::SQLITE_DETERMINISTIC);
/// Number of shared values cached per connection: neighbouring rows share most of theirs.
const AT_HAND: usize = 64;
/// Number of unshared values cached: as many as a table has groups.
const OWN_AT_HAND: usize = 4;

/// The most recently used cells: shared ones by number, and those stored in the current row, which is read one column after the other.
struct CellCache {
    values: Arc<Values>,
    shared: Vec<Option<(i64, Arc<Cells>)>>,
    own: [Option<Arc<Cells>>; OWN_AT_HAND],
    next_own: usize,
    none: Arc<Cells>,
}

impl CellCache {
    fn new(values: &Arc<Values>) -> Result<Self> {
        let none = Arc::new(Cells::split(&[])?);
        let shared = vec![None; AT_HAND];
        Ok(Self { values: Arc::clone(values), shared, own: Default::default(), next_own: 0, none })
    }

    /// The cells that a row stores or refers to.
    fn cells(&mut self, held: ValueRef<'_>) -> Result<&Arc<Cells>> {
        match held {
            ValueRef::Null => Ok(&self.none),
            ValueRef::Blob(cells) => self.own(cells),
            ValueRef::Integer(number) => self.shared(number),
            ValueRef::Real(_) | ValueRef::Text(_) => Err(damaged()),
        }
    }

    fn shared(&mut self, number: i64) -> Result<&Arc<Cells>> {
        let place = usize::try_from(number.unsigned_abs() % AT_HAND as u64).unwrap_or_default();
        let slot = &mut self.shared[place];
        let cells = match slot.take() {
            Some((known, cells)) if known == number => cells,
            _ => self.values.get(number)?,
        };
        Ok(&slot.insert((number, cells)).1)
    }

    fn own(&mut self, cells: &[u8]) -> Result<&Arc<Cells>> {
        let is_known = |own: &Option<Arc<Cells>>| own.as_ref().is_some_and(|own| own.packed() == cells);
        if let Some(place) = self.own.iter().position(is_known) {
            return Ok(self.own[place].as_ref().unwrap_or(&self.none));
        }
        self.next_own = (self.next_own + 1) % OWN_AT_HAND;
        Ok(self.own[self.next_own].insert(Arc::new(Cells::split(cells)?)))
    }
}

/// One of the cells, as the result of an SQL function.
struct OneCell {
    cells: Arc<Cells>,
    place: usize,
}

impl ToSql for OneCell {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        self.cells.at(self.place).map(ToSqlOutput::Borrowed)
    }
}

/// Registers the functions on a connection; they look up cells in `values`.
pub(crate) fn register(connection: &Connection, values: &Arc<Values>) -> Result<()> {
    let hand = RefCell::new(CellCache::new(values)?);
    connection.create_scalar_function("shared_cell", 2, PURE, move |context| {
        let place = place(context, 1)?;
        let cells = Arc::clone(hand.borrow_mut().cells(context.get_raw(0))?);
        Ok(OneCell { cells, place })
    })?;
    let hand = RefCell::new(CellCache::new(values)?);
    connection.create_scalar_function("shared_with", -1, PURE, move |context| {
        let changes: Vec<(usize, ValueRef<'_>)> = (1..context.len().saturating_sub(1))
            .step_by(2)
            .map(|argument| Ok((place(context, argument)?, context.get_raw(argument + 1))))
            .collect::<Result<_>>()?;
        let cells = with(hand.borrow_mut().cells(context.get_raw(0))?.packed(), &changes)?;
        Ok(if cells.is_empty() { Value::Null } else { Value::Blob(cells) })
    })?;
    // Used in the statement that adds cells, so that the transaction finds cells that other connections cannot see yet.
    let values = Arc::clone(values);
    connection.create_scalar_function("shared_noted", 1, FunctionFlags::SQLITE_UTF8, move |context| {
        let cells = context.get_raw(0).as_blob()?;
        values.note(number(cells), cells)?;
        Ok(cells.to_vec())
    })
}

fn place(context: &Context<'_>, argument: usize) -> Result<usize> {
    usize::try_from(context.get::<i64>(argument)?).map_err(|error| Error::UserFunctionError(Box::new(error)))
}
