//! Finds the rows of one table whose names contain a text, best match first.

use super::kinds::Source;
use super::names::{self, NameHit};
use super::rank::{Rank, SearchText};
use crate::kit::{Key, Look, Part, text};
use catalogue::Value;
use graphql::Refusal;
use serde_json::{Value as Json, json};
use std::collections::{HashMap, HashSet};
use store::Transaction;
use store::query::{Filter, Operator, Test};

/// Up to this many matching rows are ranked in memory. If more match, one database query per rank is used instead.
const MAX_RANKED_IN_MEMORY: usize = 500;

/// A row that was found.
pub(super) struct Hit {
    pub rank: Rank,
    id: String,
    title: String,
    note: Option<String>,
    account: Json,
}

impl Hit {
    fn of(source: &Source, sought: &SearchText, row: &Json) -> Self {
        let filled = |column: &&'static str| Some(text(row, column)).filter(|text| !text.is_empty());
        let names = || source.names.iter().filter_map(filled);
        let title = names().next().unwrap_or_default().to_owned();
        let parts: Vec<&str> = source.word.into_iter().chain(source.note.iter().filter_map(filled)).collect();
        let note = Some(parts.join(", ")).filter(|note| !note.is_empty() && *note != title);
        let id = source.id.map_or_else(|| title.clone(), |column| text(row, column).to_owned());
        let account = source.account.map_or(Json::Null, |column| row[column].clone());
        Self { rank: sought.rank(names()), id, title, note, account }
    }

    /// The hit in the form the interface shows.
    pub(super) fn shown(self, kind: &str) -> Json {
        let Self { id, title, note, account, .. } = self;
        json!({ "kind": kind, "id": id, "title": title, "note": note, "account_id": account })
    }
}

/// Returns at most `limit` rows of a table, best match first.
pub(super) fn hits(
    rows: &Transaction<'_>,
    source: &Source,
    sought: &SearchText,
    limit: usize,
) -> Result<Vec<Hit>, Refusal> {
    if source.is_cached
        && rows.is_cached()
        && let Some(names) = names::of(rows, source)?
    {
        return cached_hits(rows, source, sought, &names.best(sought, limit));
    }
    let like = |pattern: String| Test::Compare(Operator::LikeAnyCase, Value::Text(pattern));
    let pattern = sought.pattern();
    let anywhere: Vec<Test> = sought.patterns().map(|pattern| like(format!("%{pattern}%"))).collect();
    let found = read(rows, source, &anywhere, MAX_RANKED_IN_MEMORY)?;
    let hits = found.iter().map(|row| Hit::of(source, sought, row));
    let mut hits: Vec<Hit> = if found.len() < MAX_RANKED_IN_MEMORY {
        hits.collect()
    } else {
        let word = Test::Compare(Operator::RegexAnyCase, Value::Text(sought.word()));
        let mut best = Vec::new();
        for test in [like(pattern.clone()), like(format!("{pattern}%")), word] {
            best.extend(read(rows, source, &[test], limit)?.iter().map(|row| Hit::of(source, sought, row)));
        }
        best.into_iter().chain(hits).collect()
    };
    // Several tests can find the same row: keep only the first.
    hits.sort_by_key(|hit| hit.rank);
    let mut seen = HashSet::new();
    hits.retain(|hit| seen.insert((hit.id.clone(), hit.account.to_string())));
    hits.truncate(limit);
    Ok(hits)
}

/// Reads the rows behind hits from the in-memory names, in the order of the hits.
fn cached_hits(
    rows: &Transaction<'_>,
    source: &Source,
    sought: &SearchText,
    best: &[NameHit<'_>],
) -> Result<Vec<Hit>, Refusal> {
    let Some(id) = source.id else {
        let row = |found: &NameHit<'_>| json!({ source.names[0]: found.text });
        return Ok(best.iter().map(|found| Hit::of(source, sought, &row(found))).collect());
    };
    let ids = best.iter().map(|found| Value::Uuid(found.id)).collect();
    let read = Look::at(rows, source.table)?.one_of(id, ids)?.rows(&columns(source, id))?;
    let hit = |row: &Json| Hit::of(source, sought, row);
    let mut hits: HashMap<String, Hit> = read.iter().map(hit).map(|hit| (hit.id.clone(), hit)).collect();
    Ok(best.iter().filter_map(|found| hits.remove(&found.id.to_string())).collect())
}

/// Reads the rows in which each test is passed by at least one of the names.
fn read(rows: &Transaction<'_>, source: &Source, tests: &[Test], limit: usize) -> Result<Vec<Json>, Refusal> {
    let mut look = Look::at(rows, source.table)?.limit(limit as u64);
    for test in tests {
        let passes = source.names.iter().map(|name| look.condition(name, test.clone()));
        let passes = Filter::Or(passes.collect::<Result<_, _>>()?);
        look = look.meeting(passes);
    }
    if let Some(column) = source.without {
        look = look.that(column, Test::IsNull)?;
    }
    let Some(id) = source.id else {
        let name = Key::Column(source.names[0]);
        return look.grouped(&[(source.names[0], Part::Key(name))], &[(Part::Key(name), false)]);
    };
    let (column, is_descending) = source.order;
    let direction = if is_descending { "desc_nulls_last" } else { "asc_nulls_last" };
    look.ordered_as(column, direction)?.ordered(id, false)?.rows(&columns(source, id))
}

/// The columns needed to show a row, without duplicates.
fn columns(source: &Source, id: &'static str) -> Vec<&'static str> {
    let mut columns = vec![id];
    for column in source.names.iter().chain(source.note).chain(source.account.as_ref()) {
        if !columns.contains(column) {
            columns.push(column);
        }
    }
    columns
}
