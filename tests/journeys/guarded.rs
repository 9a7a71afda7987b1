//! Tests that the window shows only its own service, and that no page can run commands of the window.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::support::desktop::{Window, until};
use crate::support::home::with_environment;
use crate::support::programs::executable;

/// Commands of Tauri and its plugins, permitted or not.
const COMMANDS: [&str; 8] = [
    "plugin:app|version",
    "plugin:event|emit",
    "plugin:opener|open_url",
    "plugin:path|resolve_directory",
    "plugin:webview|create_webview_window",
    "plugin:window|close",
    "plugin:window|get_all_windows",
    "plugin:autostart|enable",
];

/// A foreign page on this computer: its address, and the requests it received.
fn elsewhere() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/page", listener.local_addr().unwrap());
    let asked = Arc::<Mutex<Vec<String>>>::default();
    let noted = Arc::clone(&asked);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut line = String::new();
            // Browsers may open a connection in advance and not use it.
            if BufReader::new(&stream).read_line(&mut line).is_ok_and(|read| read > 0) {
                noted.lock().unwrap().push(line);
            }
            drop(write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi"));
        }
    });
    (address, asked)
}

/// The command lines of all processes with this `data_dir`.
fn command_lines(data_dir: &Path) -> Vec<String> {
    let mine = format!("QUARTERDECK_DATA_DIR={}", data_dir.display());
    with_environment(&mine)
        .filter_map(|process| {
            let line = std::fs::read(process.join("cmdline")).ok()?;
            let environment = std::fs::read(process.join("environ")).ok()?;
            Some(format!("{} {}", String::from_utf8_lossy(&line), String::from_utf8_lossy(&environment)))
        })
        .collect()
}

#[tokio::test]
async fn no_page_commands_the_window_and_addresses_of_others_open_outside_of_it() {
    let window = Window::open().await;
    let page = &window.page;
    page.shows("Import cost files").await;

    let calls = format!(
        "const commands = {}, told = [];
        const invoke = window.__TAURI_INTERNALS__?.invoke;
        for (const command of commands) {{
            const call = invoke ? invoke(command, {{ url: 'http://127.0.0.1:9', path: '/' }}) : Promise.reject('no way to');
            told.push(command + ': ' + (await call.then(() => 'DONE', () => 'refused')));
        }}
        return told.join('\\n') + '\\n' + ('__TAURI__' in window ? 'GLOBAL' : '');",
        serde_json::json!(COMMANDS)
    );
    let told = page.ask(&calls).await;
    let told = told.as_str().unwrap();
    assert_eq!(told.matches("refused").count(), COMMANDS.len(), "{told}");
    assert!(!told.contains("GLOBAL"), "{told}");

    // As a link, a new window and a frame: the first two open in the system's browser, the third nowhere.
    let (bin, opened) = (window.home().join("bin"), window.home().join("opened"));
    std::fs::create_dir(&bin).unwrap();
    executable(&bin, "xdg-open", &format!("#!/bin/sh\necho \"$1\" >> '{}'\n", opened.display()));
    let (foreign, asked) = elsewhere();
    let here = page.ask("return location.href;").await;
    let lines = || std::fs::read_to_string(&opened).unwrap_or_default().lines().count();
    page.run(&format!("location.assign('{foreign}?followed');")).await;
    until("the address that was followed", || lines() == 1).await;
    page.run(&format!(
        "const link = document.createElement('a'); link.href = '{foreign}?linked'; link.click();"
    ))
    .await;
    until("the address of the link", || lines() == 2).await;
    let framed = format!(
        "return await new Promise((done) => {{
            document.addEventListener('securitypolicyviolation', (event) => done(event.violatedDirective));
            const frame = document.createElement('iframe');
            frame.src = '{foreign}?framed';
            document.body.append(frame);
        }});"
    );
    let violated = page.ask(&framed).await;
    assert!(violated.as_str().is_some_and(|directive| directive.contains("frame-src")), "{violated}");
    assert_eq!(page.ask("return location.href;").await, here, "the window stays where it is");
    assert_eq!(*asked.lock().unwrap(), Vec::<String>::new(), "the window never asked for it itself");

    // The window's sign-in code is in no command line and no environment, including those of the web processes.
    let lines = command_lines(&window.home().join("data"));
    assert!(lines.len() > 1, "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains("code=")), "{lines:?}");
    window.page.close().await;
}
