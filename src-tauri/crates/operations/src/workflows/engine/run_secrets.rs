//! The secrets that a run may use, from the tenant or from the service's environment, and the hosts to which they may be sent.

use super::step::{RunEnvironment, RunWork};
use crate::workflows::secrets::{SecretRow, bound_secrets, purpose, rows_of};
use automation::commands::destination;
use automation::plan::{Call, TaskFailure};
use automation::services::hosts::{BoundSecrets, implied};
use automation::services::remote_tools::RemoteCall;
use graphql::Refusal;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use store::Transaction;
use url::Url;

/// Secrets with their values and bound hosts.
pub(super) struct RunSecrets {
    pub values: Map<String, Value>,
    bound: BoundSecrets,
    /// The reason why one of them cannot be used.
    trouble: Option<String>,
}

impl RunSecrets {
    /// Loads the secrets with these names. `rows` act in the tenant of the run.
    pub(super) fn read(
        rows: &Transaction<'_>,
        names: &BTreeSet<String>,
        environment: &RunEnvironment<'_>,
    ) -> Result<Self, Refusal> {
        let known = if names.is_empty() { Vec::new() } else { rows_of(rows, names)? };
        let (mut values, mut trouble) = (Map::new(), None);
        for name in names {
            let kept = known.iter().find(|row| row.name == *name);
            let value = match kept {
                Some(SecretRow { id, value: Some(sealed), .. }) => {
                    let mut cannot = |why| {
                        trouble.get_or_insert_with(|| format!("the secret {name} cannot be opened: {why}"));
                    };
                    (environment.decrypt)(&purpose(*id), sealed).map_err(&mut cannot).ok()
                }
                _ => (environment.secret)(name),
            };
            values.extend(value.map(|value| (name.clone(), Value::String(value))));
        }
        let bound = bound_secrets(names, &known, Some(&values));
        Ok(Self { values, bound, trouble })
    }

    /// Checks the secrets against the definition of the run.
    ///
    /// # Errors
    /// A secret cannot be decrypted, or the definition would send one to a host it is not bound to.
    /// The definition was checked when it was saved, but the bound hosts may have changed since.
    pub(super) fn checked(self, definition: &Value) -> Result<Self, String> {
        if let Some(trouble) = self.trouble {
            return Err(trouble);
        }
        match self.bound.leaks(definition).first() {
            Some(leak) => Err(format!("{}: {}", leak.place, leak.reason)),
            None => Ok(self),
        }
    }

    /// Refuses a call that this service carries out itself if it uses a bound secret: it is not
    /// known where rows, messages and tickets are sent later.
    pub(super) fn check_internal(&self, call: &Call) -> Result<(), TaskFailure> {
        let named = call.secrets.iter().map(String::as_str);
        self.bound.check(named, None).map_err(|reason| TaskFailure::new("SecretHost", reason))
    }

    /// Refuses a call that would send a secret to a host it is not bound to. Redirects are never
    /// followed, therefore the host of the request is the final one.
    pub(super) fn check(
        &self,
        call: &Call,
        work: &RunWork,
        secrets: &Map<String, Value>,
    ) -> Result<(), TaskFailure> {
        if self.bound.is_empty() {
            return Ok(());
        }
        let implied = implied(&call.kind, &call.params);
        let used: Vec<&str> = call.secrets.iter().chain(&implied).map(String::as_str).collect();
        let mut hosts = hosts(call, work, secrets);
        if hosts.is_empty() {
            hosts.push(None);
        }
        for host in hosts {
            self.bound
                .check(used.iter().copied(), host.as_deref())
                .map_err(|reason| TaskFailure::new("SecretHost", reason))?;
        }
        Ok(())
    }
}

/// The hosts that a call connects to; `None` for a host that is not known.
fn hosts(call: &Call, work: &RunWork, secrets: &Map<String, Value>) -> Vec<Option<String>> {
    let host = |url: &Url| url.host_str().map(str::to_owned);
    match work {
        RunWork::Http(request) => {
            // One address can serve many hosts, and this header selects one.
            let named = request.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("host"));
            let named = named
                .map(|(_, value)| Some(value.rsplit_once(':').map_or(&**value, |(host, _)| host).to_owned()));
            named.chain([host(&request.url)]).collect()
        }
        RunWork::Metrics(asked) => asked.requests.iter().map(|(_, request)| host(&request.url)).collect(),
        RunWork::Slack(task) => vec![task.host().map(str::to_owned)],
        RunWork::Remote(RemoteCall::Agent(request)) => vec![host(&request.url)],
        RunWork::Remote(RemoteCall::Tool(tool)) => {
            [&tool.first, &tool.ready, &tool.call].map(|request| host(&request.url)).to_vec()
        }
        RunWork::Pull(task) => vec![task.host()],
        RunWork::Program(_) => vec![destination(&call.kind, &call.params, secrets)],
        RunWork::Values(_) | RunWork::Check(_) | RunWork::Model(_) | RunWork::Ticket(_) => Vec::new(),
    }
}
