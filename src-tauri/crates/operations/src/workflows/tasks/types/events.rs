//! Tasks that read, wait for and store events of the account.

use super::super::{Parameter, Task, one_of, optional, required};
use super::STATUS;

const ID: Parameter = optional("id", "string", "The event.");
const DESCRIPTION: Parameter = optional("description", "string", "More about it.");
const LABELS: Parameter = optional("labels", "object", "Labels by name.");
const SUBJECT_NAMESPACE: Parameter = optional("subject_namespace", "string", "The namespace of that.");

pub(super) const GET: Task = Task {
    name: "events.get",
    about: "Reads an event of the account; with until: resolved it waits for the end of the event, as its source or a person says it.",
    inputs: &[
        required("event_id", "string", "Its id, such as {{ Inputs.event.id }} where an event began the run."),
        one_of(
            optional("until", "string", "resolved: waits until the event is resolved or closed."),
            &["resolved"],
        ),
        optional(
            "timeout",
            "string",
            "How long it waits at most, such as 72h; then the task times out. As long as it takes unless given.",
        ),
    ],
    outputs: &[
        ID,
        optional("title", "string", "What happened."),
        DESCRIPTION,
        optional("status", "string", "FIRING, RESOLVED or CLOSED, as its source says."),
        optional("nb_status", "string", "Where triage stands, such as OPEN or RESOLVED."),
        optional("is_resolved", "boolean", "Whether it is over, by its source or by triage."),
        optional("priority", "string", "How bad it is."),
        optional("source", "string", "Who told of it."),
        LABELS,
        optional("subject_name", "string", "What it happened to."),
        SUBJECT_NAMESPACE,
        optional("starts_at", "string", "When it began."),
        optional("ends_at", "string", "When it ended."),
    ],
};

pub(super) const STORE: Task = Task {
    name: "events.store",
    about: "Stores an event of the account.",
    inputs: &[
        required("title", "string", "What happened."),
        DESCRIPTION,
        optional("aggregation_key", "string", "The kind of event; the title unless given."),
        optional("priority", "string", "HIGH, MEDIUM, LOW, INFO or DEBUG; LOW unless given."),
        LABELS,
        optional("subject_name", "string", "What it happened to; the title unless given."),
        SUBJECT_NAMESPACE,
        optional("fingerprint", "string", "Events with the same are the same thing again."),
    ],
    outputs: &[ID, STATUS],
};
