//! The kinds of providers, by their names in settings (semantics §15), and their fields.

mod tier;
mod values;

pub use tier::Tier;
pub(crate) use values::{Connection, problem};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The type of model provider, which determines its API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum ProviderKind {
    #[serde(rename = "bedrock")]
    Bedrock,
    #[serde(rename = "azure")]
    Azure,
    #[serde(rename = "vertexai")]
    Vertex,
    #[serde(rename = "googleai")]
    Gemini,
    #[serde(rename = "openai")]
    OpenAi,
    #[serde(rename = "huggingface")]
    HuggingFace,
    #[serde(rename = "ollama")]
    Ollama,
    #[serde(rename = "sagemaker")]
    SageMaker,
    /// Downloaded models that run on this machine.
    #[serde(rename = "service")]
    Service,
    /// Embeddings computed in the service's own process from a model file.
    #[serde(rename = "ondevice")]
    OnDevice,
}

/// A connection setting of a provider. Secrets are stored encrypted and never returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ProviderField")]
#[serde(rename_all = "snake_case")]
pub enum Field {
    Endpoint,
    Key,
    Version,
    Type,
    Region,
    AccessKey,
    SecretKey,
    SessionToken,
    /// Number of dimensions of the embedding vectors. If unset, the model's default.
    Dimensions,
    /// Maximum number of tokens in a response.
    MaxTokens,
    /// ARN of the AWS role to assume with the access keys.
    Role,
    /// The external id, if the role's trust policy requires one.
    ExternalId,
    /// The cost limit per month, in the currency of the price list.
    MonthlyLimit,
}

impl Field {
    pub const ALL: [Self; 13] = [
        Self::Endpoint,
        Self::Key,
        Self::Version,
        Self::Type,
        Self::Region,
        Self::AccessKey,
        Self::SecretKey,
        Self::SessionToken,
        Self::Dimensions,
        Self::MaxTokens,
        Self::Role,
        Self::ExternalId,
        Self::MonthlyLimit,
    ];

    /// The keys of an Amazon account.
    pub(crate) const KEYS: [Self; 3] = [Self::AccessKey, Self::SecretKey, Self::SessionToken];
    /// The fields of the role they assume.
    pub(crate) const ROLE: [Self; 2] = [Self::Role, Self::ExternalId];

    /// The name in pages and rows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Endpoint => "endpoint",
            Self::Key => "key",
            Self::Version => "version",
            Self::Type => "type",
            Self::Region => "region",
            Self::AccessKey => "access_key",
            Self::SecretKey => "secret_key",
            Self::SessionToken => "session_token",
            Self::Dimensions => "dimensions",
            Self::MaxTokens => "max_tokens",
            Self::Role => "role",
            Self::ExternalId => "external_id",
            Self::MonthlyLimit => "monthly_limit",
        }
    }

    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// Whether it is encrypted at rest and never shown again.
    pub fn is_secret(self) -> bool {
        matches!(self, Self::Key | Self::SecretKey | Self::SessionToken)
    }

    /// The environment variable for chat; `None` if there is none.
    pub fn of_chat(self) -> Option<&'static str> {
        Some(match self {
            Self::Endpoint => "LLM_PROVIDER_API_ENDPOINT",
            Self::Key => "LLM_PROVIDER_API_KEY",
            Self::Version => "LLM_PROVIDER_API_VERSION",
            Self::Type => "LLM_PROVIDER_API_TYPE",
            Self::Region => "LLM_PROVIDER_REGION",
            Self::AccessKey => "LLM_PROVIDER_ACCESS_KEY",
            Self::SecretKey => "LLM_PROVIDER_SECRET_KEY",
            Self::SessionToken => "LLM_PROVIDER_SESSION_TOKEN",
            Self::Role => "LLM_PROVIDER_ROLE_ARN",
            Self::ExternalId => "LLM_PROVIDER_EXTERNAL_ID",
            Self::MaxTokens => "LLM_PROVIDER_MAX_TOKENS",
            Self::MonthlyLimit => "LLM_PROVIDER_MONTHLY_LIMIT",
            Self::Dimensions => return None,
        })
    }

    /// The environment variable for embeddings; `None` if there is none.
    pub fn of_embeddings(self) -> Option<&'static str> {
        Some(match self {
            Self::Endpoint => "EMBEDDINGS_PROVIDER_API_ENDPOINT",
            Self::Key => "EMBEDDINGS_PROVIDER_API_KEY",
            Self::Version => "EMBEDDINGS_PROVIDER_API_VERSION",
            Self::Type => "EMBEDDINGS_PROVIDER_API_TYPE",
            Self::Region => "EMBEDDINGS_PROVIDER_REGION",
            Self::AccessKey => "EMBEDDINGS_PROVIDER_ACCESS_KEY",
            Self::SecretKey => "EMBEDDINGS_PROVIDER_SECRET_KEY",
            Self::SessionToken => "EMBEDDINGS_PROVIDER_SESSION_TOKEN",
            Self::Role => "EMBEDDINGS_PROVIDER_ROLE_ARN",
            Self::ExternalId => "EMBEDDINGS_PROVIDER_EXTERNAL_ID",
            Self::MonthlyLimit => "EMBEDDINGS_PROVIDER_MONTHLY_LIMIT",
            Self::Dimensions => "EMBEDDINGS_DIMENSIONS",
            Self::MaxTokens => return None,
        })
    }
}

impl ProviderKind {
    /// In display order.
    pub const ALL: [Self; 10] = [
        Self::Bedrock,
        Self::Azure,
        Self::Vertex,
        Self::Gemini,
        Self::OpenAi,
        Self::HuggingFace,
        Self::Ollama,
        Self::SageMaker,
        Self::Service,
        Self::OnDevice,
    ];

    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bedrock => "bedrock",
            Self::Azure => "azure",
            Self::Vertex => "vertexai",
            Self::Gemini => "googleai",
            Self::OpenAi => "openai",
            Self::HuggingFace => "huggingface",
            Self::Ollama => "ollama",
            Self::SageMaker => "sagemaker",
            Self::Service => "service",
            Self::OnDevice => "ondevice",
        }
    }

    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The display name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Bedrock => "Amazon Bedrock",
            Self::Azure => "Azure OpenAI",
            Self::Vertex => "Vertex AI",
            Self::Gemini => "Gemini",
            Self::OpenAi => "OpenAI-compatible API",
            Self::HuggingFace => "Hugging Face inference",
            Self::Ollama => "Ollama",
            Self::SageMaker => "SageMaker endpoint",
            Self::Service => "Service models",
            Self::OnDevice => "Static embeddings",
        }
    }

    /// The required fields, for chat or embeddings (semantics §15). AWS credentials can also come from the environment, the container or the
    /// machine.
    pub fn required(self) -> &'static [Field] {
        match self {
            Self::Azure => &[Field::Endpoint, Field::Key, Field::Version],
            Self::Vertex | Self::Gemini | Self::HuggingFace => &[Field::Key],
            Self::SageMaker => &[Field::Endpoint],
            Self::Bedrock | Self::OpenAi | Self::Ollama | Self::Service | Self::OnDevice => &[],
        }
    }

    /// The fields users can set.
    pub fn fields(self) -> &'static [Field] {
        const AWS: [Field; 9] = [
            Field::Region,
            Field::AccessKey,
            Field::SecretKey,
            Field::SessionToken,
            Field::Role,
            Field::ExternalId,
            Field::Endpoint,
            Field::MaxTokens,
            Field::MonthlyLimit,
        ];
        match self {
            Self::Bedrock | Self::SageMaker => &AWS,
            Self::Azure => {
                &[Field::Endpoint, Field::Key, Field::Version, Field::MaxTokens, Field::MonthlyLimit]
            }
            Self::Vertex => {
                &[Field::Region, Field::Key, Field::Endpoint, Field::MaxTokens, Field::MonthlyLimit]
            }
            Self::Gemini | Self::HuggingFace => {
                &[Field::Key, Field::Endpoint, Field::MaxTokens, Field::MonthlyLimit]
            }
            Self::OpenAi | Self::Ollama => {
                &[Field::Endpoint, Field::Key, Field::MaxTokens, Field::MonthlyLimit]
            }
            Self::Service => &[Field::MaxTokens],
            Self::OnDevice => &[Field::Endpoint],
        }
    }

    /// Whether it supports chat; all kinds but one do.
    pub fn chats(self) -> bool {
        self != Self::OnDevice
    }

    /// Whether it supports embeddings.
    pub fn embeds(self) -> bool {
        true
    }

    /// The default address; `{region}` is a placeholder. `None` if the address must be set, or if there is none.
    pub fn address(self) -> Option<&'static str> {
        Some(match self {
            Self::Bedrock => "https://bedrock-runtime.{region}.amazonaws.com",
            Self::SageMaker => "https://runtime.sagemaker.{region}.amazonaws.com",
            Self::Vertex => "https://{region}-aiplatform.googleapis.com",
            Self::Gemini => "https://generativelanguage.googleapis.com",
            Self::OpenAi => "https://api.openai.com/v1",
            Self::HuggingFace => "https://router.huggingface.co/v1",
            Self::Ollama => "http://127.0.0.1:11434",
            Self::Azure | Self::Service | Self::OnDevice => return None,
        })
    }

    /// The default region (semantics §15); Google's differs from that of AWS.
    pub fn region(self) -> &'static str {
        if self == Self::Vertex { "us-central1" } else { "us-west-2" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_and_field_is_found_by_its_name() {
        for kind in ProviderKind::ALL {
            assert_eq!(ProviderKind::find(kind.name()), Some(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
            assert!(kind.required().iter().all(|field| kind.fields().contains(field)), "{kind:?}");
        }
        for field in Field::ALL {
            assert_eq!(Field::find(field.name()), Some(field));
            assert_eq!(serde_json::to_value(field).unwrap(), field.name());
        }
    }
}
