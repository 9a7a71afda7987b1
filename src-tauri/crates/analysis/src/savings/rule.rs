//! What is told of a rule beside what it finds.

use serde::Serialize;

/// A rule: where it is published, and by which numbers it judges.
#[derive(Debug)]
pub struct Rule {
    /// `recommendation.rule_name`
    pub name: &'static str,
    /// Changes with what the rule judges by, so that its findings are judged anew.
    pub version: u32,
    /// What it looks for, in a sentence.
    pub about: &'static str,
    /// Where the rule is published.
    pub source: &'static str,
    /// Names of the same rule elsewhere: the waste sensors of the FinOps Foundation, other tools.
    pub aliases: &'static [&'static str],
    pub category: Category,
    pub action: Action,
    pub confidence: Confidence,
    pub thresholds: &'static [Threshold],
    /// What the rule cannot know.
    pub limits: &'static str,
    /// What carrying it out takes, in a few words.
    pub effort: &'static str,
}

/// A number that a rule judges by.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Threshold {
    pub name: &'static str,
    /// In plain decimal notation.
    pub value: &'static str,
    pub unit: &'static str,
}

/// The kind of change, as `recommendation.category` has it.
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

/// What is done to the subject.
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

/// How sure the rule can be of what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Confidence {
    Low,
    Medium,
    High,
}

/// What rules say that know nothing but the bill.
pub const BY_THE_BILL: &str = "By the bill only; utilisation unknown.";
