//! The requests of `object_store`, made through [`outgoing`].

use async_trait::async_trait;
use http_body_util::BodyExt;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody,
    HttpService,
};
use outgoing::{Body, Fault, FaultKind, Outgoing};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use url::Url;

/// An HTTP connector for `object_store` that sends every request through [`outgoing`].
#[derive(Debug, Clone)]
pub(crate) struct Wire {
    http: Outgoing,
    /// The status of the last response; 0 before the first.
    status: Arc<AtomicU16>,
}

impl Wire {
    pub fn new(http: Outgoing) -> Self {
        Self { http, status: Arc::default() }
    }

    /// The status of the last response.
    pub fn status(&self) -> Option<u16> {
        Some(self.status.load(Ordering::Relaxed)).filter(|status| *status > 0)
    }
}

impl HttpConnector for Wire {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait]
impl HttpService for Wire {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (head, body) = request.into_parts();
        let url: Url = head
            .uri
            .to_string()
            .parse()
            .map_err(|error| HttpError::new::<url::ParseError>(HttpErrorKind::Unknown, error))?;
        // Request bodies are small: only token requests have one.
        let body = body.collect().await?.to_bytes();
        let request = self.http.request(head.method, &url).map_err(failed)?;
        let answer = self.http.send(request.headers(head.headers).body(body)).await.map_err(failed)?;
        self.status.store(answer.status().as_u16(), Ordering::Relaxed);
        let host = url.host_str().unwrap_or_default().to_owned();
        let (head, body) = http::Response::<Body>::from(answer).into_parts();
        let body = HttpResponseBody::new(body.map_err(move |error| failed(Fault::of(&error, &host))));
        Ok(HttpResponse::from_parts(head, body))
    }
}

fn failed(fault: Fault) -> HttpError {
    let kind = match fault.trouble {
        FaultKind::Connection => HttpErrorKind::Connect,
        FaultKind::Time => HttpErrorKind::Timeout,
        FaultKind::Answer => HttpErrorKind::Interrupted,
        _ => HttpErrorKind::Unknown,
    };
    HttpError::new(kind, fault)
}
