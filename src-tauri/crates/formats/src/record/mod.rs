//! What formats read: the only words between formats and writers.
//!
//! Times are µs since 1970 UTC. Texts are as the file has them, trimmed. A field the file does not state is `None`, never a
//! guess.

mod event;
mod finding;
mod insight;
mod kubernetes;
mod log_line;
mod metric;
mod resource;

pub use event::{Event, EventSeverity, EventStatus};
pub use finding::{Finding, FindingState, Severity};
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
    Finding(Box<Finding>),
    Event(Box<Event>),
    LogLine(LogLine),
    Insight(Box<Insight>),
}
