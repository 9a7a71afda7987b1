//! Printing a page.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;

use crate::support::browser::Chromium;
use crate::support::desk::{PRINT, Screen};
use crate::support::desktop::{Window, until};
use crate::support::fixture;
use crate::support::programs::{self, finish};
use crate::support::service::Service;

/// More than fit on a screen.
const RESOURCES: usize = 400;

/// A bill with a line for each resource.
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
    page.follow("Resources").await;
    page.shows("400 resources").await;
    let few = "return document.querySelectorAll('.resources tbody tr').length < 200";
    page.holds(few).await;

    // Rows out of view are loaded a moment later, and a printing browser does not wait for them.
    let printed = async { while page.sheets().await < 10 {} };
    tokio::time::timeout(Duration::from_mins(1), printed)
        .await
        .expect("ten sheets are printed within a minute");
    page.holds(few).await;
    chromium.page.close().await;
}

#[tokio::test]
async fn the_window_cuts_no_line_of_a_long_list_in_two() {
    let screen = Screen::new();
    let window = Window::open_on_screen(&screen.name).await;
    let page = &window.page;
    page.shows("Import cost files").await;
    let file = window.home().join("bill.csv");
    std::fs::write(&file, bill()).unwrap();
    programs::run(window.data_dir(), &["import".as_ref(), file.as_os_str()]).succeeded();
    page.follow("Inventory").await;
    page.follow("Resources").await;
    page.shows("400 resources").await;
    // The list is sorted by cost once the costs have loaded.
    page.shows("$1,920.00 billed").await;
    // Rows out of view are loaded a moment later: wait for everything that will be printed.
    page.run("dispatchEvent(new Event('beforeprint'));").await;
    page.holds(&format!(
        "return (document.body.innerText.match(/instance\\/i-/g) ?? []).length === {RESOURCES};"
    ))
    .await;
    page.run("dispatchEvent(new Event('afterprint'));").await;

    screen.open("ctrl+p", PRINT).await;
    // The only printer of a machine without any: a file.
    let paper = window.home().join("output.pdf");
    let printed = RefCell::new(Vec::new());
    until("a whole file", || {
        if let Some(question) = screen.windows_of_any(PRINT).pop() {
            screen.press(&question, "Down Return");
            screen.is_gone_soon(&question);
        }
        *printed.borrow_mut() = std::fs::read(&paper).unwrap_or_default();
        printed.borrow().trim_ascii_end().ends_with(b"%%EOF")
    })
    .await;
    // A copy: printing once more would overwrite the file.
    let whole = window.home().join("whole.pdf");
    std::fs::write(&whole, printed.take()).unwrap();
    let text = finish(Command::new("pdftotext").arg("-layout").arg(&whole).arg("-")).succeeded().stdout;
    let names: Vec<&str> = text.split_whitespace().filter(|word| word.starts_with("instance/i-")).collect();
    // A cut row would appear on both sheets.
    assert_eq!(names.len(), RESOURCES, "lines on {} sheets", text.matches('\u{c}').count());
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), RESOURCES);
    // The other cells of a row are on the same sheet as its name.
    for sheet in text.split('\u{c}') {
        let [names, accounts, regions] =
            ["instance/i-", "Pier Production", "eu-west-1"].map(|word| sheet.matches(word).count());
        assert_eq!((accounts, regions), (names, names), "{sheet}");
    }
    window.page.close().await;
}
