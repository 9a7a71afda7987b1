//! An HTTP client that sends exactly the given headers: a browser or library would not send a foreign Host.

use serde_json::Value;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[derive(Clone)]
pub struct Client {
    address: SocketAddr,
    headers: Vec<(String, String)>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Client {
    pub fn new(address: SocketAddr) -> Self {
        Self { address, headers: vec![("Host".to_owned(), address.to_string())] }
    }

    /// Adds or replaces a header.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, b"").await
    }

    pub async fn post(&self, path: &str, body: &str) -> Answer {
        self.send("POST", path, body.as_bytes()).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, b"").await
    }

    pub async fn send(&self, method: &str, path: &str, body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(self.head(method, path, body.len()).as_bytes()).await.unwrap();
        // A service that refuses early may close before it has read everything.
        let _ = stream.write_all(body).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        Answer::read(&String::from_utf8(answer).unwrap())
    }

    /// Announces `length` bytes, sends `body`, and closes the connection.
    pub async fn break_off(&self, path: &str, length: usize, body: &[u8]) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(self.head("POST", path, length).as_bytes()).await.unwrap();
        stream.write_all(body).await.unwrap();
        stream.shutdown().await.unwrap();
        let _ = stream.read_to_end(&mut Vec::new()).await;
    }

    fn head(&self, method: &str, path: &str, length: usize) -> String {
        let headers: Vec<String> =
            self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let headers = headers.concat();
        format!("{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n")
    }
}

impl Answer {
    fn read(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        Self { status, headers, body: body.to_owned() }
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("not JSON ({error}): {self:?}"))
    }

    /// Status and error code of a refusal.
    pub fn refusal(&self) -> (u16, String) {
        (self.status, self.json()["error"].as_str().unwrap_or_default().to_owned())
    }

    /// The cookie it sets, in the form a browser sends it back.
    pub fn cookie(&self) -> String {
        self.header("set-cookie").split(';').next().unwrap_or_default().to_owned()
    }
}
