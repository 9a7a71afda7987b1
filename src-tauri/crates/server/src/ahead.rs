//! What the first page of a window needs, made ready before it asks.
//!
//! The service stands some tenths of a second before the web view does, and the page then asks everything at once, while reading its own code takes a
//! core. So the questions of the last opening are kept in the database, and the next start works them out once: their plans and what they read are at
//! hand when they come. Answers are thrown away; what is asked is answered from the database of that moment.

use crate::app::App;
use crate::courtesy::give_way;
use crate::error::chain;
use crate::links::Guest;
use auth::SignInError;
use catalogue::{Caller, ValueRef};
use graphql::{Effort, Request};
use serde_json::value::RawValue;
use std::io;
use std::sync::Arc;
use std::thread;
use store::{Cancel, StoreError, Transaction, eq};
use tokio::sync::watch;

/// Row of the table of settings: a JSON list of questions, each the body of a request.
const ASKED: &str = "OPENING_ASKED";
/// More text is not kept: no page asks as much.
const LONGEST_BYTES: usize = 300_000;

#[derive(Debug, thiserror::Error)]
enum AheadError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Person(#[from] SignInError),
    #[error("the questions that were kept are no list of requests")]
    Kept(#[from] serde_json::Error),
}

/// Begins with it, on a thread that comes after the web view's; it ends with the service.
pub fn make_ready(app: Arc<App>, guest: Guest, mut stopping: watch::Receiver<bool>) -> io::Result<()> {
    let cancel = Cancel::default();
    let stop = cancel.clone();
    tokio::spawn(async move {
        // Whoever would tell may have gone.
        let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
        stop.cancel();
    });
    let work = move || {
        give_way();
        if let Err(error) = try_make_ready(&app, guest, &cancel) {
            tracing::warn!("the first page could not be made ready: {}", chain(&error));
        }
    };
    thread::Builder::new().name("ahead".to_owned()).spawn(work).map(drop)
}

fn try_make_ready(app: &App, guest: Guest, cancel: &Cancel) -> Result<(), AheadError> {
    app.store.open_ahead()?;
    let Some(kept) = app.store.snapshot(&Caller::house(), kept)? else { return Ok(()) };
    let requests: Vec<Request> = serde_json::from_str(&kept)?;
    let caller = auth::person::find(&app.store, guest.user, guest.tenant)?.caller();
    for request in requests.iter().take_while(|_| !cancel.is_cancelled()) {
        app.engine.prepare(&caller, request, cancel);
    }
    Ok(())
}

/// Keeps what an opening has asked, where it is not what the last one asked: the queries that were answered by the engine alone. Blocks the thread.
pub fn keep(app: &App, caller: &Caller, asked: &[Box<RawValue>], now: i64) -> Result<(), StoreError> {
    let is_query = |body: &&str| {
        serde_json::from_str(body)
            .is_ok_and(|request| !matches!(app.engine.effort(caller, &request), Effort::Unknown))
    };
    let asked: Vec<&str> = asked.iter().map(|body| body.get()).filter(is_query).collect();
    let asked = format!("[{}]", asked.join(","));
    let house = Caller::house();
    if asked.len() > LONGEST_BYTES || app.store.snapshot(&house, kept)?.as_ref() == Some(&asked) {
        return Ok(());
    }
    let row =
        [("name", ASKED.into()), ("value", asked.as_str().into()), ("updated_at", ValueRef::Timestamp(now))];
    app.store.transaction(&house, |rows| rows.upsert("setting", &["name"], &row, &[]))
}

/// Forgets them when somebody signs out: they name what that person was looking at. Blocks the thread.
pub fn forget(app: &App) {
    if app.host.is_none() {
        return;
    }
    let forgotten =
        app.store.transaction(&Caller::house(), |rows| rows.delete("setting", &[eq("name", ASKED)]));
    if let Err(error) = forgotten {
        tracing::warn!("what the window asked is kept after signing out: {}", chain(&error));
    }
}

pub(crate) fn kept(rows: &Transaction<'_>) -> Result<Option<String>, StoreError> {
    let found = rows.select("setting", &["value"], &[eq("name", ASKED)])?;
    Ok(found.first().and_then(|row| row[0].as_text()).map(str::to_owned))
}
