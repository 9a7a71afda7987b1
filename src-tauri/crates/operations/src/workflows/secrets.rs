//! Workflow secrets of a tenant: encrypted, referenced in definitions as `Secrets.NAME`, and bound to the hosts to which they may be sent.
//!
//! A secret from the service's environment is bound by a row without a value.

use crate::kit::{Arguments, Look, uuid};
use crate::tickets::Trackers;
use crate::workflows::engine::check_repository_host;
use automation::secrets::usual_hosts;
use automation::services::hosts::{BoundSecrets, HostName};
use automation::services::pulls::named_repositories;
use catalogue::{Value as Cell, ValueRef};
use graphql::{Call, PreTransactionCall, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use store::{Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "workflow_secret";
/// Maximum length of a name, in characters.
const MAX_NAME_LENGTH: usize = 64;
/// Maximum size of a value, in bytes.
const MAX_VALUE_BYTES: usize = 64 * 1024;
/// Maximum number of hosts per secret.
const MAX_HOSTS: usize = 50;

/// A secret as stored.
#[derive(Debug, Deserialize)]
pub(super) struct SecretRow {
    pub id: Uuid,
    pub name: String,
    /// The encrypted value; `None` for a secret from the service's environment.
    pub value: Option<String>,
    pub hosts: Vec<String>,
}

const COLUMNS: [&str; 4] = ["id", "name", "value", "hosts"];

/// The purpose that binds an encrypted secret to its row.
pub(super) fn purpose(id: Uuid) -> String {
    format!("quarterdeck secret of workflows {id}")
}

/// The secrets of the tenant with these names.
pub(super) fn rows_of(rows: &Transaction<'_>, names: &BTreeSet<String>) -> Result<Vec<SecretRow>, Refusal> {
    let names = names.iter().cloned().map(Cell::Text).collect();
    let found = Look::at(rows, TABLE)?.one_of("name", names)?.rows(&COLUMNS)?;
    found.into_iter().map(read).collect()
}

fn read(row: Value) -> Result<SecretRow, Refusal> {
    let unreadable = |error| Refusal::new("unexpected", format!("a stored secret: {error}"));
    serde_json::from_value(row).map_err(unreadable)
}

/// The hosts to which secrets with these names may be sent. `values` are the secrets that exist; `None` if that is not known.
pub(super) fn bound_secrets(
    names: &BTreeSet<String>,
    known: &[SecretRow],
    values: Option<&Map<String, Value>>,
) -> BoundSecrets {
    let hosts = |row: &SecretRow| row.hosts.iter().filter_map(|host| HostName::read(host).ok()).collect();
    let mut bound: BoundSecrets = known.iter().map(|row| (row.name.clone(), hosts(row))).collect();
    for name in names.iter().filter(|name| known.iter().all(|row| row.name != **name)) {
        let value = values.and_then(|values| values.get(name)).and_then(Value::as_str);
        if value.is_some() || values.is_none() {
            bound.bind_usual(name, value);
        }
    }
    bound
}

/// The places in a definition that would send secrets of the tenant to hosts they are not bound to, each with its path.
pub(super) fn leaks(rows: &Transaction<'_>, definition: &Value) -> Result<Vec<String>, Refusal> {
    let names = automation::mask::named(definition);
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let tenant = rows.caller().tenant().ok_or_else(Refusal::denied)?;
    let system = catalogue::Caller::system_for(tenant);
    let known = rows_of(&rows.as_caller(&system), &names)?;
    let found = bound_secrets(&names, &known, None).leaks(definition);
    let mut told: Vec<String> =
        found.into_iter().map(|leak| format!("{}: {}", leak.place, leak.reason)).collect();
    for repository in named_repositories(definition) {
        // A missing token is not a mistake here: it may be added before the run.
        let checked = check_repository_host(rows, &repository.provider, &repository.base_url)?;
        if let Err(reason) = checked
            && !told.iter().any(|known| known.starts_with(&format!("{}:", repository.place)))
        {
            told.push(format!("{}: base_url: {reason}", repository.place));
        }
    }
    Ok(told)
}

/// Those of the given names for which the tenant stores a value.
pub(super) fn stored_names(
    rows: &Transaction<'_>,
    wanted: &BTreeSet<String>,
) -> Result<BTreeSet<String>, Refusal> {
    if wanted.is_empty() {
        return Ok(BTreeSet::new());
    }
    let tenant = rows.caller().tenant().ok_or_else(Refusal::denied)?;
    let system = catalogue::Caller::system_for(tenant);
    let known = rows_of(&rows.as_caller(&system), wanted)?;
    Ok(known.into_iter().filter(|row| row.value.is_some()).map(|row| row.name).collect())
}

/// The message for a secret that does not exist.
pub(super) fn no_secret(name: &str) -> String {
    format!(
        "there is no secret {name}: save it under Settings, Workflow secrets, or the administrator of the service sets SECRET_{name} in its environment and starts it again"
    )
}

/// A secret as shown on pages, without its value.
#[derive(Debug, Serialize)]
struct SecretShown {
    id: Uuid,
    name: String,
    /// Whether the value is stored here; otherwise it comes from the service's environment.
    is_sealed: bool,
    hosts: Vec<String>,
    updated_at: Value,
    updated_by: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct SecretList {
    secrets: Vec<SecretShown>,
}

/// Handles `workflow_list_secrets`.
pub(super) fn list(call: &Call<'_>) -> Result<SecretList, Refusal> {
    let system = catalogue::Caller::system_for(crate::kit::tenant(call)?);
    let rows = call.rows.as_caller(&system);
    let columns = ["id", "name", "value", "hosts", "updated_at", "updated_by"];
    let mut secrets = Vec::new();
    for mut row in Look::at(&rows, TABLE)?.ordered("name", false)?.rows(&columns)? {
        let person = match uuid(&row, "updated_by") {
            Some(id) => Look::at(&rows, "users")?.with("id", id)?.first(&["display_name"])?,
            None => None,
        };
        let updated_at = row["updated_at"].take();
        let kept = read(row)?;
        secrets.push(SecretShown {
            id: kept.id,
            name: kept.name,
            is_sealed: kept.value.is_some(),
            hosts: kept.hosts,
            updated_at,
            updated_by: person.and_then(|person| person["display_name"].as_str().map(str::to_owned)),
        });
    }
    Ok(SecretList { secrets })
}

/// The validated values of a request.
struct Draft {
    name: String,
    /// The new value; `None` leaves it unchanged.
    value: Option<String>,
    /// The new hosts; `None` leaves them unchanged or, for a new secret, uses the default hosts for tokens of that name.
    hosts: Option<Vec<String>>,
}

impl Draft {
    fn read(request: Arguments<'_>) -> Result<Self, Refusal> {
        let name = request.needed("name")?.trim().to_owned();
        let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
            && name.len() <= MAX_NAME_LENGTH;
        if !is_name {
            let message = format!(
                "`name` is \"{name}\": expected letters, digits and _, a letter first, {MAX_NAME_LENGTH} at most, such as GITHUB_TOKEN"
            );
            return Err(Refusal::invalid(message));
        }
        let value = request.text("value").filter(|value| !value.is_empty()).map(str::to_owned);
        if value.as_ref().is_some_and(|value| value.len() > MAX_VALUE_BYTES) {
            return Err(Refusal::invalid(format!("`value` has more than {MAX_VALUE_BYTES} bytes")));
        }
        let Some(given) = request.value("hosts").and_then(Value::as_array) else {
            return Ok(Self { name, value, hosts: None });
        };
        let read = |host: &Value| {
            let host = HostName::read(host.as_str().unwrap_or_default());
            host.map(|host| host.to_string()).map_err(|why| Refusal::invalid(format!("`hosts`: {why}")))
        };
        let hosts: BTreeSet<String> = given.iter().map(read).collect::<Result<_, _>>()?;
        if hosts.len() > MAX_HOSTS {
            return Err(Refusal::invalid(format!("`hosts` names more than {MAX_HOSTS}")));
        }
        Ok(Self { name, value, hosts: Some(hosts.into_iter().collect()) })
    }
}

#[derive(Debug, Serialize)]
pub(super) struct SavedSecret {
    id: Uuid,
    name: String,
}

/// Handles `workflow_save_secret`.
pub(super) fn save(ahead: &PreTransactionCall<'_>, trackers: &dyn Trackers) -> Result<SavedSecret, Refusal> {
    let draft = Draft::read(Arguments(ahead.arguments).object("request"))?;
    let named = |rows: &Transaction<'_>| -> Result<Option<SecretRow>, Refusal> {
        Look::at(rows, TABLE)?.with("name", draft.name.as_str())?.first(&COLUMNS)?.map(read).transpose()
    };
    let tenant = ahead.caller.tenant().ok_or_else(Refusal::denied)?;
    let person = ahead.caller.user.ok_or_else(Refusal::denied)?;
    let system = catalogue::Caller::system_for(tenant);
    let store = ahead.engine.store();
    let known = store.snapshot(&system, named)?;
    let id = known.as_ref().map_or_else(Uuid::new_v4, |row| row.id);
    let usual = usual_hosts(&draft.name).map(|hosts| hosts.iter().map(|host| (*host).to_owned()).collect());
    let is_bound = draft.hosts.as_ref().is_some_and(|hosts| !hosts.is_empty() || usual.is_some());
    if draft.value.is_none() && known.is_none() && !is_bound {
        return Err(Refusal::invalid(
            "`value` is missing: expected the secret, or hosts that the one of the environment of the service may be sent to",
        ));
    }
    // Encrypt before the transaction starts: reading the key from the keyring can be slow.
    let cannot = |why| Refusal::new("not-supported", format!("the secret cannot be kept: {why}"));
    let sealed = draft
        .value
        .as_deref()
        .map(|value| trackers.encrypt(&purpose(id), value))
        .transpose()
        .map_err(cannot)?;
    let hosts = match (&draft.hosts, &known) {
        (Some(hosts), _) => hosts.clone(),
        (None, Some(row)) => row.hosts.clone(),
        (None, None) => usual.unwrap_or_default(),
    };
    let hosts = Value::from(hosts).to_string();
    store.transaction(&system, |rows| {
        let rows = rows.with_audit_operation(ahead.name, Some(person));
        let is_known = match (named(&rows)?, &known) {
            (Some(row), _) if row.id == id => true,
            (None, None) => false,
            _ => {
                return Err(Refusal::conflict(
                    "somebody else has just changed this secret: look at it again",
                ));
            }
        };
        let mut row = vec![
            ("hosts", ValueRef::Json(&hosts)),
            ("updated_at", ValueRef::Timestamp(rows.now())),
            ("updated_by", person.into()),
        ];
        if let Some(sealed) = &sealed {
            row.push(("value", sealed.as_str().into()));
        }
        if is_known {
            rows.update(TABLE, &[eq("id", id)], &row)?;
        } else {
            row.extend([
                ("id", id.into()),
                ("name", draft.name.as_str().into()),
                ("created_by", person.into()),
            ]);
            rows.insert(TABLE, &row)?;
        }
        Ok(SavedSecret { id, name: draft.name.clone() })
    })
}

#[derive(Debug, Serialize)]
pub(super) struct RemovedSecret {
    name: String,
}

/// Handles `workflow_delete_secret`.
pub(super) fn remove(call: &Call<'_>) -> Result<RemovedSecret, Refusal> {
    let name = Arguments(call.arguments).object("request").needed("name")?.trim().to_owned();
    let system = catalogue::Caller::system_for(crate::kit::tenant(call)?);
    let rows = call.rows.as_caller(&system);
    let rows = rows.with_audit_operation(call.name, call.caller.user);
    if rows.delete(TABLE, &[eq("name", name.as_str())])? == 0 {
        return Err(Refusal::not_found(format!("there is no secret {name} here")));
    }
    Ok(RemovedSecret { name })
}
