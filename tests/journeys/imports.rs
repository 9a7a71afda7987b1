//! Imports as a person at the page meets them: parts that add up, a decision, an undo, and files that stay out of the sample.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::support::browser::Chromium;
use crate::support::fixture;
use crate::support::service::Service;

/// A file of the bill's header and those of its rows that `choose` gives a text for.
fn bill(folder: &TempDir, name: &str, choose: impl Fn(usize, &str) -> Option<String>) -> PathBuf {
    let text = std::fs::read_to_string(fixture("september.csv")).unwrap();
    let mut lines = text.lines();
    let mut content = format!("{}\n", lines.next().unwrap());
    for row in lines.enumerate().filter_map(|(at, line)| choose(at, line)) {
        content += &row;
        content.push('\n');
    }
    let path = Path::new(folder.path()).join(name);
    std::fs::write(&path, content).unwrap();
    path
}

#[tokio::test]
async fn three_parts_dropped_one_by_one_sum_up() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    let folder = tempfile::tempdir().unwrap();
    page.open(&service.sign_in_link).await;
    page.shows("Import cost files").await;
    page.follow("Imports").await;
    page.shows("Drop cost files anywhere").await;
    for part in 0..3 {
        let name = format!("month_{part}.csv");
        let file = bill(&folder, &name, |at, line| (at % 3 == part).then(|| line.to_owned()));
        page.give_files(&[file]).await;
        page.shows(&name).await;
        let ended = format!(
            "return [...document.querySelectorAll('.imp tr')].some((row) => row.textContent.includes('{name}') && row.textContent.includes('Done'))"
        );
        page.holds(&ended).await;
    }
    // What the last one left is what the whole bill sums up to.
    page.shows("$32.88").await;
    page.picture("imports-parts").await;
    chromium.page.close().await;
}

#[tokio::test]
async fn a_file_that_is_partly_known_waits_for_a_decision_taken_on_the_page() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    let folder = tempfile::tempdir().unwrap();
    page.open(&service.sign_in_link).await;
    page.shows("Import cost files").await;
    page.follow("Imports").await;
    page.shows("Drop cost files anywhere").await;
    page.give_files(&[fixture("september.csv")]).await;
    page.shows("Stored now").await;
    let mixed = bill(&folder, "mixed.csv", |at, line| {
        Some(if at % 2 == 0 { line.to_owned() } else { line.replace("SKU", "OTHER") })
    });
    page.give_files(&[mixed]).await;
    page.shows("Needs a decision").await;
    page.picture("imports-decision").await;
    page.press("Add: mixed.csv").await;
    page.shows("chose “Add”").await;
    page.shows_no_more("Needs a decision").await;
    chromium.page.close().await;
}

#[tokio::test]
async fn an_undo_says_what_it_changes_and_takes_the_file_back() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("Import cost files").await;
    page.follow("Imports").await;
    page.shows("Drop cost files anywhere").await;
    page.give_files(&[fixture("september.csv")]).await;
    page.shows("Stored now").await;
    page.press("Undo september.csv").await;
    page.shows("12 rows are removed").await;
    page.picture("imports-undo").await;
    page.press("Undo import").await;
    page.shows("This import was undone").await;
    chromium.page.close().await;
}

#[tokio::test]
async fn a_file_chosen_while_the_sample_is_in_front_goes_to_the_own_tenant() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.press("Load sample data").await;
    page.shows("Sample data: none of this is yours").await;
    page.follow("Imports").await;
    page.shows("Drop cost files anywhere").await;
    page.give_files(&[fixture("september.csv")]).await;
    page.shows("Where do you want to import the file?").await;
    page.picture("imports-where-to").await;
    page.press("Import into Personal workspace").await;
    page.is_at("/imports").await;
    page.shows("september.csv").await;
    page.shows_no_more("none of this is yours").await;
    chromium.page.close().await;
}
