//! Options of downloads.

use std::time::Duration;

/// Options of downloads. The defaults are those of the product.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub connections: usize,
    /// Maximum number of bytes of one request, and minimum if there are several connections.
    pub most: u64,
    pub least: u64,
    /// Whether to retry forever without a connection.
    pub waits_for_network: bool,
    /// Number of attempts without a byte before giving up.
    pub tries: u32,
    /// Bytes of disk space to leave free.
    pub reserve: u64,
    /// Time without data after which a connection counts as stalled; `None` for the default.
    pub silence: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connections: 4,
            most: 64 << 20,
            least: 1 << 20,
            waits_for_network: true,
            tries: 8,
            reserve: 256 << 20,
            silence: None,
        }
    }
}
