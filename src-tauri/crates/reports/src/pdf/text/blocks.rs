//! Draws the blocks of a Markdown text below each other.

use super::super::canvas::{Canvas, Colour, FAINT, MARGIN, PLAIN, TextStyle};
use super::super::table::{GAP, HEAD, widths};
use super::wrap::{Run, lines, width};
use crate::{Column, Table};
use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

const BODY: TextStyle = TextStyle { size: 9.5, ..PLAIN };
const CODE: TextStyle = TextStyle { size: 8.0, ..PLAIN };
/// Line height as a multiple of the font size.
const LEADING: f64 = 1.45;
const INDENT: f64 = 16.0;
const SHADE: Colour = Colour(243, 245, 248);

/// Draws a text from a stream of Markdown events.
pub(super) struct Writer {
    canvas: Canvas,
    /// The first heading.
    title: Option<String>,
    runs: Vec<Run>,
    bold: usize,
    /// The number of the next item of each open list; `None` for bullet lists.
    lists: Vec<Option<u64>>,
    /// The marker before the next paragraph: the number or bullet of its item.
    marker: Option<String>,
    quotes: usize,
    code: Option<String>,
    /// Addresses of open links, and the number of runs before each.
    links: Vec<(String, usize)>,
    rows: Vec<Vec<Vec<Run>>>,
}

impl Writer {
    pub(super) fn new(canvas: Canvas) -> Self {
        Self {
            canvas,
            title: None,
            runs: Vec::new(),
            bold: 0,
            lists: Vec::new(),
            marker: None,
            quotes: 0,
            code: None,
            links: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Returns the pages and the title.
    pub(super) fn end(mut self) -> (Canvas, String) {
        self.paragraph();
        (self.canvas, self.title.unwrap_or_else(|| "Document".to_owned()))
    }

    pub(super) fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.finish(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.push(&text),
            },
            Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => self.push(&text),
            Event::SoftBreak => self.push(" "),
            Event::HardBreak => self.push("\n"),
            Event::Rule => {
                self.canvas.need(14.0);
                self.canvas.rule((MARGIN, self.canvas.width - MARGIN), self.canvas.y + 4.0);
                self.canvas.y += 14.0;
            }
            Event::TaskListMarker(is_done) => self.push(if is_done { "[x] " } else { "[ ] " }),
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.push(&text);
            }
        }
    }

    fn push(&mut self, text: &str) {
        self.runs.push(Run { text: text.to_owned(), is_bold: self.bold > 0 });
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Strong => self.bold += 1,
            Tag::List(first) => {
                // Finish the text of the item that contains this list.
                self.paragraph();
                self.lists.push(first);
            }
            Tag::Item => {
                self.marker = Some(match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}.", *number - 1)
                    }
                    _ => "•".to_owned(),
                });
            }
            Tag::BlockQuote(_) => self.quotes += 1,
            Tag::CodeBlock(_) => {
                self.paragraph();
                self.code = Some(String::new());
            }
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.links.push((dest_url.into_string(), self.runs.len()));
            }
            Tag::Table(_) => self.rows.clear(),
            Tag::TableHead | Tag::TableRow => self.rows.push(Vec::new()),
            _ => {}
        }
    }

    fn finish(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => self.write_heading(level),
            TagEnd::Strong => self.bold = self.bold.saturating_sub(1),
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.paragraph(),
            TagEnd::Item => {
                self.paragraph();
                self.marker = None;
            }
            TagEnd::List(_) => {
                self.lists.pop();
                self.canvas.y += if self.lists.is_empty() { 4.0 } else { 0.0 };
            }
            TagEnd::BlockQuote(_) => self.quotes = self.quotes.saturating_sub(1),
            TagEnd::CodeBlock => self.write_code(),
            TagEnd::Link | TagEnd::Image => {
                let Some((address, before)) = self.links.pop() else { return };
                let shown: String = self.runs.iter().skip(before).map(|run| run.text.as_str()).collect();
                if shown != address {
                    self.push(&format!(" ({address})"));
                }
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.runs);
                if let Some(row) = self.rows.last_mut() {
                    row.push(cell);
                }
            }
            TagEnd::Table => self.write_table(),
            _ => {}
        }
    }

    /// The left edge of blocks, by the nesting of lists and quotes.
    fn left(&self) -> f64 {
        let deep = u32::try_from(self.lists.len() + self.quotes).unwrap_or_default().min(12);
        MARGIN + f64::from(deep) * INDENT
    }

    fn line(&mut self, line: &[Run], x: f64, set: TextStyle) {
        let mut at = x;
        for run in line {
            let set = TextStyle { is_bold: set.is_bold || run.is_bold, ..set };
            // The text was measured to fit, so it is not shortened.
            self.canvas.text(&run.text, (at, self.canvas.y + set.size), f64::INFINITY, set);
            at += self.canvas.font(set).width(&run.text, set.size);
        }
    }

    /// Draws the collected runs as a paragraph.
    fn paragraph(&mut self) {
        if self.runs.is_empty() {
            return;
        }
        let runs = std::mem::take(&mut self.runs);
        let left = self.left();
        let set = if self.quotes > 0 { TextStyle { colour: FAINT, ..BODY } } else { BODY };
        let height = set.size * LEADING;
        for line in lines(&self.canvas, &runs, self.canvas.width - MARGIN - left, set.size) {
            self.canvas.need(height);
            if let Some(marker) = self.marker.take() {
                let marker = [Run { text: marker, is_bold: false }];
                let wide = width(&self.canvas, &marker, set.size);
                self.line(&marker, left - wide - 5.0, set);
            }
            self.line(&line, left, set);
            self.canvas.y += height;
        }
        self.canvas.y += if self.lists.is_empty() { 6.0 } else { 2.0 };
    }

    fn write_heading(&mut self, level: HeadingLevel) {
        let mut runs = std::mem::take(&mut self.runs);
        for run in &mut runs {
            run.is_bold = true;
        }
        self.title.get_or_insert_with(|| runs.iter().map(|run| run.text.as_str()).collect());
        let size = match level {
            HeadingLevel::H1 => 17.0,
            HeadingLevel::H2 => 12.0,
            _ => 10.0,
        };
        // Keep a heading together with the following text.
        self.canvas.need(size * LEADING + 40.0);
        if self.canvas.y > MARGIN {
            self.canvas.y += 8.0;
        }
        for line in lines(&self.canvas, &runs, self.canvas.room(), size) {
            self.canvas.need(size * LEADING);
            self.line(&line, MARGIN, TextStyle { size, is_bold: true, ..BODY });
            self.canvas.y += size * LEADING;
        }
        self.canvas.y += 4.0;
    }

    /// Draws lines unchanged; leading spaces are preserved.
    fn write_code(&mut self) {
        let code = self.code.take().unwrap_or_default();
        let (left, height) = (self.left(), CODE.size * LEADING);
        let right = self.canvas.width - MARGIN;
        for line in code.trim_end_matches('\n').split('\n') {
            let kept = line.replace('\t', "    ").replace(' ', "\u{a0}");
            let run = [Run { text: kept, is_bold: false }];
            let mut parts = lines(&self.canvas, &run, right - left - 12.0, CODE.size);
            if parts.is_empty() {
                parts.push(Vec::new());
            }
            for part in parts {
                self.canvas.need(height);
                self.canvas.area((left, self.canvas.y), (right - left, height), SHADE);
                let part: Vec<Run> = part
                    .into_iter()
                    .map(|run| Run { text: run.text.replace('\u{a0}', " "), ..run })
                    .collect();
                self.line(&part, left + 6.0, CODE);
                self.canvas.y += height;
            }
        }
        self.canvas.y += 8.0;
    }

    fn write_table(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return;
        }
        let head = rows.remove(0);
        let texts = |row: &[Vec<Run>]| -> Vec<String> {
            row.iter().map(|cell| cell.iter().map(|run| run.text.as_str()).collect()).collect()
        };
        let columns: Vec<Column> =
            texts(&head).into_iter().map(|name| Column { name, ..Column::default() }).collect();
        let table = Table { columns, rows: rows.iter().map(|row| texts(row)).collect(), total: None };
        let widths = widths(&self.canvas, &table);
        if table.columns.iter().any(|column| !column.name.is_empty()) {
            // Keep a header together with its first row.
            self.canvas.need(PLAIN.size * LEADING * 3.0);
            self.row(&head, &widths, HEAD);
            self.canvas.rule((MARGIN, MARGIN + widths.iter().sum::<f64>() - GAP), self.canvas.y - 1.0);
        }
        for row in &rows {
            self.row(row, &widths, PLAIN);
        }
        self.canvas.y += 8.0;
    }

    /// Draws a row of a table, with the height of its tallest cell.
    fn row(&mut self, cells: &[Vec<Run>], widths: &[f64], set: TextStyle) {
        let cells: Vec<Vec<Vec<Run>>> = cells
            .iter()
            .zip(widths)
            .map(|(cell, width)| lines(&self.canvas, cell, width - GAP, PLAIN.size))
            .collect();
        let high = cells.iter().map(Vec::len).max().unwrap_or_default();
        for place in 0..high {
            self.canvas.need(PLAIN.size * LEADING);
            let mut x = MARGIN;
            for (cell, width) in cells.iter().zip(widths) {
                if let Some(line) = cell.get(place) {
                    self.line(line, x, set);
                }
                x += width;
            }
            self.canvas.y += PLAIN.size * LEADING;
        }
        self.canvas.y += 3.0;
    }
}
