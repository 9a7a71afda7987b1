//! State shared by all request handlers, grouped by area.

use crate::background::desktop_notices::DesktopNotices;
use crate::background::registry::JobRegistry;
use crate::backups::BackupState;
use crate::guard::access::{AccessHolder, SharedAccess};
use crate::guard::query_threads::QueryThreads;
use crate::jobs::watched_folders::Intake;
use crate::jobs::watched_folders::bucket::BucketDesk;
use crate::jobs::{ImportState, Jobs};
use crate::metrics::Metrics;
use crate::settings::{Limits, Origin, SignOn};
use crate::window::WindowState;
use remote::Remotes;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use store::{Store, StoreError};
use tokio::sync::watch;
use uuid::Uuid;

/// The running service, as the routes see it.
pub struct App {
    pub store: Store,
    pub engine: graphql::Engine,
    pub readers: QueryThreads,
    pub access: SharedAccess,
    pub imports: ImportState,
    pub models: ModelState,
    pub backups: BackupState,
    pub window: WindowState,
    pub instances: InstanceState,
    /// Long-running jobs that have not finished.
    pub jobs: JobRegistry,
    /// Sends notices to the desktop window.
    pub desktop_notices: DesktopNotices,
    pub sign_on: SignOn,
    pub limits: Limits,
    pub facts: Facts,
    pub metrics: MetricsState,
    /// Locked while sample data is created, removed or inspected.
    pub sample: tokio::sync::Mutex<()>,
    /// Becomes true when the service is about to stop but still answers requests.
    pub draining: Arc<AtomicBool>,
    /// Becomes true when the service stops.
    pub stopping: watch::Receiver<bool>,
}

/// Model files, model providers and chat.
pub struct ModelState {
    pub downloads: models::Downloads,
    pub providers: llm::Providers,
    /// The language models, as the assistant calls them.
    pub chat: Arc<dyn operations::Models>,
}

/// Remote instances, and the single user who connects to them from this instance.
pub struct InstanceState {
    pub remotes: Arc<Remotes>,
    pub keeper: Uuid,
}

/// Metrics, and the token that protects them.
pub struct MetricsState {
    pub counted: Arc<Metrics>,
    /// The bearer token a reader must send. Without one, only clients on this computer may read.
    pub token: Option<String>,
}

/// Facts about this service that are fixed at start.
pub struct Facts {
    pub address: SocketAddr,
    pub data_dir: PathBuf,
    /// Every setting with its origin, for the diagnostic bundle.
    pub origins: Vec<Origin>,
    /// Start time, µs since 1970-01-01 UTC.
    pub started: i64,
}

impl App {
    /// The base URL of this service when no public address is configured.
    pub fn own_url(&self) -> String {
        format!("http://{}", self.facts.address)
    }

    /// The effective settings of single sign-on. Blocks the thread.
    pub fn saml(&self) -> Result<auth::saml::Settings, StoreError> {
        auth::saml::settings::read(&self.store, &self.sign_on.given, &self.own_url())
    }
}

impl AccessHolder for Arc<App> {
    fn access(&self) -> &SharedAccess {
        &self.access
    }
}

impl Intake for App {
    fn store(&self) -> &Store {
        &self.store
    }

    fn queue(&self) -> &Jobs {
        &self.imports.queue
    }

    fn registry(&self) -> &JobRegistry {
        &self.jobs
    }

    fn buckets(&self) -> &BucketDesk {
        &self.imports.buckets
    }
}
