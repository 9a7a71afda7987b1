//! HTTP requests over persistent connections with little overhead: client and server share the processor.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// A serialised request.
pub struct Ask(pub Vec<u8>);

impl Ask {
    pub fn post(address: &str, path: &str, token: Option<&str>, body: &str) -> Self {
        Self::new("POST", address, path, token, body)
    }

    pub fn new(method: &str, address: &str, path: &str, token: Option<&str>, body: &str) -> Self {
        let bearer = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\n{bearer}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        Self([head.as_bytes(), body.as_bytes()].concat())
    }
}

/// A persistent connection.
pub struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Connection {
    pub fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_nodelay(true).expect("a TCP stream");
        stream.set_read_timeout(Some(Duration::from_mins(1))).expect("a TCP stream");
        Self { stream, received: vec![0; 1 << 20] }
    }

    /// Sends a request and returns the body of the response, which must be successful.
    pub fn send(&mut self, ask: &Ask) -> &[u8] {
        let (status, body) = self.exchange(ask);
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(body));
        body
    }

    /// Sends a request and returns status and body of the response.
    pub fn exchange(&mut self, ask: &Ask) -> (u16, &[u8]) {
        self.stream.write_all(&ask.0).expect("the server reads");
        let mut filled = 0;
        let mut head: Option<Head> = None;
        loop {
            if filled == self.received.len() {
                self.received.resize(filled * 2, 0);
            }
            let read =
                self.stream.read(&mut self.received[filled..]).expect("the server answers in a minute");
            assert_ne!(read, 0, "the server hung up");
            filled += read;
            if head.is_none() {
                head = Head::read(&self.received[..filled]);
            }
            let Some(head) = &mut head else { continue };
            if head.is_whole(&self.received[..filled]) {
                let end = head.join(&mut self.received);
                return (head.status, &self.received[head.start..end]);
            }
        }
    }
}

/// The header of a response that is still arriving.
pub struct Head {
    pub status: u16,
    /// Start of the body.
    pub start: usize,
    body: Body,
}

enum Body {
    /// The end of the body.
    Until(usize),
    /// The ranges of the received chunks, and the position of the next chunk's size.
    Pieces { known: Vec<(usize, usize)>, next: usize },
}

impl Head {
    /// Parses the header once it is complete.
    pub fn read(received: &[u8]) -> Option<Self> {
        let start = received.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
        let head = std::str::from_utf8(&received[..start]).expect("a head is ASCII");
        let status =
            head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a head has a status");
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>())
        });
        let body = match length {
            Some(length) => Body::Until(start + length.expect("a number")),
            None => Body::Pieces { known: Vec::new(), next: start },
        };
        Some(Self { status, start, body })
    }

    pub fn is_whole(&mut self, received: &[u8]) -> bool {
        match &mut self.body {
            Body::Until(end) => received.len() >= *end,
            Body::Pieces { known, next } => loop {
                let Some(line) = received.get(*next..) else { return false };
                let Some(length) = line.windows(2).position(|two| two == b"\r\n") else { return false };
                let size = std::str::from_utf8(&line[..length]).expect("a size is ASCII");
                let size = usize::from_str_radix(size, 16).expect("a size is hexadecimal");
                let start = *next + length + 2;
                if size == 0 {
                    return received.len() >= start + 2;
                }
                known.push((start, start + size));
                *next = start + size + 2;
            },
        }
    }

    /// Joins the chunks. Returns the end of the body.
    fn join(&self, received: &mut [u8]) -> usize {
        match &self.body {
            Body::Until(end) => *end,
            Body::Pieces { known, .. } => known.iter().fold(self.start, |end, (from, until)| {
                received.copy_within(*from..*until, end);
                end + (until - from)
            }),
        }
    }
}
