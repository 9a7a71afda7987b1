//! A model registry on loopback: a real HTTP server with faults on demand.

use crate::loopback::Loopback;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The required license key.
pub const KEY: &str = "test-license-key-0123456789";

/// A fault of one response with a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The connection closes after that many bytes of the body.
    Cut(u64),
    /// Nothing more is sent after that many bytes.
    Stall(u64),
    /// The whole file is sent, whatever range was requested.
    IgnoreRange,
    /// From now on the file is another one of the same length.
    Change,
    /// The response reports another size than before.
    WrongSize,
    /// Another range than requested is sent, and reported as such.
    WrongPlace,
    /// One byte is wrong, with no sign of it.
    Flip,
    Status(u16),
    /// Redirects to the other host.
    Redirect,
}

/// Properties of all responses.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing that some registry does and others do not"
)]
pub struct RegistryBehaviour {
    /// `None`: no `ETag`.
    pub etag: Option<&'static str>,
    pub has_ranges: bool,
    /// A header with a hash, and its value.
    pub digest: Option<(&'static str, String)>,
    /// The content of the model's `.sha256` file.
    pub sidecar: Option<String>,
    /// Every response is a redirect to the other host.
    pub redirects: bool,
    pub answers_head: bool,
    /// Whether whole files have a Content-Length; otherwise they are chunked.
    pub says_length: bool,
    /// Delay before each response.
    pub latency: Duration,
    /// Bytes per second on each connection.
    pub rate: Option<u64>,
}

impl Default for RegistryBehaviour {
    fn default() -> Self {
        Self {
            etag: Some("\"first\""),
            has_ranges: true,
            digest: None,
            sidecar: None,
            redirects: false,
            answers_head: true,
            says_length: true,
            latency: Duration::ZERO,
            rate: None,
        }
    }
}

/// The served file.
#[derive(Clone)]
pub enum Content {
    Bytes(Arc<Vec<u8>>),
    File(std::path::PathBuf, u64),
}

impl Content {
    pub fn size_bytes(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(_, size) => *size,
        }
    }
}

struct Shared {
    content: Mutex<Content>,
    /// The content after [`Fault::Change`].
    next: Content,
    manners: Mutex<RegistryBehaviour>,
    faults: Mutex<VecDeque<Fault>>,
    has_changed: AtomicBool,
    sent: AtomicU64,
    seen: Mutex<Vec<SeenRequest>>,
    /// `http://127.0.0.1:PORT` of the other host.
    other: String,
}

/// A received request.
#[derive(Debug, Clone)]
pub struct SeenRequest {
    pub method: String,
    pub path: String,
    pub has_key: bool,
    pub range: Option<(u64, u64)>,
    pub is_other: bool,
}

/// A registry that runs until this value is dropped.
pub struct Registry {
    /// `http://127.0.0.1:PORT`
    pub address: String,
    shared: Arc<Shared>,
    _doors: [Loopback; 2],
}

impl Registry {
    pub fn start(content: Content, next: Content, manners: RegistryBehaviour) -> Self {
        let (own, other) = (Loopback::listener(), Loopback::listener());
        let shared = Arc::new(Shared {
            content: Mutex::new(content),
            next,
            manners: Mutex::new(manners),
            faults: Mutex::default(),
            has_changed: AtomicBool::new(false),
            sent: AtomicU64::new(0),
            seen: Mutex::default(),
            other: Loopback::address_of(&other),
        });
        let doors = [(own, false), (other, true)].map(|(listener, is_other)| {
            let shared = Arc::clone(&shared);
            Loopback::on(listener, move |stream| serve(&shared, stream, is_other))
        });
        Self { address: doors[0].address.clone(), shared, _doors: doors }
    }

    /// A registry with one file and without faults.
    pub fn of(bytes: Vec<u8>) -> Self {
        let content = Content::Bytes(Arc::new(bytes));
        Self::start(content.clone(), content, RegistryBehaviour::default())
    }

    /// Sets the faults of the next requests for the model, one each.
    pub fn meet(&self, faults: impl IntoIterator<Item = Fault>) {
        self.shared.faults.lock().unwrap().extend(faults);
    }

    /// Removes all faults.
    pub fn forgive(&self) {
        self.shared.faults.lock().unwrap().clear();
    }

    pub fn change_manners(&self, change: impl FnOnce(&mut RegistryBehaviour)) {
        change(&mut self.shared.manners.lock().unwrap());
    }

    /// Bytes of models that were sent.
    pub fn sent(&self) -> u64 {
        self.shared.sent.load(Ordering::Relaxed)
    }

    pub fn seen(&self) -> Vec<SeenRequest> {
        self.shared.seen.lock().unwrap().clone()
    }
}

fn serve(shared: &Shared, stream: TcpStream, is_other: bool) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut stream = stream;
    loop {
        let Some(request) = read(&mut reader, is_other)? else { return Ok(()) };
        shared.seen.lock().unwrap().push(request.seen.clone());
        let manners = shared.manners.lock().unwrap().clone();
        std::thread::sleep(manners.latency);
        if !answer(shared, &manners, &mut stream, &request)? {
            return Ok(());
        }
    }
}

struct Request {
    seen: SeenRequest,
    if_range: Option<String>,
}

fn read(reader: &mut impl BufRead, is_other: bool) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut seen = SeenRequest { method, path, has_key: false, range: None, is_other };
    let mut if_range = None;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim().split_once(": ") else { break };
        match name.to_lowercase().as_str() {
            "authorization" => seen.has_key = value == format!("Bearer {KEY}"),
            "if-range" => if_range = Some(value.to_owned()),
            "range" => {
                let range = value.strip_prefix("bytes=").and_then(|range| range.split_once('-'));
                seen.range =
                    range.map(|(start, end)| (start.parse().unwrap(), end.parse().unwrap_or(u64::MAX)));
            }
            _ => {}
        }
    }
    Ok(Some(Request { seen, if_range }))
}

/// Answers a request. Returns whether the connection can be used again.
fn answer(
    shared: &Shared,
    manners: &RegistryBehaviour,
    stream: &mut TcpStream,
    request: &Request,
) -> std::io::Result<bool> {
    let SeenRequest { method, path, is_other, .. } = &request.seen;
    if !is_other && !request.seen.has_key {
        return plain(stream, "401 Unauthorized", "");
    }
    if path.ends_with(".sha256") {
        return match &manners.sidecar {
            Some(text) => plain(stream, "200 OK", text),
            None => plain(stream, "404 Not Found", ""),
        };
    }
    if !path.contains("/downloads/models/svc-") {
        return plain(stream, "404 Not Found", "");
    }
    if method == "HEAD" && !manners.answers_head {
        return plain(stream, "405 Method Not Allowed", "");
    }
    let fault = if method == "GET" { shared.faults.lock().unwrap().pop_front() } else { None };
    if !is_other && (manners.redirects || fault == Some(Fault::Redirect)) {
        let to = format!("{}{path}?signature=secret", shared.other);
        write!(stream, "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n")?;
        return Ok(true);
    }
    if let Some(Fault::Status(status)) = fault {
        return plain(stream, &format!("{status} Trouble"), "");
    }
    if fault == Some(Fault::Change) {
        *shared.content.lock().unwrap() = shared.next.clone();
        shared.has_changed.store(true, Ordering::Relaxed);
    }
    model(shared, manners, stream, request, fault)
}

fn plain(stream: &mut TcpStream, status: &str, body: &str) -> std::io::Result<bool> {
    write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len())?;
    Ok(true)
}

fn model(
    shared: &Shared,
    manners: &RegistryBehaviour,
    stream: &mut TcpStream,
    request: &Request,
    fault: Option<Fault>,
) -> std::io::Result<bool> {
    let content = shared.content.lock().unwrap().clone();
    let size = content.size_bytes();
    let has_changed = shared.has_changed.load(Ordering::Relaxed);
    let etag =
        manners.etag.map(|etag| if has_changed { etag.replace("first", "second") } else { etag.to_owned() });
    let mut head = String::new();
    if let Some(etag) = &etag {
        head.push_str(&format!("ETag: {etag}\r\n"));
    }
    if let Some((name, value)) = &manners.digest {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let is_current = request.if_range.as_ref().is_none_or(|tag| Some(tag) == etag.as_ref());
    let is_ranged = manners.has_ranges && is_current && fault != Some(Fault::IgnoreRange);
    if manners.has_ranges {
        head.push_str("Accept-Ranges: bytes\r\n");
    }
    let said = if fault == Some(Fault::WrongSize) { size + 7 } else { size };
    let (status, start, end) = match request.seen.range {
        Some((start, _)) if is_ranged && start >= size => {
            return plain(stream, "416 Range Not Satisfiable", "");
        }
        Some((start, end)) if is_ranged => {
            let end = end.saturating_add(1).min(size);
            let start = if fault == Some(Fault::WrongPlace) { start.saturating_sub(1) } else { start };
            head.push_str(&format!("Content-Range: bytes {start}-{}/{said}\r\n", end - 1));
            ("206 Partial Content", start, end)
        }
        _ => ("200 OK", 0, size),
    };
    let length = if status.starts_with("200") { said } else { end - start };
    let is_chunked = status.starts_with("200") && !manners.says_length;
    if is_chunked {
        head.push_str("Transfer-Encoding: chunked\r\n");
    } else {
        head.push_str(&format!("Content-Length: {length}\r\n"));
    }
    write!(stream, "HTTP/1.1 {status}\r\n{head}\r\n")?;
    if request.seen.method == "HEAD" {
        return Ok(true);
    }
    let stop_at = match fault {
        Some(Fault::Cut(after) | Fault::Stall(after)) => start + after.min(end - start - 1),
        _ => end,
    };
    if is_chunked {
        write!(stream, "{length:x}\r\n")?;
    }
    send(shared, manners, stream, &content, (start, stop_at), fault == Some(Fault::Flip))?;
    if is_chunked && stop_at == end {
        write!(stream, "\r\n0\r\n\r\n")?;
    }
    if matches!(fault, Some(Fault::Stall(_))) {
        // Until the client disconnects.
        let _ = stream.read(&mut [0]);
    }
    Ok(stop_at == end && length == end - start)
}

fn send(
    shared: &Shared,
    manners: &RegistryBehaviour,
    stream: &mut TcpStream,
    content: &Content,
    (mut at, end): (u64, u64),
    flips: bool,
) -> std::io::Result<()> {
    let mut file = match content {
        Content::File(path, _) => {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(at))?;
            Some(file)
        }
        Content::Bytes(_) => None,
    };
    let mut buffer = vec![0; if manners.rate.is_some() { 64 << 10 } else { 256 << 10 }];
    let began = std::time::Instant::now();
    let from = at;
    while at < end {
        let most = buffer.len().min(usize::try_from(end - at).unwrap_or(usize::MAX));
        let piece = &mut buffer[..most];
        match (content, &mut file) {
            (Content::Bytes(bytes), _) => {
                let start = usize::try_from(at).unwrap();
                piece.copy_from_slice(&bytes[start..start + most]);
            }
            (Content::File(..), Some(file)) => file.read_exact(piece)?,
            (Content::File(..), None) => unreachable!("a file was opened"),
        }
        if flips && at == from {
            piece[0] ^= 1;
        }
        stream.write_all(piece)?;
        at += most as u64;
        shared.sent.fetch_add(most as u64, Ordering::Relaxed);
        if let Some(rate) = manners.rate {
            let due = Duration::from_micros((at - from) * 1_000_000 / rate);
            std::thread::sleep(due.saturating_sub(began.elapsed()));
        }
    }
    Ok(())
}
