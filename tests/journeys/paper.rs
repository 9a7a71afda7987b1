//! A page on paper.

use crate::support::browser::Chromium;
use crate::support::fixture;
use crate::support::service::Service;

/// More than are drawn on a screen.
const RESOURCES: usize = 400;

/// A bill with a line for each of them.
fn bill() -> String {
    let small = std::fs::read_to_string(fixture("september.csv")).unwrap();
    let mut lines = small.lines();
    let (head, line) = (lines.next().unwrap(), lines.next().unwrap());
    let resource = "i-0a1b2c3d4e5f60001";
    assert!(line.contains(resource), "{line}");
    let lines = (0..RESOURCES).map(|number| line.replace(resource, &format!("i-{number:05}")));
    std::iter::once(head.to_owned()).chain(lines).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn on_paper_a_page_is_there_from_its_first_row_to_its_last() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bill.csv");
    std::fs::write(&file, bill()).unwrap();
    page.open(&service.sign_in_link).await;
    page.follow("Imports").await;
    page.give_files(&[file]).await;
    page.shows("400 imported").await;
    page.follow("Inventory").await;
    page.shows("400 resources").await;
    let few = "return document.querySelectorAll('.resources tbody tr').length < 200";
    page.holds(few).await;

    let sheets = page.sheets().await;
    assert!(sheets >= 10, "{sheets} sheets");
    page.holds(few).await;
    chromium.page.close().await;
}
