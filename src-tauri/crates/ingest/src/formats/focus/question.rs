//! Questions about a file with two readings, with the sums that each reading gives.

use super::columns::Column;
use super::dates::{DateOrder, WrittenDate};
use super::evidence::NumberEvidence;
use super::forms::Forms;
use super::layout::Layout;
use crate::cells::{self, filled};
use crate::formats::numbers::{Amount, DecimalMark};
use crate::outcome::{Choice, ChoiceTotal, Decision};
use catalogue::{Decimal, DecimalSum, format_timestamp};
use csv::ByteRecord;
use std::collections::BTreeMap;

/// Maximum number of combinations of billing period and currency that are summed for the question.
const PERIODS: usize = 240;

/// The billed cost by start of the billing period (as written) and currency, in both readings of the numbers.
#[derive(Debug, Default)]
pub struct Sums(BTreeMap<(String, String), [DecimalSum; 2]>);

impl Sums {
    /// Adds a row whose billed cost has these readings.
    pub fn add(&mut self, layout: &Layout, record: &ByteRecord, readings: [Option<Decimal>; 2]) {
        let text = |column| {
            let cell = layout.place(column).and_then(|place| record.get(place)).and_then(filled);
            cell.map(|cell| String::from_utf8_lossy(cell.trim_ascii()).into_owned()).unwrap_or_default()
        };
        let key = (text(Column::BillingPeriodStart), text(Column::BillingCurrency).to_ascii_uppercase());
        if self.0.len() >= PERIODS && !self.0.contains_key(&key) {
            return;
        }
        let sums = self.0.entry(key).or_default();
        for (sum, reading) in sums.iter_mut().zip(readings) {
            if let Some(number) = reading {
                sum.add(number);
            }
        }
    }

    /// The sums per period and currency, for one reading of the numbers and one order of the dates.
    fn totals(&self, mark: DecimalMark, order: Option<DateOrder>) -> Vec<ChoiceTotal> {
        let mut totals: BTreeMap<(String, &str), DecimalSum> = BTreeMap::new();
        for ((start, currency), [point, comma]) in &self.0 {
            let sum = if mark == DecimalMark::Comma { comma } else { point };
            // Sums with more than 38 digits are omitted.
            if let Some(total) = sum.total() {
                totals.entry((period(start, order), currency)).or_default().add(total);
            }
        }
        let totals = totals.into_iter();
        totals
            .map(|((period, currency), sum)| ChoiceTotal {
                period,
                currency: currency.to_owned(),
                before: String::new(),
                after: sum.to_string(),
            })
            .collect()
    }
}

/// The question whether the decimal mark is a point or a comma.
pub fn numbers(layout: &Layout, sums: &Sums, column: &str, evidence: &NumberEvidence) -> Decision {
    let example = evidence.ambiguous.as_deref().unwrap_or_default();
    let choice = |choice: &str, mark: DecimalMark, words: &str| {
        let number = Amount::new(example).and_then(|amount| amount.read(mark));
        let means = number.map(|number| number.to_string()).unwrap_or_default();
        let order = layout.forms.order();
        Choice {
            choice: choice.to_owned(),
            label: format!("{words}: {example} is {means}"),
            totals: sums.totals(mark, order),
        }
    };
    Decision {
        reason: "number_format".to_owned(),
        question: format!(
            "The numbers of {column} can be read with a decimal point or with a decimal comma (such as {example}). Which is meant?"
        ),
        choices: vec![
            choice("decimal_comma", DecimalMark::Comma, "Decimal comma"),
            choice("decimal_point", DecimalMark::Point, "Decimal point"),
        ],
        decided: None,
    }
}

/// The question whether the day or the month is first.
pub fn dates(layout: &Layout, sums: &Sums, forms: &Forms, example: &str) -> Decision {
    let mark = layout.place(Column::BilledCost).and_then(|place| forms.mark(place));
    let choice = |choice: &str, order: DateOrder, words: &str| {
        let time = WrittenDate::new(example.as_bytes()).and_then(|written| written.time(order));
        let means = time.map(|time| format_timestamp(time)[..10].to_owned()).unwrap_or_default();
        Choice {
            choice: choice.to_owned(),
            label: format!("{words}: {example} is {means}"),
            totals: sums.totals(mark.unwrap_or(DecimalMark::Point), Some(order)),
        }
    };
    Decision {
        reason: "date_format".to_owned(),
        question: format!(
            "The dates of the file can be read with the day or with the month first (such as {example}). Which is meant?"
        ),
        choices: vec![
            choice("day_first", DateOrder::DayFirst, "Day first"),
            choice("month_first", DateOrder::MonthFirst, "Month first"),
        ],
        decided: None,
    }
}

/// The period that begins at a written time: the month, or the day if it is not the first of a month. When the order of month and day is
/// unknown, the cell unchanged.
fn period(start: &str, order: Option<DateOrder>) -> String {
    let iso = cells::time(start.as_bytes()).map(|time| time.micros);
    let time = iso.or_else(|| WrittenDate::new(start.as_bytes())?.time(order?));
    let Some(time) = time else { return start.to_owned() };
    let text = format_timestamp(time);
    let end = if text[8..].starts_with("01T00") { 7 } else { 10 };
    text[..end].to_owned()
}
