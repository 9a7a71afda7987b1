//! Tests attacks on the port of this computer: by a page on another port in a signed-in browser, and by another user of the computer.

use crate::support::browser::Chromium;
use crate::support::service::Service;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Command;
use std::sync::{Arc, Mutex};

/// A foreign page on another port. It tries everything a page can do and records the results.
fn foreign_page(target: &str) -> String {
    let script = r"
        const target = 'TARGET', socket_target = target.replace('http', 'ws');
        const image = (path) => new Promise((done) => {
            const image = new Image();
            image.onload = () => done('LOADED');
            image.onerror = () => done('blocked');
            image.src = target + path;
        });
        const script = (path) => new Promise((done) => {
            const script = document.createElement('script');
            script.onload = () => done('RAN');
            script.onerror = () => done('blocked');
            script.src = target + path;
            document.body.append(script);
        });
        const read = async (path, init) => {
            try {
                const answer = await fetch(target + path, { credentials: 'include', ...init });
                return answer.type === 'opaque' ? 'opaque' : 'READ ' + (await answer.text());
            } catch { return 'blocked'; }
        };
        const socket = (path) => new Promise((done) => {
            const socket = new WebSocket(socket_target + path, 'graphql-transport-ws');
            socket.onopen = () => socket.send(JSON.stringify({ type: 'connection_init', payload: {} }));
            socket.onmessage = ({ data }) => done('HEARD ' + data);
            socket.onclose = () => done('closed');
        });
        const form = (path, body) => new Promise((done) => {
            const frame = document.createElement('iframe');
            frame.name = 'frame' + Math.random();
            document.body.append(frame);
            const form = document.createElement('form');
            Object.assign(form, { method: 'post', action: target + path, target: frame.name, enctype: 'text/plain' });
            const field = document.createElement('input');
            field.name = body;
            form.append(field);
            document.body.append(form);
            frame.onload = () => done('sent');
            frame.onerror = () => done('sent');
            form.submit();
        });
        const post = { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body: '{}' };
        const attacks = {
            'image of the session': () => image('/api/auth/session'),
            'script of the session': () => script('/api/auth/session'),
            'reading the session': () => read('/api/auth/session'),
            'reading it without cors': () => read('/api/auth/session', { mode: 'no-cors' }),
            'asking': () => read('/api/graphql', { method: 'POST', body: '{}' }),
            'hearing of changes': () => read('/api/changes'),
            'signing out': () => read('/api/auth/sign-out', post),
            'signing out everywhere': () => read('/api/auth/sign-out-everywhere', post),
            'a form that signs out': () => form('/api/auth/sign-out', '{}'),
            'a form that signs out everywhere': () => form('/api/auth/sign-out-everywhere', '{}'),
            'letting a desktop in': () => read('/api/auth/desktop/consent', post),
            'instances': () => read('/api/instances', { mode: 'no-cors' }),
            'a socket': () => socket('/api/graphql/ws'),
            'an image of another instance': () => image('/instances/INSTANCE/api/auth/session'),
            'asking another instance': () => read('/instances/INSTANCE/api/graphql', post),
            'a socket to another instance': () => socket('/instances/INSTANCE/api/graphql/ws'),
        };
        (async () => {
            const lines = [];
            for (const [name, attack] of Object.entries(attacks)) lines.push(name + ': ' + (await attack()));
            document.getElementById('came').innerText = lines.join('\n') + '\nALL TRIED';
        })();";
    let script = script.replace("TARGET", target).replace("INSTANCE", "1b4e28ba-2fa1-41d2-883f-0016d3cca427");
    format!("<!doctype html><meta charset=utf-8><body><pre id=came>trying</pre><script>{script}</script>")
}

/// A page served on a port of this computer.
struct Shown {
    address: String,
    /// Every line of every request's header.
    heard: Arc<Mutex<Vec<String>>>,
}

fn show(page: String) -> Shown {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let heard = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&heard);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            notes.lock().unwrap().extend(lines.take_while(|line| !line.is_empty()));
            let length = page.len();
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{page}"
            );
        }
    });
    Shown { address, heard }
}

/// The status another user of this computer gets with that cookie; `None` unless this runs as root, which is required to act as another user.
fn answered_to(uid: &str, address: &str, cookie: &str) -> Option<String> {
    // Not as an argument, which other users could read.
    let script = "import os, urllib.request as r, urllib.error as e\n\
        try: print(r.urlopen(r.Request(os.environ['ADDRESS'], headers={'cookie': os.environ['COOKIE']})).status)\n\
        except e.HTTPError as error: print(error.code)";
    let switch = [&format!("--reuid={uid}"), &format!("--regid={uid}"), "--clear-groups"];
    let outcome = Command::new("setpriv")
        .args(switch)
        .args(["/usr/bin/python3", "-c", script])
        .envs([("ADDRESS", format!("{address}/api/auth/session")), ("COOKIE", cookie.to_owned())])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&outcome.stderr);
    let may_not = ["setresuid", "setresgid", "setgroups"].iter().any(|call| said.contains(call));
    assert!(may_not || outcome.status.success(), "{said}");
    (!may_not).then(|| String::from_utf8_lossy(&outcome.stdout).trim().to_owned())
}

#[tokio::test]
async fn a_page_on_another_port_of_this_computer_gets_nothing_and_changes_nothing() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("Import cost files").await;
    let foreign = show(foreign_page(&service.address));
    page.open(&foreign.address).await;
    page.shows("ALL TRIED").await;
    let came = page.text().await;
    for success in ["READ", "LOADED", "RAN", "HEARD", "administrator@localhost"] {
        assert!(!came.contains(success), "{came}");
    }
    // Browsers store cookies by host: a server on another port of this computer receives the session cookie, but cannot use it.
    let heard = foreign.heard.lock().unwrap().clone();
    let cookie = heard.iter().find_map(|line| line.to_lowercase().starts_with("cookie:").then(|| &line[8..]));
    let cookie = cookie.expect("the browser sends it to every port");
    if let Some(answered) = answered_to("65534", &service.address, cookie) {
        assert_eq!(answered, "401", "another user goes on in the session of somebody else");
        assert_eq!(answered_to("0", &service.address, cookie).as_deref(), Some("200"));
    }
    // The browser is still signed in: none of the requests had an effect.
    page.open(&format!("{}/overview", service.address)).await;
    page.shows("Import cost files").await;
    chromium.page.close().await;
}

#[tokio::test]
async fn a_name_of_somebody_else_that_leads_to_this_computer_leads_nowhere() {
    let service = Service::start();
    let switch = "--host-resolver-rules=MAP rebound.example.com 127.0.0.1";
    let chromium = Chromium::start_with(&[switch]).await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("Import cost files").await;
    page.open(&format!("http://rebound.example.com:{}/overview", service.port())).await;
    page.shows("This service does not answer for the host").await;
    // A page with that host name and our port: for the browser it has the same origin.
    let asked = "const answer = await fetch('/api/about'); return answer.status;";
    assert_eq!(page.ask(asked).await, 421);
    let socket = "return await new Promise((done) => {
        const socket = new WebSocket('ws://' + location.host + '/api/graphql/ws', 'graphql-transport-ws');
        socket.onopen = () => done('open');
        socket.onerror = () => done('refused');
    });";
    assert_eq!(page.ask(socket).await, "refused");
    chromium.page.close().await;
}

/// The permissions of users other than a file's owner.
#[cfg(target_os = "linux")]
const OTHERS: u32 = 0o077;

/// All files below `folder` that users other than their owner can access.
#[cfg(target_os = "linux")]
fn open_to_others(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let Ok(about) = entry.metadata() else { continue };
        if about.permissions().mode() & OTHERS == 0 {
            continue;
        }
        if about.is_dir() {
            found.extend(open_to_others(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn another_user_of_this_computer_reads_nothing_even_in_a_folder_that_is_open() {
    use std::os::unix::fs::PermissionsExt;
    let open = std::fs::Permissions::from_mode(0o755);
    let (data_dir, temporary) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for folder in [data_dir.path(), temporary.path()] {
        std::fs::set_permissions(folder, open.clone()).unwrap();
    }
    let at = temporary.path().to_str().unwrap();
    let service = Service::start_in(data_dir, &[("TMPDIR", at)]);
    let administrator = service.client().await;
    let bill = std::fs::read(crate::support::fixture("september.csv")).unwrap();
    let import = administrator.request(reqwest::Method::POST, "/api/imports?name=september.csv").body(bill);
    assert_eq!(import.send().await.unwrap().status(), 202);
    assert_eq!(administrator.post("/api/backups", &serde_json::json!({})).await.status, 201);
    let found = open_to_others(service.data_dir());
    // It contains the id of the process that uses the folder, and its address.
    assert!(found.iter().all(|path| path.ends_with("server.lock")), "{found:?}");
    assert_eq!(open_to_others(temporary.path()), Vec::<std::path::PathBuf>::new());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn another_user_of_this_computer_finds_no_secret_lying_about() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let data_dir = tempfile::tempdir_in(&folder).unwrap();
    // With the permissions that a careless user leaves.
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::remove_dir(data_dir.path()).unwrap();
    let service = Service::start_on(data_dir);
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode();
    assert_eq!(mode(service.data_dir()) & 0o077, 0, "others can look into the data directory");

    let code = service.sign_in_link.split_once("#code=").unwrap().1;
    let process = std::path::PathBuf::from(format!("/proc/{}", service.process()));
    let told = std::fs::read(process.join("cmdline")).unwrap();
    assert!(!String::from_utf8_lossy(&told).contains(code));
    let environment = std::fs::read(process.join("environ")).unwrap();
    assert!(!String::from_utf8_lossy(&environment).contains(code));
}
