//! Providers described by environment variables: those of semantics §15, with exactly these names.

use crate::kind::Tier;
use crate::kind::{Field, ProviderKind};
use std::collections::BTreeMap;

/// Values by name, as given at start-up.
pub type EnvironmentValues = BTreeMap<String, String>;

/// One variable: name, default, whether it is secret, and description.
pub type Variable = (&'static str, Option<&'static str>, bool, &'static str);

/// Every variable that is read, except those with a suffix: `_<AGENT>` after any `LLM_` name but LLM_RUNNER_PATH and LLM_MAY_LEAVE, and
/// `LLM_TIER_<NAME>_<TIER>`.
pub const NAMES: &[Variable] = &[
    (
        "LLM_PROVIDER",
        Some("bedrock"),
        false,
        "Kind of provider: bedrock, azure, vertexai, googleai, openai, huggingface, ollama, sagemaker or service",
    ),
    ("LLM_MODEL_NAME", None, false, "Name of the model"),
    ("LLM_PROVIDER_API_ENDPOINT", None, false, "URL of the provider, or name of the SageMaker endpoint"),
    (
        "LLM_PROVIDER_API_KEY",
        None,
        true,
        "API key of the provider; for vertexai the JSON key file of a service account",
    ),
    ("LLM_PROVIDER_API_VERSION", None, false, "API version of the provider, such as 2024-10-21 (azure)"),
    (
        "LLM_PROVIDER_API_TYPE",
        Some("openai"),
        false,
        "API dialect of a provider of the kind openai: openai or azure",
    ),
    (
        "LLM_PROVIDER_REGION",
        Some("us-west-2"),
        false,
        "Region of a cloud provider; us-central1 by default for vertexai",
    ),
    ("LLM_PROVIDER_ACCESS_KEY", None, false, "AWS access key. Default: the credentials of the environment"),
    ("LLM_PROVIDER_SECRET_KEY", None, true, "AWS secret key"),
    ("LLM_PROVIDER_SESSION_TOKEN", None, true, "AWS session token"),
    (
        "LLM_PROVIDER_ROLE_ARN",
        None,
        false,
        "AWS role to assume with these credentials, such as arn:aws:iam::123456789012:role/models",
    ),
    ("LLM_PROVIDER_EXTERNAL_ID", None, false, "External ID, if the trust policy of the role requires one"),
    ("LLM_PROVIDER_MAX_TOKENS", None, false, "Maximum number of tokens of an answer"),
    (
        "LLM_PROVIDER_MONTHLY_LIMIT",
        None,
        false,
        "Monthly cost limit of the provider, in the currency of the price list, such as 400.00",
    ),
    (
        "LLM_MODEL_FALLBACKS",
        None,
        false,
        "Fallback models of the same provider, used in this order if the first model fails, separated by commas",
    ),
    (
        "EMBEDDINGS_PROVIDER",
        Some("bedrock"),
        false,
        "Kind of embeddings provider: a value of LLM_PROVIDER, or ondevice",
    ),
    (
        "EMBEDDINGS_MODEL_NAME",
        Some("amazon.titan-embed-text-v2:0"),
        false,
        "Name of the embedding model; for ondevice the folder of a static model. Default for ondevice: `embeddings` in the data directory",
    ),
    (
        "EMBEDDINGS_PROVIDER_API_ENDPOINT",
        None,
        false,
        "URL of that provider, or name of the SageMaker endpoint",
    ),
    ("EMBEDDINGS_PROVIDER_API_KEY", None, true, "API key of that provider"),
    ("EMBEDDINGS_PROVIDER_API_VERSION", None, false, "API version of that provider"),
    (
        "EMBEDDINGS_PROVIDER_API_TYPE",
        None,
        false,
        "API dialect of a provider of the kind openai: openai or azure",
    ),
    ("EMBEDDINGS_PROVIDER_REGION", Some("us-west-2"), false, "Region of that provider"),
    (
        "EMBEDDINGS_PROVIDER_ACCESS_KEY",
        None,
        false,
        "AWS access key for that provider. Default: LLM_PROVIDER_ACCESS_KEY, or else the credentials of the environment",
    ),
    ("EMBEDDINGS_PROVIDER_SECRET_KEY", None, true, "AWS secret key"),
    ("EMBEDDINGS_PROVIDER_SESSION_TOKEN", None, true, "AWS session token"),
    (
        "EMBEDDINGS_PROVIDER_ROLE_ARN",
        None,
        false,
        "AWS role to assume with these credentials. Default if no access key is set for that provider: LLM_PROVIDER_ROLE_ARN",
    ),
    (
        "EMBEDDINGS_PROVIDER_EXTERNAL_ID",
        None,
        false,
        "External ID, if the trust policy of that role requires one",
    ),
    (
        "EMBEDDINGS_PROVIDER_MONTHLY_LIMIT",
        None,
        false,
        "Monthly cost limit of that provider, in the currency of the price list",
    ),
    ("EMBEDDINGS_DIMENSIONS", None, false, "Length of the vectors, if the model supports several"),
    (
        "LLM_RUNNER_PATH",
        None,
        false,
        "Path of the program llama-server, which runs service models. Default: the one on PATH",
    ),
    (
        "LLM_MAY_LEAVE",
        Some("true"),
        false,
        "Whether prompts to the provider set by LLM_PROVIDER may leave this machine: true or false",
    ),
    (
        "EMBEDDINGS_MAY_LEAVE",
        Some("true"),
        false,
        "Whether texts to be embedded may leave this machine: true or false",
    ),
];

/// Variables of Amazon's own tools: read if an Amazon provider is configured without keys.
pub const AMAZON: [&str; 9] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN",
    "AWS_EC2_METADATA_DISABLED",
    "AWS_EC2_METADATA_SERVICE_ENDPOINT",
    "AWS_ENDPOINT_URL_STS",
];

/// The scope of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VariableOwner<'a> {
    All,
    Tier(Tier),
    Agent(&'a str),
}

/// The name of a variable for a tier or an agent: `LLM_MODEL_NAME_<AGENT>` or `LLM_TIER_MODEL_NAME_<TIER>`.
pub(crate) fn variable(name: &str, whose: VariableOwner<'_>) -> String {
    match whose {
        VariableOwner::All => name.to_owned(),
        VariableOwner::Agent(agent) => format!("{name}_{}", suffix(agent)),
        VariableOwner::Tier(tier) => {
            format!("LLM_TIER_{}_{}", name.trim_start_matches("LLM_"), tier.name().to_uppercase())
        }
    }
}

/// An agent's name as a suffix: upper-case letters, digits, `_`.
fn suffix(agent: &str) -> String {
    let letter =
        |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' };
    agent.chars().map(letter).collect()
}

pub(crate) fn get<'a>(given: &'a EnvironmentValues, name: &str) -> Option<&'a str> {
    given.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
}

/// The chat provider described by the environment: variables of the tier or agent first, then the general ones. `None` if no provider or model is
/// named.
pub(crate) fn chat(given: &EnvironmentValues, whose: VariableOwner<'_>) -> Option<ProviderDescription> {
    let own = |name: &str| get(given, &variable(name, whose));
    let provider = own("LLM_PROVIDER");
    if provider.is_none() && own("LLM_MODEL_NAME").is_none() {
        return None;
    }
    // The general values do not apply to another kind of provider.
    let shares =
        whose == VariableOwner::All || provider.is_none_or(|kind| kind == general(given, "LLM_PROVIDER"));
    let value = |name: &str| own(name).or_else(|| shares.then(|| get(given, name)).flatten());
    let kind = provider.unwrap_or(general(given, "LLM_PROVIDER"));
    let values =
        Field::ALL.into_iter().filter_map(|field| Some((field, value(field.of_chat()?)?.to_owned())));
    Some(ProviderDescription {
        kind: kind_of(kind, value("LLM_PROVIDER_API_TYPE")),
        named: kind.to_owned(),
        model: value("LLM_MODEL_NAME").map(str::to_owned),
        fallbacks: list(value("LLM_MODEL_FALLBACKS")),
        may_leave: get(given, "LLM_MAY_LEAVE") != Some("false"),
        values: values.collect(),
    })
}

/// Tiers and agents with their own variables; agents by the suffix of `LLM_MODEL_NAME_` or `LLM_PROVIDER_`.
pub(crate) fn narrower(given: &EnvironmentValues) -> Vec<(&'static str, String)> {
    let tiers = [Tier::Reasoning, Tier::Retrieval, Tier::Summary];
    let of_tiers = tiers.into_iter().filter(|tier| chat(given, VariableOwner::Tier(*tier)).is_some());
    let mut found: Vec<(&str, String)> = of_tiers.map(|tier| ("tier", tier.name().to_owned())).collect();
    // Other variables with an agent's suffix only add to these two.
    let is_other = |name: &str| {
        let mut others = NAMES.iter().map(|(known, ..)| *known).filter(|known| *known != "LLM_PROVIDER");
        others.any(|known| {
            name.strip_prefix(known).is_some_and(|rest| rest.starts_with('_') || rest.is_empty())
        })
    };
    for name in given.keys().filter(|name| get(given, name).is_some()) {
        let of_provider = || name.strip_prefix("LLM_PROVIDER_").filter(|_| !is_other(name));
        let agent = name.strip_prefix("LLM_MODEL_NAME_").or_else(of_provider);
        let Some(agent) = agent.map(str::to_lowercase) else { continue };
        if !found.iter().any(|(scope, known)| *scope == "agent" && *known == agent) {
            found.push(("agent", agent));
        }
    }
    found
}

/// Like [`chat`], for embeddings.
pub(crate) fn embeddings(given: &EnvironmentValues) -> Option<ProviderDescription> {
    let value = |name: &str| get(given, name);
    if value("EMBEDDINGS_PROVIDER").is_none() && value("EMBEDDINGS_MODEL_NAME").is_none() {
        return None;
    }
    let kind = general(given, "EMBEDDINGS_PROVIDER");
    // Embeddings without their own Amazon keys use those of the chat provider, with the role that those keys assume.
    let is_amazon = kind == "bedrock" || kind == "sagemaker";
    let has = |fields: &[Field]| {
        fields.iter().any(|field| field.of_embeddings().is_some_and(|name| value(name).is_some()))
    };
    let (has_keys, has_role) = (has(&Field::KEYS), has(&Field::ROLE));
    let shares = |field: &Field| {
        let of_keys = Field::KEYS.contains(field) && !has_keys;
        is_amazon && (of_keys || Field::ROLE.contains(field) && !has_keys && !has_role)
    };
    let field = |field: Field| {
        let own = field.of_embeddings().and_then(value);
        let found = own.or_else(|| field.of_chat().filter(|_| shares(&field)).and_then(value))?;
        Some((field, found.to_owned()))
    };
    let default = match kind {
        "bedrock" => Some("amazon.titan-embed-text-v2:0"),
        // It needs no settings; the folder has a default location.
        "ondevice" => Some("static"),
        _ => None,
    };
    Some(ProviderDescription {
        kind: kind_of(kind, value("EMBEDDINGS_PROVIDER_API_TYPE")),
        named: kind.to_owned(),
        model: value("EMBEDDINGS_MODEL_NAME").or(default).map(str::to_owned),
        fallbacks: Vec::new(),
        may_leave: value("EMBEDDINGS_MAY_LEAVE") != Some("false"),
        values: Field::ALL.into_iter().filter_map(field).collect(),
    })
}

/// A provider described by environment variables.
#[derive(Clone)]
pub(crate) struct ProviderDescription {
    /// `None` if the kind is unknown.
    pub kind: Option<ProviderKind>,
    pub named: String,
    pub model: Option<String>,
    pub fallbacks: Vec<String>,
    pub may_leave: bool,
    pub values: BTreeMap<Field, String>,
}

fn general<'a>(given: &'a EnvironmentValues, name: &str) -> &'a str {
    get(given, name).unwrap_or("bedrock")
}

fn kind_of(name: &str, words: Option<&str>) -> Option<ProviderKind> {
    match ProviderKind::find(&name.to_ascii_lowercase()) {
        Some(ProviderKind::OpenAi) if words.is_some_and(|words| words.eq_ignore_ascii_case("azure")) => {
            Some(ProviderKind::Azure)
        }
        // The documentation uses this name for Google's embeddings.
        None if name.eq_ignore_ascii_case("googleai/vertexai") => Some(ProviderKind::Gemini),
        kind => kind,
    }
}

fn list(text: Option<&str>) -> Vec<String> {
    let names = text.unwrap_or_default().split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}
