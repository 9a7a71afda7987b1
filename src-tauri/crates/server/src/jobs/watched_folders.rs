//! Folders whose new files are imported automatically: on this computer, or in buckets.
//!
//! A scan lists the files ([`files`]) and takes those that are unchanged since the previous scan, which are therefore complete. Known and taken
//! files, and the server that scans, are stored in the database ([`state`]): several servers can share a folder, and a file is taken once. A file
//! that is taken twice after a crash changes nothing, since the same bytes are not imported again.

pub mod bucket;
pub mod files;
mod place;
pub mod state;

use super::{Batch, Jobs};
use crate::background::chores::{AGAIN_AFTER, pause, until};
use crate::background::registry::{JobRegistry, Kind};
use crate::clock;
use auth::tenancy;
use bucket::BucketDesk;
use files::{Changes, FileState};
use futures_util::future;
use place::Place;
use state::{Folder, Look};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use store::{Store, StoreError};
use tokio::sync::watch;
use uuid::Uuid;

/// Who configured a watched folder.
pub const SETTING: &str = "setting";
pub const PERSON: &str = "person";
pub const COMMAND: &str = "command";

/// Delay of the next scan if files may still be being written, µs.
pub const SOON: i64 = 5_000_000;

/// Accepts files for import.
pub trait Intake: Send + Sync + 'static {
    fn store(&self) -> &Store;
    fn queue(&self) -> &Jobs;
    fn registry(&self) -> &JobRegistry;
    /// Access to buckets.
    fn buckets(&self) -> &BucketDesk;
}

/// The folder named in the settings.
#[derive(Debug, Clone)]
pub struct OwnFolder {
    /// The tenant of the data.
    pub tenant: Uuid,
    pub path: Option<PathBuf>,
    /// Seconds between two scans.
    pub every: i64,
}

/// Scans the watched folders of this service until it stops.
pub async fn run<I: Intake>(app: Arc<I>, own: OwnFolder, mut stopping: watch::Receiver<bool>) {
    let tables = app.store().catalogue().find(state::TABLE).into_iter().collect();
    let mut written = app.store().watch_own(tables);
    let (holder, mut is_begun) = (Uuid::new_v4(), false);
    loop {
        written.mark();
        let looked = if is_begun { Ok(()) } else { begin(app.as_ref(), &own).await };
        is_begun |= looked.is_ok();
        let looked = match looked {
            Ok(()) => look_at_all(&app, own.tenant, holder).await,
            Err(error) => Err(error),
        };
        let rest = match looked {
            Ok(next) => next.map(|next| until(next, clock::now())),
            Err(error) => {
                tracing::warn!("watched folders cannot be looked at, and it is tried again: {error}");
                Some(AGAIN_AFTER)
            }
        };
        if !pause(rest, &mut written, &mut stopping).await {
            return;
        }
    }
}

/// Registers the folder of the settings, and removes a folder that was configured there before.
async fn begin<I: Intake>(app: &I, own: &OwnFolder) -> Result<(), StoreError> {
    let (store, own) = (app.store().clone(), own.clone());
    on_thread(move || {
        let path = own.path.as_ref().map(|path| path.to_string_lossy().into_owned());
        state::forget_others(&store, own.tenant, SETTING, path.as_deref())?;
        match path {
            Some(path) => state::watch(&store, own.tenant, &path, SETTING, own.every).map(drop),
            None => Ok(()),
        }
    })
    .await
}

/// Scans the due folders. Returns the time of the next scan.
async fn look_at_all<I: Intake>(app: &Arc<I>, tenant: Uuid, holder: Uuid) -> Result<Option<i64>, StoreError> {
    let folders = on_thread({
        let store = app.store().clone();
        move || state::list(&store, tenant)
    })
    .await?;
    // Folders watched by a command are scanned by that command. The scans run concurrently, so that a slow bucket does not delay a folder.
    let looks = folders.iter().filter(|folder| folder.asked_by != COMMAND).map(async |folder| {
        let looked = look_at(app, folder, holder).await?;
        let now = clock::now();
        // It was not due yet, or another server is scanning it.
        let later = folder.next_run_at.filter(|next| *next > now).unwrap_or(now + SOON);
        Ok::<_, StoreError>(looked.unwrap_or(later))
    });
    Ok(future::try_join_all(looks).await?.into_iter().min())
}

/// Scans a folder. Returns the time of the next scan; `None` if it was not due or is being scanned elsewhere.
async fn look_at<I: Intake>(app: &Arc<I>, folder: &Folder, holder: Uuid) -> Result<Option<i64>, StoreError> {
    let (store, of) = (app.store().clone(), folder.clone());
    let Some(known) = on_thread(move || state::claim(&store, &of, holder, clock::now())).await? else {
        return Ok(None);
    };
    let refused = on_thread({
        let (store, tenant) = (app.store().clone(), folder.tenant);
        move || auth::sample::refuses_files(&store, tenant)
    })
    .await;
    let listed = match refused {
        Err(error) => Err(io::Error::other(error)),
        Ok(Some(why)) => Err(io::Error::other(why)),
        Ok(None) => list(app.as_ref(), folder).await,
    };
    let every = folder.every_seconds.saturating_mul(1_000_000);
    let mut look = Look::default();
    match listed {
        Err(error) => {
            look.error = Some(format!("{}: {error}", folder.path));
            look.next_run_at = clock::now() + every;
        }
        Ok((place, seen)) => {
            let Changes { mut whole, unsettled, .. } = files::compare(&known, &seen);
            let has_more = place.bound(&mut whole, &seen);
            let handed_in = hand_in(app, folder, &place, &whole, &seen).await;
            let taken = handed_in.unwrap_or_else(|error| Submission {
                error: Some(error.to_string()),
                ..Submission::default()
            });
            look.error = taken.error.map(|error| format!("{}: {error}", folder.path));
            look.taken = taken.files;
            let is_soon = !unsettled.is_empty() || taken.has_changing || has_more;
            look.next_run_at = clock::now() + if is_soon { SOON.min(every) } else { every };
            look.seen = Some(seen);
        }
    }
    let next = look.next_run_at;
    let (store, of) = (app.store().clone(), folder.clone());
    on_thread(move || state::finish(&store, &of, (holder, &known), &look, clock::now())).await?;
    Ok(Some(next))
}

/// Opens a watched place and lists its files.
async fn list<I: Intake>(app: &I, folder: &Folder) -> io::Result<(Place, files::Files)> {
    let place = Place::open(app.buckets(), folder).await?;
    let seen = place.list().await?;
    Ok((place, seen))
}

/// Files that were submitted for import.
#[derive(Default)]
struct Submission {
    files: Vec<String>,
    /// The error of a file that could not be read.
    error: Option<String>,
    /// Whether some files changed while they were copied.
    has_changing: bool,
}

/// Submits complete files to the import queue as one delivery, and returns those that were submitted.
async fn hand_in<I: Intake>(
    app: &Arc<I>,
    folder: &Folder,
    place: &Place,
    whole: &[String],
    seen: &files::Files,
) -> io::Result<Submission> {
    let mut taken = Submission::default();
    if whole.is_empty() {
        return Ok(taken);
    }
    let store = app.store().clone();
    let owner = tokio::task::spawn_blocking(move || tenancy::administrator(&store)).await;
    let owner = owner.map_err(io::Error::other)?.map_err(io::Error::other)?;
    let batch = (whole.len() > 1).then(|| Batch { id: Uuid::new_v4(), files: whole.len() });
    for name in whole {
        let arriving = batch.map(|batch| app.queue().expect(folder.tenant, batch));
        match copy(app, (folder.tenant, owner), place, name, seen.get(name), batch).await {
            Ok(true) => {
                if let Some(arriving) = arriving {
                    arriving.arrived();
                }
                taken.files.push(name.clone());
            }
            // Changed while it was copied: the next scan decides whether it is complete.
            Ok(false) => taken.has_changing = true,
            Err(error) => taken.error = Some(format!("{name}: {error}")),
        }
    }
    if let Some(batch) = batch.filter(|batch| taken.files.len() < batch.files) {
        app.queue().close_batch(folder.tenant, Batch { files: taken.files.len(), ..batch }).await?;
    }
    Ok(taken)
}

/// Copies a file to the queue. Returns whether it was unchanged during the copy.
async fn copy<I: Intake>(
    app: &Arc<I>,
    (tenant, owner): (Uuid, Uuid),
    place: &Place,
    name: &str,
    expected: Option<&FileState>,
    batch: Option<Batch>,
) -> io::Result<bool> {
    let id = Uuid::new_v4();
    let last = name.rsplit('/').next().unwrap_or(name).to_owned();
    let underway = app.registry().begin(Kind::Import, &last, clock::now());
    let mut incoming = app.queue().spool().receive(id).await?;
    incoming.came_from(name.to_owned(), batch);
    if !place.copy(name, expected, &mut incoming).await? {
        return Ok(false);
    }
    let upload = incoming.finish(last, tenant, owner, clock::now()).await?;
    app.queue().add(upload, underway).await?;
    Ok(true)
}

async fn on_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await.map_err(tokio::task::JoinError::try_into_panic) {
        Ok(done) => done,
        Err(Ok(panic)) => std::panic::resume_unwind(panic),
        // The service has stopped.
        Err(Err(_)) => std::future::pending().await,
    }
}

/// How long a command waits for its next scan.
pub fn rest(next: i64, now: i64) -> Duration {
    until(next, now)
}
