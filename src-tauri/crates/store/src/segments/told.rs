//! What other rows tell of values, remembered by the connection that asked them, until somebody commits.

use super::layout::Slot;
use super::values::DerivedTexts;
use catalogue::TableId;
use rusqlite::Connection;
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
    answers: Vec<(Question, Arc<DerivedTexts>)>,
}

/// What was asked of every value of a dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    pub sql: String,
    pub tenant: Option<Uuid>,
    pub table: TableId,
    pub slot: Slot,
    /// Which values these were.
    pub epoch: i64,
    pub values: usize,
}

impl AnswerMemo {
    /// The answer to a question in the transaction that is open: remembered, or else as `ask` finds it.
    pub(super) fn answer<E: From<rusqlite::Error>>(
        &self,
        connection: &Connection,
        question: Question,
        ask: impl FnOnce() -> Result<DerivedTexts, E>,
    ) -> Result<Arc<DerivedTexts>, E> {
        // Another number than before as soon as this transaction sees what anybody else has committed; who only reads commits nothing.
        let version = connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        {
            let mut kept = self.0.borrow_mut();
            if kept.version != version {
                *kept = MemoEntries { version, answers: Vec::new() };
            }
            if let Some((_, known)) = kept.answers.iter().find(|(known, _)| *known == question) {
                return Ok(Arc::clone(known));
            }
        }
        let answer = Arc::new(ask()?);
        let mut kept = self.0.borrow_mut();
        if kept.answers.len() >= KEPT {
            kept.answers.remove(0);
        }
        kept.answers.push((question, Arc::clone(&answer)));
        Ok(answer)
    }
}
