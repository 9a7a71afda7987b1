//! An administrator's setup: single sign-on from the provider's file, a token for a script.

use crate::support::browser::Chromium;
use crate::support::client::Client;
use crate::support::fixture;
use crate::support::programs::run;
use crate::support::service::Service;
use reqwest::StatusCode;
use serde_json::json;

#[tokio::test]
async fn single_sign_on_is_set_up_from_a_metadata_file_and_offered_at_once() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.follow("Settings").await;
    page.press(&format!("Use {}", service.address)).await;
    page.give_files(&[fixture("idp-metadata.xml")]).await;
    page.shows("Read from idp-metadata.xml").await;
    page.press("Fill the form").await;
    page.shows("CN=sso.example.com").await;
    page.press("Offer single sign-on on the sign-in page").await;
    page.press("Save").await;
    // Untested values: the only case that needs a confirmation.
    page.shows("Nobody has signed in with these values in a test").await;
    page.press("Save anyway").await;
    page.shows("Saved the settings of single sign-on").await;

    let about = Client::stranger(&service.address).get("/api/about").await.json();
    assert_eq!(about["sign_in"]["saml"], true, "{about}");
    chromium.page.close().await;
}

#[tokio::test]
async fn a_token_is_shown_once_signs_a_script_in_and_is_revoked() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.follow("Settings").await;
    page.follow("API tokens").await;
    page.fill("Name", "month-end").await;
    page.press("Create token").await;
    page.shows("Token month-end was created").await;
    let secret = page.value("Secret").await;

    let pair = json!({ "email": "administrator@localhost", "secret": secret });
    let script = Client::sign_in(&service.address, &pair).await;
    assert_eq!(
        script.data("{ users { username } }").await,
        r#"{"users":[{"username":"administrator@localhost"}]}"#
    );
    page.press("I have stored it").await;
    assert!(!page.text().await.contains(&secret));

    page.shows_whole("Revoke month-end").await;
    page.press("Revoke month-end").await;
    page.fill("Type month-end to confirm", "month-end").await;
    page.press("Revoke token").await;
    page.shows("No tokens yet").await;
    let refused = Client::stranger(&service.address).post("/api/auth/token", &pair).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    chromium.page.close().await;
}

#[tokio::test]
async fn a_bill_that_was_imported_after_a_backup_is_gone_when_that_is_put_back() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.follow("Settings").await;
    page.follow("Backup & restore").await;
    page.shows("No backups yet").await;
    page.press("Back up now").await;
    page.press("Take the backup").await;
    page.shows("Backed up and verified").await;

    run(service.data_dir(), &["import", fixture("september.csv").to_str().unwrap()]).succeeded();
    page.press("Preview restore").await;
    page.shows("1 import: september.csv. Import again afterwards").await;
    page.fill("Type Personal workspace to restore", "Personal workspace").await;
    page.press("Restore this backup").await;
    // The sessions in a backup are not valid.
    page.shows("Sign in to Quarterdeck").await;
    let link = ["user", "link", "administrator@localhost", "--url", &service.address];
    page.open(run(service.data_dir(), &link).succeeded().stdout.trim()).await;
    page.follow("Settings").await;
    page.follow("Backup & restore").await;
    page.shows("Before a restore").await;
    let left = run(service.data_dir(), &["table", "dump", "spends", "--format", "ndjson"]).succeeded();
    assert_eq!(left.stdout, "");
    chromium.page.close().await;
}

#[tokio::test]
async fn backups_taken_by_itself_are_encrypted_with_a_passphrase_that_goes_in_and_never_comes_out() {
    const SECRET: &str = "a horse that counts to twelve";
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    let backups = format!("{}/settings/backup", service.address);
    page.open(&service.sign_in_link).await;
    page.follow("Settings").await;
    page.follow("Backup & restore").await;
    page.press("Encrypt automatic backups").await;
    page.fill("Passphrase", SECRET).await;
    page.fill("Repeat passphrase", SECRET).await;
    page.picture("backup_passphrase").await;
    page.press("Encrypt from now on").await;
    page.shows("Backups are encrypted from now on").await;
    page.open(&backups).await;
    page.shows("by administrator@localhost").await;
    page.picture("backup_encrypted").await;
    assert!(!page.ask("return document.documentElement.outerHTML").await.to_string().contains(SECRET));

    page.press("Back up now").await;
    page.press("Take the backup").await;
    page.shows("Backed up and verified").await;
    page.press("Preview restore").await;
    page.fill("Type Personal workspace to restore", "Personal workspace").await;
    page.press("Restore this backup").await;
    page.shows("Sign in to Quarterdeck").await;
    let link = ["user", "link", "administrator@localhost", "--url", &service.address];
    page.open(run(service.data_dir(), &link).succeeded().stdout.trim()).await;
    // A page that is left at once loses its unused code.
    page.follow("Settings").await;
    page.follow("Backup & restore").await;
    // The backup before the restore is encrypted, and so are later ones.
    page.shows("Before a restore").await;
    page.shows("by administrator@localhost").await;
    page.press("Preview restore").await;
    page.fill("Passphrase of this backup", SECRET).await;
    page.press("Open").await;
    page.shows("What would be lost").await;
    page.picture("backup_opened").await;

    page.press("Encrypt automatic backups").await;
    page.picture("backup_stop").await;
    page.press("Switch it off").await;
    page.shows("Backups are no longer encrypted").await;
    page.shows_no_more("by administrator@localhost").await;
    chromium.page.close().await;
}
