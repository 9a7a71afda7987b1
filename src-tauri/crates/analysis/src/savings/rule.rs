//! The metadata of a rule.

use serde::Serialize;

/// A rule: its published source and its thresholds.
#[derive(Debug)]
pub struct Rule {
    /// `recommendation.rule_name`
    pub name: &'static str,
    /// Increased when the criteria change, so that its findings are judged again.
    pub version: u32,
    /// What the rule finds, in one sentence.
    pub about: &'static str,
    /// Where the rule is published.
    pub source: &'static str,
    /// Names of the same rule in other tools and in the waste sensors of the FinOps Foundation.
    pub aliases: &'static [&'static str],
    pub category: Category,
    pub action: Action,
    pub confidence: Confidence,
    pub thresholds: &'static [Threshold],
    /// What the rule cannot know.
    pub limits: &'static str,
    /// The effort of the change, in a few words.
    pub effort: &'static str,
}

/// A threshold of a rule.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Threshold {
    pub name: &'static str,
    /// In plain decimal notation.
    pub value: &'static str,
    pub unit: &'static str,
}

/// The kind of change, as in `recommendation.category`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    Configuration,
    Cost,
    InfraUpgrade,
    SpotNodes,
    ClusterVersion,
    RightSizing,
    Security,
}

impl Category {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Configuration => "Configuration",
            Self::Cost => "Cost",
            Self::InfraUpgrade => "InfraUpgrade",
            Self::SpotNodes => "K8sSpotRecommendation",
            Self::ClusterVersion => "K8sVersionUpgrade",
            Self::RightSizing => "RightSizing",
            Self::Security => "Security",
        }
    }
}

/// The action on the subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Delete,
    Modify,
}

impl Action {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Delete => "Delete",
            Self::Modify => "Modify",
        }
    }
}

/// The confidence of the rule's findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Confidence {
    Low,
    Medium,
    High,
}

/// The `limits` of rules that use only the bill.
pub const BY_THE_BILL: &str = "By the bill only; utilisation unknown.";
