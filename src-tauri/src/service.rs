//! The service inside this process: the same server as `quarterdeck-server`, on a port that only this computer reaches.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use server::{Ended, Host, Running, Settings, StartError, WayOut, Work, chain};
use tauri::Url;
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedReceiver;

/// Taken when free: a browser keeps what a page remembers (theme, column widths) under the port it came from.
const USUAL_PORT: u16 = 8791;

/// Why there is no service, for the person in front of the window.
pub struct NotStarted {
    pub message: String,
    /// What may be put back instead, where the database is damaged.
    pub way_out: Option<WayOut>,
}

impl From<String> for NotStarted {
    fn from(message: String) -> Self {
        Self { message, way_out: None }
    }
}

impl From<StartError> for NotStarted {
    fn from(error: StartError) -> Self {
        match error {
            // The window puts it back itself; one that is closed needs a passphrase, and words say where to give it.
            StartError::Damaged { cause, way_out, .. } if !way_out.closed => {
                Self { message: cause, way_out: Some(way_out) }
            }
            error => chain(&error).into(),
        }
    }
}

/// A running service.
pub struct Service {
    runtime: Handle,
    running: Running,
}

impl Service {
    /// Starts the service on `runtime`. Returns it with an address that signs the opener in, once; or the reason why
    /// there is none.
    pub fn start(
        runtime: &Handle,
        settings: Settings,
        host: Arc<dyn Host>,
    ) -> Result<(Self, Url), NotStarted> {
        Self::opened(runtime, runtime.block_on(start_on_a_free_port(settings, host)))
    }

    /// The same, where an earlier one answered: its window knows that address as its own.
    pub fn start_again(
        runtime: &Handle,
        mut settings: Settings,
        address: SocketAddr,
        host: Arc<dyn Host>,
    ) -> Result<(Self, Url), NotStarted> {
        settings.listen = address;
        settings.is_desktop = true;
        Self::opened(runtime, runtime.block_on(server::start_around(settings, Some(host))))
    }

    fn opened(runtime: &Handle, started: Result<Running, StartError>) -> Result<(Self, Url), NotStarted> {
        let running = started?;
        let this = Self { runtime: runtime.clone(), running };
        let link = this.link();
        Ok((this, link))
    }

    /// An address that signs in whoever opens it, once.
    pub fn link(&self) -> Url {
        self.running.sign_in_link().parse().expect("the service hands out a link that browsers read")
    }

    /// What it is at that takes long.
    pub fn works(&self) -> Vec<Work> {
        self.running.works().list()
    }

    /// Hears of every work that ends from now on.
    pub fn listen(&self) -> UnboundedReceiver<Ended> {
        self.running.works().listen()
    }

    /// Puts files forward for import; how many wait now.
    pub fn put_forward(&self, files: &[PathBuf]) -> usize {
        self.running.put_forward(files)
    }

    /// Where it answers.
    pub fn address(&self) -> SocketAddr {
        self.running.address
    }

    /// Comes back when the service is to stop and start again.
    pub fn asked_to_restart(&self) -> impl Future<Output = ()> + Send + use<> {
        self.running.asked_to_restart()
    }

    /// Ends the service: no new requests, those under way have 3 s.
    pub fn stop(self) {
        self.runtime.block_on(self.running.stop());
    }
}

/// Whatever the settings say about listening is meant for the service without a window.
async fn start_on_a_free_port(mut settings: Settings, host: Arc<dyn Host>) -> Result<Running, StartError> {
    settings.listen = SocketAddr::from((Ipv4Addr::LOCALHOST, USUAL_PORT));
    settings.is_desktop = true;
    match server::start_around(settings.clone(), Some(Arc::clone(&host))).await {
        Err(StartError::PortInUse { .. }) => {
            settings.listen.set_port(0);
            server::start_around(settings, Some(host)).await
        }
        started => started,
    }
}
