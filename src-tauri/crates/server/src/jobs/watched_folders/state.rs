//! Stored state of watched folders and the lease of the scanning server. It is in the service's own table in the database, so that several servers
//! share it. Each folder is one value, read and written in one transaction.

use super::bucket::BucketSource;
use super::files::{FileState, Files, KnownFile, KnownFiles};
use catalogue::{Caller, Value, ValueRef};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::{Store, StoreError, Transaction, eq};
use uuid::Uuid;

/// The table of the service's own values.
pub const TABLE: &str = "setting";
/// Prefix of the names of these values; the folder's id follows.
const PREFIX: &str = "watched_folder:";
/// How long a scan may take before another server takes over, µs.
const LEASE: i64 = 10 * 60 * 1_000_000;

/// A watched folder, or a folder in a bucket, as shown to users.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Folder {
    pub id: Uuid,
    pub tenant: Uuid,
    /// A path on this computer, or the displayed address of a bucket.
    pub path: String,
    /// Set for a bucket.
    #[serde(default)]
    pub bucket: Option<BucketSource>,
    /// `setting`, `person` or `command`.
    pub asked_by: String,
    pub every_seconds: i64,
    /// µs since 1970 UTC, like the other times.
    pub last_run_at: Option<i64>,
    pub next_run_at: Option<i64>,
    /// The error of the last scan.
    pub last_error: Option<String>,
    /// Number of files taken since the folder is watched.
    pub files_taken: u64,
    /// The lease of the server that is scanning; an expired lease is free.
    lease: Option<Lease>,
    /// Size, modification time, and whether it was taken in this state, by path.
    files: BTreeMap<String, (i64, i64, bool)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Lease {
    holder: Uuid,
    until: i64,
}

fn all(rows: &Transaction<'_>) -> Result<Vec<Folder>, StoreError> {
    let mut folders: Vec<Folder> = rows
        .select(TABLE, &["name", "value"], &[])?
        .iter()
        .filter_map(|row| match row.as_slice() {
            [Value::Text(name), Value::Text(value)] if name.starts_with(PREFIX) => {
                serde_json::from_str(value).ok()
            }
            _ => None,
        })
        .collect();
    folders.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(folders)
}

fn find(rows: &Transaction<'_>, id: Uuid) -> Result<Option<Folder>, StoreError> {
    Ok(all(rows)?.into_iter().find(|folder| folder.id == id))
}

fn save(rows: &Transaction<'_>, folder: &Folder) -> Result<(), StoreError> {
    let value = serde_json::to_string(folder).expect("a folder has text keys only");
    let name = format!("{PREFIX}{}", folder.id);
    let row = [("name", name.as_str().into()), ("value", ValueRef::Text(&value))];
    rows.upsert(TABLE, &["name"], &row, &[])
}

fn remove(rows: &Transaction<'_>, id: Uuid) -> Result<(), StoreError> {
    rows.delete(TABLE, &[eq("name", &format!("{PREFIX}{id}"))]).map(drop)
}

/// The watched folders of a tenant.
pub fn list(store: &Store, tenant: Uuid) -> Result<Vec<Folder>, StoreError> {
    let mut folders = store.snapshot(&Caller::system(), all)?;
    folders.retain(|folder| folder.tenant == tenant);
    Ok(folders)
}

/// Starts watching a folder. A folder that is watched already keeps its state.
pub fn watch(
    store: &Store,
    tenant: Uuid,
    path: &str,
    asked_by: &str,
    every_seconds: i64,
) -> Result<Folder, StoreError> {
    watch_place(store, tenant, path, None, asked_by, every_seconds)
}

/// Starts watching a folder of a bucket, configured by a user. If it is watched already, it keeps its state and its credentials are replaced.
pub fn watch_bucket(
    store: &Store,
    tenant: Uuid,
    bucket: BucketSource,
    every_seconds: i64,
) -> Result<Folder, StoreError> {
    watch_place(store, tenant, &bucket.address.to_display(), Some(bucket), super::PERSON, every_seconds)
}

fn watch_place(
    store: &Store,
    tenant: Uuid,
    path: &str,
    bucket: Option<BucketSource>,
    asked_by: &str,
    every_seconds: i64,
) -> Result<Folder, StoreError> {
    store.transaction(&Caller::system(), |rows| {
        let known = all(rows)?.into_iter().find(|folder| folder.path == path && folder.tenant == tenant);
        let before = known.unwrap_or_else(|| Folder {
            id: Uuid::new_v4(),
            tenant,
            path: path.to_owned(),
            bucket: None,
            asked_by: String::new(),
            every_seconds: 0,
            last_run_at: None,
            next_run_at: None,
            last_error: None,
            files_taken: 0,
            lease: None,
            files: BTreeMap::new(),
        });
        // If the bucket has been replaced by one of another service, all files are read again.
        let is_elsewhere = |(one, other): (&BucketSource, &BucketSource)| one.address != other.address;
        let is_moved = before.bucket.as_ref().zip(bucket.as_ref()).is_some_and(is_elsewhere);
        let files = if is_moved { BTreeMap::new() } else { before.files };
        let asked_by = asked_by.to_owned();
        let next_run_at = if bucket.is_some() { None } else { before.next_run_at };
        let folder = Folder { bucket, asked_by, every_seconds, next_run_at, files, ..before };
        save(rows, &folder)?;
        Ok(folder)
    })
}

/// Stops watching all folders configured by `asked_by`, except the one with that path.
pub fn forget_others(
    store: &Store,
    tenant: Uuid,
    asked_by: &str,
    path: Option<&str>,
) -> Result<(), StoreError> {
    store.transaction(&Caller::system(), |rows| {
        for folder in all(rows)? {
            let is_other = Some(folder.path.as_str()) != path || folder.tenant != tenant;
            if folder.asked_by == asked_by && is_other {
                remove(rows, folder.id)?;
            }
        }
        Ok(())
    })
}

/// Stops watching a folder, unless it is named in the settings. Returns whether there was one.
pub fn forget(store: &Store, tenant: Uuid, id: Uuid) -> Result<bool, StoreError> {
    store.transaction(&Caller::system(), |rows| {
        let found = find(rows, id)?.filter(|folder| folder.tenant == tenant);
        let is_there = found.is_some_and(|folder| folder.asked_by != super::SETTING);
        if is_there {
            remove(rows, id)?;
        }
        Ok(is_there)
    })
}

/// Makes the next scan of a folder due at once. Returns whether there is such a folder.
pub fn hurry(store: &Store, tenant: Uuid, id: Uuid, now: i64) -> Result<bool, StoreError> {
    store.transaction(&Caller::system(), |rows| {
        let Some(folder) = find(rows, id)?.filter(|folder| folder.tenant == tenant) else { return Ok(false) };
        save(rows, &Folder { next_run_at: Some(now), ..folder })?;
        Ok(true)
    })
}

/// Claims the scan of a folder if it is due and no other server scans it. Returns the known state of its files.
pub fn claim(
    store: &Store,
    folder: &Folder,
    holder: Uuid,
    now: i64,
) -> Result<Option<KnownFiles>, StoreError> {
    store.transaction(&Caller::system(), |rows| {
        let Some(folder) = find(rows, folder.id)? else { return Ok(None) };
        let is_taken = folder.lease.is_some_and(|lease| lease.until > now && lease.holder != holder);
        if is_taken || folder.next_run_at.is_some_and(|next| next > now) {
            return Ok(None);
        }
        let known = folder.files.iter().map(|(path, (size_bytes, modified_at, is_taken))| {
            let state = FileState { size_bytes: *size_bytes, modified_at: *modified_at };
            (path.clone(), KnownFile { state, is_taken: *is_taken })
        });
        let known = known.collect();
        save(rows, &Folder { lease: Some(Lease { holder, until: now + LEASE }), ..folder })?;
        Ok(Some(known))
    })
}

/// The result of a scan.
#[derive(Debug, Default)]
pub struct Look {
    /// All files found; `None` if they could not be listed.
    pub seen: Option<Files>,
    /// The files submitted for import.
    pub taken: Vec<String>,
    pub error: Option<String>,
    /// µs since 1970 UTC.
    pub next_run_at: i64,
}

/// Stores the result of a scan and releases the lease. A failed scan keeps the known state of files. The result of a server whose lease has expired
/// and been taken over is discarded.
pub fn finish(
    store: &Store,
    folder: &Folder,
    (holder, known): (Uuid, &KnownFiles),
    look: &Look,
    now: i64,
) -> Result<(), StoreError> {
    store.transaction(&Caller::system(), |rows| {
        let Some(mut folder) = find(rows, folder.id)? else { return Ok(()) };
        if folder.lease.is_none_or(|lease| lease.holder != holder) {
            return Ok(());
        }
        folder.lease = None;
        folder.last_run_at = Some(now);
        folder.next_run_at = Some(look.next_run_at);
        folder.last_error.clone_from(&look.error);
        folder.files_taken += look.taken.len() as u64;
        if let Some(seen) = &look.seen {
            let of = |(path, state): (&String, &FileState)| {
                let was_taken = known.get(path).is_some_and(|known| known.is_taken && known.state == *state);
                let is_taken = was_taken || look.taken.contains(path);
                (path.clone(), (state.size_bytes, state.modified_at, is_taken))
            };
            folder.files = seen.iter().map(of).collect();
        }
        save(rows, &folder)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::catalogue_source;

    const TENANT: Uuid = Uuid::from_u128(7);
    const SECOND: i64 = 1_000_000;

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let catalogue = catalogue_source::load(None).unwrap();
        let store = Store::open(&folder.path().join("test.db"), catalogue).unwrap();
        (folder, store)
    }

    fn seen(size_bytes: i64) -> Files {
        Files::from([("a.csv".to_owned(), FileState { size_bytes, modified_at: 1 })])
    }

    #[test]
    fn a_folder_is_looked_at_by_one_server_at_a_time_and_no_sooner_than_it_is_due() {
        let (_kept, store) = store();
        let [first, second] = [1, 2].map(Uuid::from_u128);
        let folder = watch(&store, TENANT, "/bills", super::super::SETTING, 60).unwrap();
        let known = claim(&store, &folder, first, 0).unwrap().expect("it is due");
        assert_eq!(claim(&store, &folder, second, 0).unwrap(), None);
        let look = Look { seen: Some(seen(3)), next_run_at: 60 * SECOND, ..Look::default() };
        finish(&store, &folder, (first, &known), &look, SECOND).unwrap();
        assert_eq!(claim(&store, &folder, second, 59 * SECOND).unwrap(), None);
        let known = claim(&store, &folder, second, 60 * SECOND).unwrap().expect("it is due again");
        assert_eq!(
            known["a.csv"],
            KnownFile { state: FileState { size_bytes: 3, modified_at: 1 }, is_taken: false }
        );
        assert!(hurry(&store, TENANT, folder.id, 0).unwrap());
        // A server that was killed loses its lease after a while.
        assert_eq!(claim(&store, &folder, first, 61 * SECOND).unwrap(), None);
        assert!(claim(&store, &folder, first, 61 * SECOND + LEASE).unwrap().is_some());
        // A result that arrives after that is discarded.
        let late = Look { taken: vec!["a.csv".to_owned()], next_run_at: 0, ..Look::default() };
        finish(&store, &folder, (second, &known), &late, 62 * SECOND).unwrap();
        assert_eq!(list(&store, TENANT).unwrap()[0].files_taken, 0);
    }

    #[test]
    fn a_file_that_was_taken_stays_so_until_it_changes_and_a_failed_look_forgets_nothing() {
        let (_kept, store) = store();
        let me = Uuid::from_u128(1);
        let folder = watch(&store, TENANT, "/bills", super::super::PERSON, 60).unwrap();
        let turn = |look: &Look| {
            let known = claim(&store, &folder, me, 0).unwrap().unwrap();
            finish(&store, &folder, (me, &known), look, 0).unwrap();
            list(&store, TENANT).unwrap().remove(0)
        };
        turn(&Look { seen: Some(seen(3)), taken: vec!["a.csv".to_owned()], ..Look::default() });
        let failed = turn(&Look { error: Some("gone".to_owned()), ..Look::default() });
        assert_eq!(
            (failed.last_error.as_deref(), failed.files_taken, failed.files.len()),
            (Some("gone"), 1, 1)
        );
        assert!(turn(&Look { seen: Some(seen(3)), ..Look::default() }).files["a.csv"].2);
        assert!(!turn(&Look { seen: Some(seen(4)), ..Look::default() }).files["a.csv"].2);
        assert!(forget(&store, TENANT, folder.id).unwrap() && list(&store, TENANT).unwrap().is_empty());
    }

    #[test]
    fn what_the_settings_name_is_forgotten_only_by_them() {
        let (_kept, store) = store();
        let folder = watch(&store, TENANT, "/bills", super::super::SETTING, 60).unwrap();
        assert!(!forget(&store, TENANT, folder.id).unwrap());
        forget_others(&store, TENANT, super::super::SETTING, Some("/other")).unwrap();
        assert!(list(&store, TENANT).unwrap().is_empty());
    }
}
