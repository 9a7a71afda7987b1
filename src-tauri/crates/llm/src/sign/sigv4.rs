//! AWS Signature Version 4, as in "Create a signed AWS API request" of Amazon's IAM guide.

use crate::wire::amazon::escaped;
use chrono::DateTime;
use ring::digest::{SHA256, digest};
use ring::hmac::{HMAC_SHA256, Key, sign as hmac};
use url::Url;

/// Credentials of an Amazon account. Never shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Credentials {
    pub access_key: String,
    pub secret_key: String,
    pub session_token: Option<String>,
}

/// The request to sign.
pub(crate) struct Signing<'a> {
    pub method: &'a str,
    pub url: &'a Url,
    pub body: &'a [u8],
    pub service: &'a str,
    pub region: &'a str,
    /// µs since 1970 UTC.
    pub now: i64,
}

/// The headers that sign a request. `host` is signed as the client sends it, and `content-type` if there is a body (JSON).
pub(crate) fn sign(what: &Signing<'_>, keys: &Credentials) -> Vec<(&'static str, String)> {
    let time = DateTime::from_timestamp_micros(what.now).unwrap_or_default();
    let (stamp, day) = (time.format("%Y%m%dT%H%M%SZ").to_string(), time.format("%Y%m%d").to_string());
    let mut signed: Vec<(&'static str, String)> = Vec::new();
    if !what.body.is_empty() {
        signed.push(("content-type", "application/json".to_owned()));
    }
    signed.push(("host", host(what.url)));
    signed.push(("x-amz-date", stamp.clone()));
    if let Some(token) = &keys.session_token {
        signed.push(("x-amz-security-token", token.clone()));
    }
    let names = signed.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(";");
    let lines: String = signed.iter().map(|(name, value)| format!("{name}:{}\n", value.trim())).collect();
    let request = format!(
        "{}\n{}\n{}\n{lines}\n{names}\n{}",
        what.method,
        path(what.url),
        query(what.url),
        hex(digest(&SHA256, what.body).as_ref()),
    );
    let scope = format!("{day}/{}/{}/aws4_request", what.region, what.service);
    let text =
        format!("AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{}", hex(digest(&SHA256, request.as_bytes()).as_ref()));
    let mut key = format!("AWS4{}", keys.secret_key).into_bytes();
    for part in [day.as_str(), what.region, what.service, "aws4_request"] {
        key = hmac(&Key::new(HMAC_SHA256, &key), part.as_bytes()).as_ref().to_vec();
    }
    let signature = hex(hmac(&Key::new(HMAC_SHA256, &key), text.as_bytes()).as_ref());
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential={}/{scope}, SignedHeaders={names}, Signature={signature}",
        keys.access_key
    );
    signed.retain(|(name, _)| name.starts_with("x-amz-"));
    signed.push(("authorization", authorization));
    signed
}

/// The Host header as the client writes it: with a port only if it is not the scheme's default.
fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// The path, with each segment percent-encoded twice (required by all services except S3).
fn path(url: &Url) -> String {
    url.path().split('/').map(escaped).collect::<Vec<_>>().join("/")
}

fn query(url: &Url) -> String {
    let mut pairs: Vec<String> =
        url.query_pairs().map(|(name, value)| format!("{}={}", escaped(&name), escaped(&value))).collect();
    pairs.sort();
    pairs.join("&")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
