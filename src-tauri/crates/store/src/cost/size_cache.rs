//! Caches table sizes of PostgreSQL, which updates its counts rarely and needs a round trip for each query.

use catalogue::TableId;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// How long a size is cached, in microseconds.
const MAX_AGE: i64 = 60_000_000;

/// By table: the time of the query, in microseconds since 1970, and the number of rows.
#[derive(Default)]
pub(crate) struct SizeCache(Mutex<BTreeMap<TableId, (i64, u64)>>);

impl SizeCache {
    pub(super) fn get(&self, table: TableId, now: i64) -> Option<u64> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&table).filter(|(at, _)| (0..MAX_AGE).contains(&(now - at))).map(|(_, rows)| *rows)
    }

    pub(super) fn set(&self, table: TableId, now: i64, rows: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(table, (now, rows));
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_AGE, SizeCache};
    use catalogue::{Catalogue, Source};

    #[test]
    fn a_size_is_known_for_a_minute_and_not_before_it_was_asked_for() {
        let text = "\"A thing.\"\ntype thing @table(scope: everyone) {\n  id: uuid! @key\n}\n";
        let catalogue = Catalogue::parse(&[Source { name: "tables/a.graphql", text }]).unwrap();
        let table = catalogue.find("thing").unwrap();
        let sizes = SizeCache::default();
        assert_eq!(sizes.get(table, 10), None);
        sizes.set(table, 10, 7);
        assert_eq!([10, 9 + MAX_AGE].map(|now| sizes.get(table, now)), [Some(7); 2]);
        assert_eq!([9, 10 + MAX_AGE].map(|now| sizes.get(table, now)), [None; 2]);
    }
}
