//! Tests of rendered documents: their text, pages and drawings.

use super::{Chart, Column, Kind, Report, Section, Series, Table, csv, pdf, pdf_of_markdown, xlsx};
use lopdf::Document;

fn column(name: &str, kind: Kind) -> Column {
    Column { name: name.to_owned(), kind }
}

fn report(names: &[&str]) -> Report {
    let rows: Vec<Vec<String>> = names
        .iter()
        .map(|name| vec![(*name).to_owned(), "1234.5678".to_owned(), "0.25".to_owned()])
        .collect();
    let columns =
        vec![column("Service", Kind::Text), column("2026-10", Kind::Amount), column("Share", Kind::Share)];
    let total = Some(vec!["Total".to_owned(), "2469.1356".to_owned(), String::new()]);
    let series = |name: &str, values: [&str; 2]| Series {
        name: name.to_owned(),
        values: values.map(str::to_owned).into(),
    };
    let chart = Chart {
        unit: "USD".to_owned(),
        labels: vec!["Sep".to_owned(), "Oct".to_owned()],
        series: vec![series("Amazon EC2", ["900", "1234.5678"]), series("Credits", ["-50", ""])],
    };
    let section =
        Section { title: "USD".to_owned(), chart: Some(chart), table: Table { columns, rows, total } };
    Report {
        title: "Costs by month".to_owned(),
        subtitle: "until 31 Oct 2026".to_owned(),
        notes: vec!["The last month is not over.".to_owned()],
        sections: vec![section],
    }
}

fn pages(bytes: &[u8]) -> Vec<String> {
    let document = Document::load_mem(bytes).unwrap();
    let numbers: Vec<u32> = document.get_pages().into_keys().collect();
    numbers.iter().map(|number| document.extract_text(&[*number]).unwrap()).collect()
}

#[test]
fn a_workbook_has_a_sheet_for_each_table_with_numbers_as_numbers() {
    let mut two = report(&["Amazon EC2", "=HYPERLINK(1)"]);
    two.sections.push(two.sections[0].clone());
    let bytes = xlsx(&two).unwrap();
    assert_eq!(bytes, xlsx(&two).unwrap(), "the same report gives the same bytes");
    // Nothing in it is compressed.
    let text = String::from_utf8_lossy(&bytes);
    for expected in [
        "xl/worksheets/sheet3.xml",
        r#"<sheet name="USD (2)" sheetId="3" r:id="rId3"/>"#,
        "The last month is not over.",
        r#"<c r="B2" s="0"><v>1234.5678</v></c><c r="C2" s="2"><v>0.25</v></c>"#,
        r#"<c r="A3" s="0" t="inlineStr"><is><t xml:space="preserve">=HYPERLINK(1)</t></is></c>"#,
        r#"<c r="B4" s="1"><v>2469.1356</v></c></row></sheetData><autoFilter ref="A1:C3"/>"#,
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
}

#[test]
fn a_document_has_its_text_and_figures() {
    let bytes = pdf(&report(&["Amazon EC2", "Облако Ωμέγα Đà Nẵng"])).unwrap();
    let text = pages(&bytes).join("\n");
    for expected in [
        "Costs by month",
        "until 31 Oct 2026",
        "Amazon EC2",
        "Облако Ωμέγα Đà Nẵng",
        "1,234.57",
        "25.0%",
        "2,469.14",
        "page 1 of 1",
        "The last month is not over.",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert!(bytes.len() < 60_000, "{} bytes: letters that nobody uses are embedded", bytes.len());
    assert_eq!(bytes, pdf(&report(&["Amazon EC2", "Облако Ωμέγα Đà Nẵng"])).unwrap());
}

#[test]
fn charts_are_vectors() {
    let bytes = pdf(&report(&["Amazon EC2"])).unwrap();
    let document = Document::load_mem(&bytes).unwrap();
    let (_, page) = document.get_pages().into_iter().next().unwrap();
    let content = String::from_utf8(document.get_page_content(page)).unwrap();
    // The bars of the first series, and the credit below the axis.
    assert_eq!(content.matches("0.157 0.400 0.725 rg").count(), 3, "two bars and the legend: {content}");
    assert!(!content.contains(" Do"), "no pictures");
}

#[test]
fn letters_that_the_typeface_lacks_are_told_and_can_be_copied() {
    let bytes = pdf(&report(&["東京"])).unwrap();
    let document = Document::load_mem(&bytes).unwrap();
    let (_, page) = document.get_pages().into_iter().next().unwrap();
    let content = String::from_utf8(document.get_page_content(page)).unwrap();
    assert!(content.contains("/ActualText <FEFF67714EAC>"), "{content}");
    let text = pages(&bytes).join("\n");
    assert!(text.contains("such as U+4EAC, are drawn as boxes"), "{text}");
}

#[test]
fn a_long_table_goes_on_with_its_head() {
    let names: Vec<String> = (0..100).map(|row| format!("Service {row}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let pages = pages(&pdf(&report(&names)).unwrap());
    assert!(pages.len() > 2);
    assert!(pages.iter().take(3).all(|page| page.contains("2026-10")), "{pages:?}");
    assert!(pages.iter().any(|page| page.contains("Service 99")));
}

#[test]
fn a_csv_has_every_digit_and_runs_nothing() {
    let mut report = report(&["=cmd()", "a \"b\", c", "-1.5"]);
    let table = &mut report.sections[0].table;
    table.columns[0].name = "Name".to_owned();
    assert_eq!(
        csv(table),
        "\u{feff}Name,2026-10,Share\r\n'=cmd(),1234.5678,0.25\r\n\"a \"\"b\"\", c\",1234.5678,0.25\r\n-1.5,1234.5678,0.25\r\nTotal,2469.1356,\r\n"
    );
}

#[test]
fn what_cannot_be_laid_out_is_refused() {
    let mut short = report(&["one"]);
    short.sections[0].table.rows[0].pop();
    assert_eq!(pdf(&short).unwrap_err().to_string(), "a row has 2 cells: expected 3, one a column");
    let mut wide = report(&["one"]);
    wide.sections[0].table.columns.clear();
    assert!(pdf(&wide).unwrap_err().to_string().contains("0 columns"));
}

const POST_MORTEM: &str = "# Post-mortem: Pods \\*restart\\*\n\n| | |\n| --- | --- |\n| Severity | High |\n\n## Timeline\n\n\
    | Time (UTC) | What happened |\n| --- | --- |\n| 20 Nov, 07:16 | A long sentence about what happened, which is much wider than a page is and goes on \
    in further lines of its cell instead of being cut there, to its very last word: thunderstorm |\n\n## Likely cause\n\n\
    1. **The limit is too low** (80 of 100).\n   - For it: E1\n2. Something else\n\n```\n  level=error   msg=\"out of memory\"\n```\n\n\
    - [ ] Raise the limit\n- [x] Tell [the team](https://team.example.com)\n\n<b>as written</b>\n";

#[test]
fn a_text_of_markdown_has_all_its_words_and_none_of_its_signs() {
    let bytes = pdf_of_markdown(POST_MORTEM).unwrap();
    let text = pages(&bytes).join("\n");
    for expected in [
        "Post-mortem: Pods *restart*",
        "Severity",
        "thunderstorm",
        "1.",
        "The limit is too low",
        "(80 of 100).",
        "2.",
        "  level=error   msg=\"out of memory\"",
        "[ ] Raise the limit",
        "[x] Tell the team (https://team.example.com)",
        "<b>as written</b>",
        "page 1 of 1",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("**") && !text.contains('|') && !text.contains('…'), "{text}");
    assert_eq!(bytes, pdf_of_markdown(POST_MORTEM).unwrap());
}

#[test]
fn a_text_stands_upright_and_goes_on_over_pages() {
    let long: String = (0..200).map(|line| format!("Paragraph {line} of a long text.\n\n")).collect();
    let bytes = pdf_of_markdown(&long).unwrap();
    let found = pages(&bytes);
    assert!(found.len() > 3, "{}", found.len());
    assert!(found.last().unwrap().contains("Paragraph 199"));
    let document = Document::load_mem(&bytes).unwrap();
    let catalogue = document.catalog().unwrap().get(b"Pages").unwrap().as_reference().unwrap();
    let area = document.get_dictionary(catalogue).unwrap().get(b"MediaBox").unwrap().as_array().unwrap();
    assert!(area[2].as_float().unwrap() < area[3].as_float().unwrap());
}

#[test]
fn a_word_that_is_wider_than_the_page_is_cut_and_whole() {
    let word = "x".repeat(400);
    let text = pages(&pdf_of_markdown(&word).unwrap()).join("");
    assert_eq!(text.matches('x').count(), 400, "{text}");
}

#[test]
fn a_text_that_is_empty_or_too_long_is_refused() {
    assert_eq!(pdf_of_markdown(" \n").unwrap_err().to_string(), "the text is empty");
    assert!(pdf_of_markdown(&"x".repeat(1_000_001)).unwrap_err().to_string().contains("1000001 bytes"));
}
