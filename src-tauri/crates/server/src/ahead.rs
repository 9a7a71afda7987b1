//! What the first page of a window needs, made ready before it asks.
//!
//! The service stands some tenths of a second before the web view does, and the page then asks everything at once, while reading its own code takes a
//! core. So the questions of the last opening are kept in the database, and the next start works them out once. Its answers are handed out when
//! nobody has committed anything since; else what is asked is answered from the database of that moment, with plans and connections that are at hand.

use crate::app::App;
use crate::clock;
use crate::courtesy::give_way;
use crate::error::chain;
use crate::links::Guest;
use auth::SignInError;
use catalogue::{Caller, ValueRef};
use graphql::{Effort, Request};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use store::{Cancel, Moment, Store, StoreError, Transaction, eq};
use tokio::sync::watch;

/// Row of the table of settings: a JSON list of questions, each the body of a request.
const ASKED: &str = "OPENING_ASKED";
/// What is older is asked again, µs: answers may be about the present time.
const FRESH: i64 = 10_000_000;
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

/// Answers that are there before they are asked for.
#[derive(Default)]
pub struct Ready(Mutex<Making>);

#[derive(Default)]
struct Making {
    /// As they were when the first of them was worked on.
    answers: Option<Answers>,
    /// A page has opened: there is nothing to come before.
    is_over: bool,
}

/// What one person is answered, question by question, as long as the database is as it was.
pub struct Answers {
    caller: Caller,
    moment: Moment,
    /// µs since 1970.
    began: i64,
    by_question: HashMap<Box<str>, Vec<u8>>,
}

impl Ready {
    /// All that is ready, for the page that opens now: nothing where anybody has committed since. Blocks the thread, briefly.
    pub fn take(&self, store: &Store, now: i64) -> Option<Answers> {
        let answers = {
            let mut making = self.making();
            making.is_over = true;
            making.answers.take()?
        };
        let is_fresh =
            now - answers.began < FRESH && store.moment().is_ok_and(|moment| moment == answers.moment);
        is_fresh.then_some(answers)
    }

    /// Keeps those that will be put into it, unless a page has opened.
    fn begin(&self, none: Answers) {
        let mut making = self.making();
        making.answers = (!making.is_over).then_some(none);
    }

    /// Puts one to the others; tells whether more are wanted.
    fn put(&self, question: &str, answer: Option<Vec<u8>>) -> bool {
        let mut making = self.making();
        if let (Some(answers), Some(answer)) = (&mut making.answers, answer) {
            answers.by_question.insert(question.into(), answer);
        }
        !making.is_over
    }

    fn making(&self) -> MutexGuard<'_, Making> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Answers {
    /// The answer to a question of that caller, as it was written.
    pub fn find(&self, caller: &Caller, question: &[u8]) -> Option<&[u8]> {
        let question = std::str::from_utf8(question).ok().filter(|_| *caller == self.caller)?;
        self.by_question.get(question).map(Vec::as_slice)
    }
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
    let (began, moment) = (clock::now(), app.store.moment()?);
    let Some(kept) = app.store.snapshot(&Caller::house(), kept)? else { return Ok(()) };
    let questions: Vec<&RawValue> = serde_json::from_str(&kept)?;
    let caller = auth::person::find(&app.store, guest.user, guest.tenant)?.caller();
    app.ready.begin(Answers { caller: caller.clone(), moment, began, by_question: HashMap::new() });
    for question in questions {
        let request: Request = serde_json::from_str(question.get())?;
        let answer = app.engine.prepare(&caller, &request, cancel);
        if !app.ready.put(question.get(), answer) || cancel.is_cancelled() {
            break;
        }
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

#[cfg(test)]
mod tests {
    use super::{Answers, FRESH, Ready};
    use crate::house::House;
    use crate::tests::settings;
    use catalogue::{Caller, ValueRef};
    use std::collections::HashMap;
    use store::Store;
    use uuid::Uuid;

    const QUESTION: &str = r#"{"query":"{ users { id } }"}"#;

    fn open(data_dir: &tempfile::TempDir) -> Store {
        House::open(&settings(data_dir.path(), "127.0.0.1:0"), None).unwrap().store
    }

    /// With one answer for the house, made at 0.
    fn ready(store: &Store) -> Ready {
        let ready = Ready::default();
        let moment = store.moment().unwrap();
        ready.begin(Answers { caller: Caller::house(), moment, began: 0, by_question: HashMap::new() });
        assert!(ready.put(QUESTION, Some(b"answer".to_vec())));
        ready
    }

    fn commit(store: &Store) {
        let row = [("name", "A".into()), ("value", "B".into()), ("updated_at", ValueRef::Timestamp(0))];
        store.transaction(&Caller::house(), |rows| rows.insert("setting", &row)).unwrap();
    }

    #[test]
    fn an_answer_that_is_ready_is_given_to_one_page_and_to_whom_it_is_for() {
        let data_dir = tempfile::tempdir().unwrap();
        let store = open(&data_dir);
        let ready = ready(&store);
        let answers = ready.take(&store, FRESH - 1).unwrap();
        assert_eq!(answers.find(&Caller::house(), QUESTION.as_bytes()), Some(&b"answer"[..]));
        assert_eq!(answers.find(&Caller::house(), b"{}"), None);
        assert_eq!(answers.find(&Caller::house_for(Uuid::nil()), QUESTION.as_bytes()), None);
        assert!(ready.take(&store, 0).is_none());
        assert!(!ready.put(QUESTION, Some(Vec::new())), "nobody waits for it");
        assert!(ready.take(&store, 0).is_none());
    }

    #[test]
    fn an_answer_is_ready_no_more_when_somebody_has_committed_or_when_it_is_old() {
        let data_dir = tempfile::tempdir().unwrap();
        let store = open(&data_dir);
        assert!(ready(&store).take(&store, FRESH).is_none());
        let before = ready(&store);
        commit(&store);
        assert!(before.take(&store, 0).is_none());
        // Another program, for all that this one knows.
        let before = ready(&store);
        let other = open(&data_dir);
        other
            .transaction(&Caller::house(), |rows| rows.delete("setting", &[store::eq("name", "A")]))
            .unwrap();
        assert!(before.take(&store, 0).is_none());
    }

    #[test]
    fn what_opens_first_has_nothing_made_ready_after_it() {
        let data_dir = tempfile::tempdir().unwrap();
        let store = open(&data_dir);
        let ready = Ready::default();
        assert!(ready.take(&store, 0).is_none());
        let moment = store.moment().unwrap();
        ready.begin(Answers { caller: Caller::house(), moment, began: 0, by_question: HashMap::new() });
        assert!(!ready.put(QUESTION, Some(Vec::new())));
        assert!(ready.take(&store, 0).is_none());
    }
}
