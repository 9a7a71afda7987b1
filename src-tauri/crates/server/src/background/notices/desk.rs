//! Network access to channels, and encryption of their secrets.

use super::wait;
use crate::clock;
use crate::secrets::secret_key::SecretKey;
use crate::settings::Egress;
use channels::{Channel, Failure, Message};
use llm::seal;
use models::Downloads;
use operations::notices::{self, Dispatch, Messengers};
use outgoing::OutgoingSettings;
use rand::Rng;
use std::sync::Arc;
use std::time::Duration;
use store::{Store, StoreError};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use uuid::Uuid;

/// Number of messages sent at once.
const AT_ONCE: usize = 4;
/// How often the lease of a message is renewed while it is sent.
const HOLD: Duration = Duration::from_secs(20);

/// Sends messages.
#[derive(Clone)]
pub struct NoticeDesk {
    store: Store,
    keys: Arc<SecretKey>,
    /// Provides the network settings.
    models: Downloads,
    egress: Egress,
    /// The tenant whose administrators set up the service.
    home: Uuid,
    /// Base URL of links.
    base_url: Arc<str>,
    turns: Arc<Semaphore>,
}

impl NoticeDesk {
    pub fn new(
        store: Store,
        keys: Arc<SecretKey>,
        models: Downloads,
        egress: Egress,
        home: Uuid,
        base_url: &str,
    ) -> Self {
        let turns = Arc::new(Semaphore::new(AT_ONCE));
        Self { store, keys, models, egress, home, base_url: base_url.into(), turns }
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// Network settings for a channel of that tenant, whose administrators entered its address. Blocks the thread.
    fn way(&self, tenant: Uuid) -> Result<OutgoingSettings, Failure> {
        let settings = self.models.settings().map_err(|error| {
            tracing::error!("the settings of the network cannot be read: {error}");
            Failure::passing("The settings of the network cannot be read; the service's log says why.")
        })?;
        let way = settings.way().map_err(|failure| Failure::lasting(failure.to_string()))?;
        let egress = if tenant == self.home { &self.egress.instance } else { &self.egress.tenants };
        Ok(OutgoingSettings { egress: egress.clone(), ..way })
    }

    /// Starts sending the first due message. Returns false if none is due.
    pub(super) async fn deliver_next(&self) -> Result<bool, StoreError> {
        // The semaphore is never closed.
        let Ok(turn) = Arc::clone(&self.turns).acquire_owned().await else { return Ok(false) };
        let desk = self.clone();
        let claimed = wait(move || notices::claim(&desk.store, Uuid::new_v4(), &desk.base_url)).await?;
        let Some(dispatch) = claimed else { return Ok(false) };
        let desk = self.clone();
        tokio::spawn(async move {
            desk.deliver(Arc::new(dispatch)).await;
            drop(turn);
        });
        Ok(true)
    }

    /// Sends a claimed message and stores the outcome. A message whose sending is interrupted becomes free when its lease ends, and is sent again.
    async fn deliver(&self, dispatch: Arc<Dispatch>) {
        let outcome = tokio::select! {
            outcome = self.send_dispatch(Arc::clone(&dispatch)) => outcome,
            () = self.hold(Arc::clone(&dispatch)) => return,
        };
        if let Err(failure) = &outcome {
            tracing::info!(is_final = failure.is_final, "a notice was not taken: {failure}");
        }
        let (store, chance) = (self.store.clone(), rand::rng().random::<f64>());
        if let Err(error) = wait(move || notices::settle(&store, &dispatch, &outcome, chance)).await {
            tracing::warn!("what came of a notice could not be written down, and it is sent again: {error}");
        }
    }

    /// Renews the lease of the message; never returns.
    async fn hold(&self, dispatch: Arc<Dispatch>) {
        loop {
            tokio::time::sleep(HOLD).await;
            let (store, dispatch) = (self.store.clone(), Arc::clone(&dispatch));
            if let Err(error) = wait(move || notices::extend_claim(&store, &dispatch)).await {
                tracing::warn!("a notice that is being sent may be sent by another, too: {error}");
            }
        }
    }

    async fn send_dispatch(&self, dispatch: Arc<Dispatch>) -> Result<(), Failure> {
        let (desk, of) = (self.clone(), Arc::clone(&dispatch));
        let prepared =
            wait(move || Ok(desk.way(of.tenant()).and_then(|way| Ok((way, of.channel().decrypt(&desk)?)))));
        let (way, channel) = prepared.await.map_err(|error| Failure::passing(error.to_string()))??;
        channels::send(&way, &channel, dispatch.message(), clock::now()).await
    }
}

impl Messengers for NoticeDesk {
    fn encrypt(&self, purpose: &str, secret: &str) -> Result<String, String> {
        seal::seal(&*self.keys, purpose, secret, &mut rand::rng()).map_err(|failure| failure.message)
    }

    fn decrypt(&self, purpose: &str, sealed: &str) -> Result<String, String> {
        seal::open(&*self.keys, purpose, sealed).map_err(|failure| failure.message)
    }

    fn send(&self, tenant: Uuid, channel: &Channel, message: &Message) -> Result<(), Failure> {
        let way = self.way(tenant)?;
        let runtime = Handle::try_current().map_err(|_| Failure::passing("The service is stopping."))?;
        runtime.block_on(channels::send(&way, channel, message, clock::now()))
    }
}
