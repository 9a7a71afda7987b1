//! What a download needs of the machine, so that a test can bring its own.

use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::time::Duration;

/// Some time, to be awaited.
pub type Passing<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Time, chance and disk.
pub trait Surroundings: Send + Sync {
    /// µs since 1970 UTC.
    fn now(&self) -> i64;
    /// Lets some time pass.
    fn pass(&self, time: Duration) -> Passing<'_>;
    /// A number from 0 to 1, another one each time.
    fn chance(&self) -> f64;
    /// What is another text after the machine was started anew; none where that cannot be known.
    fn boot(&self) -> Option<String>;
    /// Bytes this program may still write on the volume of a folder.
    fn free_bytes(&self, folder: &Path) -> io::Result<u64>;
}
