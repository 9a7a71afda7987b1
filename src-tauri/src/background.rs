//! Work that continues after the window is closed.

use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use server::{OnClose, RaisedNotice, Work, WorkEnd};
use tauri::{AppHandle, Manager};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::dialogs::{Wish, ask_about_closing};
use crate::{notify, shell, tray, window};

/// Whether the program runs without its window, and when it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Place {
    #[default]
    InFront,
    /// In the background, until the work is done.
    ToFinish,
    /// In the background, until the user quits.
    ToStay,
}

/// Handles a request to close the window. Returns whether the window remains: hidden, or until the user has answered the question.
pub fn keeps(app: &AppHandle, on_close: OnClose) -> bool {
    let works = shell::works(app);
    match on_close {
        OnClose::Stop => false,
        _ if works.is_empty() => false,
        OnClose::Finish => hide(app, Place::ToFinish, &works),
        OnClose::Stay => hide(app, Place::ToStay, &works),
        OnClose::Ask => {
            let then = app.clone();
            ask_about_closing(app, &notify::summary(&works), move |wish| match wish {
                Wish::GoOn => {
                    // The work may have ended while the dialog was open.
                    let works = shell::works(&then);
                    let place = if works.is_empty() { Place::InFront } else { Place::ToFinish };
                    let app = then.clone();
                    let shown = then.run_on_main_thread(move || {
                        if place == Place::InFront || !hide(&app, place, &works) {
                            app.exit(0);
                        }
                    });
                    if let Err(error) = shown {
                        tracing::warn!(%error, "the window could not be hidden");
                    }
                }
                Wish::Stop => then.exit(0),
                Wish::Back => {}
            });
            true
        }
    }
}

/// Hides the window, and notifies the user how to bring it back. Must be called on the main thread.
fn hide(app: &AppHandle, place: Place, works: &[Work]) -> bool {
    if !window::hide(app) {
        return false;
    }
    set(app, place);
    let summary = notify::summary(works);
    let back = if tray::show(app, &format!("Quarterdeck: {summary}")) {
        "Its picture in the tray brings the window back."
    } else {
        "Start Quarterdeck again to bring the window back."
    };
    let end = if place == Place::ToFinish { " Quarterdeck ends when that is done." } else { "" };
    notify::show("Quarterdeck goes on in the background", &format!("{summary}.{end} {back}"));
    // The work may have ended between the question and the hiding.
    if place == Place::ToFinish && shell::works(app).is_empty() {
        app.exit(0);
    }
    true
}

/// Called when the window is visible again.
pub fn came_back(app: &AppHandle) {
    if set(app, Place::InFront) != Place::InFront {
        tray::hide(app);
    }
}

/// Ends the program at the user's request.
pub fn quit(app: &AppHandle) {
    app.exit(0);
}

/// Shows a notification when a job ends that the user is not watching, and ends the program after the last job if the user chose that.
pub async fn listen(app: AppHandle, mut heard: UnboundedReceiver<WorkEnd>) {
    while let Some(ended) = heard.recv().await {
        let place = here(&app);
        let took = now() - ended.work.since;
        let is_seen = place == Place::InFront && (took < notify::LONG || window::is_in_front(&app));
        if !is_seen && let Some((title, text)) = notify::words(&ended) {
            notify::show(&title, &text);
        }
        if place == Place::ToFinish && ended.left == 0 {
            app.exit(0);
        }
    }
}

/// Shows notifications for new notices, even if the window is in front: it may show another page.
pub async fn tell_notices(mut heard: UnboundedReceiver<Vec<RaisedNotice>>) {
    while let Some(notices) = heard.recv().await {
        let told: Vec<(String, String)> =
            notices.into_iter().map(|notice| (notice.title, notice.text)).collect();
        if let Some((title, text)) = notify::notice_words(&told) {
            notify::show(&title, &text);
        }
    }
}

fn here(app: &AppHandle) -> Place {
    *app.state::<Mutex<Place>>().lock().unwrap_or_else(PoisonError::into_inner)
}

fn set(app: &AppHandle, place: Place) -> Place {
    let state = app.state::<Mutex<Place>>();
    let mut held = state.lock().unwrap_or_else(PoisonError::into_inner);
    std::mem::replace(&mut *held, place)
}

/// The current time, µs since 1970 UTC.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}
