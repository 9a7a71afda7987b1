//! Access to an instance: a refresh token that changes with every use, and the access token it yields, which is valid for ten minutes.

use crate::error::behind_a_gateway;
use crate::sign_in::seeded;
use crate::vault::Keeping;
use crate::{Instance, RemoteError, Remotes, SECOND, blocking, hold};
use outgoing::header::HeaderValue;
use outgoing::{Fault, Method, StatusCode, read};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::Mutex;
use uuid::Uuid;

/// Maximum size of a response with tokens, bytes.
const ANSWER: usize = 64 * 1024;
/// An access token that expires sooner is not used any more, µs.
const MARGIN: i64 = 30 * SECOND;

/// The access token of an instance, if there is one.
pub type AccessTokenSlot = Arc<Mutex<Option<Access>>>;

/// An access token.
#[derive(Clone)]
pub struct Access {
    pub token: String,
    ends_at: i64,
}

impl Access {
    /// Remaining validity, µs; 0 if it has expired.
    pub fn lasts(&self, now: i64) -> i64 {
        (self.ends_at - now).max(0)
    }

    /// The Authorization header for a request to that instance.
    pub fn header(&self, instance: &Instance) -> Result<HeaderValue, RemoteError> {
        let mut value =
            HeaderValue::from_str(&format!("Bearer {}", self.token)).map_err(|_| signed_out(instance))?;
        value.set_sensitive(true);
        Ok(value)
    }
}

/// The tokens granted by an instance. Held in memory only briefly.
#[derive(Deserialize)]
pub struct TokenResponse {
    access_token: String,
    expires_in: i64,
    refresh_token: String,
    email: String,
    tenant: String,
}

#[derive(Deserialize)]
struct Refusal {
    error: String,
    message: String,
}

impl Remotes {
    /// A valid access token, fetched if there is none. `anew` is a token that the instance has rejected.
    pub(crate) async fn access(
        self: &Arc<Self>,
        instance: &Instance,
        anew: Option<&Access>,
    ) -> Result<Access, RemoteError> {
        let (this, instance, anew) = (Arc::clone(self), instance.clone(), anew.cloned());
        // On a separate task: if a refresh token were used and its successor not stored, because the page that sent the request disconnected, the
        // device would be revoked.
        let fetch = tokio::spawn(async move { this.access_here(&instance, anew.as_ref()).await });
        fetch.await.unwrap_or_else(|panic| Err(RemoteError::Interrupted(panic)))
    }

    async fn access_here(
        self: &Arc<Self>,
        instance: &Instance,
        anew: Option<&Access>,
    ) -> Result<Access, RemoteError> {
        let held = hold(&self.access).entry(instance.id).or_default().clone();
        let mut held = held.lock().await;
        if let Some(access) = &*held
            && access.ends_at > self.now() + MARGIN
            && anew.is_none_or(|old| old.token != access.token)
        {
            return Ok(access.clone());
        }
        let (this, of) = (Arc::clone(self), instance.clone());
        let (keeping, key) = blocking(move || {
            // Read again: the user may have signed in or out while this waited.
            let now = this.find(of.id)?;
            let keeping = now.kept_in.as_deref().and_then(Keeping::find);
            let key = this.key(&now)?;
            Ok(keeping.zip(key))
        })
        .await?
        .ok_or_else(|| signed_out(instance))?;
        let granted =
            self.ask_for_tokens(instance, &json!({ "grant": "refresh", "refresh_token": key })).await;
        match granted {
            Ok(granted) => {
                let access = self.access_of(&granted);
                *held = Some(access.clone());
                self.store_key(instance.id, keeping, granted).await?;
                Ok(access)
            }
            Err(RemoteError::Refused { message, .. }) => {
                *held = None;
                let (this, of) = (Arc::clone(self), instance.clone());
                blocking(move || this.forget_key(&of)).await?;
                Err(RemoteError::SignedOut { message })
            }
            Err(error) => Err(error),
        }
    }

    /// Stores the key of a completed sign-in.
    pub(crate) async fn keep_key(
        self: &Arc<Self>,
        id: Uuid,
        keeping: Keeping,
        granted: TokenResponse,
    ) -> Result<(), RemoteError> {
        let access = self.access_of(&granted);
        let held = hold(&self.access).entry(id).or_default().clone();
        let mut held = held.lock().await;
        // A user of the same name at another instance under the same address is a different user.
        let this = Arc::clone(self);
        blocking(move || this.forget_copies(id)).await?;
        self.store_key(id, keeping, granted).await?;
        *held = Some(access);
        Ok(())
    }

    async fn store_key(
        self: &Arc<Self>,
        id: Uuid,
        keeping: Keeping,
        granted: TokenResponse,
    ) -> Result<(), RemoteError> {
        let this = Arc::clone(self);
        let seed: [u8; 32] = rand::random();
        blocking(move || {
            this.vault.put(id, keeping, &granted.refresh_token, &mut seeded(seed))?;
            let known = this.find(id)?;
            let is_noted = [&known.kept_in, &known.email, &known.tenant_name]
                .into_iter()
                .map(Option::as_deref)
                .eq([keeping.name(), &granted.email, &granted.tenant].map(Some));
            // A refresh changes nothing in the database, and an import on this computer may lock it for long.
            if is_noted {
                Ok(())
            } else {
                this.note_signed_in(id, keeping.name(), (&granted.email, &granted.tenant))
            }
        })
        .await
    }

    fn access_of(&self, granted: &TokenResponse) -> Access {
        let lasts = granted.expires_in.clamp(0, 3600) * SECOND;
        Access { token: granted.access_token.clone(), ends_at: self.now() + lasts }
    }

    /// Requests tokens from an instance. Its refusal is [`RemoteError::Refused`]; an unreachable instance is not.
    pub(crate) async fn ask_for_tokens(
        &self,
        instance: &Instance,
        body: &Value,
    ) -> Result<TokenResponse, RemoteError> {
        let outgoing = self.outgoing(instance)?;
        let request = outgoing.request(Method::POST, &instance.at("/api/auth/desktop/token")?)?;
        let answer = outgoing.send(request.json(body)).await?;
        if let Some(away) = behind_a_gateway(&answer) {
            return Err(away);
        }
        let status = answer.status();
        let body = read(answer, ANSWER).await?;
        if status == StatusCode::OK {
            return serde_json::from_slice(&body).map_err(|_| self.strange(instance, status));
        }
        match serde_json::from_slice::<Refusal>(&body) {
            Ok(Refusal { error, message }) if status == StatusCode::UNAUTHORIZED => {
                Err(RemoteError::Refused { code: error, message })
            }
            // The instance cannot write now, for example because an import locks its database. Copies are used until it can.
            Ok(Refusal { .. }) if status == StatusCode::SERVICE_UNAVAILABLE => {
                Err(RemoteError::Away(Fault::gateway(&host(instance), status)))
            }
            Ok(Refusal { message, .. }) => Err(RemoteError::Strange { host: host(instance), found: message }),
            Err(_) => Err(self.strange(instance, status)),
        }
    }

    #[allow(clippy::unused_self)]
    fn strange(&self, instance: &Instance, status: StatusCode) -> RemoteError {
        let found =
            format!("the status {status} to a request for tokens. Check it under Settings, Instances");
        RemoteError::Strange { host: host(instance), found }
    }

    /// The key to an instance, if the user is signed in. Blocks the thread.
    pub(crate) fn key(&self, instance: &Instance) -> Result<Option<String>, RemoteError> {
        match instance.kept_in.as_deref().and_then(Keeping::find) {
            Some(keeping) => Ok(self.vault.get(instance.id, keeping)?),
            None => Ok(None),
        }
    }

    /// Removes the key and the access token. Blocks the thread.
    pub(crate) fn forget_key(&self, instance: &Instance) -> Result<(), RemoteError> {
        hold(&self.access).remove(&instance.id);
        if let Some(keeping) = instance.kept_in.as_deref().and_then(Keeping::find) {
            let seed: [u8; 32] = rand::random();
            self.vault.remove(instance.id, keeping, &mut seeded(seed))?;
        }
        self.note_signed_out(instance.id)
    }
}

pub fn signed_out(instance: &Instance) -> RemoteError {
    let message = match instance.kept_in.as_deref() {
        Some("run") => {
            format!("The key to {} was kept until Quarterdeck ended. Sign in again", instance.name)
        }
        Some(_) => format!("The key to {} is not where it was kept. Sign in again", instance.name),
        None => format!("Nobody is signed in to {} from this computer. Sign in", instance.name),
    };
    RemoteError::SignedOut { message }
}

fn host(instance: &Instance) -> String {
    instance.place().map(|place| place.host().to_owned()).unwrap_or_default()
}
