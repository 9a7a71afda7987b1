//! A running service: its links, its listener, and how it stops.

use crate::app::App;
use crate::background::registry::JobRegistry;
use crate::clock;
use crate::data::directory::Lock;
use crate::guard::login_tokens::{LocalUser, Validity};
use crate::start::error::StartError;
use crate::start::listener::{BoundListener, PortReservation, sign_in_link};
use crate::start::runtime::Tasks;
use operations::notices::RaisedNotice;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How long requests may continue when the service stops.
const STOP_WITHIN: Duration = Duration::from_secs(3);

/// How long cancelled work may then take to release the database. Both together are less than the ten seconds that containers are given to stop.
const LET_GO_WITHIN: Duration = Duration::from_secs(5);

/// A running service. Dropping it without [`Running::stop`] cancels everything and waits for nothing.
pub struct Running {
    /// The address it listens on; the actual port if the settings specified 0.
    pub address: SocketAddr,
    pub(crate) app: Arc<App>,
    /// The local administrator.
    pub(super) administrator: LocalUser,
    pub(super) stop: watch::Sender<bool>,
    pub(super) task: JoinHandle<()>,
    pub(super) renewal: JoinHandle<()>,
    pub(super) watching: JoinHandle<()>,
    pub(super) chores: JoinHandle<()>,
    pub(super) tickets: JoinHandle<()>,
    pub(super) notices: JoinHandle<()>,
    pub(super) runs: JoinHandle<()>,
    pub(super) tasks: Tasks,
    /// Keeps the port bound for the next service.
    pub(super) reservation: PortReservation,
    // Released last.
    pub(super) lock: Lock,
}

impl Running {
    /// Reports at `/readyz` from now on that this service takes no more work, but continues to answer. A load balancer then stops sending requests.
    pub fn drain(&self) {
        self.app.draining.store(true, Ordering::Relaxed);
    }

    /// The URL at which a browser reaches the service.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Subscribes to notices raised from now on, for the window that shows this service.
    pub fn hear_notices(&self) -> UnboundedReceiver<Vec<RaisedNotice>> {
        self.app.desktop_notices.listen()
    }

    /// The long-running jobs of the service.
    pub fn jobs(&self) -> &JobRegistry {
        &self.app.jobs
    }

    /// A link that signs the local administrator in once, within ten minutes, on this computer and only for the user of this process (where the
    /// system can tell users apart). For a window that opens now, and for the browser beside it.
    pub fn sign_in_link(&self) -> String {
        self.link(Validity::TenMinutes)
    }

    /// A link that signs the local administrator in once, while this service runs. For people who read the terminal.
    pub fn start_link(&self) -> String {
        self.link(Validity::ThisRun)
    }

    fn link(&self, validity: Validity) -> String {
        let code =
            self.app.access.login_tokens.create(self.administrator, validity, clock::now(), &mut rand::rng());
        sign_in_link(&self.url(), &code)
    }

    /// Waits for a request to stop and restart the service at the same [listener](Running::listener), in order to restore a backup.
    pub fn asked_to_restart(&self) -> impl Future<Output = ()> + Send + use<> {
        // Does not capture the service: the waiting future must not keep the database open.
        let bell = Arc::clone(&self.app.backups.restart);
        async move { bell.notified().await }
    }

    /// A listener at the port of this service, for the next service. The port stays bound meanwhile, and new connections wait for the next service.
    pub fn listener(&self) -> Result<BoundListener, StartError> {
        self.reservation.listener().map_err(|cause| StartError::Listen { address: self.address, cause })
    }

    /// Stops the service. Requests may finish within three seconds. Afterwards nothing of it runs and nothing holds the database, unless work that
    /// cannot be cancelled (a disk that does not respond) takes longer than eight seconds in all, which is logged. An import in progress is resumed
    /// at the next start.
    pub async fn stop(self) {
        let Self {
            app,
            stop,
            task,
            renewal,
            watching,
            chores,
            tickets,
            notices,
            runs,
            tasks,
            reservation,
            mut lock,
            ..
        } = self;
        // New connections are refused at once, unless another service follows.
        drop(reservation);
        if let Err(error) = lock.sign_off() {
            tracing::warn!("the lock file does not say that the data directory is free soon: {error}");
        }
        // No receiver means that it has stopped already.
        let _ = stop.send(true);
        let closed = app.store.closed();
        let state = Arc::clone(&app);
        let threads = tasks.handle().spawn_blocking(move || {
            app.models.downloads.stop();
            app.models.providers.stop();
            app.imports.queue.stop();
            app.backups.schedule.stop();
        });
        let all = async { tokio::join!(task, threads, renewal, watching, chores, tickets, notices, runs) };
        if tokio::time::timeout(STOP_WITHIN, all).await.is_err() {
            tracing::warn!("work was still going on after {} s and is cut off", STOP_WITHIN.as_secs());
        }
        // After the last response: a sign-out that was confirmed but not stored would leave the user signed in.
        let written = tasks.handle().spawn_blocking(move || state.access.sessions.stop());
        let let_go = async {
            // A panic in there is reported where it happens.
            let _ = written.await;
            tasks.end(LET_GO_WITHIN).await;
            closed.await;
        };
        if tokio::time::timeout(LET_GO_WITHIN, let_go).await.is_err() {
            tracing::error!(
                "something still holds the database {} s after it was cut off",
                LET_GO_WITHIN.as_secs()
            );
        }
    }
}
