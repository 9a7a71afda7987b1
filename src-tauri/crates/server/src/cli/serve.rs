//! `serve`: runs the service until it is told to stop.

use super::{CliError, output, with_env};
use crate::settings::{self, Settings};
use crate::signals::Signals;
use crate::{pages, service};
use clap::Args;

/// Run the service: pages and API
///
/// Prints the address and a link that signs the local administrator in, once. A new data directory gets its
/// database, its first tenant and its local administrator by itself. Stops at Ctrl-C or SIGTERM.
#[derive(Args)]
pub struct Serve {
    #[arg(long, value_name = "ADDRESS:PORT", help = with_env(&settings::LISTEN))]
    pub listen: Option<String>,
}

pub fn run(settings: Settings) -> Result<(), CliError> {
    // Only waits here: the service works on threads of its own.
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Runtime)?;
    runtime.block_on(serve(settings))?;
    // A request that hangs in the database must not keep the process.
    runtime.shutdown_background();
    Ok(())
}

async fn serve(mut settings: Settings) -> Result<(), CliError> {
    let mut signals = Signals::hear().map_err(CliError::Signals)?;
    while serve_once(&mut settings, &mut signals).await? {}
    Ok(())
}

/// One life of the service; whether another follows.
async fn serve_once(settings: &mut Settings, signals: &mut Signals) -> Result<bool, CliError> {
    let running = tokio::select! {
        running = service::start(settings.clone()) => running?,
        // A start that is left leaves what a kill leaves: nothing that the next one does not mend.
        () = signals.come() => return Ok(false),
    };
    // Whoever was asked to come back finds the same port.
    settings.listen = running.address;
    output::line(format!("Quarterdeck {} answers at {}", env!("CARGO_PKG_VERSION"), running.url()))?;
    if !pages::are_built() {
        output::line("Its pages were not built into this program; the API answers. `make run` builds both.")?;
    }
    output::line(format!("Open {}", running.start_link()))?;
    let restarts = tokio::select! {
        () = signals.come() => false,
        () = running.asked_to_restart() => true,
    };
    tracing::info!(restarts, "stopping");
    running.stop().await;
    Ok(restarts)
}
