//! Test kit: a database, and an instance with scripted responses.

use crate::{InstanceSettings, Remotes};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use store::Store;
use uuid::Uuid;

/// 2026-11-20T06:38:00Z
pub const NOW: i64 = 1_795_156_680_000_000;

static CLOCK: AtomicI64 = AtomicI64::new(NOW);

/// Tests share one clock, which stands still.
pub fn clock() -> i64 {
    CLOCK.load(Ordering::Relaxed)
}

/// Reverses a text, which is enough to show that it is not stored in plain text.
struct Turned;

impl crate::Seal for Turned {
    fn seal(&self, secret: &str) -> Result<String, String> {
        Ok(secret.chars().rev().collect())
    }

    fn open(&self, sealed: &str) -> Result<String, String> {
        self.seal(sealed)
    }
}

pub fn here() -> crate::Here {
    crate::Here { clock, seal: Arc::new(Turned), is_own_user: |_, _| true }
}

pub struct Kit {
    pub remotes: Arc<Remotes>,
    pub store: Store,
    pub folder: tempfile::TempDir,
}

impl Kit {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("test.db"), testkit::product::catalogue()).unwrap();
        Self { remotes: Remotes::new(store.clone(), folder.path(), here()), store, folder }
    }

    pub fn wanted(address: &str) -> InstanceSettings {
        InstanceSettings {
            name: "Production".to_owned(),
            colour: "teal".to_owned(),
            address: address.to_owned(),
            authorities: None,
            proxy: None,
            plain_accepted: false,
            keeps_copies: true,
        }
    }

    pub fn add(&self, address: &str) -> Uuid {
        self.remotes.add(Self::wanted(address), &mut rand::rng()).unwrap()
    }

    /// All files of the data directory, as bytes.
    pub fn on_disk(&self) -> Vec<u8> {
        let mut all = Vec::new();
        for entry in std::fs::read_dir(self.folder.path()).unwrap() {
            all.extend(std::fs::read(entry.unwrap().path()).unwrap_or_default());
        }
        all
    }
}

/// A received request.
#[derive(Debug, Clone)]
pub struct Came {
    /// Method and path: `POST /api/auth/desktop/token`.
    pub line: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Came {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

type Answer = dyn Fn(&Came) -> (u16, String, String) + Send + Sync;

/// A simulated instance; its handler returns status, further header lines and body.
pub struct Elsewhere {
    pub address: SocketAddr,
    came: Arc<Mutex<Vec<Came>>>,
}

impl Elsewhere {
    pub fn start(answer: impl Fn(&Came) -> (u16, String, String) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let came = Arc::<Mutex<Vec<Came>>>::default();
        let (answer, seen): (Arc<Answer>, _) = (Arc::new(answer), Arc::clone(&came));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (answer, seen) = (Arc::clone(&answer), Arc::clone(&seen));
                std::thread::spawn(move || serve(stream, &*answer, &seen));
            }
        });
        Self { address, came }
    }

    /// An instance that grants the tokens `access-N` and `refresh-N`, and answers everything else with `{}`.
    pub fn granting() -> Self {
        let nth = AtomicI64::new(0);
        Self::start(move |came| {
            if came.line.starts_with("POST /api/auth/desktop/token") {
                let nth = nth.fetch_add(1, Ordering::Relaxed);
                return (200, String::new(), grant(nth));
            }
            (200, "content-type: application/json\r\n".to_owned(), "{}".to_owned())
        })
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn came(&self) -> Vec<Came> {
        self.came.lock().unwrap().clone()
    }
}

/// The response with the tokens of that number.
pub fn grant(nth: i64) -> String {
    serde_json::json!({ "access_token": format!("access-{nth}"), "expires_in": 600, "refresh_token": format!("refresh-{nth}"),
        "device_id": "d", "email": "ada@example.com", "name": "Ada", "tenant": "Example Logistics" })
    .to_string()
}

fn serve(stream: TcpStream, answer: &Answer, seen: &Mutex<Vec<Came>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    if let Some(came) = read(&mut reader) {
        seen.lock().unwrap().push(came.clone());
        let (status, headers, body) = answer(&came);
        let length = body.len();
        let _ = write!(
            stream,
            "HTTP/1.1 {status} Answer\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
        );
    }
}

pub fn read(reader: &mut impl BufRead) -> Option<Came> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let came = Came { line: line.trim_end().to_owned(), headers, body: String::new() };
    let length = came.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    std::io::Read::read_exact(reader, &mut body).ok()?;
    Some(Came { body: String::from_utf8_lossy(&body).into_owned(), ..came })
}
