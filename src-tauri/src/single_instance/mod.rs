//! Single instance: a second start brings the open window to the front, with the files it names, and ends.
//!
//! The process that holds a lock in the data directory owns the window; every other start contacts it ([`claim`]). While the owner is ending it no
//! longer has a window to show: it does not accept the second start, which becomes the owner as soon as the first one has ended.

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

/// Whether there is a window that other starts can hand over to.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    #[default]
    Coming,
    /// Until it is closed.
    There,
    Over,
}

/// Starts accepting other starts.
pub fn listen(app: &AppHandle, runtime: &Handle) {
    if let Some(claim) = &mut *held(app).lock().unwrap_or_else(PoisonError::into_inner) {
        claim.listen(app, runtime);
    }
}

/// Called when the window has been opened.
pub fn has_come(app: &AppHandle) {
    set(app, Stage::There);
}

/// Called when this program ends: no other start is accepted from now on.
pub fn end(app: &AppHandle) {
    set(app, Stage::Over);
    if let Some(claim) = &mut *held(app).lock().unwrap_or_else(PoisonError::into_inner) {
        claim.shut();
    }
}

/// Accepts another start with the arguments `given`. Returns whether the window has them; if not, the other start must continue by itself.
fn take(app: &AppHandle, given: &StartArguments) -> bool {
    if !is_open(app) {
        return false;
    }
    window::raise(app, given.token.as_deref());
    shell::put_forward(app, &given.whole());
    // The window may have been closed meanwhile. The files are in the inbox nevertheless, and the other start shows them.
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

/// The claim, held until the program ends.
fn held(app: &AppHandle) -> State<'_, Mutex<Option<Claim>>> {
    app.state()
}

fn stage(app: &AppHandle) -> State<'_, Mutex<Stage>> {
    app.state()
}
