//! Tests the connection to the registry on a user's request: whether it responds, with which certificates, and whether it accepts the key.

use crate::downloads::Downloads;
use crate::failure::{Failure, FetchError, Kind};
use crate::name::{ModelName, OFFERED};
use crate::registry::Registry;
use outgoing::{Method, OutgoingSettings, ServerInspection};
use url::Url;

/// The result of a connection test.
#[derive(Debug)]
pub struct ConnectionTest {
    /// Host and port; the port only if it is not the scheme's default.
    pub host: String,
    pub is_encrypted: bool,
    /// The certificates it presented, its own first, as DER; trusted or not.
    pub certificates: Vec<Vec<u8>>,
    /// Whether it responds and accepts the key, with the reason if not.
    pub found: Result<(), Failure>,
}

impl Downloads {
    /// Tests the connection to the configured registry. Fails if none is configured.
    pub async fn look(&self) -> Result<ConnectionTest, Failure> {
        let this = self.clone();
        let prepared = tokio::task::spawn_blocking(move || this.prepare()).await;
        let (base, way, registry) = prepared.map_err(std::io::Error::other)??;
        let (name, _) = OFFERED[0];
        let name = ModelName::parse(name).map_err(std::io::Error::other)?;
        let host = base.host_str().unwrap_or_default();
        let host = base.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let look = |certificates, found| ConnectionTest {
            host,
            is_encrypted: base.scheme() == "https",
            certificates,
            found,
        };
        // Without the key, which must not be sent to an unverified server.
        let seen = outgoing::inspect_server(&way, &crate::registry::address(&base, &name, ".sha256")).await;
        Ok(match seen.map_err(FetchError::from) {
            Err(trouble) => look(Vec::new(), Err(told(trouble))),
            Ok(ServerInspection { certificates, answer: Err(fault) }) => {
                look(certificates, Err(told(fault.into())))
            }
            Ok(ServerInspection { certificates, answer: Ok(_) }) => {
                let found = match registry {
                    Ok(registry) => takes_key(&registry, &name).await,
                    Err(failure) => Err(failure),
                };
                look(certificates, found)
            }
        })
    }

    fn prepare(&self) -> Result<PreparedLook, Failure> {
        let settings = self.settings().map_err(|error| Failure::store(&error))?;
        Ok((settings.registry()?, settings.way()?, Registry::open(&settings, None)))
    }
}

/// The registry's address, the connection settings, and the registry itself if a key is set.
type PreparedLook = (Url, OutgoingSettings, Result<Registry, Failure>);

/// Checks that the key is accepted; a missing model is not an error.
async fn takes_key(registry: &Registry, name: &ModelName) -> Result<(), Failure> {
    let answer = registry.ask(Method::HEAD, &registry.model(name, ""), &[]).await.map_err(told)?;
    // Some registries do not support HEAD, but they have responded.
    let is_method = matches!(answer.response.status().as_u16(), 400 | 405 | 501);
    match registry.judge(&answer).map_err(told) {
        Err(failure) if failure.kind != Kind::NotFound && !is_method => Err(failure),
        _ => Ok(()),
    }
}

fn told(trouble: FetchError) -> Failure {
    match trouble {
        FetchError::Final(failure) => failure,
        FetchError::Network(text) | FetchError::Stalled(text) => {
            Failure::new(Kind::Unreachable, text, "Where a proxy is on the way, look at its address, too.")
        }
        FetchError::Broken { text, .. } | FetchError::Changed(text) => {
            Failure::new(Kind::Refused, text, "Ask whoever runs the registry.")
        }
        FetchError::Unranged => Failure::new(Kind::Refused, "The registry sends no parts of files.", ""),
    }
}
