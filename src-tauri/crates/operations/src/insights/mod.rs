//! Insights about accounts and applications. This product adds its own: what changed in the last week and why, and the score of each account.
//!
//! [`refresh`] updates them from the charges: [`week`] reads, `analysis::digest` writes the sentences, [`sync`] stores; [`scores`] does all three
//! for scores.

mod digest_text;
mod scores;
mod sync;
mod week;

pub(crate) use digest_text::of_tenant;

use crate::Function;
use crate::kit::{Arguments, Look, account, analyse_and_store};
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

pub(crate) const FIELDS: &[(&str, Function)] = &[("list_insights", list)];

/// The largest number of insights in a response, newest first.
const MOST: u64 = 1000;

fn list(call: &Call<'_>) -> Result<Value, Refusal> {
    let account = account(call, Arguments(call.arguments).object("request").needed_id("account_id")?)?;
    let look = Look::at(call.rows, "insight")?.with("account_id", account)?;
    let look = look.ordered("updated_at", true)?.ordered("unique_id", false)?.limit(MOST);
    let mut rows = look.rows(&["applications", "source", "title"])?;
    for row in &mut rows {
        let named =
            |application: &Value| application["name"].is_string() && application["namespace"].is_string();
        let known = row["applications"].as_array().into_iter().flatten().filter(|entry| named(entry));
        row["applications"] = known.cloned().collect();
    }
    Ok(json!({ "data": rows }))
}

/// One day in µs.
const DAY: i64 = 86_400_000_000;

/// How many rows a run changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Changes {
    pub added: usize,
    pub updated: usize,
    pub removed: usize,
}

/// Insights and scores to be stored.
struct Findings {
    insights: Vec<sync::Draft>,
    scores: Vec<scores::Score>,
}

/// Updates the insights of a tenant from its data; unchanged rows are not written. Blocks.
pub fn refresh(store: &Store, tenant: Uuid) -> Result<Changes, StoreError> {
    let look = |rows: &Transaction<'_>| look(rows, tenant, None);
    let kept = analyse_and_store(store, tenant, look, |rows, found| keep(&rows.without_actor(), found));
    kept.map_err(Refusal::into_error)
}

/// Like [`refresh`], started from the command line, up to a day such as 2026-06-18. Blocks.
pub fn run(store: &Store, tenant: Uuid, as_of: Option<&str>) -> Result<Changes, Refusal> {
    let as_of = as_of.map(crate::savings::day).transpose()?;
    let look = |rows: &Transaction<'_>| look(rows, tenant, as_of);
    analyse_and_store(store, tenant, look, |rows, found| {
        keep(&rows.with_audit_operation("list_insights", None), found)
    })
}

fn look(rows: &Transaction<'_>, tenant: Uuid, as_of: Option<i32>) -> Result<Findings, Refusal> {
    let today = i32::try_from(rows.now().div_euclid(DAY)).unwrap_or(i32::MAX);
    let as_of = as_of.unwrap_or(today);
    Ok(Findings { insights: week::digests(rows, tenant, as_of)?, scores: scores::scores(rows, as_of)? })
}

fn keep(rows: &Transaction<'_>, found: &Findings) -> Result<Changes, Refusal> {
    let mut changes = sync::write(rows, &found.insights)?;
    scores::write(rows, &found.scores, &mut changes)?;
    Ok(changes)
}
