//! A start while another one's window is closing.

use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use crate::support::desk::{Desk, WINDOW, until_ended};
use crate::support::desktop::{Started, serves, until};
use crate::support::fixture;

/// Has the service wait for us when it is to end: a request that began and does not go on.
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

/// What the window's service says of itself where others can read it.
fn said(data_dir: &Path) -> String {
    std::fs::read_to_string(data_dir.join("server.lock")).unwrap_or_default()
}

#[tokio::test]
async fn a_start_while_the_window_closes_opens_a_window_after_it() {
    let desk = Desk::of_one_who_decided("stop");
    let mut first = desk.open().await;
    let held = hold_up(&desk.data_dir);
    desk.close(&first).await;
    until("a service that ends", || said(&desk.data_dir).contains("ending")).await;

    let second = Started(desk.program().arg(fixture("september.csv")).spawn().unwrap());
    until("the second service", || serves(&desk.data_dir).is_some()).await;
    until("the second window", || desk.shows(&second, WINDOW)).await;
    until_ended(&mut first).await;
    drop(held);
    assert!(
        said(&desk.data_dir).contains(&format!("process {},", second.0.id())),
        "{}",
        said(&desk.data_dir)
    );
}

#[tokio::test]
async fn a_start_handed_to_a_program_that_has_no_window_any_more_is_made_again() {
    let desk = Desk::of_one_who_decided("stop");
    let mut first = desk.open().await;
    let held = hold_up(&desk.data_dir);
    desk.close(&first).await;
    // Handed over at any moment of its end, and at none is nobody there.
    let mut second = Started(desk.program().spawn().unwrap());
    until_ended(&mut first).await;
    drop(held);
    until("a service", || serves(&desk.data_dir).is_some()).await;
    let owner = said(&desk.data_dir);
    assert!(!owner.contains(&format!("process {},", first.0.id())), "{owner}");
    if second.0.try_wait().unwrap().is_some() {
        // It handed over, and the first one made it again: that one is no child of ours.
        let process = owner.split([' ', ',']).nth(1).unwrap().to_owned();
        let ended = Command::new("kill").args(["-TERM", &process]).status().unwrap();
        assert!(ended.success(), "{owner}");
        until("its end", || !Path::new("/proc").join(&process).exists()).await;
    }
}
