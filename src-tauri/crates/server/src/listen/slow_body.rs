//! Rejects bodies that arrive too slowly.

use hyper::body::{Body, Buf, Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep};

/// Minimum transfer rate of a body: at least `bytes` in each `time`. Only time spent waiting for the body counts.
#[derive(Debug, Clone, Copy)]
pub struct MinimumRate {
    pub bytes: usize,
    pub time: Duration,
}

/// The body arrived too slowly.
#[derive(Debug, thiserror::Error)]
#[error("less than {} bytes of it came in {} s", .0.bytes, .0.time.as_secs_f32())]
pub struct SlowBody(MinimumRate);

/// A body with a minimum transfer rate.
pub struct RateCheckedBody<B> {
    body: B,
    pace: MinimumRate,
    /// Bytes received since the period began.
    came: usize,
    waited: Duration,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl<B> RateCheckedBody<B> {
    pub fn new(body: B, pace: MinimumRate) -> Self {
        Self { body, pace, came: 0, waited: Duration::ZERO, waiting: None }
    }

    fn arrived(&mut self, bytes: usize) {
        if let Some((since, _)) = self.waiting.take() {
            self.waited += since.elapsed();
        }
        self.came += bytes;
        if self.came >= self.pace.bytes {
            (self.came, self.waited) = (0, Duration::ZERO);
        }
    }
}

impl<B> Body for RateCheckedBody<B>
where
    B: Body + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Data = B::Data;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let this = self.get_mut();
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) {
            let bytes = match &frame {
                Some(Ok(frame)) => frame.data_ref().map_or(0, Buf::remaining),
                _ => 0,
            };
            this.arrived(bytes);
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let left = this.pace.time.saturating_sub(this.waited);
        let (_, clock) = this.waiting.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
        ready!(clock.as_mut().poll(context));
        Poll::Ready(Some(Err(Box::new(SlowBody(this.pace)))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
