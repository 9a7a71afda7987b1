//! `user`: adds users and creates sign-in links.

use super::{CliError, output};
use crate::clock;
use crate::data::open::OpenData;
use crate::settings::Settings;
use crate::start::listener::sign_in_link;
use auth::{one_time_code, tenancy, user};
use clap::{Args, Subcommand};
use model::UserStatusType;

/// Add users and create sign-in links
#[derive(Subcommand)]
pub enum User {
    Add(Add),
    Link(Link),
}

/// Add a user to a tenant, with a role
///
/// An existing user is added to the tenant with this role. The user can sign in with a link
/// (`user link`) or an API token (`token create`). Works while a server runs on the same data directory.
#[derive(Args)]
pub struct Add {
    /// E-mail address of the user; case does not matter
    email: String,
    /// Name to show [default: the e-mail address]
    #[arg(long)]
    name: Option<String>,
    /// Role: read and change everything in the tenant, or only read
    #[arg(long, default_value = "tenant_admin", value_parser = ["tenant_admin", "tenant_admin_readonly"])]
    role: String,
    /// Tenant to add the user to; created if it does not exist [default: the first tenant]
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,
}

/// Print a one-time sign-in link that is valid for ten minutes
///
/// The link points to the address in the settings; use the same --listen setting (environment or file) as the server.
#[derive(Args)]
pub struct Link {
    /// E-mail address of the user; `administrator@localhost` is the local administrator
    email: String,
    /// Tenant to sign in to [default: the first tenant]
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,
    /// Address of the server the link is for, such as http://127.0.0.1:8790 [default: the setting `APPAUTH_URL`, else `listen`]
    #[arg(long, value_name = "ADDRESS")]
    url: Option<String>,
    /// Print {"email", "url"} as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(user: &User, settings: &Settings) -> Result<(), CliError> {
    match user {
        User::Add(arguments) => add(arguments, settings),
        User::Link(arguments) => link(arguments, settings),
    }
}

fn add(arguments: &Add, settings: &Settings) -> Result<(), CliError> {
    // Validate before anything is created.
    let role = user::tenant_role(&arguments.role)?;
    let email = user::normalize_email(&arguments.email)?;
    let house = OpenData::open(settings, None)?;
    let (tenant, is_new_tenant) = match &arguments.tenant {
        Some(name) => tenancy::find_or_create(&house.store, name, clock::now(), &mut rand::rng())?,
        None => (house.tenant, false),
    };
    let name = arguments.name.as_deref();
    let added = user::add(&house.store, &tenant, &email, name, role, clock::now(), &mut rand::rng())?;
    if is_new_tenant {
        output::line(format!("Created the tenant {:?}", tenant.name))?;
    }
    let verb = if added.is_new { "Added" } else { "Already there:" };
    output::line(format!("{verb} {} as {} of {:?}", added.user.email, role.name(), tenant.name))?;
    if added.user.status != UserStatusType::Active {
        output::line(format!("This user is {} and cannot sign in", added.user.status))?;
    }
    Ok(())
}

fn link(arguments: &Link, settings: &Settings) -> Result<(), CliError> {
    let house = OpenData::open(settings, None)?;
    let tenant = tenancy::find(&house.store, arguments.tenant.as_deref())?;
    let code =
        one_time_code::create(&house.store, &tenant, &arguments.email, clock::now(), &mut rand::rng())?;
    let public = settings.sign_on.given.get(auth::saml::settings::URL);
    let base = match arguments.url.as_ref().or(public) {
        Some(url) => url.trim_end_matches('/').to_owned(),
        None => format!("http://{}", settings.listen),
    };
    let url = sign_in_link(&base, &code);
    if arguments.json {
        output::json(&serde_json::json!({ "email": arguments.email.trim().to_lowercase(), "url": url }))?;
    } else {
        output::line(url)?;
    }
    Ok(())
}
