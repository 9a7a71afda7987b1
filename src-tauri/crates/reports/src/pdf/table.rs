//! Tables, with the header row repeated on every page.

use super::canvas::{Canvas, FAINT, MARGIN, PLAIN, TextStyle, count};
use crate::number::shown;
use crate::{Kind, Table};

/// The largest number of rows of a table in a document.
pub(super) const MOST_ROWS: usize = 2_000;
const LINE: f64 = 14.5;
pub(super) const GAP: f64 = 10.0;
const NARROWEST: f64 = 40.0;
pub(super) const HEAD: TextStyle = TextStyle { size: 7.5, is_bold: true, colour: FAINT, is_right: false };

/// Draws the table below the existing content.
pub(super) fn draw(canvas: &mut Canvas, table: &Table) {
    let widths = widths(canvas, table);
    canvas.need(LINE * 3.0);
    head(canvas, table, &widths);
    for row in table.rows.iter().take(MOST_ROWS) {
        if canvas.need(LINE) {
            head(canvas, table, &widths);
        }
        line(canvas, table, row, &widths, false);
    }
    if table.rows.len() > MOST_ROWS {
        canvas.need(LINE);
        let more = format!("{} of {} rows are shown; the CSV has all of them.", MOST_ROWS, table.rows.len());
        canvas.text(&more, (MARGIN, canvas.y + 9.0), canvas.room(), TextStyle { colour: FAINT, ..PLAIN });
        canvas.y += LINE;
    }
    if let Some(total) = &table.total {
        if canvas.need(LINE) {
            head(canvas, table, &widths);
        }
        line(canvas, table, total, &widths, true);
    }
    canvas.y += 18.0;
}

/// Each column gets the width that its texts need; if the total is too wide, the widest columns are narrowed.
pub(super) fn widths(canvas: &Canvas, table: &Table) -> Vec<f64> {
    let mut wanted: Vec<f64> = Vec::with_capacity(table.columns.len());
    for (place, column) in table.columns.iter().enumerate() {
        let mut widest = canvas.semibold.width(&column.name, HEAD.size);
        for row in table.rows.iter().take(MOST_ROWS).chain(&table.total) {
            if let Some(cell) = row.get(place) {
                widest = widest.max(canvas.semibold.width(&shown(cell, column.kind), PLAIN.size));
            }
        }
        wanted.push(widest.max(NARROWEST) + GAP);
    }
    let room = canvas.room();
    let total: f64 = wanted.iter().sum();
    if total <= room {
        // Remaining width goes to text columns, so that amounts stay close together.
        let texts = table.columns.iter().filter(|column| column.kind == Kind::Text).count().max(1);
        let more = ((room - total) / count(texts)).min(160.0);
        for (width, column) in wanted.iter_mut().zip(&table.columns) {
            if column.kind == Kind::Text {
                *width += more;
            }
        }
        return wanted;
    }
    // Finds the largest width limit at which all columns fit.
    let (mut low, mut high) = (room / count(wanted.len()), room);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        let sum: f64 = wanted.iter().map(|width| width.min(middle)).sum();
        if sum <= room { low = middle } else { high = middle }
    }
    wanted.into_iter().map(|width| width.min(low)).collect()
}

fn head(canvas: &mut Canvas, table: &Table, widths: &[f64]) {
    let mut x = MARGIN;
    for (column, width) in table.columns.iter().zip(widths) {
        let set = TextStyle { is_right: column.kind != Kind::Text, ..HEAD };
        canvas.text(&column.name, (x, canvas.y + 9.0), width - GAP, set);
        x += width;
    }
    canvas.y += LINE;
    canvas.rule((MARGIN, MARGIN + widths.iter().sum::<f64>() - GAP), canvas.y - 1.5);
}

fn line(canvas: &mut Canvas, table: &Table, row: &[String], widths: &[f64], is_total: bool) {
    let mut x = MARGIN;
    if is_total {
        canvas.rule((MARGIN, MARGIN + widths.iter().sum::<f64>() - GAP), canvas.y);
    }
    for ((cell, column), width) in row.iter().zip(&table.columns).zip(widths) {
        let set = TextStyle { is_bold: is_total, is_right: column.kind != Kind::Text, ..PLAIN };
        canvas.text(&shown(cell, column.kind), (x, canvas.y + 10.0), width - GAP, set);
        x += width;
    }
    canvas.y += LINE;
}
