//! Parses numbers as people and spreadsheets write them: `1.234,56`, `1 234,56`, `$1.50`, `1.50 €`, `(1.50)`, `1.50-`.
//!
//! A single cell often has two readings (`1.234`). This module returns both; the reading is decided for a whole column.

use catalogue::Decimal;
use schemars::JsonSchema;

/// The decimal separator of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecimalMark {
    /// `1,234.56`
    Point,
    /// `1.234,56`
    Comma,
}

impl DecimalMark {
    fn character(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Point => Self::Comma,
            Self::Comma => Self::Point,
        }
    }
}

/// A cell without sign and currency: digits and separators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount<'a> {
    digits: &'a str,
    is_negative: bool,
    /// A symbol or a three-letter code.
    currency: Option<&'a str>,
}

/// Currency symbols, longer ones first, with the code if it is unique.
const SYMBOLS: [(&str, Option<&str>); 22] = [
    ("US$", Some("USD")),
    ("CA$", Some("CAD")),
    ("AU$", Some("AUD")),
    ("NZ$", Some("NZD")),
    ("HK$", Some("HKD")),
    ("NT$", Some("TWD")),
    ("R$", Some("BRL")),
    ("A$", Some("AUD")),
    ("C$", None),
    ("S$", None),
    ("$", None),
    ("€", Some("EUR")),
    ("£", None),
    ("¥", None),
    ("₹", Some("INR")),
    ("₩", None),
    ("₺", Some("TRY")),
    ("₪", Some("ILS")),
    ("฿", Some("THB")),
    ("₽", Some("RUB")),
    ("zł", Some("PLN")),
    ("kr", None),
];

impl<'a> Amount<'a> {
    /// Removes sign, brackets and currency from a cell; `None` when no digit remains.
    pub fn new(cell: &'a str) -> Option<Self> {
        let mut rest = trim(cell);
        let mut is_negative = None;
        let mut currency = None;
        loop {
            let before = rest;
            if is_negative.is_none() {
                if let Some(inner) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
                    (is_negative, rest) = (Some(true), inner);
                } else if let Some(tail) = rest.strip_prefix(['-', '−']).or(rest.strip_suffix(['-', '−']))
                {
                    (is_negative, rest) = (Some(true), tail);
                } else if let Some(tail) = rest.strip_prefix('+') {
                    (is_negative, rest) = (Some(false), tail);
                }
            }
            if currency.is_none()
                && let Some((name, tail)) = take_currency(rest)
            {
                (currency, rest) = (Some(name), tail);
            }
            rest = trim(rest);
            if rest == before {
                break;
            }
        }
        rest.contains(|c: char| c.is_ascii_digit()).then_some(Self {
            digits: rest,
            is_negative: is_negative.unwrap_or(false),
            currency,
        })
    }

    /// The code of the currency in the cell, if it is certain.
    pub fn currency_code(&self) -> Option<&'a str> {
        let currency = self.currency?;
        match SYMBOLS.iter().find(|(symbol, _)| *symbol == currency) {
            Some((_, code)) => *code,
            None => Some(currency),
        }
    }

    /// The number, if it is valid with this decimal mark.
    pub fn read(&self, mark: DecimalMark) -> Option<Decimal> {
        let (mantissa, exponent) = match self.digits.find(['e', 'E']) {
            Some(at) => self.digits.split_at(at),
            None => (self.digits, ""),
        };
        let (whole, fraction) = match mantissa.split_once(mark.character()) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (mantissa, None),
        };
        let mut plain = String::with_capacity(self.digits.len() + 2);
        if self.is_negative {
            plain.push('-');
        }
        if is_digits(whole) {
            plain.push_str(whole);
        } else if exponent.is_empty() {
            push_groups(whole, mark, &mut plain)?;
        } else {
            return None;
        }
        if let Some(fraction) = fraction {
            if !is_digits(fraction) {
                return None;
            }
            plain.push('.');
            plain.push_str(fraction);
        }
        plain.push_str(exponent);
        Decimal::parse(&plain).ok()
    }
}

/// Appends the digits of a whole number whose groups are separated by one and the same character.
fn push_groups(text: &str, mark: DecimalMark, plain: &mut String) -> Option<()> {
    let separator = text.chars().find(|c| !c.is_ascii_digit())?;
    if separator != mark.other().character() && !is_space(separator) && !matches!(separator, '\'' | '’') {
        return None;
    }
    let groups: Vec<&str> = text.split(separator).collect();
    let [first, middle @ .., last] = groups.as_slice() else { return None };
    let is_even = |length: usize| middle.iter().all(|group| group.len() == length);
    let is_grouped = (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && last.len() == 3
        // `12,34,567` is the Indian grouping.
        && (is_even(3) || is_even(2) && first.len() <= 2);
    if !is_grouped || !groups.iter().all(|group| is_digits(group)) {
        return None;
    }
    for group in &groups {
        plain.push_str(group);
    }
    Some(())
}

fn take_currency(text: &str) -> Option<(&str, &str)> {
    let symbol = SYMBOLS.iter().find_map(|(symbol, _)| {
        let rest = text.strip_prefix(symbol).or_else(|| text.strip_suffix(symbol))?;
        Some((*symbol, rest))
    });
    symbol.or_else(|| {
        let is_code = |code: &str| code.bytes().all(|byte| byte.is_ascii_uppercase());
        let first = text.split_at_checked(3).filter(|(code, _)| is_code(code));
        first.or_else(|| {
            let (rest, code) = text.split_at_checked(text.len().checked_sub(3)?)?;
            is_code(code).then_some((code, rest))
        })
    })
}

fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// White space, including no-break spaces.
fn is_space(c: char) -> bool {
    c.is_whitespace()
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the readings of a cell with a point and with a comma as decimal mark; `-` means none.
    fn check(cell: &str, point: &str, comma: &str) {
        let read = |mark| {
            let number = Amount::new(cell).and_then(|amount| amount.read(mark));
            number.map_or("-".to_owned(), |number| number.to_string())
        };
        assert_eq!([read(DecimalMark::Point), read(DecimalMark::Comma)], [point, comma], "{cell}");
    }

    #[test]
    fn a_decimal_mark_tells_a_fraction_from_groups_of_thousands() {
        check("1,50", "-", "1.5");
        check("1.50", "1.5", "-");
        check("1,234.56", "1234.56", "-");
        check("1.234,56", "-", "1234.56");
        check("1.234.567", "-", "1234567");
        check("1,234", "1234", "1.234");
        check("1.234", "1.234", "1234");
        check("0.123", "0.123", "-");
        check("1234.567", "1234.567", "-");
        check("12,34,567.5", "1234567.5", "-");
        check("1 234,56", "-", "1234.56");
        check("1\u{a0}234\u{a0}567", "1234567", "1234567");
        check("1\u{202f}234,5", "-", "1234.5");
        check("1'234.56", "1234.56", "-");
        check("1234", "1234", "1234");
        check(",5", "-", "0.5");
        check("6,123E-7", "-", "0.0000006123");
        check("1E-7", "0.0000001", "0.0000001");
    }

    #[test]
    fn signs_brackets_and_currencies_are_taken_off() {
        for cell in [
            "-1.50",
            "(1.50)",
            "1.50-",
            "−1.50",
            "$-1.50",
            "-$1.50",
            "($1.50)",
            "$(1.50)",
            "-1.50 €",
            "1.50- EUR",
        ] {
            check(cell, "-1.5", "-");
        }
        for cell in
            ["$1.50", "1.50 €", "US$ 1.50", "USD 1.50", "1.50 USD", "+1.50", "CHF\u{a0}1.50", " 1.50 "]
        {
            check(cell, "1.5", "-");
        }
        let code = |cell| Amount::new(cell).unwrap().currency_code();
        assert_eq!(
            [code("1,50 €"), code("EUR 1,50"), code("$1.50"), code("1.50")],
            [Some("EUR"), Some("EUR"), None, None]
        );
    }

    #[test]
    fn what_is_no_number_has_no_reading() {
        for cell in [
            "",
            "abc",
            "$",
            "()",
            "1,2,3",
            "1.2.3",
            "12,34",
            "1,234,56.5x",
            "--1",
            "(-1)",
            "1-2",
            "1 23",
            "1 234 56",
            "1e",
            "1.5.",
            "1.23,456",
            "01.234.567",
            "1 GB",
            "5/1/2026",
        ] {
            let point = Amount::new(cell).and_then(|amount| amount.read(DecimalMark::Point));
            assert_eq!(point, None, "{cell}");
        }
    }
}
