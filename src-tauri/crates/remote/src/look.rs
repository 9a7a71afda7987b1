//! Checks an instance: whether it answers, its version and its certificates. Used before it is added, and on request.

use crate::address::InstanceOrigin;
use crate::client::way;
use crate::error::behind_a_gateway;
use crate::proxy::Proxy;
use crate::{RemoteError, Remotes, SECOND, blocking};
use outgoing::{Fault, StatusCode, inspect_server, read};
use serde::Deserialize;
use std::sync::Arc;
use uuid::Uuid;

/// Maximum size of the response of `/api/about`, bytes.
const ABOUT: usize = 64 * 1024;

/// The result of checking an address. `certificates` are DER, the instance's own first.
#[derive(Debug)]
pub struct Report {
    /// The normalised address.
    pub address: String,
    pub is_encrypted: bool,
    pub certificates: Vec<Vec<u8>>,
    /// Duration, ms.
    pub took: i64,
    pub found: Result<About, RemoteError>,
}

/// The response of `/api/about`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct About {
    pub name: String,
    pub version: String,
    #[serde(default)]
    pub sign_in: Ways,
}

/// The available sign-in methods.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub struct Ways {
    #[serde(default)]
    pub saml: bool,
    /// Whether it admits desktop programs.
    #[serde(default)]
    pub desktop: bool,
}

impl Remotes {
    /// Checks an address before it is added.
    pub async fn look(
        &self,
        address: &str,
        authorities: Option<&str>,
        proxy: Option<&str>,
        plain_accepted: bool,
    ) -> Result<Report, RemoteError> {
        self.look_through(address, authorities, Proxy::read(proxy)?.as_ref(), plain_accepted).await
    }

    async fn look_through(
        &self,
        address: &str,
        authorities: Option<&str>,
        proxy: Option<&Proxy>,
        plain_accepted: bool,
    ) -> Result<Report, RemoteError> {
        let place = InstanceOrigin::read(address, plain_accepted)?;
        let way = way(authorities, proxy)?;
        let Some(url) = place.at("/api/about") else { return Err(RemoteError::Unknown) };
        let began = self.now();
        let (certificates, answer) = match inspect_server(&way, &url).await {
            Ok(seen) => (seen.certificates, seen.answer),
            Err(fault) => (Vec::new(), Err(fault)),
        };
        let found = about(place.host(), answer).await;
        let took = (self.now() - began) / (SECOND / 1000);
        Ok(Report { address: place.text(), is_encrypted: place.is_encrypted(), certificates, took, found })
    }

    /// Checks a known instance, and stores its version.
    pub async fn check(self: &Arc<Self>, id: Uuid) -> Result<Report, RemoteError> {
        let this = Arc::clone(self);
        let instance = blocking(move || this.find(id)).await?;
        let report = self
            .look_through(
                &instance.address,
                instance.authorities.as_deref(),
                instance.way_out()?.as_ref(),
                instance.plain_accepted,
            )
            .await?;
        if let Ok(about) = &report.found {
            let (this, version) = (Arc::clone(self), about.version.clone());
            blocking(move || this.note_seen(id, Some(&version))).await?;
        }
        Ok(report)
    }
}

async fn about(host: &str, answer: Result<outgoing::Response, Fault>) -> Result<About, RemoteError> {
    let strange = |found: String| RemoteError::Strange { host: host.to_owned(), found };
    let answer = answer?;
    if let Some(away) = behind_a_gateway(&answer) {
        return Err(away);
    }
    let status = answer.status();
    if status == StatusCode::PROXY_AUTHENTICATION_REQUIRED {
        return Err(Fault::proxy_wants_a_name(host).into());
    }
    if status.is_redirection() {
        return Err(strange(format!(
            "it sends requests elsewhere (status {status}); give the address it sends them to, if that is right"
        )));
    }
    if !status.is_success() {
        return Err(strange(format!("it answers /api/about with the status {status}")));
    }
    let body = read(answer, ABOUT).await?;
    let about: About = serde_json::from_slice(&body)
        .map_err(|_| strange("what it says of itself is not what Quarterdeck says".to_owned()))?;
    if about.name != "Quarterdeck" {
        return Err(strange(format!(
            "it calls itself {:?}",
            about.name.chars().take(40).collect::<String>()
        )));
    }
    if !about.sign_in.desktop {
        return Err(strange(format!(
            "its version {} does not let desktops sign in; update it",
            about.version
        )));
    }
    Ok(about)
}
