//! Requests to the registry.
//!
//! Redirects are followed manually, because the license key may be sent only to the registry's own origin.

use crate::failure::{Failure, FetchError, Kind};
use crate::name::ModelName;
use crate::settings::Settings;
use outgoing::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap, HeaderName, LOCATION, RETRY_AFTER};
use outgoing::{Method, Outgoing, Response, StatusCode};
use std::time::Duration;
use url::Url;

const MOST_REDIRECTS: usize = 10;

/// A configured registry.
#[derive(Clone)]
pub(crate) struct Registry {
    out: Outgoing,
    base: Url,
    key: String,
}

/// A response, with the redirects before it.
pub(crate) struct Answer {
    pub response: Response,
    /// The address after redirects.
    pub url: Url,
    /// Headers of the redirect responses, in order.
    pub said: Vec<HeaderMap>,
}

impl Registry {
    pub fn open(settings: &Settings, silence: Option<Duration>) -> Result<Self, Failure> {
        let base = settings.registry()?;
        let key = settings.license_key()?.to_owned();
        let mut way = settings.way()?;
        if let Some(silence) = silence {
            (way.silence, way.connecting) = (silence, silence);
        }
        let out = way.open().map_err(|fault| {
            Failure::new(Kind::NotConfigured, fault.to_string(), "Correct the settings of the registry.")
        })?;
        Ok(Self { out, base, key })
    }

    /// The registry's address as text.
    pub fn address(&self) -> &str {
        self.base.as_str()
    }

    pub fn host(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    /// The address of a model: contract, `{registry_url}/downloads/models/<model_name>`; `ending` is for the file beside it.
    pub fn model(&self, name: &ModelName, ending: &str) -> Url {
        address(&self.base, name, ending)
    }

    /// Whether an address has the registry's origin: the same scheme, host and port.
    pub fn is_own(&self, url: &Url) -> bool {
        url.origin() == self.base.origin()
    }

    /// Sends a request and follows redirects. Any final status counts as a response.
    pub async fn ask(
        &self,
        method: Method,
        from: &Url,
        headers: &[(HeaderName, String)],
    ) -> Result<Answer, FetchError> {
        let mut url = from.clone();
        let mut said = Vec::new();
        while said.len() <= MOST_REDIRECTS {
            let mut request = self.out.request(method.clone(), &url)?.header(ACCEPT_ENCODING, "identity");
            if self.is_own(&url) {
                request = request.bearer_auth(&self.key);
            }
            for (name, value) in headers {
                request = request.header(name, value);
            }
            let response = self.out.send(request).await?;
            let Some(next) = redirect(&response, &url)? else {
                return Ok(Answer { response, url, said });
            };
            said.push(response.headers().clone());
            url = next;
        }
        Err(refused(format!("{} sends from one address to the next without end.", self.host())))
    }

    /// Checks that a response is usable; otherwise returns the problem.
    pub fn judge(&self, answer: &Answer) -> Result<(), FetchError> {
        let status = answer.response.status();
        let host = answer.url.host_str().unwrap_or_default();
        let number = status.as_u16();
        if status.is_success() {
            let encoding = answer.response.headers().get(CONTENT_ENCODING);
            return match encoding.filter(|encoding| encoding.as_bytes() != b"identity") {
                Some(_) => {
                    Err(refused(format!("{host} sends the file packed, although it was asked not to.")))
                }
                None => Ok(()),
            };
        }
        let broken = |text: String| FetchError::Broken { text, wait: asked_wait(answer.response.headers()) };
        let is_own = self.is_own(&answer.url);
        Err(match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN if is_own => FetchError::Final(Failure::new(
                Kind::KeyRefused,
                format!("{host} refused the license key (status {number})."),
                "Replace the license key, then resume.",
            )),
            StatusCode::NOT_FOUND | StatusCode::GONE if is_own => FetchError::Final(Failure::new(
                Kind::NotFound,
                format!("{host} has no model of this name (status {number})."),
                // HEAD responses contain no reason.
                "Look at the name and at the registry's address. Another Quarterdeck gives on only models whose hash somebody vouched for there \
                 (`quarterdeck-server model verify NAME --sha256 …`).",
            )),
            StatusCode::PROXY_AUTHENTICATION_REQUIRED => FetchError::Final(Failure::new(
                Kind::Unreachable,
                "The proxy wants a name and a password.",
                "Give them in the proxy's address, then resume.",
            )),
            // Redirect addresses on other hosts expire: another request to the registry gives a new one.
            status if !is_own && status.is_client_error() => {
                broken(format!("{host}, where the registry sent us, refused (status {number})."))
            }
            StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY | StatusCode::TOO_MANY_REQUESTS => {
                broken(format!("{host} asks for patience (status {number})."))
            }
            status if status.is_server_error() => {
                broken(format!("{host} has trouble of its own (status {number})."))
            }
            _ => refused(format!("{host} answered with status {number}.")),
        })
    }
}

/// The address of a model at a registry, or of the file beside it.
pub(crate) fn address(base: &Url, name: &ModelName, ending: &str) -> Url {
    let mut url = base.clone();
    let folder = url.path().trim_end_matches('/').to_owned();
    url.set_path(&format!("{folder}/downloads/models/{name}{ending}"));
    url
}

/// The response is not a model.
pub(crate) fn not_a_model(host: &str, why: &str) -> Failure {
    Failure::new(
        Kind::Refused,
        format!("What {host} sent is no model: {why}."),
        "Look at the registry's address: a page that asks for a sign-in, or a proxy, may answer there.",
    )
}

pub(crate) fn refused(reason: String) -> FetchError {
    FetchError::Final(Failure::new(Kind::Refused, reason, "Ask whoever runs the registry."))
}

fn redirect(response: &Response, from: &Url) -> Result<Option<Url>, FetchError> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let host = from.host_str().unwrap_or_default();
    let next =
        response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).and_then(|to| from.join(to).ok());
    let Some(next) = next else {
        return Err(refused(format!("{host} redirects to no address.")));
    };
    if from.scheme() == "https" && next.scheme() != "https" {
        return Err(refused(format!(
            "{host} redirects from https to {}, where anybody on the way could change the file.",
            next.scheme()
        )));
    }
    Ok(Some(next))
}

/// The delay the server asked for; dates are ignored.
fn asked_wait(headers: &HeaderMap) -> Option<Duration> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}
