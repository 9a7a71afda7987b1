//! Tables as CSV (RFC 4180), with a byte order mark so that spreadsheets detect UTF-8. Texts that a spreadsheet would treat as formulas are
//! escaped.

use crate::Table;
use catalogue::Decimal;
use std::borrow::Cow;

/// The table as CSV; amounts have all digits.
pub fn csv(table: &Table) -> String {
    let mut text = String::from('\u{feff}');
    let head: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    for row in std::iter::once(&head).chain(&table.rows).chain(&table.total) {
        let cells: Vec<Cow<'_, str>> = row.iter().map(|cell| quoted(cell)).collect();
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    }
    text
}

fn quoted(cell: &str) -> Cow<'_, str> {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && Decimal::parse(cell).is_err();
    let cell = if is_formula { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) };
    if cell.contains(['"', ',', '\r', '\n']) {
        return Cow::Owned(format!("\"{}\"", cell.replace('"', "\"\"")));
    }
    cell
}
