//! `query`: runs a GraphQL request without a server.

use super::desk::{ActorArguments, Desk};
use super::{CliError, output};
use crate::settings::Settings;
use clap::Args;
use serde_json::Value;
use std::io::{self, Read};

/// Run a GraphQL request, as /api/graphql does
///
/// Every query and mutation of the API is available. Prints the response as JSON; exit code 1 if it contains errors. Works with and without a
/// running server.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  quarterdeck-server query '{ cloud_accounts { id account_name } }'
  quarterdeck-server query 'query Q($id: String!) { ai_list_memory(request: {account_id: $id}) { data { id } } }' --variables '{\"id\": \"…\"}'
  quarterdeck-server query - < request.graphql")]
pub struct Query {
    /// GraphQL request; - reads it from standard input
    request: String,
    /// Variables as a JSON object
    #[arg(long, value_name = "JSON", default_value = "{}")]
    variables: String,
    #[command(flatten)]
    whose: ActorArguments,
}

pub fn run(arguments: &Query, settings: &Settings) -> Result<(), CliError> {
    let variables: Value =
        serde_json::from_str(&arguments.variables).ok().filter(Value::is_object).ok_or_else(|| {
            CliError::Usage("--variables is no JSON object: expected one such as {\"id\": \"…\"}".to_owned())
        })?;
    let request = match arguments.request.as_str() {
        "-" => io::read_to_string(io::stdin().lock().take(100_000_000))?,
        request => request.to_owned(),
    };
    let desk = Desk::open(settings, &arguments.whose)?;
    let answer = desk.work(|| desk.ask(&request, &variables))?;
    output::json(&answer)?;
    if answer["errors"].is_null() { Ok(()) } else { Err(CliError::Said) }
}
