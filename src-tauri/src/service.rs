//! The service inside this process: the same server as `quarterdeck-server`, on a port that only this computer reaches.

use std::net::Ipv4Addr;
use std::ops::RangeInclusive;
use std::sync::Arc;

use server::{
    BoundListener, Host, RaisedNotice, RecoveryOption, Running, Settings, StartError, Work, WorkEnd, chain,
    start_behind,
};
use tauri::Url;
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::window::page_behind;

/// The first of these that is free is taken: a browser keeps what a page remembers (theme, column widths) under the port it came from, and so a second
/// data directory has the same one again, too, most of the time.
const USUAL_PORTS: RangeInclusive<u16> = 8791..=8799;

/// Why there is no service, for the person in front of the window.
pub struct NotStarted {
    pub message: String,
    /// What may be put back instead, where the database is damaged.
    pub way_out: Option<RecoveryOption>,
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

/// A service that is starting, while a window opens on it.
pub struct Starting {
    runtime: Handle,
    /// An address that signs the opener in, once: who opens it too early waits.
    pub entry: Url,
    opened: oneshot::Receiver<()>,
    started: JoinHandle<Result<Running, StartError>>,
}

impl Starting {
    /// Begins to start the service on `runtime`.
    pub fn begin(runtime: &Handle, settings: Settings, host: Arc<dyn Host>) -> Result<Self, NotStarted> {
        // 0 is any port that is free.
        let mut ports =
            USUAL_PORTS.chain([0]).map(|port| BoundListener::open((Ipv4Addr::LOCALHOST, port).into()));
        let door = ports.find(|opened| !matches!(opened, Err(StartError::PortInUse { .. })));
        let door = door.unwrap_or_else(|| BoundListener::open((Ipv4Addr::LOCALHOST, 0).into()))?;
        Ok(Self::begin_behind(door, runtime, settings, host))
    }

    fn begin_behind(door: BoundListener, runtime: &Handle, settings: Settings, host: Arc<dyn Host>) -> Self {
        let (tell, opened) = oneshot::channel();
        let entry = entry(&door.link());
        let started = runtime.spawn(start_behind(door, settings, host, tell));
        Self { runtime: runtime.clone(), entry, opened, started }
    }

    /// Waits until the database is met, or cannot be: tells whether a window may open.
    pub fn is_open(&mut self) -> bool {
        self.runtime.block_on(&mut self.opened).is_ok()
    }

    /// Waits until it answers; or the reason why it does not.
    pub async fn finish(self) -> Result<Service, NotStarted> {
        let running = self.started.await.map_err(StartError::from)??;
        Ok(Service { runtime: self.runtime, running })
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
        Self::finished(Starting::begin(runtime, settings, host)?)
    }

    /// The same, where an earlier one answered: its window knows that address as its own.
    pub fn start_again(
        runtime: &Handle,
        settings: Settings,
        door: BoundListener,
        host: Arc<dyn Host>,
    ) -> Result<(Self, Url), NotStarted> {
        Self::finished(Starting::begin_behind(door, runtime, settings, host))
    }

    fn finished(starting: Starting) -> Result<(Self, Url), NotStarted> {
        let (runtime, entry) = (starting.runtime.clone(), starting.entry.clone());
        Ok((runtime.block_on(starting.finish())?, entry))
    }

    /// An address that signs in whoever opens it, once.
    pub fn link(&self) -> Url {
        self.running.sign_in_link().parse().expect("the service hands out a link that browsers read")
    }

    /// What it is at that takes long.
    pub fn works(&self) -> Vec<Work> {
        self.running.jobs().list()
    }

    /// Hears of every work that ends from now on.
    pub fn listen(&self) -> UnboundedReceiver<WorkEnd> {
        self.running.jobs().listen()
    }

    /// Hears of every notice that is raised from now on.
    pub fn hear_notices(&self) -> UnboundedReceiver<Vec<RaisedNotice>> {
        self.running.hear_notices()
    }

    /// A door at its port, for the service that follows it.
    pub fn door(&self) -> Result<BoundListener, StartError> {
        self.running.listener()
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

/// The first page with the code of `link`: not the page for signing in, which leads there, too, but is another page to draw.
fn entry(link: &str) -> Url {
    let link: Url = link.parse().expect("the service hands out a link that browsers read");
    page_behind(&link, "/overview").expect("a path of the service is a page of it")
}
