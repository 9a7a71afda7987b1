//! Runs blocking work off the threads that answer requests.

use crate::error::Failure;

/// Runs blocking work, such as disk access, on a thread of the blocking pool.
///
/// # Errors
/// The error of `work`; an internal error if `work` panics.
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
