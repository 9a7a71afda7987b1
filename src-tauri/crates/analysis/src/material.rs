//! The input of the rules. All times are µs since 1970 UTC.

use uuid::Uuid;

/// The event to be explained.
#[derive(Debug, Clone, Default)]
pub struct Event {
    pub id: Uuid,
    pub title: String,
    /// The kind of event, such as the name of the alert.
    pub kind: String,
    /// Text in which the source may name the cause: description, labels, evidence.
    pub words: String,
    pub starts_at: i64,
    /// `None` while it continues.
    pub ends_at: Option<i64>,
    pub subject: Subject,
}

/// The object that an event or change is about. Unknown fields are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    pub resource: Option<Uuid>,
    pub namespace: String,
    pub name: String,
    /// The workload that owns it.
    pub owner: String,
    pub service: String,
    pub node: String,
}

impl Subject {
    /// The workload; without one, the object itself.
    pub fn workload(&self) -> &str {
        if self.owner.is_empty() { &self.name } else { &self.owner }
    }

    /// How another subject relates to this one, and its weight: from 25 for the same resource to 5 for the same namespace.
    pub fn shared(&self, other: &Self) -> Option<(u8, &'static str)> {
        let same = |one: &str, two: &str| !one.is_empty() && one.eq_ignore_ascii_case(two);
        if self.resource.is_some() && self.resource == other.resource {
            return Some((25, "on the same resource"));
        }
        let is_one_place = self.namespace.is_empty()
            || other.namespace.is_empty()
            || same(&self.namespace, &other.namespace);
        if is_one_place && same(self.workload(), other.workload()) {
            return Some((25, "on the same workload"));
        }
        if same(&self.service, &other.service) {
            return Some((15, "in the same service"));
        }
        if same(&self.node, &other.node) {
            return Some((10, "on the same node"));
        }
        same(&self.namespace, &other.namespace).then_some((5, "in the same namespace"))
    }
}

/// Everything found around an event. Lists may be in any order and may be empty.
#[derive(Debug, Clone, Default)]
pub struct Material {
    /// Events that began near it.
    pub events: Vec<Other>,
    /// Earlier events with its fingerprint.
    pub series: Vec<Occurrence>,
    /// Neighbours of its subject in the knowledge graph.
    pub neighbours: Vec<Neighbour>,
    pub changes: Vec<Change>,
    /// Log lines before and after its start.
    pub logs: Vec<Line>,
    /// The current states of its subject and related objects.
    pub states: Vec<State>,
    /// Daily spend of its resource or account, in one currency.
    pub spends: Vec<Spend>,
}

/// Another event.
#[derive(Debug, Clone, Default)]
pub struct Other {
    pub id: Uuid,
    pub title: String,
    pub starts_at: i64,
    pub ends_at: Option<i64>,
    pub subject: Subject,
}

/// An earlier event with the same fingerprint.
#[derive(Debug, Clone, Copy)]
pub struct Occurrence {
    pub id: Uuid,
    pub starts_at: i64,
}

/// A node of the knowledge graph that is related to the subject.
#[derive(Debug, Clone)]
pub struct Neighbour {
    pub id: Uuid,
    pub name: String,
    pub namespace: String,
    /// The relation, such as `CALLS`.
    pub relation: String,
    /// The number of relations between the two.
    pub distance: u8,
    /// Whether the subject depends on it; otherwise it depends on the subject.
    pub is_needed: bool,
}

/// A change by a person, a pipeline or the service.
#[derive(Debug, Clone, Default)]
pub struct Change {
    pub id: String,
    /// The table of its row.
    pub table: String,
    /// The time of the change; the latest possible time if only a range is known.
    pub at: i64,
    /// The earliest possible time, if only a range is known.
    pub not_before: Option<i64>,
    /// A short description: `release of checkout 1.8.2`.
    pub what: String,
    pub by: String,
    pub subject: Subject,
    /// Whether it deployed code or settings, rather than changing notes.
    pub is_deployment: bool,
}

/// One line of a log.
#[derive(Debug, Clone)]
pub struct Line {
    pub id: Uuid,
    pub at: i64,
    pub severity: String,
    pub message: String,
}

/// The state of an object.
#[derive(Debug, Clone, Default)]
pub struct State {
    pub id: String,
    pub table: String,
    pub name: String,
    /// The status as named by the source.
    pub status: String,
    pub is_gone: bool,
    /// For a workload: the number of ready pods and of desired pods.
    pub ready: Option<(i64, i64)>,
}

/// The spend of one day.
#[derive(Debug, Clone)]
pub struct Spend {
    /// Midnight UTC.
    pub day: i64,
    pub amount: f64,
    /// The exact amount with its currency.
    pub text: String,
}
