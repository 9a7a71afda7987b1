//! Providers of language models on loopback: a real HTTP server with the protocols of OpenAI, Azure, Ollama, Gemini, Vertex AI, Bedrock, SageMaker
//! and Hugging Face, which fails on demand.
//!
//! Only the texts are fixed.
//!
//! Amazon's signatures are checked by `sigv4.py` beside this file, which shares no code with the product.

mod embeddings;
mod wires;

pub use crate::http::ReceivedRequest;
pub use embeddings::vector_of;
pub use wires::amazon as amazon_message;

use crate::http;
use crate::loopback::Loopback;
use serde_json::Value;
use std::collections::VecDeque;
use std::io::Write;
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The key for all of them but Ollama, which requires none.
pub const KEY: &str = "test-model-key-0123456789";
/// Amazon's credentials.
pub const ACCESS_KEY: &str = "AKIATESTTESTTESTTEST";
pub const SECRET_KEY: &str = "test-secret-key/0123456789+abcdefghijklm";
/// An Amazon role, the external id its trust policy requires, and its credentials.
pub const ROLE: &str = "arn:aws:iam::123456789012:role/models-of-a-test";
pub const EXTERNAL_ID: &str = "an external id/of a test";
pub const ROLE_ACCESS_KEY: &str = "ASIATESTTESTTESTROLE";
pub const ROLE_SECRET_KEY: &str = "test-role-key/0123456789+abcdefghijklmno";
pub const ROLE_TOKEN: &str = "test-role-token//0123456789+abc==";
/// The access token of Vertex AI, issued at `/token`.
pub const TOKEN: &str = "ya29.test-token";

/// The model's answer to one request.
#[derive(Debug, Clone, Default)]
pub struct Said {
    /// Sent in these chunks when streaming.
    pub text: Vec<String>,
    /// Names and arguments.
    pub calls: Vec<(String, Value)>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub fault: Option<Fault>,
}

/// A fault of an answer.
#[derive(Debug, Clone)]
pub enum Fault {
    /// A status with this message and, if set, `Retry-After` in seconds.
    Status(u16, String, Option<u32>),
    /// The connection closes in the middle of the text.
    CutOff,
    /// Sends nothing after the first chunk of the text, until the client disconnects.
    Stalls,
    /// Sends nothing at all, until the client disconnects.
    Silent,
    /// The connection closes before any output.
    HangsUp,
    /// An invalid response with a success status.
    Nonsense,
    /// The answer is delayed by this time.
    Slow(Duration),
    /// The text ends at the token limit.
    Length,
}

impl Said {
    /// A text in two chunks, with token counts.
    pub fn text(text: &str) -> Self {
        let middle = (text.len() / 2..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let (one, other) = text.split_at(middle);
        let text = [one, other].iter().filter(|part| !part.is_empty()).map(ToString::to_string).collect();
        Self { text, input_tokens: 12, output_tokens: 3, ..Self::default() }
    }

    pub fn call(name: &str, arguments: Value) -> Self {
        Self {
            calls: vec![(name.to_owned(), arguments)],
            input_tokens: 20,
            output_tokens: 7,
            ..Self::default()
        }
    }

    pub fn fault(fault: Fault) -> Self {
        Self { fault: Some(fault), ..Self::text("never heard whole") }
    }
}

type Brain = Box<dyn Fn(&ReceivedRequest) -> Said + Send + Sync>;

struct Shared {
    turns: Mutex<VecDeque<Said>>,
    faults: Mutex<VecDeque<Fault>>,
    brain: Brain,
    seen: Mutex<Vec<ReceivedRequest>>,
    wrong_signatures: Mutex<Vec<String>>,
}

/// Providers that answer until this value is dropped.
pub struct LanguageModels {
    /// `http://127.0.0.1:PORT`: the address of Ollama, Azure, Bedrock, SageMaker and Google; of OpenAI and Hugging Face with `/v1` appended.
    pub address: String,
    shared: Arc<Shared>,
    _door: Loopback,
}

impl LanguageModels {
    /// Answers OK unless [`Self::say`] has set an answer.
    pub fn start() -> Self {
        Self::thinking(|_| Said::text("OK"))
    }

    /// Answers with the result of `brain` for the request, unless [`Self::say`] has set an answer.
    pub fn thinking(brain: impl Fn(&ReceivedRequest) -> Said + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared {
            turns: Mutex::default(),
            faults: Mutex::default(),
            brain: Box::new(brain),
            seen: Mutex::default(),
            wrong_signatures: Mutex::default(),
        });
        let theirs = Arc::clone(&shared);
        let door = Loopback::on(Loopback::listener(), move |stream| serve(&theirs, stream));
        Self { address: door.address.clone(), shared, _door: door }
    }

    /// Sets the answers to the next chat requests, one each.
    pub fn say(&self, turns: impl IntoIterator<Item = Said>) {
        self.shared.turns.lock().unwrap().extend(turns);
    }

    /// Sets the faults of the next requests, chat or embeddings, one each.
    pub fn fail(&self, faults: impl IntoIterator<Item = Fault>) {
        self.shared.faults.lock().unwrap().extend(faults);
    }

    /// All requests so far.
    pub fn seen(&self) -> Vec<ReceivedRequest> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// Errors of signatures, as reported by the script that checks them.
    pub fn wrong_signatures(&self) -> Vec<String> {
        self.shared.wrong_signatures.lock().unwrap().clone()
    }
}

fn serve(shared: &Shared, mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = std::io::BufReader::new(stream.try_clone()?);
    while let Some(asked) = http::read(&mut reader)? {
        shared.seen.lock().unwrap().push(asked.clone());
        let next = || shared.turns.lock().unwrap().pop_front().unwrap_or_else(|| (shared.brain)(&asked));
        let goes_on = match wires::refused(&asked) {
            Some(wires::Refusal::Status(status, words)) => http::plain(&mut stream, status, &words, None)?,
            Some(wires::Refusal::Signature(words)) => {
                shared.wrong_signatures.lock().unwrap().push(words.clone());
                let body = serde_json::json!({ "message": words }).to_string();
                http::plain(&mut stream, 403, &body, None)?
            }
            None => match wires::conversation(&asked) {
                Some(wire) => {
                    let fault = shared.faults.lock().unwrap().pop_front();
                    let said = match fault {
                        Some(fault) => Said::fault(fault),
                        None => next(),
                    };
                    converse(&mut stream, wire, &asked, &said)?
                }
                None => match embeddings::answer(&asked) {
                    Some(body) => {
                        let fault = shared.faults.lock().unwrap().pop_front();
                        embed(&mut stream, &asked, &body, fault.as_ref())?
                    }
                    None => match wires::other(&asked) {
                        Some(body) => http::plain(&mut stream, 200, &body, None)?,
                        None => {
                            http::plain(&mut stream, 404, r#"{"error":{"message":"no such path"}}"#, None)?
                        }
                    },
                },
            },
        };
        if !goes_on {
            return Ok(());
        }
    }
    Ok(())
}

/// Causes a fault before any output, in any protocol. Returns whether the connection can be used again; `None` if the fault is of another type.
fn misbehave(stream: &mut TcpStream, wire: wires::Wire, fault: &Fault) -> std::io::Result<Option<bool>> {
    Ok(match fault {
        Fault::Status(status, words, wait) => {
            Some(http::plain(stream, *status, &wires::error(wire, words), *wait)?)
        }
        Fault::Nonsense => Some(http::plain(stream, 200, "<html>It works!</html>", None)?),
        Fault::HangsUp => Some(false),
        Fault::Silent => Some(wait_for_the_end(stream)?),
        Fault::Slow(time) => {
            std::thread::sleep(*time);
            None
        }
        Fault::CutOff | Fault::Stalls | Fault::Length => None,
    })
}

/// Waits until the client closes the connection.
fn wait_for_the_end(stream: &mut TcpStream) -> std::io::Result<bool> {
    std::io::Read::read(stream, &mut [0])?;
    Ok(false)
}

/// Answers with vectors, or with a fault.
fn embed(
    stream: &mut TcpStream,
    asked: &ReceivedRequest,
    body: &str,
    fault: Option<&Fault>,
) -> std::io::Result<bool> {
    let Some(fault) = fault else { return http::plain(stream, 200, body, None) };
    if let Some(goes_on) = misbehave(stream, wires::of_embeddings(asked), fault)? {
        return Ok(goes_on);
    }
    let (half, length) = (&body[..body.len() / 2], body.len());
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{half}"
    )?;
    stream.flush()?;
    if matches!(fault, Fault::Stalls) { wait_for_the_end(stream) } else { Ok(false) }
}

/// Answers in a provider's protocol. Returns whether the connection can be used again.
fn converse(
    stream: &mut TcpStream,
    wire: wires::Wire,
    asked: &ReceivedRequest,
    said: &Said,
) -> std::io::Result<bool> {
    if let Some(fault) = &said.fault
        && let Some(goes_on) = misbehave(stream, wire, fault)?
    {
        return Ok(goes_on);
    }
    let (kind, pieces) = wires::answer(wire, asked, said);
    write!(stream, "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n")?;
    let is_cut = matches!(said.fault, Some(Fault::CutOff | Fault::Stalls));
    let count = if is_cut { 1 } else { pieces.len() };
    for piece in &pieces[..count] {
        // One message in two parts: the client must not treat a network read as a message.
        let (one, other) = piece.split_at(piece.len() / 2);
        for part in [one, other].into_iter().filter(|part| !part.is_empty()) {
            write!(stream, "{:x}\r\n", part.len())?;
            stream.write_all(part)?;
            stream.write_all(b"\r\n")?;
            stream.flush()?;
        }
    }
    if matches!(said.fault, Some(Fault::Stalls)) {
        return wait_for_the_end(stream);
    }
    if is_cut {
        return Ok(false);
    }
    stream.write_all(b"0\r\n\r\n")?;
    Ok(true)
}
