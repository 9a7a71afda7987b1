//! `token`: creates API tokens for programs.

use super::{CliError, output};
use crate::clock;
use crate::data::open::OpenData;
use crate::settings::Settings;
use auth::{api_token, tenancy};
use clap::{Args, Subcommand};

/// Create API tokens for programs
#[derive(Subcommand)]
pub enum Token {
    Create(Create),
}

/// Create an API token for a user and print its secret, which is shown only once
///
/// Exchange e-mail address and secret for a bearer token that is valid for an hour:
///   curl -d '{"email": "…", "secret": "…"}' http://127.0.0.1:8790/api/auth/token
/// Works while a server runs on the same data directory.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Create {
    /// E-mail address of the user the token acts for
    email: String,
    /// Name of the program that uses the token, such as `nightly-report`; one token per name
    #[arg(long)]
    name: String,
    /// Tenant the token gives access to [default: the first tenant]
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,
    /// Print {"email", "secret"} as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(token: &Token, settings: &Settings) -> Result<(), CliError> {
    let Token::Create(arguments) = token;
    let house = OpenData::open(settings, None)?;
    let tenant = tenancy::find(&house.store, arguments.tenant.as_deref())?;
    let created = api_token::create(
        &house.store,
        &tenant,
        &arguments.email,
        &arguments.name,
        clock::now(),
        &mut rand::rng(),
    )?;
    if arguments.json {
        output::json(&serde_json::json!({ "email": created.email, "secret": created.secret }))?;
    } else {
        output::line(format!("email:  {}\nsecret: {}", created.email, created.secret))?;
        eprintln!("The secret is shown this once; keep it where secrets are kept.");
    }
    Ok(())
}
