//! Shows the names that are replaced before data leaves the machine.

use super::pseudonymizer::{self, Pseudonymizer};
use super::send::replacement_mode;
use crate::kit::in_account::{Data, argument, data, within};
use catalogue::Right;
use graphql::{Call, Refusal};
use serde::{Deserialize, Serialize};

const MAX_LENGTH: usize = 20_000;
const DEFAULT_LIMIT: usize = 100;
const MAX_LIMIT: usize = 1_000;

#[derive(Deserialize)]
struct ReplacementRequest {
    account_id: String,
    text: String,
}

/// Handles `ai_preview_replacement`.
pub(crate) fn preview(call: &Call<'_>) -> Result<Data<Preview>, Refusal> {
    let wanted: ReplacementRequest = argument(call, "request")?;
    let length = wanted.text.chars().count();
    if length > MAX_LENGTH {
        return Err(Refusal::invalid(format!(
            "text has {length} characters: at most {MAX_LENGTH} are allowed"
        )));
    }
    within(call, Right::Read, &wanted.account_id, |place| {
        let mut pseudonymizer = Pseudonymizer::read(place)?;
        let text = pseudonymizer.pseudonymize(&wanted.text);
        let replaced = pseudonymizer.replacements(&text).into_iter().map(Name::of).collect();
        Ok(data(Preview { replaces: replacement_mode(&place.rows)?.name(), text, replaced }))
    })
}

/// A name and its token.
#[derive(Serialize)]
pub(crate) struct Name {
    name: String,
    token: String,
}

impl Name {
    fn of((name, token): (String, String)) -> Self {
        Self { name, token }
    }
}

/// A text in the form in which a model would receive it.
#[derive(Serialize)]
pub(crate) struct Preview {
    /// The setting that decides when names are replaced.
    replaces: &'static str,
    text: String,
    replaced: Vec<Name>,
}

/// Names that have been replaced until now.
#[derive(Serialize)]
pub(crate) struct Names {
    names: Vec<Name>,
    /// The total number, regardless of the limit.
    total: usize,
}

#[derive(Deserialize)]
struct Listing {
    search: Option<String>,
    limit: Option<i64>,
}

/// Handles `ai_list_replaced_names`: sorted by token with numeric order, `account-2` before `account-10`.
pub(crate) fn list(call: &Call<'_>) -> Result<Data<Names>, Refusal> {
    let wanted: Listing = argument(call, "request")?;
    let limit = match wanted.limit {
        None => DEFAULT_LIMIT,
        Some(limit) => match usize::try_from(limit) {
            Ok(limit @ 1..=MAX_LIMIT) => limit,
            _ => return Err(Refusal::invalid(format!("limit is {limit}: expected 1 to {MAX_LIMIT}"))),
        },
    };
    let search = wanted.search.unwrap_or_default().trim().to_lowercase();
    let assigned = pseudonymizer::assigned_tokens(call.rows)?;
    let is_wanted =
        |(name, token): &&(String, String)| name.to_lowercase().contains(&search) || token.contains(&search);
    let mut names: Vec<(String, String)> = assigned.all.iter().filter(is_wanted).cloned().collect();
    names.sort_by_cached_key(|(_, token)| {
        let (kind, number) = token.rsplit_once('-').unwrap_or((token, ""));
        (kind.to_owned(), number.parse::<u64>().unwrap_or_default())
    });
    let total = names.len();
    names.truncate(limit);
    Ok(data(Names { names: names.into_iter().map(Name::of).collect(), total }))
}
