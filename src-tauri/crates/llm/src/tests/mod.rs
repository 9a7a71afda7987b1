//! Tests with a loopback server that implements the real protocols: [`testkit::language_models`].

mod embedding;
mod fallbacks;
mod faults;
mod running;
mod setting_up;
mod signatures;
mod static_models;
mod talking;

use crate::environment::EnvironmentValues;
use crate::kind::Connection;
use crate::kind::{Field, ProviderKind};
use crate::provider::{LocalResources, Provider, SharedState};
use crate::sign::amazon_role::Roles;
use crate::sign::google_token::Tokens;
use crate::static_model::Statics;
use outgoing::{EgressPolicy, OutgoingSettings};
use std::collections::BTreeMap;
use std::sync::Arc;
use testkit::language_models::{ACCESS_KEY, KEY, LanguageModels, SECRET_KEY};

/// 2026-11-20T12:00:00Z.
const NOW: i64 = 1_795_176_000_000_000;

/// Kinds that support chat over the network.
const KINDS: [ProviderKind; 8] = [
    ProviderKind::Bedrock,
    ProviderKind::Azure,
    ProviderKind::Vertex,
    ProviderKind::Gemini,
    ProviderKind::OpenAi,
    ProviderKind::HuggingFace,
    ProviderKind::Ollama,
    ProviderKind::SageMaker,
];

/// A provider of that kind at the test server, with credentials.
fn provider_at(double: &LanguageModels, kind: ProviderKind) -> Provider {
    let with_version = format!("{}/v1", double.address);
    let endpoint = match kind {
        ProviderKind::OpenAi | ProviderKind::HuggingFace => with_version,
        ProviderKind::SageMaker => format!("{}/endpoints/my-endpoint/invocations", double.address),
        _ => double.address.clone(),
    };
    let mut values = BTreeMap::from([(Field::Endpoint, endpoint)]);
    match kind {
        ProviderKind::Bedrock | ProviderKind::SageMaker => {
            values.insert(Field::AccessKey, ACCESS_KEY.to_owned());
            values.insert(Field::SecretKey, SECRET_KEY.to_owned());
        }
        ProviderKind::Vertex => {
            values.insert(Field::Key, signatures::key_file(&format!("{}/token", double.address)));
        }
        ProviderKind::Azure => {
            values.insert(Field::Key, KEY.to_owned());
            values.insert(Field::Version, "2024-10-21".to_owned());
        }
        ProviderKind::Ollama => {}
        _ => {
            values.insert(Field::Key, KEY.to_owned());
        }
    }
    Provider {
        id: kind.name().to_owned(),
        name: kind.title().to_owned(),
        kind,
        model: "anthropic.some-model-v1:0".to_owned(),
        may_leave: false,
        connection: Connection(values),
        way: OutgoingSettings { egress: EgressPolicy::of_instance(), ..OutgoingSettings::default() },
        common: common(&[]),
        local: LocalResources::default(),
    }
}

fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// The state providers share, with these environment variables.
fn common(environment: &[(&str, &str)]) -> Arc<SharedState> {
    let given = environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Arc::new(SharedState {
        now: || NOW,
        environment: given.collect::<EnvironmentValues>(),
        tokens: Tokens::default(),
        roles: Roles::default(),
        statics: Statics::default(),
    })
}
