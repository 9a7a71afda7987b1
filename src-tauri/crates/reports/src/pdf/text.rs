//! Renders Markdown as a PDF: headings, paragraphs, lists, tables, code and quotes, following CommonMark with tables.

mod blocks;
mod wrap;

use super::canvas::Canvas;
use super::{assemble, feet, paragraph, replaced};
use crate::ReportError;
use blocks::Writer;
use pulldown_cmark::{Options, Parser};

/// The longest text in bytes.
const LONGEST: usize = 1_000_000;

/// The text as a PDF; its first heading is the title.
///
/// # Errors
/// If it is empty, or longer than a million bytes.
pub fn pdf_of_markdown(markdown: &str) -> Result<Vec<u8>, ReportError> {
    if markdown.trim().is_empty() {
        return Err(ReportError("the text is empty".to_owned()));
    }
    if markdown.len() > LONGEST {
        return Err(ReportError(format!(
            "the text has {} bytes: expected {LONGEST} at most",
            markdown.len()
        )));
    }
    let mut writer = Writer::new(Canvas::portrait()?);
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS) {
        writer.take(event);
    }
    let (mut canvas, title) = writer.end();
    if let Some(note) = replaced(&canvas, "Copied text has them.") {
        let room = canvas.room();
        paragraph(&mut canvas, &note, room);
    }
    feet(&mut canvas, &title);
    assemble(&canvas, &title)
}
