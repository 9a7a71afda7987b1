//! Tasks that read, wait for and store events of the account.

use super::super::{Slot, Task, needs, one_of, takes};
use super::STATUS;

const ID: Slot = takes("id", "string", "The event.");
const DESCRIPTION: Slot = takes("description", "string", "More about it.");
const LABELS: Slot = takes("labels", "object", "Labels by name.");
const SUBJECT_NAMESPACE: Slot = takes("subject_namespace", "string", "The namespace of that.");

pub(super) const GET: Task = Task {
    name: "events.get",
    about: "Reads an event of the account; with until: resolved it waits for the end of the event, as its source or a person says it.",
    takes: &[
        needs("event_id", "string", "Its id, such as {{ Inputs.event.id }} where an event began the run."),
        one_of(
            takes("until", "string", "resolved: waits until the event is resolved or closed."),
            &["resolved"],
        ),
        takes(
            "timeout",
            "string",
            "How long it waits at most, such as 72h; then the task times out. As long as it takes unless given.",
        ),
    ],
    gives: &[
        ID,
        takes("title", "string", "What happened."),
        DESCRIPTION,
        takes("status", "string", "FIRING, RESOLVED or CLOSED, as its source says."),
        takes("nb_status", "string", "Where triage stands, such as OPEN or RESOLVED."),
        takes("is_resolved", "boolean", "Whether it is over, by its source or by triage."),
        takes("priority", "string", "How bad it is."),
        takes("source", "string", "Who told of it."),
        LABELS,
        takes("subject_name", "string", "What it happened to."),
        SUBJECT_NAMESPACE,
        takes("starts_at", "string", "When it began."),
        takes("ends_at", "string", "When it ended."),
    ],
};

pub(super) const STORE: Task = Task {
    name: "events.store",
    about: "Stores an event of the account.",
    takes: &[
        needs("title", "string", "What happened."),
        DESCRIPTION,
        takes("aggregation_key", "string", "The kind of event; the title unless given."),
        takes("priority", "string", "HIGH, MEDIUM, LOW, INFO or DEBUG; LOW unless given."),
        LABELS,
        takes("subject_name", "string", "What it happened to; the title unless given."),
        SUBJECT_NAMESPACE,
        takes("fingerprint", "string", "Events with the same are the same thing again."),
    ],
    gives: &[ID, STATUS],
};
