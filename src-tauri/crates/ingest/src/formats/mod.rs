//! The formats: each reads the rows of a file into records and reports skipped rows. Formats do not access the store.
//!
//! Bills and exports in CSV are read here; documents are read by the crate `formats`, through [`document`].

pub mod bills;
pub mod compute_optimizer;
pub mod document;
pub mod focus;
mod format_questions;
mod numbers;
mod reader;
pub mod shape;
mod skips;
mod supported;

pub use format_questions::{
    BesideBill, CLUSTER, FormAnswers, FormsOutcome, IdleCost, NAMED_CLUSTER, NamelessCluster, Scope,
};
pub use reader::{ReadStop, Readable, RecordSink, Records, damaged_gzip};
pub use shape::{JsonRows, ParquetRows, are_lines, columns_of};
pub use skips::{Remarks, Skips};
pub use supported::{ReadableFormat, brings_charges, readable};

use crate::outcome::ColumnFormat;
use ::formats::InnerFile;
use catalogue::DecimalSum;
use std::collections::BTreeMap;

/// The detected format of a file, with the positions of its columns.
#[derive(Debug)]
pub enum Format {
    Focus(Box<focus::Layout>),
    Bill(Box<bills::Bill>),
    ComputeOptimizer(compute_optimizer::Layout),
    /// Any format of the crate `formats`.
    Document(document::Document),
}

impl Format {
    /// The format id used by the interface.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Focus(_) => focus::ID,
            Self::Bill(bill) => bill.name(),
            Self::ComputeOptimizer(_) => compute_optimizer::ID,
            Self::Document(document) => document.format.id,
        }
    }

    /// Decides how the numbers and dates of each column are written, before the first row is read.
    pub fn decide_forms(
        &mut self,
        mut records: Records<'_>,
        scope: Scope,
        answers: FormAnswers,
    ) -> Result<FormsOutcome, ReadStop> {
        match self {
            Self::Focus(layout) => focus::decide_forms(layout, &mut records, scope, answers),
            Self::Bill(bill) => bill.decide_forms(records, scope, answers),
            Self::ComputeOptimizer(_) => Ok(FormsOutcome::Yes),
            Self::Document(document) => Ok(document.decide_forms(answers)),
        }
    }

    /// Whether its rows are charges, which a delivery compares with stored ones.
    pub fn has_charges(&self) -> bool {
        matches!(self, Self::Focus(_) | Self::Bill(_))
    }

    /// The display name.
    pub fn title(&self) -> String {
        match self {
            Self::Focus(layout) => layout.title(),
            Self::Bill(bill) => bill.layout.title(),
            Self::ComputeOptimizer(layout) => layout.kind().title().to_owned(),
            Self::Document(document) => document.format.title.to_owned(),
        }
    }

    /// The cost view of an Azure export, once the user has stated it.
    pub fn cost_view(&self) -> Option<bills::CostView> {
        match self {
            Self::Bill(bill) => bill.cost_view(),
            Self::Focus(_) | Self::ComputeOptimizer(_) | Self::Document(_) => None,
        }
    }
}

/// A batch of records for the writing thread.
#[derive(Debug)]
pub enum Batch {
    Spends(focus::SpendBatch),
    Recommendations(Vec<compute_optimizer::Recommendation>),
    /// Records of a document with their positions.
    Records(Vec<document::PlacedRecord>),
}

/// The results of reading a file to its end.
#[derive(Debug, Default)]
pub struct Summary {
    pub sha256: String,
    pub rows_read: u64,
    pub rows_kept: u64,
    pub skips: Skips,
    /// Start of the first charge and end of the last, µs since 1970 UTC.
    pub period: Option<(i64, i64)>,
    /// Billed, effective, list and contracted cost by currency; `None` when no row states it.
    pub costs: BTreeMap<String, [Option<DecimalSum>; 4]>,
    pub savings: BTreeMap<String, DecimalSum>,
    pub tag_keys: Vec<String>,
    pub notes: Vec<String>,
    /// How numbers and dates were read, for columns that are not plain.
    pub column_formats: Vec<ColumnFormat>,
    /// The files of an archive that is read as one document.
    pub files: Vec<InnerFile>,
    /// The file is a document, whose rows are counted by the writer.
    pub is_document: bool,
    /// The number of rows left out that were understood but call for no action.
    pub rows_without_action: u64,
}
