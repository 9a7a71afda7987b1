//! The import queue of servers that share a database: a file is claimed by one server at a time, and taken over when that server has ended.
//!
//! The table `server` lists the running servers; each renews its row every few seconds ([`SharedQueue::beat`]). A claimed file has the id of its
//! server. If that server has not been heard of for a while, or has ended, its files are free again. An import checks its claim once more in the
//! transaction that writes, therefore a server that was suspended for a long time writes nothing twice.

use super::{Batch, Upload};
use catalogue::Caller;
use ingest::Archive;
use model::tables::{import_batch, import_upload, imports, server};
use model::{Id, ImportBatch, ImportUpload, Read as _, Server, Writer, ZonedTimestamp};
use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// How often a server renews its row.
pub const BEAT: Duration = Duration::from_secs(5);
/// A server that has not renewed its row for this time counts as ended, µs.
const GONE_AFTER: i64 = 30 * 1_000_000;
/// If no file of a batch arrives for this time, µs, its sender is considered gone and the files that arrived are imported.
const LONGEST_SILENCE: i64 = 120 * 1_000_000;

/// The queue in the database, as one server sees it.
pub struct SharedQueue {
    store: Store,
    archive: Arc<Archive>,
    /// The id of this server process.
    server: Uuid,
    place: String,
    address: String,
}

/// The state of this server's claim on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tenure {
    Held,
    /// A user has cancelled the import.
    Cancelled,
    /// Another server has taken it over.
    Lost,
}

/// A file in the queue, for display.
pub struct Entry {
    pub file_name: String,
    pub size_bytes: u64,
    pub is_running: bool,
    pub bytes_read: u64,
    pub rows_read: u64,
}

impl SharedQueue {
    /// The queue of the store's database, for a server with that data directory.
    pub fn new(store: Store, archive: Arc<Archive>, data_dir: &Path, address: &str) -> Self {
        let data_dir = data_dir.canonicalize().unwrap_or_else(|_| data_dir.to_owned());
        let place = format!("{}:{}", host_name(), data_dir.display());
        Self { store, archive, server: Uuid::new_v4(), place, address: address.to_owned() }
    }

    /// Registers this server. Files claimed by an earlier server with the same data directory become free.
    pub fn begin(&self) -> Result<(), StoreError> {
        self.write(None, |rows, writer| {
            writer.delete(server::place.eq(self.place.as_str()))?;
            self.say(rows, writer)
        })
    }

    /// Renews the row of this server, without waiting for other writers.
    pub fn beat(&self) -> Result<(), StoreError> {
        self.store.concurrent_transaction(&Caller::system(), |rows| {
            let rows = rows.without_actor();
            self.say(&rows, &Writer::derived(&rows)?)
        })
    }

    /// Unregisters this server; its files become free.
    pub fn end(&self) -> Result<(), StoreError> {
        self.write(None, |_, writer| {
            writer.delete(server::id.eq(Id::new(self.server)))?;
            let free = [import_upload::server_id.to_null()];
            writer.update(import_upload::server_id.eq(self.server), free).map(drop)
        })
    }

    fn say(&self, rows: &Transaction<'_>, writer: &Writer<'_>) -> Result<(), StoreError> {
        let now = ZonedTimestamp(rows.now());
        let row = [
            server::id.to(Id::new(self.server)),
            server::place.to(self.place.as_str()),
            server::address.to(self.address.as_str()),
            server::version.to(env!("CARGO_PKG_VERSION")),
            server::started_at.to(now),
            server::heard_at.to(now),
        ];
        writer.upsert(&["id"], row, &["started_at"])
    }

    /// Adds an uploaded file: its bytes, its entry in the queue, and its row in the list of imports. Afterwards any server can import it.
    pub fn add(&self, upload: &Upload, path: &Path) -> io::Result<()> {
        self.archive.store_shared(path, &upload.sha256)?;
        let size = i64::try_from(upload.size_bytes).unwrap_or(i64::MAX);
        let files = |batch: Batch| i64::try_from(batch.files).unwrap_or(i64::MAX);
        let received = ZonedTimestamp(upload.received_at);
        let added = self.write(Some(upload.tenant), |rows, writer| {
            if rows.find::<ImportUpload>(Id::new(upload.id))?.is_some() {
                return Ok(());
            }
            writer.insert([
                import_upload::id.to(Id::new(upload.id)),
                import_upload::user_id.to(upload.user),
                import_upload::file_name.to(upload.file_name.as_str()),
                import_upload::location.to(upload.location.as_str()),
                import_upload::size_bytes.to(size),
                import_upload::sha256.to(upload.sha256.as_str()),
                import_upload::batch_id.to_option(upload.batch.map(|batch| batch.id)),
                import_upload::batch_files.to_option(upload.batch.map(files)),
                import_upload::received_at.to(received),
            ])?;
            if let Some(batch) = upload.batch {
                let known = rows.find::<ImportBatch>(Id::new(batch.id))?;
                let row = [
                    import_batch::id.to(Id::new(batch.id)),
                    import_batch::files.to(files(batch)),
                    import_batch::arrived.to(known.map_or(0, |batch| batch.arrived) + 1),
                    import_batch::heard_at.to(ZonedTimestamp(rows.now())),
                ];
                writer.upsert(&["id"], row, &[])?;
            }
            super::rows::add_waiting(rows, upload)
        });
        added.map_err(io::Error::other)
    }

    /// Records that a file of a batch is still being received.
    pub fn expect(&self, batch: Uuid) -> Result<(), StoreError> {
        self.store.concurrent_transaction(&Caller::system(), |rows| {
            let rows = rows.without_actor();
            let heard = [import_batch::heard_at.to(ZonedTimestamp(rows.now()))];
            Writer::derived(&rows)?.update(import_batch::id.eq(Id::new(batch)), heard).map(drop)
        })
    }

    /// Sets the final number of files of a batch. Returns whether the batch is known.
    pub fn close_batch(&self, tenant: Uuid, batch: Batch) -> Result<bool, StoreError> {
        self.write(Some(tenant), |_, writer| {
            let files = [import_batch::files.to(i64::try_from(batch.files).unwrap_or(i64::MAX))];
            Ok(writer.update(import_batch::id.eq(Id::new(batch.id)), files)? > 0)
        })
    }

    /// Claims the files to import next: a single file, or those of the first complete batch. Empty if no file is free.
    pub fn claim(&self) -> Result<Vec<Upload>, StoreError> {
        let looked = self.store.snapshot::<_, StoreError>(&Caller::system(), free)?;
        if looked.is_empty() {
            return Ok(Vec::new());
        }
        self.write(None, |rows, writer| {
            let next = free(rows)?;
            let mine = [import_upload::server_id.to(self.server)];
            for file in &next {
                writer.update(import_upload::id.eq(file.id), mine.clone())?;
            }
            let count = next.len();
            Ok(next.into_iter().map(|file| upload(file, count)).collect())
        })
    }

    /// Whether this server still holds its claim on a file. Called in the transaction that writes the imported data.
    pub fn holds(&self, rows: &Transaction<'_>, id: Uuid) -> Result<bool, StoreError> {
        let system = Caller::system();
        let found = rows.as_caller(&system).find::<ImportUpload>(Id::new(id))?;
        Ok(found.is_some_and(|file| file.server_id == Some(self.server)))
    }

    /// Stores the progress of an import and returns the state of the claim.
    pub fn progress(&self, id: Uuid, bytes: u64, rows_read: u64) -> Result<Tenure, StoreError> {
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        self.store.concurrent_transaction(&Caller::system(), |rows| {
            let ours = import_upload::id.eq(Id::new(id)).and(import_upload::server_id.eq(self.server));
            let told =
                [import_upload::bytes_read.to(number(bytes)), import_upload::rows_read.to(number(rows_read))];
            let rows = rows.without_actor();
            if Writer::derived(&rows)?.update(ours, told)? == 0 {
                return Ok(Tenure::Lost);
            }
            let is_cancelled = rows.find::<ImportUpload>(Id::new(id))?.is_some_and(|file| file.is_cancelled);
            Ok(if is_cancelled { Tenure::Cancelled } else { Tenure::Held })
        })
    }

    /// Releases files that this server has claimed and cannot import now.
    pub fn release(&self, uploads: &[Upload]) -> Result<(), StoreError> {
        self.write(None, |_, writer| {
            for upload in uploads {
                let ours =
                    import_upload::id.eq(Id::new(upload.id)).and(import_upload::server_id.eq(self.server));
                writer.update(ours, [import_upload::server_id.to_null()])?;
            }
            Ok(())
        })
    }

    /// Removes a file from the queue.
    pub fn remove(&self, id: Uuid) -> Result<(), StoreError> {
        self.write(None, |rows, writer| remove(rows, writer, id))
    }

    /// The state of a file of that tenant; `None` if it is not in the queue.
    pub fn find(&self, tenant: Uuid, id: Uuid) -> Result<Option<Entry>, StoreError> {
        let number = |number: i64| u64::try_from(number).unwrap_or_default();
        self.store.snapshot(&Caller::system_for(tenant), |rows| {
            Ok(rows.find::<ImportUpload>(Id::new(id))?.map(|file| Entry {
                is_running: file.server_id.is_some(),
                size_bytes: number(file.size_bytes),
                bytes_read: number(file.bytes_read),
                rows_read: number(file.rows_read),
                file_name: file.file_name,
            }))
        })
    }

    /// Cancels the import of a file of that tenant: at once if no running server has claimed it, otherwise by notifying that server. Returns
    /// whether it was in the queue.
    pub fn cancel(&self, tenant: Uuid, id: Uuid) -> Result<bool, StoreError> {
        self.write(Some(tenant), |rows, writer| {
            let Some(file) = rows.find::<ImportUpload>(Id::new(id))? else { return Ok(false) };
            let system = Caller::system();
            let live = live(&rows.as_caller(&system))?;
            if file.server_id.is_some_and(|by| live.contains(&by)) {
                writer.update(import_upload::id.eq(Id::new(id)), [import_upload::is_cancelled.to(true)])?;
            } else {
                let unfinished = imports::state.one_of(["waiting", "running"]);
                writer.delete(imports::id.eq(Id::new(id)).and(unfinished))?;
                remove(rows, writer, id)?;
            }
            Ok(true)
        })
    }

    /// All files in the queue, claimed or not.
    pub fn all(&self) -> Result<HashSet<Uuid>, StoreError> {
        self.store.snapshot(&Caller::system(), |rows| {
            Ok(rows.query::<ImportUpload>().rows()?.into_iter().map(|file| file.id.uuid()).collect())
        })
    }

    /// Copies the bytes of a claimed file to a file of this server.
    pub fn fetch(&self, upload: &Upload, path: &Path) -> io::Result<()> {
        // A user may have deleted them.
        let gone = || io::Error::new(io::ErrorKind::NotFound, "its bytes are not in the database any more");
        let mut bytes = self.archive.open(&upload.sha256)?.ok_or_else(gone)?;
        let mut file = std::fs::File::create(path)?;
        io::copy(&mut bytes, &mut file).map(drop)
    }

    fn write<T>(
        &self,
        tenant: Option<Uuid>,
        work: impl FnOnce(&Transaction<'_>, &Writer<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let caller = tenant.map_or_else(Caller::system, Caller::system_for);
        self.store.transaction(&caller, |rows| {
            let rows = rows.without_actor();
            work(&rows, &Writer::derived(&rows)?)
        })
    }
}

fn remove(rows: &Transaction<'_>, writer: &Writer<'_>, id: Uuid) -> Result<(), StoreError> {
    let batch = rows.find::<ImportUpload>(Id::new(id))?.and_then(|file| file.batch_id);
    writer.delete(import_upload::id.eq(Id::new(id)))?;
    if let Some(batch) = batch
        && rows.query::<ImportUpload>().filter(import_upload::batch_id.eq(batch)).count()? == 0
    {
        let is_over = |known: &ImportBatch| known.arrived >= known.files || is_silent(known, rows.now());
        if rows.find::<ImportBatch>(Id::new(batch))?.is_some_and(|known| is_over(&known)) {
            writer.delete(import_batch::id.eq(Id::new(batch)))?;
        }
    }
    Ok(())
}

fn is_silent(batch: &ImportBatch, now: i64) -> bool {
    now.saturating_sub(batch.heard_at.micros()) > LONGEST_SILENCE
}

/// The running servers.
fn live(rows: &Transaction<'_>) -> Result<HashSet<Uuid>, StoreError> {
    let heard = server::heard_at.gt(ZonedTimestamp(rows.now() - GONE_AFTER));
    Ok(rows.query::<Server>().filter(heard).rows()?.into_iter().map(|server| server.id.uuid()).collect())
}

/// The files to import next, among those that no running server has claimed.
fn free(rows: &Transaction<'_>) -> Result<Vec<ImportUpload>, StoreError> {
    let waiting = rows.query::<ImportUpload>().order(import_upload::received_at.asc());
    let waiting = waiting.order(import_upload::id.asc()).rows()?;
    if waiting.is_empty() {
        return Ok(waiting);
    }
    let live = live(rows)?;
    let mut free: Vec<ImportUpload> =
        waiting.into_iter().filter(|file| file.server_id.is_none_or(|by| !live.contains(&by))).collect();
    let mut next = None;
    for file in &free {
        let is_complete = match file.batch_id {
            None => true,
            Some(batch) => rows
                .find::<ImportBatch>(Id::new(batch))?
                .is_none_or(|batch| batch.arrived >= batch.files || is_silent(&batch, rows.now())),
        };
        if is_complete {
            next = Some((file.id, file.batch_id));
            break;
        }
    }
    let Some((id, batch)) = next else { return Ok(Vec::new()) };
    free.retain(|file| file.id == id || (batch.is_some() && file.batch_id == batch));
    Ok(free)
}

/// An upload from its row. `count` is the number of files claimed together.
fn upload(file: ImportUpload, count: usize) -> Upload {
    Upload {
        id: file.id.uuid(),
        file_name: file.file_name,
        location: file.location,
        batch: file.batch_id.map(|id| Batch { id, files: count }),
        size_bytes: u64::try_from(file.size_bytes).unwrap_or_default(),
        sha256: file.sha256,
        tenant: file.tenant_id.uuid(),
        user: file.user_id,
        received_at: file.received_at.micros(),
    }
}

#[cfg(unix)]
fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
