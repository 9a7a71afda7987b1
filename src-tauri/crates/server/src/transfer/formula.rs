//! Escapes texts that a spreadsheet would evaluate as formulas: a leading `'` makes it display them.
//!
//! Escaping is reversible: a text that already looks escaped gets one more `'`.

use std::borrow::Cow;

const MARK: char = '\'';

/// The text as a cell that no spreadsheet evaluates. Numbers such as `-12.5` are not escaped.
pub fn mark(text: &str) -> Cow<'_, str> {
    let is_formula = starts_formula(text) && !is_number(text);
    if is_formula || looks_marked(text) { format!("{MARK}{text}").into() } else { text.into() }
}

/// The original text of a cell.
pub fn unmark(cell: &str) -> &str {
    if looks_marked(cell) { &cell[MARK.len_utf8()..] } else { cell }
}

fn looks_marked(text: &str) -> bool {
    text.starts_with(MARK) && starts_formula(text.trim_start_matches(MARK))
}

fn starts_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

fn is_number(text: &str) -> bool {
    catalogue::Decimal::parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back_and_no_formula_leaves() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"),
            ("\t=1", "'\t=1"),
            ("-", "'-"),
            ("-12.5", "-12.5"),
            ("+1e3", "+1e3"),
            ("'=1", "''=1"),
            ("'-12.5", "''-12.5"),
            ("'tis", "'tis"),
            ("plain", "plain"),
            ("", ""),
        ] {
            assert_eq!(mark(text), cell);
            assert_eq!(unmark(cell), text);
        }
    }
}
