//! `provider`: configures and tests model providers.

use super::{CliError, output};
use crate::clock;
use crate::data::open::OpenData;
use crate::secrets::model_secrets;
use crate::secrets::secret_key::SecretKey;
use crate::settings::Settings;
use clap::{Args, Subcommand, ValueEnum};
use llm::{Change, Entry, Field, Outcome, Override, ProviderKind, Providers, SaveError, Step};
use operations::model_setup::{PlatformAdmin, model_providers};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read;
use std::sync::Arc;
use store::StoreError;

/// Configure and test model providers
///
/// Saved providers take precedence over the environment (LLM_PROVIDER and others), as on the page Settings, Model providers.
#[derive(Subcommand)]
pub enum Provider {
    List(List),
    Add(Add),
    Set(SetArguments),
    Test(Test),
    /// List the models of a provider
    Models(One),
    /// Make a provider the first choice
    First(One),
    Override(Narrow),
    /// Remove a provider and its secrets
    Remove(One),
}

/// List all providers in order of use
#[derive(Args)]
pub struct List {
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Add a provider and print its id
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  quarterdeck-server provider add ollama --model llama3.2 --on
  quarterdeck-server provider add openai --secret key --model gpt-5-mini --may-leave true --on < key.txt
  quarterdeck-server provider add bedrock --set region=us-east-1 --set role=arn:aws:iam::123456789012:role/models --model amazon.nova-pro-v1:0")]
pub struct Add {
    /// bedrock, azure, vertexai, googleai, openai, huggingface, ollama, sagemaker, service or ondevice
    kind: String,
    #[command(flatten)]
    values: Values,
}

/// Change a provider; options that are not given stay unchanged
#[derive(Args)]
pub struct SetArguments {
    /// Id of the provider, from `provider list`
    id: String,
    #[command(flatten)]
    values: Values,
}

#[derive(Args)]
struct Values {
    /// Display name
    #[arg(long)]
    name: Option<String>,
    /// Option as NAME=VALUE: endpoint, region, version, access_key, role, external_id, max_tokens, monthly_limit; an empty value removes it
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Secret (key, secret_key or session_token) to read from standard input, because other users can see arguments
    #[arg(long, value_name = "NAME")]
    secret: Option<String>,
    /// Main model; empty: none from this provider
    #[arg(long)]
    model: Option<String>,
    /// Model for single tasks
    #[arg(long)]
    small_model: Option<String>,
    /// Embedding model
    #[arg(long)]
    embeddings_model: Option<String>,
    /// Whether prompts to it may leave this machine
    #[arg(long, value_name = "true|false")]
    may_leave: Option<bool>,
    /// Enable the provider
    #[arg(long, conflicts_with = "off")]
    on: bool,
    /// Disable the provider
    #[arg(long)]
    off: bool,
}

/// Test a provider with one small request for each of its models
///
/// Shows time and tokens, or the provider's error message. Exit code 1 unless every model answered.
#[derive(Args)]
pub struct Test {
    /// Id of the provider, from `provider list`
    id: String,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub struct One {
    /// Id of the provider, from `provider list`
    id: String,
}

/// Set the model for one agent or one tier of tasks
#[derive(Args)]
pub struct Narrow {
    scope: Scope,
    /// Name of the agent, or a tier: reasoning, retrieval, summary
    name: String,
    /// Provider id and model; omit both to remove the override
    #[arg(requires = "model")]
    id: Option<String>,
    model: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Scope {
    Agent,
    Tier,
}

pub fn run(command: &Provider, settings: &Settings) -> Result<(), CliError> {
    let house = OpenData::open(settings, None)?;
    let keys = Arc::new(SecretKey::of(house.data_dir.path(), settings.is_desktop));
    let providers = Providers::new(house.store.clone(), settings.providers.clone(), clock::now)
        .with_downloads(model_secrets::downloads(&house, settings, Arc::clone(&keys)))
        .with_keys(keys);
    let by = PlatformAdmin::machine(&house.store, house.tenant.id, clock::now());
    match command {
        Provider::List(arguments) => list(arguments, &providers),
        Provider::Add(arguments) => {
            let kind = model_providers::kind(&arguments.kind)?;
            let change = Change { kind: Some(Some(kind)), ..change(&arguments.values)? };
            Ok(output::line(model_providers::add(&by, &providers, &change)?)?)
        }
        Provider::Set(arguments) => {
            model_providers::save(&by, &providers, &arguments.id, &change(&arguments.values)?)?;
            Ok(output::line(format!("Saved {}", providers.entry(&arguments.id)?.name))?)
        }
        Provider::Test(arguments) => test(arguments, &by, &providers),
        Provider::Models(arguments) => {
            match wait(providers.models_of(&arguments.id))?? {
                Some(names) => names.iter().try_for_each(output::line)?,
                None => eprintln!("This provider does not list its models"),
            }
            Ok(())
        }
        Provider::First(arguments) => {
            providers.entry(&arguments.id)?;
            Ok(model_providers::order(&by, &providers, std::slice::from_ref(&arguments.id))?)
        }
        Provider::Override(arguments) => narrow(arguments, &by, &providers),
        Provider::Remove(arguments) => {
            model_providers::remove(&by, &providers, &arguments.id)?;
            Ok(output::line(format!("Removed {}", arguments.id))?)
        }
    }
}

fn list(arguments: &List, providers: &Providers) -> Result<(), CliError> {
    let setup = providers.setup().map_err(stored)?;
    let spent = providers.spent().map_err(stored)?;
    if arguments.json {
        let all: Vec<Value> = setup
            .entries
            .iter()
            .map(|entry| {
                json!({
                    "id": entry.id,
                    "kind": entry.kind.map(ProviderKind::name),
                    "name": entry.name,
                    "is_on": entry.is_on.value,
                    "may_leave": entry.may_leave.value,
                    "model": entry.chat_model.value,
                    "small_model": entry.small_model.value,
                    "embeddings_model": entry.embeddings_model.value,
                    "is_given": entry.is_given,
                    "missing": entry.missing().into_iter().map(Field::name).collect::<Vec<_>>(),
                    "spent": spent.get(&entry.id).map_or_else(|| "0".to_owned(), ToString::to_string),
                    "test": entry.test,
                    "sources": {
                        "is_on": entry.is_on.source,
                        "may_leave": entry.may_leave.source,
                        "model": entry.chat_model.source,
                        "small_model": entry.small_model.source,
                        "embeddings_model": entry.embeddings_model.source,
                    },
                    "values": model_providers::values(entry),
                })
            })
            .collect();
        return Ok(output::json(&json!({ "providers": all, "overrides": setup.overrides }))?);
    }
    for entry in &setup.entries {
        output::line(line_of(entry))?;
    }
    for one in &setup.overrides {
        output::line(format!("  {} {}: {} of {}", one.scope, one.name, one.model, one.provider))?;
    }
    if setup.entries.is_empty() {
        output::line(
            "No provider is set up. `quarterdeck-server provider add ollama --model llama3.2 --on` adds one.",
        )?;
    }
    Ok(())
}

fn line_of(entry: &Entry) -> String {
    let state = if !entry.is_on.value {
        "off"
    } else if entry.missing().is_empty() {
        "on"
    } else {
        "incomplete"
    };
    let models = [&entry.chat_model, &entry.small_model, &entry.embeddings_model];
    let models: Vec<&str> =
        models.iter().map(|model| model.value.as_str()).filter(|model| !model.is_empty()).collect();
    format!("{}  {}, {state}, {}", entry.id, entry.name, models.join(", "))
}

fn change(values: &Values) -> Result<Change, CliError> {
    let mut fields: BTreeMap<Field, Option<String>> = BTreeMap::new();
    for pair in &values.set {
        let (name, value) = pair.split_once('=').ok_or_else(|| {
            wrong(format!("{pair:?} sets nothing: expected NAME=VALUE, such as region=us-east-1"))
        })?;
        let field = model_providers::field(name)?;
        if field.is_secret() && !value.is_empty() {
            return Err(wrong(format!(
                "{name} is a secret: give it on standard input, with --secret {name}"
            )));
        }
        fields.insert(field, Some(value.to_owned()));
    }
    if let Some(name) = &values.secret {
        let mut secret = String::new();
        std::io::stdin().read_to_string(&mut secret)?;
        fields.insert(model_providers::field(name)?, Some(secret.trim().to_owned()));
    }
    let model = |model: &Option<String>| model.clone().map(Some);
    Ok(Change {
        kind: None,
        name: model(&values.name),
        is_on: if values.on { Some(Some(true)) } else { values.off.then_some(Some(false)) },
        may_leave: values.may_leave.map(Some),
        chat_model: model(&values.model),
        small_model: model(&values.small_model),
        embeddings_model: model(&values.embeddings_model),
        values: fields,
    })
}

fn test(arguments: &Test, by: &PlatformAdmin, providers: &Providers) -> Result<(), CliError> {
    let checked = wait(model_providers::test(by, providers, &arguments.id))??;
    providers.stop();
    if arguments.json {
        output::json(&checked)?;
    } else {
        checked.steps.iter().try_for_each(|step| output::line(told(step)))?;
    }
    if checked.is_sound { Ok(()) } else { Err(CliError::Said) }
}

/// Formats a test step in a line: outcome, time, tokens and remedy.
fn told(step: &Step) -> String {
    let sign = match step.outcome {
        Outcome::Ok => "ok",
        Outcome::Warning => "look",
        Outcome::Failed => "failed",
    };
    let took = step.latency_ms.map(|time| format!(", {time} ms")).unwrap_or_default();
    let tokens = step.tokens.map(|tokens| format!(", {tokens} tokens")).unwrap_or_default();
    let remedy = if step.remedy.is_empty() { String::new() } else { format!(" {}", step.remedy) };
    format!("{sign}: {}{took}{tokens}{remedy}", step.text)
}

fn narrow(arguments: &Narrow, by: &PlatformAdmin, providers: &Providers) -> Result<(), CliError> {
    let scope = match arguments.scope {
        Scope::Agent => "agent",
        Scope::Tier => "tier",
    };
    let name = arguments.name.trim().to_lowercase();
    let mut all = providers.setup().map_err(stored)?.overrides;
    all.retain(|one| (one.scope.as_str(), one.name.as_str()) != (scope, name.as_str()));
    if let (Some(provider), Some(model)) = (&arguments.id, &arguments.model) {
        let (scope, provider, model) = (scope.to_owned(), provider.clone(), model.clone());
        all.push(Override { scope, name, provider, model });
    }
    Ok(model_providers::save_overrides(by, providers, &all)?)
}

fn wait<T>(work: impl Future<Output = T>) -> Result<T, CliError> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Runtime)?;
    Ok(runtime.block_on(work))
}

fn stored(error: StoreError) -> CliError {
    SaveError::from(error).into()
}

fn wrong(message: String) -> CliError {
    CliError::Usage(message)
}
