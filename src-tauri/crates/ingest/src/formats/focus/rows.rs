//! Reads the rows of a FOCUS file as charges. A row whose cost, currency, account or time is uncertain is left out with the reason; a row
//! with other missing values is read, with a remark in the report.

mod parties;
mod values;

use super::columns::Column;
use super::dates::DateForm;
use super::details::DetailWriter;
use super::forms::DateColumn;
use super::layout::Layout;
use super::record::{SpendBatch, SpendRecord, Text, Texts};
use super::tags::TagReader;
use crate::cells::NOT_TEXT;
use crate::formats::{Batch, ReadStop, RecordSink, Records, Remarks, Summary};
use crate::limit::{BATCH_BYTES, BATCH_RECORDS};
use catalogue::DecimalSum;
use csv::ByteRecord;

/// Columns that are copied unchanged to text fields.
const PLAIN: &[(Column, Text)] = &[
    (Column::ServiceName, Text::ServiceName),
    (Column::ServiceCategory, Text::ServiceCategory),
    (Column::AvailabilityZone, Text::AvailabilityZone),
    (Column::ChargeCategory, Text::ChargeCategory),
    (Column::ChargeClass, Text::ChargeClass),
    (Column::ChargeFrequency, Text::ChargeFrequency),
    (Column::ChargeDescription, Text::ChargeDescription),
    (Column::PricingCategory, Text::PricingCategory),
    (Column::PricingUnit, Text::PricingUnit),
    (Column::ConsumedUnit, Text::ConsumedUnit),
    (Column::SkuId, Text::SkuId),
    (Column::SkuPriceId, Text::SkuPriceId),
    (Column::InvoiceId, Text::InvoiceId),
    (Column::CommitmentDiscountId, Text::CommitmentDiscountId),
    (Column::CommitmentDiscountName, Text::CommitmentDiscountName),
    (Column::CommitmentDiscountType, Text::CommitmentDiscountType),
    (Column::CommitmentDiscountCategory, Text::CommitmentDiscountCategory),
    (Column::CommitmentDiscountStatus, Text::CommitmentDiscountStatus),
    (Column::ResourceId, Text::ResourceId),
    (Column::ResourceName, Text::ResourceName),
    (Column::ResourceType, Text::ResourceType),
    (Column::RegionName, Text::RegionName),
    (Column::InvoiceIssuerName, Text::InvoiceIssuerName),
    (Column::ServiceSubcategory, Text::ServiceSubcategory),
    (Column::SkuMeter, Text::SkuMeter),
];

/// Columns that the standard requires, although an empty cell does not make the charge ambiguous.
const EXPECTED: &[Column] = &[Column::ChargeCategory, Column::ServiceName, Column::ServiceCategory];

/// Microseconds in a day.
const DAY: i64 = 86_400_000_000;

/// Reads every row. Sends the charges in batches.
pub fn read(
    layout: &Layout,
    mut records: Records<'_>,
    reading: &RecordSink<'_>,
) -> Result<Summary, ReadStop> {
    let mut rows = Rows::new(layout);
    let mut record = ByteRecord::new();
    while let Some(line) = records.next(&mut record)? {
        match records.fault() {
            Some((column, reason)) => rows.summary.skips.add(line, column, b"", reason),
            None => rows.read(line, &record),
        }
        if rows.is_unexpected || records.evidence().is_some() {
            return Err(ReadStop::UnexpectedForm);
        }
        if rows.batch.records.len() >= BATCH_RECORDS || rows.batch.bytes() >= BATCH_BYTES {
            reading.send(Batch::Spends(std::mem::take(&mut rows.batch)))?;
        }
    }
    reading.send(Batch::Spends(std::mem::take(&mut rows.batch)))?;
    let read = records.rows();
    rows.summary.notes.extend(records.notes());
    Ok(rows.finish(read, records.finish()?))
}

struct Rows<'a> {
    layout: &'a Layout,
    batch: SpendBatch,
    tags: TagReader,
    details: DetailWriter,
    remarks: Remarks,
    zoneless: bool,
    /// Whether a cell was found that is invalid in the decided forms, but might be valid in others.
    is_unexpected: bool,
    /// The number of rows whose amount is included in other rows.
    excluded: u64,
    /// Totals per currency, with the index of the last one used: rows of one currency are usually adjacent.
    costs: Vec<(String, [Option<DecimalSum>; 4])>,
    last_currency: usize,
    summary: Summary,
}

/// The reason a row is left out: the column, its cell and the reason.
type Fault<'r> = (&'static str, &'r [u8], &'static str);

impl<'a> Rows<'a> {
    fn new(layout: &'a Layout) -> Self {
        Self {
            layout,
            batch: SpendBatch::default(),
            tags: TagReader::default(),
            details: DetailWriter::default(),
            remarks: Remarks::default(),
            zoneless: false,
            is_unexpected: false,
            excluded: 0,
            costs: Vec::new(),
            last_currency: 0,
            summary: Summary::default(),
        }
    }

    fn read(&mut self, line: u64, record: &ByteRecord) {
        let bytes = self.batch.bytes();
        match self.charge(line, record) {
            Ok(charge) => {
                self.count(&charge);
                self.batch.records.push(charge);
            }
            Err((column, cell, reason)) => {
                self.batch.cut(bytes);
                self.summary.skips.add(line, self.layout.shown(column), cell, reason);
            }
        }
    }

    fn charge<'r>(&mut self, line: u64, record: &'r ByteRecord) -> Result<SpendRecord, Fault<'r>> {
        if record.len() < self.layout.width() {
            return Err(("", b"", "fewer cells than the header"));
        }
        if record.len() > self.layout.width() {
            return Err(("", b"", "more cells than the header"));
        }
        let billed_cost =
            self.number(record, Column::BilledCost)?.ok_or_else(|| self.empty(record, Column::BilledCost))?;
        let mut texts = Texts::default();
        for (column, text) in PLAIN {
            if let Some(cell) = self.cell(record, *column) {
                texts.set(&mut self.batch, *text, utf8(*column, cell)?);
            }
        }
        for column in EXPECTED {
            if self.layout.has(*column) && self.cell(record, *column).is_none() {
                self.remarks.add(line, self.layout.shown(column.name()), b"", "is empty");
            }
        }
        self.currency(record, &mut texts)?;
        self.parties(record, &mut texts)?;
        self.region(record, &mut texts)?;
        self.tags(line, record, &mut texts)?;
        self.details(line, record, &mut texts);
        let mut charge = SpendRecord::new(line, billed_cost, &texts);
        charge.is_excluded =
            self.layout.excluded().and_then(|place| record.get(place)).is_some_and(|cell| !cell.is_empty());
        charge.charge_start = self.time(record, Column::ChargePeriodStart)?;
        charge.charge_end = self.charge_end(record, charge.charge_start)?;
        if charge.charge_end < charge.charge_start {
            let cell = self.cell(record, Column::ChargePeriodEnd).unwrap_or_default();
            return Err((Column::ChargePeriodEnd.name(), cell, "before the charge begins"));
        }
        charge.billing_start = self.billing_start(record, charge.charge_start)?;
        charge.billing_end = self.billing_end(line, record);
        charge.effective_cost = self.cost(line, record, Column::EffectiveCost)?;
        charge.list_cost = self.cost(line, record, Column::ListCost)?;
        charge.contracted_cost = self.cost(line, record, Column::ContractedCost)?;
        charge.pricing_quantity = self.quantity(line, record, Column::PricingQuantity);
        charge.consumed_quantity = self.quantity(line, record, Column::ConsumedQuantity);
        Ok(charge)
    }

    /// Adds a charge to the totals of its currency and to the period.
    fn count(&mut self, charge: &SpendRecord) {
        let currency =
            self.batch.text(charge, Text::Currency).expect("a charge without currency is left out");
        if self.costs.get(self.last_currency).is_none_or(|(known, _)| known != currency) {
            self.last_currency =
                self.costs.iter().position(|(known, _)| known == currency).unwrap_or_else(|| {
                    self.costs.push((currency.to_owned(), [None; 4]));
                    self.costs.len() - 1
                });
        }
        if charge.is_excluded {
            self.excluded += 1;
        }
        let costs = if charge.is_excluded {
            [None; 4]
        } else {
            [Some(charge.billed_cost), charge.effective_cost, charge.list_cost, charge.contracted_cost]
        };
        for (total, cost) in self.costs[self.last_currency].1.iter_mut().zip(costs) {
            if let Some(cost) = cost {
                total.get_or_insert_default().add(cost);
            }
        }
        let (start, end) = self.summary.period.unwrap_or((charge.charge_start, charge.charge_end));
        self.summary.period = Some((start.min(charge.charge_start), end.max(charge.charge_end)));
        self.summary.rows_kept += 1;
    }

    fn finish(mut self, rows_read: u64, sha256: String) -> Summary {
        let order_note = self.order_note();
        let mut summary = self.summary;
        summary.sha256 = sha256;
        summary.rows_read = rows_read;
        summary.costs = self.costs.into_iter().collect();
        summary.notes.append(&mut self.layout.notes.clone());
        if self.zoneless {
            summary.notes.push("Times without a zone were read as UTC, the FOCUS default.".to_owned());
        }
        summary.notes.extend(order_note);
        if self.excluded > 0 {
            summary.notes.push(format!(
                "{} rows allocate costs that other rows of the file hold already; they are kept and not in the totals.",
                self.excluded
            ));
        }
        summary.column_formats.clone_from(&self.layout.forms.columns);
        if summary.costs.len() > 1 {
            let currencies: Vec<&str> = summary.costs.keys().map(String::as_str).collect();
            summary.notes.push(format!(
                "The file has {} currencies ({}); they are never added to each other.",
                currencies.len(),
                currencies.join(", ")
            ));
        }
        summary.notes.extend(self.remarks.sentences());
        let (tag_keys, is_full) = std::mem::take(&mut self.tags).keys();
        if is_full {
            summary.notes.push(format!(
                "The file has {} tag keys or more; those beyond are kept on the rows but not offered for grouping.",
                tag_keys.len()
            ));
        }
        summary.tag_keys = tag_keys;
        summary
    }

    /// The end of the charge. In a translated bill with only a start date, the charge lasts one day.
    fn charge_end<'r>(&mut self, record: &'r ByteRecord, start: i64) -> Result<i64, Fault<'r>> {
        let column = Column::ChargePeriodEnd;
        if self.layout.is_of_bill() && self.cell(record, column).is_none() {
            return Ok(start + DAY);
        }
        self.time(record, column)
    }

    /// The start of the billing period. In a translated bill without one, the calendar month.
    fn billing_start<'r>(&mut self, record: &'r ByteRecord, charge_start: i64) -> Result<i64, Fault<'r>> {
        let column = Column::BillingPeriodStart;
        if self.layout.is_of_bill() && self.cell(record, column).is_none() {
            return Ok(month_of(charge_start));
        }
        self.time(record, column)
    }

    /// The end of the billing period. No charge depends on it; an invalid cell is therefore only remarked on.
    fn billing_end(&mut self, line: u64, record: &ByteRecord) -> Option<i64> {
        self.cell(record, Column::BillingPeriodEnd)?;
        let time = self.time(record, Column::BillingPeriodEnd);
        time.map_err(|(column, cell, _)| {
            self.remarks.add(line, self.layout.shown(column), cell, "is not a time and was left out");
        })
        .ok()
    }

    fn order_note(&self) -> Option<String> {
        let forms = &self.layout.forms;
        let order = forms.order()?;
        let is_ordered = |place| forms.date(place) == Some(DateColumn::Form(DateForm::Ordered));
        (0..self.layout.width()).any(is_ordered).then(|| {
            format!(
                "Dates are written as a spreadsheet writes them; they were read as {}.",
                DateForm::Ordered.name(Some(order))
            )
        })
    }

    fn details(&mut self, line: u64, record: &ByteRecord, texts: &mut Texts) {
        let remarks = &mut self.remarks;
        let details = self.details.write(&self.layout.details, &self.layout.forms, record, |name, cell| {
            remarks.add(line, name, cell, "is not UTF-8 text and was left out");
        });
        if !details.is_empty() {
            texts.set(&mut self.batch, Text::Details, details);
        }
    }
}

/// The start of the month of a time, µs since 1970 UTC.
fn month_of(micros: i64) -> i64 {
    let month = catalogue::format_timestamp(micros);
    month.get(..7).and_then(|month| catalogue::parse_timestamp(&format!("{month}-01"))).unwrap_or(micros)
}

fn utf8(column: Column, cell: &[u8]) -> Result<&str, Fault<'_>> {
    std::str::from_utf8(cell).map_err(|_| (column.name(), cell, NOT_TEXT))
}
