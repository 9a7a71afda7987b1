//! Connections to ticket trackers: rows of `jira_configurations`, for every tool.
//!
//! A password is encrypted for one connection, tool and address. To change the tool or the address, a user must enter the password again.

use super::{Trackers, sending};
use crate::kit::{Arguments, reply};
use catalogue::{Caller, ValueRef};
use graphql::{PreTransactionCall, Refusal};
use model::operations::{TicketIntegrationCreateConfigOutput, TicketTestConnectionOutput};
use model::tables::jira_configurations;
use model::{Read, row};
use serde_json::Value;
use store::{StoreError, Transaction, eq};
use trackers::{Auth, Failure, Tool, Tracker};
use url::Url;
use uuid::Uuid;

const TABLE: &str = "jira_configurations";
/// Prefix of a password that was encrypted by this module.
const ENCRYPTED_PREFIX: &str = "sealed ";
const MAX_LENGTH: usize = 4_000;

row! {
    struct ConnectionRow from jira_configurations {
        id, name, tool, url, username, auth_type, password, projects, is_active
    }
}

/// A connection as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Connection {
    pub id: Uuid,
    pub name: String,
    pub tool: String,
    url: String,
    username: String,
    auth_type: String,
    /// The encrypted password, prefixed with [`ENCRYPTED_PREFIX`].
    password: String,
    project: Option<String>,
    is_active: bool,
}

/// The tenant's active connections, sorted by name.
pub(super) fn active(rows: &Transaction<'_>) -> Result<Vec<Connection>, StoreError> {
    let found = rows.query::<ConnectionRow>().filter(jira_configurations::is_active.eq(true)).rows()?;
    let mut found: Vec<Connection> = found.into_iter().map(Connection::of).collect();
    found.sort_by(|one, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
    Ok(found)
}

pub(super) fn find(rows: &Transaction<'_>, id: Uuid) -> Result<Option<Connection>, StoreError> {
    Ok(rows.find::<ConnectionRow>(id)?.map(Connection::of))
}

impl Connection {
    fn of(row: ConnectionRow) -> Self {
        let projects = row.projects.map(|projects| projects.value()).unwrap_or_default();
        Self {
            id: row.id.uuid(),
            name: row.name,
            tool: row.tool.to_string(),
            url: row.url,
            username: row.username,
            auth_type: row.auth_type,
            password: row.password.expose(),
            project: projects[0].as_str().map(str::to_owned),
            is_active: row.is_active,
        }
    }

    /// The name of the connection in messages.
    pub fn title(&self) -> String {
        format!("{} ({})", self.name, self.tool)
    }

    pub fn supported_tool(&self) -> Result<Tool, String> {
        Tool::find(&self.tool).ok_or_else(|| {
            let known = Tool::ALL.map(Tool::name).join(", ");
            format!("tickets cannot be sent to {}, only to {known}", self.tool)
        })
    }

    /// Checks that tickets can be sent through this connection.
    ///
    /// # Errors
    /// The tool is not supported, or no usable password is stored.
    pub fn check_sending(&self) -> Result<(), Refusal> {
        let otherwise =
            "or give `integration_id` 00000000-0000-0000-0000-000000000000 to keep the ticket here";
        self.supported_tool()
            .map_err(|why| Refusal::invalid(format!("{}: {why}; {otherwise}", self.title())))?;
        if !self.password.starts_with(ENCRYPTED_PREFIX) {
            return Err(Refusal::invalid(format!(
                "{} has no password that was typed into Quarterdeck: an administrator saves it in Settings, Ticket trackers, {otherwise}",
                self.title()
            )));
        }
        Ok(())
    }

    /// Returns the reason why a ticket with this project (or without one) cannot be sent; `None` if it can.
    pub fn reason_not_usable(&self, project: Option<&str>) -> Option<String> {
        if let Err(refusal) = self.check_sending() {
            return Some(refusal.message);
        }
        self.project_for(project).err().map(|refusal| {
            format!("{}; an administrator enters it in Settings, Ticket trackers", refusal.message)
        })
    }

    /// The project for a ticket: the one the ticket names, or else the default of the connection or the tool.
    pub fn project_for(&self, named: Option<&str>) -> Result<String, Refusal> {
        let tool = self.supported_tool().map_err(Refusal::invalid)?;
        let named = named.map(str::trim).filter(|project| !project.is_empty());
        let project = named.or(self.project.as_deref()).or(tool.usual_project());
        let Some(project) = project else {
            return Err(Refusal::invalid(format!(
                "`project_key` is missing, and {} has no project of its own: expected {}",
                self.title(),
                tool.project()
            )));
        };
        tool.check_project(project)
            .map_err(|why| Refusal::invalid(format!("`project_key` is \"{project}\": {why}")))?;
        Ok(project.to_owned())
    }

    /// Returns the failure to report if the connection is switched off.
    pub fn inactive_failure(&self) -> Option<Failure> {
        (!self.is_active).then(|| Failure::lasting(format!("{} is switched off.", self.title())))
    }

    /// Returns the tracker client data, including the decrypted password.
    pub fn tracker(&self, trackers: &dyn Trackers) -> Result<Tracker, Failure> {
        let tool = self.supported_tool().map_err(|why| Failure::lasting(format!("{why}.")))?;
        let base = tool.base(&self.url).map_err(|why| Failure::lasting(format!("The address {why}.")))?;
        let again = |why: String| {
            Failure::lasting(format!(
                "The password of {} cannot be used: {why}. Type it again in Settings, Ticket trackers.",
                self.name
            ))
        };
        let sealed = self
            .password
            .strip_prefix(ENCRYPTED_PREFIX)
            .ok_or_else(|| again("it was never typed in".to_owned()))?;
        let secret = trackers.decrypt(&purpose(self.id, tool, &base), sealed).map_err(again)?;
        Ok(self.with_secret(tool, base, secret))
    }

    fn with_secret(&self, tool: Tool, base: Url, secret: String) -> Tracker {
        let is_basic = self.auth_type == Auth::Basic.name() && tool.takes(Auth::Basic);
        Tracker {
            tool,
            name: self.name.clone(),
            base,
            username: self.username.clone(),
            auth: if is_basic { Auth::Basic } else { Auth::Token },
            secret: secret.into(),
        }
    }
}

fn purpose(id: Uuid, tool: Tool, base: &Url) -> String {
    format!("quarterdeck tracker {id}, {} at {}", tool.name(), base.origin().ascii_serialization())
}

/// The data of a submitted form, merged with the stored connection.
struct Form {
    connection: Connection,
    tool: Tool,
    base: Url,
    /// The password, if it was entered in this form.
    secret: Option<String>,
}

/// Reads and validates a form; `known` is the stored connection with the same id.
fn read_form(object: Arguments<'_>, known: Option<Connection>) -> Result<Form, Refusal> {
    let wrong = |name: &str, why: &str| Refusal::invalid(format!("`{name}` {why}"));
    for name in ["name", "url", "username", "password", "auth_type", "tool"] {
        let typed = object.text(name).unwrap_or_default();
        if typed.len() > MAX_LENGTH || typed.chars().any(char::is_control) {
            return Err(wrong(
                name,
                &format!("is longer than {MAX_LENGTH} letters, or has line breaks in it: copy it again"),
            ));
        }
    }
    let fresh = || Connection { id: Uuid::new_v4(), is_active: true, ..Connection::default() };
    let is_new = known.is_none();
    let mut connection = known.unwrap_or_else(fresh);
    object.needed("name")?.trim().clone_into(&mut connection.name);
    let tool_before = std::mem::replace(&mut connection.tool, object.needed("tool")?.to_owned());
    let tool = connection
        .supported_tool()
        .map_err(|why| wrong("tool", &format!("is \"{}\": {why}", connection.tool)))?;
    for (name, kept) in [("url", &mut connection.url), ("username", &mut connection.username)] {
        if let Some(typed) = object.text(name) {
            typed.trim().clone_into(kept);
        }
    }
    let base = tool.base(&connection.url).map_err(|why| wrong("url", &why))?;
    let usual =
        if connection.username.is_empty() || !tool.takes(Auth::Basic) { Auth::Token } else { Auth::Basic };
    match object.text("auth_type").filter(|typed| !typed.is_empty()) {
        Some(typed) => {
            let known = Auth::ALL.into_iter().filter(|auth| tool.takes(*auth));
            let Some(auth) = known.clone().find(|auth| auth.name() == typed) else {
                let known: Vec<&str> = known.map(Auth::name).collect();
                return Err(wrong("auth_type", &format!("is \"{typed}\": expected {}", known.join(" or "))));
            };
            auth.name().clone_into(&mut connection.auth_type);
        }
        None if is_new || tool_before != connection.tool || object.text("username").is_some() => {
            usual.name().clone_into(&mut connection.auth_type);
        }
        None => {}
    }
    let is_named = connection.auth_type == Auth::Basic.name() || tool == Tool::PagerDuty;
    if is_named && connection.username.is_empty() {
        return Err(wrong(
            "username",
            "is empty: expected the name or e-mail address that the password belongs to",
        ));
    }
    for value in object.value("config_values").and_then(Value::as_array).into_iter().flatten() {
        let (name, value) =
            (value["name"].as_str().unwrap_or_default(), value["value"].as_str().unwrap_or_default());
        match name {
            "project" if value.trim().is_empty() => connection.project = None,
            "project" => {
                tool.check_project(value.trim())
                    .map_err(|why| wrong("project", &format!("is \"{value}\": {why}")))?;
                connection.project = Some(value.trim().to_owned());
            }
            "is_active" => {
                connection.is_active = value
                    .parse()
                    .map_err(|_| wrong("is_active", &format!("is \"{value}\": expected true or false")))?;
            }
            _ => {
                return Err(wrong(
                    "config_values",
                    &format!("name \"{name}\": expected project or is_active"),
                ));
            }
        }
    }
    let secret = object.text("password").map(str::trim).filter(|typed| !typed.is_empty()).map(str::to_owned);
    Ok(Form { connection, tool, base, secret })
}

/// Loads the stored connection that the form refers to by id.
fn find_stored(ahead: &PreTransactionCall<'_>, object: Arguments<'_>) -> Result<Option<Connection>, Refusal> {
    let Some(id) = object.id("id")? else { return Ok(None) };
    let system = Caller::system_for(ahead.caller.tenant().ok_or_else(Refusal::denied)?);
    let known = ahead.engine.store().snapshot(&system, |rows| find(rows, id))?;
    let none = || {
        Refusal::not_found(format!(
            "there is no tracker {id} in this tenant: leave `id` out to connect a new one"
        ))
    };
    known.ok_or_else(none).map(Some)
}

/// The password to use: the one entered, or the stored one if tool and address did not change.
fn secret(draft: &Form, known: Option<&Connection>, trackers: &dyn Trackers) -> Result<String, Refusal> {
    if let Some(typed) = &draft.secret {
        return Ok(typed.clone());
    }
    let missing = "`password` is missing: expected the password or token that opens the tracker";
    let known = known.ok_or_else(|| Refusal::invalid(missing))?;
    let before = known
        .supported_tool()
        .ok()
        .and_then(|tool| Some(purpose(known.id, tool, &tool.base(&known.url).ok()?)));
    if before != Some(purpose(known.id, draft.tool, &draft.base)) {
        let message = "`password` is missing: the one that is kept belongs to another address; type the one for this address";
        return Err(Refusal::invalid(message));
    }
    let tracker = known.tracker(trackers).map_err(|failure| Refusal::invalid(failure.message))?;
    Ok(tracker.secret.to_string())
}

/// Handles `ticket_integration_create_config`.
pub(super) fn save(ahead: &PreTransactionCall<'_>, trackers: &dyn Trackers) -> Result<Value, Refusal> {
    let object = Arguments(ahead.arguments).object("object");
    let known = find_stored(ahead, object)?;
    let draft = read_form(object, known.clone())?;
    let secret = secret(&draft, known.as_ref(), trackers)?;
    // Encrypt before the transaction starts: reading the key from the keyring can be slow.
    let purpose = purpose(draft.connection.id, draft.tool, &draft.base);
    let sealed = if let (None, Some(known)) = (&draft.secret, &known) {
        known.password.clone()
    } else {
        let cannot = |why| Refusal::new("not-supported", format!("the password cannot be kept: {why}"));
        format!("{ENCRYPTED_PREFIX}{}", trackers.encrypt(&purpose, &secret).map_err(cannot)?)
    };
    ahead.engine.store().transaction(ahead.caller, |rows| {
        let rows = rows.with_audit_operation(ahead.name, ahead.caller.user);
        write_row(&rows, &draft.connection, &sealed, known.is_some())?;
        if draft.connection.is_active {
            sending::reschedule_failed(&rows, draft.connection.id)?;
        }
        reply(&TicketIntegrationCreateConfigOutput { id: draft.connection.id })
    })
}

fn write_row(
    rows: &Transaction<'_>,
    connection: &Connection,
    sealed: &str,
    is_known: bool,
) -> Result<(), Refusal> {
    let person = rows.caller().user.ok_or_else(Refusal::denied)?;
    let projects: Value = connection.project.iter().map(String::as_str).collect();
    let projects = projects.to_string();
    let row = [
        ("name", connection.name.as_str().into()),
        ("tool", connection.tool.as_str().into()),
        ("url", connection.url.as_str().into()),
        ("username", connection.username.as_str().into()),
        ("auth_type", connection.auth_type.as_str().into()),
        ("password", sealed.into()),
        ("projects", ValueRef::Json(&projects)),
        ("is_active", connection.is_active.into()),
        ("updated_at", ValueRef::Timestamp(rows.now())),
        ("updated_by", person.into()),
    ];
    if is_known {
        return match rows.update(TABLE, &[eq("id", connection.id)], &row)? {
            0 => Err(Refusal::denied()),
            _ => Ok(()),
        };
    }
    let new = [("id", connection.id.into()), ("created_by", person.into())];
    Ok(rows.insert(TABLE, &[&row[..], &new].concat())?)
}

/// Handles `ticket_check_connection_by_config`.
pub(super) fn check(ahead: &PreTransactionCall<'_>, trackers: &dyn Trackers) -> Result<Value, Refusal> {
    let object = Arguments(ahead.arguments).object("object");
    let known = find_stored(ahead, object)?;
    let draft = read_form(object, known.clone())?;
    let secret = secret(&draft, known.as_ref(), trackers)?;
    let tracker = draft.connection.with_secret(draft.tool, draft.base.clone(), secret);
    let tenant = ahead.caller.tenant().ok_or_else(Refusal::denied)?;
    let outcome = trackers.check(tenant, &tracker);
    // The result is stored only if the form equals the stored connection; an unsaved connection has no row.
    let is_as_kept = known.as_ref() == Some(&draft.connection) && draft.secret.is_none();
    if is_as_kept {
        note(ahead, draft.connection.id, outcome.as_ref())?;
    }
    let (said, error) = (outcome.as_ref().ok(), outcome.as_ref().err().map(|failure| &failure.message));
    reply(&TicketTestConnectionOutput {
        success: outcome.is_ok(),
        message: said.cloned(),
        tool: Some(draft.tool.name().to_owned()),
        projects_count: None,
        error: error.cloned(),
    })
}

/// Stores the result of a connection test.
fn note(ahead: &PreTransactionCall<'_>, id: Uuid, outcome: Result<&String, &Failure>) -> Result<(), Refusal> {
    let system = Caller::system_for(ahead.caller.tenant().ok_or_else(Refusal::denied)?);
    let status = match outcome {
        Ok(said) => said.as_str(),
        Err(failure) => failure.message.as_str(),
    };
    ahead.engine.store().transaction(&system, |rows| {
        let mut set = vec![("status", status.into())];
        if outcome.is_ok() {
            set.push(("last_connected", ValueRef::Timestamp(rows.now())));
        }
        rows.update(TABLE, &[eq("id", id)], &set)?;
        Ok(())
    })
}
