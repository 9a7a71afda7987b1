//! The lifecycle of the desktop program: service, window, end.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use server::{OpenFileInbox, Settings, SettingsError, Signals, Work, chain};
use tauri::http::{Response, header};
use tauri::{AppHandle, Builder, Manager, RunEvent, Url};
use tokio::runtime::{Handle, Runtime};

use crate::arguments::StartArguments;
use crate::background::{self, Place};
use crate::desk::{Coming, Desk};
use crate::service::{NotStarted, Service, Starting};
use crate::single_instance::{self, Claim, ClaimOutcome, Stage};
use crate::{at_login, dialogs, folders, geometry, menu, page, window};

/// State of the program.
enum Course {
    /// Nothing was started yet, or it was stopped.
    Idle,
    /// The service runs and the window shows it.
    Serving(Box<Service>),
    /// The service did not start. The window shows the reason, and offers a recovery option if there is one.
    Failed(Box<FailedStart>),
}

/// A failed start, and what the next attempt needs.
struct FailedStart {
    why: NotStarted,
    settings: Option<Settings>,
}

impl Course {
    fn failed(why: NotStarted, settings: Option<Settings>) -> Self {
        tracing::error!("{}", why.message);
        Self::Failed(Box::new(FailedStart { why, settings }))
    }
}

/// Shows the window until it is closed, with the files in `given` put into the inbox for import; if another process owns the window, hands over to
/// it. Returns the exit code of the program: 1 if the service did not start. A start with the arguments `like_this` uses the same data.
///
/// # Errors
/// When no window can be opened; nothing is shown in that case.
pub fn run(
    settings: Result<Settings, SettingsError>,
    given: StartArguments,
    like_this: Vec<String>,
) -> tauri::Result<u8> {
    let claim = match settings.as_ref().map(|settings| single_instance::claim(&settings.data_dir, &given)) {
        Ok(Ok(ClaimOutcome::Handed)) => return Ok(0),
        Ok(Ok(ClaimOutcome::Ours(claim))) => Ok(Some(claim)),
        Ok(Err(error)) => Err(error),
        // Without settings, the data directory of the window is unknown.
        Err(_) => Ok(None),
    };
    let forward = settings.as_ref().ok().map(|settings| OpenFileInbox::in_data_dir(&settings.data_dir));
    let runtime = Runtime::new()?;
    let service_runtime = runtime.handle().clone();
    // Before anything runs that must end in good order.
    let signals = {
        let _inside = service_runtime.enter();
        Signals::hear_hangup_too()
    };
    tauri::async_runtime::set(service_runtime.clone());
    // Before and while the libraries of the window are loaded.
    let coming = Arc::new(Coming::default());
    let start = settings.map_err(|error| chain(&error)).map(|settings| {
        let starting = Starting::begin(&service_runtime, settings.clone(), coming.clone());
        (settings, starting)
    });

    // The service continues to start meanwhile.
    #[cfg(target_os = "linux")]
    crate::drawing::reach_display()?;
    let mut builder = Builder::default()
        .manage(Mutex::new(Course::Idle))
        .manage(Mutex::new(Place::default()))
        .manage(Mutex::new(Stage::default()))
        .manage(forward);
    if start.is_ok() {
        builder = single_instance::prepare(builder);
    }
    let app = at_login::prepare(geometry::prepare(builder))
        .on_menu_event(|app, event| menu::follow(app, &event))
        .register_uri_scheme_protocol(window::NOTICE_SCHEME, {
            let runtime = service_runtime.clone();
            move |context, request| {
                // Only pages of this program can request this address, and while there is no service, this page is the only one.
                let is_way_out = request.uri().path() == page::WAY_OUT;
                let page = if is_way_out && put_back(context.app_handle(), &runtime) {
                    page::putting_back()
                } else {
                    told(context.app_handle())
                };
                Response::builder()
                    .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
                    .header(header::CONTENT_SECURITY_POLICY, server::PLAIN_PAGE_POLICY)
                    .body(page.into_bytes())
                    .expect("two fixed headers are valid")
            }
        })
        .setup(move |app| {
            let app = app.handle();
            let FileOffer { troubles, .. } = put(app, &given.whole());
            begin(
                app,
                &service_runtime,
                Arc::new(Desk::new(app, like_this)?),
                &coming,
                claim,
                signals,
                start,
            )?;
            // There is no page yet that could show the message.
            if !troubles.is_empty() {
                dialogs::say(app, "Not put forward", troubles.join("\n\n"));
            }
            Ok(())
        })
        .build(tauri::generate_context!())?;

    let code = app.run_return(|app, event| match event {
        RunEvent::ExitRequested { code: None, api, .. } if matches!(*course(app), Course::Failed(_)) => {
            api.prevent_exit();
            app.exit(1);
        }
        RunEvent::Exit => {
            single_instance::end(app);
            end(app);
            single_instance::make_late_starts();
        }
        _ => {}
    });
    runtime.shutdown_background();
    Ok(u8::try_from(code).unwrap_or(1))
}

/// The result of a start so far: the settings and the starting service, or an error message.
type Start = Result<(Settings, Result<Starting, NotStarted>), String>;

/// Opens the window on the starting service, or on the page for a failed start.
fn begin(
    app: &AppHandle,
    runtime: &Handle,
    desk: Arc<Desk>,
    coming: &Coming,
    claim: io::Result<Option<Claim>>,
    signals: io::Result<Signals>,
    start: Start,
) -> tauri::Result<()> {
    exit_when_told(app, runtime, signals);
    let (claim, trouble) = claim.map_or_else(|error| (None, Some(error)), |claim| (claim, None));
    app.manage(Mutex::new(claim));
    single_instance::listen(app, runtime);
    folders::close(app);
    coming.has_come(Arc::clone(&desk));
    app.manage(Arc::clone(&desk));
    let (why, settings) = match start {
        Ok((settings, Ok(mut starting))) => {
            if starting.is_open() {
                if let Some(error) = trouble {
                    tracing::warn!(%error, "other starts on this data directory will not find this window");
                }
                show(app, &desk, starting.entry.clone())?;
                finish(app, runtime, starting, settings);
                return Ok(());
            }
            let failed = runtime.block_on(starting.finish()).err();
            (failed.unwrap_or_else(|| "The service did not start".to_owned().into()), Some(settings))
        }
        Ok((settings, Err(why))) => (why, Some(settings)),
        Err(message) => (message.into(), None),
    };
    *course(app) = Course::failed(why, settings);
    window::open_notice(app)?;
    single_instance::has_come(app);
    Ok(())
}

/// Opens the window on a page of the service.
fn show(app: &AppHandle, desk: &Arc<Desk>, entry: Url) -> tauri::Result<()> {
    let zoom = desk.kept().zoom;
    let desk = Arc::clone(desk);
    window::open(app, entry, zoom, move || desk.kept().on_close)?;
    single_instance::has_come(app);
    Ok(())
}

/// Waits for the service. The window is open already; its page waits, too.
fn finish(app: &AppHandle, runtime: &Handle, starting: Starting, settings: Settings) {
    let (app, handle) = (app.clone(), runtime.clone());
    runtime.spawn(async move {
        match starting.finish().await {
            Ok(service) => serve(&app, &handle, service, settings),
            Err(why) => {
                *course(&app) = Course::failed(why, Some(settings));
                if let Err(error) = window::go_to_notice(&app) {
                    tracing::error!(%error, "the window that says why there is no service did not open");
                }
            }
        }
    });
}

/// Starts the service and opens the window on it. Returns whether the service runs; otherwise the reason is in the state.
fn open(app: &AppHandle, runtime: &Handle, settings: &Settings) -> tauri::Result<bool> {
    let desk = app.state::<Arc<Desk>>().inner().clone();
    match Service::start(runtime, settings.clone(), desk.clone()) {
        Ok((service, entry)) => {
            serve(app, runtime, service, settings.clone());
            show(app, &desk, entry)?;
            Ok(true)
        }
        Err(why) => {
            *course(app) = Course::failed(why, Some(settings.clone()));
            Ok(false)
        }
    }
}

/// The page for a failed start.
fn told(app: &AppHandle) -> String {
    match &*course(app) {
        Course::Failed(failed) => page::notice(&failed.why.message, failed.why.way_out.as_ref()),
        _ => page::notice("", None),
    }
}

/// Restores the backup offered on the page, and opens the window. Returns whether there was one; a second click finds none.
fn put_back(app: &AppHandle, runtime: &Handle) -> bool {
    let found = match &mut *course(app) {
        Course::Failed(failed) => failed.why.way_out.take().zip(failed.settings.clone()),
        _ => None,
    };
    let Some((way_out, settings)) = found else { return false };
    let (app, handle) = (app.clone(), runtime.clone());
    // Unpacking takes time in proportion to the size of the backup.
    runtime.spawn_blocking(move || {
        let opened = match server::recover(&settings, &way_out) {
            Ok(_) => open(&app, &handle, &settings),
            Err(message) => {
                // If that backup is damaged, offers another one. An encrypted one cannot be offered, since this window has no passphrase field.
                let way_out = server::RecoveryOption::newest(&settings).filter(|way_out| !way_out.closed);
                *course(&app) = Course::failed(NotStarted { message, way_out }, Some(settings));
                Ok(false)
            }
        };
        let shown = match opened {
            Ok(true) => window::close_notice(&app),
            Ok(false) => window::show_notice_again(&app),
            Err(error) => Err(error),
        };
        if let Err(error) = shown {
            tracing::error!(%error, "the window could not be shown again");
        }
    });
    true
}

/// Stores the running service, subscribes to its jobs and notices, and restarts it on request.
fn serve(app: &AppHandle, runtime: &Handle, service: Service, settings: Settings) {
    runtime.spawn(background::listen(app.clone(), service.listen()));
    runtime.spawn(background::tell_notices(service.hear_notices()));
    start_again_when_asked(app, runtime, &service, settings);
    *course(app) = Course::Serving(Box::new(service));
}

/// Puts files, and those in folders, into the inbox for import, and notifies the page. They are stored on disk afterwards. Blocks the thread.
pub fn put_forward(app: &AppHandle, files: &[PathBuf]) {
    let FileOffer { waits, troubles } = put(app, files);
    for trouble in &troubles {
        window::say(app, trouble);
    }
    if waits {
        window::tell(app, "quarterdeck:files", "");
    }
}

/// The result of putting files into the inbox.
#[derive(Default)]
struct FileOffer {
    /// Whether at least one of them waits now.
    waits: bool,
    /// Messages for the user.
    troubles: Vec<String>,
}

fn put(app: &AppHandle, files: &[PathBuf]) -> FileOffer {
    // Without settings, the location of the inbox is unknown, and the window shows an error about them.
    let Some(forward) = app.state::<Option<OpenFileInbox>>().inner().as_ref().filter(|_| !files.is_empty())
    else {
        return FileOffer::default();
    };
    match forward.put(files) {
        Ok(refused) => {
            for refused in &refused {
                tracing::warn!("{refused}");
            }
            let said = |refused| format!("{refused}. It was not put forward.");
            FileOffer { waits: refused.len() < files.len(), troubles: refused.iter().map(said).collect() }
        }
        Err(error) => {
            tracing::error!("{error}");
            FileOffer { waits: false, troubles: vec![format!("Nothing was put forward: {error}")] }
        }
    }
}

/// The running jobs of the service; empty while it does not run.
pub fn works(app: &AppHandle) -> Vec<Work> {
    if let Course::Serving(service) = &*course(app) { service.works() } else { Vec::new() }
}

/// A single-use sign-in address.
pub fn link(app: &AppHandle) -> Option<Url> {
    if let Course::Serving(service) = &*course(app) { Some(service.link()) } else { None }
}

/// Stops the service and starts it at the same address on its request: a backup is restored in between.
fn start_again_when_asked(app: &AppHandle, runtime: &Handle, service: &Service, settings: Settings) {
    let asked = service.asked_to_restart();
    let (app, handle) = (app.clone(), runtime.clone());
    runtime.spawn(async move {
        asked.await;
        // Stopping and starting block.
        tokio::task::spawn_blocking(move || {
            // A service that was stopped meanwhile must not start again.
            let Some(service) = take(&app) else { return };
            let desk = app.state::<Arc<Desk>>().inner().clone();
            let door = service.door();
            service.stop();
            let started = door
                .map_err(NotStarted::from)
                .and_then(|door| Service::start_again(&handle, settings.clone(), door, desk));
            let shown = match started {
                Ok((service, entry)) => {
                    serve(&app, &handle, service, settings);
                    window::go(&app, entry)
                }
                Err(why) => {
                    *course(&app) = Course::failed(why, Some(settings));
                    window::go_to_notice(&app)
                }
            };
            if let Err(error) = shown {
                tracing::error!(%error, "the window could not be shown again");
            }
        });
    });
}

/// Stops the service if it still runs.
fn end(app: &AppHandle) {
    if let Some(service) = take(app) {
        service.stop();
    }
}

/// Takes the service out of the state if it still runs. The caller must stop it, which takes up to 3 s.
fn take(app: &AppHandle) -> Option<Box<Service>> {
    let mut course = course(app);
    match std::mem::replace(&mut *course, Course::Idle) {
        Course::Serving(service) => Some(service),
        other => {
            *course = other;
            None
        }
    }
}

/// Ends the program in good order on a signal.
fn exit_when_told(app: &AppHandle, runtime: &Handle, signals: io::Result<Signals>) {
    match signals {
        Ok(mut signals) => {
            let app = app.clone();
            runtime.spawn(async move {
                signals.come().await;
                #[cfg(target_os = "linux")]
                dialogs::shut_all();
                app.exit(0);
            });
        }
        Err(error) => tracing::warn!(%error, "signals cannot be heard; closing the window ends the program"),
    }
}

fn course(app: &AppHandle) -> MutexGuard<'_, Course> {
    // A poisoned lock still holds a valid value: it is replaced in one step.
    app.state::<Mutex<Course>>().inner().lock().unwrap_or_else(PoisonError::into_inner)
}
