//! The stored bytes of imported files, limited in total size.

use crate::error::chain;
use catalogue::Caller;
use ingest::Archive;
use model::tables::imports;
use model::{Read, row};
use std::collections::HashSet;
use store::{Store, StoreError};

row! { struct FileHash from imports { sha256 } }

/// Deletes the oldest files beyond the size limit of the archive, except those of unfinished imports of any tenant. An error is logged and does not
/// make an import fail.
pub fn prune(store: &Store, archive: &Archive) {
    let pruned = needed(store).map_err(|error| chain(&error)).and_then(|needed| {
        archive.prune(&needed).map_err(|error| format!("a file in the archive stays: {error}"))
    });
    if let Err(error) = pruned {
        tracing::warn!("kept files of imports were not looked through: {error}");
    }
}

/// Hashes of files that are still to be imported from the archive.
fn needed(store: &Store) -> Result<HashSet<String>, StoreError> {
    let states = ["waiting", "running", "needs_decision", "waiting_for_parts"];
    store.snapshot(&Caller::system(), |rows| {
        let found = rows.query::<FileHash>().filter(imports::state.one_of(states)).rows()?;
        Ok(found.into_iter().map(|import| import.sha256).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::catalogue_source;
    use store::StoreError;
    use uuid::Uuid;

    #[test]
    fn what_waits_for_a_decision_stays_though_it_is_the_oldest() {
        let folder = tempfile::tempdir().unwrap();
        let store =
            Store::open(&folder.path().join("test.db"), catalogue_source::load(None).unwrap()).unwrap();
        let archive = Archive::new(folder.path().join("imports"), 40);
        let file = folder.path().join("bill.csv");
        std::fs::write(&file, "abc").unwrap();
        let (tenant, user) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let [waiting, done] = ["a", "b"].map(|letter| letter.repeat(64));
        let by = [("created_by", user.into()), ("updated_by", user.into())];
        let stored: Result<(), StoreError> = store.transaction(&Caller::system(), |rows| {
            rows.insert(
                "users",
                &[("id", user.into()), ("display_name", "Owner".into()), ("username", "o".into())],
            )?;
            rows.insert(
                "tenant",
                &[&[("id", tenant.into()), ("name", "Acme".into())][..], &by[..]].concat(),
            )?;
            for (state, hash) in [("needs_decision", &waiting), ("done", &done)] {
                rows.insert(
                    "imports",
                    &[
                        ("tenant_id", tenant.into()),
                        ("file_name", "bill.csv".into()),
                        ("size_bytes", 3.into()),
                        ("sha256", hash.as_str().into()),
                        ("state", state.into()),
                    ],
                )?;
            }
            Ok(())
        });
        stored.unwrap();
        for hash in [&waiting, &done] {
            archive.store(&file, hash);
        }
        prune(&store, &archive);
        assert!(archive.find(&waiting).unwrap().is_some());
        assert!(archive.find(&done).unwrap().is_none());
    }
}
