//! Tests that several processes can open a database at once.

use super::sqlite::connect_writer;
use std::sync::Barrier;

#[test]
fn a_new_database_is_opened_by_several_at_the_same_moment() {
    for round in 0..40 {
        let folder = tempfile::tempdir().unwrap();
        let (path, start) = (folder.path().join("a.db"), Barrier::new(4));
        std::thread::scope(|scope| {
            let open = || {
                start.wait();
                connect_writer(&path).map(drop)
            };
            let opened: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
            for one in opened {
                assert_eq!(one.join().unwrap(), Ok(()), "round {round}");
            }
        });
    }
}
