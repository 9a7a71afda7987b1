//! `serve`: runs the service until it is asked to stop.

use super::{CliError, output, with_env};
use crate::listen::pages;
use crate::settings::{self, Settings};
use crate::signals::Signals;
use crate::start::listener::BoundListener;
use crate::start::{Running, StartError, start, start_at};
use clap::Args;
use std::time::Duration;

/// Run the service: pages and API
///
/// Prints the address and a one-time sign-in link for the local administrator. In a new data directory it creates the
/// database, the first tenant and the local administrator. Stops on Ctrl-C or SIGTERM.
#[derive(Args)]
pub struct Serve {
    #[arg(long, value_name = "ADDRESS:PORT", help = with_env(&settings::LISTEN))]
    pub listen: Option<String>,
}

pub fn run(settings: Settings) -> Result<(), CliError> {
    // This thread only waits: the service has threads of its own.
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Runtime)?;
    runtime.block_on(serve(settings))?;
    // A request that hangs in the database must not keep the process running.
    runtime.shutdown_background();
    Ok(())
}

async fn serve(settings: Settings) -> Result<(), CliError> {
    let mut signals = Signals::hear().map_err(CliError::Signals)?;
    let drain = settings.drain;
    let mut next = serve_once(start(settings.clone()), &mut signals, drain).await?;
    // After a restart, clients find the service at the same port.
    while let Some(door) = next {
        next = serve_once(start_at(door, settings.clone()), &mut signals, drain).await?;
    }
    Ok(())
}

/// Runs the service once. Returns the listener for the next run if a restart was requested.
async fn serve_once(
    starting: impl Future<Output = Result<Running, StartError>>,
    signals: &mut Signals,
    drain: Duration,
) -> Result<Option<BoundListener>, CliError> {
    let running = tokio::select! {
        running = starting => running?,
        // An aborted start leaves the same state as a kill, which the next start recovers from.
        () = signals.come() => return Ok(None),
    };
    output::line(format!("Quarterdeck {} answers at {}", env!("CARGO_PKG_VERSION"), running.url()))?;
    if !pages::are_built() {
        output::line("Its pages were not built into this program; the API answers. `make run` builds both.")?;
    }
    output::line(format!("Open {}", running.start_link()))?;
    let next = tokio::select! {
        () = signals.come() => None,
        () = running.asked_to_restart() => Some(running.listener()?),
    };
    if next.is_none() && !drain.is_zero() {
        tracing::info!(seconds = drain.as_secs(), "told to stop: takes no more work, and still answers");
        running.drain();
        // A second signal ends the wait.
        tokio::select! {
            () = tokio::time::sleep(drain) => {}
            () = signals.come() => {}
        }
    }
    tracing::info!(restarts = next.is_some(), "stopping");
    running.stop().await;
    Ok(next)
}
