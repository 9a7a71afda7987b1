//! `budget` and `ledger`: the assistant's limits, its cost, and the texts it has sent.

use super::desk::{ActorArguments, Desk};
use super::{CliError, output};
use crate::settings::Settings;
use clap::Args;
use serde_json::{Value, json};

/// Show this month's cost of the assistant and the remaining budget
///
/// Set limits on the page Settings, Privacy & budgets, or with `query` and ai_upsert_budget_config.
#[derive(Args)]
pub struct Budget {
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    whose: ActorArguments,
}

/// List requests to language models with recipient and time, newest first
#[derive(Args)]
pub struct Ledger {
    /// Id of a request: show the exact text that was sent
    id: Option<String>,
    /// Only requests of one conversation
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    whose: ActorArguments,
}

pub fn budget(arguments: &Budget, settings: &Settings) -> Result<(), CliError> {
    let desk = Desk::open(settings, &arguments.whose)?;
    let level = "{ budget_limit budget_remaining current_usage budget_enabled budget_disabled limit_source rate_limit reached \
                 daily_limit daily_usage session_limit sessions daily_session_limit daily_sessions }";
    let query = format!(
        "query Budget($request: AIBudgetStatusRequest!) {{ ai_budget_status(request: $request) {{ data {{ period \
         user_investigation {{ account {level} tenant {level} }} investigation {{ account {level} tenant {level} }} }} err }} }}"
    );
    let found = desk.field(&query, &json!({ "request": { "account_id": desk.account()? } }))?;
    if arguments.json {
        return Ok(output::json(&found)?);
    }
    let data = &found["data"];
    output::line(format!("{} (UTC), in the currency of the price list", said(data, "period")))?;
    for (module, what) in
        [("user_investigation", "Questions and all else"), ("investigation", "Begun by events")]
    {
        for (place, of) in [("account", "account"), ("tenant", "tenant")] {
            output::line(format!("{what}, {of}: {}", level_of(&data[module][place])))?;
        }
    }
    for one in found["err"].as_array().into_iter().flatten() {
        eprintln!("{}", said(one, "message"));
    }
    Ok(())
}

fn level_of(level: &Value) -> String {
    let limit = match (&level["budget_disabled"], &level["budget_enabled"]) {
        (Value::Bool(true), _) => "no limit holds".to_owned(),
        (_, Value::Bool(true)) => format!("of {}, {} left", level["budget_limit"], level["budget_remaining"]),
        _ => "no limit of cost".to_owned(),
    };
    let sessions = match &level["session_limit"] {
        Value::Null => level["sessions"].to_string(),
        limit => format!("{} of {limit}", level["sessions"]),
    };
    let reached =
        level["reached"].as_str().map(|reached| format!("; reached: {reached}")).unwrap_or_default();
    format!("{} spent, {limit}; {sessions} conversations{reached}", level["current_usage"])
}

pub fn ledger(arguments: &Ledger, settings: &Settings) -> Result<(), CliError> {
    let desk = Desk::open(settings, &arguments.whose)?;
    let query = "query Ledger($request: ListSentRequest!) { ai_list_sent(request: $request) { data { id sent_at provider model host \
                 left_machine size_bytes replaced_names input_tokens output_tokens cost status status_reason conversation_id payload } } }";
    let request = json!({ "account_id": desk.account()?, "id": arguments.id, "conversation_id": arguments.conversation });
    let mut found = desk.field(query, &json!({ "request": request }))?;
    let lines = found["data"].take();
    let lines = lines.as_array().cloned().unwrap_or_default();
    if arguments.id.is_some() && lines.is_empty() {
        return Err(CliError::Refused("there is no such line in the ledger of this account".to_owned()));
    }
    if arguments.json {
        return Ok(output::json(&lines)?);
    }
    for line in &lines {
        output::line(line_of(line))?;
        if let Some(payload) = line["payload"].as_str() {
            output::line(payload)?;
        }
    }
    if lines.is_empty() {
        output::line("Nothing was sent to a model for this account.")?;
    }
    Ok(())
}

fn line_of(line: &Value) -> String {
    // A local service model has no address that a user would know.
    let host = Some(said(line, "host"))
        .filter(|host| !host.is_empty())
        .map(|host| format!(" at {host}"))
        .unwrap_or_default();
    let place = if line["left_machine"] == true { "left this machine" } else { "stayed here" };
    let cost = if line["cost"].is_null() { "no price".to_owned() } else { line["cost"].to_string() };
    let tokens = |name: &str| line[name].as_u64().unwrap_or_default();
    let why = line["status_reason"].as_str().map(|why| format!(": {why}")).unwrap_or_default();
    format!(
        "{}  {}  {} of {}{host}, {place}, {} bytes, {} names replaced, {} + {} tokens, {cost}, {}{why}",
        said(line, "id"),
        said(line, "sent_at"),
        said(line, "model"),
        said(line, "provider"),
        line["size_bytes"],
        line["replaced_names"],
        tokens("input_tokens"),
        tokens("output_tokens"),
        said(line, "status").to_lowercase(),
    )
}

fn said<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}
