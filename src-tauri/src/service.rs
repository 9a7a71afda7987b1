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

/// The first free port of these is used. Browsers store a page's data (theme, column widths) by origin including the port, and in this way a second
/// data directory mostly gets the same port each time, too.
const USUAL_PORTS: RangeInclusive<u16> = 8791..=8799;

/// Why the service is not running, for the user.
pub struct NotStarted {
    pub message: String,
    /// The backup that can be restored if the database is damaged.
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
            // The window restores the backup itself. An encrypted one needs a passphrase, and the message says where to enter it.
            StartError::Damaged { cause, way_out, .. } if !way_out.closed => {
                Self { message: cause, way_out: Some(way_out) }
            }
            error => chain(&error).into(),
        }
    }
}

/// A service that is starting while the window opens.
pub struct Starting {
    runtime: Handle,
    /// A single-use sign-in address. A request that arrives too early waits.
    pub entry: Url,
    opened: oneshot::Receiver<()>,
    started: JoinHandle<Result<Running, StartError>>,
}

impl Starting {
    /// Begins to start the service on `runtime`.
    pub fn begin(runtime: &Handle, settings: Settings, host: Arc<dyn Host>) -> Result<Self, NotStarted> {
        // 0 selects any free port.
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

    /// Waits until the database has been opened or that has failed. Returns whether the window may open.
    pub fn is_open(&mut self) -> bool {
        self.runtime.block_on(&mut self.opened).is_ok()
    }

    /// Waits until the service answers, or has failed to start.
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
    /// Starts the service on `runtime`. Returns it with a single-use sign-in address, or the reason why it did not start.
    pub fn start(
        runtime: &Handle,
        settings: Settings,
        host: Arc<dyn Host>,
    ) -> Result<(Self, Url), NotStarted> {
        Self::finished(Starting::begin(runtime, settings, host)?)
    }

    /// Starts the service again at the address of an earlier one, which the open window uses.
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

    /// A single-use sign-in address.
    pub fn link(&self) -> Url {
        self.running.sign_in_link().parse().expect("the service hands out a link that browsers read")
    }

    /// The running jobs of the service.
    pub fn works(&self) -> Vec<Work> {
        self.running.jobs().list()
    }

    /// Receives the end of every job from now on.
    pub fn listen(&self) -> UnboundedReceiver<WorkEnd> {
        self.running.jobs().listen()
    }

    /// Receives every notice raised from now on.
    pub fn hear_notices(&self) -> UnboundedReceiver<Vec<RaisedNotice>> {
        self.running.hear_notices()
    }

    /// A listener at its port, for the service that follows.
    pub fn door(&self) -> Result<BoundListener, StartError> {
        self.running.listener()
    }

    /// Waits for a request to stop and restart the service.
    pub fn asked_to_restart(&self) -> impl Future<Output = ()> + Send + use<> {
        self.running.asked_to_restart()
    }

    /// Stops the service: no new requests, and requests in progress have 3 s.
    pub fn stop(self) {
        self.runtime.block_on(self.running.stop());
    }
}

/// The first page with the code of `link`. The sign-in page would redirect there, but would be drawn first.
fn entry(link: &str) -> Url {
    let link: Url = link.parse().expect("the service hands out a link that browsers read");
    page_behind(&link, "/overview").expect("a path of the service is a page of it")
}
