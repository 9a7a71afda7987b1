//! The list of supported formats, used by error messages, the command line's help and the pages.

use super::{compute_optimizer, focus};

/// A file format that can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct ReadableFormat {
    /// The identifier of the format in the API.
    pub id: &'static str,
    pub title: &'static str,
    /// How to obtain such a file, and how it is recognised.
    pub source: &'static str,
    /// The data that an import adds.
    pub fills: &'static str,
}

const CHARGES: &str = "accounts, costs, resources";

const fn bill(id: &'static str, title: &'static str, source: &'static str) -> ReadableFormat {
    ReadableFormat { id, title, source, fills: CHARGES }
}

/// Formats whose rows are charges.
const BILLS: [ReadableFormat; 5] = [
    bill(
        focus::ID,
        "FOCUS 1.0 to 1.4 costs",
        "CSV, JSON rows or Parquet with the columns BilledCost, BillingCurrency, ChargePeriodStart, ServiceName …",
    ),
    bill(
        "aws-cur",
        "AWS Cost and Usage Report, legacy or 2.0",
        "CSV or Parquet with the columns lineItem/UnblendedCost or line_item_unblended_cost …",
    ),
    bill(
        "azure-cost",
        "Azure cost export",
        "CSV or Parquet with the columns MeterCategory, CostInBillingCurrency or PreTaxCost, Date or UsageDateTime …",
    ),
    bill(
        "gcp-billing",
        "Google Cloud billing export",
        "rows of BigQuery as CSV, JSON or Parquet, or the console's cost table, with service.description, sku.description, cost …",
    ),
    bill("costs-by-mapping", "Any other CSV of costs", "once a mapping says which column is what"),
];

const OTHERS: [ReadableFormat; 2] = [
    ReadableFormat {
        id: compute_optimizer::ID,
        title: "AWS Compute Optimizer",
        source: "CSV exports of EC2 instances (columns instanceArn, finding, recommendationOptions_1_instanceType …), EBS volumes \
                 (volumeArn …), Auto Scaling groups (autoScalingGroupArn …), Lambda functions (functionArn …), ECS services \
                 (serviceArn …) and RDS databases (resourceArn, instanceFinding, instanceRecommendationOptions_1_dbInstanceClass …)",
        fills: "accounts, recommendations, resources",
    },
    ReadableFormat {
        id: "archive",
        title: "Archives",
        source: "any of these packed with gzip, zstd, ZIP or tar, alone or several together",
        fills: "what is in them",
    },
];

/// All supported formats.
pub fn readable() -> impl Iterator<Item = ReadableFormat> {
    let documents = ::formats::FORMATS.iter().map(|format| ReadableFormat {
        id: format.id,
        title: format.title,
        source: format.source,
        fills: format.fills,
    });
    BILLS.into_iter().chain(documents).chain(OTHERS)
}

/// Whether the format with this id contains charges.
pub fn brings_charges(id: &str) -> bool {
    BILLS.iter().any(|known| known.id == id)
}
