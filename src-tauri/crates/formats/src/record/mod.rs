//! Records: the only types shared by formats and the code that stores rows.
//!
//! Times are µs since 1970 UTC. Texts are as in the file, trimmed. A field that the file does not state is `None`, never a
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
pub use kubernetes::{
    Cluster, ClusterObject, CompleteListing, Container, Namespace, Node, Owner, Pod, Workload,
};
pub use log_line::LogLine;
pub use metric::Metric;
pub use resource::{Account, Resource};

/// One item read from a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    Account(Account),
    Resource(Resource),
    /// The cluster a dump was taken from; emitted before all of its objects.
    Cluster(Cluster),
    ClusterObject(Box<ClusterObject>),
    Metric(Metric),
    /// A scanned target. Open findings of its earlier scans that the new scan no longer has are closed.
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
    /// The plural noun that reports use for records of this kind.
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
