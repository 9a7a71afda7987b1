//! Work that blocks a thread, away from the threads that answer requests.

use crate::error::Failure;

/// Runs what waits for the disk away from the threads that answer requests.
pub async fn blocking<T, E>(work: impl FnOnce() -> Result<T, E> + Send + 'static) -> Result<T, Failure>
where
    T: Send + 'static,
    E: Into<Failure> + Send + 'static,
{
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result.map_err(Into::into),
        Err(panic) => Err(Failure::fault(&panic)),
    }
}
