//! An object store on loopback: one server with the operations of S3, Azure Blob Storage and Google Cloud Storage needed to list and read objects.

pub use crate::http::ReceivedRequest;

use crate::http;
use crate::loopback::Loopback;
use std::collections::BTreeMap;
use std::io::{BufReader, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};

/// The required id of the S3 access key.
pub const IDENTITY: &str = "test-access-key";
/// The secret of that key; for Azure the key of the account, in its base64 form.
pub const SECRET: &str = "dGVzdC1zZWNyZXQtMDEyMzQ1Njc4OQ==";
/// A service account for this server. It has `disable_oauth`, so its requests have no token.
pub const SERVICE_ACCOUNT: &str = r#"{"private_key": "test-private-key", "private_key_id": "1", "client_email": "desk@example.com", "disable_oauth": true}"#;

/// Number of objects on a page of a list.
const PAGE: usize = 2;

#[derive(Debug, Clone)]
struct Content {
    bytes: Vec<u8>,
    /// As an HTTP date.
    modified: String,
}

#[derive(Default)]
struct Shared {
    /// By bucket and name.
    objects: Mutex<BTreeMap<(String, String), Content>>,
    asked: Mutex<Vec<ReceivedRequest>>,
}

/// Buckets that are served until this value is dropped.
pub struct Buckets {
    served: Loopback,
    shared: Arc<Shared>,
}

impl Default for Buckets {
    fn default() -> Self {
        let shared = Arc::<Shared>::default();
        let of = Arc::clone(&shared);
        let served = Loopback::on(Loopback::listener(), move |stream| serve(stream, &of));
        Self { served, shared }
    }
}

impl Buckets {
    /// `http://127.0.0.1:PORT`
    pub fn address(&self) -> &str {
        &self.served.address
    }

    /// Stores an object, modified at the given second of a minute in May 2026.
    pub fn put(&self, bucket: &str, name: &str, bytes: &[u8], second: u32) {
        let modified = format!("Fri, 01 May 2026 00:00:{second:02} GMT");
        let stored = Content { bytes: bytes.to_vec(), modified };
        self.shared.objects.lock().unwrap().insert((bucket.to_owned(), name.to_owned()), stored);
    }

    /// The requests, oldest first.
    pub fn asked(&self) -> Vec<ReceivedRequest> {
        self.shared.asked.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    while let Some(asked) = http::read(&mut reader)? {
        shared.asked.lock().unwrap().push(asked.clone());
        let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
        let path = decoded(path.trim_start_matches('/'));
        let (bucket, name) = path.split_once('/').unwrap_or((&path, ""));
        let query: BTreeMap<String, String> = query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| (name.to_owned(), decoded(value)))
            .collect();
        if !is_known(&asked, &query) {
            http::plain(
                &mut stream,
                403,
                "<Error><Code>AccessDenied</Code><Message>inner words</Message></Error>",
                None,
            )?;
            continue;
        }
        let objects = shared.objects.lock().unwrap().clone();
        if !objects.keys().any(|(known, _)| known == bucket) {
            http::plain(&mut stream, 404, "<Error><Code>NoSuchBucket</Code></Error>", None)?;
        } else if name.is_empty() {
            let body = list(&objects, bucket, &query);
            http::plain(&mut stream, 200, &body, None)?;
        } else if let Some(object) = objects.get(&(bucket.to_owned(), name.to_owned())) {
            write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nLast-Modified: {}\r\nETag: \"1\"\r\n\r\n",
                object.bytes.len(),
                object.modified
            )?;
            stream.write_all(&object.bytes)?;
        } else {
            http::plain(&mut stream, 404, "<Error><Code>NoSuchKey</Code></Error>", None)?;
        }
    }
    Ok(())
}

/// Whether the request has the required credentials.
fn is_known(asked: &ReceivedRequest, query: &BTreeMap<String, String>) -> bool {
    let shown = asked.headers.get("authorization").map(String::as_str).unwrap_or_default();
    shown.starts_with(&format!("AWS4-HMAC-SHA256 Credential={IDENTITY}/"))
        || shown.starts_with("SharedKey acme:")
        || (shown.is_empty() && !asked.headers.contains_key("x-amz-date"))
        || query.contains_key("sig")
}

/// A page of a list, in the format of the client's protocol.
fn list(
    objects: &BTreeMap<(String, String), Content>,
    bucket: &str,
    query: &BTreeMap<String, String>,
) -> String {
    let prefix = query.get("prefix").map(String::as_str).unwrap_or_default();
    let is_azure = query.get("comp").is_some_and(|comp| comp == "list");
    let marker = query.get("continuation-token").or_else(|| query.get("marker"));
    let after = marker.map(String::as_str).unwrap_or_default();
    let mut found: Vec<(&String, &Content)> = objects
        .iter()
        .filter(|((known, name), _)| known == bucket && name.starts_with(prefix) && name.as_str() > after)
        .map(|((_, name), stored)| (name, stored))
        .collect();
    let is_truncated = found.len() > PAGE;
    found.truncate(PAGE);
    let next = found.last().filter(|_| is_truncated).map(|(name, _)| name.as_str());
    let mut entries = String::new();
    for (name, stored) in &found {
        let (length, http_time) = (stored.bytes.len(), &stored.modified);
        let second = &http_time[23..25];
        entries += &if is_azure {
            format!(
                "<Blob><Name>{name}</Name><Properties><Last-Modified>{http_time}</Last-Modified><Content-Length>{length}</Content-Length>\
                 <Content-Type>text/csv</Content-Type><Etag>1</Etag></Properties></Blob>"
            )
        } else {
            format!(
                "<Contents><Key>{name}</Key><LastModified>2026-05-01T00:00:{second}.000Z</LastModified><ETag>\"1\"</ETag>\
                 <Size>{length}</Size></Contents>"
            )
        };
    }
    if is_azure {
        let next = next.unwrap_or_default();
        return format!(
            "<EnumerationResults><Blobs>{entries}</Blobs><NextMarker>{next}</NextMarker></EnumerationResults>"
        );
    }
    let next =
        next.map(|next| format!("<NextContinuationToken>{next}</NextContinuationToken>")).unwrap_or_default();
    format!("<ListBucketResult>{entries}<IsTruncated>{is_truncated}</IsTruncated>{next}</ListBucketResult>")
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits: String = rest.by_ref().take(2).map(char::from).collect();
            bytes.push(u8::from_str_radix(&digits, 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}
