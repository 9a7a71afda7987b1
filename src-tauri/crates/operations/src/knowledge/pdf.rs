//! Extracts the text of a PDF page by page, with limits against malicious files.

use lopdf::{Document, LoadOptions};
use std::panic::catch_unwind;
use std::sync::mpsc::channel;
use std::thread::Builder;
use std::time::Duration;

/// Maximum decompressed size of one stream in the file, in bytes.
const MAX_PART_BYTES: usize = 16 * 1024 * 1024;
/// Maximum text stored for all pages, in bytes.
const MAX_TEXT_BYTES: usize = 20 * 1024 * 1024;
const MAX_PAGES: usize = 5_000;
/// Stack size in bytes: PDF objects reference each other, and the file determines how deep the reader recurses.
const STACK: usize = 64 * 1024 * 1024;

/// Returns the text of each page.
///
/// If reading takes longer than `patience`, the call gives up; its thread runs on until it has finished.
///
/// # Errors
/// A message for the user that says why there is no text.
pub(super) fn pages(bytes: Vec<u8>, patience: Duration) -> Result<Vec<String>, String> {
    let (tell, told) = channel();
    let read = move || {
        // A panic in the PDF library is reported as a broken file and does not stop the service.
        let read = catch_unwind(|| read(&bytes)).unwrap_or_else(|_| Err(BROKEN.to_owned()));
        let _ = tell.send(read);
    };
    let thread = Builder::new().name("pdf".to_owned()).stack_size(STACK).spawn(read);
    if thread.is_err() {
        return Err("there is no room to read it now: try again".to_owned());
    }
    let slow = || {
        format!("reading it takes longer than {} s: print it to a plain PDF and add that", patience.as_secs())
    };
    told.recv_timeout(patience).unwrap_or_else(|_| Err(slow()))
}

const BROKEN: &str = "the PDF is broken: open it in a viewer, print it to a new PDF and add that";

fn read(bytes: &[u8]) -> Result<Vec<String>, String> {
    let options = LoadOptions { max_decompressed_size: Some(MAX_PART_BYTES), ..LoadOptions::default() };
    let document = Document::load_mem_with_options(bytes, options).map_err(|error| match error {
        lopdf::Error::InvalidPassword | lopdf::Error::Decryption(_) => {
            "the PDF is closed with a password: add a version without".to_owned()
        }
        _ => BROKEN.to_owned(),
    })?;
    let numbers: Vec<u32> = document.get_pages().into_keys().take(MAX_PAGES).collect();
    let mut pages = Vec::with_capacity(numbers.len());
    let mut length = 0;
    for number in &numbers {
        let text = document.extract_text_with_limit(&[*number], MAX_PART_BYTES).unwrap_or_default();
        length += text.len();
        if length > MAX_TEXT_BYTES {
            break;
        }
        pages.push(text);
    }
    if pages.iter().all(|page| page.trim().is_empty()) {
        let count = numbers.len();
        return Err(format!("{count} pages are pictures without text: add a version with text"));
    }
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_mins(1);

    /// A PDF with one page that shows a text, or an empty page.
    fn pdf(text: &str) -> Vec<u8> {
        use lopdf::content::{Content, Operation};
        use lopdf::{Object, Stream, dictionary};
        let mut document = Document::with_version("1.5");
        let pages = document.new_object_id();
        let font = document.add_object(dictionary! {
            "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica",
        });
        let resources = document.add_object(dictionary! { "Font" => dictionary! { "F1" => font } });
        let mut operations = vec![
            Operation::new("BT", vec![]),
            Operation::new("Tf", vec!["F1".into(), 12.into()]),
            Operation::new("Td", vec![50.into(), 700.into()]),
        ];
        if !text.is_empty() {
            operations.push(Operation::new("Tj", vec![Object::string_literal(text)]));
        }
        operations.push(Operation::new("ET", vec![]));
        let content = Content { operations }.encode().unwrap();
        let content = document.add_object(Stream::new(dictionary! {}, content));
        let page = document.add_object(dictionary! {
            "Type" => "Page", "Parent" => pages, "Contents" => content, "Resources" => resources,
            "MediaBox" => vec![0.into(), 0.into(), 595.into(), 842.into()],
        });
        let kids = dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1 };
        document.objects.insert(pages, Object::Dictionary(kids));
        let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
        document.trailer.set("Root", catalog);
        let mut bytes = Vec::new();
        document.save_to(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn the_text_of_a_page_is_read() {
        let pages = pages(pdf("Use the same region"), PATIENCE).unwrap();
        assert_eq!(pages.iter().map(|page| page.trim()).collect::<Vec<_>>(), ["Use the same region"]);
    }

    #[test]
    fn a_page_without_text_says_so() {
        assert_eq!(
            pages(pdf(""), PATIENCE),
            Err("1 pages are pictures without text: add a version with text".to_owned())
        );
    }

    #[test]
    fn broken_files_end_in_words_and_never_in_a_crash() {
        assert_eq!(pages(b"%PDF-1.7 x".to_vec(), PATIENCE), Err(BROKEN.to_owned()));
        let whole = pdf("Use the same region");
        // Flip bits at pseudo-random positions: any result is fine as long as the call returns.
        let mut state = 1_u64;
        for _ in 0..200 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = usize::try_from(state >> 33).unwrap() % whole.len();
            let mut broken = whole.clone();
            broken[at] ^= u8::try_from(state >> 56).unwrap() | 1;
            broken.truncate(if state & 64 == 0 { at.max(8) } else { whole.len() });
            drop(pages(broken, PATIENCE));
        }
        let deep = format!(
            "%PDF-1.4\n1 0 obj\n{}{}\nendobj\ntrailer <</Root 1 0 R>>\n",
            "[".repeat(200_000),
            "]".repeat(200_000)
        );
        assert!(pages(deep.into_bytes(), PATIENCE).is_err());
    }
}
