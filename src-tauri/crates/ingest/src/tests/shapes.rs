//! File structure around the rows: line breaks, byte order marks, titles and encodings.

use super::kit::{House, PARTIES, focus, gzip};
use crate::{Report, State};

/// Three charges. The cost of the last is not a number, to have its line in the report.
fn charges() -> String {
    focus(
        PARTIES,
        &[
            ("1 USD 2026-05-02", "AWS,100,200,Shop"),
            ("2 USD 2026-05-03", "AWS,100,200,\"Shop of\nmany lines\""),
            ("x USD 2026-05-04", "AWS,100,200,Shop"),
        ],
    )
}

/// Imports the bytes. The first two charges begin on the first two lines given; the third is skipped on the last.
fn check(bytes: impl AsRef<[u8]>, lines: [u64; 3]) -> Report {
    let house = House::new();
    let report = house.import(bytes.as_ref());
    let expected = [format!("1 | {}", lines[0]), format!("2 | {}", lines[1])];
    assert_eq!(house.rows("spends", &["amount", "source_line"], &[]), expected, "{report:?}");
    assert_eq!(report.skipped[0].line, lines[2], "{report:?}");
    report
}

fn utf16(text: &str) -> [Vec<u8>; 2] {
    let text = format!("\u{feff}{text}");
    [
        text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    ]
}

#[test]
fn lines_are_those_of_the_file_whatever_ends_them() {
    check(charges(), [2, 3, 5]);
    check(charges().replace('\n', "\r\n"), [2, 3, 5]);
    check(charges().replace('\n', "\r"), [2, 3, 5]);
    check(charges().trim_end(), [2, 3, 5]);
    check(gzip(charges().replace('\n', "\r\n").as_bytes()), [2, 3, 5]);
}

#[test]
fn blank_lines_count_though_they_are_no_rows() {
    for line_break in ["\n", "\r\n", "\r"] {
        let text = charges().replace("Compute,AWS,100,200,Shop\n", "Compute,AWS,100,200,Shop\n\n\n");
        let report = check(text.replace('\n', line_break), [2, 5, 7]);
        assert_eq!(report.rows_read, 3);
        check(format!("\n\n{}", charges()).replace('\n', line_break), [4, 5, 7]);
    }
}

#[test]
fn a_mark_at_the_beginning_is_no_line() {
    check(format!("\u{feff}{}", charges()), [2, 3, 5]);
}

#[test]
fn utf16_is_read_in_both_orders() {
    for text in [charges(), charges().replace(',', "\t").replace('\n', "\r\n")] {
        for bytes in utf16(&text) {
            check(&bytes, [2, 3, 5]);
            check(gzip(&bytes), [2, 3, 5]);
        }
    }
}

#[test]
fn utf16_longer_than_what_is_looked_at_is_read_to_its_end() {
    let many: Vec<String> = (1..=9_000).map(|cost| format!("{cost} USD 2026-05-02")).collect();
    let rows: Vec<(&str, &str)> = many.iter().map(|row| (row.as_str(), "AWS,100,200,Größe €")).collect();
    let [little, _] = utf16(&focus(PARTIES, &rows));
    let house = House::new();
    let report = house.import(&little);
    assert_eq!((report.state, report.rows_written), (State::Done, 9_000));
    assert_eq!(house.sum("amount", "USD"), (9_000 * 9_001 / 2).to_string());
    assert_eq!(house.rows("cloud_accounts", &["account_name"], &[]), ["Größe €"]);
}

#[test]
fn half_a_character_leaves_its_row_out_only() {
    let mut bytes = utf16(&charges().replace("x USD", "3 USD").replace("x,USD", "3,USD"))[0].clone();
    let broken = bytes.chunks(2).rposition(|unit| unit == b"S\0").unwrap() * 2;
    bytes[broken..broken + 2].copy_from_slice(&0xd800_u16.to_le_bytes());
    let report = check(&bytes, [2, 3, 5]);
    assert_eq!(report.skipped[0].reason, "not UTF-8 text");
}

#[test]
fn a_first_line_that_states_the_delimiter_is_obeyed() {
    for (text, delimiter) in [("sep=;", ";"), ("SEP=|", "|"), ("\"sep=^\"", "^"), ("sep=\t", "\t")] {
        let text = format!("{text}\r\n{}", charges().replace(',', delimiter).replace('\n', "\r\n"));
        check(&text, [3, 4, 6]);
        check(format!("\u{feff}{text}"), [3, 4, 6]);
    }
}

#[test]
fn titles_before_the_header_are_left_out_and_named() {
    let title = "Cost report\r\n\r\n\"Acme, Inc.\",May 2026\r\nMade \"today\r\n";
    let report = check(format!("{title}{}", charges()), [6, 7, 9]);
    assert!(report.notes.contains(&"The 4 lines before the header were left out.".to_owned()), "{report:?}");
    let report = check(format!("Costs\n{}", charges()), [3, 4, 6]);
    assert!(report.notes.contains(&"The line before the header was left out.".to_owned()), "{report:?}");
}

#[test]
fn a_damaged_header_below_a_title_is_told_by_what_it_lacks() {
    let house = House::new();
    let text = format!("Cost report\n{}", charges().replace("BilledCost,", "Costs,"));
    let failure = house.import(text).error.unwrap();
    assert!(failure.message.contains("looks like FOCUS, but it lacks BilledCost"), "{}", failure.message);
}

#[test]
fn text_without_a_header_stays_unknown() {
    let house = House::new();
    let text = "Cost report\n".repeat(30) + &charges();
    assert_eq!(house.import(text).error.unwrap().found, "text that starts with “Cost report”");
}
