//! Remote instances used from the window: added, signed in to, selected, unreachable, reachable again, and signed out.

use crate::journeys::spend::restated;
use crate::support::browser::Chromium;
use crate::support::desktop::{Window, until};
use crate::support::encrypted::Door;
use crate::support::fixture;
use crate::support::idp::Idp;
use crate::support::programs::executable;
use crate::support::service::Service;
use crate::support::trust::trust;
use reqwest::Method;

#[tokio::test]
async fn an_instance_with_single_sign_on_is_added_in_the_window_read_lost_found_and_lost_again() {
    let there = Service::start();
    there.import(&[fixture("september.csv")]);
    let idp = Idp::start(&there.address).await;
    let administrator = there.client().await;
    trust(&administrator, idp.metadata().await, &there).await;
    let window = Window::open().await;
    let page = &window.page;
    page.shows("Import cost files").await;
    // A stub of the program that opens addresses: it only records the address.
    let (bin, opened) = (window.home().join("bin"), window.home().join("opened"));
    std::fs::create_dir(&bin).unwrap();
    let text = format!("#!/bin/sh\nprintf %s \"$1\" > '{0}.new' && mv '{0}.new' '{0}'\n", opened.display());
    executable(&bin, "xdg-open", &text);

    page.follow("Settings").await;
    page.follow("Instances").await;
    page.shows("Add an instance").await;
    page.fill("Address", &there.address).await;
    page.press("Check address").await;
    page.shows("with single sign-on").await;
    page.fill("Name", " Plant").await;
    page.picture("instances-add").await;
    page.press("Add instance").await;
    page.tick("Until Quarterdeck closes").await;
    page.press("Sign in in the browser").await;
    until("an address for the browser", || opened.is_file()).await;
    page.picture("instances-waiting").await;

    let chromium = Chromium::start().await;
    let browser = &chromium.page;
    browser.open(&std::fs::read_to_string(&opened).unwrap()).await;
    browser.follow("Continue with single sign-on").await;
    browser.fill_at("input[name=username]", "mei").await;
    browser.fill_at("input[name=password]", "secret\u{e007}").await;
    browser.shows("Allow this desktop to sign in?").await;
    browser.shows("mei@example.com").await;
    browser.picture("instances-consent").await;
    browser.press("Allow sign-in").await;
    browser.shows("Quarterdeck on this computer is signed in to 127.0.0.1 Plant").await;
    chromium.page.close().await;

    // Selected: its name and costs are shown. Not selected: neither.
    page.shows("mei@example.com").await;
    page.press("Switch instance, current: This computer Personal workspace").await;
    page.shows("works offline").await;
    page.picture("instances-switcher").await;
    page.type_text("2").await;
    let plant = page.comes_to("/i/").await;
    page.follow("Overview").await;
    page.shows("$32.88").await;
    page.shows("127.0.0.1 Plant").await;
    page.press("Switch instance, current: 127.0.0.1 Plant Personal workspace").await;
    page.shows("works offline").await;
    page.type_text("1").await;
    page.shows("Import cost files").await;
    assert!(!page.text().await.contains("$32.88"));

    // Unreachable: shows the cached copy with its time, and allows no changes.
    let plant = plant.replace("/settings/instances", "/overview");
    page.run(&format!("location.assign('{plant}');")).await;
    page.shows("$32.88").await;
    // Even a narrow window shows the name of the instance.
    page.resize(600, 800).await;
    page.press("Switch instance, current: 127.0.0.1 Plant").await;
    page.shows("works offline").await;
    page.picture("instances-narrow-switcher").await;
    page.type_text("2").await;
    page.shows("$32.88").await;
    page.picture("instances-narrow").await;
    page.resize(1280, 800).await;
    let (address, data) = (there.address.clone(), there.stop());
    // The open page is notified.
    page.shows("127.0.0.1 Plant cannot be reached.").await;
    page.run("location.reload();").await;
    page.shows("127.0.0.1 Plant cannot be reached. You are viewing a copy from").await;
    page.shows("$32.88").await;
    page.picture("instances-away").await;
    page.follow("Imports").await;
    page.shows("Changes are possible again when it is back").await;
    page.follow("Overview").await;

    // Reachable again: no user action is needed.
    let there = Service::start_at(data, &address);
    page.shows_no_more("cannot be reached").await;
    page.shows("$32.88").await;

    // An import there on the command line is shown here.
    there.import(&[restated(there.data_dir())]);
    page.shows("$132.88").await;

    // Signed out: revoked there, prompts for sign-in here. The page never contained its key.
    let kept = page
        .ask("return JSON.stringify(localStorage) + document.cookie + JSON.stringify(sessionStorage);")
        .await;
    assert!(
        !kept.to_string().to_lowercase().contains("bearer") && !kept.to_string().contains("eyJ"),
        "{kept}"
    );
    let devices = administrator.get("/api/auth/devices?of=everyone").await.json();
    assert_eq!(devices[0]["user"]["email"], "mei@example.com");
    let device = format!("/api/auth/devices/{}", devices[0]["id"].as_str().unwrap());
    assert_eq!(administrator.request(Method::DELETE, &device).send().await.unwrap().status(), 204);
    page.run("location.reload();").await;
    page.shows("Sign in to 127.0.0.1 Plant").await;
    page.picture("instances-gate").await;
    assert!(!page.text().await.contains("$32.88"));
    drop(there);
    window.page.close().await;
}

#[tokio::test]
async fn an_authority_of_ones_own_is_trusted_by_its_file_and_a_code_is_carried_over() {
    let mut door = Door::new().await;
    let there = Service::start_with(&[("QUARTERDECK_HOSTS", door.host())]);
    door.open_to(&there.address);
    let here = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&there.sign_in_link).await;
    page.shows("Import cost files").await;
    page.open(&here.sign_in_link).await;
    page.shows("Import cost files").await;
    page.open(&format!("{}/settings/instances", here.address)).await;
    page.shows("Add an instance").await;

    // Without encryption only after a warning.
    page.fill("Address", "http://console.example.com").await;
    page.press("Check address").await;
    page.shows("The connection is not encrypted").await;
    page.picture("instances-plain").await;
    page.open(&format!("{}/settings/instances", here.address)).await;

    page.fill("Address", &door.address).await;
    page.press("Check address").await;
    page.shows("Certificate, not trusted").await;
    page.shows("CN=Plant authority").await;
    page.picture("instances-certificate").await;
    page.give_files(&[door.authority()]).await;
    page.shows("Quarterdeck 0.1.0 answers in").await;
    page.press("Add instance").await;
    page.tick("Until Quarterdeck closes").await;
    page.press("With a code").await;
    page.shows("/api/auth/desktop/authorize").await;
    let asks = page.ask("return document.querySelector('.drawer a.mono').href;").await;
    let asks = asks.as_str().unwrap();
    assert!(asks.starts_with(&door.address), "{asks}");
    // This browser does not trust the authority, so it opens the same service at its other address.
    page.run(&format!("window.open('{}', 'other');", asks.replace(&door.address, &there.address))).await;
    page.go_to_tab(2).await;
    page.press("Allow sign-in").await;
    page.shows("Copy this code").await;
    let code = page.ask("return document.querySelector('output').innerText;").await;
    page.picture("instances-code").await;
    page.close_tab().await;
    page.fill("Code from the browser", "another one").await;
    page.press("Sign in").await;
    page.shows("This code was used before, has expired or was not made for this computer").await;
    page.run("document.querySelector('.drawer input.mono').select();").await;
    page.type_text(code.as_str().unwrap()).await;
    page.press("Sign in").await;
    page.shows("administrator@localhost, Personal workspace").await;
    page.shows("Also trusted: CN=Plant authority").await;
    page.picture("instances-signed-in").await;

    // Pages read there are cached here, if that is enabled.
    page.follow("Open").await;
    page.comes_to("/i/").await;
    page.shows("Import cost files").await;
    page.open(&format!("{}/settings/instances", here.address)).await;
    page.shows("own authority").await;
    page.shows("Stored on this computer").await;
    let of_kept = "return document.querySelector('[aria-label=\"Stored on this computer\"] tbody').innerText";
    page.holds(&format!("{of_kept}.match(/[0-9] k?B/) !== null;")).await;
    page.picture("instances-kept").await;
    page.press("Store the pages you open of localhost, for use while it cannot be reached").await;
    page.holds(&format!("{of_kept}.match(/none\\s*–/) !== null;")).await;
    chromium.page.close().await;
}
