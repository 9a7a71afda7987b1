//! Evidence from the cells of a column about how its numbers or dates are written.

use super::dates::{DateForm, DateOrder, WrittenDate};
use crate::cells;
use crate::formats::numbers::{Amount, DecimalMark};

/// Evidence from the numbers of one column.
#[derive(Debug, Clone, Default)]
pub struct NumberEvidence {
    /// The number of cells that are a number only with a decimal point.
    pub point_only: u64,
    /// The number of cells that are a number only with a decimal comma.
    pub comma_only: u64,
    /// An example of a cell with two readings: `1.234`.
    pub ambiguous: Option<String>,
    /// An example of a number that is not written as programs write it.
    pub unplain: Option<String>,
    /// An example of a number in the column.
    pub example: Option<String>,
}

impl NumberEvidence {
    /// Examines one cell. Returns the readings with a point and with a comma.
    pub fn see(&mut self, cell: &[u8]) -> [Option<catalogue::Decimal>; 2] {
        let plain = cells::number(cell).ok();
        if let Some(number) = plain
            && !is_grouped(cell)
        {
            let mark = cell.contains(&b'.');
            self.point_only += u64::from(mark);
            if self.example.is_none() {
                self.example = Some(text(cell));
            }
            return [Some(number), (!mark).then_some(number)];
        }
        let written = std::str::from_utf8(cell).ok().and_then(Amount::new);
        let readings =
            [DecimalMark::Point, DecimalMark::Comma].map(|mark| written.and_then(|amount| amount.read(mark)));
        match readings {
            [None, None] => return readings,
            [Some(_), None] => self.point_only += 1,
            [None, Some(_)] => self.comma_only += 1,
            [Some(point), Some(comma)] if point != comma && self.ambiguous.is_none() => {
                self.ambiguous = Some(text(cell));
            }
            [Some(_), Some(_)] => {}
        }
        if plain.is_none() && self.unplain.is_none() {
            self.unplain = Some(text(cell));
        }
        if self.example.is_none() {
            self.example = Some(text(cell));
        }
        readings
    }

    /// The decimal mark, if the cells prove it.
    pub fn mark(&self) -> Option<DecimalMark> {
        match (self.point_only, self.comma_only) {
            (1.., 0) => Some(DecimalMark::Point),
            (0, 1..) => Some(DecimalMark::Comma),
            _ => None,
        }
    }

    pub fn is_mixed(&self) -> bool {
        self.point_only > 0 && self.comma_only > 0
    }
}

/// Whether a cell that is a number may also be a whole number with a point as thousands separator: `1.234`.
pub fn is_grouped(cell: &[u8]) -> bool {
    let cell = cell.trim_ascii();
    let digits = cell.strip_prefix(b"-").or(cell.strip_prefix(b"+")).unwrap_or(cell);
    let Some((whole, [b'.', fraction @ ..])) =
        digits.len().checked_sub(4).map(|at| digits.split_at(at)).filter(|_| digits.len() <= 7)
    else {
        return false;
    };
    !whole.is_empty() && whole[0] != b'0' && whole.iter().chain(fraction).all(u8::is_ascii_digit)
}

/// Evidence from the dates of one column.
#[derive(Debug, Clone, Default)]
pub struct DateEvidence {
    /// The form of the dates that are not ISO 8601.
    pub form: Option<DateForm>,
    /// Whether there are several such forms.
    pub is_mixed: bool,
    /// An example of a date that is not ISO 8601.
    pub example: Option<String>,
}

impl DateEvidence {
    /// Examines one cell that is not an ISO date. Returns its parts.
    pub fn see(&mut self, cell: &[u8]) -> Option<WrittenDate> {
        let written = WrittenDate::new(cell)?;
        self.is_mixed |= self.form.is_some_and(|form| form != written.form);
        self.form.get_or_insert(written.form);
        if self.example.is_none() {
            self.example = Some(text(cell));
        }
        Some(written)
    }
}

/// Evidence from the dates of all columns about the order of month and day. A file has one order, because one program wrote it.
#[derive(Debug, Clone, Default)]
pub struct OrderEvidence {
    /// The number of dates that exist in one order only: [month first, day first].
    only: [u64; 2],
    /// An example of a date that differs between the orders.
    pub ambiguous: Option<String>,
    billing: u64,
    /// The number of starts and ends of billing periods that are not the first of a month, in each order.
    within_month: [u64; 2],
}

impl OrderEvidence {
    pub fn see(&mut self, written: WrittenDate, cell: &[u8], is_billing: bool) {
        if written.form != DateForm::Ordered {
            return;
        }
        let times = [DateOrder::MonthFirst, DateOrder::DayFirst].map(|order| written.time(order));
        match times {
            [None, None] => return,
            [Some(_), None] => self.only[0] += 1,
            [None, Some(_)] => self.only[1] += 1,
            [Some(month_first), Some(day_first)] if month_first != day_first && self.ambiguous.is_none() => {
                self.ambiguous = Some(text(cell));
            }
            [Some(_), Some(_)] => {}
        }
        if is_billing {
            self.billing += 1;
            for (within_month, time) in self.within_month.iter_mut().zip(times) {
                let is_first =
                    time.is_some_and(|time| catalogue::format_timestamp(time)[8..].starts_with("01T00"));
                *within_month += u64::from(!is_first);
            }
        }
    }

    /// The order in which every date exists. If both are possible, the one in which all billing periods begin and end with a month, if the other
    /// does not have this property. `None` when both or neither remain.
    pub fn order(&self) -> Option<DateOrder> {
        let is_monthly = |order: usize| self.billing > 0 && self.within_month[order] == 0;
        match (self.only[0], self.only[1]) {
            (1.., 0) => Some(DateOrder::MonthFirst),
            (0, 1..) => Some(DateOrder::DayFirst),
            (0, 0) if self.ambiguous.is_none() => Some(DateOrder::MonthFirst),
            (0, 0) if is_monthly(0) && !is_monthly(1) => Some(DateOrder::MonthFirst),
            (0, 0) if is_monthly(1) && !is_monthly(0) => Some(DateOrder::DayFirst),
            _ => None,
        }
    }

    /// Whether the user may state the order, because both are possible.
    pub fn is_open(&self) -> bool {
        self.only == [0, 0] && self.order().is_none()
    }
}

fn text(cell: &[u8]) -> String {
    String::from_utf8_lossy(cell.trim_ascii()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders(dates: &[&str]) -> OrderEvidence {
        let mut evidence = OrderEvidence::default();
        for date in dates {
            evidence.see(WrittenDate::new(date.as_bytes()).unwrap(), date.as_bytes(), true);
        }
        evidence
    }

    #[test]
    fn whole_months_decide_between_two_possible_orders() {
        assert_eq!(orders(&["4/1/25", "5/1/25"]).order(), Some(DateOrder::MonthFirst));
        assert_eq!(orders(&["1/4/25", "1/5/25"]).order(), Some(DateOrder::DayFirst));
        assert_eq!(orders(&["4/1/25", "13/1/25"]).order(), Some(DateOrder::DayFirst));
        assert_eq!(orders(&["1/1/25"]).order(), Some(DateOrder::MonthFirst));
    }

    #[test]
    fn dates_that_fit_both_orders_leave_the_question_open_and_those_that_fit_neither_do_not() {
        assert!(orders(&["4/5/25"]).is_open());
        let neither = orders(&["4/13/25", "13/4/25"]);
        assert!(!neither.is_open() && neither.order().is_none());
        // A date that exists in neither order is no evidence.
        assert_eq!(orders(&["13/13/25", "4/13/25"]).order(), Some(DateOrder::MonthFirst));
    }

    #[test]
    fn a_number_with_three_digits_behind_the_point_may_be_grouped() {
        for (cell, expected) in [
            ("1.234", true),
            ("-123.456", true),
            ("0.123", false),
            ("1234.567", false),
            ("1.23", false),
            ("1234", false),
            (".123", false),
            ("1.2e4", false),
            ("12", false),
        ] {
            assert_eq!(is_grouped(cell.as_bytes()), expected, "{cell}");
        }
    }
}
