//! Sends requests: signs them for the provider, and turns error responses into failures.

use super::Provider;
use crate::environment::get;
use crate::failure::Failure;
use crate::kind::{Field, ProviderKind};
use crate::sign::amazon_keys;
use crate::sign::amazon_role::Role;
use crate::sign::google_token::Account;
use crate::sign::sigv4::{self, Credentials};
use crate::wire::{Post, refusal};
use outgoing::{Method, Outgoing, Response, header, read};

/// Maximum size of an error response, in bytes.
const LARGEST_REFUSAL: usize = 256 * 1024;

impl Provider {
    /// Signs and sends a request. Turns an error response into a failure.
    pub(super) async fn send(&self, post: Post) -> Result<Response, Failure> {
        let outgoing = self.open()?;
        let post = self.signed(post, &outgoing).await?;
        let method = if post.body.is_some() { Method::POST } else { Method::GET };
        let secrets: Vec<String> =
            sent_secrets(&post).chain(self.connection.secrets().into_iter().map(str::to_owned)).collect();
        let mut request = outgoing.request(method, &post.url)?;
        for (name, value) in post.headers {
            request = request.header(name, value);
        }
        if let Some(body) = post.body {
            request = request.body(body);
        }
        let response = outgoing.send(request).await?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let retry_after = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
        let retry_after = retry_after.map(str::to_owned);
        let body = read(response, LARGEST_REFUSAL).await.unwrap_or_default();
        let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
        Err(refusal::of_status(&self.name, status, retry_after.as_deref(), &body, &secrets))
    }

    pub(super) fn open(&self) -> Result<Outgoing, Failure> {
        let mut way = self.way.clone();
        if self.is_local() {
            // A server on this machine is not behind the proxy.
            way.proxy = None;
        }
        Ok(way.open()?)
    }

    pub(super) async fn signed(&self, post: Post, outgoing: &Outgoing) -> Result<Post, Failure> {
        let key = self.connection.get(Field::Key);
        let needed = || self.needs(Field::Key);
        let bearer = |post: Post, token: &str| post.with("authorization", format!("Bearer {token}"));
        Ok(match self.kind {
            ProviderKind::OpenAi | ProviderKind::Ollama => match key {
                Some(key) => bearer(post, key),
                None => post,
            },
            ProviderKind::HuggingFace => bearer(post, key.ok_or_else(needed)?),
            ProviderKind::Azure => post.with("api-key", key.ok_or_else(needed)?),
            ProviderKind::Gemini => post.with("x-goog-api-key", key.ok_or_else(needed)?),
            ProviderKind::Vertex => {
                let key = key.ok_or_else(needed)?;
                let token = if key.starts_with('{') {
                    let account = Account::parse(key)?;
                    self.common.tokens.get(&account, outgoing, (self.common.now)()).await?
                } else {
                    key.to_owned()
                };
                bearer(post, &token)
            }
            ProviderKind::Bedrock | ProviderKind::SageMaker => {
                let keys = self.amazon_keys(outgoing).await?;
                let what = sigv4::Signing {
                    method: if post.body.is_some() { "POST" } else { "GET" },
                    url: &post.url,
                    body: post.body.as_deref().unwrap_or_default(),
                    service: if self.kind == ProviderKind::Bedrock { "bedrock" } else { "sagemaker" },
                    region: self.region(),
                    now: (self.common.now)(),
                };
                let signature = sigv4::sign(&what, &keys);
                signature.into_iter().fold(post, |post, (name, value)| post.with(name, value))
            }
            ProviderKind::Service | ProviderKind::OnDevice => post,
        })
    }

    /// The keys for signing: those of the connection or of the surroundings, or those of the role they assume.
    async fn amazon_keys(&self, outgoing: &Outgoing) -> Result<Credentials, Failure> {
        let environment = &self.common.environment;
        let own = amazon_keys::find(&self.connection, environment).await?;
        let Some(arn) = self.connection.get(Field::Role) else { return Ok(own) };
        let role = Role {
            arn,
            external_id: self.connection.get(Field::ExternalId),
            region: self.region(),
            address: get(environment, "AWS_ENDPOINT_URL_STS"),
        };
        self.common.roles.get(&role, &own, outgoing, (self.common.now)()).await
    }
}

/// The secrets in a request: some providers repeat them in error messages.
fn sent_secrets(post: &Post) -> impl Iterator<Item = String> {
    let is_secret =
        |name: &str| matches!(name, "authorization" | "api-key" | "x-goog-api-key" | "x-amz-security-token");
    let found = post.headers.iter().filter(move |(name, _)| is_secret(name));
    found.map(|(_, value)| value.strip_prefix("Bearer ").unwrap_or(value).to_owned())
}
