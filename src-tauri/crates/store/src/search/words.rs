//! Full-text search by words.

use super::layout::Layout;
use crate::StoreError;
use crate::driver::db::Db;
use crate::driver::sqlite::store_error;
use crate::rows::{Condition, Transaction};
use uuid::Uuid;

/// Maximum number of words of a query that are used.
const MOST_WORDS: usize = 24;
/// Maximum number of rows that are ranked: the rarest words of a query are used first, until they match this many rows.
const MOST_RANKED: i64 = 20_000;

impl Transaction<'_> {
    /// Keys of rows whose text contains one of the query's words, best match first (BM25). Words that nearly every row has are used only
    /// if there are no rarer ones. A query without words finds nothing.
    pub fn find_words(
        &self,
        table: &str,
        conditions: &[Condition<'_>],
        question: &str,
        limit: usize,
    ) -> Result<Vec<Uuid>, StoreError> {
        let layout = self.searched(table)?;
        let words = chosen(self.connection(), &layout, question).map_err(store_error)?;
        if words.is_empty() {
            return Ok(Vec::new());
        }
        if let Db::Postgres(_) = self.connection() {
            let sql = |wheres: &str, place: usize| {
                let and = if wheres.is_empty() { " WHERE" } else { " AND" };
                let (words, question) =
                    (layout.vector("t"), format!("to_tsquery('simple', text_plain(?{place}))"));
                format!(
                    "SELECT t.\"{key}\" FROM \"{}\" t{wheres}{and} {words} @@ {question} \
                     ORDER BY ts_rank({words}, {question}) DESC, t.\"{key}\" LIMIT {limit}",
                    layout.table.name,
                    key = layout.key(),
                )
            };
            return self.keys(table, conditions, sql, &words.join(" | "));
        }
        let phrase: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let fits = layout.name("words");
        let sql = |wheres: &str, place: usize| {
            let and = if wheres.is_empty() { " WHERE" } else { " AND" };
            format!(
                "SELECT t.\"{}\" FROM {fits} w JOIN \"{}\" t ON t.rowid = w.rowid{wheres}{and} {fits} MATCH ?{place} \
                 ORDER BY w.rank, t.\"{0}\" LIMIT {limit}",
                layout.key(),
                layout.table.name
            )
        };
        self.keys(table, conditions, sql, &phrase.join(" OR "))
    }
}

/// The distinct words of the query in lower case, rarest first.
fn chosen(connection: Db<'_>, layout: &Layout<'_>, question: &str) -> rusqlite::Result<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let said =
        question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && word.len() <= 64);
    for word in said.map(str::to_lowercase) {
        if !words.contains(&word) {
            words.push(word);
        }
        if words.len() == MOST_WORDS {
            break;
        }
    }
    if let Db::Postgres(_) = connection {
        return Ok(words);
    }
    let sql = format!("SELECT doc FROM {} WHERE term = ?1", layout.name("terms"));
    let mut count = connection.prepare_cached(&sql)?;
    let mut counted = Vec::with_capacity(words.len());
    for word in words {
        // A word that is written differently in the index (accents) is counted as rare.
        count.bind(1, &word)?;
        let rows: i64 = count.first()?.unwrap_or_default();
        counted.push((rows, word));
    }
    counted.sort();
    let mut sum = 0;
    let few = counted.into_iter().enumerate().take_while(|(place, (rows, _))| {
        sum += rows;
        *place == 0 || sum <= MOST_RANKED
    });
    Ok(few.map(|(_, (_, word))| word).collect())
}
