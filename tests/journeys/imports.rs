//! Imports on the page: parts that add up, a decision, an undo, and files that are kept out of the sample data.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::support::browser::Chromium;
use crate::support::fixture;
use crate::support::service::Service;

/// A file with the bill's header and the rows for which `choose` returns a text.
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
    // After the last one, the total is that of the whole bill.
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
    page.shows("You’re viewing sample data").await;
    page.follow("Imports").await;
    page.shows("Drop cost files anywhere").await;
    page.give_files(&[fixture("september.csv")]).await;
    page.shows("Where do you want to import the file?").await;
    page.picture("imports-where-to").await;
    page.press("Import into Personal workspace").await;
    page.is_at("/imports").await;
    page.shows("september.csv").await;
    page.shows_no_more("You’re viewing sample data").await;
    chromium.page.close().await;
}

/// One run of an Azure cost export in two partitions, with its manifest: a folder named after the run.
fn azure_run(
    folder: &TempDir,
    id: &str,
    submitted: &str,
    parts: [&dyn Fn(&str) -> String; 2],
) -> Vec<PathBuf> {
    let place = folder.path().join(id);
    std::fs::create_dir(&place).unwrap();
    let text = std::fs::read_to_string(fixture("september.csv")).unwrap();
    let (header, rows) = text.split_once('\n').unwrap();
    let mut files = vec![place.join("manifest.json")];
    let mut blobs = Vec::new();
    for (part, change) in parts.iter().enumerate() {
        let rows: Vec<String> =
            rows.lines().enumerate().filter(|(at, _)| at % 2 == part).map(|(_, row)| change(row)).collect();
        let content = format!("{header}\n{}\n", rows.join("\n"));
        let name = format!("part_{part}_0001.csv");
        blobs.push(format!(
            r#"{{"blobName":"root/20240901-20240930/{id}/{name}","byteCount":{}}}"#,
            content.len()
        ));
        std::fs::write(place.join(&name), content).unwrap();
        files.push(place.join(name));
    }
    let manifest = format!(
        r#"{{"manifestVersion":"2024-04-01","blobs":[{}],"exportConfig":{{"exportName":"daily"}},
            "runInfo":{{"runId":"{id}","submittedTime":"{submitted}","startDate":"2024-09-01T00:00:00Z","endDate":"2024-09-30T00:00:00Z"}}}}"#,
        blobs.join(",")
    );
    std::fs::write(&files[0], manifest).unwrap();
    files
}

#[tokio::test]
async fn of_two_runs_of_an_azure_export_the_newest_stands_and_a_part_that_lacks_is_named() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    let folder = tempfile::tempdir().unwrap();
    let same = |row: &str| row.to_owned();
    // A longer description makes the sizes of the partitions differ.
    let longer = |row: &str| row.replace("SKU", "SKU-NEW");
    let first = azure_run(&folder, "run-1", "2024-09-16T05:00:00Z", [&same, &same]);
    let second = azure_run(&folder, "run-2", "2024-09-17T05:00:00Z", [&longer, &longer]);
    page.open(&service.sign_in_link).await;
    page.shows("Import cost files").await;
    page.follow("Imports").await;
    page.shows("Drop cost files anywhere").await;
    // The newest run first, without one of its parts.
    page.give_files(&second[..2]).await;
    page.shows("1 of 2 parts of this delivery is missing").await;
    page.shows("root/20240901-20240930/run-2/part_1_0001.csv").await;
    page.picture("imports-waits-for-parts").await;
    page.give_files(&second[2..]).await;
    page.shows("$32.88").await;
    page.shows_no_more("Waits for parts").await;
    page.shows("Lists 2 files; all are imported").await;
    // The older run then changes nothing.
    page.give_files(&first).await;
    page.holds("return [...document.querySelectorAll('.imp tr')].filter((row) => row.textContent.includes('Unchanged')).length >= 3").await;
    page.picture("imports-azure-runs").await;
    chromium.page.close().await;
}
