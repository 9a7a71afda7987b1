//! One subscription: answers, waits for a change, answers again.

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

/// Changes that come faster than this are answered together.
const BETWEEN_ANSWERS: Duration = Duration::from_millis(100);

/// What a task tells its connection.
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
    /// The whole connection has to end.
    Close(Close),
}

/// Whoever gets the answers of one subscription.
pub struct Subscriber {
    pub app: Arc<App>,
    pub proof: Proof,
    pub person: Person,
    pub id: String,
    pub number: u64,
    pub tell: mpsc::Sender<Event>,
}

/// Refuses who is no longer who he was, with all his rights.
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
        // Without a connection nobody waits for it.
        let _ = self.tell.send(event).await;
    }

    /// Answers until there is nothing more to answer; what ends it is the last message.
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

    /// Answers whenever the answer has changed; ends with an error.
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

    /// Works for the user when it is his turn; stops when the subscription is ended.
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
