//! Handles `search_everything`: finds objects of any kind by a text in their names.
//!
//! Each kind ([`kinds`]) is searched separately and has its own limit. All searches use the snapshot of the request,
//! and the store excludes rows that the caller may not read. [`rank`] decides which of two names matches better.

mod block_index;
mod find;
mod kinds;
mod names;
mod rank;

use crate::Function;
use crate::kit::Arguments;
use graphql::{Call, Refusal};
use kinds::KINDS;
use rank::SearchText;
use serde_json::{Value as Json, json};

pub(crate) const FIELDS: &[(&str, Function)] = &[("search_everything", search)];

/// Rows per kind: the default and the maximum.
const DEFAULT_LIMIT: usize = 5;
const MAX_LIMIT: usize = 50;
/// Maximum length of the search text, in characters.
const MAX_LENGTH: usize = 200;

fn search(call: &Call<'_>) -> Result<Json, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let text = request.needed("text")?.trim();
    let length = text.chars().count();
    if length > MAX_LENGTH {
        return Err(Refusal::invalid(format!(
            "`text` has {length} characters: expected {MAX_LENGTH} at most"
        )));
    }
    let limit = match request.whole("limit") {
        None => DEFAULT_LIMIT,
        Some(number) => usize::try_from(number)
            .ok()
            .filter(|number| (1..=MAX_LIMIT).contains(number))
            .ok_or_else(|| Refusal::invalid(format!("`limit` is {number}: expected 1 to {MAX_LIMIT}")))?,
    };
    let wanted = request.value("kinds").and_then(Json::as_array);
    let sought = SearchText::new(text);
    let mut rows = Vec::new();
    for (kind, sources) in KINDS {
        if wanted.is_some_and(|wanted| !wanted.iter().any(|name| name == kind)) {
            continue;
        }
        let mut hits = Vec::new();
        for source in *sources {
            hits.extend(find::hits(call.rows, source, &sought, limit)?);
        }
        // The sort is stable: rows of equal rank keep the order of their source.
        hits.sort_by_key(|hit| hit.rank);
        rows.extend(hits.into_iter().take(limit).map(|hit| hit.shown(kind)));
    }
    Ok(json!({ "rows": rows }))
}
