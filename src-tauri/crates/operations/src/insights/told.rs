//! Reads the digest of all accounts for messages.

use super::kept::{KIND, SOURCE};
use super::week::monday;
use graphql::Refusal;
use model::tables::insight;
use model::{Read, row};
use store::Transaction;

row! { struct InsightRow from insight { rule, title, unique_id } }

/// The sentences of a digest in order, the total first.
pub(crate) struct DigestText {
    /// The Monday of its week, in days since 1970.
    pub first: i32,
    pub sentences: Vec<String>,
}

/// The stored digest of the tenant of the rows; `None` before the first whole week.
pub(crate) fn of_tenant(rows: &Transaction<'_>) -> Result<Option<DigestText>, Refusal> {
    let Some(tenant) = rows.caller().tenant() else { return Ok(None) };
    let ours = insight::source.eq(SOURCE).and(insight::r#type.eq(KIND)).and(insight::account_id.eq(tenant));
    let mut lines = rows.query::<InsightRow>().filter(ours).rows()?;
    let place = |line: &InsightRow| line.rule.as_ref().and_then(|rule| rule.value()["place"].as_u64());
    lines.sort_by_key(place);
    let first = lines.first().and_then(|line| monday(&line.unique_id));
    let sentences = lines.into_iter().map(|line| line.title).collect();
    Ok(first.map(|first| DigestText { first, sentences }))
}
