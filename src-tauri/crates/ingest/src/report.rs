//! The report of an import: stored in `imports.report`, returned by the service, printed by the command line.

use crate::archive_files::ArchiveFiles;
use crate::formats::FormAnswers;
use crate::formats::bills::CostView;
pub use crate::outcome::{
    Choice, ChoiceTotal, ColumnFormat, Decision, DecisionAnswer, Failure, Reason, SkippedRow, rows_answer,
};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// How an import ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ImportState")]
#[serde(rename_all = "snake_case")]
pub enum State {
    Done,
    /// Done, and some rows were left out.
    DoneWithSkips,
    /// The same bytes are in already; nothing was written.
    Unchanged,
    /// The format was recognised, but no row could be read; nothing was written.
    NothingRead,
    /// A person must say what is meant; nothing was written.
    NeedsDecision,
    /// A manifest names files that are not there yet; nothing was replaced.
    WaitingForParts,
    /// The file could not be understood; nothing was written.
    Failed,
    /// A person has taken the import back.
    Undone,
}

impl State {
    /// The name used by the interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::DoneWithSkips => "done_with_skips",
            Self::Unchanged => "unchanged",
            Self::NothingRead => "nothing_read",
            Self::NeedsDecision => "needs_decision",
            Self::WaitingForParts => "waiting_for_parts",
            Self::Failed => "failed",
            Self::Undone => "undone",
        }
    }
}

/// What came of one file. Amounts are exact decimals in plain notation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ImportReport")]
pub struct Report {
    pub file_name: String,
    pub size_bytes: u64,
    /// Of the file as it is, compressed or not; empty when it was not read to its end.
    pub sha256: String,
    /// `None` when the file was not recognised.
    #[serde(default, deserialize_with = "format_of_any_version")]
    pub format: Option<ReportFormat>,
    pub state: State,
    /// Rows of the file, the header not among them; always `rows_written + rows_skipped`, unless the import changed nothing.
    pub rows_read: u64,
    pub rows_written: u64,
    pub rows_skipped: u64,
    /// What was written, by kind: `recommendations`, `checks_passed`, `resources`, `events` … Empty for a bill.
    #[serde(default)]
    pub written: BTreeMap<String, u64>,
    /// From the first charge's start to the last charge's end.
    pub period: Option<Period>,
    pub accounts: Vec<Account>,
    /// Of the rows written, per currency; of the earlier import when unchanged.
    pub totals: Vec<CostTotal>,
    /// Of the recommendations written, per currency; of the earlier import when unchanged.
    pub savings: Vec<SavingsTotal>,
    /// The first of the rows left out.
    pub skipped: Vec<SkippedRow>,
    /// All rows left out, by reason.
    pub reasons: Vec<Reason>,
    pub replaced: Option<ReplacedRows>,
    /// What a person should know about how the file was read, in sentences.
    pub notes: Vec<String>,
    pub error: Option<Failure>,
    /// The manifest and the files the import belongs to.
    #[serde(default)]
    pub delivery: Option<DeliveryReport>,
    /// What became of the money.
    #[serde(default)]
    pub sums: Sums,
    /// The question a person must answer, or has answered.
    #[serde(default)]
    pub decision: Option<Decision>,
    /// The questions that were answered so far, each with its answer, in the order in which they were asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Decision>,
    /// How numbers and dates of a column were read.
    #[serde(default)]
    pub column_formats: Vec<ColumnFormat>,
    /// What a person has said about numbers and dates so far.
    #[serde(default)]
    pub forms: FormAnswers,
    /// Columns of the file that are not kept.
    #[serde(default)]
    pub dropped_columns: Vec<String>,
    /// Of an archive that was read as one document; `None` for all other files, and where an earlier version imported it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<ArchiveFiles>,
}

/// What a file was recognised as.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReportFormat {
    /// The word of the interface, such as `focus` or `trivy`.
    pub id: String,
    /// For people, such as "FOCUS 1.2".
    pub title: String,
}

impl ReportFormat {
    /// Separates two versions when a file may have either: "FOCUS 1.0–1.2".
    const OR: char = '–';

    /// Whether two files may identify charges differently: they have different formats, or different known versions of one format.
    pub fn is_other(&self, other: &Self) -> bool {
        let is_known = |format: &Self| !format.title.contains(Self::OR);
        self.id != other.id || (self.title != other.title && is_known(self) && is_known(other))
    }
}

/// Also reads the value of older versions: a single word, one of which denoted two formats.
fn format_of_any_version<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ReportFormat>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum StoredFormat {
        Now(ReportFormat),
        Before(String),
    }
    Ok(Option::<StoredFormat>::deserialize(from)?.map(|written| match written {
        StoredFormat::Now(format) => format,
        StoredFormat::Before(word) => {
            let (id, title) = match word.as_str() {
                "aws_compute_optimizer_ec2" => {
                    ("aws-compute-optimizer", "AWS Compute Optimizer, EC2 instances")
                }
                "aws_compute_optimizer_ebs" => {
                    ("aws-compute-optimizer", "AWS Compute Optimizer, EBS volumes")
                }
                "focus" => ("focus", "FOCUS"),
                other => (other, other),
            };
            ReportFormat { id: id.to_owned(), title: title.to_owned() }
        }
    }))
}

/// The files that were decided upon together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Delivery")]
pub struct DeliveryReport {
    pub id: String,
    pub manifest: Option<ManifestReport>,
    pub parts: Vec<Part>,
    /// Which of the parts of the manifest the file is.
    #[serde(default)]
    pub part: Option<String>,
}

/// The manifest that names the files of a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DeliveryManifest")]
pub struct ManifestReport {
    /// `azure`, `aws_export` or `aws_cur`.
    pub kind: String,
    pub file_name: String,
    pub run_id: String,
    pub submitted_at: Option<String>,
    pub period: Option<String>,
    /// Which export, and of which billing period: the same for all its runs.
    #[serde(default)]
    pub export: String,
}

/// One file of a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DeliveryPart")]
pub struct Part {
    pub file_name: String,
    pub is_present: bool,
    /// Its size where a manifest says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
}

/// Billed cost before and after an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ImportSums")]
pub struct Sums {
    /// Of the file, per currency.
    pub file: Vec<Amount>,
    /// Added beside what was there.
    pub added: Vec<Amount>,
    /// Per period, account and currency of which something was replaced.
    pub replaced: Vec<Change>,
    /// Stored now, per period and currency the file touches.
    pub stored: Vec<Amount>,
}

/// An exact sum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Amount {
    pub currency: String,
    /// `2026-05`, or the day a period begins on; `None` for the sum of a whole file.
    pub period: Option<String>,
    pub billed_cost: String,
}

/// What one account cost in a period before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AmountChange")]
pub struct Change {
    pub period: String,
    /// The account's number at its provider.
    pub account: String,
    pub account_name: String,
    pub currency: String,
    pub before: String,
    pub after: String,
}

/// Half-open, UTC, as `2024-09-01T00:00:00Z`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ImportPeriod")]
pub struct Period {
    pub start: String,
    pub end: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ImportAccount")]
pub struct Account {
    pub number: String,
    pub name: String,
    pub provider: String,
}

/// A cost is `None` when no row of the file states it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CostTotal {
    pub currency: String,
    pub billed_cost: Option<String>,
    pub effective_cost: Option<String>,
    pub list_cost: Option<String>,
    pub contracted_cost: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SavingsTotal {
    pub currency: String,
    pub estimated_monthly_savings: String,
}

/// Rows of earlier imports that this one took the place of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ReplacedRows")]
pub struct ReplacedRows {
    pub rows: u64,
    /// Billing periods by the month they begin in (`2026-05`), or the day where that is not the first.
    pub periods: Vec<String>,
}

impl Report {
    /// The cost view of an Azure export, if the user had to state it.
    pub fn cost_view(&self) -> Option<CostView> {
        let is_of_azure = self.format.as_ref().is_some_and(|format| format.id == "azure-cost");
        self.forms.cost_view.filter(|_| is_of_azure)
    }

    /// The report of a file about which nothing is known yet.
    pub fn of(file_name: &str, size_bytes: u64) -> Self {
        Self {
            file_name: file_name.to_owned(),
            size_bytes,
            sha256: String::new(),
            format: None,
            state: State::Failed,
            rows_read: 0,
            rows_written: 0,
            rows_skipped: 0,
            written: BTreeMap::new(),
            period: None,
            accounts: Vec::new(),
            totals: Vec::new(),
            savings: Vec::new(),
            skipped: Vec::new(),
            reasons: Vec::new(),
            replaced: None,
            notes: Vec::new(),
            error: None,
            delivery: None,
            sums: Sums::default(),
            decision: None,
            answers: Vec::new(),
            column_formats: Vec::new(),
            forms: FormAnswers::default(),
            dropped_columns: Vec::new(),
            files: None,
        }
    }
}
