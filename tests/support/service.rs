//! A running `quarterdeck-server`.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::client::Client;
use super::programs;

/// A service on a free port of this computer; it is killed when dropped, and its data directory is deleted.
pub struct Service {
    child: Child,
    data_dir: TempDir,
    /// `http://127.0.0.1:PORT`
    pub address: String,
    /// Signs a browser in, once.
    pub sign_in_link: String,
}

impl Service {
    /// Starts a service on an empty data directory.
    pub fn start() -> Self {
        Self::start_on(tempfile::tempdir().unwrap())
    }

    /// Starts a service with these settings in its environment.
    pub fn start_with(environment: &[(&str, &str)]) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), environment)
    }

    /// Starts a service on `data_dir`; it accepts requests when this returns.
    pub fn start_on(data_dir: TempDir) -> Self {
        Self::start_in(data_dir, &[])
    }

    /// Starts a service on `data_dir` with these settings in its environment.
    pub fn start_in(data_dir: TempDir, environment: &[(&str, &str)]) -> Self {
        Self::launch(data_dir, "127.0.0.1:0", environment)
    }

    /// Starts a service at the address of an earlier one: `http://127.0.0.1:PORT`.
    pub fn start_at(data_dir: TempDir, address: &str) -> Self {
        Self::launch(data_dir, address.strip_prefix("http://").unwrap(), &[])
    }

    fn launch(data_dir: TempDir, listen: &str, environment: &[(&str, &str)]) -> Self {
        let mut child = programs::server(data_dir.path())
            .envs(environment.iter().copied())
            .args(["serve", "--listen", listen])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut printed = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut seen = Vec::new();
        let link = printed.by_ref().find_map(|line| {
            let link =
                line.split_whitespace().find(|word| word.contains("/sign-in#code=")).map(str::to_owned);
            seen.push(line);
            link
        });
        let Some(sign_in_link) = link else {
            drop(child.kill());
            panic!("quarterdeck-server printed no sign-in link but: {seen:#?}");
        };
        // The output must be read: a full pipe would block the service.
        std::thread::spawn(move || printed.for_each(drop));
        let address = sign_in_link.split_once("/sign-in#").unwrap().0.to_owned();
        Self { child, data_dir, address, sign_in_link }
    }

    pub fn data_dir(&self) -> &Path {
        self.data_dir.path()
    }

    /// The id of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.address.rsplit(':').next().unwrap().parse().unwrap()
    }

    /// Stops the service with SIGTERM, as a system shutdown does; it must exit successfully. Its data stays.
    pub fn stop(mut self) -> TempDir {
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(told.success());
        let status = self.child.wait().unwrap();
        assert!(status.success(), "the service ended with {status}");
        std::mem::replace(&mut self.data_dir, tempfile::tempdir().unwrap())
    }

    /// Kills the service, as a power cut does. Its data stays.
    pub fn kill(mut self) -> TempDir {
        end(&mut self.child);
        std::mem::replace(&mut self.data_dir, tempfile::tempdir().unwrap())
    }

    /// Imports `files` on the command line while the service is running.
    pub fn import(&self, files: &[PathBuf]) {
        let arguments =
            std::iter::once("import".into()).chain(files.iter().map(|file| file.clone().into_os_string()));
        programs::run(self.data_dir(), &arguments.collect::<Vec<_>>()).succeeded();
    }

    /// A client with the bearer token of a new user with `role`.
    pub async fn client_of(&self, email: &str, role: &str) -> Client {
        programs::run(self.data_dir(), &["user", "add", email, "--role", role]).succeeded();
        let pair = programs::run(self.data_dir(), &["token", "create", email, "--name", "tests", "--json"]);
        Client::sign_in(&self.address, &pair.succeeded().json()).await
    }

    /// A client of an administrator.
    pub async fn client(&self) -> Client {
        self.client_of("ada@example.com", "tenant_admin").await
    }

    /// A client without a token.
    pub fn stranger(&self) -> Client {
        Client::stranger(&self.address)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

fn end(child: &mut Child) {
    // It may have ended already.
    drop(child.kill());
    drop(child.wait());
}
