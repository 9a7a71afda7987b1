//! The post-mortem of an event, saved as a PDF.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::process::Command;

use crate::support::browser::Chromium;
use crate::support::programs::finish;
use crate::support::service::Service;

#[tokio::test]
async fn the_post_mortem_of_an_event_is_written_on_and_saved_as_a_pdf() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.press("Load sample data").await;
    page.shows("You’re viewing sample data").await;
    page.open(&format!("http://127.0.0.1:{}/events", service.port())).await;
    page.shows("The job nightly-report failed").await;
    // Captures the file that the browser would save.
    page.run(
        "window.saved = []; const make = URL.createObjectURL;
         URL.createObjectURL = (blob) => { window.saved.push(blob); return make.call(URL, blob); };",
    )
    .await;
    page.run("[...document.querySelectorAll('tbody tr')].find((row) => row.innerText.includes('nightly-report')).click()")
        .await;
    // The shortcut is active once the event has loaded.
    page.holds("return document.querySelector('button[aria-label=\"More actions\"]') !== null").await;
    page.type_text("p").await;
    page.holds("return document.querySelector('textarea.post-mortem')?.value.includes('nightly-report')")
        .await;
    page.run("const text = document.querySelector('textarea.post-mortem'); text.focus(); text.setSelectionRange(text.value.length, text.value.length);")
        .await;
    page.type_text(" Nobody was paged.").await;
    page.picture("post-mortem").await;
    page.press_in_dialog("Save as PDF").await;
    page.holds("return window.saved.length === 1").await;
    let saved = page
        .ask(
            "const [blob] = window.saved;
             const bytes = new Uint8Array(await blob.arrayBuffer());
             return [blob.type, btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))];",
        )
        .await;
    assert_eq!(saved[0], "application/pdf");
    let pdf = STANDARD.decode(saved[1].as_str().unwrap()).unwrap();
    assert!(pdf.starts_with(b"%PDF-"), "{:?}", &pdf[..8]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("post-mortem.pdf");
    std::fs::write(&file, pdf).unwrap();
    let text = finish(Command::new("pdftotext").arg(&file).arg("-")).succeeded().stdout;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("nightly-report") && words.contains("Nobody was paged."), "{text}");
    chromium.page.close().await;
}
