//! Questions about a file's numbers, dates and costs, and the user's answers.

use super::bills::{CostView, CurrencyCode};
use super::focus::DateOrder;
use super::numbers::DecimalMark;
use crate::outcome::Decision;
use ::formats::UNNAMED_CLUSTER;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The prefix of a choice of an unnamed cluster; its number follows.
pub const CLUSTER: &str = "cluster_";
/// The prefix of a choice of a named cluster; the id of its account follows.
pub const NAMED_CLUSTER: &str = "cluster_of_";

/// A user's answers on how to read the numbers, dates and costs of a file. They apply where the file is ambiguous.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FormAnswers {
    #[serde(default)]
    pub decimal_mark: Option<DecimalMark>,
    #[serde(default)]
    pub date_order: Option<DateOrder>,
    /// The type of cost in an Azure export.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_view: Option<CostView>,
    /// The currency of a bill that does not state one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<CurrencyCode>,
    /// Number of the unnamed cluster that the costs belong to, if the file does not name its cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<NamelessCluster>,
    /// Account id of the named cluster that the costs belong to, if the file does not name its cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster_account: Option<Uuid>,
    /// Whether to count costs for several days that a bill covers only in part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside_bill: Option<BesideBill>,
    /// Id of the bill's import where `beside_bill` was answered. Null if it was answered in the import of the costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside_bill_by: Option<Uuid>,
    /// Where the idle cost of a cluster is, if a stored export states it separately.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<IdleCost>,
}

/// How a file states the idle cost of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IdleCost {
    /// Included in the costs of the file.
    InParts,
    /// Not included in the costs of the file.
    Apart,
}

/// The number of an unnamed cluster, from 1, in the order in which they were imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct NamelessCluster(pub u16);

impl NamelessCluster {
    /// The number of its account.
    pub fn number(self) -> String {
        match self.0 {
            0 | 1 => UNNAMED_CLUSTER.to_owned(),
            number => format!("{UNNAMED_CLUSTER}-{number}"),
        }
    }

    /// The name of its account.
    pub fn name(self) -> String {
        match self.0 {
            0 | 1 => "OpenCost".to_owned(),
            number => format!("OpenCost {number}"),
        }
    }

    /// The cluster whose account has this number.
    pub fn of_number(number: &str) -> Option<Self> {
        let rest = number.strip_prefix(UNNAMED_CLUSTER)?;
        if rest.is_empty() {
            return Some(Self(1));
        }
        rest.strip_prefix('-')?.parse().ok().filter(|number| *number > 1).map(Self)
    }
}

/// Which costs to count for a period that a cost tool reports as one sum and a bill covers only in part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BesideBill {
    /// Count the tool's costs and the bill.
    Count,
    /// Count only the bill.
    Leave,
}

impl FormAnswers {
    /// These answers, completed with those of `others`.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        let says_cluster = self.cluster.is_some() || self.cluster_account.is_some();
        let (cluster, cluster_account) = if says_cluster {
            (self.cluster, self.cluster_account)
        } else {
            (others.cluster, others.cluster_account)
        };
        Self {
            decimal_mark: self.decimal_mark.or(others.decimal_mark),
            date_order: self.date_order.or(others.date_order),
            cost_view: self.cost_view.or(others.cost_view),
            currency: self.currency.or(others.currency),
            cluster,
            cluster_account,
            beside_bill: self.beside_bill.or(others.beside_bill),
            beside_bill_by: self.beside_bill_by,
            idle: self.idle.or(others.idle),
        }
    }

    /// These answers with another one: `decimal_comma`, `decimal_point`, `day_first`, `month_first`, `actual_cost`, `amortized_cost`,
    /// `count_beside_bill`, `leave_to_bill`, `idle_in_parts`, `idle_apart`, `cluster_` and a number,
    /// `cluster_of_` and an account id, or `currency_` and a three-letter code. `None` for any other text.
    #[must_use]
    pub fn with(self, choice: &str) -> Option<Self> {
        Some(match choice {
            "decimal_comma" => Self { decimal_mark: Some(DecimalMark::Comma), ..self },
            "decimal_point" => Self { decimal_mark: Some(DecimalMark::Point), ..self },
            "day_first" => Self { date_order: Some(DateOrder::DayFirst), ..self },
            "month_first" => Self { date_order: Some(DateOrder::MonthFirst), ..self },
            "actual_cost" => Self { cost_view: Some(CostView::Actual), ..self },
            "amortized_cost" => Self { cost_view: Some(CostView::Amortized), ..self },
            "count_beside_bill" => Self { beside_bill: Some(BesideBill::Count), ..self },
            "leave_to_bill" => Self { beside_bill: Some(BesideBill::Leave), ..self },
            "idle_in_parts" => Self { idle: Some(IdleCost::InParts), ..self },
            "idle_apart" => Self { idle: Some(IdleCost::Apart), ..self },
            other if other.starts_with(NAMED_CLUSTER) => {
                let account = Uuid::parse_str(&other[NAMED_CLUSTER.len()..]).ok()?;
                Self { cluster: None, cluster_account: Some(account), ..self }
            }
            other if other.starts_with(CLUSTER) => {
                let number = other[CLUSTER.len()..].parse().ok().filter(|number| *number > 0)?;
                Self { cluster: Some(NamelessCluster(number)), cluster_account: None, ..self }
            }
            other => {
                let code = other.strip_prefix("currency_").and_then(CurrencyCode::parse)?;
                Self { currency: Some(code), ..self }
            }
        })
    }
}

/// Which rows of a file are examined to decide how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    FirstRows,
    WholeFile,
}

/// The result of examining rows.
#[derive(Debug)]
pub enum FormsOutcome {
    /// The form of every column is decided.
    Yes,
    /// The first rows are not sufficient.
    LookAtAll,
    /// The file has two readings, and the user has to decide.
    Ask(Box<Decision>),
}

#[cfg(test)]
mod tests {
    use super::{FormAnswers, NamelessCluster};

    #[test]
    fn the_last_answer_about_a_cluster_counts() {
        let id = "11111111-2222-3333-4444-555555555555";
        let named =
            FormAnswers::default().with("cluster_2").unwrap().with(&format!("cluster_of_{id}")).unwrap();
        assert_eq!((named.cluster, named.cluster_account), (None, id.parse().ok()));
        let numbered = named.with("cluster_3").unwrap();
        assert_eq!((numbered.cluster, numbered.cluster_account), (Some(NamelessCluster(3)), None));
        assert_eq!(named.with("cluster_of_prod"), None);
    }

    #[test]
    fn clusters_without_a_name_are_numbered() {
        for (cluster, account) in [(1, "opencost"), (2, "opencost-2"), (17, "opencost-17")] {
            assert_eq!(NamelessCluster(cluster).number(), account);
            assert_eq!(NamelessCluster::of_number(account), Some(NamelessCluster(cluster)));
        }
        for other in ["opencost-1", "opencost-prod", "prod"] {
            assert_eq!(NamelessCluster::of_number(other), None, "{other}");
        }
    }
}
