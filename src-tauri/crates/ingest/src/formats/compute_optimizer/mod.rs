//! AWS Compute Optimizer: one row per EC2 instance, EBS volume, Auto Scaling group, Lambda function, ECS service or RDS database, with its current
//! configuration and several options.

mod evidence;
mod layout;
mod rows;

pub use layout::{Kind, Layout};
pub use rows::read;

use catalogue::Decimal;

/// The format id used by the interface.
pub const ID: &str = "aws-compute-optimizer";

/// A resource that AWS recommends changing, with the options as evidence.
#[derive(Debug)]
pub struct Recommendation {
    pub kind: Kind,
    pub finding: Finding,
    pub account_number: String,
    pub arn: String,
    /// From the ARN.
    pub region: String,
    pub resource_name: String,
    /// The monthly saving of the first option; `None` when the file does not state it.
    pub savings: Option<Decimal>,
    /// JSON: the current resource and every option.
    pub evidence: String,
}

/// AWS's finding for a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Finding {
    OverProvisioned,
    UnderProvisioned,
    NotOptimized,
    Optimized,
}

impl Finding {
    /// Parses `OVER_PROVISIONED`, `Overprovisioned`, `NotOptimized` …
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
    /// The name of the rule: the kind of resource and its problem.
    pub fn rule_name(&self) -> String {
        let wrong = match self.finding {
            Finding::OverProvisioned => "over_provisioned",
            Finding::UnderProvisioned => "under_provisioned",
            Finding::NotOptimized | Finding::Optimized => "not_optimized",
        };
        format!("{}_{wrong}", self.kind.prefix())
    }

    /// The severity by monthly saving: Critical from 1,000, High from 100, Medium from 10, otherwise Low. An under-provisioned resource risks its
    /// workload and is at least Medium. This rule is our own: the export states no severity, and the account's monthly cost, which would be the
    /// reference, is not in the file.
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
