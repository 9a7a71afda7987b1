//! How much memory the connection that writes to SQLite may take.

use rusqlite::Connection;

/// How much of the database the writer keeps in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cache {
    Usual,
    /// For very many rows.
    Load,
    /// While an index is built: each of three threads sorts as much as the cache may hold.
    Sort,
}

pub(crate) fn set_cache(connection: &Connection, cache: Cache) -> rusqlite::Result<()> {
    connection.execute_batch(match cache {
        Cache::Usual => "PRAGMA cache_size = -8192; PRAGMA threads = 0; PRAGMA shrink_memory",
        // Indices are built when the file is read, so the core that read it is free to sort.
        Cache::Load => "PRAGMA cache_size = -65536; PRAGMA threads = 2",
        Cache::Sort => "PRAGMA cache_size = -16384; PRAGMA threads = 2",
    })
}
