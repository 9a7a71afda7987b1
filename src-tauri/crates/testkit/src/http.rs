//! The parts of HTTP that test servers need.

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::net::TcpStream;

/// A received request.
#[derive(Debug, Clone)]
pub struct ReceivedRequest {
    pub method: String,
    /// Including the query.
    pub path: String,
    /// Names in lower case.
    pub headers: BTreeMap<String, String>,
    pub raw: Vec<u8>,
    /// The body as JSON; null if it is not JSON.
    pub body: Value,
}

/// The next request of a connection; `None` when it is closed.
pub fn read(reader: &mut impl BufRead) -> std::io::Result<Option<ReceivedRequest>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut raw = vec![0; length];
    reader.read_exact(&mut raw)?;
    let body = serde_json::from_slice(&raw).unwrap_or(Value::Null);
    Ok(Some(ReceivedRequest { method, path, headers, raw, body }))
}

/// Writes a complete response.
pub fn plain(stream: &mut TcpStream, status: u16, body: &str, wait: Option<u32>) -> std::io::Result<bool> {
    let wait = wait.map(|seconds| format!("Retry-After: {seconds}\r\n")).unwrap_or_default();
    let kind = if body.starts_with('<') { "text/html" } else { "application/json" };
    write!(
        stream,
        "HTTP/1.1 {status} Status\r\n{wait}Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    Ok(true)
}
