//! Bills in the providers' own formats: each row is translated to a FOCUS row and then read as one. Numbers, dates, deliveries, receipts and
//! undo therefore work the same way for all bills.

mod aws_cur;
mod azure_cost;
mod by_mapping;
mod charge;
mod currency;
mod gcp_billing;
mod header;
mod python;
pub mod question;

pub use azure_cost::CostView;
pub use charge::{Charge, EvidenceCounts};
pub use currency::CurrencyCode;

use super::focus::{self, Column, Layout};
use super::format_questions::{FormAnswers, FormsOutcome, Scope};
use super::reader::{ReadStop, Records};
use crate::mapping::Mapping;
use crate::outcome::Failure;
use csv::ByteRecord;
use header::Header;

/// The format of a bill.
#[derive(Debug)]
enum Source {
    AwsCur(Box<aws_cur::Reader>),
    AzureCost(Box<azure_cost::Reader>),
    GcpBilling(Box<gcp_billing::Reader>),
    ByMapping(Box<by_mapping::Reader>),
}

/// A bill with known columns.
#[derive(Debug)]
pub struct Bill {
    /// The layout of the translated rows.
    pub layout: Layout,
    pub translation: Translation,
}

/// How a row of the file is translated to a FOCUS row.
#[derive(Debug)]
pub struct Translation {
    source: Source,
    /// The number of cells in a row of the file.
    width: usize,
    /// The minimum number of cells in a row. Shorter rows than the header are accepted, because spreadsheets omit empty cells at the end.
    least: usize,
    /// The columns that the format fills, in the order of the translated row.
    filled: &'static [Column],
    /// Whether a column states the currency.
    names_currency: bool,
    /// The currency for a file that states none.
    currency: Option<CurrencyCode>,
    /// The indices of the columns that are appended unchanged.
    rest: Vec<usize>,
}

/// A header as interpreted by a format.
struct InterpretedHeader {
    source: Source,
    title: String,
    filled: &'static [Column],
    /// For FOCUS columns, the column of the file they are derived from; for messages.
    names: Vec<(Column, String)>,
    /// The indices of columns that need not be stored additionally.
    used: Vec<usize>,
    /// The indices of the required columns.
    needed: Vec<usize>,
    /// Whether a column states the currency.
    names_currency: bool,
    notes: Vec<String>,
}

impl Bill {
    /// The bill with this header, if it has a known format; an error when a required column is missing. `before` is the text above the header.
    pub fn find(header: &[String], before: &[u8]) -> Option<Result<Self, Failure>> {
        let header = Header::new(header);
        let understood = aws_cur::Reader::find(&header)
            .or_else(|| azure_cost::Reader::find(&header))
            .or_else(|| gcp_billing::Reader::find(&header, before))?;
        Some(understood.and_then(|understood| Self::new(&header, understood)))
    }

    /// The bill with this header, read with a mapping; an error when a mapped column is missing.
    pub fn by_mapping(header: &[String], mapping: &Mapping) -> Result<Self, Failure> {
        let header = Header::new(header);
        Self::new(&header, by_mapping::Reader::find(&header, mapping)?)
    }

    /// The bill; an error when a required column occurs twice.
    fn new(header: &Header, understood: InterpretedHeader) -> Result<Self, Failure> {
        if let Some(failure) = header.find_duplicate_columns(&understood.title, &understood.needed) {
            return Err(failure);
        }
        let InterpretedHeader { source, title, filled, names, used, needed, names_currency, notes } =
            understood;
        let rest: Vec<usize> = (0..header.width()).filter(|place| !used.contains(place)).collect();
        let kept = rest.iter().map(|place| header.name(*place).to_owned()).collect();
        let least = needed.iter().max().map_or(header.width(), |last| last + 1);
        let layout = Layout::of_bill(filled, kept, title, names, notes);
        let width = header.width();
        let translation = Translation { source, width, least, filled, names_currency, currency: None, rest };
        Ok(Self { layout, translation })
    }

    /// The format id used by the interface.
    pub fn name(&self) -> &'static str {
        match self.translation.source {
            Source::AwsCur(_) => "aws-cur",
            Source::AzureCost(_) => "azure-cost",
            Source::GcpBilling(_) => "gcp-billing",
            Source::ByMapping(_) => "costs-by-mapping",
        }
    }

    /// The cost view of an Azure export, once the user has stated it.
    pub fn cost_view(&self) -> Option<CostView> {
        match &self.translation.source {
            Source::AzureCost(reader) => reader.view,
            Source::AwsCur(_) | Source::GcpBilling(_) | Source::ByMapping(_) => None,
        }
    }

    /// Decides open questions about the columns, and how numbers and dates are written, as for FOCUS.
    pub fn decide_forms(
        &mut self,
        records: Records<'_>,
        scope: Scope,
        answers: FormAnswers,
    ) -> Result<FormsOutcome, ReadStop> {
        if !self.translation.names_currency {
            if answers.currency.is_none() {
                return Ok(FormsOutcome::Ask(Box::new(question::currency())));
            }
            self.translation.currency = answers.currency;
        }
        if let Source::AzureCost(reader) = &mut self.translation.source {
            reader.view = answers.cost_view;
        }
        let mut records = records.translated(&self.translation);
        let decided = focus::decide_forms(&mut self.layout, &mut records, scope, answers)?;
        match (decided, records.evidence()) {
            (FormsOutcome::Yes, Some(_)) if scope == Scope::FirstRows => Ok(FormsOutcome::LookAtAll),
            (FormsOutcome::Yes, Some(met)) => Ok(FormsOutcome::Ask(Box::new(azure_cost::question(met)))),
            (decided, _) => Ok(decided),
        }
    }
}

impl Translation {
    /// Whether a row has fewer cells than the header, but all required ones.
    pub fn is_short(&self, record: &ByteRecord) -> bool {
        (self.least..self.width).contains(&record.len())
    }

    /// Translates a row of the file to a FOCUS row. A row with too many or too few cells gives a row with the wrong number of cells too.
    pub fn translate(&self, record: &ByteRecord, charge: &mut Charge, row: &mut ByteRecord) {
        row.clear();
        if record.len() < self.least {
            return;
        }
        charge.clear();
        match &self.source {
            Source::AwsCur(reader) => reader.fill(record, charge),
            Source::AzureCost(reader) => reader.fill(record, charge),
            Source::GcpBilling(reader) => reader.fill(record, charge),
            Source::ByMapping(reader) => reader.fill(record, charge),
        }
        if let Some(currency) = &self.currency {
            charge.set(Column::BillingCurrency, currency.as_str().as_bytes());
        }
        for column in self.filled {
            row.push_field(charge.get(*column));
        }
        row.push_field(if charge.is_excluded { b"1" } else { b"" });
        for place in &self.rest {
            let cell = record.get(*place).unwrap_or_default();
            if is_without_braces(cell) {
                row.push_field(&[b"{", cell, b"}"].concat());
            } else {
                row.push_field(cell);
            }
        }
        if record.len() > self.width {
            row.push_field(b"");
        }
    }
}

/// Whether a cell is the inside of a JSON object, as Azure writes it: `"VCPUs": 2`.
fn is_without_braces(cell: &[u8]) -> bool {
    cell.first() == Some(&b'"') && cell.contains(&b':') && !cell.starts_with(b"\":")
}
