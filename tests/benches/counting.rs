//! A server that responds at once and counts requests by idempotency key.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

const ANSWER: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"items\":[1]}";

type RequestCounts = (Mutex<BTreeMap<String, usize>>, Condvar);

pub struct Counting {
    pub url: String,
    seen: Arc<RequestCounts>,
}

impl Counting {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("it listens"));
        let seen: Arc<RequestCounts> = Arc::default();
        let counted = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let counted = Arc::clone(&counted);
                // A service killed while sending has sent no complete request.
                std::thread::spawn(move || drop(serve(&stream, &counted)));
            }
        });
        Self { url, seen }
    }

    /// Number of requests so far.
    pub fn total(&self) -> usize {
        self.seen.0.lock().expect("nobody panics").values().sum()
    }

    /// Number of requests for each key.
    pub fn keys(&self) -> BTreeMap<String, usize> {
        self.seen.0.lock().expect("nobody panics").clone()
    }

    /// Waits until that many requests have arrived. Returns whether they did within the time.
    pub fn until(&self, number: usize, patience: Duration) -> bool {
        let (seen, heard) = &*self.seen;
        let counted = seen.lock().expect("nobody panics");
        let enough = |counted: &mut BTreeMap<String, usize>| counted.values().sum::<usize>() < number;
        !heard.wait_timeout_while(counted, patience, enough).expect("nobody panics").1.timed_out()
    }
}

fn serve(stream: &TcpStream, seen: &RequestCounts) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    loop {
        let (mut key, mut length, mut line) = (String::new(), 0, String::new());
        loop {
            line.clear();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let Some((name, value)) = line.split_once(':') else {
                if line == "\r\n" {
                    break;
                }
                continue;
            };
            match name.to_ascii_lowercase().as_str() {
                "idempotency-key" => value.trim().clone_into(&mut key),
                "content-length" => length = value.trim().parse().unwrap_or(0),
                _ => {}
            }
        }
        std::io::copy(&mut reader.by_ref().take(length), &mut std::io::sink())?;
        *seen.0.lock().expect("nobody panics").entry(key).or_default() += 1;
        seen.1.notify_all();
        (&*stream).write_all(ANSWER)?;
    }
}
