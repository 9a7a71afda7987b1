//! Tests of a provider's metadata, given as XML or fetched by URL.

use super::{Service, settings, start};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpListener;

const METADATA: &str = include_str!("../../../../../tests/fixtures/idp-metadata.xml");

/// A server on this machine that answers every request with `text`. Returns its URL.
fn hand_out(text: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/metadata", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let _ = stream.read(&mut [0; 4096]);
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", text.len());
            let _ = stream.write_all(&[head.as_bytes(), text.as_bytes()].concat());
        }
    });
    address
}

async fn reaching_inside() -> Service {
    let data_dir = tempfile::tempdir().unwrap();
    let mut settings = settings(data_dir.path(), "127.0.0.1:0");
    settings.sign_on.to_metadata.egress = outgoing::EgressPolicy::anywhere();
    Service { running: start(settings).await.unwrap(), data_dir }
}

#[tokio::test]
async fn metadata_by_its_address_is_previewed_like_a_file_with_a_warning_where_nothing_was_encrypted() {
    let service = reaching_inside().await;
    let page = service.signed_in_page().await;
    let read =
        async |body: serde_json::Value| page.post("/api/auth/saml/idp-metadata", &body.to_string()).await;
    let url = hand_out(METADATA);
    assert_eq!(read(json!({ "url": url })).await.refusal(), (409, "plain_http".to_owned()));
    let fetched = read(json!({ "url": url, "confirm": true })).await.json();
    let handed_in = read(json!({ "xml": METADATA })).await.json();
    assert_eq!(fetched["values"], handed_in["values"]);
    let warnings = fetched["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|words| words.as_str().unwrap().starts_with("It came without encryption")));
    assert_eq!(page.get("/api/auth/saml/settings").await.json()["configured"], false);
}

#[tokio::test]
async fn what_an_address_hands_out_is_read_as_strictly_as_a_file() {
    let service = reaching_inside().await;
    let page = service.signed_in_page().await;
    for (text, words) in [
        ("hello", "not well-formed"),
        ("<!doctype html><title>Sign in</title>", "a web page"),
        ("<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>", "document type"),
    ] {
        let body = json!({ "url": hand_out(text), "confirm": true });
        let answer = page.post("/api/auth/saml/idp-metadata", &body.to_string()).await;
        assert_eq!(answer.refusal(), (400, "bad_metadata".to_owned()));
        assert!(answer.body.contains(words), "{}", answer.body);
    }
}

#[tokio::test]
async fn inner_addresses_are_refused_by_default_and_strangers_fetch_nothing() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let body = json!({ "url": hand_out(METADATA), "confirm": true }).to_string();
    let refused = page.post("/api/auth/saml/idp-metadata", &body).await;
    assert_eq!(refused.refusal(), (403, "internal_address".to_owned()));
    assert_eq!(service.stranger().post("/api/auth/saml/idp-metadata", &body).await.status, 401);
    let both =
        page.post("/api/auth/saml/idp-metadata", r#"{"url": "https://a.example", "xml": "<a/>"}"#).await;
    assert_eq!(both.refusal(), (400, "bad_request".to_owned()));
}
