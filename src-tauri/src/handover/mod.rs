//! Another start while this program runs: it brings the window forward, with the files it names, and ends.
//!
//! Whoever has a lock in the data directory has the window; every other start asks there ([`claim`]). While this program ends there is no window to
//! bring: then nobody takes the other start, and it becomes the program itself as soon as this one has gone.

#[cfg(unix)]
mod message;
#[cfg(unix)]
mod socket;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use socket::{Claim, ClaimOutcome, claim, make_late_starts, prepare};
#[cfg(windows)]
pub use windows::{Claim, ClaimOutcome, claim, make_late_starts, prepare};

use std::sync::{Mutex, PoisonError};

use tauri::{AppHandle, Manager, State};
use tokio::runtime::Handle;

use crate::arguments::StartArguments;
use crate::{shell, window};

/// Whether there is a window for other starts.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    #[default]
    Coming,
    /// As long as it is not closed.
    There,
    Over,
}

/// Listens to other starts from now on.
pub fn listen(app: &AppHandle, runtime: &Handle) {
    if let Some(claim) = &mut *held(app).lock().unwrap_or_else(PoisonError::into_inner) {
        claim.listen(app, runtime);
    }
}

/// The window is there.
pub fn has_come(app: &AppHandle) {
    set(app, Stage::There);
}

/// This program ends: no other start is taken from now on.
pub fn end(app: &AppHandle) {
    set(app, Stage::Over);
    if let Some(claim) = &mut *held(app).lock().unwrap_or_else(PoisonError::into_inner) {
        claim.shut();
    }
}

/// Another start has come, with what was `given` to it. Tells whether the window has them; if not, the other start is none of this program's business.
fn take(app: &AppHandle, given: &StartArguments) -> bool {
    if !is_open(app) {
        return false;
    }
    window::raise(app, given.token.as_deref());
    shell::put_forward(app, &given.whole());
    // It may have been closed meanwhile; files wait nevertheless, and the other start shows them.
    is_open(app)
}

fn is_open(app: &AppHandle) -> bool {
    match *stage(app).lock().unwrap_or_else(PoisonError::into_inner) {
        Stage::Coming => true,
        Stage::There => !app.webview_windows().is_empty(),
        Stage::Over => false,
    }
}

fn set(app: &AppHandle, to: Stage) {
    let held = stage(app);
    let mut now = held.lock().unwrap_or_else(PoisonError::into_inner);
    if *now != Stage::Over {
        *now = to;
    }
}

/// Kept by the program until it is gone.
fn held(app: &AppHandle) -> State<'_, Mutex<Option<Claim>>> {
    app.state()
}

fn stage(app: &AppHandle) -> State<'_, Mutex<Stage>> {
    app.state()
}
