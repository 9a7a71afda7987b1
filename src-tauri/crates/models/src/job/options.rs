//! How downloads are made.

use std::time::Duration;

/// How a download is made. The defaults are those of the product.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub connections: usize,
    /// Bytes that one request asks for at most, and at least where there are several connections.
    pub most: u64,
    pub least: u64,
    /// Whether to try for ever while nobody is reached.
    pub waits_for_network: bool,
    /// Tries without a byte before it is given up.
    pub tries: u32,
    /// Bytes of the disk that are left free.
    pub reserve: u64,
    /// Silence after which a connection counts as stalled; none for the product's.
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
