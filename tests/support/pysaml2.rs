//! A second real identity provider: that of pysaml2 from its Debian package.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::idp::certificate;
use super::listening::{Listening, free_port};

/// An identity provider; it is stopped when dropped. Every visitor is signed in as `mei@example.com` without a prompt.
pub struct Pysaml2 {
    _program: Listening,
    folder: TempDir,
    /// `http://127.0.0.1:PORT`
    pub address: String,
}

impl Pysaml2 {
    /// Starts a provider configured for the service at `service`. It accepts requests when this returns.
    pub async fn start(service: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        certificate(&folder.path().join("idp"), 300);
        let port = free_port();
        let mut command = Command::new(python());
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("support/pysaml2_idp.py"));
        command.arg(port.to_string()).arg(folder.path()).arg(service).current_dir(folder.path());
        write(&folder, "groups", "developers");
        write(&folder, "signs", "both");
        let program = Listening::start(command, port).await;
        Self { _program: program, folder, address: format!("http://127.0.0.1:{port}") }
    }

    /// Its metadata.
    pub async fn metadata(&self) -> String {
        reqwest::get(format!("{}/metadata", self.address)).await.unwrap().text().await.unwrap()
    }

    /// Sets the user's groups.
    pub fn give_groups(&self, groups: &[&str]) {
        write(&self.folder, "groups", &groups.join("\n"));
    }

    /// Sets what it signs: "assertion", "response" or "both".
    pub fn sign(&self, what: &str) {
        write(&self.folder, "signs", what);
    }

    /// From now on it accepts only requests signed with the key in `metadata`, which the service publishes.
    pub fn want_signed_requests(&self, metadata: &str) {
        write(&self.folder, "service.xml", metadata);
    }

    /// The status of its response to the request in `address`.
    pub async fn status(&self, address: &str) -> u16 {
        reqwest::get(address).await.unwrap().status().as_u16()
    }

    /// Its response to the request in `address`, as form fields.
    pub async fn answer(&self, address: &str) -> [(String, String); 2] {
        let page = reqwest::get(address).await.unwrap().text().await.unwrap();
        let field = |name: &str| {
            let (_, after) = page
                .split_once(&format!("name=\"{name}\" value=\""))
                .unwrap_or_else(|| panic!("no {name} in {page}"));
            (name.to_owned(), after.split('"').next().unwrap().to_owned())
        };
        [field("SAMLResponse"), field("RelayState")]
    }
}

/// A Python with pysaml2: the first on the path, or that of the system.
fn python() -> &'static str {
    let has_it = |python: &&str| {
        Command::new(python).args(["-c", "import saml2"]).output().is_ok_and(|run| run.status.success())
    };
    ["python3", "/usr/bin/python3"].into_iter().find(has_it).expect(
        "a Python with pysaml2: `.ci/install test` installs it; the Debian package is python3-pysaml2",
    )
}

fn write(folder: &TempDir, name: &str, text: &str) {
    std::fs::write(folder.path().join(name), text).unwrap();
}
