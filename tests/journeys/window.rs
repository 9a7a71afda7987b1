//! The window as a program: opened, opened again, refused, ended.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::desktop::{Window, desktop_program};
use crate::support::service::Service;

#[tokio::test]
async fn a_window_that_cannot_start_its_service_says_why() {
    let service = Service::start();
    let window = Window::open_on(service.data_dir()).await;
    window.page.shows("Quarterdeck did not start").await;
    window.page.shows("another Quarterdeck server uses the data directory").await;
    window.page.shows(&service.address).await;
    window.page.close().await;
}

#[tokio::test]
async fn a_second_start_hands_over_to_the_open_window() {
    assert!(
        std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some(),
        "there is no message bus over which windows find each other. `make test` brings one (dbus-run-session)"
    );
    let home = tempfile::tempdir().unwrap();
    let data_dir = home.path().join("data");
    let mut first = Started(desktop_program(home.path(), &data_dir).stdout(Stdio::null()).spawn().unwrap());
    until_it_serves(&data_dir).await;

    let second = desktop_program(home.path(), &data_dir).status().unwrap();
    assert!(second.success(), "the second start ended with {second}");
    assert!(first.0.try_wait().unwrap().is_none(), "the first window is gone");

    let told = Command::new("kill").args(["-TERM", &first.0.id().to_string()]).status().unwrap();
    assert!(told.success());
    let ended = first.0.wait().unwrap();
    assert!(ended.success(), "told to end, the window ended with {ended}");
}

/// A window that does not outlive its test.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        // Already gone is as good.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Waits until the service of a window says in its data directory where it answers.
async fn until_it_serves(data_dir: &Path) {
    let lock = data_dir.join("server.lock");
    let serving = async {
        while !std::fs::read_to_string(&lock).is_ok_and(|text| text.contains("http://")) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), serving).await.expect("a window serves within a minute");
}
