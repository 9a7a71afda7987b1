//! The service as a whole: started with settings, stopped by whoever started it.

use crate::app::App;
use crate::asked_models::AskedModels;
use crate::backups::{Depot, Watch};
use crate::chores;
use crate::clock;
use crate::damage::with_a_way_out;
use crate::data_dir::{DATABASE, DataDir, DataDirError, Lock};
use crate::door::{Door, Hinge};
use crate::error::chain;
use crate::forward::Forward;
use crate::guard::Names;
use crate::host::Host;
use crate::house::{House, HouseError};
use crate::imports_handler::ImportsHandler;
use crate::jobs::{Jobs, Spool};
use crate::later::Later;
use crate::links::{Guest, Links, Validity};
use crate::model_safe;
use crate::peer;
use crate::put_back::WayOut;
use crate::readers::Readers;
use crate::runner::{self, Runner, environment_secrets};
use crate::secret_key::SecretKey;
use crate::serving::{self, Patience};
use crate::settings::Settings;
use crate::tasks::Tasks;
use crate::tickets::{self, TicketDesk};
use crate::turns::Turns;
use crate::watched;
use crate::works::Works;
use crate::{downloads, logging, renewal, routes};
use auth::{AccountError, Known, Signer, household};
use remote::{Here, Remotes};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, oneshot, watch};
use tokio::task::JoinHandle;

/// How long requests may go on when the service stops.
const STOP_WITHIN: Duration = Duration::from_secs(3);

/// How long, after that, what was cut off may take to let go of the database. Together less than the ten seconds that containers are given to stop.
const LET_GO_WITHIN: Duration = Duration::from_secs(5);

/// How long a server that ends may take to give the data directory back: a little more than both.
const GIVEN_BACK_WITHIN: Duration = Duration::from_secs(10);

/// How long others may take to close a database that a restore replaces: what ended before a restart may still be ending.
const CLOSE_WITHIN: Duration = Duration::from_secs(30);

/// Why the service did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    House(#[from] HouseError),
    #[error(transparent)]
    DataDir(#[from] DataDirError),
    #[error("port {} is in use by another program; choose another one with --listen {}:PORT, or 0 for a free one", address.port(), address.ip())]
    PortInUse { address: SocketAddr },
    #[error("{address} cannot be listened on; choose another address with --listen")]
    Listen {
        address: SocketAddr,
        #[source]
        cause: std::io::Error,
    },
    #[error(transparent)]
    Account(#[from] AccountError),
    #[error(transparent)]
    Interface(#[from] graphql::BuildError),
    #[error("the folder of uploaded files {path} cannot be used")]
    Spool {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error(transparent)]
    Backup(#[from] backup::BackupError),
    #[error(
        "{cause}. The newest sound backup is {0}: `quarterdeck-server restore {0} --data-dir {data_dir}` (the program of the service, a \
             package of its own) shows what is in it and puts it back; what is there now is kept aside",
        way_out.backup
    )]
    Damaged { cause: String, way_out: WayOut, data_dir: String },
    #[error("the threads that answer requests cannot be started")]
    Threads(#[source] std::io::Error),
    #[error("the service was interrupted while it started")]
    Interrupted(#[from] tokio::task::JoinError),
}

/// A service that answers. Dropping it without [`Running::stop`] cuts everything off, and waits for nothing.
pub struct Running {
    /// Where it answers; the real port when the settings said 0.
    pub address: SocketAddr,
    pub(crate) app: Arc<App>,
    /// The local administrator.
    guest: Guest,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
    renewal: JoinHandle<()>,
    watching: JoinHandle<()>,
    chores: JoinHandle<()>,
    tickets: JoinHandle<()>,
    runs: JoinHandle<()>,
    tasks: Tasks,
    /// Keeps the port for the service after this one.
    hinge: Hinge,
    // Given back last.
    lock: Lock,
}

/// Starts the service: opens or creates the database, listens, answers.
///
/// Logging starts with it, unless the program has begun to log already.
pub async fn start(settings: Settings) -> Result<Running, StartError> {
    logging::start(&settings.log);
    let door = Door::open(settings.listen)?;
    start_at(door, settings).await
}

/// The same at a door that is open already: that of a [service before](Running::door).
pub async fn start_at(door: Door, settings: Settings) -> Result<Running, StartError> {
    run(door, settings, None).await
}

/// The same behind a door that is open already, inside a window, which its pages may ask for what a window does. What the settings say about
/// listening is meant for a service without a window.
///
/// `opened` is told when the database is met: what mostly keeps a service from starting has not happened then.
pub async fn start_behind(
    door: Door,
    mut settings: Settings,
    host: Arc<dyn Host>,
    opened: oneshot::Sender<()>,
) -> Result<Running, StartError> {
    logging::start(&settings.log);
    settings.listen = door.address;
    settings.is_desktop = true;
    run(door, settings, Some(Window { host, opened })).await
}

/// What a window brings along.
struct Window {
    host: Arc<dyn Host>,
    opened: oneshot::Sender<()>,
}

async fn run(door: Door, settings: Settings, window: Option<Window>) -> Result<Running, StartError> {
    let tasks = Tasks::start().map_err(StartError::Threads)?;
    let begun = tasks.handle().spawn(begin(door, settings, window)).await??;
    Ok(begun(tasks))
}

/// Begins everything where this runs; what comes of it is complete with the tasks it runs in.
async fn begin(
    door: Door,
    settings: Settings,
    window: Option<Window>,
) -> Result<impl FnOnce(Tasks) -> Running + Send, StartError> {
    let is_desktop = settings.is_desktop;
    let data_dir = DataDir::create(&settings.data_dir)?;
    let mut lock = lock(&data_dir).await?;
    let (host, opened) = window.map(|Window { host, opened }| (host, opened)).unzip();
    let address = door.address;
    let Opened {
        house,
        guest,
        engine,
        signer,
        jobs,
        archive,
        depot,
        models,
        providers,
        asked,
        tickets,
        works,
        keys,
    } = tokio::task::spawn_blocking({
        let settings = settings.clone();
        move || open(data_dir, &settings, opened).map_err(|error| with_a_way_out(error, &settings))
    })
    .await??;
    if let Err(error) = lock.sign(address, is_desktop) {
        tracing::warn!("the lock file does not say who has the data directory: {error}");
    }

    let links = Links::default();
    let (listener, hinge) =
        door.hand_over(&links, guest, clock::now()).map_err(|cause| StartError::Listen { address, cause })?;
    let (stop, stopping) = watch::channel(false);
    let base_url = settings.sign_on.given.get(auth::saml::settings::URL).cloned();
    let runner = Runner::new(
        house.store.clone(),
        models.clone(),
        settings.egress.clone(),
        settings.automation,
        base_url.unwrap_or_else(|| format!("http://{address}")).trim_end_matches('/'),
        environment_secrets(),
    );
    let app = Arc::new(App {
        engine,
        jobs,
        archive,
        works,
        backups: Watch::start(depot.clone()),
        depot,
        restart: Arc::default(),
        models,
        providers,
        asked,
        host,
        forward: Forward::in_data_dir(house.data_dir.path()),
        known: Known::default(),
        readers: Readers::start().map_err(StartError::Threads)?,
        later: Later::start(house.store.clone(), settings.session_idle),
        links,
        remotes: Remotes::new(
            house.store.clone(),
            house.data_dir.path(),
            Here { clock: clock::now, seal: keys, is_own_user: peer::is_own_user },
        ),
        keeper: guest.user,
        is_for_this_computer: address.ip().is_loopback() && settings.hosts.is_empty(),
        names: Names::new(address, &own_names(&settings)),
        store: house.store,
        signer,
        address,
        data_dir: house.data_dir.path().to_owned(),
        session_lifetime: settings.session_lifetime,
        sign_on: settings.sign_on,
        home: guest.tenant,
        sample: tokio::sync::Mutex::default(),
        hashing: Semaphore::new(2),
        most_lower: settings.importing.most_lower,
        limits: settings.limits,
        origins: settings.origins,
        started: clock::now(),
        turns: Turns::new(settings.limits.concurrent),
        connections: Turns::new(settings.limits.connections),
        stopping: stopping.clone(),
    });
    let chores = tokio::spawn(chores::run(app.store.clone(), Arc::clone(&app.asked), stopping.clone()));
    let tickets = tokio::spawn(tickets::run(tickets, stopping.clone()));
    let runs = tokio::spawn(runner::run(runner, stopping.clone()));
    let renewal = tokio::spawn(renewal::run(app.store.clone(), stopping.clone()));
    let watching = tokio::spawn(watched::run(Arc::clone(&app), settings.importing, stopping.clone()));
    if app.host.is_some() {
        tokio::spawn(downloads::follow(app.models.clone(), app.works.clone(), stopping.clone()));
    }
    let router = routes::router(Arc::clone(&app));
    let task = tokio::spawn(serving::serve(listener, router, Patience::default(), stopping));
    tracing::info!(%address, data_dir = %app.data_dir.display(), "answering");
    Ok(move |tasks| Running {
        address,
        app,
        guest,
        stop,
        task,
        renewal,
        watching,
        chores,
        tickets,
        runs,
        tasks,
        hinge,
        lock,
    })
}

/// Takes the data directory. One whose server is ending is waited for.
async fn lock(data_dir: &DataDir) -> Result<Lock, DataDirError> {
    let begun = Instant::now();
    loop {
        match data_dir.lock() {
            Err(error) if error.is_soon_over() && begun.elapsed() < GIVEN_BACK_WITHIN => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            taken => return taken,
        }
    }
}

/// The names of the settings, and the one browsers are told to come back to after signing in elsewhere.
fn own_names(settings: &Settings) -> Vec<String> {
    let mut names = settings.hosts.clone();
    let url = settings.sign_on.given.get(auth::saml::settings::URL);
    let host = url.and_then(|url| url.split_once("://")).and_then(|(_, rest)| rest.split('/').next());
    if let Some(host) =
        host.filter(|host| !host.is_empty() && (!names.is_empty() || settings.listen.ip().is_loopback()))
    {
        names.push(host.to_lowercase());
    }
    names
}

/// What starting finds on disk.
struct Opened {
    house: House,
    guest: Guest,
    engine: graphql::Engine,
    signer: Signer,
    jobs: Jobs,
    archive: Arc<ingest::Archive>,
    depot: Depot,
    models: models::Downloads,
    providers: llm::Providers,
    asked: Arc<dyn operations::Models>,
    tickets: TicketDesk,
    works: Works,
    keys: Arc<SecretKey>,
}

fn open(
    data_dir: DataDir,
    settings: &Settings,
    opened: Option<oneshot::Sender<()>>,
) -> Result<Opened, StartError> {
    let replaced = backup::finish(data_dir.path(), DATABASE, &settings.backups.folder, CLOSE_WITHIN)?;
    if let Some(replaced) = replaced {
        tracing::info!(aside = %replaced.aside.display(), "a backup was put back; what was there before is kept aside");
        for place in replaced.left {
            tracing::warn!(place = %place.display(), "this could not be moved aside and is where it was");
        }
    }
    let met = || {
        if let Some(opened) = opened {
            // Who has gone does not hear it.
            let _ = opened.send(());
        }
    };
    let house = House::open_in(data_dir, settings, None, met)?;
    let works = Works::default();
    let keys = Arc::new(SecretKey::of(house.data_dir.path(), settings.is_desktop));
    let depot = Depot::new(house.store.clone(), house.data_dir.path(), &settings.backups, Arc::clone(&keys))
        .telling(&works);
    let archive = Arc::new(ingest::Archive::new(house.data_dir.imports(), settings.importing.kept_bytes));
    let incoming = house.data_dir.incoming();
    let jobs = Spool::open(incoming.clone())
        .and_then(|spool| {
            Jobs::start(
                house.store.clone(),
                spool,
                Arc::clone(&archive),
                settings.importing.most_lower,
                &works,
            )
        })
        .map_err(|cause| StartError::Spool { path: incoming, cause })?;
    let models = open_models(&house, settings, Arc::clone(&keys));
    let tickets = TicketDesk::new(
        house.store.clone(),
        Arc::clone(&keys),
        models.clone(),
        settings.egress.clone(),
        house.tenant.id,
    );
    let providers = llm::Providers::new(house.store.clone(), settings.providers.clone(), clock::now)
        .with_keys(keys.clone())
        .with_downloads(models.clone());
    let asked: Arc<dyn operations::Models> = Arc::new(AskedModels(providers.clone()));
    // The catalogue inside the program can be served: its tests serve it. Without optimisation it is read from the project, where it is changed.
    let is_proved = settings.schema.is_none() && !cfg!(debug_assertions);
    let engine = if is_proved {
        graphql::Engine::over_proved(house.store.clone())
    } else {
        graphql::Engine::new(house.store.clone())?
    };
    let imports = ImportsHandler {
        store: house.store.clone(),
        archive: Arc::clone(&archive),
        most_lower: settings.importing.most_lower,
    };
    let operations =
        operations::all(providers.clone(), Arc::clone(&asked), Arc::new(tickets.clone()), Arc::new(imports));
    let engine = engine.with_operations(operations)?.with_limits(settings.limits.request);
    let signer = Signer::new(&house.signing_secret);
    auth::saml::warm_up();
    let guest = Guest { user: household::administrator(&house.store)?, tenant: house.tenant.id };
    Ok(Opened {
        house,
        guest,
        engine,
        signer,
        jobs,
        archive,
        depot,
        models,
        providers,
        asked,
        tickets,
        works,
        keys,
    })
}

/// The models, with what was under way when an earlier service ended. Trouble with them keeps nobody from the rest.
fn open_models(house: &House, settings: &Settings, keys: Arc<SecretKey>) -> models::Downloads {
    let models = model_safe::downloads(house, settings, keys);
    if let Err(failure) = models.put_secrets_away() {
        tracing::warn!("secrets of models stay in the database as they are: {failure}");
    }
    match models.library().map_err(models::LibraryError::from).and_then(|library| library.sweep(clock::now()))
    {
        Ok(0) => {}
        Ok(bytes) => tracing::info!(bytes, "files of models that nothing refers to were removed"),
        Err(error) => tracing::warn!("the models folder cannot be tidied: {}", chain(&error)),
    }
    if let Err(error) = models.restore() {
        tracing::error!("downloads of models cannot be taken up again: {}", chain(&error));
    }
    models
}

impl Running {
    /// Where a browser reaches the service.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it is at that takes long.
    pub fn works(&self) -> &Works {
        &self.app.works
    }

    /// A link that signs the local administrator in, once, within ten minutes, on this computer and for the user of this process alone
    /// (where the system tells them apart). For a window that opens now, and for the browser beside it.
    pub fn sign_in_link(&self) -> String {
        self.link(Validity::TenMinutes)
    }

    /// A link that signs the local administrator in, once, while this service runs. For people who read the terminal.
    pub fn start_link(&self) -> String {
        self.link(Validity::ThisRun)
    }

    fn link(&self, validity: Validity) -> String {
        let code = self.app.links.create(self.guest, validity, clock::now(), &mut rand::rng());
        sign_in_link(&self.url(), &code)
    }

    /// Comes back when somebody asked for the service to stop and start again, to put a backup in place, at the same [door](Running::door).
    pub fn asked_to_restart(&self) -> impl Future<Output = ()> + Send + use<> {
        // Without the service in it: what waits here must not keep the database open.
        let bell = Arc::clone(&self.app.restart);
        async move { bell.notified().await }
    }

    /// A door at the port of this service, for the one that follows it. Nobody else gets the port meanwhile, and who comes waits for that service.
    pub fn door(&self) -> Result<Door, StartError> {
        self.hinge.door().map_err(|cause| StartError::Listen { address: self.address, cause })
    }

    /// Lets requests finish, for three seconds at most, and stops: then nothing of it runs and nothing holds the database, unless work that cannot be
    /// cut off (a disk that does not answer) takes longer than eight seconds in all, which is logged. An import that runs is taken up at the next
    /// start.
    pub async fn stop(self) {
        let Self {
            app, stop, task, renewal, watching, chores, tickets, runs, tasks, hinge, mut lock, ..
        } = self;
        // Who comes now is refused at once, unless another service follows.
        drop(hinge);
        if let Err(error) = lock.sign_off() {
            tracing::warn!("the lock file does not say that the data directory is free soon: {error}");
        }
        // Nobody listening means that it has stopped already.
        let _ = stop.send(true);
        let closed = app.store.closed();
        let later = Arc::clone(&app);
        let threads = tasks.handle().spawn_blocking(move || {
            app.models.stop();
            app.providers.stop();
            app.jobs.stop();
            app.backups.stop();
        });
        let all = async { tokio::join!(task, threads, renewal, watching, chores, tickets, runs) };
        if tokio::time::timeout(STOP_WITHIN, all).await.is_err() {
            tracing::warn!("work was still going on after {} s and is cut off", STOP_WITHIN.as_secs());
        }
        // After the last answer: who was told of a sign-out that is not written down would be signed in again.
        let written = tasks.handle().spawn_blocking(move || later.later.stop());
        let let_go = async {
            // A panic in there is told where it is.
            let _ = written.await;
            tasks.end(LET_GO_WITHIN).await;
            closed.await;
        };
        if tokio::time::timeout(LET_GO_WITHIN, let_go).await.is_err() {
            tracing::error!(
                "something still holds the database {} s after it was cut off",
                LET_GO_WITHIN.as_secs()
            );
        }
    }
}

/// The link a code is handed out in. The code stands behind `#`: no browser sends that part anywhere or logs it.
pub fn sign_in_link(url: &str, code: &str) -> String {
    format!("{url}/sign-in#code={code}")
}
