//! What the system or a terminal tells a program: to end.

use std::future::poll_fn;
use std::io;
use std::task::Poll;

/// Hears that the program is to end, from the moment it is made: what comes before somebody waits for it is kept, and ends nothing by itself.
pub struct Signals(Vec<Signal>);

#[cfg(unix)]
type Signal = tokio::signal::unix::Signal;
#[cfg(windows)]
type Signal = tokio::signal::windows::CtrlC;

impl Signals {
    /// Hears Ctrl-C and, on Unix, SIGTERM. Only inside a runtime.
    ///
    /// # Errors
    /// When the system hands out none: then a signal ends the program where it stands.
    pub fn hear() -> io::Result<Self> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            Ok(Self(vec![signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?]))
        }
        #[cfg(windows)]
        Ok(Self(vec![tokio::signal::windows::ctrl_c()?]))
    }

    /// The same, and on Unix the end of the terminal that the program was started from. A service does not: `nohup` keeps it.
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

    /// Comes back when the program is to end.
    pub async fn come(&mut self) {
        poll_fn(|context| {
            let has_come = |signal: &mut Signal| signal.poll_recv(context).is_ready();
            // Each one is asked, so that each one wakes.
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
        // Would end this test if nobody heard it.
        let told = Command::new("kill").args(["-HUP", &std::process::id().to_string()]).status().unwrap();
        assert!(told.success());
        signals.come().await;
    }
}
