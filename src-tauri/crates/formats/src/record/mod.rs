//! What formats read: the only words between formats and writers.
//!
//! Times are µs since 1970 UTC. Texts are as the file has them, trimmed. A field the file does not state is `None`, never a
//! guess.

mod alert_rule;
mod business_number;
mod charge;
mod event;
mod finding;
mod insight;
mod kubernetes;
mod log_line;
mod metric;
mod resource;

pub use alert_rule::AlertRule;
pub use business_number::BusinessNumber;
pub use charge::Charge;
pub use event::{Event, EventSeverity, EventStatus};
pub use finding::{Finding, FindingState, Listing, Scan, Severity};
pub use insight::Insight;
pub use kubernetes::{Cluster, ClusterObject, Container, Namespace, Node, Owner, Pod, Whole, Workload};
pub use log_line::LogLine;
pub use metric::Metric;
pub use resource::{Account, Resource};

/// One thing a file says.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    Account(Account),
    Resource(Resource),
    /// The cluster a dump is of; it comes before everything that stands in it.
    Cluster(Cluster),
    ClusterObject(Box<ClusterObject>),
    Metric(Metric),
    /// What a scanner looked at: what it found there before and does not find now is done.
    Scan(Scan),
    Finding(Box<Finding>),
    Event(Box<Event>),
    LogLine(LogLine),
    AlertRule(Box<AlertRule>),
    Insight(Box<Insight>),
    Charge(Box<Charge>),
    BusinessNumber(BusinessNumber),
}

impl Record {
    /// The word of reports for records of this kind, in the plural.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Account(_) => "accounts",
            Self::Resource(_) => "resources",
            Self::Cluster(_) => "clusters",
            Self::ClusterObject(_) => "cluster_objects",
            Self::Metric(_) => "metrics",
            Self::Scan(_) => "scans",
            Self::Finding(_) => "recommendations",
            Self::Event(_) => "events",
            Self::LogLine(_) => "log_lines",
            Self::AlertRule(_) => "alert_rules",
            Self::Insight(_) => "insights",
            Self::Charge(_) => "costs",
            Self::BusinessNumber(_) => "business_numbers",
        }
    }
}
