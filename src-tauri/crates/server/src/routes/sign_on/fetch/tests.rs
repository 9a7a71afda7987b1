//! Tests with servers that return metadata, and with malicious ones.

use super::*;
use axum::body::to_bytes;
use axum::response::IntoResponse;
use outgoing::EgressPolicy;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A server on this machine that answers every request with the same bytes, and counts the requests.
struct Server {
    address: String,
    asked: Arc<AtomicUsize>,
}

impl Server {
    fn answering(answer: impl Into<Vec<u8>>) -> Self {
        let (answer, listener) = (answer.into(), TcpListener::bind("127.0.0.1:0").unwrap());
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                counted.fetch_add(1, Ordering::SeqCst);
                let answer = answer.clone();
                std::thread::spawn(move || {
                    let _ = stream.read(&mut [0; 4096]);
                    // The client may have hung up.
                    let _ = stream.write_all(&answer);
                });
            }
        });
        Self { address, asked }
    }

    fn with_text(text: &str) -> Self {
        Self::answering(format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{text}", text.len()))
    }

    fn leading_to(next: &str) -> Self {
        Self::answering(format!("HTTP/1.1 302 Found\r\nlocation: {next}\r\ncontent-length: 0\r\n\r\n"))
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// Allows everything.
fn anywhere() -> Fetching {
    Fetching::new(&OutgoingSettings { egress: EgressPolicy::anywhere(), ..OutgoingSettings::default() }, true)
}

/// The default settings.
fn public() -> OutgoingSettings {
    OutgoingSettings::default()
}

/// Status, code and message of a refusal.
async fn refusal(fetching: &Fetching, address: &str) -> (u16, String, String) {
    let answer = fetching.fetch(address).await.unwrap_err().into_response();
    let status = answer.status().as_u16();
    let body: Value = serde_json::from_slice(&to_bytes(answer.into_body(), 10_000).await.unwrap()).unwrap();
    let text = |name: &str| body[name].as_str().unwrap().to_owned();
    (status, text("error"), text("message"))
}

#[tokio::test]
async fn what_stands_at_the_address_is_fetched_once() {
    let server = Server::with_text("<a/>");
    let fetched = anywhere().fetch(&format!(" {}/metadata ", server.address)).await.unwrap();
    assert_eq!((fetched.text.as_str(), fetched.is_private, server.asked()), ("<a/>", false, 1));
}

#[tokio::test]
async fn inner_addresses_are_not_asked_unless_a_setting_allows_them() {
    let server = Server::with_text("<a/>");
    let port = server.address.rsplit(':').next().unwrap();
    let fetching = Fetching::new(&public(), true);
    for host in ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"] {
        let (status, code, words) = refusal(&fetching, &format!("http://{host}:{port}/")).await;
        assert_eq!((status, code.as_str()), (403, "internal_address"), "{host}: {words}");
        assert!(words.contains("SAML_METADATA_ALLOW_PRIVATE"), "{words}");
    }
    assert_eq!(server.asked(), 0);
}

#[tokio::test]
async fn a_public_address_that_leads_inside_is_not_followed() {
    let inside = Server::with_text("<a/>");
    // The proxy simulates the public network: it answers for an address that is not ours.
    for next in [inside.address.as_str(), "http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/"] {
        let network = Server::leading_to(next);
        let proxy = Some(network.address.parse().unwrap());
        let fetching = Fetching::new(&OutgoingSettings { proxy, ..public() }, true);
        let (status, code, _) = refusal(&fetching, "http://93.184.216.34/metadata").await;
        assert_eq!((status, code.as_str()), (403, "internal_address"), "{next}");
        assert_eq!((network.asked(), inside.asked()), (1, 0), "{next}");
    }
}

#[tokio::test]
async fn without_encryption_nothing_is_asked_before_somebody_agreed() {
    let server = Server::with_text("<a/>");
    let (status, code, words) =
        refusal(&Fetching::new(&OutgoingSettings::default(), false), &server.address).await;
    assert_eq!((status, code.as_str()), (409, "plain_http"), "{words}");
    assert!(words.contains("fingerprint"), "{words}");
    assert_eq!(server.asked(), 0);
}

#[tokio::test]
async fn three_redirects_are_followed_and_no_more() {
    let end = Server::with_text("<a/>");
    let mut last = Server::leading_to(&format!("{}/metadata", end.address));
    for _ in 0..2 {
        last = Server::leading_to(&last.address);
    }
    assert_eq!(anywhere().fetch(&last.address).await.unwrap().text, "<a/>");
    let fourth = Server::leading_to(&last.address);
    let (status, code, words) = refusal(&anywhere(), &fourth.address).await;
    assert_eq!((status, code.as_str()), (400, "unreachable"));
    assert!(words.contains("3 redirects"), "{words}");
}

#[tokio::test]
async fn a_redirect_to_something_else_than_the_web_is_not_followed() {
    for (next, expected) in [
        ("file:///etc/passwd", "begins with file:"),
        ("gopher://127.0.0.1/", "begins with gopher:"),
        ("https://me:secret@example.org/", "without a name or password"),
        ("http://[", "without saying where"),
    ] {
        let server = Server::leading_to(next);
        let (status, _, words) = refusal(&anywhere(), &server.address).await;
        assert_eq!(status, 400, "{next}");
        assert!(words.contains(expected) && !words.contains("secret"), "{words}");
    }
}

#[tokio::test]
async fn what_is_huge_or_never_ends_is_given_up() {
    let huge = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", LONGEST + 1);
    let unsaid = [b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_vec(), vec![b'a'; LONGEST + 1]].concat();
    for answer in [huge.into_bytes(), unsaid] {
        let server = Server::answering(answer);
        let (status, code, words) = refusal(&anywhere(), &server.address).await;
        assert_eq!((status, code.as_str()), (400, "unreachable"));
        assert!(words.contains("larger than 2097152 bytes"), "{words}");
    }
}

#[tokio::test]
async fn who_answers_too_slowly_is_not_waited_for() {
    // A connection that is accepted and never answered.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", silent.local_addr().unwrap());
    let impatient = Fetching { patience: Duration::from_millis(400), ..anywhere() };
    let (status, code, words) = refusal(&impatient, &address).await;
    assert_eq!((status, code.as_str()), (400, "unreachable"));
    assert!(words.contains("within 0.4 s"), "{words}");
}

#[tokio::test]
async fn every_other_trouble_is_said_in_words() {
    let missing = Server::answering("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
    let binary = Server::answering(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n\xff\xfe".to_vec());
    let nonsense = Server::answering("hello");
    let nobody = format!("http://{}/", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    for (address, code, expected) in [
        (missing.address.as_str(), "unreachable", "answered 404 Not Found"),
        (binary.address.as_str(), "bad_metadata", "no text in UTF-8"),
        (nonsense.address.as_str(), "unreachable", "cannot be read"),
        (nobody.as_str(), "unreachable", "Nobody answers at 127.0.0.1"),
        ("sso.example.com/metadata", "bad_request", "Expected an address like"),
        ("ftp://sso.example.com/", "bad_request", "begins with ftp:"),
    ] {
        let (_, found, words) = refusal(&anywhere(), address).await;
        assert_eq!(found, code, "{words}");
        assert!(words.contains(expected), "{words}");
    }
}
