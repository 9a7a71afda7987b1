//! The threads that run queries: a small pool, so that requests neither overload the processor nor open a connection each.
//!
//! Each user has a queue, and the queues are served in turn: a user with many requests delays only their own. A request whose client disconnects
//! before its turn is not run.

use crate::error::Failure;
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use store::Cancel;
use tokio::sync::oneshot;
use uuid::Uuid;

/// Number of threads, whatever the machine has: a reading thread waits for the disk at times, and each one has a connection.
const THREADS: std::ops::RangeInclusive<usize> = 2..=4;

type Job = Box<dyn FnOnce() + Send>;

/// Threads that run until this is dropped.
pub struct QueryThreads(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    more: Condvar,
}

#[derive(Default)]
struct Queue {
    /// Users with waiting jobs, in the order of their turns; each once.
    users: VecDeque<Uuid>,
    jobs: HashMap<Uuid, VecDeque<Job>>,
    /// Idle threads.
    idle: usize,
    stopped: bool,
}

/// Load of the threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryLoad {
    /// Jobs that no thread has begun.
    pub waiting: usize,
    /// Idle threads.
    pub idle: usize,
}

/// The job panicked.
#[derive(Debug, thiserror::Error)]
#[error("a thread that reads ended its work in a panic")]
struct WorkPanic;

impl QueryThreads {
    /// Starts as many threads as the machine has cores, at least two and at most four.
    pub fn start() -> std::io::Result<Self> {
        let cores = thread::available_parallelism().map_or(*THREADS.start(), usize::from);
        Self::start_with(cores.clamp(*THREADS.start(), *THREADS.end()))
    }

    fn start_with(threads: usize) -> std::io::Result<Self> {
        let readers = Self(Arc::new(Shared { queue: Mutex::default(), more: Condvar::new() }));
        for _ in 0..threads {
            let shared = Arc::clone(&readers.0);
            thread::Builder::new().name("reader".to_owned()).spawn(move || shared.work())?;
        }
        Ok(readers)
    }

    /// The current load of the threads.
    pub fn load(&self) -> QueryLoad {
        let queue = self.0.lock();
        QueryLoad { waiting: queue.jobs.values().map(VecDeque::len).sum(), idle: queue.idle }
    }

    /// Runs `work` when it is the user's turn. Dropping the future cancels the work.
    pub async fn run<T: Send + 'static>(
        &self,
        user: Uuid,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let (tell, hear) = oneshot::channel();
        let hold = Hold::default();
        let cancel = hold.0.clone();
        self.0.add(
            user,
            Box::new(move || {
                if !cancel.is_cancelled() {
                    // The receiver may be gone.
                    let _ = tell.send(work(&cancel));
                }
            }),
        );
        hear.await.map_err(|_| Failure::fault(&WorkPanic))
    }
}

impl Drop for QueryThreads {
    fn drop(&mut self) {
        self.0.lock().stopped = true;
        self.0.more.notify_all();
    }
}

impl Shared {
    fn add(&self, user: Uuid, job: Job) {
        let mut queue = self.lock();
        queue.add(user, job);
        if queue.idle > 0 {
            drop(queue);
            self.more.notify_one();
        }
    }

    fn work(&self) {
        loop {
            let Some(job) = self.next() else { return };
            // The waiting request sees a closed channel; the thread continues with other jobs.
            drop(catch_unwind(AssertUnwindSafe(job)));
        }
    }

    /// The next job; `None` when there will be no more.
    fn next(&self) -> Option<Job> {
        let mut queue = self.lock();
        loop {
            if let Some(job) = queue.take() {
                return Some(job);
            }
            if queue.stopped {
                return None;
            }
            queue.idle += 1;
            queue = self.more.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.idle -= 1;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn add(&mut self, user: Uuid, job: Job) {
        let jobs = self.jobs.entry(user).or_default();
        if jobs.is_empty() {
            self.users.push_back(user);
        }
        jobs.push_back(job);
    }

    /// A job of the user whose turn it is. That user's next turn comes after those of all others.
    fn take(&mut self) -> Option<Job> {
        let user = self.users.pop_front()?;
        let jobs = self.jobs.get_mut(&user)?;
        let job = jobs.pop_front();
        if jobs.is_empty() {
            self.jobs.remove(&user);
        } else {
            self.users.push_back(user);
        }
        job
    }
}

/// Cancels a request when its client disconnects.
#[derive(Default)]
pub struct Hold(pub Cancel);

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::{QueryThreads, Queue};
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex};
    use uuid::Uuid;

    const ADA: Uuid = Uuid::from_u128(1);
    const BEN: Uuid = Uuid::from_u128(2);

    #[test]
    fn who_asks_much_waits_for_himself() {
        let (mut queue, done) = (Queue::default(), Arc::new(Mutex::new(Vec::new())));
        for (user, name) in [(ADA, "ada 1"), (ADA, "ada 2"), (ADA, "ada 3"), (BEN, "ben 1"), (BEN, "ben 2")] {
            let done = Arc::clone(&done);
            queue.add(user, Box::new(move || done.lock().unwrap().push(name)));
        }
        while let Some(job) = queue.take() {
            job();
        }
        assert_eq!(*done.lock().unwrap(), ["ada 1", "ben 1", "ada 2", "ben 2", "ada 3"]);
        assert!(queue.jobs.is_empty(), "who waits for nothing is forgotten");
    }

    #[tokio::test]
    async fn work_ends_in_a_panic_and_the_thread_works_on() {
        let readers = QueryThreads::start_with(1).unwrap();
        assert!(readers.run(ADA, |_| panic!("as a test")).await.map(|(): ()| ()).is_err());
        assert_eq!(readers.run(ADA, |_| 7).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn work_of_who_has_gone_is_cancelled_or_not_begun() {
        let readers = Arc::new(QueryThreads::start_with(1).unwrap());
        let (began, has_begun) = channel();
        let (end, ended) = channel();
        let first = tokio::spawn({
            let readers = Arc::clone(&readers);
            async move {
                readers
                    .run(ADA, move |cancel| {
                        began.send(()).unwrap();
                        while !cancel.is_cancelled() {
                            std::thread::yield_now();
                        }
                        end.send(()).unwrap();
                    })
                    .await
            }
        });
        tokio::task::spawn_blocking(move || has_begun.recv()).await.unwrap().unwrap();
        let (touch, touched) = channel();
        {
            let mut second = Box::pin(readers.run(BEN, move |_| touch.send(()).unwrap()));
            assert!(futures_util::poll!(&mut second).is_pending());
        }
        first.abort();
        tokio::task::spawn_blocking(move || ended.recv()).await.unwrap().unwrap();
        readers.run(BEN, |_| ()).await.unwrap();
        assert!(touched.try_recv().is_err(), "the second was not begun");
    }
}
