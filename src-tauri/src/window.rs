//! The main window: opens it on a page, restricts it to the pages of its own service, brings it to the front.

use server::OnClose;
use tauri::webview::NewWindowResponse;
use tauri::{
    AppHandle, DragDropEvent, Manager, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, WindowEvent, Wry,
};

use crate::links::{Way, way};
use crate::saving::Saving;
use crate::{background, geometry, page, shell};

/// The label of the window in capabilities and window state.
const LABEL: &str = "main";

/// The label of the window shown in its place while there is no service.
const NOTICE_LABEL: &str = "notice";

/// The URL scheme of [`page::notice`]; see [`crate::shell`].
pub const NOTICE_SCHEME: &str = "notice";

/// Opens the window on `entry`, a page of the service. Other addresses open in the system's browser. `on_close` returns how running work is handled
/// when the window is closed.
pub fn open(
    app: &AppHandle,
    entry: Url,
    zoom: f64,
    on_close: impl Fn() -> OnClose + Send + 'static,
) -> tauri::Result<()> {
    let to = (app.clone(), entry.clone());
    let from = (app.clone(), entry.clone());
    let saving = Saving::default();
    let window = frame(app, LABEL, WebviewUrl::External(entry))
        .menu(crate::menu::build(app)?)
        .inner_size(1280.0, 800.0)
        .initialization_script(page::BEFORE_EVERY_PAGE)
        .on_navigation(move |address| {
            let (app, own) = &to;
            match way(address, own) {
                Way::Here => true,
                Way::Outside => {
                    open_outside(app, address);
                    false
                }
                Way::Nowhere => false,
            }
        })
        .on_new_window(move |address, _| {
            let (app, own) = &from;
            match way(&address, own) {
                Way::Here => {
                    if let Some(window) = app.get_webview_window(LABEL) {
                        drop(window.navigate(address));
                    }
                }
                Way::Outside => open_outside(app, &address),
                Way::Nowhere => {}
            }
            NewWindowResponse::Deny
        })
        .on_download(move |webview, event| {
            saving.follow(webview.app_handle(), event);
            true
        })
        .build()?;
    window.set_zoom(zoom)?;
    #[cfg(target_os = "linux")]
    crate::menu::add_keys(&window)?;
    let of = app.clone();
    window.on_window_event(move |event| {
        match event {
            WindowEvent::CloseRequested { api, .. } if background::keeps(&of, on_close()) => {
                api.prevent_close();
            }
            WindowEvent::Resized(_) | WindowEvent::Moved(_) => geometry::note(&of),
            // Not left to the page: WebKitGTK gives it only the names of such files.
            WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
                let (of, paths) = (of.clone(), paths.clone());
                tauri::async_runtime::spawn_blocking(move || shell::put_forward(&of, &paths));
            }
            _ => {}
        }
    });
    Ok(())
}

/// Opens another page of the service in the window.
pub fn go(app: &AppHandle, entry: Url) -> tauri::Result<()> {
    main(app).map_or(Ok(()), |window| window.navigate(entry))
}

/// Opens the window for a failed start.
pub fn open_notice(app: &AppHandle) -> tauri::Result<()> {
    let page = WebviewUrl::CustomProtocol(notice_address());
    frame(app, NOTICE_LABEL, page).inner_size(640.0, 360.0).build()?;
    Ok(())
}

/// Replaces the main window by the one for a failed start.
pub fn go_to_notice(app: &AppHandle) -> tauri::Result<()> {
    // First, because the program ends when it has no window.
    open_notice(app)?;
    app.get_webview_window(LABEL).map_or(Ok(()), |window| window.destroy())
}

/// Reloads the window for a failed start.
pub fn show_notice_again(app: &AppHandle) -> tauri::Result<()> {
    app.get_webview_window(NOTICE_LABEL).map_or(Ok(()), |window| window.navigate(notice_address()))
}

/// Closes the window for a failed start, after another one was opened.
pub fn close_notice(app: &AppHandle) -> tauri::Result<()> {
    app.get_webview_window(NOTICE_LABEL).map_or(Ok(()), |window| window.destroy())
}

fn notice_address() -> Url {
    Url::parse(&format!("{NOTICE_SCHEME}://localhost/")).expect("a scheme and a host are an address")
}

/// Brings the window to the front from any state, with an activation token if given (`activation.rs`).
pub fn raise(app: &AppHandle, token: Option<&str>) {
    let Some(window) = main(app) else { return };
    background::came_back(app);
    for step in [window.unminimize(), window.show(), window.set_focus()] {
        if let Err(error) = step {
            tracing::warn!(%error, "the window could not be brought to the front");
        }
    }
    #[cfg(target_os = "linux")]
    if let Some(token) = token.map(str::to_owned) {
        let done = app.run_on_main_thread(move || {
            log(crate::activation::follow(&window, &token), "the window could not be brought to the front");
        });
        log(done, "the window could not be brought to the front");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = token;
}

fn main(app: &AppHandle) -> Option<WebviewWindow> {
    app.get_webview_window(LABEL).or_else(|| app.get_webview_window(NOTICE_LABEL))
}

/// Hides the window. Returns whether that worked.
pub fn hide(app: &AppHandle) -> bool {
    main(app).is_some_and(|window| window.hide().is_ok())
}

/// Closes the window, which asks about running work.
pub fn close(app: &AppHandle) {
    log(main(app).map_or(Ok(()), |window| window.close()), "the window could not be closed");
}

/// Whether the window has the focus.
pub fn is_in_front(app: &AppHandle) -> bool {
    main(app).is_some_and(|window| window.is_focused().unwrap_or_default())
}

/// Sets the zoom of the pages.
pub fn zoom(app: &AppHandle, zoom: f64) {
    log(
        main(app).map_or(Ok(()), |window| window.set_zoom(zoom)),
        "the size of the pages could not be changed",
    );
}

/// Opens the print dialog.
pub fn print(app: &AppHandle) -> tauri::Result<()> {
    main(app).map_or(Ok(()), |window| window.print())
}

/// Reloads the current page.
pub fn reload(app: &AppHandle) {
    log(main(app).map_or(Ok(()), |window| window.reload()), "the page could not be loaded again");
}

/// Dispatches an event to the page; `ui/src/host/desktop.ts` listens.
pub fn tell(app: &AppHandle, event: &str, detail: &str) {
    // Encoded as JSON, so that the text cannot inject code.
    let script = format!(
        "dispatchEvent(new CustomEvent({}, {{ detail: {} }}))",
        serde_json::Value::from(event),
        serde_json::Value::from(detail)
    );
    log(main(app).map_or(Ok(()), |window| window.eval(script)), "the page could not be told");
}

/// Shows an error message on the page.
pub fn say(app: &AppHandle, trouble: &str) {
    tell(app, "quarterdeck:trouble", trouble);
}

/// Path and query of the current page.
pub fn shown_path(app: &AppHandle) -> String {
    let shown = main(app).and_then(|window| window.url().ok());
    let Some(shown) = shown else { return "/".to_owned() };
    let search = shown.query().map(|search| format!("?{search}")).unwrap_or_default();
    format!("{}{search}", shown.path())
}

/// The address of the page `path` (with its query) at the service that issued `link`, with the code of that link. `None` if `path` leads to another
/// origin.
pub fn page_behind(link: &Url, path: &str) -> Option<Url> {
    let mut page = link.join(path).ok()?;
    page.set_fragment(link.fragment());
    (page.origin() == link.origin()).then_some(page)
}

fn log(done: tauri::Result<()>, trouble: &str) {
    if let Err(error) = done {
        tracing::warn!(%error, "{trouble}");
    }
}

fn frame<'a>(app: &'a AppHandle, label: &str, page: WebviewUrl) -> WebviewWindowBuilder<'a, Wry, AppHandle> {
    WebviewWindowBuilder::new(app, label, page).title("Quarterdeck").min_inner_size(480.0, 360.0)
}

fn open_outside(app: &AppHandle, address: &Url) {
    if let Err(error) = tauri_plugin_opener::open_url(address.as_str(), None::<&str>) {
        tracing::warn!(%error, %address, "the system's browser did not open a link");
        say(
            app,
            &format!(
                "The system's browser did not open {address}: {error}. Open that address in a browser yourself."
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::page_behind;

    #[test]
    fn a_page_for_the_browser_carries_the_code_and_leads_nowhere_else() {
        let link = "http://127.0.0.1:8791/sign-in#code=abc".parse().unwrap();
        let page = page_behind(&link, "/costs/explorer?by=region").unwrap();
        assert_eq!(page.as_str(), "http://127.0.0.1:8791/costs/explorer?by=region#code=abc");
        assert_eq!(page_behind(&link, "//elsewhere.example.com/"), None);
        assert_eq!(page_behind(&link, "https://elsewhere.example.com/"), None);
    }
}
