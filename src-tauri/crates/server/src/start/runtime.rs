//! The runtime of one service. Stopping it ends all of its work: connections, subscriptions, background tasks, and blocking work.
//!
//! It is separate from the runtime of the caller that starts the service (the command line, a window, a test), and two services in one process do
//! not block each other.

use std::io;
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};

/// Runs tasks until it is ended or dropped.
pub struct Tasks {
    handle: Handle,
    /// `None` after it was ended.
    runtime: Option<Runtime>,
}

impl Tasks {
    pub fn start() -> io::Result<Self> {
        let runtime = Builder::new_multi_thread().thread_name("service").enable_all().build()?;
        Ok(Self { handle: runtime.handle().clone(), runtime: Some(runtime) })
    }

    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Cancels every task at its next await point, and waits for blocking work for at most `patience`.
    pub async fn end(mut self, patience: Duration) {
        if let Some(runtime) = self.runtime.take() {
            let ended = tokio::task::spawn_blocking(move || runtime.shutdown_timeout(patience)).await;
            if let Err(panic) = ended {
                tracing::error!("the tasks of the service ended in a panic: {panic}");
            }
        }
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        // Do not block here: this thread may run other tasks.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tasks;
    use std::sync::Arc;
    use std::time::Duration;

    #[tokio::test]
    async fn what_was_ended_holds_nothing_any_more() {
        let held = Arc::new(());
        let tasks = Tasks::start().unwrap();
        let (waits, works) = (Arc::clone(&held), Arc::clone(&held));
        tasks.handle().spawn(async move {
            std::future::pending::<()>().await;
            drop(waits);
        });
        let (begin, has_begun) = std::sync::mpsc::channel();
        tasks.handle().spawn_blocking(move || {
            has_begun.recv().unwrap();
            drop(works);
        });
        begin.send(()).unwrap();
        tasks.end(Duration::from_mins(1)).await;
        assert_eq!(Arc::strong_count(&held), 1);
    }
}
