//! A subscription: sends its result, waits for a change, and sends the result again.

use super::protocol::{self, Close};
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{Failure, chain};
use crate::guard::caller::Proof;
use crate::guard::query_threads::Hold;
use ::graphql::{Live, Request, errors};
use auth::Person;
use std::sync::Arc;
use std::time::Duration;
use store::{Cancel, StoreError};
use tokio::sync::mpsc;

/// Minimum time between two results; faster changes are combined.
const BETWEEN_ANSWERS: Duration = Duration::from_millis(100);

/// A message from a task to its connection.
pub struct Event {
    pub id: String,
    pub number: u64,
    pub happened: TaskEvent,
}

pub enum TaskEvent {
    /// A message; more may follow.
    Answer(String),
    /// The last message.
    End(String),
    /// The whole connection must be closed.
    Close(Close),
}

/// The recipient of the results of one subscription.
pub struct Subscriber {
    pub app: Arc<App>,
    pub proof: Proof,
    pub person: Person,
    pub id: String,
    pub number: u64,
    pub tell: mpsc::Sender<Event>,
}

/// Fails if the caller is no longer the same user with the same rights.
pub async fn prove(app: &Arc<App>, proof: &Proof, person: &Person) -> Result<(), Close> {
    match proof.check(&app.access).await {
        Ok(now) if now == *person => Ok(()),
        _ => Err(Close::FORBIDDEN),
    }
}

impl Subscriber {
    pub async fn run(self, request: Request) {
        let happened = match self.answer(request).await {
            Ok(last) => TaskEvent::End(last),
            Err(close) => TaskEvent::Close(close),
        };
        self.send(happened).await;
    }

    async fn send(&self, happened: TaskEvent) {
        let event = Event { id: self.id.clone(), number: self.number, happened };
        // The connection may be gone.
        let _ = self.tell.send(event).await;
    }

    /// Sends results until the subscription ends. Returns the last message.
    async fn answer(&self, request: Request) -> Result<String, Close> {
        let (engine, caller) = (self.app.engine.clone(), self.person.caller());
        prove(&self.app, &self.proof, &self.person).await?;
        let read = self.work({
            let (engine, caller, request) = (engine.clone(), caller.clone(), request.clone());
            move |_| engine.subscribe(&caller, &request)
        });
        match read.await? {
            Err(error) => {
                let body = error.body();
                Ok(protocol::error(&self.id, errors(&body).unwrap_or(b"[]")))
            }
            Ok(Some(live)) => self.follow(live).await,
            Ok(None) => {
                let work = move |cancel: &Cancel| engine.execute_until(&caller, &request, cancel, report);
                let body = self.work(work).await?;
                if let Some(errors) = errors(&body) {
                    return Ok(protocol::error(&self.id, errors));
                }
                self.send(TaskEvent::Answer(protocol::next(&self.id, &body))).await;
                Ok(protocol::complete(&self.id))
            }
        }
    }

    /// Sends the result whenever it has changed. Ends with an error message.
    async fn follow(&self, live: Live) -> Result<String, Close> {
        let caller = self.person.caller();
        let mut watch = live.watch();
        let mut last = Vec::new();
        loop {
            watch.mark();
            let (live, caller) = (live.clone(), caller.clone());
            let body = self.work(move |cancel| live.answer(&caller, cancel, report)).await?;
            if let Some(errors) = errors(&body) {
                return Ok(protocol::error(&self.id, errors));
            }
            if body != last {
                self.send(TaskEvent::Answer(protocol::next(&self.id, &body))).await;
                last = body;
            }
            tokio::time::sleep(BETWEEN_ANSWERS).await;
            watch.changed().await;
            prove(&self.app, &self.proof, &self.person).await?;
        }
    }

    /// Runs `work` when the user has a free permit. Ending the subscription cancels it.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Result<T, Close> {
        let turn = self.app.access.requests.wait(self.person.user).await.map_err(|_| Close::STOPPING)?;
        let hold = Hold::default();
        let cancel = hold.0.clone();
        let done = blocking(move || {
            let answer = work(&cancel);
            drop(turn);
            Ok::<_, Failure>(answer)
        });
        done.await.map_err(|_| Close { code: 1011, reason: "Something went wrong here" })
    }
}

fn report(fault: StoreError) {
    tracing::error!("a subscription failed: {}", chain(&fault));
}
