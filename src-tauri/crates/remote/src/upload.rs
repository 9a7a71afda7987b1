//! Uploads of files to an instance. The HTTP client's read timeout begins with the request and ignores sent data, which would cut off long uploads;
//! here, the timeout counts from the last part that was sent.

use crate::RemoteError;
use futures_util::{Stream, StreamExt as _};
use outgoing::Fault;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// Timeout without any part being sent.
const SILENCE: Duration = Duration::from_mins(1);
/// Timeout for the response after everything was sent: a large file is first read and copied.
const ANSWER: Duration = Duration::from_mins(10);

/// The progress of an upload.
#[derive(Default, Clone)]
pub struct UploadMonitor {
    piece: Arc<Notify>,
    end: Arc<Notify>,
}

impl UploadMonitor {
    /// The same stream, with each part recorded as it is sent.
    pub fn watch<B>(
        &self,
        pieces: impl Stream<Item = Result<B, io::Error>> + Send + 'static,
    ) -> impl Stream<Item = Result<Vec<u8>, io::Error>> + Send + 'static
    where
        B: Into<Vec<u8>>,
    {
        let (piece, end) = (Arc::clone(&self.piece), Arc::clone(&self.end));
        let pieces = pieces.map(move |next| {
            piece.notify_one();
            next.map(Into::into)
        });
        pieces.chain(futures_util::stream::once(async move { end.notify_one() }).filter_map(async |()| None))
    }

    /// The result of `sending`, or an error if `host` was silent for too long.
    pub async fn until<T>(
        &self,
        host: &str,
        sending: impl Future<Output = Result<T, RemoteError>>,
    ) -> Result<T, RemoteError> {
        self.until_by(tokio::time::sleep, host, sending).await
    }

    async fn until_by<T, P: Future>(
        &self,
        pass: impl Fn(Duration) -> P,
        host: &str,
        sending: impl Future<Output = Result<T, RemoteError>>,
    ) -> Result<T, RemoteError> {
        let mut sending = pin!(sending);
        let mut patience = SILENCE;
        loop {
            tokio::select! {
                biased;
                outcome = &mut sending => return outcome,
                () = self.end.notified() => patience = ANSWER,
                () = self.piece.notified() => {}
                _ = pass(patience) => return Err(Fault::silent(host).into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;
    use std::sync::Mutex;

    /// Sends three parts, of which `taken` are accepted, and gets a response when all are. Returns the timeouts that were set, and the outcome; a
    /// timeout expires when nothing else is left to do.
    async fn sent(taken: usize) -> (Vec<Duration>, Result<(), RemoteError>) {
        let (going, waited) = (UploadMonitor::default(), Mutex::new(Vec::new()));
        let mut file = pin!(going.watch(stream::iter((0..3).map(|_| Ok(vec![0; 8])))));
        let sending = async {
            for _ in 0..taken {
                file.next().await;
                tokio::task::yield_now().await;
            }
            if taken <= 3 { std::future::pending().await } else { Ok(()) }
        };
        let pass = |time| {
            waited.lock().unwrap().push(time);
            // Longer than a part takes.
            async {
                for _ in 0..9 {
                    tokio::task::yield_now().await;
                }
            }
        };
        let outcome = going.until_by(pass, "desk.example.com", sending).await;
        (waited.into_inner().unwrap(), outcome)
    }

    #[tokio::test]
    async fn silence_counts_from_the_last_piece_and_an_answer_may_take_longer() {
        let (waited, outcome) = sent(4).await;
        outcome.unwrap();
        assert!(waited.len() >= 3 && waited[..3].iter().all(|time| *time == SILENCE), "{waited:?}");
        let (waited, outcome) = sent(2).await;
        let stuck = outcome.unwrap_err();
        assert!(stuck.is_away() && stuck.to_string().contains("desk.example.com took too long"), "{stuck}");
        assert_eq!(waited.last(), Some(&SILENCE));
    }

    #[tokio::test]
    async fn once_all_is_taken_the_answer_is_waited_for() {
        let going = UploadMonitor::default();
        going.watch(stream::empty::<Result<Vec<u8>, _>>()).collect::<Vec<_>>().await;
        let waited = Mutex::new(Vec::new());
        let pass = |time| {
            waited.lock().unwrap().push(time);
            std::future::ready(())
        };
        let outcome = going.until_by(pass, "desk.example.com", std::future::pending::<Result<(), _>>()).await;
        assert!(outcome.unwrap_err().is_away());
        assert_eq!(waited.lock().unwrap().last(), Some(&ANSWER));
    }
}
