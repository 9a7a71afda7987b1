//! Requests to a tracker: URL, authentication, and parsing of responses.

use crate::Tracker;
use crate::failure::{Failure, Limit, words_of};
use crate::time;
use crate::tool::{Auth, Tool};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use outgoing::{Method, Outgoing, OutgoingSettings, RequestBuilder, Response, header, read};
use serde_json::Value;
use std::time::Duration;
use url::Url;

/// Maximum size of a response, bytes; lists of issues with their texts are smaller.
const LARGEST: usize = 16 * 1024 * 1024;
/// Maximum length of names, numbers and URLs in responses.
const LONGEST_TEXT: usize = 2_000;
/// Timeout of a request.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// An open connection to a tracker.
pub(crate) struct TrackerClient<'t> {
    outgoing: Outgoing,
    pub tracker: &'t Tracker,
    /// µs since 1970 UTC.
    now: i64,
}

impl<'t> TrackerClient<'t> {
    pub(crate) fn open(way: &OutgoingSettings, tracker: &'t Tracker, now: i64) -> Result<Self, Failure> {
        let mut way = OutgoingSettings { silence: PATIENCE, ..way.clone() };
        let host = tracker.base.host_str().unwrap_or_default();
        if host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        {
            // Services on this machine are not behind the proxy.
            way.proxy = None;
        }
        Ok(Self { outgoing: way.open()?, tracker, now })
    }

    /// The name of the tracker for messages.
    pub(crate) fn who(&self) -> &str {
        &self.tracker.name
    }

    /// The URL below the tracker's base. Each part is one path segment, whatever characters it contains.
    pub(crate) fn place(&self, parts: &[&str], query: &[(&str, &str)]) -> Url {
        let mut url = self.tracker.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(parts);
        }
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        url
    }

    pub(crate) async fn get(&self, parts: &[&str], query: &[(&str, &str)]) -> Result<Value, Failure> {
        self.ask(self.outgoing.request(Method::GET, &self.place(parts, query))?).await
    }

    pub(crate) async fn post(
        &self,
        parts: &[&str],
        query: &[(&str, &str)],
        body: &Value,
    ) -> Result<Value, Failure> {
        self.ask(self.with_body(Method::POST, parts, query, body)?).await
    }

    pub(crate) async fn put(&self, parts: &[&str], body: &Value) -> Result<Value, Failure> {
        self.ask(self.with_body(Method::PUT, parts, &[], body)?).await
    }

    pub(crate) async fn patch(
        &self,
        parts: &[&str],
        query: &[(&str, &str)],
        body: &Value,
    ) -> Result<Value, Failure> {
        self.ask(self.with_body(Method::PATCH, parts, query, body)?).await
    }

    /// Sends a request whose response may have no body.
    pub(crate) async fn tell(
        &self,
        method: Method,
        parts: &[&str],
        query: &[(&str, &str)],
        body: &Value,
    ) -> Result<(), Failure> {
        self.answer(self.with_body(method, parts, query, body)?).await.map(drop)
    }

    fn with_body(
        &self,
        method: Method,
        parts: &[&str],
        query: &[(&str, &str)],
        body: &Value,
    ) -> Result<RequestBuilder, Failure> {
        let request = self.outgoing.request(method, &self.place(parts, query))?;
        Ok(request.header(header::CONTENT_TYPE, "application/json").body(body.to_string()))
    }

    /// The object at a path; `None` if it does not exist.
    pub(crate) async fn find(
        &self,
        parts: &[&str],
        query: &[(&str, &str)],
    ) -> Result<Option<Value>, Failure> {
        match self.ask(self.outgoing.request(Method::GET, &self.place(parts, query))?).await {
            Ok(found) => Ok(Some(found)),
            Err(failure) if failure.is_absent => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    async fn ask(&self, request: RequestBuilder) -> Result<Value, Failure> {
        let body = self.answer(request).await?;
        serde_json::from_slice(&body).map_err(|_| Failure::nonsense(self.who(), "it is no JSON"))
    }

    /// The body of a successful response.
    async fn answer(&self, request: RequestBuilder) -> Result<Vec<u8>, Failure> {
        let request = self.signed(request);
        let answered = async {
            let response = self.outgoing.send(request).await?;
            let status = response.status();
            let limit = self.limit(&response);
            if !status.is_success() {
                // Responses from internal addresses are not revealed to users who may not read them.
                let words = if self.outgoing.may_be_quoted(&response) {
                    let body = read(response, LARGEST).await?;
                    words_of(self.tracker.tool, &body, self.tracker.secret.as_str())
                } else {
                    String::new()
                };
                return Err(Failure::of_status(self.who(), status, limit, &words));
            }
            Ok(read(response, LARGEST).await?)
        };
        let slow = || {
            Failure::passing(format!("{} took longer than {} s to answer.", self.who(), PATIENCE.as_secs()))
        };
        tokio::time::timeout(PATIENCE, answered).await.unwrap_or_else(|_| Err(slow()))
    }

    /// Adds the authentication and the media type of the tool.
    fn signed(&self, request: RequestBuilder) -> RequestBuilder {
        let Tracker { tool, username, auth, secret, .. } = self.tracker;
        let says = match (tool, auth) {
            (Tool::PagerDuty, _) => format!("Token token={}", secret.as_str()),
            (_, Auth::Token) => format!("Bearer {}", secret.as_str()),
            (_, Auth::Basic) => {
                format!("Basic {}", STANDARD.encode(format!("{username}:{}", secret.as_str())))
            }
        };
        let accept = match tool {
            Tool::GitHub => "application/vnd.github+json",
            Tool::PagerDuty => "application/vnd.pagerduty+json;version=2",
            _ => "application/json",
        };
        let request = request.header(header::AUTHORIZATION, says).header(header::ACCEPT, accept);
        match tool {
            Tool::GitHub => request.header("X-GitHub-Api-Version", "2022-11-28"),
            Tool::PagerDuty if !username.is_empty() => request.header("From", username),
            _ => request,
        }
    }

    /// The rate limit, if it was reached, with the delay if stated. GitHub also reports it with status 403.
    fn limit(&self, response: &Response) -> Option<Limit> {
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        let status = response.status().as_u16();
        let is_used_up = header("x-ratelimit-remaining") == Some("0");
        let asked = header("retry-after").and_then(|text| time::retry_after(text, self.now));
        match status {
            429 | 503 if asked.is_some() => Some(Limit(asked)),
            403 if asked.is_some() && self.tracker.tool == Tool::GitHub => Some(Limit(asked)),
            403 | 429 if is_used_up => {
                Some(Limit(header("x-ratelimit-reset").and_then(|text| time::until(text, self.now))))
            }
            429 => Some(Limit(None)),
            _ => None,
        }
    }
}

/// The string at a JSON pointer in a response. A response without it is not that of such a tracker.
pub(crate) fn needed<'v>(
    line: &TrackerClient<'_>,
    value: &'v Value,
    place: &str,
) -> Result<&'v str, Failure> {
    let is_short = |text: &&str| !text.is_empty() && text.len() <= LONGEST_TEXT;
    let found = value.pointer(place).and_then(Value::as_str).filter(is_short);
    found.ok_or_else(|| {
        Failure::nonsense(line.who(), &format!("there is no {} in it", place.trim_start_matches('/')))
    })
}
