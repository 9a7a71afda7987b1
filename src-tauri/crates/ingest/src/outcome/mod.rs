//! Results of reading a file besides its rows: refusals, questions, skipped rows, and the formats of columns.

use crate::decide::Choice as RowsChoice;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum number of column names in a message.
const LISTED: usize = 40;

/// Why a file could not be imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ImportFailure")]
pub struct Failure {
    pub message: String,
    pub looked_for: Vec<String>,
    pub found: String,
}

/// A question that must be answered before anything is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ImportDecision")]
pub struct Decision {
    /// `partly_known`, `much_smaller`, `only_credits`, `unreadable_rows`, `lowers_period`, `unclear_identity`, `two_versions`,
    /// `other_cost_view`, `told_otherwise`, `unknown_parts`, `number_format`, `date_format`, `cost_view`, `currency`, `which_cluster`, `idle_cost`,
    /// `partly_billed` or `mapping`.
    pub reason: String,
    pub question: String,
    pub choices: Vec<Choice>,
    pub decided: Option<DecisionAnswer>,
}

impl Decision {
    /// The answer about the rows of a file: whether they add or replace.
    pub fn rows_choice(&self) -> Option<RowsChoice> {
        RowsChoice::parse(&self.decided.as_ref()?.choice)
    }
}

/// The last answer about rows, which overrides earlier ones.
pub fn rows_answer(answers: &[Decision]) -> Option<&Decision> {
    answers.iter().rev().find(|answered| answered.rows_choice().is_some())
}

/// A possible answer to a decision, and its effect on costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ImportChoice")]
pub struct Choice {
    /// `add`, `replace`, `combine`, `replace_accounts`, `decimal_comma`, `decimal_point`, `day_first`, `month_first`, …
    pub choice: String,
    pub label: String,
    pub totals: Vec<ChoiceTotal>,
}

/// The billed cost of a period before the import, and after it with this choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChoiceTotal {
    pub period: String,
    pub currency: String,
    pub before: String,
    pub after: String,
}

/// The answer to a decision, who gave it, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DecidedChoice")]
pub struct DecisionAnswer {
    pub choice: String,
    /// The person who answered. Null if answered on the command line.
    pub by: Option<String>,
    pub at: String,
}

/// The number or date format detected for a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ColumnFormat {
    pub column: String,
    pub format: String,
    /// An example cell of the column.
    pub example: String,
    /// The value read from the example cell.
    pub reads_as: String,
}

/// A skipped row. `line` counts from 1 and includes the header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SkippedRow")]
pub struct SkippedRow {
    pub line: u64,
    pub column: String,
    pub value: String,
    pub reason: String,
    /// Path of the row in a JSON or YAML document, such as `$.items[17]`. `line` is then 0.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
}

/// Rows skipped for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SkipReason")]
pub struct Reason {
    pub reason: String,
    pub column: String,
    pub count: u64,
    pub first_line: u64,
    pub last_line: u64,
    pub example: String,
    /// Path of the first skipped row in a document. The line numbers are then 0.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub first_place: String,
}

/// Joins names; of many, only the first ones and the number of the others.
pub fn list(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(LISTED).map(|name| shortened(name)).collect();
    match names.len().saturating_sub(LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The first sixty characters of a text.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
