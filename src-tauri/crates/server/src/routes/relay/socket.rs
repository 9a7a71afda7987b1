//! A WebSocket to an instance elsewhere: the page's connection and one to the instance, each passed to the other byte by byte.

use crate::app::App;
use crate::error::Failure;
use crate::guard::caller::check_site;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{AUTHORIZATION, CONNECTION, UPGRADE};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::Response;
use hyper_util::rt::TokioIo;
use remote::{Remotes, Socket};
use std::sync::Arc;
use tokio::io::copy_bidirectional;
use uuid::Uuid;

/// Whether the request wants to become a WebSocket.
pub fn is_asked_for(request: &Request) -> bool {
    let upgrade = request.headers().get(UPGRADE).and_then(|value| value.to_str().ok());
    request.method() == Method::GET && upgrade.is_some_and(|value| value.eq_ignore_ascii_case("websocket"))
}

/// Opens it at the instance first: what is refused there is refused here. It ends when one side ends it, with the token it was opened with, and
/// when this service stops.
pub async fn pass(
    app: Arc<App>,
    remotes: Arc<Remotes>,
    id: Uuid,
    path: &str,
    mut request: Request,
) -> Result<Response, Failure> {
    // A socket can write: what a page of another site may not do with a POST, it may not do with this.
    if !request.headers().contains_key(AUTHORIZATION) {
        check_site(&app.access.hosts, &Method::POST, request.headers())?;
    }
    let Socket { headers, mut stream, lasts } = remotes.open_socket(id, path, request.headers()).await?;
    let page = hyper::upgrade::on(&mut request);
    let mut stopping = app.stopping.clone();
    tokio::spawn(async move {
        let Ok(page) = page.await else { return };
        let mut page = TokioIo::new(page);
        tokio::select! {
            // Who ended it and why is between the two.
            _ = copy_bidirectional(&mut page, &mut stream) => {}
            () = tokio::time::sleep(lasts) => {}
            // An error means that nobody can say stop any more: then it is time to.
            _ = stopping.wait_for(|stop| *stop) => {}
        }
    });
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    *response.headers_mut() = headers;
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("upgrade"));
    response.headers_mut().insert(UPGRADE, HeaderValue::from_static("websocket"));
    Ok(response)
}
