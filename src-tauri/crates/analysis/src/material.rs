//! What the rules are handed: rows as they were read, in words of the field. All times are µs since 1970 UTC.

use uuid::Uuid;

/// The event that is to be explained.
#[derive(Debug, Clone, Default)]
pub struct Event {
    pub id: Uuid,
    pub title: String,
    /// What sort of event, such as the name of the alert.
    pub kind: String,
    /// Texts in which the source may have named the cause: description, labels, evidences.
    pub words: String,
    pub starts_at: i64,
    /// None while it goes on.
    pub ends_at: Option<i64>,
    pub subject: Subject,
}

/// What something happened to. What is not known is empty.
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
    /// The workload, else the thing itself.
    pub fn workload(&self) -> &str {
        if self.owner.is_empty() { &self.name } else { &self.owner }
    }

    /// How the other stands to this one, and how much that is worth: 25 for the same resource down to 5 for the same namespace.
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

/// All that was found around an event. Lists may be in any order and may be empty.
#[derive(Debug, Clone, Default)]
pub struct Material {
    /// Events that began near it.
    pub events: Vec<Other>,
    /// Earlier events with its fingerprint.
    pub series: Vec<Occurrence>,
    /// What the graph says stands next to its subject.
    pub neighbours: Vec<Neighbour>,
    pub changes: Vec<Change>,
    /// Lines before and after it began.
    pub logs: Vec<Line>,
    /// How its subject and what belongs to it stand now.
    pub states: Vec<State>,
    /// Spend by day, of the resource or account it happened in, in one currency.
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

/// An earlier event of the same kind and place.
#[derive(Debug, Clone, Copy)]
pub struct Occurrence {
    pub id: Uuid,
    pub starts_at: i64,
}

/// A thing of the graph that the subject has to do with.
#[derive(Debug, Clone)]
pub struct Neighbour {
    pub id: Uuid,
    pub name: String,
    pub namespace: String,
    /// How the two relate, such as `CALLS`.
    pub relation: String,
    /// Steps between the two.
    pub distance: u8,
    /// Whether the subject needs it; else it needs the subject.
    pub is_needed: bool,
}

/// Something that was changed by a person, a pipeline or the service.
#[derive(Debug, Clone, Default)]
pub struct Change {
    pub id: String,
    /// Where its row stands.
    pub table: String,
    /// When; at the latest, where no more than a stretch is known.
    pub at: i64,
    /// When at the earliest, where no more than a stretch is known.
    pub not_before: Option<i64>,
    /// What was done, in a few words: `release of checkout 1.8.2`.
    pub what: String,
    pub by: String,
    pub subject: Subject,
    /// Whether it brought other code or settings, rather than notes about things.
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

/// How a thing stands.
#[derive(Debug, Clone, Default)]
pub struct State {
    pub id: String,
    pub table: String,
    pub name: String,
    /// The source's word.
    pub status: String,
    pub is_gone: bool,
    /// Of a workload: pods that are ready, and that should be.
    pub ready: Option<(i64, i64)>,
}

/// What was spent in one day.
#[derive(Debug, Clone)]
pub struct Spend {
    /// Midnight UTC.
    pub day: i64,
    pub amount: f64,
    /// The amount with its currency, exact.
    pub text: String,
}
