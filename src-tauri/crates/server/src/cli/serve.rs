//! `serve`: runs the service until it is told to stop.

use super::{CliError, output, with_env};
use crate::settings::{self, Settings};
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
    while serve_once(&mut settings).await? {}
    Ok(())
}

/// One life of the service; whether another follows.
async fn serve_once(settings: &mut Settings) -> Result<bool, CliError> {
    let running = service::start(settings.clone()).await?;
    // Whoever was asked to come back finds the same port.
    settings.listen = running.address;
    output::line(format!("Quarterdeck {} answers at {}", env!("CARGO_PKG_VERSION"), running.url()))?;
    if !pages::are_built() {
        output::line("Its pages were not built into this program; the API answers. `make run` builds both.")?;
    }
    output::line(format!("Open {}", running.start_link()))?;
    let restarts = tokio::select! {
        () = asked_to_stop() => false,
        () = running.asked_to_restart() => true,
    };
    tracing::info!(restarts, "stopping");
    running.stop().await;
    Ok(restarts)
}

/// Waits for Ctrl-C or, on Unix, SIGTERM.
async fn asked_to_stop() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            tracing::warn!("Ctrl-C cannot be waited for on this system");
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending::<()>().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        () = interrupted => {}
        () = terminated => {}
    }
}
