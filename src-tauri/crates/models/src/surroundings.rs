//! The environment of a download, replaceable in tests: time, randomness and free disk space.

use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::time::Duration;

/// A future that completes after some time.
pub type Passing<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Time, randomness and disk space.
pub trait Surroundings: Send + Sync {
    /// µs since 1970 UTC.
    fn now(&self) -> i64;
    /// Waits for some time.
    fn pass(&self, time: Duration) -> Passing<'_>;
    /// A random number from 0 to 1.
    fn chance(&self) -> f64;
    /// An identifier of the current boot of the machine; `None` if unknown.
    fn boot(&self) -> Option<String>;
    /// Bytes this program may still write on the volume of a folder.
    fn free_bytes(&self, folder: &Path) -> io::Result<u64>;
}
