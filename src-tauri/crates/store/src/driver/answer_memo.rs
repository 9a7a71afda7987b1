//! Caches per connection what other tables say about the values of a dictionary. Invalidated by any commit.

use catalogue::TableId;
use rusqlite::Connection;
use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;
use uuid::Uuid;

/// Maximum number of cached answers.
const CAPACITY: usize = 8;

/// The answers cached by one connection.
#[derive(Debug, Default)]
pub(crate) struct AnswerMemo(RefCell<MemoEntries>);

#[derive(Debug, Default)]
struct MemoEntries {
    version: i64,
    answers: Vec<(Question, Arc<dyn Any + Send + Sync>)>,
}

/// The key of a cached answer: a query about all values of a dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    pub sql: String,
    pub tenant: Option<Uuid>,
    pub table: TableId,
    /// The column whose values are asked about.
    pub slot: usize,
    /// The version of the dictionary.
    pub epoch: i64,
    pub values: usize,
}

impl AnswerMemo {
    /// The answer to a question in the open transaction: from the cache, or computed by `ask`.
    pub(crate) fn answer<T: Any + Send + Sync, E: From<rusqlite::Error>>(
        &self,
        connection: &Connection,
        question: Question,
        ask: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        // This number changes as soon as the transaction sees a commit by another connection. A reader commits nothing itself.
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
        if kept.answers.len() >= CAPACITY {
            kept.answers.remove(0);
        }
        kept.answers.push((question, Arc::<T>::clone(&answer)));
        Ok(answer)
    }
}
