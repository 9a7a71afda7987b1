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

/// The final state of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ImportState")]
#[serde(rename_all = "snake_case")]
pub enum State {
    Done,
    /// Imported, some rows were skipped.
    DoneWithSkips,
    /// An identical file is already imported. Nothing was written.
    Unchanged,
    /// The format was recognised, but no row could be read. Nothing was written.
    NothingRead,
    /// A user must answer a question first. Nothing was written.
    NeedsDecision,
    /// The manifest lists files that have not arrived yet. Nothing was replaced.
    WaitingForParts,
    /// The file could not be read. Nothing was written.
    Failed,
    /// A user undid the import.
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

/// The result of importing one file. Amounts are exact decimals in plain notation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ImportReport")]
pub struct Report {
    pub file_name: String,
    pub size_bytes: u64,
    /// SHA-256 of the file as received, before decompression. Empty if the file was not read completely.
    pub sha256: String,
    /// Null if the format was not recognised.
    #[serde(default, deserialize_with = "format_of_any_version")]
    pub format: Option<ReportFormat>,
    pub state: State,
    /// Rows of the file without the header. Equals `rows_written + rows_skipped`, unless the import changed nothing.
    pub rows_read: u64,
    pub rows_written: u64,
    pub rows_skipped: u64,
    /// Number of items written, by type: `recommendations`, `checks_passed`, `resources`, `events` … Empty for a bill.
    #[serde(default)]
    pub written: BTreeMap<String, u64>,
    /// From the first charge's start to the last charge's end.
    pub period: Option<Period>,
    pub accounts: Vec<Account>,
    /// Costs of the rows written, per currency. For an unchanged file, those of the earlier import.
    pub totals: Vec<CostTotal>,
    /// Savings of the recommendations written, per currency. For an unchanged file, those of the earlier import.
    pub savings: Vec<SavingsTotal>,
    /// The first skipped rows.
    pub skipped: Vec<SkippedRow>,
    /// All skipped rows, grouped by reason.
    pub reasons: Vec<Reason>,
    pub replaced: Option<ReplacedRows>,
    /// Notes on how the file was read, as sentences for people.
    pub notes: Vec<String>,
    pub error: Option<Failure>,
    /// The delivery that the file belongs to: its manifest and files.
    #[serde(default)]
    pub delivery: Option<DeliveryReport>,
    /// Billed cost before and after the import.
    #[serde(default)]
    pub sums: Sums,
    /// The question that a user must answer or has answered.
    #[serde(default)]
    pub decision: Option<Decision>,
    /// All questions answered so far with their answers, in the order in which they were asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Decision>,
    /// The number and date formats detected per column.
    #[serde(default)]
    pub column_formats: Vec<ColumnFormat>,
    /// The user's answers on number, date and cost formats so far.
    #[serde(default)]
    pub forms: FormAnswers,
    /// Columns of the file that are not stored.
    #[serde(default)]
    pub dropped_columns: Vec<String>,
    /// Files of an archive that was read as one document. Null for all other files, and for imports by earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<ArchiveFiles>,
}

/// The detected format of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReportFormat {
    /// The identifier of the format in the API, such as `focus` or `trivy`.
    pub id: String,
    /// The display name, such as "FOCUS 1.2".
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

/// A set of files that are imported together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Delivery")]
pub struct DeliveryReport {
    pub id: String,
    pub manifest: Option<ManifestReport>,
    pub parts: Vec<Part>,
    /// The entry of the manifest that this file corresponds to.
    #[serde(default)]
    pub part: Option<String>,
}

/// The manifest that lists the files of a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DeliveryManifest")]
pub struct ManifestReport {
    /// `azure`, `aws_export` or `aws_cur`.
    pub kind: String,
    pub file_name: String,
    pub run_id: String,
    pub submitted_at: Option<String>,
    pub period: Option<String>,
    /// Identifies the export and its billing period. The same for all runs.
    #[serde(default)]
    pub export: String,
}

/// One file of a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DeliveryPart")]
pub struct Part {
    pub file_name: String,
    pub is_present: bool,
    /// Size in bytes, if the manifest states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
}

/// Billed cost before and after an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ImportSums")]
pub struct Sums {
    /// Total of the file, per currency.
    pub file: Vec<Amount>,
    /// Cost added without replacing existing cost.
    pub added: Vec<Amount>,
    /// Cost before and after, for each period, account and currency with replaced rows.
    pub replaced: Vec<Change>,
    /// Cost stored after the import, for each period and currency in the file.
    pub stored: Vec<Amount>,
}

/// An exact amount of money.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Amount {
    pub currency: String,
    /// A month (`2026-05`), or the first day of another period. Null for the total of a file.
    pub period: Option<String>,
    pub billed_cost: String,
}

/// The cost of an account in a period, before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AmountChange")]
pub struct Change {
    pub period: String,
    /// The account number at the cloud provider.
    pub account: String,
    pub account_name: String,
    pub currency: String,
    pub before: String,
    pub after: String,
}

/// A period in UTC that excludes its end, with times such as `2024-09-01T00:00:00Z`.
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

/// Total costs in one currency. A cost is null if no row of the file states it.
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

/// Rows of earlier imports that this import replaced.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ReplacedRows")]
pub struct ReplacedRows {
    pub rows: u64,
    /// Billing periods: the month (`2026-05`), or the first day if the period does not start on the first of a month.
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
