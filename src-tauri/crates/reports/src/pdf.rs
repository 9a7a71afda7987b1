//! A4 PDF documents with searchable text: reports with vector charts, and texts.

mod canvas;
mod chart;
mod font;
mod table;
mod text;

use crate::{Report, ReportError};
use canvas::{Canvas, FAINT, INK, MARGIN, PLAIN, TextStyle};
use lopdf::{Document, Object, Stream, dictionary};

pub use text::pdf_of_markdown;

const TITLE: TextStyle = TextStyle { size: 18.0, is_bold: true, colour: INK, is_right: false };
const HEADING: TextStyle = TextStyle { size: 11.0, is_bold: true, colour: INK, is_right: false };
const NOTE: TextStyle = TextStyle { size: 8.5, is_bold: false, colour: FAINT, is_right: false };

/// The report as a PDF.
pub fn pdf(report: &Report) -> Result<Vec<u8>, ReportError> {
    report.check()?;
    let mut canvas = Canvas::landscape()?;
    let room = canvas.room();
    canvas.text(&report.title, (MARGIN, canvas.y + 14.0), room, TITLE);
    canvas.text(&report.subtitle, (MARGIN, canvas.y + 30.0), room, NOTE);
    canvas.y += 46.0;
    for section in &report.sections {
        canvas.need(60.0);
        if !section.title.is_empty() {
            canvas.text(&section.title, (MARGIN, canvas.y + 10.0), room, HEADING);
            canvas.y += 22.0;
        }
        if let Some(drawn) = &section.chart {
            chart::draw(&mut canvas, drawn);
        }
        table::draw(&mut canvas, &section.table);
    }
    let mut notes = report.notes.clone();
    notes.extend(replaced(&canvas, "Copied text and the CSV have them."));
    for note in &notes {
        paragraph(&mut canvas, note, room);
    }
    feet(&mut canvas, &report.title);
    assemble(&canvas, &report.title)
}

/// The note that some letters are drawn as boxes; `whole` states where the full text is. `None` if none are.
fn replaced(canvas: &Canvas, whole: &str) -> Option<String> {
    let first = canvas.regular.missing.iter().chain(&canvas.semibold.missing).next()?;
    Some(format!(
        "Letters that the typeface of this document lacks, such as U+{:04X}, are drawn as boxes. {whole}",
        u32::from(*first)
    ))
}

fn paragraph(canvas: &mut Canvas, text: &str, room: f64) {
    let mut line = String::new();
    let words: Vec<&str> = text.split_whitespace().collect();
    for (place, word) in words.iter().enumerate() {
        let longer = if line.is_empty() { (*word).to_owned() } else { format!("{line} {word}") };
        let fits = canvas.regular.width(&longer, NOTE.size) <= room;
        if !fits && !line.is_empty() {
            put(canvas, &line, room);
            (*word).clone_into(&mut line);
        } else {
            line = longer;
        }
        if place + 1 == words.len() {
            put(canvas, &line, room);
        }
    }
    canvas.y += 4.0;
}

fn put(canvas: &mut Canvas, line: &str, room: f64) {
    canvas.need(12.0);
    canvas.text(line, (MARGIN, canvas.y + 9.0), room, NOTE);
    canvas.y += 12.0;
}

/// Draws title and page number at the foot of every page.
fn feet(canvas: &mut Canvas, title: &str) {
    let pages = std::mem::take(&mut canvas.pages);
    let (total, y, edge) = (pages.len(), canvas.height - MARGIN + 10.0, canvas.width - MARGIN);
    let set = TextStyle { size: 7.0, colour: FAINT, ..PLAIN };
    for (place, page) in pages.into_iter().enumerate() {
        canvas.pages.push(page);
        canvas.text(title, (MARGIN, y), canvas.room() - 210.0, set);
        let number = format!("Quarterdeck, page {} of {total}", place + 1);
        canvas.text(&number, (edge - 200.0, y), 200.0, TextStyle { is_right: true, ..set });
    }
}

fn assemble(canvas: &Canvas, title: &str) -> Result<Vec<u8>, ReportError> {
    let failed = |error: &dyn std::fmt::Display| ReportError(format!("the PDF cannot be written: {error}"));
    let mut document = Document::with_version("1.7");
    let (regular, semibold) = (canvas.regular.embed(&mut document)?, canvas.semibold.embed(&mut document)?);
    let resources = document.add_object(dictionary! {
        "Font" => dictionary! { "F1" => regular, "F2" => semibold },
    });
    let tree = document.new_object_id();
    let mut kids: Vec<Object> = Vec::with_capacity(canvas.pages.len());
    for page in &canvas.pages {
        let mut stream = Stream::new(dictionary! {}, page.clone().into_bytes());
        let _ = stream.compress();
        let stream = document.add_object(stream);
        let page = document.add_object(dictionary! {
            "Type" => "Page",
            "Parent" => tree,
            "Contents" => stream,
            "Resources" => resources,
        });
        kids.push(page.into());
    }
    let pages = dictionary! {
        "Type" => "Pages",
        "Count" => i64::try_from(kids.len()).unwrap_or_default(),
        "Kids" => kids,
        "MediaBox" => vec![0.into(), 0.into(), real(canvas.width), real(canvas.height)],
    };
    document.objects.insert(tree, pages.into());
    let catalogue = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    let info = document.add_object(dictionary! {
        "Title" => lopdf::text_string(title),
        "Producer" => Object::string_literal("Quarterdeck"),
    });
    document.trailer.set("Root", catalogue);
    document.trailer.set("Info", info);
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).map_err(|error| failed(&error))?;
    Ok(bytes)
}

/// A length as a PDF object.
fn real(length: f64) -> Object {
    #[expect(clippy::cast_possible_truncation, reason = "lengths of pages fit")]
    Object::Real(length as f32)
}
