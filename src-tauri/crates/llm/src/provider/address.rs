//! The address of a provider, from its settings and the defaults of its kind.

use super::Provider;
use crate::failure::{Failure, FailureKind};
use crate::kind::{Field, ProviderKind};
use crate::sign::google_token::Account;
use crate::wire::{amazon, below};
use url::{Host, Url};

impl Provider {
    pub(super) fn region(&self) -> &str {
        self.connection.get(Field::Region).unwrap_or(self.kind.region())
    }

    pub(super) fn version(&self) -> Result<&str, Failure> {
        self.connection.get(Field::Version).ok_or_else(|| self.needs(Field::Version))
    }

    /// The base address: the configured one, or the default of the kind.
    pub(super) fn base(&self) -> Result<Url, Failure> {
        match self.connection.get(Field::Endpoint) {
            // A SageMaker endpoint can be given by name only.
            Some(own) if self.kind != ProviderKind::SageMaker || own.contains("://") => address(own),
            _ => {
                let own = self.kind.address().ok_or_else(|| self.needs(Field::Endpoint))?;
                let region = self.region();
                if !region.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
                    return Err(Failure::setting(format!(
                        "{region:?} is no region; expected one such as us-west-2."
                    )));
                }
                address(&own.replace("{region}", region))
            }
        }
    }

    /// `…/endpoints/{name}/invocations`: built from the name, or the configured address.
    pub(super) fn invocations(&self, base: &Url) -> Result<Url, Failure> {
        let endpoint = self.connection.get(Field::Endpoint).ok_or_else(|| self.needs(Field::Endpoint))?;
        if !endpoint.contains("://") {
            return Ok(amazon::address(base, "endpoints", endpoint, "invocations"));
        }
        if base.path().ends_with("/invocations") {
            return Ok(base.clone());
        }
        Ok(amazon::address(base, "endpoints", &self.model, "invocations"))
    }

    /// The address of Google's models.
    pub(super) fn google_models(&self, base: &Url) -> Result<Url, Failure> {
        if self.kind == ProviderKind::Gemini {
            return below(base, &["v1beta", "models"]);
        }
        if base.path().contains("/projects/") {
            return below(base, &["publishers", "google", "models"]);
        }
        let key = self.connection.get(Field::Key).ok_or_else(|| self.needs(Field::Key))?;
        let project = if key.starts_with('{') { Account::parse(key)?.project_id } else { String::new() };
        if project.is_empty() {
            return Err(Failure::setting(
                "The project is not known: use a service account's key file, or an address that names it (…/v1/projects/NAME/locations/REGION).",
            ));
        }
        let segments =
            ["v1", "projects", &project, "locations", self.region(), "publishers", "google", "models"];
        below(base, &segments)
    }

    pub(super) fn needs(&self, field: Field) -> Failure {
        let name = field.of_chat().or(field.of_embeddings()).unwrap_or(field.name());
        let message = format!("{} cannot be asked: {name} is not set.", self.name);
        let remedy = "Set it under Settings, Model providers, or in the environment.";
        Failure { missing: vec![name], ..Failure::new(FailureKind::NotConfigured, message, remedy) }
    }
}

pub(super) fn parse(text: &str) -> Result<Url, Failure> {
    Url::parse(text).map_err(|_| {
        Failure::setting(format!("{text:?} is not a full URL, such as https://models.example.com."))
    })
}

fn address(text: &str) -> Result<Url, Failure> {
    let url = parse(text)?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        let message =
            format!("{text:?} is not the URL of a provider: expected one like https://models.example.com.");
        return Err(Failure::setting(message));
    }
    Ok(url)
}

/// Whether an address is on this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}
