//! What other rows tell of values, remembered by the connection that asked them, until somebody commits.

use catalogue::TableId;
use rusqlite::Connection;
use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;
use uuid::Uuid;

/// Questions remembered at once.
const KEPT: usize = 8;

/// The answers one connection remembers.
#[derive(Debug, Default)]
pub(crate) struct AnswerMemo(RefCell<MemoEntries>);

#[derive(Debug, Default)]
struct MemoEntries {
    version: i64,
    answers: Vec<(Question, Arc<dyn Any + Send + Sync>)>,
}

/// What was asked of every value of a dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    pub sql: String,
    pub tenant: Option<Uuid>,
    pub table: TableId,
    /// Its column.
    pub slot: usize,
    /// Which values these were.
    pub epoch: i64,
    pub values: usize,
}

impl AnswerMemo {
    /// The answer to a question in the transaction that is open: remembered, or else as `ask` finds it.
    pub(crate) fn answer<T: Any + Send + Sync, E: From<rusqlite::Error>>(
        &self,
        connection: &Connection,
        question: Question,
        ask: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        // Another number than before as soon as this transaction sees what anybody else has committed; who only reads commits nothing.
        let version = connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        {
            let mut kept = self.0.borrow_mut();
            if kept.version != version {
                *kept = MemoEntries { version, answers: Vec::new() };
            }
            let known = kept.answers.iter().find(|(known, _)| *known == question);
            if let Some(answer) = known.and_then(|(_, answer)| Arc::clone(answer).downcast().ok()) {
                return Ok(answer);
            }
        }
        let answer = Arc::new(ask()?);
        let mut kept = self.0.borrow_mut();
        if kept.answers.len() >= KEPT {
            kept.answers.remove(0);
        }
        kept.answers.push((question, Arc::<T>::clone(&answer)));
        Ok(answer)
    }
}
