//! Memory settings of SQLite's write connection.

use rusqlite::Connection;

/// Size of the writer's page cache.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cache {
    Usual,
    /// For writing very many rows.
    Load,
    /// For building an index: each of three threads sorts as much data as the cache may hold.
    Sort,
}

pub(crate) fn set_cache(connection: &Connection, cache: Cache) -> rusqlite::Result<()> {
    connection.execute_batch(match cache {
        Cache::Usual => "PRAGMA cache_size = -8192; PRAGMA threads = 0; PRAGMA shrink_memory",
        // Indices are built after the file has been read; the core that parsed it is then free to sort.
        Cache::Load => "PRAGMA cache_size = -65536; PRAGMA threads = 2",
        Cache::Sort => "PRAGMA cache_size = -16384; PRAGMA threads = 2",
    })
}
