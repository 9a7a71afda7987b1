//! AWS Compute Optimizer: one row per EC2 instance, EBS volume, Auto Scaling group, Lambda function, ECS service or RDS database, with what it is now and up to several options.

mod evidence;
mod layout;
mod rows;

pub use layout::{Kind, Layout};
pub use rows::read;

use catalogue::Decimal;

/// The id of the interface.
pub const ID: &str = "aws-compute-optimizer";

/// A resource AWS would change, with its options as evidence.
#[derive(Debug)]
pub struct Recommendation {
    pub kind: Kind,
    pub finding: Finding,
    pub account_number: String,
    pub arn: String,
    /// From the ARN.
    pub region: String,
    pub resource_name: String,
    /// What the first option saves in a month; `None` when the file does not say.
    pub savings: Option<Decimal>,
    /// JSON: the resource as it is, and every option.
    pub evidence: String,
}

/// What AWS says of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Finding {
    OverProvisioned,
    UnderProvisioned,
    NotOptimized,
    Optimized,
}

impl Finding {
    /// Reads `OVER_PROVISIONED`, `Overprovisioned`, `NotOptimized` …
    pub fn find(text: &str) -> Option<Self> {
        let plain: String =
            text.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).collect();
        match plain.as_str() {
            "overprovisioned" => Some(Self::OverProvisioned),
            "underprovisioned" => Some(Self::UnderProvisioned),
            "notoptimized" => Some(Self::NotOptimized),
            "optimized" => Some(Self::Optimized),
            _ => None,
        }
    }
}

impl Recommendation {
    /// The rule's name: the kind of resource and what is wrong with it.
    pub fn rule_name(&self) -> String {
        let wrong = match self.finding {
            Finding::OverProvisioned => "over_provisioned",
            Finding::UnderProvisioned => "under_provisioned",
            Finding::NotOptimized | Finding::Optimized => "not_optimized",
        };
        format!("{}_{wrong}", self.kind.prefix())
    }

    /// How much it matters, by the saving in a month: from 1,000 Critical, from 100 High, from 10 Medium, else Low. A resource
    /// that is too small risks its work, so it is Medium at least. Of our own making: the export states no severity, and the
    /// cost of the account's month, which would be the measure, is not in the file.
    pub fn severity(&self) -> &'static str {
        let reaches = |limit: i64| {
            let limit = Decimal::parse(&limit.to_string()).expect("a whole number is a decimal");
            self.savings
                .is_some_and(|savings| savings.checked_sub(limit).is_some_and(|rest| !rest.is_negative()))
        };
        if reaches(1_000) {
            "Critical"
        } else if reaches(100) {
            "High"
        } else if reaches(10) || self.finding == Finding::UnderProvisioned {
            "Medium"
        } else {
            "Low"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn severity(savings: &str, finding: Finding) -> &'static str {
        Recommendation {
            kind: Kind::Ec2,
            finding,
            account_number: String::new(),
            arn: String::new(),
            region: String::new(),
            resource_name: String::new(),
            savings: Decimal::parse(savings).ok(),
            evidence: String::new(),
        }
        .severity()
    }

    #[test]
    fn severity_grows_with_the_saving() {
        for (savings, expected) in
            [("", "Low"), ("9.99", "Low"), ("10", "Medium"), ("100.00", "High"), ("1e3", "Critical")]
        {
            assert_eq!(severity(savings, Finding::OverProvisioned), expected, "{savings}");
        }
        assert_eq!(severity("0", Finding::UnderProvisioned), "Medium");
    }

    #[test]
    fn both_spellings_of_a_finding_are_read() {
        assert_eq!(Finding::find("OVER_PROVISIONED"), Some(Finding::OverProvisioned));
        assert_eq!(Finding::find("Underprovisioned"), Some(Finding::UnderProvisioned));
        assert_eq!(Finding::find("NotOptimized"), Some(Finding::NotOptimized));
        assert_eq!(Finding::find("Unavailable"), None);
    }
}
