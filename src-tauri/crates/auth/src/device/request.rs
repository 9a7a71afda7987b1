//! The sign-in request of a desktop, before the user has agreed.
//!
//! Validated strictly, since anybody can create such a link.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// Longest name of a device, in characters.
const NAME: usize = 60;
/// Longest `state`, in characters.
const STATE: usize = 200;
/// Longest path of the redirect address, in characters.
const PATH: usize = 100;

/// A desktop's request to sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// `http://127.0.0.1:PORT/…`; `None` if the user copies the code by hand.
    pub redirect_uri: Option<String>,
    /// Returned unchanged in the response, for the desktop to match it with its request.
    pub state: String,
    /// SHA-256 of the desktop's verifier, base64url without padding.
    pub challenge: String,
    pub device_name: String,
}

/// The parameter that is wrong, and what it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{parameter}`: expected {expected}. Begin again from the desktop program")]
pub struct RequestError {
    pub parameter: &'static str,
    pub expected: &'static str,
}

impl Request {
    /// Validates the parameters. `find` returns the single value of a parameter, `None` if it is missing or given more than once.
    pub fn read<'a>(find: impl Fn(&str) -> Option<&'a str>) -> Result<Self, RequestError> {
        let wrong = |parameter, expected| RequestError { parameter, expected };
        let redirect_uri = match find("redirect_uri") {
            None | Some("") => None,
            Some(address) if is_loopback(address) => Some(address.to_owned()),
            Some(_) => {
                return Err(wrong(
                    "redirect_uri",
                    "http://127.0.0.1:PORT/ with a path of letters: an answer goes to a program on the same computer and nowhere else",
                ));
            }
        };
        let state = find("state").unwrap_or_default();
        if state.len() < 16
            || state.len() > STATE
            || !state.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
        {
            return Err(wrong("state", "16 to 200 letters, digits, - . _ or ~"));
        }
        if find("code_challenge_method").is_some_and(|method| method != "S256") {
            return Err(wrong("code_challenge_method", "S256"));
        }
        let challenge = find("code_challenge").unwrap_or_default();
        if challenge.len() != 43 || URL_SAFE_NO_PAD.decode(challenge).is_err() {
            return Err(wrong("code_challenge", "the SHA-256 of the verifier, base64url without padding"));
        }
        let name = find("device_name").unwrap_or_default().trim();
        // A name with characters that reverse the text direction or are invisible could mislead the user who has to agree.
        let is_readable = name.chars().all(|letter| {
            !letter.is_control()
                && !matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        });
        if name.is_empty() || name.chars().count() > NAME || !is_readable {
            return Err(wrong("device_name", "1 to 60 letters"));
        }
        Ok(Self {
            redirect_uri,
            state: state.to_owned(),
            challenge: challenge.to_owned(),
            device_name: name.to_owned(),
        })
    }

    /// Host and port that receive the code, as shown to the user: `127.0.0.1:53117`.
    pub fn answers_to(&self) -> Option<&str> {
        self.redirect_uri.as_deref()?.strip_prefix("http://")?.split('/').next()
    }

    /// The redirect address with `name=value` and the state; `None` if the user copies the code by hand. Both values need no escaping.
    pub fn answer(&self, name: &str, value: &str) -> Option<String> {
        let address = self.redirect_uri.as_deref()?;
        Some(format!("{address}?{name}={value}&state={}", self.state))
    }
}

/// Whether an address is a port of this computer with a plain path. Compared as text, not parsed: two URL parsers may disagree about anything more
/// complex.
fn is_loopback(address: &str) -> bool {
    let Some(rest) =
        address.strip_prefix("http://127.0.0.1:").or_else(|| address.strip_prefix("http://[::1]:"))
    else {
        return false;
    };
    let (port, path) = rest.split_once('/').unwrap_or((rest, ""));
    let is_port = !port.starts_with('0')
        && port.bytes().all(|byte| byte.is_ascii_digit())
        && port.parse::<u16>().is_ok_and(|port| port >= 1024);
    let is_path = path.len() <= PATH
        && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/'))
        && !path.starts_with('/')
        && rest.contains('/');
    is_port && is_path
}

/// A short code that desktop and browser both show, for the user to check that they belong together: `K7-2QF`, derived from the challenge.
pub fn mark(challenge: &str) -> String {
    const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let digest = Sha256::digest(format!("quarterdeck device\n{challenge}").as_bytes());
    let letters: Vec<char> =
        digest[..5].iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect();
    let (left, right) = letters.split_at(2);
    format!("{}-{}", left.iter().collect::<String>(), right.iter().collect::<String>())
}
