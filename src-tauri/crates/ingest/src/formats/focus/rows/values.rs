//! Parses cells as numbers and times, in the form of their column.

use super::{Fault, Rows};
use crate::cells::{self, NOT_TEXT, filled};
use crate::formats::focus::columns::{self, Column};
use crate::formats::focus::dates::{DateForm, DateOrder, WrittenDate};
use crate::formats::focus::evidence::is_grouped;
use crate::formats::focus::forms::{DateColumn, NumberForm};
use crate::formats::numbers::{Amount, DecimalMark};
use catalogue::Decimal;
use csv::ByteRecord;

/// Reasons for cells that are ambiguous in the form of their column.
const AMBIGUOUS_ORDER: &str = "an ambiguous date: day and month order unclear";
const MIXED_DATES: &str = "a date in one of several forms that the column has";
const MIXED_NUMBERS: &str = "a number in a column with decimal points and decimal commas";
const OTHER_CURRENCY: &str = "a cost in another currency than its row has";

/// The accepted times, µs since 1970 UTC: from 1990 to the end of 2099.
const YEARS: std::ops::Range<i64> = 631_152_000_000_000..4_102_444_800_000_000;

impl Rows<'_> {
    pub(super) fn cell<'r>(&self, record: &'r ByteRecord, column: Column) -> Option<&'r [u8]> {
        filled(record.get(self.layout.place(column)?)?)
    }

    pub(super) fn empty<'r>(&self, record: &'r ByteRecord, column: Column) -> Fault<'r> {
        let cell = self.layout.place(column).and_then(|place| record.get(place)).unwrap_or_default();
        (column.name(), cell, "empty")
    }

    pub(super) fn number<'r>(
        &mut self,
        record: &'r ByteRecord,
        column: Column,
    ) -> Result<Option<Decimal>, Fault<'r>> {
        let Some(place) = self.layout.place(column) else { return Ok(None) };
        let Some(cell) = record.get(place).and_then(filled) else { return Ok(None) };
        let fault = |reason| (column.name(), cell, reason);
        let form = self.layout.forms.number(place);
        if let NumberForm::Written(mark) = form {
            return self.written_number(record, column, cell, mark).map(Some).map_err(fault);
        }
        let number = cells::number(cell);
        match form {
            NumberForm::Mixed if is_grouped(cell) => Err(fault(MIXED_NUMBERS)),
            NumberForm::Mixed if number.is_err() && has_reading(cell) => Err(fault(MIXED_NUMBERS)),
            NumberForm::PlainSoFar if is_grouped(cell) => {
                self.is_unexpected = true;
                Ok(None)
            }
            _ => {
                self.is_unexpected |= number.is_err() && !self.layout.forms.is_decided() && has_reading(cell);
                number.map(Some).map_err(fault)
            }
        }
    }

    /// A number in a column whose numbers are not plain.
    pub(super) fn written_number(
        &self,
        record: &ByteRecord,
        column: Column,
        cell: &[u8],
        mark: DecimalMark,
    ) -> Result<Decimal, &'static str> {
        let text = std::str::from_utf8(cell).map_err(|_| NOT_TEXT)?;
        let amount = Amount::new(text).ok_or("not a number")?;
        let number = amount.read(mark).ok_or("not a number")?;
        let code = amount.currency_code().filter(|_| columns::is_cost(column));
        let currency = self.cell(record, Column::BillingCurrency).unwrap_or_default().trim_ascii();
        match code {
            Some(code) if !code.as_bytes().eq_ignore_ascii_case(currency) => Err(OTHER_CURRENCY),
            _ => Ok(number),
        }
    }

    /// A cost other than the billed one. A filled cell must be a number; an empty one is `None`.
    pub(super) fn cost<'r>(
        &mut self,
        line: u64,
        record: &'r ByteRecord,
        column: Column,
    ) -> Result<Option<Decimal>, Fault<'r>> {
        let cost = self.number(record, column)?;
        if cost.is_none() && self.layout.has(column) {
            self.remarks.add(line, self.layout.shown(column.name()), b"", "is empty, counted as 0,");
        }
        Ok(cost)
    }

    pub(super) fn quantity(&mut self, line: u64, record: &ByteRecord, column: Column) -> Option<Decimal> {
        self.number(record, column).unwrap_or_else(|(name, cell, _)| {
            self.remarks.add(line, self.layout.shown(name), cell, "is not a number and was left out");
            None
        })
    }

    /// A time within the accepted years: a typing error in the year would otherwise create a wrong newest day.
    pub(super) fn time<'r>(&mut self, record: &'r ByteRecord, column: Column) -> Result<i64, Fault<'r>> {
        let time = self.any_time(record, column)?;
        let cell = self.cell(record, column).unwrap_or_default();
        if YEARS.contains(&time) {
            Ok(time)
        } else {
            Err((column.name(), cell, "not of the years 1990 to 2099"))
        }
    }

    pub(super) fn any_time<'r>(&mut self, record: &'r ByteRecord, column: Column) -> Result<i64, Fault<'r>> {
        let Some(cell) = self.cell(record, column) else { return Err(self.empty(record, column)) };
        if let Some(time) = cells::time(cell) {
            self.zoneless |= !time.is_zoned;
            return Ok(time.micros);
        }
        let forms = &self.layout.forms;
        let fault = |reason| Err((column.name(), cell, reason));
        let Some(written) = WrittenDate::new(cell) else { return fault("not a time") };
        match self.layout.place(column).and_then(|place| forms.date(place)) {
            Some(DateColumn::Mixed) => return fault(MIXED_DATES),
            Some(DateColumn::Form(form)) if form == written.form => {}
            _ => {
                self.is_unexpected |= !forms.is_decided();
                return fault("not a time");
            }
        }
        self.zoneless = true;
        // Only month and day depend on the order.
        let order = match (forms.order(), written.form) {
            (Some(order), _) => order,
            (None, DateForm::Ordered) => return fault(AMBIGUOUS_ORDER),
            (None, _) => DateOrder::DayFirst,
        };
        written.time(order).ok_or((column.name(), cell, "not a time"))
    }
}

/// Whether a cell that is not a plain number is a number in another form.
fn has_reading(cell: &[u8]) -> bool {
    let amount = std::str::from_utf8(cell).ok().and_then(Amount::new);
    amount.is_some_and(|amount| {
        amount.read(DecimalMark::Point).is_some() || amount.read(DecimalMark::Comma).is_some()
    })
}
