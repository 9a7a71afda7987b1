//! Validates documents: JSON, XML, CSV, text or PDF, up to 10 MB (semantics §12).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use graphql::Refusal;

pub(crate) const FORMATS: [&str; 5] = ["json", "xml", "csv", "text", "pdf"];

const MAX_BYTES: usize = 10 * 1024 * 1024;

/// Validates a document and returns its size in bytes. Empty documents, documents over the maximum size and
/// documents that do not match their format are refused. For XML and CSV, only the beginning is checked.
pub(crate) fn check(format: &str, data: &str) -> Result<usize, Refusal> {
    let wrong =
        |what: &str| Err(Refusal::invalid(format!("data is not {what}: expected a document of that format")));
    if !FORMATS.contains(&format) {
        let known = crate::kit::in_account::listed(&FORMATS);
        return Err(Refusal::invalid(format!("format is {format:?}: expected {known}")));
    }
    if data.trim().is_empty() {
        return Err(Refusal::invalid("data is empty: expected the document"));
    }
    let size = match format {
        "pdf" => match STANDARD.decode(data.trim()) {
            Ok(bytes) if bytes.starts_with(b"%PDF-") => bytes.len(),
            Ok(_) => return wrong("a PDF"),
            Err(cause) => {
                return Err(Refusal::invalid(format!(
                    "data is not base64 ({cause}): expected the bytes of the PDF in it"
                )));
            }
        },
        _ => data.len(),
    };
    if size > MAX_BYTES {
        return Err(Refusal::invalid(format!(
            "data has {size} bytes: at most {MAX_BYTES} (10 MB) are allowed"
        )));
    }
    match format {
        "json" => match serde_json::from_str::<serde::de::IgnoredAny>(data) {
            Ok(_) => Ok(size),
            Err(cause) => wrong(&format!("JSON ({cause})")),
        },
        "xml" if !data.trim_start_matches('\u{feff}').trim_start().starts_with('<') => wrong("XML"),
        _ => Ok(size),
    }
}

/// Converts a file to a document: the format from the file name's extension, and the text, or base64 for a PDF.
pub(crate) fn of_file(file_name: &str, bytes: &[u8]) -> Result<(&'static str, String), Refusal> {
    let format = format_of(file_name);
    if format == "pdf" || bytes.starts_with(b"%PDF-") {
        return Ok(("pdf", STANDARD.encode(bytes)));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok((format, text.to_owned())),
        _ => Err(Refusal::invalid(format!(
            "{file_name} is no text: text, Markdown, CSV, JSON, XML and PDF are read. Save it as one of these"
        ))),
    }
}

/// The format for the extension of a file name; `text` for unknown extensions.
pub(crate) fn format_of(file_name: &str) -> &'static str {
    let ending = file_name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    FORMATS.into_iter().find(|format| *format == ending).unwrap_or("text")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(format: &str, data: &str) -> String {
        check(format, data).unwrap_err().message
    }

    #[test]
    fn documents_of_every_format_are_measured() {
        assert_eq!(check("text", "Restart order: api, web."), Ok(24));
        assert_eq!(check("json", r#"{"a": [1]}"#), Ok(10));
        assert_eq!(check("xml", "<a/>"), Ok(4));
        assert_eq!(check("csv", "a,b\n1,2\n"), Ok(8));
    }

    #[test]
    fn a_pdf_comes_in_base64_and_counts_its_own_bytes() {
        assert_eq!(check("pdf", &STANDARD.encode(b"%PDF-1.7 x")), Ok(10));
        assert_eq!(
            refused("pdf", &STANDARD.encode(b"hello")),
            "data is not a PDF: expected a document of that format"
        );
        assert!(refused("pdf", "%PDF-1.7").starts_with("data is not base64 ("));
    }

    #[test]
    fn what_is_not_of_its_format_is_refused() {
        assert!(refused("json", "{a: 1}").starts_with("data is not JSON (key must be a string"));
        assert_eq!(refused("xml", "a,b"), "data is not XML: expected a document of that format");
        assert_eq!(refused("docx", "x"), "format is \"docx\": expected json, xml, csv, text or pdf");
    }

    #[test]
    fn ten_megabytes_are_allowed_and_one_byte_more_is_not() {
        assert_eq!(check("text", &"a".repeat(MAX_BYTES)), Ok(MAX_BYTES));
        assert_eq!(
            refused("text", &"a".repeat(MAX_BYTES + 1)),
            "data has 10485761 bytes: at most 10485760 (10 MB) are allowed"
        );
    }

    #[test]
    fn an_empty_document_is_refused() {
        assert_eq!(refused("text", " \n"), "data is empty: expected the document");
    }

    #[test]
    fn the_format_follows_from_the_name_of_the_file() {
        assert_eq!(format_of("runbook.PDF"), "pdf");
        assert_eq!(format_of("notes.md"), "text");
        assert_eq!(format_of("notes"), "text");
    }
}
