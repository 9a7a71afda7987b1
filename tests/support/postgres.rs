//! PostgreSQL databases initialised by the product.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::programs;

/// The URL of a new one; `None` if PostgreSQL is not installed. A first start creates a hundred tables, which takes seconds: only the first
/// database of a test run is created that way, the others are copies of it.
pub fn begun() -> Option<String> {
    static FIRST: OnceLock<Option<String>> = OnceLock::new();
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let first = FIRST.get_or_init(begin).as_ref()?;
    let (server, name) = first.rsplit_once('/').unwrap();
    let copy = format!("copy{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let (all, statement) = (format!("{server}/postgres"), format!("CREATE DATABASE {copy} TEMPLATE {name}"));
    testkit::postgres::run(&all, &statement);
    Some(format!("{server}/{copy}"))
}

fn begin() -> Option<String> {
    let database = testkit::postgres::database()?;
    let folder = tempfile::tempdir().unwrap();
    let command = ["table", "dump", "tenant", "--database", &database];
    programs::run(folder.path(), &command).succeeded();
    Some(database)
}
