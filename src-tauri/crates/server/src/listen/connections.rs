//! Accepts connections, answers requests, and drops connections that deliver a request too slowly.
//!
//! A normal client sends a request at once. A client that sends the head or the body a byte at a time would occupy a connection and its resources
//! indefinitely.

use crate::listen::peer::Peer;
use crate::listen::slow_body::{MinimumRate, RateCheckedBody};
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::io::{Error, ErrorKind};
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tower::ServiceExt;

/// Limits on the time to receive a request.
#[derive(Debug, Clone, Copy)]
pub struct ReadTimeouts {
    /// For the head, including the idle time before it on a keep-alive connection.
    pub head: Duration,
    /// Minimum transfer rate of the body.
    pub body: MinimumRate,
}

impl Default for ReadTimeouts {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(30),
            body: MinimumRate { bytes: 4096, time: Duration::from_secs(30) },
        }
    }
}

/// Serves connections until `stopping` is set, then waits for the responses of those that are open.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    patience: ReadTimeouts,
    stopping: watch::Receiver<bool>,
) {
    let mut open = JoinSet::new();
    let mut stop = stopping.clone();
    loop {
        let accepted = tokio::select! {
            () = told(&mut stop) => break,
            Some(_) = open.join_next(), if !open.is_empty() => continue,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, address)) => {
                open.spawn(answer(stream, address, router.clone(), patience, stopping.clone()));
            }
            Err(error) => pause_after(&error).await,
        }
    }
    // Refuse new connections instead of leaving them in the queue.
    drop(listener);
    while open.join_next().await.is_some() {}
}

/// Waits until `stopping` is set.
async fn told(stopping: &mut watch::Receiver<bool>) {
    // An error means that the sender was dropped, which also means to stop.
    let _ = stopping.wait_for(|stop| *stop).await;
}

/// Waits a second after an error to accept, unless only the connection itself broke off. When the process is out of file descriptors, other
/// connections may end meanwhile.
async fn pause_after(error: &Error) {
    let is_gone = [ErrorKind::ConnectionRefused, ErrorKind::ConnectionAborted, ErrorKind::ConnectionReset];
    if !is_gone.contains(&error.kind()) {
        tracing::error!("a connection cannot be taken: {error}");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Serves the requests of one connection.
async fn answer(
    stream: TcpStream,
    address: SocketAddr,
    router: Router,
    patience: ReadTimeouts,
    mut stopping: watch::Receiver<bool>,
) {
    let peer = Peer::new(&stream, address);
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(|body| Body::new(RateCheckedBody::new(body, patience.body)));
        request.extensions_mut().insert(ConnectInfo(peer.clone()));
        router.clone().oneshot(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience.head)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = told(&mut stopping) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!("a connection ended: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Bytes;
    use axum::routing::post;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    /// A service that responds with the length of the body. Timeouts in milliseconds.
    async fn start(head: u64, body: u64) -> (SocketAddr, watch::Sender<bool>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopping) = watch::channel(false);
        let router = Router::new().route("/", post(|body: Bytes| async move { body.len().to_string() }));
        let patience = ReadTimeouts {
            head: Duration::from_millis(head),
            body: MinimumRate { bytes: 10, time: Duration::from_millis(body) },
        };
        tokio::spawn(serve(listener, router, patience, stopping));
        (address, stop)
    }

    /// Sends `text` and returns everything received until the peer closes the connection.
    async fn sent(address: SocketAddr, text: &str) -> String {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        String::from_utf8(answer).unwrap()
    }

    const LONG: u64 = 3_600_000;

    #[tokio::test]
    async fn a_head_that_does_not_end_is_not_waited_for() {
        let (address, _stop) = start(200, LONG).await;
        let answer = sent(address, "POST / HTTP/1.1\r\nHost: a\r\nX-Slow: ").await;
        assert!(!answer.contains("200 OK"), "{answer}");
    }

    #[tokio::test]
    async fn a_body_that_does_not_come_is_given_up() {
        let (address, _stop) = start(LONG, 200).await;
        let answer = sent(address, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc").await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
        assert!(answer.contains("less than 10 bytes"), "{answer}");
    }

    #[tokio::test]
    async fn a_whole_request_is_answered_and_the_end_waits_for_nobody() {
        let (address, stop) = start(LONG, LONG).await;
        let request = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc";
        assert!(sent(address, request).await.ends_with("\r\n\r\n3"));
        // The connection is kept alive, and closed when the service stops.
        let mut idle = TcpStream::connect(address).await.unwrap();
        idle.write_all(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc").await.unwrap();
        let mut answer = [0; 12];
        idle.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
        stop.send(true).unwrap();
        idle.read_to_end(&mut Vec::new()).await.unwrap();
    }
}
