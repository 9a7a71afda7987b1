//! `causes`: possible causes of an event.

use super::desk::{ActorArguments, Desk};
use super::{CliError, output};
use crate::settings::Settings;
use clap::Args;
use serde_json::{Value, json};

/// Show the likely causes of an event, with their evidence
///
/// Rules derive the causes from stored rows; no model is needed. `table dump events` lists events with their ids.
#[derive(Args)]
pub struct Causes {
    /// Id of the event
    event: String,
    /// Let a model write the summary; sentences without evidence are removed
    #[arg(long)]
    words: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    whose: ActorArguments,
}

pub fn run(arguments: &Causes, settings: &Settings) -> Result<(), CliError> {
    let desk = Desk::open(settings, &arguments.whose)?;
    let query = "query Event($id: uuid!) { events(where: { id: { _eq: $id } }) { cloud_account_id } }";
    let found = desk.field(query, &json!({ "id": arguments.event }))?;
    let none = || CliError::Refused(format!("there is no event {} that you may see", arguments.event));
    let account = found[0]["cloud_account_id"].as_str().ok_or_else(none)?.to_owned();
    let query = "query Causes($account: String!, $event: String!, $words: Boolean!) { \
                 ai_get_rca(account_id: $account, event_id: $event, generate: $words) { data } }";
    let variables = json!({ "account": account, "event": arguments.event, "words": arguments.words });
    let cause = desk.work(|| desk.field(query, &variables))?["data"].take();
    if arguments.json {
        return Ok(output::json(&cause)?);
    }
    let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    output::line(format!("{}\n\n{}\n", text(&cause, "title"), text(&cause, "analysis").trim()))?;
    for evidence in cause["investigation"]["evidence"].as_array().into_iter().flatten() {
        let (id, title) = (text(evidence, "id"), text(evidence, "title"));
        let rows = output::counted(evidence["rows"].as_array().map_or(0, Vec::len) as u64, "row");
        let at = evidence["at"].as_str().map(|at| format!(", {at} UTC")).unwrap_or_default();
        output::line(format!("[{id}] {title}{at}: {rows} of {}", text(evidence, "table")))?;
    }
    Ok(())
}
