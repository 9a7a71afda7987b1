//! Renders reports as workbooks (ECMA-376) for Excel, LibreOffice and Numbers: a sheet about the report, and one per table with a frozen header
//! row and filters. Amounts are numbers with all digits (Excel calculates with fifteen); everything else is text, which no spreadsheet evaluates.

use crate::archive::zip;
use crate::{Kind, Report, ReportError, Table};
use catalogue::Decimal;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGES: &str = "http://schemas.openxmlformats.org/package/2006";
const TYPES: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";
/// The longest name of a sheet, in letters.
const LONGEST_NAME: usize = 31;
/// The longest text of a cell, in letters.
const LONGEST_CELL: usize = 32_767;
/// The narrowest and the widest column, in letters.
const WIDTHS: (usize, usize) = (9, 60);

/// Styles by their index in [`STYLES`].
const PLAIN: u8 = 0;
const BOLD: u8 = 1;
const PERCENT: u8 = 2;
const BOLD_PERCENT: u8 = 3;

const STYLES: &str = concat!(
    "<fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font><font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>",
    "<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill patternType=\"gray125\"/></fill></fills>",
    "<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>",
    "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs><cellXfs count=\"4\">",
    "<xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>",
    "<xf numFmtId=\"0\" fontId=\"1\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyFont=\"1\"/>",
    "<xf numFmtId=\"10\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>",
    "<xf numFmtId=\"10\" fontId=\"1\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyFont=\"1\" applyNumberFormat=\"1\"/>",
    "</cellXfs><cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles>",
);

/// The workbook of a report.
pub fn xlsx(report: &Report) -> Result<Vec<u8>, ReportError> {
    report.check()?;
    let mut names = BTreeSet::new();
    let mut sheets = vec![(sheet_name("Report", &mut names), about(report))];
    for section in &report.sections {
        sheets.push((sheet_name(&section.title, &mut names), sheet(&section.table)));
    }
    let (mut overrides, mut listed, mut relations) = (String::new(), String::new(), String::new());
    for (place, (name, _)) in (1..).zip(&sheets) {
        let _ = write!(
            overrides,
            "<Override PartName=\"/xl/worksheets/sheet{place}.xml\" ContentType=\"{TYPES}.worksheet+xml\"/>"
        );
        let _ = write!(listed, "<sheet name=\"{}\" sheetId=\"{place}\" r:id=\"rId{place}\"/>", escaped(name));
        relations += &relation(place, "worksheet", &format!("worksheets/sheet{place}.xml"));
    }
    relations += &relation(sheets.len() + 1, "styles", "styles.xml");
    let file = |name: &str, content: String| (name.to_owned(), format!("{HEAD}{content}"));
    let mut files = vec![
        file(
            "[Content_Types].xml",
            format!(
                "<Types xmlns=\"{PACKAGES}/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
                 <Default Extension=\"xml\" ContentType=\"application/xml\"/><Override PartName=\"/xl/workbook.xml\" ContentType=\"{TYPES}.sheet.main+xml\"/>\
                 {overrides}<Override PartName=\"/xl/styles.xml\" ContentType=\"{TYPES}.styles+xml\"/></Types>"
            ),
        ),
        file("_rels/.rels", related(&relation(1, "officeDocument", "xl/workbook.xml"))),
        file(
            "xl/workbook.xml",
            format!(
                "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{RELATIONS}\"><sheets>{listed}</sheets></workbook>"
            ),
        ),
        file("xl/_rels/workbook.xml.rels", related(&relations)),
        file("xl/styles.xml", format!("<styleSheet xmlns=\"{MAIN}\">{STYLES}</styleSheet>")),
    ];
    for (place, (_, content)) in (1..).zip(sheets) {
        files.push(file(&format!("xl/worksheets/sheet{place}.xml"), content));
    }
    zip(&files).ok_or_else(|| ReportError("the workbook is larger than 4 GiB".to_owned()))
}

fn related(relations: &str) -> String {
    format!("<Relationships xmlns=\"{PACKAGES}/relationships\">{relations}</Relationships>")
}

fn relation(id: usize, kind: &str, target: &str) -> String {
    format!("<Relationship Id=\"rId{id}\" Type=\"{RELATIONS}/{kind}\" Target=\"{target}\"/>")
}

/// A sheet with the report's title, topic and notes.
fn about(report: &Report) -> String {
    let lines = [&report.title, &report.subtitle].into_iter().chain(&report.notes);
    let rows = (1..).zip(lines.filter(|line| !line.is_empty()));
    let rows: String = rows
        .map(|(row, line)| row_of(row, &text(0, row, line, if row == 1 { BOLD } else { PLAIN })))
        .collect();
    format!(
        "<worksheet xmlns=\"{MAIN}\"><cols><col min=\"1\" max=\"1\" width=\"100\" customWidth=\"1\"/></cols><sheetData>{rows}</sheetData></worksheet>"
    )
}

fn sheet(table: &Table) -> String {
    let columns = table.columns.len().max(1);
    let mut lines = String::new();
    let head: String =
        table.columns.iter().enumerate().map(|(place, column)| text(place, 1, &column.name, BOLD)).collect();
    lines += &row_of(1, &head);
    for (row, cells) in (2..).zip(&table.rows) {
        lines += &row_of(row, &cells_of(table, row, cells, false));
    }
    let last = table.rows.len() + 1;
    if let Some(total) = &table.total {
        lines += &row_of(last + 1, &cells_of(table, last + 1, total, true));
    }
    let widths: String = table.columns.iter().enumerate().map(|(place, _)| width(table, place)).collect();
    let widths = if widths.is_empty() { widths } else { format!("<cols>{widths}</cols>") };
    // The row of totals is not filtered.
    let filter = format!("<autoFilter ref=\"A1:{}{last}\"/>", letters(columns - 1));
    format!(
        "<worksheet xmlns=\"{MAIN}\"><sheetViews><sheetView workbookViewId=\"0\"><pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/>\
         </sheetView></sheetViews>{widths}<sheetData>{lines}</sheetData>{filter}</worksheet>"
    )
}

fn width(table: &Table, place: usize) -> String {
    let cells = table
        .rows
        .iter()
        .take(500)
        .filter_map(|row| row.get(place))
        .chain(table.columns.get(place).map(|column| &column.name));
    let longest = cells.map(|cell| cell.chars().count()).max().unwrap_or_default() + 2;
    let (column, width) = (place + 1, longest.clamp(WIDTHS.0, WIDTHS.1));
    format!("<col min=\"{column}\" max=\"{column}\" width=\"{width}\" customWidth=\"1\"/>")
}

fn row_of(row: usize, cells: &str) -> String {
    format!("<row r=\"{row}\">{cells}</row>")
}

fn cells_of(table: &Table, row: usize, cells: &[String], is_total: bool) -> String {
    let kinds = table.columns.iter().map(|column| column.kind);
    kinds
        .zip(cells)
        .enumerate()
        .map(|(place, (kind, cell))| cell_of((place, row), kind, cell, is_total))
        .collect()
}

fn cell_of((column, row): (usize, usize), kind: Kind, cell: &str, is_total: bool) -> String {
    if cell.is_empty() {
        return String::new();
    }
    let number = Decimal::parse(cell).ok().filter(|_| kind != Kind::Text);
    let style = match (kind == Kind::Share && number.is_some(), is_total) {
        (true, true) => BOLD_PERCENT,
        (true, false) => PERCENT,
        (false, true) => BOLD,
        (false, false) => PLAIN,
    };
    match number {
        Some(number) => format!("<c r=\"{}{row}\" s=\"{style}\"><v>{number}</v></c>", letters(column)),
        None => text(column, row, cell, style),
    }
}

fn text(column: usize, row: usize, value: &str, style: u8) -> String {
    format!(
        "<c r=\"{}{row}\" s=\"{style}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{}</t></is></c>",
        letters(column),
        escaped(value)
    )
}

/// The name of a column by its index: A, B … Z, AA.
fn letters(place: usize) -> String {
    let letter = char::from(b'A' + u8::try_from(place % 26).unwrap_or_default());
    if place < 26 { letter.to_string() } else { format!("{}{letter}", letters(place / 26 - 1)) }
}

/// A sheet name without forbidden characters that is not taken yet.
fn sheet_name(title: &str, taken: &mut BTreeSet<String>) -> String {
    let plain: String =
        title.chars().map(|letter| if "[]:*?/\\'".contains(letter) { ' ' } else { letter }).collect();
    let plain = plain.trim();
    let plain = if plain.is_empty() { "Table" } else { plain };
    let cut = |most: usize| plain.chars().take(most).collect::<String>().trim().to_owned();
    let mut name = cut(LONGEST_NAME);
    let mut number = 2;
    while !taken.insert(name.to_lowercase()) {
        let end = format!(" ({number})");
        name = cut(LONGEST_NAME - end.len()) + &end;
        number += 1;
    }
    name
}

/// Escapes text for XML and removes characters that XML cannot represent.
fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for letter in value.chars().take(LONGEST_CELL) {
        match letter {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\t' | '\n' | '\r' => text.push(letter),
            '\u{fffe}' | '\u{ffff}' => {}
            _ if letter.is_control() => {}
            _ => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_are_called_like_their_tables_and_like_no_other() {
        let mut taken = BTreeSet::new();
        assert_eq!(sheet_name("USD", &mut taken), "USD");
        assert_eq!(sheet_name("usd", &mut taken), "usd (2)");
        assert_eq!(sheet_name("a/b: [c]", &mut taken), "a b   c");
        assert_eq!(sheet_name("'", &mut taken), "Table");
        let long = "Largest open recommendations, USD";
        assert_eq!(sheet_name(long, &mut taken), "Largest open recommendations, U");
        assert_eq!(sheet_name(long, &mut taken), "Largest open recommendation (2)");
    }

    #[test]
    fn columns_have_letters() {
        assert_eq!([0, 25, 26, 27, 701, 702].map(letters), ["A", "Z", "AA", "AB", "ZZ", "AAA"]);
    }

    #[test]
    fn texts_are_never_run_nor_break_the_file() {
        assert_eq!(escaped("a<b>&\"c\u{0}\u{7}\n"), "a&lt;b&gt;&amp;&quot;c\n");
        let cell = cell_of((0, 2), Kind::Text, "=1+1", false);
        assert!(cell.contains("t=\"inlineStr\"") && cell.contains("=1+1"), "{cell}");
        assert_eq!(cell_of((1, 2), Kind::Amount, "-12.50", false), "<c r=\"B2\" s=\"0\"><v>-12.5</v></c>");
        assert_eq!(cell_of((1, 2), Kind::Share, "0.25", true), "<c r=\"B2\" s=\"3\"><v>0.25</v></c>");
        assert_eq!(cell_of((1, 2), Kind::Amount, "", false), "");
    }
}
