//! What all requests share.

use crate::backups::{Depot, Watch};
use crate::error::Failure;
use crate::forward::Forward;
use crate::guard::Names;
use crate::host::Host;
use crate::jobs::Jobs;
use crate::later::Later;
use crate::links::Links;
use crate::readers::Readers;
use crate::settings::{Limits, Origin, SignOn};
use crate::turns::Turns;
use crate::works::Works;
use remote::Remotes;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use store::{Store, StoreError};
use tokio::sync::{Notify, Semaphore, watch};
use uuid::Uuid;

/// The running service, as its routes see it.
pub struct App {
    pub store: Store,
    pub engine: graphql::Engine,
    pub signer: auth::Signer,
    pub known: auth::Known,
    pub readers: Readers,
    pub names: Names,
    pub jobs: Jobs,
    /// Bytes of imported files.
    pub archive: Arc<ingest::Archive>,
    /// By which share a replacement may lower a period without a question.
    pub most_lower: f64,
    pub works: Works,
    pub models: models::Downloads,
    pub providers: llm::Providers,
    /// The language models, as the assistant asks them.
    pub asked: Arc<dyn operations::Models>,
    pub later: Later,
    pub links: Links,
    pub depot: Depot,
    pub backups: Watch,
    /// Somebody asked for the service to stop and start again.
    pub restart: Arc<Notify>,
    /// The window around this service, if there is one, and what was put forward in it.
    pub host: Option<Arc<dyn Host>>,
    pub forward: Forward,
    pub address: SocketAddr,
    pub data_dir: PathBuf,
    pub session_lifetime: Duration,
    pub sign_on: SignOn,
    /// The tenant whose administrators set up the service.
    pub home: Uuid,
    /// Held while sample data is made, removed or looked at.
    pub sample: tokio::sync::Mutex<()>,
    /// Instances elsewhere, and the one person who uses them from here.
    pub remotes: Arc<Remotes>,
    pub keeper: Uuid,
    /// Whether only this computer reaches the service, under its own names.
    pub is_for_this_computer: bool,
    /// Passwords that are hashed at once: each takes 19 MB and a core.
    pub hashing: Semaphore,
    pub limits: Limits,
    /// Every setting with where it comes from, for the diagnostic bundle.
    pub origins: Vec<Origin>,
    /// When it began, microseconds UTC.
    pub started: i64,
    pub turns: Turns,
    /// WebSocket connections of each user.
    pub connections: Turns,
    /// Becomes true when the service stops.
    pub stopping: watch::Receiver<bool>,
}

impl App {
    /// Name of the session cookie. Browsers keep cookies per host, not per port: the port in the name keeps two
    /// services on one machine apart.
    pub fn cookie_name(&self) -> String {
        format!("quarterdeck_{}", self.address.port())
    }
}

impl App {
    /// Where this service answers when nobody says otherwise.
    pub fn own_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The settings of single sign-on as they count now. Blocks.
    pub fn saml(&self) -> Result<auth::saml::Settings, StoreError> {
        auth::saml::settings::read(&self.store, &self.sign_on.given, &self.own_url())
    }
}

/// Runs what waits for the disk away from the threads that answer requests.
pub async fn blocking<T, E>(work: impl FnOnce() -> Result<T, E> + Send + 'static) -> Result<T, Failure>
where
    T: Send + 'static,
    E: Into<Failure> + Send + 'static,
{
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result.map_err(Into::into),
        Err(panic) => Err(Failure::fault(&panic)),
    }
}
