//! Relays requests of the page to an instance, and its responses.
//!
//! Only headers about content and accepted formats are forwarded, plus the access token; only headers about the content are returned. Cookies are
//! removed in both directions. Responses appear under this service's own address, therefore none is returned as a page or a script.

use crate::access::{Access, signed_out};
use crate::copies::{LARGEST, asked_hash};
use crate::error::{behind_a_gateway, is_json};
use crate::upload::UploadMonitor;
use crate::{Instance, RemoteError, Remotes, SECOND, blocking, hold};
use futures_util::Stream;
use futures_util::stream::BoxStream;
use outgoing::header::{
    ACCEPT, ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_DISPOSITION, CONTENT_TYPE, HeaderMap, HeaderName,
    HeaderValue, RETRY_AFTER,
};
use outgoing::{Body, Method, Outgoing, Response, StatusCode, read};
use serde_json::Value;
use std::pin::Pin;
use std::sync::Arc;
use uuid::Uuid;

/// Maximum size of a response that is read into memory, bytes: responses to queries, which the page also reads completely.
const WHOLE: usize = 128 * 1024 * 1024;
/// How long an instance that did not answer is not contacted again, µs: a page sends a dozen requests at once.
const REST: i64 = 2 * SECOND;

const OUT: [HeaderName; 4] = [ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, HeaderName::from_static("x-request-id")];
const BACK: [HeaderName; 4] =
    [CONTENT_TYPE, CONTENT_DISPOSITION, RETRY_AFTER, HeaderName::from_static("x-request-id")];
/// Media types that a browser treats neither as a page nor as a script.
const HARMLESS: [&str; 5] =
    ["application/json", "text/csv", "text/plain", "application/zip", "text/event-stream"];

/// The body of a request.
pub enum RequestBody<S> {
    /// In memory; it can be sent again with another access token.
    Whole(Vec<u8>),
    /// A file, streamed.
    Stream(S),
}

/// A request of a page.
pub struct RelayRequest<S> {
    pub method: Method,
    /// Including the query: `/api/graphql`.
    pub path: String,
    pub headers: HeaderMap,
    pub body: RequestBody<S>,
}

/// The body of a response.
pub enum Content {
    Whole(Vec<u8>),
    Stream(BoxStream<'static, Result<Vec<u8>, std::io::Error>>),
}

/// A response of an instance.
pub struct RelayResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub content: Content,
    /// For a stored copy, the time it was stored, µs since 1970 UTC.
    pub copy_of: Option<i64>,
}

/// How a response is forwarded. The service defines it for each of its routes; routes for sign-in and sign-out of the instance are not available to
/// pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelayMode {
    /// Read completely, and stored if the request is a read.
    Whole,
    AsItComes,
}

/// Whether a path has only one interpretation, whatever the server.
fn is_plain(path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    let Some(rest) = path.strip_prefix("/api/") else { return false };
    path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.:".contains(&byte))
        && !rest.split('/').any(|part| matches!(part, "" | "." | ".."))
}

/// Whether a request is certain to be a read, so that its response may be reused.
fn only_asks(method: &Method, path: &str, body: &[u8]) -> bool {
    if method == Method::GET {
        return true;
    }
    if path != "/api/graphql" {
        return false;
    }
    let Ok(request) = serde_json::from_slice::<Value>(body) else { return false };
    let Some(text) = request["query"].as_str() else { return false };
    let text = text.trim_start();
    (text.starts_with('{') || text.starts_with("query"))
        && !text.contains("mutation")
        && !text.contains("subscription")
}

impl Remotes {
    /// Forwards a request of a page to an instance. Refuses it if `passing` is `None`.
    pub async fn relay<S, B>(
        self: &Arc<Self>,
        id: Uuid,
        passing: Option<RelayMode>,
        asked: RelayRequest<S>,
    ) -> Result<RelayResponse, RemoteError>
    where
        S: Stream<Item = Result<B, std::io::Error>> + Send + 'static,
        B: Into<Vec<u8>> + Send + 'static,
    {
        let this = Arc::clone(self);
        let instance = blocking(move || this.find(id)).await?;
        let passing = passing.filter(|_| is_plain(&asked.path)).ok_or_else(|| RemoteError::NotRelayed {
            path: asked.path.split('?').next().unwrap_or_default().to_owned(),
        })?;
        let question = match (&asked.body, passing) {
            (RequestBody::Whole(body), RelayMode::Whole) if only_asks(&asked.method, &asked.path, body) => {
                Some(asked_hash(asked.method.as_str(), &asked.path, body))
            }
            _ => None,
        };
        match self.pass_on(&instance, asked, passing).await {
            Ok(answered) => {
                self.keep(&instance, question, &answered);
                Ok(answered)
            }
            Err(error) if error.is_away() => {
                let error = self.note_away(&instance, error);
                self.read_copy(&instance, question, error).await
            }
            Err(error) => Err(error),
        }
    }

    async fn pass_on<S, B>(
        self: &Arc<Self>,
        instance: &Instance,
        asked: RelayRequest<S>,
        passing: RelayMode,
    ) -> Result<RelayResponse, RemoteError>
    where
        S: Stream<Item = Result<B, std::io::Error>> + Send + 'static,
        B: Into<Vec<u8>> + Send + 'static,
    {
        let is_knocking = asked.path == "/api/about";
        if !is_knocking && let Some(error) = self.rests(instance) {
            return Err(error);
        }
        let RelayRequest { method, path, headers, body } = asked;
        // `/api/about` is public. Without the token, it shows that the instance is reachable even when signed out.
        let access = if is_knocking { None } else { Some(self.access(instance, None).await?) };
        let answer = match body {
            RequestBody::Stream(stream) => {
                let going = UploadMonitor::default();
                let body = Body::wrap_stream(going.watch(stream));
                let outgoing = self.outgoing_patiently(instance)?;
                let head = (&method, path.as_str(), &headers);
                let sending = self.send(&outgoing, instance, head, body, access.as_ref());
                going.until(instance.place()?.host(), sending).await?
            }
            RequestBody::Whole(body) => {
                let (outgoing, head) = (self.outgoing(instance)?, (&method, path.as_str(), &headers));
                let answer =
                    self.send(&outgoing, instance, head, body.clone().into(), access.as_ref()).await?;
                match access {
                    // The instance may have been restarted with another signing secret. If the user is really signed out, the refresh fails.
                    Some(old) if answer.status() == StatusCode::UNAUTHORIZED => {
                        let access = self.access(instance, Some(&old)).await?;
                        self.send(&outgoing, instance, head, body.into(), Some(&access)).await?
                    }
                    _ => answer,
                }
            }
        };
        if let Some(away) = behind_a_gateway(&answer) {
            return Err(away);
        }
        if answer.status() == StatusCode::UNAUTHORIZED {
            return Err(signed_out(instance));
        }
        if answer.status().is_redirection() {
            let found = format!("it sends {} elsewhere", path.split('?').next().unwrap_or_default());
            return Err(RemoteError::Strange { host: instance.place()?.host().to_owned(), found });
        }
        let (status, headers) = (answer.status(), back(answer.headers()));
        let content = match passing {
            RelayMode::Whole => Content::Whole(read(answer, WHOLE).await?),
            RelayMode::AsItComes => Content::Stream(pieces(answer)),
        };
        let (this, id) = (Arc::clone(self), instance.id);
        if hold(&self.away).remove(&id).is_some()
            || instance.seen_at.is_none_or(|seen| self.now() - seen > 60 * SECOND)
        {
            // Not awaited: an import on this computer may lock the database.
            tokio::task::spawn_blocking(move || {
                if let Err(error) = this.note_seen(id, None) {
                    tracing::info!(instance = %id, "was not noted to have answered: {error}");
                }
            });
        }
        Ok(RelayResponse { status, headers, content, copy_of: None })
    }

    async fn send(
        &self,
        outgoing: &Outgoing,
        instance: &Instance,
        (method, path, headers): (&Method, &str, &HeaderMap),
        body: Body,
        access: Option<&Access>,
    ) -> Result<Response, RemoteError> {
        let mut request = outgoing.request(method.clone(), &instance.at(path)?)?;
        for name in OUT {
            if let Some(value) = headers.get(&name) {
                request = request.header(name, value);
            }
        }
        if let Some(access) = access {
            request = request.header(AUTHORIZATION, access.header(instance)?);
        }
        if method != Method::GET {
            request = request.body(body);
        }
        Ok(outgoing.send(request).await?)
    }

    fn keep(self: &Arc<Self>, instance: &Instance, question: Option<String>, answered: &RelayResponse) {
        let (Some(question), true, Content::Whole(body)) =
            (question, instance.keeps_copies, &answered.content)
        else {
            return;
        };
        if answered.status != StatusCode::OK || body.len() > LARGEST || !is_json(&answered.headers) {
            return;
        }
        let Ok(body) = String::from_utf8(body.clone()) else { return };
        let (this, asked_as) = (Arc::clone(self), instance.clone());
        // Not awaited.
        tokio::task::spawn_blocking(move || {
            if is_sound(&body)
                && let Err(error) = this.keep_copy(&asked_as, &question, &body)
            {
                tracing::warn!(instance = %asked_as.id, "an answer was not kept: {error}");
            }
        });
    }

    /// The stored copy of a response, for the signed-in user; otherwise the reason why there is none.
    async fn read_copy(
        self: &Arc<Self>,
        instance: &Instance,
        question: Option<String>,
        error: RemoteError,
    ) -> Result<RelayResponse, RemoteError> {
        let Some(question) = question.filter(|_| instance.keeps_copies) else { return Err(error) };
        let (this, of) = (Arc::clone(self), instance.clone());
        let copy = blocking(move || match this.key(&of)? {
            Some(_) => this.copy(of.id, &question),
            None => Err(signed_out(&of)),
        })
        .await?;
        let Some(copy) = copy else { return Err(error) };
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(RelayResponse {
            status: StatusCode::OK,
            headers,
            content: Content::Whole(copy.body.into_bytes()),
            copy_of: Some(copy.kept_at),
        })
    }

    /// The error if the instance did not answer a moment ago and is not contacted yet.
    pub(crate) fn rests(&self, instance: &Instance) -> Option<RemoteError> {
        let is_resting = hold(&self.away).get(&instance.id).is_some_and(|until| *until > self.now());
        is_resting.then(|| RemoteError::Resting { name: instance.name.clone() })
    }

    /// Records that the instance did not answer.
    pub(crate) fn note_away(&self, instance: &Instance, error: RemoteError) -> RemoteError {
        if !matches!(error, RemoteError::Resting { .. }) {
            hold(&self.away).insert(instance.id, self.now() + REST);
        }
        error
    }
}

/// Whether the response is JSON without GraphQL errors, which must not be reused.
fn is_sound(answer: &str) -> bool {
    match serde_json::from_str::<Value>(answer) {
        Ok(Value::Object(fields)) => !fields.contains_key("errors"),
        Ok(answer) => answer.is_array(),
        Err(_) => false,
    }
}

/// The headers returned to the page, such that a browser only displays or saves the content.
fn back(headers: &HeaderMap) -> HeaderMap {
    let mut kept = HeaderMap::new();
    for name in BACK {
        if let Some(value) = headers.get(&name) {
            kept.insert(name, value.clone());
        }
    }
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !HARMLESS.contains(&kind.as_str()) {
        kept.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
        kept.insert(CONTENT_DISPOSITION, saved_as(headers));
    }
    kept
}

/// A Content-Disposition that saves the content, under the instance's file name if it has only plain characters.
fn saved_as(headers: &HeaderMap) -> HeaderValue {
    let said = headers.get(CONTENT_DISPOSITION).and_then(|said| said.to_str().ok()).unwrap_or_default();
    let name =
        said.split_once("filename=\"").and_then(|(_, rest)| rest.split_once('"')).map(|(name, _)| name);
    let is_plain = |name: &&str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    name.filter(is_plain)
        .and_then(|name| HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")).ok())
        .unwrap_or_else(|| HeaderValue::from_static("attachment"))
}

fn pieces(answer: Response) -> BoxStream<'static, Result<Vec<u8>, std::io::Error>> {
    let next = |mut answer: Response| async move {
        match answer.chunk().await {
            Ok(Some(piece)) => Some((Ok(piece.to_vec()), Some(answer))),
            Ok(None) => None,
            Err(_) => Some((Err(std::io::Error::other("the instance broke off")), None)),
        }
    };
    let stream = futures_util::stream::unfold(Some(answer), move |answer| async move {
        match answer {
            Some(answer) => next(answer).await,
            None => None,
        }
    });
    let stream: Pin<Box<dyn Stream<Item = _> + Send>> = Box::pin(stream);
    stream
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_servers_may_read_differently_is_not_passed_on() {
        for path in [
            "/api/../healthz",
            "/api/imports/%2e%2e/auth/token",
            "/api//auth/session",
            "/api/imports/./x",
            "/sign-in",
        ] {
            assert!(!is_plain(path), "{path}");
        }
        assert!(is_plain("/api/imports?name=a%20b.csv"));
        assert!(is_plain("/api/models/svc-llm/file"));
    }

    #[test]
    fn only_what_changes_nothing_is_kept() {
        let asks = |text: &str| only_asks(&Method::POST, "/api/graphql", text.as_bytes());
        assert!(asks(r#"{"query": "{ spends { amount } }"}"#));
        assert!(asks(r#"{"query": "\n query A { spends { amount } }"}"#));
        assert!(!asks(r#"{"query": "mutation { delete_spends { affected_rows } }"}"#));
        assert!(!asks(r#"{"query": "query A { a } mutation B { b }"}"#));
        assert!(!asks("[]"));
        assert!(!only_asks(&Method::POST, "/api/imports", b""));
    }

    #[test]
    fn an_answer_that_tells_of_a_mistake_or_is_none_is_not_kept() {
        assert!(is_sound(r#"{"data": {"spends": []}}"#));
        assert!(is_sound("[1, {}]"));
        for unsound in [r#"{"errors": [{"message": "took too long"}]}"#, "Back soon", "{", ""] {
            assert!(!is_sound(unsound), "{unsound}");
        }
    }

    #[test]
    fn what_is_saved_keeps_its_name_where_that_is_a_plain_one() {
        let saved = |said: &'static str| {
            back(&HeaderMap::from_iter([(CONTENT_DISPOSITION, HeaderValue::from_static(said))]))
                [CONTENT_DISPOSITION]
                .clone()
        };
        let whole = "attachment; filename=\"quarterdeck-2026-11-20.tar.gz\"";
        assert_eq!(saved(whole), whole);
        for odd in
            ["inline", "attachment; filename=\"a b.html\"", "attachment; filename=\"../x\"", "filename=\""]
        {
            assert_eq!(saved(odd), "attachment", "{odd}");
        }
    }

    #[test]
    fn nothing_comes_back_as_a_page_a_script_or_a_cookie() {
        for kind in ["text/html", "application/javascript", "image/svg+xml", "text/css", ""] {
            let headers = HeaderMap::from_iter([
                (CONTENT_TYPE, HeaderValue::from_static(kind)),
                (HeaderName::from_static("set-cookie"), HeaderValue::from_static("a=b")),
                (HeaderName::from_static("location"), HeaderValue::from_static("https://evil.example")),
            ]);
            let back = back(&headers);
            assert_eq!(back[CONTENT_TYPE], "application/octet-stream");
            assert_eq!(back.len(), 2, "{back:?}");
        }
        let json = HeaderMap::from_iter([(
            CONTENT_TYPE,
            HeaderValue::from_static("application/json; charset=utf-8"),
        )]);
        assert_eq!(back(&json).len(), 1);
    }
}
