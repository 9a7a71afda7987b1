//! Finding imported data in the command palette.

use crate::support::browser::Chromium;
use crate::support::fixture;
use crate::support::service::Service;

#[tokio::test]
async fn accounts_services_and_resources_are_found_by_part_of_their_name_and_opened() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("Import cost files").await;
    page.follow("Imports").await;
    page.give_files(&[fixture("september.csv")]).await;
    page.shows("Stored now").await;
    for (text, group, line, place) in [
        ("pier prod", "Accounts", "Pier Production", "/costs/explorer"),
        ("elastic comp", "Services", "Amazon Elastic Compute Cloud", "/costs/explorer"),
        ("@september", "Imports", "september.csv", "/imports"),
        ("0a1b2c3d4e5f60001", "Resources", "i-0a1b2c3d4e5f60001", "/inventory/resources"),
    ] {
        page.run("document.querySelector('.rail .find').click()").await;
        page.fill_at(".pal input", text).await;
        let found = format!(
            "return [...document.querySelectorAll('.pal .results > div')].some((one) => one.textContent.includes('{line}')) \
             && [...document.querySelectorAll('.pal .grp')].some((one) => one.textContent === '{group}')"
        );
        page.holds(&found).await;
        page.picture(&format!("palette-{}", group.to_lowercase())).await;
        let press = format!(
            "[...document.querySelectorAll('.pal [role=option]')].find((one) => one.textContent.includes('{line}')).click()"
        );
        page.run(&press).await;
        page.holds(&format!("return location.pathname === '{place}'")).await;
    }
    chromium.page.close().await;
}
