//! Two services and one browser: added, signed in to, in front, away, back, and out.

use crate::support::browser::Chromium;
use crate::support::fixture;
use crate::support::service::Service;
use reqwest::Method;

#[tokio::test]
async fn an_instance_elsewhere_is_added_read_lost_found_and_lost_again() {
    let (here, there) = (Service::start(), Service::start());
    there.import(&[fixture("september.csv")]);
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    // The person is signed in there in the same browser, as with single sign-on.
    page.open(&there.sign_in_link).await;
    page.shows("$32.88").await;
    page.open(&here.sign_in_link).await;
    page.shows("Import cost files").await;

    page.follow("Settings").await;
    page.follow("Instances").await;
    page.shows("Add an instance").await;
    page.fill("Address", &there.address).await;
    page.press("Check address").await;
    page.fill("Name", " Plant").await;
    page.press("Add instance").await;
    page.tick("Until Quarterdeck ends").await;
    page.press("Sign in in the browser").await;
    page.close_others().await;
    let asks = page.address_of("Open the page again").await;
    page.open(&asks).await;
    page.shows("Allow this desktop to sign in?").await;
    page.press("Allow sign-in").await;
    page.shows("Quarterdeck on this computer is signed in to 127.0.0.1 Plant").await;

    // In front: its name, its costs. Behind: none of them.
    page.open(&format!("{}/overview", here.address)).await;
    page.press("Switch instance, in front: This computer, Personal workspace").await;
    page.shows("Connected").await;
    page.type_text("2").await;
    let plant = page.comes_to("/i/").await;
    page.shows("$32.88").await;
    page.shows("127.0.0.1 Plant").await;
    page.press("Switch instance, in front: 127.0.0.1 Plant, Personal workspace").await;
    page.type_text("1").await;
    page.shows("Import cost files").await;
    assert!(!page.text().await.contains("$32.88"));

    // Away: the last copy, with its time, and no changes.
    page.open(&plant).await;
    page.shows("$32.88").await;
    let (address, data) = (there.address.clone(), there.stop());
    page.open(&plant).await;
    page.shows("127.0.0.1 Plant cannot be reached. You read the copy of").await;
    page.shows("$32.88").await;

    // Back: nobody has to do anything.
    let there = Service::start_at(data, &address);
    page.shows_no_more("cannot be reached").await;
    page.shows("$32.88").await;

    // Out: revoked there, asked to sign in here.
    let administrator = there.client().await;
    let devices = administrator.get("/api/auth/devices?of=everyone").await.json();
    let device = format!("/api/auth/devices/{}", devices[0]["id"].as_str().unwrap());
    assert_eq!(administrator.request(Method::DELETE, &device).send().await.unwrap().status(), 204);
    page.open(&plant).await;
    page.shows("Sign in to 127.0.0.1 Plant").await;
    assert!(!page.text().await.contains("$32.88"));
    chromium.page.close().await;
}
