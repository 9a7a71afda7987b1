//! The formats that are read, for refusals and help: one line each.

/// A format as people are told of it.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// The name in the interface.
    pub id: &'static str,
    /// What tells its files.
    pub looks_like: &'static str,
    /// Whether its rows are charges.
    pub has_charges: bool,
}

const fn bill(id: &'static str, looks_like: &'static str) -> Known {
    Known { id, looks_like, has_charges: true }
}

const fn other(id: &'static str, looks_like: &'static str) -> Known {
    Known { id, looks_like, has_charges: false }
}

/// Every format.
pub const KNOWN: &[Known] = &[
    bill(
        "focus",
        "a cost file in FOCUS 1.0 to 1.4: CSV, JSON rows or Parquet with the columns BilledCost, BillingCurrency, ChargePeriodStart, ServiceName …",
    ),
    bill(
        "aws-cur",
        "an AWS Cost and Usage Report, legacy or 2.0: CSV or Parquet with the columns lineItem/UnblendedCost or line_item_unblended_cost …",
    ),
    bill(
        "azure-cost",
        "an Azure cost export: CSV or Parquet with the columns MeterCategory, CostInBillingCurrency or PreTaxCost, Date or UsageDateTime …",
    ),
    bill(
        "gcp-billing",
        "a Google Cloud billing export: rows of BigQuery as CSV, JSON or Parquet, or the console's cost table, with service.description, sku.description, cost …",
    ),
    bill("costs-by-mapping", "any other CSV of costs, once a mapping says which column is what"),
    other(
        "aws_compute_optimizer_ec2",
        "an AWS Compute Optimizer export of EC2 instances: CSV with the columns instanceArn, finding, recommendationOptions_1_instanceType …",
    ),
    other(
        "aws_compute_optimizer_ebs",
        "an AWS Compute Optimizer export of EBS volumes: CSV with the columns volumeArn, finding, recommendationOptions_1_configuration_volumeType …",
    ),
    other("archive", "any of these packed with gzip, zstd, ZIP or tar, alone or several together"),
];
