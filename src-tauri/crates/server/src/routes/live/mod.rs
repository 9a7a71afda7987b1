//! `/api/graphql` over WebSocket: subscriptions, protocol graphql-transport-ws.
//!
//! For each connection, one loop reads the client's messages and sends the results of its subscriptions. Each subscription is a task that sends its
//! result, waits for a change of the tables it reads, and sends the result again if it differs. The user is authenticated again before every
//! result: nothing is sent to a client that has signed out or whose token has expired.

mod protocol;
mod task;

use crate::app::App;
use crate::guard::caller::Proof;
use crate::guard::concurrency::LimitReached;
use crate::listen::peer::Peer;
use crate::routes::graphql;
use auth::Person;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, State};
use axum::http::HeaderMap;
use axum::response::Response;
use protocol::{Close, Said};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use task::{Event, TaskEvent};
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::task::AbortHandle;
use tokio::time::{Instant, MissedTickBehavior};

/// How long a client may take to identify itself.
const INTRODUCTION: Duration = Duration::from_secs(10);
/// How often an idle connection is authenticated again, and pinged.
const BETWEEN_CHECKS: Duration = Duration::from_secs(15);
/// Maximum number of queued results: a slow client slows its subscriptions down.
const WAITING: usize = 16;

/// Opens the WebSocket; a request without an upgrade is directed to the explorer.
pub async fn connect(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Ok(upgrade) = upgrade else { return graphql::explain(&headers) };
    let proof = Proof::of_handshake(&headers, &peer, &app.access);
    let limit = app.limits.body_bytes;
    upgrade
        .protocols([protocol::NAME, protocol::OLD_NAME])
        .max_message_size(limit)
        .max_frame_size(limit)
        .on_upgrade(move |socket| serve(app, socket, proof))
}

async fn serve(app: Arc<App>, mut socket: WebSocket, proof: Option<Proof>) {
    let close = if socket.protocol().is_none() {
        Close::WRONG_PROTOCOL
    } else if socket.protocol().is_some_and(|name| name == protocol::OLD_NAME) {
        Close::OLD_PROTOCOL
    } else {
        match introduce(&app, &mut socket, proof).await {
            Ok(connection) => connection.run(&mut socket).await,
            Err(close) => close,
        }
    };
    let frame = CloseFrame { code: close.code, reason: close.reason.into() };
    // The client may be gone.
    let _ = socket.send(Message::Close(Some(frame))).await;
}

/// Waits for `connection_init` and authenticates the client.
async fn introduce(
    app: &Arc<App>,
    socket: &mut WebSocket,
    proof: Option<Proof>,
) -> Result<Connection, Close> {
    let until = Instant::now() + INTRODUCTION;
    let mut stopping = app.stopping.clone();
    loop {
        let message = tokio::select! {
            message = socket.recv() => message,
            () = tokio::time::sleep_until(until) => return Err(Close::NO_INTRODUCTION),
            () = stop(&mut stopping) => return Err(Close::STOPPING),
        };
        match protocol::read(message, &app.limits.request)? {
            Said::Init { authorization } => {
                let proof = match authorization {
                    Some(value) => Proof::of_authorization(&value),
                    None => proof,
                };
                let proof = proof.ok_or(Close::FORBIDDEN)?;
                let person = proof.check(&app.access).await.map_err(|_| Close::FORBIDDEN)?;
                let turn =
                    app.access.connections.take_now(person.user).map_err(|LimitReached| Close::TOO_MANY)?;
                send(socket, protocol::ACKNOWLEDGEMENT.to_owned()).await?;
                return Ok(Connection::new(Arc::clone(app), proof, person, turn));
            }
            Said::Ping => send(socket, protocol::PONG.to_owned()).await?,
            Said::Nothing => {}
            Said::Subscribe { .. } | Said::Complete { .. } => return Err(Close::UNAUTHORIZED),
        }
    }
}

/// Waits until the service stops.
async fn stop(stopping: &mut watch::Receiver<bool>) {
    // An error means that the sender was dropped, which also means to stop.
    let _ = stopping.wait_for(|stop| *stop).await;
}

async fn send(socket: &mut WebSocket, text: String) -> Result<(), Close> {
    socket.send(Message::Text(text.into())).await.map_err(|_| Close::GONE)
}

/// An authenticated connection.
struct Connection {
    app: Arc<App>,
    proof: Proof,
    person: Person,
    /// By the client's subscription id: the number of the task, and the handle that stops it.
    running: HashMap<String, (u64, AbortHandle)>,
    started: u64,
    events: mpsc::Receiver<Event>,
    tell: mpsc::Sender<Event>,
    /// Held as long as the connection lasts, because connections per user are limited.
    _turn: OwnedSemaphorePermit,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.running.values().for_each(|(_, task)| task.abort());
    }
}

impl Connection {
    fn new(app: Arc<App>, proof: Proof, person: Person, turn: OwnedSemaphorePermit) -> Self {
        let (tell, events) = mpsc::channel(WAITING);
        Self { app, proof, person, running: HashMap::new(), started: 0, events, tell, _turn: turn }
    }

    /// Serves the client until either side ends the connection.
    async fn run(mut self, socket: &mut WebSocket) -> Close {
        let mut stopping = self.app.stopping.clone();
        let mut checks = tokio::time::interval_at(Instant::now() + BETWEEN_CHECKS, BETWEEN_CHECKS);
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let done = tokio::select! {
                message = socket.recv() => match protocol::read(message, &self.app.limits.request) {
                    Ok(said) => self.hear(socket, said).await,
                    Err(close) => Err(close),
                },
                Some(event) = self.events.recv() => self.pass_on(socket, event).await,
                _ = checks.tick() => self.check(socket).await,
                () = stop(&mut stopping) => Err(Close::STOPPING),
            };
            if let Err(close) = done {
                return close;
            }
        }
    }

    async fn check(&self, socket: &mut WebSocket) -> Result<(), Close> {
        task::prove(&self.app, &self.proof, &self.person).await?;
        send(socket, protocol::PING.to_owned()).await
    }

    async fn hear(&mut self, socket: &mut WebSocket, said: Said) -> Result<(), Close> {
        match said {
            Said::Init { .. } => Err(Close::INTRODUCED_TWICE),
            Said::Ping => send(socket, protocol::PONG.to_owned()).await,
            Said::Nothing => Ok(()),
            Said::Complete { id } => {
                if let Some((_, task)) = self.running.remove(&id) {
                    task.abort();
                }
                Ok(())
            }
            Said::Subscribe { id, request } => {
                if self.running.contains_key(&id) {
                    return Err(Close::SAME_ID);
                }
                let limit = self.app.limits.subscriptions;
                if self.running.len() >= limit {
                    let message = format!(
                        "at most {limit} subscriptions are allowed on one connection: end some, or raise the \
                         setting max_subscriptions"
                    );
                    return send(socket, protocol::refusal(&id, "limit-exceeded", &message)).await;
                }
                self.started += 1;
                let subscriber = task::Subscriber {
                    app: Arc::clone(&self.app),
                    proof: self.proof.clone(),
                    person: self.person.clone(),
                    id: id.clone(),
                    number: self.started,
                    tell: self.tell.clone(),
                };
                let task = tokio::spawn(subscriber.run(request));
                self.running.insert(id, (self.started, task.abort_handle()));
                Ok(())
            }
        }
    }

    async fn pass_on(&mut self, socket: &mut WebSocket, event: Event) -> Result<(), Close> {
        // The client may have ended the subscription while the event was queued.
        let is_running = self.running.get(&event.id).is_some_and(|(number, _)| *number == event.number);
        if !is_running {
            return Ok(());
        }
        match event.happened {
            TaskEvent::Answer(text) => send(socket, text).await,
            TaskEvent::End(text) => {
                self.running.remove(&event.id);
                send(socket, text).await
            }
            TaskEvent::Close(close) => Err(close),
        }
    }
}
