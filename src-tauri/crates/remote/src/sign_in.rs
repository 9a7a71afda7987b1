//! Sign-in to an instance through the system's browser: secret and state are created here, the user consents in the browser, and the code is
//! exchanged over the instance's own connection.

use crate::listener::{BrowserReturn, Listener, Reply};
use crate::vault::{Keeping, VaultError};
use crate::{Instance, RemoteError, Remotes, SECOND, blocking, hold};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::CryptoRng;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::AbortHandle;
use url::Url;
use uuid::Uuid;

/// Timeout of the browser part: five minutes.
const PATIENCE: Duration = Duration::from_mins(5);

/// How the result reaches this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The browser of this computer is redirected to a local port.
    Browser,
    /// The user copies a code from any browser.
    Code,
}

/// A sign-in that was begun.
#[derive(Debug, Clone)]
pub struct SignInStart {
    /// The address that the system's browser opens. Contains no secret that could be used to sign in.
    pub address: Url,
    /// Both sides display a mark derived from it.
    pub challenge: String,
    /// µs since 1970 UTC.
    pub ends_at: i64,
}

/// The state of a sign-in to an instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SignInCourse")]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Course {
    /// No sign-in was started.
    None,
    Waiting,
    Done,
    Failed {
        message: String,
    },
}

/// Sign-ins in progress or just ended, one for each instance.
#[derive(Default)]
pub struct Attempts(Mutex<HashMap<Uuid, Attempt>>);

struct Attempt {
    nth: Uuid,
    verifier: String,
    mode: Mode,
    keeping: Keeping,
    ends_at: i64,
    course: Course,
    task: Option<AbortHandle>,
}

impl Attempts {
    /// Aborts the sign-in in progress.
    pub fn end(&self, id: Uuid) {
        if let Some(Attempt { task: Some(task), .. }) = hold(&self.0).remove(&id) {
            task.abort();
        }
    }

    /// Records the outcome, unless another attempt has begun meanwhile.
    fn note(&self, id: Uuid, nth: Uuid, course: Course) {
        if let Some(attempt) = hold(&self.0).get_mut(&id)
            && attempt.nth == nth
        {
            attempt.course = course;
            attempt.verifier.clear();
        }
    }
}

impl Remotes {
    /// Begins a sign-in, aborting one in progress. The key will be stored in the place `keeping`, which is tested first.
    pub async fn begin_sign_in(
        self: &Arc<Self>,
        id: Uuid,
        mode: Mode,
        keeping: Keeping,
        device_name: &str,
        rng: &mut (dyn CryptoRng + Send),
    ) -> Result<SignInStart, RemoteError> {
        self.attempts.end(id);
        let (verifier, state, nth) = (draw(rng), draw(rng), draw_id(rng));
        let mut seed = [0; 32];
        rng.fill_bytes(&mut seed);
        let this = Arc::clone(self);
        let instance = blocking(move || {
            if keeping == Keeping::Keyring {
                this.vault.probe(&mut seeded(seed))?;
            }
            if keeping == Keeping::File && this.vault.file() != crate::vault::FileState::Open {
                return Err(VaultError::Locked.into());
            }
            this.find(id)
        })
        .await?;
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
        let listener = match mode {
            Mode::Browser => Some(Listener::open().await.map_err(RemoteError::Port)?),
            Mode::Code => None,
        };
        let redirect_uri = listener.as_ref().map(Listener::redirect_uri);
        let mut address = instance.at("/api/auth/desktop/authorize")?;
        {
            let mut query = address.query_pairs_mut();
            query.append_pair("state", &state).append_pair("code_challenge", &challenge);
            query.append_pair("code_challenge_method", "S256").append_pair("device_name", device_name);
            if let Some(redirect_uri) = &redirect_uri {
                query.append_pair("redirect_uri", redirect_uri);
            }
        }
        let patience = i64::try_from(PATIENCE.as_micros()).unwrap_or(i64::MAX);
        let ends_at = self.now() + patience;
        hold(&self.attempts.0).insert(
            id,
            Attempt { nth, verifier, mode, keeping, ends_at, course: Course::Waiting, task: None },
        );
        if let (Some(listener), Some(redirect_uri)) = (listener, redirect_uri) {
            let this = Arc::clone(self);
            let task = tokio::spawn(async move {
                let waited =
                    tokio::time::timeout(PATIENCE, this.wait(&instance, &listener, &state, &redirect_uri));
                let course = match waited.await {
                    Ok(Ok(())) => Course::Done,
                    Ok(Err(error)) => Course::Failed { message: error.to_string() },
                    Err(_) => Course::Failed {
                        message: "Nobody answered in the browser within five minutes. Begin again".to_owned(),
                    },
                };
                this.attempts.note(id, nth, course);
            });
            if let Some(attempt) = hold(&self.attempts.0).get_mut(&id) {
                attempt.task = Some(task.abort_handle());
            }
        }
        Ok(SignInStart { address, challenge, ends_at })
    }

    /// The state of the sign-in.
    pub fn course(&self, id: Uuid) -> Course {
        let attempts = hold(&self.attempts.0);
        match attempts.get(&id) {
            None => Course::None,
            Some(attempt) if attempt.course == Course::Waiting && attempt.ends_at <= self.now() => {
                Course::Failed {
                    message: "The sign-in was not finished within five minutes. Begin again".to_owned(),
                }
            }
            Some(attempt) => attempt.course.clone(),
        }
    }

    /// Aborts the sign-in in progress.
    pub fn cancel_sign_in(&self, id: Uuid) {
        self.attempts.end(id);
    }

    /// Finishes a sign-in with a code that the user copied. A wrong code does not end the sign-in, since it may be mistyped.
    pub async fn finish_with_code(self: &Arc<Self>, id: Uuid, code: &str) -> Result<(), RemoteError> {
        let nth = {
            let attempts = hold(&self.attempts.0);
            let attempt = attempts.get(&id).filter(|attempt| {
                attempt.mode == Mode::Code
                    && attempt.course == Course::Waiting
                    && attempt.ends_at > self.now()
            });
            attempt.ok_or(RemoteError::NotBegun)?.nth
        };
        let this = Arc::clone(self);
        let instance = blocking(move || this.find(id)).await?;
        self.finish(&instance, code.trim(), None).await?;
        self.attempts.note(id, nth, Course::Done);
        Ok(())
    }

    async fn wait(
        self: &Arc<Self>,
        instance: &Instance,
        listener: &Listener,
        state: &str,
        redirect_uri: &str,
    ) -> Result<(), RemoteError> {
        let no = |reply: Reply| async move {
            reply
                .send(
                    "200 OK",
                    "Not signed in",
                    "Nothing was allowed. You can close this page and go back to Quarterdeck.",
                )
                .await;
            Err(RemoteError::Refused {
                code: "access_denied".to_owned(),
                message: "The sign-in was not allowed in the browser".to_owned(),
            })
        };
        match listener.answer(state, self.here.is_own_user).await.map_err(RemoteError::Port)? {
            BrowserReturn::Refused(reply) => no(reply).await,
            BrowserReturn::Code(code, reply) => {
                let finished = self.finish(instance, &code, Some(redirect_uri)).await;
                let name = &instance.name;
                match &finished {
                    Ok(()) => {
                        let words = format!(
                            "Quarterdeck on this computer is signed in to {name}. You can close this page and go back to it."
                        );
                        reply.send("200 OK", "Signed in", &words).await;
                    }
                    Err(error) => reply.send("200 OK", "Not signed in", &error.to_string()).await,
                }
                finished
            }
        }
    }

    /// Exchanges the code for tokens and stores them.
    async fn finish(
        self: &Arc<Self>,
        instance: &Instance,
        code: &str,
        redirect_uri: Option<&str>,
    ) -> Result<(), RemoteError> {
        let (verifier, keeping) = {
            let attempts = hold(&self.attempts.0);
            let attempt = attempts.get(&instance.id).ok_or(RemoteError::NotBegun)?;
            (attempt.verifier.clone(), attempt.keeping)
        };
        let mut body = json!({
            "grant": "code", "code": code, "verifier": verifier, "kept_in": keeping.name(),
            "platform": format!("{}, Quarterdeck {}", system(), env!("CARGO_PKG_VERSION")),
        });
        if let Some(redirect_uri) = redirect_uri {
            body["redirect_uri"] = redirect_uri.into();
        }
        let granted = self.ask_for_tokens(instance, &body).await?;
        // Sign the previous user out there: their key is about to be replaced.
        self.leave(instance).await;
        self.keep_key(instance.id, keeping, granted).await
    }

    /// Signs out at the instance and removes the key here. An unreachable instance is ignored: the key is gone, and expires there when unused. A
    /// key in a locked file could not be removed on either side, and is an error: [`crate::VaultError::Locked`].
    pub async fn sign_out(self: &Arc<Self>, id: Uuid) -> Result<(), RemoteError> {
        self.attempts.end(id);
        let this = Arc::clone(self);
        let instance = blocking(move || {
            let instance = this.find(id)?;
            match this.key(&instance) {
                Err(locked @ RemoteError::Vault(VaultError::Locked)) => Err(locked),
                _ => Ok(instance),
            }
        })
        .await?;
        self.leave(&instance).await;
        let this = Arc::clone(self);
        blocking(move || {
            this.forget_key(&instance)?;
            this.forget_copies(id)
        })
        .await
    }

    async fn leave(self: &Arc<Self>, instance: &Instance) {
        let (this, of) = (Arc::clone(self), instance.clone());
        let Ok(Some(key)) = blocking(move || this.key(&of)).await else { return };
        let (Ok(outgoing), Ok(url)) = (self.outgoing(instance), instance.at("/api/auth/desktop/sign-out"))
        else {
            return;
        };
        let Ok(request) = outgoing.request(outgoing::Method::POST, &url) else { return };
        if let Err(fault) = outgoing.send(request.json(&json!({ "refresh_token": key }))).await {
            tracing::info!(instance = %instance.id, "was not told that it was signed out of: {fault}");
        }
    }
}

/// 256 random bits as 64 hexadecimal digits.
fn draw(rng: &mut dyn CryptoRng) -> String {
    let mut bytes = [0; 32];
    rng.fill_bytes(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn draw_id(rng: &mut dyn CryptoRng) -> Uuid {
    let mut bytes = [0; 16];
    rng.fill_bytes(&mut bytes);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

/// A random number generator that can be moved to another thread.
pub(crate) fn seeded(seed: [u8; 32]) -> impl CryptoRng {
    <rand::rngs::StdRng as rand::SeedableRng>::from_seed(seed)
}

/// The usual name of the operating system.
fn system() -> &'static str {
    match std::env::consts::OS {
        "linux" => "Linux",
        "macos" => "macOS",
        "windows" => "Windows",
        other => other,
    }
}

/// Remaining time in whole seconds.
impl SignInStart {
    pub fn seconds_left(&self, now: i64) -> i64 {
        (self.ends_at - now).max(0) / SECOND
    }
}
