use super::*;
use crate::data::catalogue_source;
use tempfile::TempDir;

const HASH: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const TENANT: Uuid = Uuid::from_u128(1);
const PERSON: Uuid = Uuid::from_u128(2);
const START: i64 = 1_000_000_000_000_000;

/// Servers that share a database, each with its own folder.
struct Cluster {
    store: Store,
    folders: [TempDir; 2],
}

impl Cluster {
    /// `None` if no PostgreSQL is available.
    fn new() -> Option<Self> {
        let url = testkit::postgres::database()?;
        let catalogue = catalogue_source::load(None).unwrap();
        let store = Store::open_postgres(&url, catalogue).unwrap().with_clock(|| START);
        let by = [("created_by", PERSON.into()), ("updated_by", PERSON.into())];
        let made: Result<(), StoreError> = store.transaction(&Caller::system(), |rows| {
            rows.insert(
                "users",
                &[("id", PERSON.into()), ("display_name", "Owner".into()), ("username", "o".into())],
            )?;
            rows.insert("tenant", &[&[("id", TENANT.into()), ("name", "Acme".into())][..], &by[..]].concat())
        });
        made.unwrap();
        Some(Self { store, folders: [(), ()].map(|()| tempfile::tempdir().unwrap()) })
    }

    /// Starts a server with one of the folders.
    fn server(&self, place: usize) -> SharedQueue {
        let queue = self.at(place, || START);
        queue.begin().unwrap();
        queue
    }

    fn at(&self, place: usize, clock: fn() -> i64) -> SharedQueue {
        let (store, folder) = (self.store.clone().with_clock(clock), self.folders[place].path());
        let archive = Arc::new(Archive::new(folder.join("imports"), 1_000).shared_by(&store));
        SharedQueue::new(store, archive, folder, "http://127.0.0.1:1")
    }

    fn add(&self, queue: &SharedQueue, id: u128, batch: Option<Batch>) {
        let path = self.folders[0].path().join("file");
        std::fs::write(&path, "abc").unwrap();
        let upload = Upload {
            id: Uuid::from_u128(id),
            file_name: "bill.csv".to_owned(),
            location: "bill.csv".to_owned(),
            batch,
            size_bytes: 3,
            sha256: HASH.to_owned(),
            tenant: TENANT,
            user: PERSON,
            received_at: START + i64::try_from(id).unwrap(),
        };
        queue.add(&upload, &path).unwrap();
    }

    fn holds(&self, queue: &SharedQueue, id: u128) -> bool {
        self.store.snapshot(&Caller::system(), |rows| queue.holds(rows, Uuid::from_u128(id))).unwrap()
    }
}

fn ids(uploads: &[Upload]) -> Vec<u128> {
    uploads.iter().map(|upload| upload.id.as_u128()).collect()
}

#[test]
fn a_file_is_taken_by_one_server_and_taken_over_when_that_one_is_not_heard_of() {
    let Some(cluster) = Cluster::new() else { return };
    let first = cluster.server(0);
    cluster.add(&first, 7, None);
    assert_eq!(ids(&first.claim().unwrap()), [7]);
    cluster.server(1);
    let later = cluster.at(1, || START + GONE_AFTER - 1);
    later.beat().unwrap();
    assert_eq!(ids(&later.claim().unwrap()), [0; 0]);
    assert_eq!(first.progress(Uuid::from_u128(7), 2, 1).unwrap(), Tenure::Held);
    assert_eq!(later.find(TENANT, Uuid::from_u128(7)).unwrap().unwrap().bytes_read, 2);

    let after = cluster.at(1, || START + GONE_AFTER + 1);
    let taken = after.claim().unwrap();
    assert_eq!(ids(&taken), [7]);
    assert!(cluster.holds(&after, 7) && !cluster.holds(&first, 7));
    assert_eq!(first.progress(Uuid::from_u128(7), 3, 1).unwrap(), Tenure::Lost);
    // The bytes reached the other server through the database.
    let path = cluster.folders[1].path().join("fetched");
    after.fetch(&taken[0], &path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"abc");
}

#[test]
fn what_a_server_was_at_is_free_when_it_ends_and_when_it_starts_again() {
    let Some(cluster) = Cluster::new() else { return };
    let first = cluster.server(0);
    cluster.add(&first, 7, None);
    let second = cluster.server(1);
    assert_eq!(ids(&first.claim().unwrap()), [7]);
    assert_eq!(ids(&second.claim().unwrap()), [0; 0]);
    // Killed, and started again with the same folder.
    let again = cluster.server(0);
    assert_eq!(ids(&second.claim().unwrap()), [7]);
    second.end().unwrap();
    let taken = again.claim().unwrap();
    assert_eq!((ids(&taken), ids(&again.claim().unwrap())), (vec![7], vec![]));
    // A file that cannot be imported at the moment is released and waits.
    again.release(&taken).unwrap();
    assert_eq!(ids(&again.claim().unwrap()), [7]);
    again.remove(Uuid::from_u128(7)).unwrap();
    assert!(again.find(TENANT, Uuid::from_u128(7)).unwrap().is_none());
}

#[test]
fn files_that_were_handed_in_together_are_taken_together_whichever_servers_they_came_to() {
    let Some(cluster) = Cluster::new() else { return };
    let servers = [cluster.server(0), cluster.server(1)];
    let batch = Some(Batch { id: Uuid::from_u128(9), files: 3 });
    cluster.add(&servers[0], 1, batch);
    cluster.add(&servers[1], 2, batch);
    cluster.add(&servers[1], 3, None);
    assert_eq!(ids(&servers[0].claim().unwrap()), [3], "the batch is not complete");
    // The third file does not arrive after all.
    assert!(servers[1].close_batch(TENANT, Batch { id: Uuid::from_u128(9), files: 2 }).unwrap());
    let taken = servers[1].claim().unwrap();
    assert_eq!(ids(&taken), [1, 2]);
    assert_eq!(taken[0].batch, Some(Batch { id: Uuid::from_u128(9), files: 2 }));
    // A sender that is gone is not waited for.
    cluster.add(&servers[0], 4, Some(Batch { id: Uuid::from_u128(10), files: 2 }));
    let later = cluster.at(0, || START + LONGEST_SILENCE + 1);
    later.begin().unwrap();
    later.remove(Uuid::from_u128(1)).unwrap();
    later.remove(Uuid::from_u128(2)).unwrap();
    later.remove(Uuid::from_u128(3)).unwrap();
    assert_eq!(ids(&later.claim().unwrap()), [4]);
}

#[test]
fn a_person_gives_up_a_file_on_any_server() {
    let Some(cluster) = Cluster::new() else { return };
    let servers = [cluster.server(0), cluster.server(1)];
    let id = Uuid::from_u128(7);
    cluster.add(&servers[0], 7, None);
    assert!(!servers[1].cancel(Uuid::from_u128(5), id).unwrap(), "it is another tenant's");
    servers[0].claim().unwrap();
    assert!(servers[1].cancel(TENANT, id).unwrap());
    assert_eq!(servers[0].progress(id, 0, 0).unwrap(), Tenure::Cancelled);
    servers[0].end().unwrap();
    assert!(servers[1].cancel(TENANT, id).unwrap());
    assert!(!servers[1].cancel(TENANT, id).unwrap());
}

#[test]
fn bytes_from_before_the_database_was_shared_are_found_and_what_was_dropped_stays_dropped() {
    let Some(cluster) = Cluster::new() else { return };
    let folders = [0, 1].map(|place| cluster.folders[place].path());
    let file = folders[0].join("file");
    std::fs::write(&file, "abc").unwrap();
    Archive::new(folders[0].join("imports"), 1_000).store(&file, HASH);
    let archives =
        folders.map(|folder| Archive::new(folder.join("imports"), 1_000).shared_by(&cluster.store));
    assert!(archives[1].find(HASH).unwrap().is_none(), "nobody has told of it");
    assert!(archives[0].find(HASH).unwrap().is_some());
    assert!(archives[1].find(HASH).unwrap().is_some());
    assert!(archives[0].remove(HASH).unwrap());
    assert!(archives[1].find(HASH).unwrap().is_none(), "its copy counts no more");
    assert!(!archives[1].remove(HASH).unwrap() || archives[1].find(HASH).unwrap().is_none());
    // Imported again, it is stored again.
    archives[0].store(&file, HASH);
    assert!(archives[1].find(HASH).unwrap().is_some());
}
