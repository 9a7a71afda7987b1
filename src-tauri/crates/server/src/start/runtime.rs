//! Where all work of one service goes on, so that stopping the service ends all of it: connections, subscriptions, chores, and what waits for the disk.
//!
//! It is a runtime of its own. Whoever starts a service (the command line, a window, a test) keeps theirs, and two services in one process do not
//! hold each other up.

use std::io;
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};

/// Runs tasks until it is ended or dropped.
pub struct Tasks {
    handle: Handle,
    /// `None` once it was ended.
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

    /// Ends every task where it waits next, and waits for work that blocks, but no longer than `patience`.
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
        // Nobody may wait here: this can be a thread that runs other tasks.
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
