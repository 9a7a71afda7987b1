//! Notifies open pages of imports that have ended, in this process or in another one, such as a command.

use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::{Proof, SignedIn};
use crate::guard::concurrency::LimitReached;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use catalogue::Caller;
use futures_util::stream;
use model::tables::imports;
use model::{Read, ZonedTimestamp, row};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use store::StoreError;
use tokio::sync::OwnedSemaphorePermit;
use uuid::Uuid;

/// Minimum time between two events.
const NEWS_EVERY: Duration = Duration::from_millis(500);
/// Allowance for the time between the recorded end of an import and its commit, µs.
const COMMITTED_WITHIN: i64 = 5_000_000;
/// Interval of keep-alive comments for clients on other computers: proxies cut silent connections.
const SIGN_OF_LIFE: Duration = Duration::from_secs(25);

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ChangesQuery")]
#[serde(deny_unknown_fields)]
pub struct Since {
    /// Time since the client's last request, in milliseconds.
    past_ms: u32,
}

/// GET: streams the ids of the tenant's imports that have ended since the given time, and of each that ends from then on, as server-sent events.
/// Idle while nothing is written.
pub async fn events(
    State(app): State<Arc<App>>,
    proof: Proof,
    SignedIn(person): SignedIn,
    Query(Since { past_ms }): Query<Since>,
) -> Result<Response, Failure> {
    let turn = app.access.connections.take_now(person.user).map_err(|LimitReached| {
        let many = "This person has as many connections as are allowed: close some pages, or raise the setting max_connections";
        Failure::new(StatusCode::TOO_MANY_REQUESTS, "slow_down", many)
    })?;
    let imports = app.store.catalogue().find("imports").expect("the catalogue has imports");
    let watch = app.store.watch(vec![imports]);
    let is_here = app.window.host.is_some();
    let told = PageState {
        since: clock::now() - i64::from(past_ms) * 1000 - COMMITTED_WITHIN,
        tenant: person.tenant,
        ended: HashSet::new(),
    };
    let follower = Follower { app, proof, watch, told, is_first: true, _turn: turn };
    let news = Sse::new(stream::unfold(follower, Follower::next));
    if is_here {
        return Ok(news.into_response());
    }
    Ok(news.keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE)).into_response())
}

struct Follower {
    app: Arc<App>,
    proof: Proof,
    watch: store::Watch,
    told: PageState,
    is_first: bool,
    /// Held as long as the page is connected.
    _turn: OwnedSemaphorePermit,
}

impl Follower {
    /// Waits for imports that end. `None` when the service stops or the user has signed out.
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        let mut stopping = self.app.stopping.clone();
        loop {
            if !self.is_first {
                tokio::select! {
                    biased;
                    _ = stopping.wait_for(|stop| *stop) => return None,
                    () = self.watch.changed() => {}
                }
                tokio::time::sleep(NEWS_EVERY).await;
                self.proof.check(&self.app.access).await.ok()?;
            }
            self.is_first = false;
            self.watch.mark();
            let (app, told) = (Arc::clone(&self.app), self.told.clone());
            let new = blocking(move || Ok::<_, Failure>(told.new_ones(&app.store)?)).await.ok()?;
            if !new.is_empty() {
                self.told.ended.extend(&new);
                let event = Event::default().event("imports").json_data(new).ok()?;
                return Some((Ok(event), self));
            }
        }
    }
}

row! { struct ImportId from imports { id } }

/// The imports that were already reported to the page.
#[derive(Clone)]
struct PageState {
    /// µs since 1970 UTC.
    since: i64,
    tenant: Uuid,
    ended: HashSet<Uuid>,
}

impl PageState {
    fn new_ones(&self, store: &store::Store) -> Result<Vec<Uuid>, StoreError> {
        store.snapshot(&Caller::system_for(self.tenant), |rows| {
            let since = imports::finished_at.gt(ZonedTimestamp(self.since));
            let ended = rows.query::<ImportId>().filter(since).rows()?;
            let ids = ended.into_iter().map(|import| import.id.uuid());
            Ok(ids.filter(|id| !self.ended.contains(id)).collect())
        })
    }
}
