//! The settings that decide whether this service carries out workflows, and with which programs. Set by its administrator; off by default.

use crate::kit::{Look, text};
use crate::workflows::secrets::{bound_secrets, rows_of};
use automation::secrets::REPOSITORY_SECRETS;
use automation::services::pulls::repository_host;
use catalogue::{Caller, ValueRef};
use graphql::Refusal;
use outgoing::EgressPolicy;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use store::{Store, StoreError, Transaction, eq, ge};

pub(crate) const OFF: &str = "automation is off, so nothing was begun: the administrator of the service switches it on with \
                   QUARTERDECK_AUTOMATION=on (setting automation_enabled)";

/// The automation settings of the service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AutomationSettings {
    pub is_on: bool,
    pub reaches_private: bool,
    /// The private addresses that tasks may connect to, as listed in the settings.
    pub private_addresses: String,
    /// Programs that tasks may run.
    pub programs: Vec<Program>,
    /// Repository providers with a token in the service's environment, followed by the token's host if one is set: `github=git.example.com`.
    pub repository_tokens: Vec<String>,
    /// Names of the secrets in the service's environment.
    pub environment_secrets: Vec<String>,
    /// Number of days for which ended runs are stored; 0 stores them without limit.
    pub history_days: u32,
}

/// A program that tasks may run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    pub name: String,
    /// The path on this machine; `None` if the program is not installed.
    pub path: Option<String>,
}

impl AutomationSettings {
    /// The program with that name, if it is allowed and installed.
    ///
    /// # Errors
    /// The reason, for the person who can change it.
    pub fn program(&self, name: &str) -> Result<&Program, String> {
        let Some(program) = self.programs.iter().find(|program| program.name == name) else {
            return Err(format!(
                "the program {name} is not allowed: the administrator of the service names it in QUARTERDECK_AUTOMATION_PROGRAMS \
                 (setting automation_programs)"
            ));
        };
        match &program.path {
            Some(_) => Ok(program),
            None => Err(format!("the program {name} is allowed, but this machine has none of that name")),
        }
    }

    /// Checks that there is a token to open pull requests at this repository provider.
    ///
    /// # Errors
    /// The reason, for the person who can change it.
    pub fn repository_token(&self, host: &str) -> Result<(), String> {
        let secret = REPOSITORY_SECRETS.iter().find(|(known, _)| *known == host);
        match secret {
            Some((_, secret)) if self.token_of(host).is_none() => Err(format!(
                "there is no token for {host}: the administrator of the service sets SECRET_{secret} in its environment and starts it again, or somebody keeps {secret} under Settings, Workflow secrets"
            )),
            _ => Ok(()),
        }
    }
}

impl AutomationSettings {
    /// Checks whether a task may connect to a private host, judged by its name.
    ///
    /// # Errors
    /// The reason, for the person who can change it.
    pub fn may_reach(&self, host: &str) -> Result<(), String> {
        let policy = EgressPolicy::parse(&self.private_addresses).unwrap_or_default();
        if policy.may_reach(host) {
            return Ok(());
        }
        let way = if self.reaches_private {
            "names it in QUARTERDECK_INSTANCE_PRIVATE_ADDRESSES"
        } else {
            "sets QUARTERDECK_AUTOMATION_PRIVATE=on (setting automation_private), or names it in QUARTERDECK_PRIVATE_ADDRESSES"
        };
        Err(format!(
            "{host} is an address of this machine or of a network inside, and tasks do not reach it: the administrator of the service {way}"
        ))
    }

    /// The host set for the token of a repository provider, empty if none is set. `None` if there is no token.
    fn token_of(&self, provider: &str) -> Option<&str> {
        let tokens = self.repository_tokens.iter();
        let mut named = tokens.map(|token| token.split_once('=').unwrap_or((token, "")));
        named.find(|(name, _)| *name == provider).map(|(_, host)| host)
    }
}

/// Checks that the token of a repository provider may be sent to the host of its pull requests.
/// `base_url` is the URL of a self-hosted provider, or empty.
///
/// # Errors
/// The inner error is the reason, with what the user can do about it.
pub(crate) fn check_repository_host(
    rows: &Transaction<'_>,
    provider: &str,
    base_url: &str,
) -> Result<Result<(), String>, Refusal> {
    let Some((_, secret)) = REPOSITORY_SECRETS.iter().find(|(known, _)| *known == provider) else {
        return Ok(Ok(()));
    };
    let system = Caller::system_for(rows.caller().tenant().ok_or_else(Refusal::denied)?);
    let names = BTreeSet::from([(*secret).to_owned()]);
    let known = rows_of(&rows.as_caller(&system), &names)?;
    let settings = automation_settings(rows)?;
    let value = settings.token_of(provider).map(|host| {
        let value = if host.is_empty() { String::new() } else { format!("https://{host}") };
        ((*secret).to_owned(), Value::String(value))
    });
    let bound = bound_secrets(&names, &known, Some(&value.into_iter().collect()));
    Ok(bound.check([*secret], repository_host(provider, base_url).as_deref()))
}

/// Stores the settings and returns whether they changed. While automation is off, schedules have no next time.
pub(crate) fn store_automation_settings(
    store: &Store,
    settings: &AutomationSettings,
) -> Result<bool, StoreError> {
    let system = Caller::system();
    let known = |rows: &Transaction<'_>| -> Result<bool, Refusal> {
        Ok(read(rows)?.is_some_and(|known| known == *settings))
    };
    if store.snapshot(&system, known).map_err(Refusal::into_error)? {
        return Ok(false);
    }
    let unwritable = |error: serde_json::Error| StoreError::Code(error.to_string().into());
    let programs = serde_json::to_string(&settings.programs).map_err(unwritable)?;
    let tokens = serde_json::to_string(&settings.repository_tokens).map_err(unwritable)?;
    let secrets = serde_json::to_string(&settings.environment_secrets).map_err(unwritable)?;
    store.transaction(&system, |rows| {
        let row = [
            ("id", 0_i64.into()),
            ("is_on", settings.is_on.into()),
            ("reaches_private", settings.reaches_private.into()),
            ("private_addresses", settings.private_addresses.as_str().into()),
            ("programs", ValueRef::Json(&programs)),
            ("repository_tokens", ValueRef::Json(&tokens)),
            ("environment_names", ValueRef::Json(&secrets)),
            ("history_days", i64::from(settings.history_days).into()),
        ];
        rows.upsert("workflow_engine", &["id"], &row, &[])?;
        if !settings.is_on {
            let set = [("next_due_at", ValueRef::Null)];
            rows.update("workflow", &[ge("next_due_at", ValueRef::Timestamp(0))], &set)?;
        }
        Ok(true)
    })
}

fn read(rows: &Transaction<'_>) -> Result<Option<AutomationSettings>, Refusal> {
    let look = Look::at(rows, "workflow_engine")?.with("id", 0_i64)?;
    let columns = [
        "is_on",
        "reaches_private",
        "private_addresses",
        "programs",
        "repository_tokens",
        "environment_names",
        "history_days",
    ];
    let Some(mut row) = look.first(&columns)? else {
        return Ok(None);
    };
    Ok(Some(AutomationSettings {
        is_on: row["is_on"] == true,
        reaches_private: row["reaches_private"] == true,
        private_addresses: text(&row, "private_addresses").to_owned(),
        programs: serde_json::from_value(row["programs"].take()).unwrap_or_default(),
        repository_tokens: serde_json::from_value(row["repository_tokens"].take()).unwrap_or_default(),
        environment_secrets: serde_json::from_value(row["environment_names"].take()).unwrap_or_default(),
        history_days: row["history_days"]
            .as_u64()
            .and_then(|days| u32::try_from(days).ok())
            .unwrap_or_default(),
    }))
}

/// The settings of this service, including the tokens that the caller's tenant stores as workflow secrets.
pub(crate) fn automation_settings(rows: &Transaction<'_>) -> Result<AutomationSettings, Refusal> {
    let system = Caller::system();
    let mut settings = read(&rows.as_caller(&system))?.unwrap_or_default();
    if let Some(tenant) = rows.caller().tenant() {
        let own = Caller::system_for(tenant);
        let names = REPOSITORY_SECRETS.map(|(_, secret)| secret.to_owned()).into();
        for kept in rows_of(&rows.as_caller(&own), &names)?.into_iter().filter(|row| row.value.is_some()) {
            let host = REPOSITORY_SECRETS.iter().find(|(_, secret)| *secret == kept.name);
            settings.repository_tokens.extend(host.map(|(host, _)| (*host).to_owned()));
        }
    }
    Ok(settings)
}

/// Number of days for which ended runs are stored; `None` stores them without limit.
pub(crate) fn history_days(rows: &Transaction<'_>) -> Result<Option<u32>, Refusal> {
    let system = Caller::system();
    let days = read(&rows.as_caller(&system))?.map(|settings| settings.history_days);
    Ok(days.filter(|days| *days > 0))
}

/// Whether runs are carried out.
pub(crate) fn is_on(rows: &Transaction<'_>) -> Result<bool, StoreError> {
    let system = Caller::system();
    let found = rows.as_caller(&system).count("workflow_engine", &[eq("id", 0_i64), eq("is_on", true)])?;
    Ok(found > 0)
}

/// Returns an error while automation is off.
pub(crate) fn require_automation(rows: &Transaction<'_>) -> Result<(), Refusal> {
    if is_on(rows)? { Ok(()) } else { Err(Refusal::conflict(OFF)) }
}
