//! Tests of the functions of the window for pages.

use super::{Service, settings};
use crate::start::listener::BoundListener;
use crate::start::start_behind;
use crate::window::host::{Choice, Choices, FolderChosen, Host, HostError, OnClose};
use crate::window::open_files::OpenFileInbox;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// A simulated window that records its calls.
pub(super) struct Unseen {
    choices: Mutex<Choices>,
    asked: Mutex<Vec<String>>,
    /// The folder that is chosen next.
    pub(super) folder: Mutex<Option<PathBuf>>,
}

impl Default for Unseen {
    fn default() -> Self {
        let choices = Choices { at_login: false, on_close: OnClose::Ask, zoom: 1.0 };
        Self { choices: Mutex::new(choices), asked: Mutex::default(), folder: Mutex::default() }
    }
}

impl Host for Unseen {
    fn choices(&self) -> Choices {
        *self.choices.lock().unwrap()
    }

    fn choose(&self, choice: Choice) -> Result<(), HostError> {
        let mut choices = self.choices.lock().unwrap();
        *choices = Choices {
            at_login: choice.at_login.unwrap_or(choices.at_login),
            on_close: choice.on_close.unwrap_or(choices.on_close),
            zoom: choice.zoom.unwrap_or(choices.zoom),
        };
        Ok(())
    }

    fn has_tray(&self) -> bool {
        false
    }

    fn choose_files(&self) {
        self.asked.lock().unwrap().push("files".to_owned());
    }

    fn choose_folder(&self, then: FolderChosen) {
        let folder = self.folder.lock().unwrap().take();
        // The user takes a while: like the dialog's, the answer comes from another thread.
        std::thread::spawn(move || then(folder));
    }

    fn print(&self) -> Result<(), HostError> {
        Err(HostError("There is no printer".to_owned()))
    }

    fn open_in_browser(&self, path: &str) -> Result<(), HostError> {
        self.asked.lock().unwrap().push(path.to_owned());
        Ok(())
    }

    fn open_folder(&self, folder: &Path) -> Result<(), HostError> {
        self.asked.lock().unwrap().push(folder.display().to_string());
        Ok(())
    }
}

async fn start() -> (Service, Arc<Unseen>) {
    start_on(tempfile::tempdir().unwrap()).await
}

pub(super) async fn start_on(data_dir: TempDir) -> (Service, Arc<Unseen>) {
    let window = Arc::new(Unseen::default());
    let host: Arc<dyn Host> = window.clone();
    let settings = settings(data_dir.path(), "127.0.0.1:0");
    let door = BoundListener::open(settings.listen).unwrap();
    let (tell, opened) = tokio::sync::oneshot::channel();
    let running = start_behind(door, settings, host, tell).await.unwrap();
    opened.await.unwrap();
    (Service { running, data_dir }, window)
}

#[tokio::test]
async fn the_link_of_a_door_signs_in_once_the_service_answers_behind_it() {
    let data_dir = tempfile::tempdir().unwrap();
    let settings = settings(data_dir.path(), "127.0.0.1:0");
    let door = BoundListener::open(settings.listen).unwrap();
    let (link, host) = (door.link(), Arc::new(Unseen::default()));
    let running = start_behind(door, settings, host, tokio::sync::oneshot::channel().0).await.unwrap();
    assert!(link.starts_with(&format!("http://{}/sign-in#code=", running.address)), "{link}");
    let service = Service { running, data_dir };
    let signed_in = service.follow(&link).await;
    assert_eq!(signed_in.status, 200);
    // A window that is open for days keeps its user signed in.
    assert!(signed_in.header("set-cookie").ends_with("; Max-Age=34560000"), "{signed_in:?}");
    assert_eq!(service.follow(&link).await.status, 401);
}

#[tokio::test]
async fn the_window_is_asked_by_its_own_page_alone() {
    let (service, window) = start().await;
    let page = service.signed_in_page().await;
    assert_eq!(page.get("/api/host").await.status, 200);
    assert_eq!(page.post("/api/host/choose-files", "").await.status, 202);
    let body = json!({ "path": "/costs/explorer?by=region" }).to_string();
    assert_eq!(page.post("/api/host/open-in-browser", &body).await.status, 202);
    assert_eq!(*window.asked.lock().unwrap(), ["files", "/costs/explorer?by=region"]);
    let refused = page.post("/api/host/print", "").await;
    assert_eq!((refused.status, refused.json()["message"].as_str()), (409, Some("There is no printer")));

    // Refused: programs, even of an administrator; foreign pages; clients without a session.
    assert_eq!(service.administrator().await.get("/api/host").await.status, 403);
    let elsewhere = page.clone().with("Sec-Fetch-Site", "same-site");
    assert_eq!(elsewhere.without("Origin").post("/api/host/choose-files", "").await.status, 403);
    assert_eq!(service.page().get("/api/host").await.status, 401);
    assert_eq!(window.asked.lock().unwrap().len(), 2);
    service.stop().await;
}

#[tokio::test]
async fn a_page_names_no_path_that_leads_elsewhere_and_no_size_that_cannot_be_read() {
    let (service, window) = start().await;
    let page = service.signed_in_page().await;
    for path in ["//elsewhere.example.com", "https://elsewhere.example.com", ""] {
        let body = json!({ "path": path }).to_string();
        assert_eq!(page.post("/api/host/open-in-browser", &body).await.status, 400, "{path}");
    }
    let choose = async |choice: serde_json::Value| {
        page.send("PATCH", "/api/host/choices", choice.to_string().as_bytes()).await.status
    };
    assert_eq!(choose(json!({ "zoom": 9.0 })).await, 400);
    assert_eq!(choose(json!({ "zoom": 1.2 })).await, 200);
    assert_eq!(window.choices().zoom.to_string(), "1.2");
    assert!(window.asked.lock().unwrap().is_empty());
    service.stop().await;
}

#[tokio::test]
async fn a_choice_leaves_alone_what_it_does_not_name() {
    let (service, window) = start().await;
    let page = service.signed_in_page().await;
    for choice in [json!({ "at_login": true }), json!({ "on_close": "finish" }), json!({ "zoom": 1.2 })] {
        let chosen = page.send("PATCH", "/api/host/choices", choice.to_string().as_bytes()).await;
        assert_eq!(chosen.status, 200, "{chosen:?}");
    }
    let chosen = Choices { at_login: true, on_close: OnClose::Finish, zoom: 1.2 };
    assert_eq!(window.choices(), chosen);
    service.stop().await;
}

#[tokio::test]
async fn the_folder_of_the_models_is_opened_by_the_own_window_alone_once_it_is_there() {
    let (service, window) = start().await;
    let page = service.signed_in_page().await;
    let path = "/api/host/open-models-folder";
    let folder = page.get("/api/models").await.json()["folder"].as_str().unwrap().to_owned();
    let _ = std::fs::remove_dir_all(&folder);
    let refused = page.post(path, "").await;
    assert_eq!((refused.status, refused.json()["error"].as_str()), (409, Some("no_folder")), "{refused:?}");
    std::fs::create_dir_all(&folder).unwrap();
    assert_eq!(page.post(path, "").await.status, 202);
    assert_eq!(*window.asked.lock().unwrap(), [folder]);

    assert_eq!(service.administrator().await.post(path, "").await.status, 403);
    let elsewhere = page.clone().with("Sec-Fetch-Site", "same-site");
    assert_eq!(elsewhere.without("Origin").post(path, "").await.status, 403);
    assert_eq!(service.page().post(path, "").await.status, 401);
    assert_eq!(window.asked.lock().unwrap().len(), 1);
    service.stop().await;
}

#[tokio::test]
async fn without_a_window_there_is_nobody_to_ask() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    assert_eq!(page.get("/api/host").await.status, 404);
    service.stop().await;
}

#[tokio::test]
async fn a_file_put_forward_waits_until_it_is_imported_or_left_out() {
    let (service, _) = start().await;
    let page = service.signed_in_page().await;
    let folder = tempfile::tempdir().unwrap();
    let files = ["one.csv", "two.csv"].map(|name| folder.path().join(name));
    for file in &files {
        std::fs::write(file, "no bill\n").unwrap();
    }
    let forward = OpenFileInbox::in_data_dir(service.data_dir.path());
    assert!(forward.put(&files).unwrap().is_empty());
    let waiting = page.get("/api/host").await.json()["files"].clone();
    assert_eq!(waiting[0]["name"], "one.csv");
    assert!(
        !waiting.to_string().contains(folder.path().to_str().unwrap()),
        "a page learns no paths: {waiting}"
    );

    let one = json!({ "ids": [waiting[0]["id"]] }).to_string();
    let taken = page.post("/api/host/files/import", &one).await;
    assert_eq!(taken.status, 202, "{taken:?}");
    let import = format!("/api/imports/{}", taken.json()["imports"][0]["id"].as_str().unwrap());
    assert_eq!(page.get(&import).await.json()["file_name"], "one.csv");
    assert_eq!(page.post("/api/host/files/import", &one).await.status, 404);

    let two = format!("/api/host/files/{}", waiting[1]["id"].as_str().unwrap());
    assert_eq!(page.delete(&two).await.status, 204);
    assert_eq!(page.get("/api/host").await.json()["files"], json!([]));
    assert!(files[1].is_file(), "leaving out a file must not remove it");
    service.stop().await;
}

#[tokio::test]
async fn a_file_that_is_not_where_it_was_goes_on_waiting() {
    let (service, _) = start().await;
    let page = service.signed_in_page().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bill.csv");
    std::fs::write(&file, "no bill\n").unwrap();
    OpenFileInbox::in_data_dir(service.data_dir.path()).put(std::slice::from_ref(&file)).unwrap();
    std::fs::remove_file(&file).unwrap();
    let waiting = page.get("/api/host").await.json()["files"][0].clone();
    assert_eq!(waiting["size_bytes"], json!(null));
    let import = json!({ "ids": [waiting["id"]] }).to_string();
    let refused = page.post("/api/host/files/import", &import).await.json();
    let said = "bill.csv is not where it was. Bring it back there, or leave it out; it goes on waiting";
    assert_eq!(refused, json!({ "imports": [], "refused": [said] }));
    assert!(service.running.jobs().list().is_empty(), "work that nobody does");

    std::fs::write(&file, "no bill\n").unwrap();
    let taken = page.post("/api/host/files/import", &import).await.json();
    assert_eq!(taken["imports"][0]["name"], "bill.csv");
    assert_eq!(page.get("/api/host").await.json()["files"], json!([]));
    service.stop().await;
}

#[tokio::test]
async fn a_file_that_comes_in_is_work_from_its_first_byte() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let (service, _) = start().await;
    let cookie = service.follow(&service.running.sign_in_link()).await.cookie();
    let mut heard = service.running.jobs().listen();
    let mut stream = tokio::net::TcpStream::connect(service.running.address).await.unwrap();
    let request = format!(
        "POST /api/imports?name=bill.csv HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nCookie: {cookie}\r\n\
         Content-Length: 100\r\nExpect: 100-continue\r\n\r\n",
        service.running.address
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    // The service sends `100 Continue`, therefore it is receiving.
    let mut wanted = [0; 25];
    stream.read_exact(&mut wanted).await.unwrap();
    assert!(wanted.starts_with(b"HTTP/1.1 100"), "{}", String::from_utf8_lossy(&wanted));
    let names: Vec<String> = service.running.jobs().list().into_iter().map(|work| work.name).collect();
    assert_eq!(names, ["bill.csv"]);
    drop(stream);
    let ended = heard.recv().await.unwrap();
    assert_eq!((ended.outcome, ended.left), (crate::background::registry::Outcome::Stopped, 0));
    service.stop().await;
}

#[tokio::test]
async fn a_list_that_cannot_be_read_keeps_nobody_from_the_window() {
    let (service, _) = start().await;
    let page = service.signed_in_page().await;
    let list = service.data_dir.path().join("window/files.json");
    std::fs::create_dir(list.parent().unwrap()).unwrap();
    std::fs::write(&list, "no list").unwrap();
    let shown = page.get("/api/host").await;
    assert_eq!((shown.status, &shown.json()["files"]), (200, &json!([])));
    let refused = page.delete("/api/host/files/1f6c1f43-2f43-4b5e-9b2b-0d7a3a3c9c11").await;
    assert_eq!(refused.status, 409);
    assert!(refused.json()["message"].as_str().unwrap().contains(list.to_str().unwrap()), "{refused:?}");
    service.stop().await;
}
