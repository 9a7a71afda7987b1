//! One life of the desktop program: service, window, end.

use std::sync::{Mutex, MutexGuard, PoisonError};

use server::{Settings, SettingsError, chain};
use tauri::http::{Response, header};
use tauri::{AppHandle, Builder, Manager, RunEvent};
use tokio::runtime::{Handle, Runtime};

use crate::service::Service;
use crate::{page, window};

/// Where the program stands.
enum Course {
    /// Nothing was started yet, or it was stopped.
    Idle,
    /// The service runs and the window shows it.
    Serving(Service),
    /// The service did not start; the window shows this message.
    Failed(String),
}

/// Shows the window until it is closed; the result is the exit code of the program: 1 when the service did not start.
///
/// # Errors
/// When no window is to be had; then nothing is on the screen.
pub fn run(settings: Result<Settings, SettingsError>) -> tauri::Result<u8> {
    let runtime = Runtime::new()?;
    let service_runtime = runtime.handle().clone();
    tauri::async_runtime::set(service_runtime.clone());

    let mut builder = Builder::default().manage(Mutex::new(Course::Idle));
    // A driver waits for the program that it started, so that one must not hand over to another.
    if !is_driven() {
        builder = builder
            .plugin(tauri_plugin_single_instance::init(|app, _, _| window::raise(app)))
            .plugin(tauri_plugin_window_state::Builder::new().build());
    }
    let app = builder
        .register_uri_scheme_protocol(window::NOTICE_SCHEME, |context, _| {
            let course = course(context.app_handle());
            let message = if let Course::Failed(message) = &*course { message } else { "" };
            Response::builder()
                .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
                .header(header::CONTENT_SECURITY_POLICY, page::NOTICE_POLICY)
                .body(page::notice(message).into_bytes())
                .expect("two fixed headers are valid")
        })
        // Plugins are set up before this: a second start has handed over by now and never touches the data directory.
        .setup(move |app| Ok(begin(app.handle(), &service_runtime, settings)?))
        .build(tauri::generate_context!())?;

    let code = app.run_return(|app, event| match event {
        RunEvent::ExitRequested { code: None, api, .. } if matches!(*course(app), Course::Failed(_)) => {
            api.prevent_exit();
            app.exit(1);
        }
        RunEvent::Exit => end(app),
        _ => {}
    });
    runtime.shutdown_background();
    Ok(u8::try_from(code).unwrap_or(1))
}

/// Starts the service with its settings, if they can be used, and opens the window on it, or on the reason why there is none.
fn begin(app: &AppHandle, runtime: &Handle, settings: Result<Settings, SettingsError>) -> tauri::Result<()> {
    exit_when_told(app, runtime);
    let started = settings
        .map_err(|error| chain(&error))
        .and_then(|settings| Ok((Service::start(runtime, settings.clone())?, settings)));
    match started {
        Ok(((service, entry), settings)) => {
            start_again_when_asked(app, runtime, &service, settings);
            *course(app) = Course::Serving(service);
            window::open(app, entry)
        }
        Err(message) => {
            tracing::error!("{message}");
            *course(app) = Course::Failed(message);
            window::open_notice(app)
        }
    }
}

/// Stops the service and starts it on the same address when it asks for that: a backup is put in place in between.
fn start_again_when_asked(app: &AppHandle, runtime: &Handle, service: &Service, settings: Settings) {
    let (asked, address) = (service.asked_to_restart(), service.address());
    let (app, handle) = (app.clone(), runtime.clone());
    runtime.spawn(async move {
        asked.await;
        // Stopping and starting wait for threads.
        tokio::task::spawn_blocking(move || {
            end(&app);
            let shown = match Service::start_again(&handle, settings.clone(), address) {
                Ok((service, entry)) => {
                    start_again_when_asked(&app, &handle, &service, settings);
                    *course(&app) = Course::Serving(service);
                    window::go(&app, entry)
                }
                Err(message) => {
                    tracing::error!("{message}");
                    *course(&app) = Course::Failed(message);
                    window::go_to_notice(&app)
                }
            };
            if let Err(error) = shown {
                tracing::error!(%error, "the window could not be shown again");
            }
        });
    });
}

/// Stops the service, if it still runs.
fn end(app: &AppHandle) {
    // The guard is gone before the service stops: stopping takes up to 3 s.
    let course = std::mem::replace(&mut *course(app), Course::Idle);
    if let Course::Serving(service) = course {
        service.stop();
    }
}

/// Ends the program in good order when the system or a terminal asks for it.
fn exit_when_told(app: &AppHandle, runtime: &Handle) {
    let app = app.clone();
    runtime.spawn(async move {
        match told_to_end().await {
            Ok(()) => app.exit(0),
            Err(error) => {
                tracing::warn!(%error, "signals cannot be heard; closing the window ends the program");
            }
        }
    });
}

#[cfg(unix)]
async fn told_to_end() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut term, mut int, mut hangup) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?, signal(SignalKind::hangup())?);
    tokio::select! {
        _ = term.recv() => {}
        _ = int.recv() => {}
        _ = hangup.recv() => {}
    }
    Ok(())
}

#[cfg(not(unix))]
async fn told_to_end() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}

fn course(app: &AppHandle) -> MutexGuard<'_, Course> {
    // A panic elsewhere leaves a whole value behind: it is replaced in one step.
    app.state::<Mutex<Course>>().inner().lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a WebDriver started this program; the variables are Tauri's own.
fn is_driven() -> bool {
    ["TAURI_AUTOMATION", "TAURI_WEBVIEW_AUTOMATION"].iter().any(|name| std::env::var_os(name).is_some())
}
