//! What all requests share, by area.

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

/// The running service, as its routes see it.
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
    /// Long jobs that go on.
    pub jobs: JobRegistry,
    /// Where the window hears of notices.
    pub desktop_notices: DesktopNotices,
    pub sign_on: SignOn,
    pub limits: Limits,
    pub facts: Facts,
    pub metrics: MetricsState,
    /// Held while sample data is made, removed or looked at.
    pub sample: tokio::sync::Mutex<()>,
    /// Becomes true when the service is about to stop, and still answers.
    pub draining: Arc<AtomicBool>,
    /// Becomes true when the service stops.
    pub stopping: watch::Receiver<bool>,
}

/// Models: their files, their providers, and chatting with them.
pub struct ModelState {
    pub downloads: models::Downloads,
    pub providers: llm::Providers,
    /// The language models, as the assistant asks them.
    pub chat: Arc<dyn operations::Models>,
}

/// Instances elsewhere, and the one person who uses them from here.
pub struct InstanceState {
    pub remotes: Arc<Remotes>,
    pub keeper: Uuid,
}

/// Figures for monitoring, and who may read them.
pub struct MetricsState {
    pub counted: Arc<Metrics>,
    /// What a reader has to bring; without one, whoever is on this computer may read.
    pub token: Option<String>,
}

/// What is known of this service since it started.
pub struct Facts {
    pub address: SocketAddr,
    pub data_dir: PathBuf,
    /// Every setting with where it comes from, for the diagnostic bundle.
    pub origins: Vec<Origin>,
    /// When it began, microseconds UTC.
    pub started: i64,
}

impl App {
    /// Where this service answers when nobody says otherwise.
    pub fn own_url(&self) -> String {
        format!("http://{}", self.facts.address)
    }

    /// The settings of single sign-on as they count now. Blocks.
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
