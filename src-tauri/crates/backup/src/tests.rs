//! The whole cycle on a real database: backups taken during writes, verified, restored, and interrupted at every step.

use crate::{
    BackupError, BackupFile, Folder, Manifest, Passphrase, Reason, RestoreOutcome, Source, finish, inspect,
    replaced, stage, take,
};
use catalogue::{Caller, Catalogue, ValueRef};
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use store::{Store, StoreError, eq};

/// 2026-11-20T06:38:00Z
const NOW: i64 = 1_795_156_680_000_000;
const DATABASE: &str = "quarterdeck.db";

mod entries;
mod interrupted;

const SCHEMA: &str = r#"
"A value."
type setting @table(scope: house, exposed: false) {
  name: String! @key
  value: String! @secret
  updated_at: timestamptz! @default(call: now)
}
"#;

struct Place {
    folder: tempfile::TempDir,
    /// The folder of backups; `None` for the default one in the data directory.
    backups: Option<PathBuf>,
    catalogue: Arc<Catalogue>,
}

impl Place {
    fn new() -> Self {
        let catalogue =
            Catalogue::parse(&[catalogue::Source { name: "tables/test.graphql", text: SCHEMA }]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let place = Self { folder, backups: None, catalogue: Arc::new(catalogue) };
        std::fs::create_dir(place.data_dir()).unwrap();
        place
    }

    fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn store(&self) -> Store {
        Store::open(&self.data_dir().join(DATABASE), Arc::clone(&self.catalogue)).unwrap()
    }

    fn backups(&self) -> Folder {
        let path = self.backups.clone().unwrap_or_else(|| self.data_dir().join("backups"));
        Folder::of(&self.data_dir(), path)
    }

    fn take(&self, store: &Store, passphrase: Option<&Passphrase>) -> Result<BackupFile, BackupError> {
        let data_dir = self.data_dir();
        let source = Source { store, data_dir: &data_dir, database: DATABASE, version: "0.1.0", redact };
        take(source, &self.backups(), Reason::ByHand, passphrase, NOW, &mut StdRng::seed_from_u64(1))
    }

    fn file(&self, kept: &BackupFile) -> PathBuf {
        self.backups().file(&kept.name).unwrap()
    }

    /// A backup as another program may write it: the database and one file.
    fn made_with(&self, store: &Store, path: &str, text: &str) -> PathBuf {
        let (root, archive) = (self.folder.path().join("made"), self.folder.path().join("made.tar.gz"));
        std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        store.copy_to(&root.join(DATABASE)).unwrap();
        std::fs::write(root.join(path), text).unwrap();
        let paths = [DATABASE, path].map(str::to_owned);
        let manifest = Manifest {
            format: crate::manifest::FORMAT,
            version: "0.1.0".to_owned(),
            taken_at: NOW,
            rows: BTreeMap::new(),
            files: paths.into_iter().map(|path| crate::archive::item(&root, path).unwrap()).collect(),
            left_out: Vec::new(),
        };
        crate::archive::write(&archive, &root, &manifest, None).unwrap();
        archive
    }

    fn stage(&self, path: &Path, passphrase: Option<&Passphrase>) -> Result<Manifest, BackupError> {
        self.stage_after(None, path, passphrase)
    }

    /// Stages a restore, with the backup that was taken before it.
    fn stage_after(
        &self,
        before: Option<&BackupFile>,
        path: &Path,
        passphrase: Option<&Passphrase>,
    ) -> Result<Manifest, BackupError> {
        let (data_dir, folder) = (self.data_dir(), self.backups());
        let place = crate::RestoreDestination {
            data_dir: &data_dir,
            database: DATABASE,
            folder: &folder,
            catalogue: &self.catalogue,
            before,
            expire_items: &|rows| rows.delete("setting", &[eq("name", "session")]).map(drop),
        };
        stage(path, passphrase, place, NOW)
    }

    fn try_finish(&self) -> Result<Option<RestoreOutcome>, BackupError> {
        finish(&self.data_dir(), DATABASE, self.backups().path(), Duration::ZERO)
    }

    fn finish(&self) -> Option<RestoreOutcome> {
        self.try_finish().unwrap()
    }
}

fn set(store: &Store, name: &str) {
    let row = [("name", name.into()), ("value", "x".into()), ("updated_at", ValueRef::Timestamp(NOW))];
    store.transaction::<_, StoreError>(&Caller::system(), |rows| rows.insert("setting", &row)).unwrap();
}

/// The row named `secret` is the secret in these tests.
fn redact(rows: &store::Transaction<'_>) -> Result<Vec<String>, StoreError> {
    let secret = [eq("name", "secret")];
    let found = rows.select("setting", &["value"], &secret)?;
    rows.delete("setting", &secret)?;
    Ok(found.iter().filter_map(|row| row[0].as_text().map(str::to_owned)).collect())
}

fn names(store: &Store) -> usize {
    store
        .snapshot::<_, StoreError>(&Caller::system(), |rows| rows.select("setting", &["name"], &[]))
        .unwrap()
        .len()
}

#[test]
fn what_was_backed_up_comes_back_and_what_it_replaced_is_kept() {
    let place = Place::new();
    let store = place.store();
    set(&store, "before");
    std::fs::create_dir(place.data_dir().join("incoming")).unwrap();
    std::fs::write(place.data_dir().join("incoming/bill.data"), "a bill").unwrap();
    std::fs::write(place.data_dir().join("incoming/half.part"), "half").unwrap();
    std::fs::create_dir(place.data_dir().join("models")).unwrap();
    std::fs::write(place.data_dir().join("models/large"), "weights").unwrap();
    let kept = place.take(&store, None).unwrap();
    assert!(kept.is_verified() && !kept.closed, "{kept:?}");
    let paths: Vec<String> =
        inspect(&place.file(&kept), None).unwrap().files.into_iter().map(|item| item.path).collect();
    assert_eq!(paths, [DATABASE, "incoming/bill.data"]);

    set(&store, "after");
    drop(store);
    std::fs::write(place.data_dir().join("new.txt"), "new").unwrap();
    let manifest = place.stage(&place.file(&kept), None).unwrap();
    assert_eq!(manifest.rows["setting"], 1);
    assert_eq!(names(&place.store()), 2, "nothing changes before the next start");
    let replaced = place.finish().unwrap();
    assert_eq!(names(&place.store()), 1);
    assert_eq!(std::fs::read_to_string(place.data_dir().join("incoming/bill.data")).unwrap(), "a bill");
    assert_eq!(
        std::fs::read_to_string(place.data_dir().join("models/large")).unwrap(),
        "weights",
        "models stay"
    );
    assert!(!place.data_dir().join("new.txt").exists());
    assert!(
        replaced.previous_files.join("new.txt").exists() && replaced.previous_files.join(DATABASE).exists()
    );
    assert!(place.file(&kept).exists(), "backups stay");
    assert_eq!(place.finish(), None);
}

#[test]
fn no_key_is_in_a_backup_and_a_restore_leaves_the_keys_where_they_are() {
    let place = Place::new();
    let store = place.store();
    for key in crate::layout::KEYS {
        std::fs::write(place.data_dir().join(key), "before").unwrap();
    }
    let kept = place.take(&store, None).unwrap();
    let paths: Vec<String> =
        inspect(&place.file(&kept), None).unwrap().files.into_iter().map(|item| item.path).collect();
    assert_eq!(paths, [DATABASE]);

    drop(store);
    for key in crate::layout::KEYS {
        std::fs::write(place.data_dir().join(key), "now").unwrap();
    }
    place.stage(&place.file(&kept), None).unwrap();
    let replaced = place.finish().unwrap();
    for key in crate::layout::KEYS {
        assert_eq!(std::fs::read_to_string(place.data_dir().join(key)).unwrap(), "now");
        assert!(!replaced.previous_files.join(key).exists());
    }
}

#[cfg(unix)]
#[test]
fn nothing_that_comes_out_of_a_backup_or_is_kept_of_it_can_be_read_by_others() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    std::fs::create_dir(place.data_dir().join("incoming")).unwrap();
    std::fs::write(place.data_dir().join("incoming/bill.data"), "a bill").unwrap();
    let kept = place.take(&place.store(), None).unwrap();
    place.stage(&place.file(&kept), None).unwrap();
    let new = place.data_dir().join("restore/new");
    let remark = place.backups().path().join(format!("{}.json", kept.name));
    let files = [new.join(DATABASE), new.join("incoming/bill.data"), place.file(&kept), remark];
    let modes = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(files.each_ref().map(|path| modes(path)), [0o600; 4]);
    assert_eq!(modes(&new.join("incoming")), 0o700);
}

#[test]
fn a_secret_is_in_no_byte_of_the_database_in_a_backup_and_stays_in_the_one_it_was_taken_of() {
    const SECRET: &str = "a signature made with this counts";
    let place = Place::new();
    let store = place.store();
    let row = |rows: &store::Transaction<'_>, name: &str, value: &str| {
        let time = ValueRef::Timestamp(NOW);
        rows.insert("setting", &[("name", name.into()), ("value", value.into()), ("updated_at", time)])
    };
    // SQLite moves other rows into the space of deleted ones, and the old bytes remain in the page.
    let write = |rows: &store::Transaction<'_>| {
        (0..150).try_for_each(|number| row(rows, &number.to_string(), &"x".repeat(100)))?;
        row(rows, "secret", SECRET)?;
        (150..300).try_for_each(|number| row(rows, &number.to_string(), &"x".repeat(100)))?;
        rows.delete("setting", &[eq("value", "x".repeat(100).as_str())])?;
        row(rows, "one", "x")
    };
    store.transaction::<_, StoreError>(&Caller::system(), write).unwrap();
    let kept = place.take(&store, None).unwrap();
    assert!(kept.is_verified(), "{kept:?}");
    place.stage(&place.file(&kept), None).unwrap();
    let bytes = std::fs::read(place.data_dir().join("restore/new").join(DATABASE)).unwrap();
    assert!(!bytes.windows(SECRET.len()).any(|found| found == SECRET.as_bytes()));
    let counted = |store: &Store| {
        let found = store.snapshot::<_, StoreError>(&Caller::system(), |rows| {
            rows.select("setting", &["name"], &[eq("value", SECRET)])
        });
        found.unwrap().len()
    };
    assert_eq!((counted(&store), inspect(&place.file(&kept), None).unwrap().rows["setting"]), (1, 1));
}

#[test]
fn what_must_not_count_again_has_ended_before_the_backup_is_put_in_place() {
    let place = Place::new();
    let store = place.store();
    set(&store, "session");
    set(&store, "one");
    let kept = place.take(&store, None).unwrap();
    let manifest = place.stage(&place.file(&kept), None).unwrap();
    assert_eq!(manifest.rows["setting"], 2);
    drop(store);
    place.finish().unwrap();
    assert_eq!(names(&place.store()), 1);
}

#[test]
fn a_key_that_came_in_a_backup_replaces_none() {
    let place = Place::new();
    std::fs::write(place.data_dir().join("secrets.key"), "ours").unwrap();
    let archive = place.made_with(&place.store(), "secrets.key", "theirs");
    place.stage(&archive, None).unwrap();
    place.finish().unwrap();
    assert_eq!(std::fs::read_to_string(place.data_dir().join("secrets.key")).unwrap(), "ours");
}

#[test]
fn what_was_put_aside_goes_with_time_where_a_sound_backup_has_the_same_and_else_by_hand_only() {
    const DAY: i64 = 86_400_000_000;
    let place = Place::new();
    let store = place.store();
    set(&store, "one");
    let kept = place.take(&store, None).unwrap();
    drop(store);
    for before in [Some(&kept), None] {
        place.stage_after(before, &place.file(&kept), None).unwrap();
        assert!(place.finish().is_some());
    }
    let (data_dir, folder) = (place.data_dir(), place.backups());
    let names = || -> Vec<(String, Option<String>)> {
        let all = replaced::list(&data_dir, &folder).unwrap();
        assert!(all.iter().all(|aside| aside.bytes > 4096 && aside.replaced_at == NOW), "{all:?}");
        all.into_iter().map(|aside| (aside.name, aside.backup)).collect()
    };
    let only_copy = ("2".to_owned(), None);
    assert_eq!(names(), [only_copy.clone(), ("1".to_owned(), Some(kept.name.clone()))]);
    let tidied = |days| replaced::remove_expired(&data_dir, &folder, 30, NOW + days * DAY).unwrap();
    assert_eq!(tidied(30), Vec::<String>::new());
    assert_eq!(tidied(31), ["1"]);
    assert_eq!(tidied(3000), Vec::<String>::new());
    assert_eq!(names(), [only_copy]);
    for name in ["..", "", "1", "2/old", "../backups"] {
        assert!(
            matches!(replaced::remove(&data_dir, name), Err(BackupError::NoReplacedData { .. })),
            "{name}"
        );
    }
    replaced::remove(&data_dir, "2").unwrap();
    assert_eq!(replaced::list(&data_dir, &folder).unwrap(), []);
}

#[test]
fn what_was_written_after_the_backup_of_it_was_taken_never_goes_by_itself() {
    let place = Place::new();
    let store = place.store();
    set(&store, "one");
    let kept = place.take(&store, None).unwrap();
    place.stage_after(Some(&kept), &place.file(&kept), None).unwrap();
    set(&store, "two");
    drop(store);
    let aside = place.finish().unwrap().previous_files;
    let all = replaced::list(&place.data_dir(), &place.backups()).unwrap();
    assert_eq!((all.len(), all[0].backup.as_deref()), (1, None));
    assert_eq!(names(&Store::open(&aside.join(DATABASE), Arc::clone(&place.catalogue)).unwrap()), 2);
}

#[test]
fn what_was_put_aside_is_the_only_copy_again_when_its_backup_has_gone() {
    let place = Place::new();
    let store = place.store();
    let kept = place.take(&store, None).unwrap();
    drop(store);
    place.stage_after(Some(&kept), &place.file(&kept), None).unwrap();
    place.finish().unwrap();
    place.backups().remove(&kept.name).unwrap();
    let all = replaced::list(&place.data_dir(), &place.backups()).unwrap();
    assert_eq!((all.len(), all[0].backup.as_deref()), (1, None));
}

#[test]
fn a_backup_taken_while_somebody_writes_is_one_moment() {
    let place = Place::new();
    let store = place.store();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Two rows per transaction: a consistent snapshot never has an odd number.
            for number in (0..).take_while(|_| !stop.load(Ordering::Relaxed)) {
                let pair = ["a", "b"].map(|half| format!("{number}{half}"));
                let write = |rows: &store::Transaction<'_>| {
                    pair.iter().try_for_each(|name| {
                        rows.insert(
                            "setting",
                            &[
                                ("name", name.as_str().into()),
                                ("value", "x".into()),
                                ("updated_at", ValueRef::Timestamp(NOW)),
                            ],
                        )
                    })
                };
                store.transaction::<_, StoreError>(&Caller::system(), write).unwrap();
            }
        });
        for step in 0..5 {
            let data_dir = place.data_dir();
            let source =
                Source { store: &store, data_dir: &data_dir, database: DATABASE, version: "0.1.0", redact };
            let kept = take(
                source,
                &place.backups(),
                Reason::Schedule,
                None,
                NOW + step * 1_000_000,
                &mut StdRng::seed_from_u64(1),
            )
            .unwrap();
            assert!(kept.is_verified(), "{kept:?}");
            let rows =
                inspect(&place.file(&kept), None).unwrap().rows.get("setting").copied().unwrap_or_default();
            assert_eq!(rows % 2, 0);
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_passphrase_closes_the_whole_of_it() {
    let place = Place::new();
    let store = place.store();
    set(&store, "findme");
    let passphrase = Passphrase::for_encryption("correct horse battery".to_owned()).unwrap();
    let kept = place.take(&store, Some(&passphrase)).unwrap();
    assert!(kept.closed && kept.is_verified(), "{kept:?}");
    let path = place.file(&kept);
    drop(store);
    assert!(matches!(place.stage(&path, None), Err(BackupError::NeedsPassphrase { .. })));
    place.stage(&path, Some(&passphrase)).unwrap();
    assert!(place.finish().is_some());
    assert_eq!(names(&place.store()), 1);
}

#[test]
fn a_database_that_somebody_has_open_is_not_moved() {
    let place = Place::new();
    let store = place.store();
    set(&store, "one");
    let kept = place.take(&store, None).unwrap();
    set(&store, "two");
    place.stage(&place.file(&kept), None).unwrap();
    let fault = place.try_finish().unwrap_err().to_string();
    assert!(fault.contains("while another program has it open"), "{fault}");
    assert_eq!(names(&store), 2);
    drop(store);
    assert!(place.finish().is_some());
    assert_eq!(names(&place.store()), 1);
}

#[test]
fn a_damaged_backup_is_never_put_in_place() {
    let place = Place::new();
    let store = place.store();
    set(&store, "one");
    let kept = place.take(&store, None).unwrap();
    let path = place.file(&kept);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    std::fs::write(&path, bytes).unwrap();
    assert!(matches!(place.stage(&path, None), Err(BackupError::Damaged { .. })));
    assert_eq!(place.finish(), None);
    assert_eq!(names(&place.store()), 1);
    let found = place.backups().find(&kept.name).unwrap();
    assert!(!found.is_verified(), "it would be offered again: {found:?}");
    assert_eq!(found.facts.taken_at, NOW);
}

#[test]
fn a_database_that_is_damaged_is_not_backed_up_over_good_copies_in_silence() {
    let place = Place::new();
    let store = place.store();
    let many = |rows: &store::Transaction<'_>| {
        (0..2000).try_for_each(|number| {
            let name = format!("a name that takes some room {number}");
            rows.insert(
                "setting",
                &[
                    ("name", name.as_str().into()),
                    ("value", "x".into()),
                    ("updated_at", ValueRef::Timestamp(NOW)),
                ],
            )
        })
    };
    store.transaction::<_, StoreError>(&Caller::system(), many).unwrap();
    drop(store);
    let database = place.data_dir().join(DATABASE);
    let mut bytes = std::fs::read(&database).unwrap();
    let third = bytes.len() / 3;
    bytes[third..third + 4096].fill(0xa5);
    std::fs::write(&database, bytes).unwrap();
    let fault = place.take(&place.store(), None).unwrap_err();
    assert!(fault.is_damage(), "{fault}");
    let listed = place.backups().list().unwrap();
    assert!(matches!(listed[0].facts.check, crate::Check::Failed { .. }), "{listed:?}");
}

#[test]
fn two_backups_at_once_are_refused_in_words() {
    let place = Place::new();
    let store = place.store();
    let lock = std::fs::File::create(place.backups().path().join("taking.lock")).unwrap();
    lock.lock().unwrap();
    let fault = place.take(&store, None).unwrap_err();
    assert!(fault.to_string().contains("another backup is being taken"), "{fault}");
    assert!(!fault.is_damage());
}
