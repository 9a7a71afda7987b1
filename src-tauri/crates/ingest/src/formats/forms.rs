//! Questions about how the numbers and dates of a file are written, and what a person has answered.

use super::bills::{CostView, CurrencyCode};
use super::focus::DateOrder;
use super::numbers::DecimalMark;
use crate::report::Decision;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a person has said about the numbers, dates and costs of a file. It counts where the file itself leaves two readings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FormAnswers {
    #[serde(default)]
    pub decimal_mark: Option<DecimalMark>,
    #[serde(default)]
    pub date_order: Option<DateOrder>,
    /// What the costs of an Azure export are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_view: Option<CostView>,
    /// The currency of a bill that names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<CurrencyCode>,
}

impl FormAnswers {
    /// The answers with one more: `decimal_comma`, `decimal_point`, `day_first`, `month_first`, `actual_cost`, `amortized_cost`,
    /// or `currency_` and a code of three letters. `None` for any other word.
    #[must_use]
    pub fn with(self, choice: &str) -> Option<Self> {
        Some(match choice {
            "decimal_comma" => Self { decimal_mark: Some(DecimalMark::Comma), ..self },
            "decimal_point" => Self { decimal_mark: Some(DecimalMark::Point), ..self },
            "day_first" => Self { date_order: Some(DateOrder::DayFirst), ..self },
            "month_first" => Self { date_order: Some(DateOrder::MonthFirst), ..self },
            "actual_cost" => Self { cost_view: Some(CostView::Actual), ..self },
            "amortized_cost" => Self { cost_view: Some(CostView::Amortized), ..self },
            other => {
                let code = other.strip_prefix("currency_").and_then(CurrencyCode::parse)?;
                Self { currency: Some(code), ..self }
            }
        })
    }
}

/// How much of a file is looked at to decide how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    FirstRows,
    WholeFile,
}

/// What looking at rows has led to.
#[derive(Debug)]
pub enum Settled {
    /// Every column has its form.
    Yes,
    /// The first rows do not suffice.
    LookAtAll,
    /// The file has two readings, and a person must say which.
    Ask(Box<Decision>),
}
