//! Answers requests while the database is migrated, which takes time in proportion to its rows, and reports the progress.

use crate::error::Failure;
use crate::listen::connections::{self, ReadTimeouts};
use crate::plain_page::{PLAIN_PAGE_POLICY, escaped, plain_page};
use crate::routes::health;
use axum::Router;
use axum::extract::State;
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFRESH};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use std::cell::Cell;
use std::net::TcpListener;
use std::time::Duration;
use store::MigrationStep;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Seconds after which a page reloads, and a program may retry.
const LOOK_AGAIN_SECONDS: u8 = 1;
/// In how many steps the progress of a table is logged.
const PARTS_LOGGED: u64 = 10;

/// How long to wait for open connections to be answered: a browser may hold one open without a request.
const ANSWERED_WITHIN: Duration = Duration::from_secs(1);

/// Answers at the port of the service from the first step of a migration until the service itself does.
pub struct Upgrade {
    steps: watch::Sender<Option<MigrationStep>>,
    stop: watch::Sender<bool>,
    answering: JoinHandle<std::io::Result<()>>,
}

impl Upgrade {
    /// Waits for migration steps; `listener` is another handle of the service's port. Requires a Tokio runtime.
    pub fn expect_at(listener: TcpListener) -> Self {
        let (steps, mut latest) = watch::channel(None);
        let (stop, mut stopping) = watch::channel(false);
        let answering = tokio::spawn(async move {
            tokio::select! {
                // Most starts migrate nothing: then connections wait until the service answers.
                changed = latest.changed() => if changed.is_err() { return Ok(()) },
                _ = stopping.wait_for(|stop| *stop) => return Ok(()),
            }
            let listener = tokio::net::TcpListener::from_std(listener)?;
            connections::serve(listener, router(latest), ReadTimeouts::default(), stopping).await;
            Ok(())
        });
        Self { steps, stop, answering }
    }

    /// A callback that receives the migration steps.
    pub fn progress(&self) -> impl Fn(MigrationStep) + Send + 'static {
        let steps = self.steps.clone();
        let logged = Cell::new(None);
        move |step| {
            let told = Some(coarse(&step));
            if logged.replace(told.clone()) != told {
                tracing::info!("the database is brought to this version: {}", words(&step));
            }
            steps.send_replace(Some(step));
        }
    }

    /// Answers the requests that have arrived, and accepts no more.
    pub async fn end(mut self) {
        self.stop.send_replace(true);
        let Ok(ended) = tokio::time::timeout(ANSWERED_WITHIN, &mut self.answering).await else {
            self.answering.abort();
            return;
        };
        match ended {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!("nobody was answered while the database was migrated: {error}"),
            Err(panic) => {
                tracing::error!("answering while the database was migrated ended in a panic: {panic}");
            }
        }
    }
}

/// The step with its row count rounded for the log: ten lines for each table.
fn coarse(step: &MigrationStep) -> MigrationStep {
    match step {
        MigrationStep::Rows { table, done, all } => {
            let part = all.div_ceil(PARTS_LOGGED).max(1);
            MigrationStep::Rows { table: table.clone(), done: done / part * part, all: *all }
        }
        step => step.clone(),
    }
}

fn router(step: watch::Receiver<Option<MigrationStep>>) -> Router {
    Router::new().route("/healthz", get(async || health::alive())).fallback(show).with_state(step)
}

/// A page for browsers, and an error message for programs.
async fn show(
    State(step): State<watch::Receiver<Option<MigrationStep>>>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let step = step.borrow().clone();
    let words = step.as_ref().map(words).unwrap_or_default();
    let wants_page = |accept: &str| method == Method::GET && accept.contains("text/html");
    if !headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(wants_page) {
        let message =
            format!("The database is being brought to this version: {words}. Ask again when it is done");
        let failure = Failure::new(StatusCode::SERVICE_UNAVAILABLE, "starting", message);
        return failure.with("retry_after", LOOK_AGAIN_SECONDS.into()).into_response();
    }
    let headers = [
        (CACHE_CONTROL, "no-store".to_owned()),
        (CONTENT_SECURITY_POLICY, PLAIN_PAGE_POLICY.to_owned()),
        (REFRESH, LOOK_AGAIN_SECONDS.to_string()),
    ];
    (StatusCode::SERVICE_UNAVAILABLE, headers, Html(page(step.as_ref(), &words))).into_response()
}

fn page(step: Option<&MigrationStep>, words: &str) -> String {
    let bar = match step {
        Some(MigrationStep::Rows { done, all, .. }) if *all > 0 => {
            format!("<p><progress max=\"{all}\" value=\"{done}\" aria-label=\"Rows\"></progress></p>")
        }
        _ => String::new(),
    };
    let body = format!(
        "<p>Now: {}.</p>{bar}<p class=\"quiet\">This page goes on by itself. A copy of the database of before stays beside it, and nothing \
         changes before all is done: if the program is ended now, the next start begins again.</p>",
        escaped(words)
    );
    plain_page("Quarterdeck is updating your data", &body)
}

/// A step as part of a sentence.
fn words(step: &MigrationStep) -> String {
    match step {
        MigrationStep::Copy => "the database is copied".to_owned(),
        MigrationStep::Rows { table, done, all } => {
            format!("{} of {} rows of the table {table} are done", grouped(*done), grouped(*all))
        }
        MigrationStep::References => "references between tables are checked".to_owned(),
    }
}

/// A number with a comma between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    async fn ask(address: std::net::SocketAddr, head: &str) -> String {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        stream.write_all(format!("{head}Host: here\r\nConnection: close\r\n\r\n").as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn who_comes_during_a_migration_is_told_how_far_it_is() {
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        port.set_nonblocking(true).unwrap();
        let address = port.local_addr().unwrap();
        let upgrade = Upgrade::expect_at(port.try_clone().unwrap());
        let progress = upgrade.progress();
        progress(MigrationStep::Rows { table: "spends".to_owned(), done: 40_000, all: 1_234_567 });
        let page = ask(address, "GET /overview HTTP/1.1\r\nAccept: text/html\r\n").await;
        assert!(page.starts_with("HTTP/1.1 503 ") && page.contains("refresh: 1\r\n"), "{page}");
        assert!(page.contains("Now: 40,000 of 1,234,567 rows of the table spends are done."), "{page}");
        assert!(page.contains("<progress max=\"1234567\" value=\"40000\""), "{page}");
        progress(MigrationStep::References);
        let refused =
            ask(address, "POST /api/graphql HTTP/1.1\r\nAccept: */*\r\nContent-Length: 0\r\n").await;
        assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("retry-after: 1\r\n"), "{refused}");
        assert!(refused.contains("references between tables are checked. Ask again"), "{refused}");
        let alive = ask(address, "GET /healthz HTTP/1.1\r\n").await;
        assert!(alive.starts_with("HTTP/1.1 200 "), "{alive}");
        let ready = ask(address, "GET /readyz HTTP/1.1\r\n").await;
        assert!(ready.starts_with("HTTP/1.1 503 "), "{ready}");
        upgrade.end().await;
        // A new connection waits for the service.
        let waiting = tokio::net::TcpStream::connect(address).await.unwrap();
        let service = tokio::net::TcpListener::from_std(port).unwrap();
        let (_, peer) = service.accept().await.unwrap();
        assert_eq!(peer, waiting.local_addr().unwrap());
    }

    #[test]
    fn the_log_hears_of_rows_ten_times() {
        let step = |done, all| MigrationStep::Rows { table: "spends".to_owned(), done, all };
        let told: Vec<_> = (0..=100).map(|done| coarse(&step(done, 100))).collect();
        assert_eq!(told.chunk_by(|one, next| one == next).count(), 11);
        assert_eq!(coarse(&step(0, 0)), step(0, 0));
    }

    #[tokio::test]
    async fn a_start_that_migrates_nothing_answers_nobody() {
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        port.set_nonblocking(true).unwrap();
        let waiting = std::net::TcpStream::connect(port.local_addr().unwrap()).unwrap();
        Upgrade::expect_at(port.try_clone().unwrap()).end().await;
        let service = tokio::net::TcpListener::from_std(port).unwrap();
        assert_eq!(service.accept().await.unwrap().1, waiting.local_addr().unwrap());
    }
}
