//! The service as a whole: started from settings, assembled from the parts of its areas.

use crate::app::{App, Facts, InstanceState, MetricsState};
use crate::background::desktop_notices::{self, DesktopNotices};
use crate::background::workflow_runs::{self, Desks, ModelsDesk, Runner, environment_secrets};
use crate::background::{chores, download_notices, notices, segments, tickets};
use crate::backups::{BackupSchedule, BackupState};
use crate::data::directory::{DataDir, DataDirError, Lock};
use crate::guard::Access;
use crate::guard::concurrency::ConcurrencyLimiter;
use crate::guard::hosts::HostNames;
use crate::guard::login_tokens::LoginTokens;
use crate::guard::query_threads::QueryThreads;
use crate::guard::session_writer::SessionWriter;
use crate::jobs::findings;
use crate::jobs::watched_folders::{self, OwnFolder};
use crate::listen::connections::{self, ReadTimeouts};
use crate::listen::peer;
use crate::settings::Settings;
use crate::start::damage::with_recovery_option;
use crate::start::error::StartError;
use crate::start::listener::BoundListener;
use crate::start::parts::{self, ServiceParts};
use crate::start::running::Running;
use crate::start::runtime::Tasks;
use crate::start::upgrade::Upgrade;
use crate::window::WindowState;
use crate::window::host::Host;
use crate::window::open_files::OpenFileInbox;
use crate::{clock, logging, routes};
use auth::SecretCache;
use remote::{Here, Remotes};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, oneshot, watch};

/// How long to wait for a server that is stopping to release the data directory: a little more than its two stop timeouts.
const GIVEN_BACK_WITHIN: Duration = Duration::from_secs(10);

/// Starts the service: opens or creates the database, listens, and answers requests.
///
/// Also starts logging, unless the program has done so already.
pub async fn start(settings: Settings) -> Result<Running, StartError> {
    logging::start(&settings.log);
    let listener = BoundListener::open(settings.listen)?;
    start_at(listener, settings).await
}

/// Starts the service at a port that is bound already, such as that of a [previous service](Running::listener).
pub async fn start_at(listener: BoundListener, settings: Settings) -> Result<Running, StartError> {
    run(listener, settings, None).await
}

/// Starts the service at a port that is bound already, inside a window whose functions its pages may use. Settings about listening are ignored:
/// they are meant for a service without a window.
///
/// `opened` is notified when the database has been opened; most failures to start occur before that.
pub async fn start_behind(
    listener: BoundListener,
    mut settings: Settings,
    host: Arc<dyn Host>,
    opened: oneshot::Sender<()>,
) -> Result<Running, StartError> {
    logging::start(&settings.log);
    settings.listen = listener.address;
    settings.is_desktop = true;
    run(listener, settings, Some(Window { host, opened })).await
}

/// Parameters of a service inside a window.
struct Window {
    host: Arc<dyn Host>,
    opened: oneshot::Sender<()>,
}

async fn run(
    listener: BoundListener,
    settings: Settings,
    window: Option<Window>,
) -> Result<Running, StartError> {
    let tasks = Tasks::start().map_err(StartError::Threads)?;
    let complete = tasks.handle().spawn(begin(listener, settings, window)).await??;
    Ok(complete(tasks))
}

/// Starts all parts on the current runtime. The returned function completes the service with that runtime.
async fn begin(
    bound: BoundListener,
    settings: Settings,
    window: Option<Window>,
) -> Result<impl FnOnce(Tasks) -> Running + Send, StartError> {
    let data_dir = DataDir::create(&settings.data_dir)?;
    let mut lock = lock(&data_dir).await?;
    let (host, opened) = window.map(|Window { host, opened }| (host, opened)).unzip();
    let address = bound.address;
    let upgrade = Upgrade::expect_at(bound.handle()?);
    let parts = tokio::task::spawn_blocking({
        let (settings, progress) = (settings.clone(), upgrade.progress());
        move || {
            parts::open(data_dir, &settings, &base_url(&settings, address), opened, progress)
                .map_err(|error| with_recovery_option(error, &settings))
        }
    })
    .await??;
    if let Err(error) = lock.sign(address, settings.is_desktop) {
        tracing::warn!("the lock file does not say who has the data directory: {error}");
    }

    upgrade.end().await;
    let login_tokens = LoginTokens::default();
    let administrator = parts.administrator;
    let (socket, reservation) = bound
        .hand_over(&login_tokens, administrator, clock::now())
        .map_err(|cause| StartError::Listen { address, cause })?;
    let (stop, stopping) = watch::channel(false);
    let (tickets, notices) = (parts.tickets.clone(), parts.notices.clone());
    let runner = runner(&parts, &settings, address);
    let own_folder = OwnFolder {
        tenant: administrator.tenant,
        path: settings.importing.watched.clone(),
        every: settings.importing.watch_every,
    };
    let app = Arc::new(assemble(parts, settings, host, login_tokens, address, stopping.clone())?);

    let chores = tokio::spawn(chores::run(app.store.clone(), Arc::clone(&app.models.chat), stopping.clone()));
    let tickets = tokio::spawn(tickets::run(tickets, stopping.clone()));
    let notices = tokio::spawn(notices::run(notices, findings::take_over, stopping.clone()));
    let runs = tokio::spawn(workflow_runs::run(runner, stopping.clone()));
    let renewal = tokio::spawn(segments::run(app.store.clone(), stopping.clone()));
    let watching = tokio::spawn(watched_folders::run(Arc::clone(&app), own_folder, stopping.clone()));
    if app.window.host.is_some() {
        let downloads = app.models.downloads.clone();
        tokio::spawn(download_notices::follow(downloads, app.jobs.clone(), stopping.clone()));
        let (store, user) = (app.store.clone(), administrator.user);
        tokio::spawn(desktop_notices::follow(store, user, app.desktop_notices.clone(), stopping.clone()));
    }
    let router = routes::router(Arc::clone(&app));
    let task = tokio::spawn(connections::serve(socket, router, ReadTimeouts::default(), stopping));
    tracing::info!(%address, data_dir = %app.facts.data_dir.display(), "answering");
    Ok(move |tasks| Running {
        address,
        app,
        administrator,
        stop,
        task,
        renewal,
        watching,
        chores,
        tickets,
        notices,
        runs,
        tasks,
        reservation,
        lock,
    })
}

/// The base URL of links to this service, without a trailing slash.
fn base_url(settings: &Settings, address: SocketAddr) -> String {
    let given = settings.sign_on.given.get(auth::saml::settings::URL).cloned();
    given.unwrap_or_else(|| format!("http://{address}")).trim_end_matches('/').to_owned()
}

/// The component that runs workflows.
fn runner(parts: &ServiceParts, settings: &Settings, address: SocketAddr) -> Runner {
    Runner::new(
        parts.data.store.clone(),
        parts.models.downloads.clone(),
        settings.egress.clone(),
        settings.automation.clone(),
        &base_url(settings, address),
        environment_secrets(),
        Desks {
            models: ModelsDesk { engine: parts.engine.clone(), models: Arc::clone(&parts.models.chat) },
            tickets: parts.tickets.clone(),
        },
    )
}

/// Assembles the state shared by all requests.
fn assemble(
    parts: ServiceParts,
    settings: Settings,
    host: Option<Arc<dyn Host>>,
    login_tokens: LoginTokens,
    address: SocketAddr,
    stopping: watch::Receiver<bool>,
) -> Result<App, StartError> {
    let ServiceParts {
        data,
        administrator,
        engine,
        signer,
        imports,
        backups,
        models,
        jobs,
        metrics,
        key,
        ..
    } = parts;
    let (store, data_dir) = (data.store, data.data_dir.path().to_owned());
    let access = Access {
        store: store.clone(),
        signer,
        known: SecretCache::default(),
        hosts: HostNames::new(address, &own_names(&settings)),
        sessions: SessionWriter::start(store.clone(), settings.session_idle),
        login_tokens,
        session_lifetime: settings.session_lifetime,
        home: administrator.tenant,
        port: address.port(),
        is_for_this_computer: address.ip().is_loopback() && settings.hosts.is_empty(),
        hashing: Semaphore::new(2),
        requests: ConcurrencyLimiter::new(settings.limits.concurrent),
        connections: ConcurrencyLimiter::new(settings.limits.connections),
    };
    let here = Here { clock: clock::now, seal: key, is_own_user: peer::is_own_user };
    Ok(App {
        engine,
        readers: QueryThreads::start().map_err(StartError::Threads)?,
        access: Arc::new(access),
        imports,
        models,
        backups: BackupState {
            schedule: BackupSchedule::start(backups.clone()),
            service: backups,
            restart: Arc::default(),
        },
        window: WindowState { host, inbox: OpenFileInbox::in_data_dir(&data_dir) },
        instances: InstanceState {
            remotes: Remotes::new(store.clone(), &data_dir, here),
            keeper: administrator.user,
        },
        jobs,
        desktop_notices: DesktopNotices::default(),
        sign_on: settings.sign_on,
        limits: settings.limits,
        facts: Facts { address, data_dir, origins: settings.origins, started: clock::now() },
        metrics: MetricsState { counted: metrics, token: settings.metrics_token },
        draining: Arc::default(),
        sample: tokio::sync::Mutex::default(),
        stopping,
        store,
    })
}

/// Locks the data directory. Waits while the server that holds it is stopping.
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

/// The host names of the settings, and that of the URL to which browsers return after single sign-on.
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
