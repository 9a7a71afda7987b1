//! Signals of the operating system or terminal that ask the program to end.

use std::future::poll_fn;
use std::io;
use std::task::Poll;

/// Listens for termination signals from its creation on. A signal that arrives before [`Self::come`] is awaited is not lost, and does not end the
/// process by itself.
pub struct Signals(Vec<Signal>);

#[cfg(unix)]
type Signal = tokio::signal::unix::Signal;
#[cfg(windows)]
type Signal = tokio::signal::windows::CtrlC;

impl Signals {
    /// Listens for Ctrl-C and, on Unix, SIGTERM. Requires a Tokio runtime.
    ///
    /// # Errors
    /// When the system refuses the registration. A signal then ends the process immediately.
    pub fn hear() -> io::Result<Self> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            Ok(Self(vec![signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?]))
        }
        #[cfg(windows)]
        Ok(Self(vec![tokio::signal::windows::ctrl_c()?]))
    }

    /// Listens for the signals of [`Self::hear`] and, on Unix, SIGHUP, which the terminal sends when it closes. A service does not listen for
    /// SIGHUP, to survive under `nohup`.
    ///
    /// # Errors
    /// As for [`Self::hear`].
    pub fn hear_hangup_too() -> io::Result<Self> {
        #[cfg_attr(windows, expect(unused_mut, reason = "there is nothing more to hear"))]
        let mut signals = Self::hear()?;
        #[cfg(unix)]
        signals.0.push(tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup())?);
        Ok(signals)
    }

    /// Waits for a termination signal.
    pub async fn come(&mut self) {
        poll_fn(|context| {
            let has_come = |signal: &mut Signal| signal.poll_recv(context).is_ready();
            // Poll every signal: each one must register its waker.
            let come = self.0.iter_mut().map(has_come).fold(false, |one, other| one | other);
            if come { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::Signals;
    use std::process::Command;

    #[tokio::test]
    async fn what_comes_before_somebody_waits_is_heard() {
        let mut signals = Signals::hear_hangup_too().unwrap();
        // Without a handler, SIGHUP would end this test.
        let told = Command::new("kill").args(["-HUP", &std::process::id().to_string()]).status().unwrap();
        assert!(told.success());
        signals.come().await;
    }
}
