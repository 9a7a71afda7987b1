//! Providers of language models on loopback: a real HTTP server that speaks the protocol of whichever is asked (OpenAI, Azure, Ollama, Gemini, Vertex
//! AI, Bedrock, SageMaker, Hugging Face), and misbehaves on demand. Only the words are canned.
//!
//! Signatures of Amazon are checked by `sigv4.py` beside this file, which shares no code with the product.

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

/// The key that opens all of them but Ollama, which wants none.
pub const KEY: &str = "test-model-key-0123456789";
/// Amazon's.
pub const ACCESS_KEY: &str = "AKIATESTTESTTESTTEST";
pub const SECRET_KEY: &str = "test-secret-key/0123456789+abcdefghijklm";
/// A role of Amazon's, what its trust policy wants to hear, and the keys it has.
pub const ROLE: &str = "arn:aws:iam::123456789012:role/models-of-a-test";
pub const EXTERNAL_ID: &str = "an external id/of a test";
pub const ROLE_ACCESS_KEY: &str = "ASIATESTTESTTESTROLE";
pub const ROLE_SECRET_KEY: &str = "test-role-key/0123456789+abcdefghijklmno";
pub const ROLE_TOKEN: &str = "test-role-token//0123456789+abc==";
/// What Vertex AI is opened with, handed out at `/token`.
pub const TOKEN: &str = "ya29.test-token";

/// What the model says to one request.
#[derive(Debug, Clone, Default)]
pub struct Said {
    /// Sent in these pieces where it streams.
    pub text: Vec<String>,
    /// Names and arguments.
    pub calls: Vec<(String, Value)>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub fault: Option<Fault>,
}

/// How an answer goes wrong.
#[derive(Debug, Clone)]
pub enum Fault {
    /// A status with these words and, where there are any, seconds in `Retry-After`.
    Status(u16, String, Option<u32>),
    /// The connection ends in the middle of the text.
    CutOff,
    /// Nothing comes after the first piece of the text, until whoever asks hangs up.
    Stalls,
    /// Nothing comes at all, until whoever asks hangs up.
    Silent,
    /// The connection ends before anything was said.
    HangsUp,
    /// Something that is no answer, with a status that says it is one.
    Nonsense,
    /// Nothing comes for so long; then the answer does.
    Slow(Duration),
    /// The text ends at the bound of tokens.
    Length,
}

impl Said {
    /// A text of two pieces, with tokens.
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

/// Providers that answer until this value ends.
pub struct LanguageModels {
    /// `http://127.0.0.1:PORT`: Ollama's address, Azure's, Bedrock's and SageMaker's endpoint, Google's; OpenAI's and Hugging Face's with `/v1`.
    pub address: String,
    shared: Arc<Shared>,
    _door: Loopback,
}

impl LanguageModels {
    /// Says OK unless [`Self::say`] has said what to say.
    pub fn start() -> Self {
        Self::thinking(|_| Said::text("OK"))
    }

    /// Says what `brain` makes of the request, where nothing was said before with [`Self::say`].
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

    /// What the next conversations hear, one each.
    pub fn say(&self, turns: impl IntoIterator<Item = Said>) {
        self.shared.turns.lock().unwrap().extend(turns);
    }

    /// How the next requests go wrong, conversations and embeddings alike, one each.
    pub fn fail(&self, faults: impl IntoIterator<Item = Fault>) {
        self.shared.faults.lock().unwrap().extend(faults);
    }

    /// Every request so far.
    pub fn seen(&self) -> Vec<ReceivedRequest> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// What was wrong with signatures, in the words of the script that checks them.
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

/// What goes wrong before anything is said, in whichever words; whether the connection may be used again. None: it does not go wrong so.
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

/// Nobody says anything more: what can be read is the end of the connection.
fn wait_for_the_end(stream: &mut TcpStream) -> std::io::Result<bool> {
    std::io::Read::read(stream, &mut [0])?;
    Ok(false)
}

/// Answers with vectors, or goes wrong.
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

/// Says something in a provider's words; whether the connection may be used again.
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
        // One piece in two parts: whoever reads must not take what comes at once for a message.
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
