//! Programs that show pages, driven over WebDriver: Chromium here, the window in `desktop`.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;
use tempfile::TempDir;

use super::listening::free_port;
use super::page::Page;

/// Chromium without its window code, if installed: the same engine with half of the processor time.
const WITHOUT_WINDOWS: &str = "/usr/bin/chromium-headless-shell";

/// Timeout for a driver to start.
const START: Duration = Duration::from_secs(30);

/// A WebDriver program; it is killed when dropped.
pub struct Driver {
    child: Child,
    port: u16,
}

impl Driver {
    /// Starts `command` with a free port as its `--port`.
    ///
    /// # Panics
    /// If the program is missing; the message names its Debian package.
    pub fn start(mut command: Command, package: &str) -> Self {
        let port = free_port();
        let child = command
            .arg(format!("--port={port}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("{command:?} did not start ({error}). `make test` installs it; the Debian package is {package}")
            });
        Self { child, port }
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// A session with these capabilities, once the driver accepts one.
    pub async fn session(&self, capabilities: Capabilities) -> Client {
        let address = format!("http://127.0.0.1:{}", self.port);
        let answering = async {
            while tokio::net::TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(START, answering).await.expect("a driver that was started answers");
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let session = builder.capabilities(capabilities).connect(&address);
        // If a window cannot open, its driver waits forever.
        let session = tokio::time::timeout(2 * START, session).await;
        session.expect("a program that comes up is in the driver's hands within a minute").unwrap()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Headless Chromium with an empty profile.
pub struct Chromium {
    driver: Driver,
    _home: TempDir,
    pub page: Page,
}

impl Chromium {
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Like [`Self::start`], with further switches.
    pub async fn start_with(switches: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut command = Command::new("chromedriver");
        // A failing test may leave the folders of its session there: they are deleted with the home folder.
        command.env("TMPDIR", home.path());
        let driver = Driver::start(command, "chromium-driver");
        let folder = format!("--user-data-dir={}", home.path().join("profile").display());
        let usual = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1400,900",
            &folder,
        ];
        let args: Vec<&str> = usual.iter().chain(switches).copied().collect();
        let mut capabilities = json!({ "browserName": "chrome", "goog:chromeOptions": { "args": args } });
        if Path::new(WITHOUT_WINDOWS).exists() {
            capabilities["browserName"] = "chrome-headless-shell".into();
            capabilities["goog:chromeOptions"]["binary"] = WITHOUT_WINDOWS.into();
        }
        let client = driver.session(serde_json::from_value(capabilities).unwrap()).await;
        let page = Page::new(client, "browser", driver.id());
        Self { driver, _home: home, page }
    }

    /// Sets the size of the viewport: a desktop window cannot be as narrow as a phone.
    pub async fn show_in(&self, width: u32, height: u32) {
        let session = self.page.session().await;
        let address = format!("http://127.0.0.1:{}/session/{session}/goog/cdp/execute", self.driver.port);
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        let command = json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": size }).to_string();
        let _ = rustls::crypto::ring::default_provider().install_default();
        let answer = reqwest::Client::new().post(address).body(command).send().await.unwrap();
        assert!(answer.status().is_success(), "{answer:?}");
    }
}
