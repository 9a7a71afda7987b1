//! Two servers on one PostgreSQL database behind a load balancer: a user does not notice when one of them is killed.

use std::sync::atomic::Ordering;

use crate::support::balancer::Balancer;
use crate::support::browser::Chromium;
use crate::support::fixture;
use crate::support::programs;
use crate::support::service::Service;

#[tokio::test]
async fn a_person_works_on_when_one_of_two_servers_is_killed() {
    let Some(database) = testkit::postgres::database() else { return };
    let balancer = Balancer::bind().await;
    let address = balancer.address.clone();
    let start = || {
        let folder = tempfile::tempdir().unwrap();
        let settings = format!("database = \"{database}\"\n");
        std::fs::write(folder.path().join("quarterdeck.toml"), settings).unwrap();
        Service::start_in(folder, &[("APPAUTH_URL", &address)])
    };
    let (first, second) = (start(), start());
    let given = balancer.serve(vec![first.port(), second.port()]);
    // The link a server prints when it starts works only at that server; this one is stored in the database.
    let printed = programs::run(first.data_dir(), &["user", "link", "administrator@localhost"]).succeeded();
    let code = printed.stdout.split_once("/sign-in#").unwrap().1.split_whitespace().next().unwrap();
    let link = format!("{address}/sign-in#{code}");
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&link).await;
    page.shows("Import cost files").await;
    page.follow("Imports").await;
    page.shows("Drop cost files anywhere").await;
    page.give_files(&[fixture("september.csv")]).await;
    page.shows("Stored now").await;
    // Both served this user.
    assert!(given.iter().all(|given| given.load(Ordering::Relaxed) > 0), "{given:?}");

    drop(first.kill());
    page.follow("Costs").await;
    page.shows("$3.33").await;
    // Data is also written with the remaining server: an undo, and another import.
    page.follow("Imports").await;
    page.press("Undo september.csv").await;
    page.shows("12 rows are removed").await;
    page.press("Undo import").await;
    page.shows("This import was undone").await;
    page.give_files(&[fixture("september.csv")]).await;
    page.follow("Overview").await;
    page.shows("$32.88").await;
    page.picture("two-servers").await;
    chromium.page.close().await;
}
