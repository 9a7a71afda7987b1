//! The context of assistant commands: the user whose rights apply, the account, and queries of GraphQL fields.

use super::CliError;
use crate::background::language_models::LanguageModels;
use crate::clock;
use crate::data::engine;
use crate::data::open::OpenData;
use crate::error::chain;
use crate::jobs::operations::ImportsHandler;
use crate::secrets::model_secrets;
use crate::secrets::secret_key::SecretKey;
use crate::settings::Settings;
use auth::{Person, person, tenancy, user};
use catalogue::Caller;
use clap::Args;
use graphql::{Engine, Refusal, Request};
use llm::Providers;
use operations::notices::NoMessengers;
use operations::{Models, NoTrackers};
use serde_json::{Map, Value};
use std::sync::Arc;
use store::{Cancel, StoreError};
use tokio::runtime::Runtime;

/// As whom, and where.
#[derive(Args)]
pub struct ActorArguments {
    /// E-mail address of the user to act as [default: the local administrator]
    #[arg(long = "as", value_name = "EMAIL")]
    user: Option<String>,
    /// Tenant to work in [default: the first tenant]
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,
    /// Name or id of the account [default: the only one, or the one with the latest charges]
    #[arg(long, value_name = "NAME")]
    account: Option<String>,
}

/// An open data directory and the user who works in it.
pub struct Desk {
    pub engine: Engine,
    pub caller: Caller,
    pub models: Arc<dyn Models>,
    /// Set by Ctrl-C.
    pub cancel: Cancel,
    account: Option<String>,
    providers: Providers,
    runtime: Runtime,
}

impl Desk {
    pub fn open(settings: &Settings, whose: &ActorArguments) -> Result<Self, CliError> {
        let house = OpenData::open(settings, None)?;
        let person = somebody(&house, whose)?;
        let keys = Arc::new(SecretKey::of(house.data_dir.path(), settings.is_desktop));
        let providers = Providers::new(house.store.clone(), settings.providers.clone(), clock::now)
            .with_downloads(model_secrets::downloads(&house, settings, Arc::clone(&keys)))
            .with_keys(keys);
        let models: Arc<dyn Models> = Arc::new(LanguageModels(providers.clone()));
        let archive = ingest::Archive::new(house.data_dir.imports(), settings.importing.kept_bytes);
        let archive = Arc::new(archive.shared_by(&house.store));
        let imports =
            ImportsHandler { store: house.store.clone(), archive, most_lower: settings.importing.most_lower };
        let operations = operations::all(
            providers.clone(),
            Arc::clone(&models),
            Arc::new(NoTrackers),
            Arc::new(NoMessengers),
            Arc::new(imports),
        );
        let engine = engine::over(house.store, settings)?.with_operations(operations)?;
        let engine = engine.with_limits(settings.limits.request);
        // A second thread is needed: the caller blocks on one, while the other reads from the model.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(CliError::Runtime)?;
        let cancel = Cancel::default();
        let (caller, account) = (person.caller(), whose.account.clone());
        Ok(Self { engine, caller, models, cancel, account, providers, runtime })
    }

    /// Runs `work`, which may call models. Ctrl-C cancels it; a second one ends the program.
    pub fn work<T>(&self, work: impl FnOnce() -> T) -> T {
        let cancel = self.cancel.clone();
        let listening = self.runtime.spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                if cancel.is_cancelled() {
                    // By convention: 128 plus the number of the signal.
                    std::process::exit(130);
                }
                cancel.cancel();
            }
        });
        let _entered = self.runtime.enter();
        let done = work();
        listening.abort();
        self.providers.stop();
        done
    }

    /// The value of the single root field of a query.
    pub fn field(&self, query: &str, variables: &Value) -> Result<Value, CliError> {
        let mut answer = self.ask(query, variables)?;
        if let Some(message) = answer["errors"][0]["message"].as_str() {
            return Err(CliError::Refused(message.to_owned()));
        }
        let fields = answer["data"].as_object_mut();
        Ok(fields.and_then(|fields| fields.values_mut().next().map(Value::take)).unwrap_or_default())
    }

    /// The complete GraphQL response.
    pub fn ask(&self, query: &str, variables: &Value) -> Result<Value, CliError> {
        let variables: Map<String, Value> = variables.as_object().cloned().unwrap_or_default();
        let request = Request { query: query.to_owned(), variables: Some(variables), ..Request::default() };
        let report = |error: StoreError| eprintln!("quarterdeck-server: {}", chain(&error));
        let answer = self.engine.execute_until(&self.caller, &request, &self.cancel, report);
        read(&answer)
    }

    /// The id of the named account; without a name, of the account with the latest charges.
    pub fn account(&self) -> Result<String, CliError> {
        let query = "{ cloud_accounts(order_by: [{account_name: asc}]) { id account_name spends(order_by: [{date: desc}], limit: 1) { date } } }";
        let found = self.field(query, &Value::Null)?;
        let all = found.as_array().cloned().unwrap_or_default();
        let text = |account: &Value, name: &str| account[name].as_str().unwrap_or_default().to_owned();
        let Some(wanted) = &self.account else {
            let latest = all.iter().max_by_key(|account| text(&account["spends"][0], "date"));
            let none = || {
                CliError::Refused(
                    "there is no account yet: `quarterdeck-server import FILE` brings one".to_owned(),
                )
            };
            return latest.map(|account| text(account, "id")).ok_or_else(none);
        };
        let is_it = |account: &&Value| {
            text(account, "id").eq_ignore_ascii_case(wanted) || text(account, "account_name") == *wanted
        };
        all.iter().find(is_it).map(|account| text(account, "id")).ok_or_else(|| {
            let names: Vec<String> = all.iter().map(|account| text(account, "account_name")).collect();
            CliError::Usage(format!(
                "there is no account {wanted:?} that you may see; there are: {}",
                names.join(", ")
            ))
        })
    }

    /// Runs the background tasks triggered by the command's writes, such as reading a PDF, since the service may not be running.
    pub fn chores(&self) -> Result<(), StoreError> {
        while operations::run_background_step(self.engine.store(), self.models.as_ref())?
            .is_some_and(|next| next <= clock::now())
        {}
        Ok(())
    }
}

/// Parses a GraphQL response. A response that is not JSON is an error, not an empty result.
fn read(answer: &[u8]) -> Result<Value, CliError> {
    serde_json::from_slice(answer).map_err(|cause| {
        let start: String = String::from_utf8_lossy(answer).chars().take(80).collect();
        CliError::NotJson { start, cause }
    })
}

fn somebody(house: &OpenData, whose: &ActorArguments) -> Result<Person, CliError> {
    let tenant = tenancy::find(&house.store, whose.tenant.as_deref())?;
    let id = match &whose.user {
        None => tenancy::administrator(&house.store)?,
        Some(email) => {
            let email = user::normalize_email(email)?;
            let found = house.store.snapshot(&Caller::system(), |rows| user::find(rows, &email));
            let found = found.map_err(|error| CliError::Refused(chain(&error)))?;
            found.ok_or(auth::AccountError::UnknownUser { email })?.id
        }
    };
    person::find(&house.store, id, tenant.id).map_err(|error| CliError::Refused(chain(&error)))
}

/// Converts a refusal to an error of the command line. If no model is configured, it names the command that adds one.
pub fn refused(refusal: Refusal) -> CliError {
    match refusal.code {
        "not-configured" => CliError::Refused(format!(
            "{}. Here: `quarterdeck-server provider add ollama --model llama3.2 --on`, then `quarterdeck-server provider test ID`",
            refusal.message.trim_end_matches('.')
        )),
        "validation-failed" => CliError::Usage(refusal.message),
        _ => CliError::Refused(refusal.message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_no_json_is_told() {
        assert_eq!(read(b"{\"data\":{\"a\":1}}").unwrap()["data"]["a"], 1);
        for (answer, start) in
            [("{\"data\":{\"a\":", "{\"data\":{\"a\":"), ("", ""), (&"x".repeat(100), &"x".repeat(80))]
        {
            let told = read(answer.as_bytes()).unwrap_err().to_string();
            assert!(told.contains("expected JSON") && told.contains(&format!("{start:?}")), "{told}");
        }
    }
}
