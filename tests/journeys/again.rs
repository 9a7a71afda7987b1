//! Tests of starts while another instance exists: at the same time, while its window is closing, after it was killed; with and without a message
//! bus.

use std::io::Write as _;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use crate::support::desk::{Desk, WINDOW, until_ended};
use crate::support::desktop::{Started, serves, until};
use crate::support::fixture;

/// Delays the service's shutdown with a request that is started and not completed.
fn hold_up(data_dir: &Path) -> TcpStream {
    let address = serves(data_dir).unwrap();
    let mut connection = TcpStream::connect(address.strip_prefix("http://").unwrap()).unwrap();
    write!(
        connection,
        "POST /api/auth/link HTTP/1.1\r\nHost: {}\r\nContent-Length: 9\r\n\r\n",
        &address[7..]
    )
    .unwrap();
    connection
}

/// Whether the data directory is locked by that process.
fn is_of(start: &Started, data_dir: &Path) -> bool {
    said(data_dir).contains(&format!("process {},", start.0.id()))
}

/// The content of the lock file, which others can read.
fn said(data_dir: &Path) -> String {
    std::fs::read_to_string(data_dir.join("server.lock")).unwrap_or_default()
}

#[tokio::test]
async fn a_start_while_the_window_closes_opens_a_window_after_it() {
    opens_after(Desk::of_one_who_decided("stop")).await;
}

#[tokio::test]
async fn a_start_while_the_window_closes_needs_no_message_bus() {
    opens_after(Desk::of_one_who_decided("stop").without_bus()).await;
}

async fn opens_after(desk: Desk) {
    let mut first = desk.open().await;
    let held = hold_up(&desk.data_dir);
    desk.close(&first).await;
    until("a service that ends", || said(&desk.data_dir).contains("ending")).await;

    let second = Started(desk.program().arg(fixture("september.csv")).spawn().unwrap());
    until("the second service", || serves(&desk.data_dir).is_some()).await;
    until("the second window", || desk.shows(&second, WINDOW)).await;
    until_ended(&mut first).await;
    drop(held);
    assert!(is_of(&second, &desk.data_dir), "{}", said(&desk.data_dir));
}

#[tokio::test]
async fn a_start_at_any_moment_of_an_end_has_a_window_or_becomes_it() {
    let desk = Desk::of_one_who_decided("stop").without_bus();
    let mut first = desk.open().await;
    let held = hold_up(&desk.data_dir);
    desk.close(&first).await;
    // The window is closed; the program may not have noticed yet.
    let second = Started(desk.program().spawn().unwrap());
    until_ended(&mut first).await;
    drop(held);
    until("the second service", || serves(&desk.data_dir).is_some() && is_of(&second, &desk.data_dir)).await;
    until("the second window", || desk.shows(&second, WINDOW)).await;
}

#[tokio::test]
async fn after_a_kill_the_next_start_has_the_window_and_is_found() {
    let desk = Desk::of_one_who_decided("stop").without_bus();
    let first = desk.open().await;
    // After a kill all files remain.
    drop(first);
    assert!(desk.data_dir.join("window/socket").exists());
    let second = desk.open().await;
    assert!(is_of(&second, &desk.data_dir), "{}", said(&desk.data_dir));
    let third = desk.program().status().unwrap();
    assert!(third.success(), "the third start ended with {third}");
    assert!(is_of(&second, &desk.data_dir), "{}", said(&desk.data_dir));
}

#[tokio::test]
async fn of_starts_at_the_same_moment_one_has_the_window_and_the_others_hand_over() {
    let desk = Desk::of_one_who_decided("stop").without_bus();
    let mut starts: Vec<Started> = (0..4).map(|_| Started(desk.program().spawn().unwrap())).collect();
    until("a service", || serves(&desk.data_dir).is_some()).await;
    let owner =
        starts.iter().position(|one| is_of(one, &desk.data_dir)).expect("one of them has the data directory");
    let first = starts.remove(owner);
    for other in &mut starts {
        until_ended(other).await;
    }
    until("a window", || desk.shows(&first, WINDOW)).await;
}

#[tokio::test]
async fn another_user_of_this_computer_cannot_speak_to_the_window() {
    let desk = Desk::of_one_who_decided("stop").without_bus();
    // Even if the folders around it are accessible.
    let open = || std::fs::Permissions::from_mode(0o777);
    std::fs::create_dir(&desk.data_dir).unwrap();
    for folder in [desk.home.path(), &desk.data_dir] {
        std::fs::set_permissions(folder, open()).unwrap();
    }
    let _first = desk.open().await;
    let socket = desk.data_dir.join("window/socket");
    let speaks = |way: &str, user: &[&str]| {
        let tries = format!("import socket; socket.socket(socket.AF_UNIX).connect({way:?}); print('in')");
        let outcome =
            Command::new("setpriv").args(user).args(["/usr/bin/python3", "-c", &tries]).output().unwrap();
        (
            String::from_utf8_lossy(&outcome.stdout).into_owned(),
            String::from_utf8_lossy(&outcome.stderr).into_owned(),
        )
    };
    let other = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let (_, trouble) = speaks("nowhere", &other);
    // Only root can act as another user.
    if !trouble.contains("setresuid") && !trouble.contains("setgroups") {
        let (said, trouble) = speaks(socket.to_str().unwrap(), &other);
        assert!(said.is_empty() && trouble.contains("PermissionError"), "{said} {trouble}");
    }
    let (said, trouble) = speaks(socket.to_str().unwrap(), &[]);
    assert_eq!(said.trim(), "in", "{trouble}");
}
