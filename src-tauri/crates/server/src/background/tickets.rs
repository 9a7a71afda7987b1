//! Sends due tickets to trackers, a few at once. Due times, and which server sends, are stored in the database. No connection is made for a tenant
//! without a tracker.

use crate::background::chores::{AGAIN_AFTER, pause, until};
use crate::clock;
use crate::secrets::secret_key::SecretKey;
use crate::settings::Egress;
use automation::plan::TaskFailure;
use llm::seal;
use models::Downloads;
use operations::runs::{TicketCall, TicketLocation, TicketTarget};
use operations::{LEASE, SENDING, Sending, Trackers};
use outgoing::OutgoingSettings;
use rand::Rng;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use store::{Store, StoreError};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};
use trackers::issues::Issue;
use trackers::{Failure, OpenedTicket, Tracker};
use uuid::Uuid;

/// Number of tickets sent at once.
const AT_ONCE: usize = 4;
/// How long a user who opens a ticket waits for the tracker.
const SOON: Duration = Duration::from_secs(5);
/// Timeout of sending a ticket, including all of its requests.
const PATIENCE: Duration = Duration::from_secs(90);
/// How often to check for tickets abandoned by another process while a tracker is connected, µs.
const LOOK_AFTER: i64 = 10 * 60 * 1_000_000;

/// Network access to trackers, and encryption of their secrets.
#[derive(Clone)]
pub struct TicketDesk {
    store: Store,
    keys: Arc<SecretKey>,
    /// Provides the network settings.
    models: Downloads,
    egress: Egress,
    /// The tenant whose administrators set up the service.
    home: Uuid,
    turns: Arc<Semaphore>,
}

impl TicketDesk {
    pub fn new(store: Store, keys: Arc<SecretKey>, models: Downloads, egress: Egress, home: Uuid) -> Self {
        Self { store, keys, models, egress, home, turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Network settings for a tracker of that tenant, whose administrators entered its address. Blocks the thread.
    fn way(&self, tenant: Uuid) -> Result<OutgoingSettings, Failure> {
        let settings = self.models.settings().map_err(|error| {
            tracing::error!("the settings of the network cannot be read: {error}");
            Failure::passing("The settings of the network cannot be read; the service's log says why.")
        })?;
        let way = settings.way().map_err(|failure| Failure::lasting(failure.to_string()))?;
        let egress = if tenant == self.home { &self.egress.instance } else { &self.egress.tenants };
        Ok(OutgoingSettings { egress: egress.clone(), ..way })
    }

    /// Claims a due ticket: the given one, or the first.
    async fn claim(&self, which: Option<Uuid>) -> Result<Option<Arc<Sending>>, StoreError> {
        let desk = self.clone();
        let claimed = wait(move || operations::claim(&desk.store, which, Uuid::new_v4())).await?;
        Ok(claimed.map(Arc::new))
    }

    /// Sends a claimed ticket and stores the outcome. A ticket whose sending is interrupted becomes free when its lease ends, and is sent again.
    async fn deliver(&self, sending: Arc<Sending>) {
        let outcome = tokio::select! {
            outcome = self.send(Arc::clone(&sending)) => outcome,
            never = self.hold(Arc::clone(&sending)) => match never {},
        };
        if let Err(failure) = &outcome {
            tracing::info!(is_final = failure.is_final, "a ticket was not taken by its tracker: {failure}");
        }
        let (desk, chance) = (self.clone(), rand::rng().random::<f64>());
        let settled = wait(move || operations::settle(&desk.store, &sending, &outcome, chance)).await;
        if let Err(error) = settled {
            tracing::warn!("what came of a ticket could not be written down, and it is tried again: {error}");
        }
    }

    /// Renews the lease of the ticket until cancelled.
    async fn hold(&self, sending: Arc<Sending>) -> Infallible {
        loop {
            tokio::time::sleep(LEASE / 3).await;
            let (desk, sending) = (self.clone(), Arc::clone(&sending));
            if let Err(error) = wait(move || operations::extend_claim(&desk.store, &sending)).await {
                tracing::warn!("a ticket that is being sent may be tried by another, too: {error}");
            }
        }
    }

    async fn send(&self, sending: Arc<Sending>) -> Result<OpenedTicket, Failure> {
        let desk = self.clone();
        let prepared = wait(move || {
            Ok(desk.way(sending.tenant()).and_then(|way| {
                let (tracker, ticket, may_be_there) = sending.work(&desk)?;
                Ok((way, tracker, ticket.clone(), may_be_there))
            }))
        });
        let (way, tracker, ticket, may_be_there) =
            prepared.await.map_err(|error| Failure::passing(error.to_string()))??;
        let sent = trackers::send(&way, &tracker, &ticket, may_be_there, clock::now());
        let slow = || {
            let seconds = PATIENCE.as_secs();
            Failure::passing(format!("{} took longer than {seconds} s altogether.", tracker.name))
        };
        tokio::time::timeout(PATIENCE, sent).await.unwrap_or_else(|_| Err(slow()))
    }

    /// The location of the ticket of a task.
    pub async fn find(&self, call: Arc<TicketCall>) -> Result<TicketLocation, TaskFailure> {
        let desk = self.clone();
        let found = wait(move || operations::runs::find_ticket(&desk.store, &call)).await;
        found.map_err(|error| TaskFailure::new("Network", error.to_string()))?
    }

    /// Network settings and credentials for a tracker.
    pub async fn line_to(&self, target: &Arc<TicketTarget>) -> Result<(OutgoingSettings, Tracker), Failure> {
        let (desk, target) = (self.clone(), Arc::clone(target));
        let line =
            wait(move || Ok(desk.way(target.tenant()).and_then(|way| Ok((way, target.tracker(&desk)?)))));
        line.await.map_err(|error| Failure::passing(error.to_string()))?
    }

    /// Stores the state of a ticket in its tracker.
    pub async fn note(&self, target: &Arc<TicketTarget>, issue: &Issue) {
        let (desk, target, issue) = (self.clone(), Arc::clone(target), issue.clone());
        if let Err(error) = wait(move || target.note(&desk.store, &issue)).await {
            tracing::warn!("how a ticket stands could not be written down: {error}");
        }
    }

    /// Sends a ticket if it is due and not claimed by another sender. Returns whether it tried.
    pub async fn send_now(&self, ticket: Uuid) -> bool {
        match self.claim(Some(ticket)).await {
            Ok(Some(sending)) => self.deliver(sending).await,
            Ok(None) => return false,
            Err(error) => {
                tracing::warn!("a ticket is sent later: {error}");
                return false;
            }
        }
        true
    }

    /// Starts sending all due tickets. Returns the time of the next due ticket or check, µs since 1970 UTC.
    async fn send_due(&self) -> Result<Option<i64>, StoreError> {
        loop {
            let desk = self.clone();
            let (next, is_connected) = wait(move || {
                Ok((operations::next_sending(&desk.store)?, operations::is_connected(&desk.store)?))
            })
            .await?;
            if next.is_none_or(|next| next > clock::now()) {
                let look = is_connected.then(|| clock::now() + LOOK_AFTER);
                return Ok(next.into_iter().chain(look).min());
            }
            // The semaphore is never closed.
            let Ok(turn) = Arc::clone(&self.turns).acquire_owned().await else { return Ok(None) };
            if let Some(sending) = self.claim(None).await? {
                let desk = self.clone();
                tokio::spawn(async move {
                    desk.deliver(sending).await;
                    drop(turn);
                });
            }
        }
    }
}

impl Trackers for TicketDesk {
    fn encrypt(&self, purpose: &str, secret: &str) -> Result<String, String> {
        seal::seal(&*self.keys, purpose, secret, &mut rand::rng()).map_err(|failure| failure.message)
    }

    fn decrypt(&self, purpose: &str, sealed: &str) -> Result<String, String> {
        seal::open(&*self.keys, purpose, sealed).map_err(|failure| failure.message)
    }

    fn check(&self, tenant: Uuid, tracker: &Tracker) -> Result<String, Failure> {
        let way = self.way(tenant)?;
        runtime()?.block_on(trackers::check(&way, tracker, clock::now()))
    }

    fn send_soon(&self, ticket: Uuid) {
        let Ok(runtime) = runtime() else { return };
        let desk = self.clone();
        let sent = runtime.spawn(async move { desk.send_now(ticket).await });
        // A send that takes longer continues in the background.
        let _ = runtime.block_on(async { tokio::time::timeout(SOON, sent).await });
    }
}

/// The runtime of the current thread, to block on.
fn runtime() -> Result<Handle, Failure> {
    Handle::try_current().map_err(|_| Failure::passing("The service is stopping."))
}

/// Sends due tickets until the service stops.
pub async fn run(desk: TicketDesk, mut stopping: watch::Receiver<bool>) {
    let table = desk.store.catalogue().find(SENDING).into_iter().collect();
    let mut written = desk.store.watch_own(table);
    loop {
        written.mark();
        let begun = tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => return,
            begun = desk.send_due() => begun,
        };
        let rest = match begun {
            Ok(next) => next.map(|next| until(next, clock::now())),
            Err(error) => {
                tracing::warn!("tickets could not be sent and are tried again: {error}");
                Some(AGAIN_AFTER)
            }
        };
        if !pause(rest, &mut written, &mut stopping).await {
            return;
        }
    }
}

/// Runs blocking work off the threads that answer requests.
async fn wait<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let ended = |error: tokio::task::JoinError| StoreError::Code(error.to_string().into());
    tokio::task::spawn_blocking(work).await.map_err(ended)?
}
