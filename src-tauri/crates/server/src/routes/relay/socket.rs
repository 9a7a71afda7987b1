//! Relays a WebSocket to a remote instance: copies bytes between the page's connection and one to the instance.

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

/// Whether the request is a WebSocket handshake.
pub fn is_asked_for(request: &Request) -> bool {
    let upgrade = request.headers().get(UPGRADE).and_then(|value| value.to_str().ok());
    request.method() == Method::GET && upgrade.is_some_and(|value| value.eq_ignore_ascii_case("websocket"))
}

/// Opens the connection to the instance first, so that its refusal is passed on. The relay ends when either side closes, when the token it was
/// opened with expires, and when this service stops.
pub async fn pass(
    app: Arc<App>,
    remotes: Arc<Remotes>,
    id: Uuid,
    path: &str,
    mut request: Request,
) -> Result<Response, Failure> {
    // A socket can write. Therefore it is subject to the same check as a POST of a page of another site.
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
            // How the connection ended is not relevant here.
            _ = copy_bidirectional(&mut page, &mut stream) => {}
            () = tokio::time::sleep(lasts) => {}
            // An error means that the sender was dropped, which also means to stop.
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
