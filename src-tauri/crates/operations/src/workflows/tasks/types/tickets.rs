//! Tasks that open, read, comment and change tickets in trackers.

use super::super::{Parameter, Task, optional, required};
use super::STATUS;

const INTEGRATION: Parameter = optional(
    "integration_id",
    "string",
    "The connection to the tracker, by id or name; not needed for a ticket that was opened from here.",
);
const PROJECT: Parameter = optional(
    "project_key",
    "string",
    "The project of the tracker: owner/repository, path or table where tickets are numbered by project; that of the connection unless given.",
);
const TICKET: Parameter = required(
    "ticket_id",
    "string|number",
    "Number of the ticket in the tracker, such as OPS-7 or 12, or the id that tickets.create gave.",
);
const INCIDENT: Parameter =
    required("ticket_id", "string", "Id of the incident in PagerDuty, or the id that tickets.create gave.");
const NUMBER: Parameter = optional("ticket_id", "string", "Its number in the tracker.");
const SAID: Parameter = optional("message", "string", "What came of it, in a sentence.");

/// The output for a changed ticket.
const CHANGED: &[Parameter] = &[
    NUMBER,
    optional("status", "string", "Its status now, in the tracker's words."),
    optional("state", "string", "open, done, refused or unknown."),
    optional("assignee", "array", "Who has it."),
    SAID,
];

pub(super) const ACKNOWLEDGE: Task = Task {
    name: "tickets.acknowledge",
    about: "Acknowledges an incident of PagerDuty, so that it is not escalated; one that is acknowledged is left as it is.",
    inputs: &[INTEGRATION, INCIDENT],
    outputs: CHANGED,
};

pub(super) const ADD_COMMENT: Task = Task {
    name: "tickets.add_comment",
    about: "Says something on a ticket, once: a second try finds what the first has said.",
    inputs: &[INTEGRATION, TICKET, PROJECT, required("comment", "string", "What is said.")],
    outputs: &[
        NUMBER,
        optional("comment", "string", "What was said."),
        optional("was_there", "boolean", "Whether an earlier try had said it."),
    ],
};

pub(super) const ASSIGN: Task = Task {
    name: "tickets.assign",
    about: "Gives a ticket to somebody.",
    inputs: &[
        INTEGRATION,
        TICKET,
        PROJECT,
        required(
            "assignee",
            "any",
            "Who takes it up, or a list: user names (GitHub, GitLab), an account id or address (Jira), a sys_id or address (ServiceNow), ids of users (PagerDuty).",
        ),
    ],
    outputs: CHANGED,
};

pub(super) const CREATE: Task = Task {
    name: "tickets.create",
    about: "Opens a ticket.",
    inputs: &[
        required("integration_id", "string", "The connection to the tracker, by id or name."),
        required("project_key", "string", "The project of the tracker."),
        required("title", "string", "What it is about."),
        required("description", "string", "What is to do."),
        optional("ticket_type", "string", "Kind of ticket; Task unless given."),
        optional("severity", "string", "How urgent it is."),
        optional("assignee", "string", "Who takes it up."),
        optional("reference_id", "string", "What it was opened for."),
        optional("additional_fields", "object", "What else the tracker wants to know."),
    ],
    outputs: &[
        optional("ticket_id", "string", "Its number in the tracker."),
        optional("url", "string", "Where it is."),
        STATUS,
    ],
};

pub(super) const ESCALATE: Task = Task {
    name: "tickets.escalate",
    about: "Escalates an incident of PagerDuty.",
    inputs: &[
        INTEGRATION,
        INCIDENT,
        optional("escalation_policy", "string", "Id of the policy it goes to."),
        optional(
            "escalation_level",
            "integer",
            "Which level of its policy is called; this or escalation_policy.",
        ),
    ],
    outputs: CHANGED,
};

pub(super) const GET: Task = Task {
    name: "tickets.get",
    about: "Reads a ticket as its tracker has it now; one that is kept here alone as it is here.",
    inputs: &[
        TICKET,
        INTEGRATION,
        PROJECT,
        optional(
            "until",
            "string",
            "closed: the task fails while the ticket is open (TicketOpen), or when it was closed without being done or is gone (TicketRefused, TicketGone), so that retries wait for its end.",
        ),
    ],
    outputs: &[
        optional("id", "string", "The ticket here, where it was opened from here."),
        NUMBER,
        optional("title", "string", "What it is about."),
        optional("description", "string", "What is to do."),
        optional("status", "string", "Its status in the tracker's words; Open where it is kept here."),
        optional("state", "string", "open, done, refused or unknown."),
        optional("resolution", "string", "Why it was closed, where the tracker says that."),
        optional("severity", "string", "How urgent it is."),
        optional("assignee", "string", "Who has it."),
        optional("assignees", "array", "All who have it."),
        optional("reporter", "string", "Who opened it there."),
        optional("labels", "array", "Its labels."),
        optional("milestone", "string", "Its milestone."),
        optional("project_key", "string", "Its project."),
        optional("platform", "string", "The tracker."),
        optional("url", "string", "Where it is."),
        optional("created_at", "string", "When it was opened there."),
        optional("updated_at", "string", "When it last changed there."),
        optional("message", "string", "Why the tracker has not taken it, where it is kept here."),
    ],
};

pub(super) const GET_COMMENTS: Task = Task {
    name: "tickets.get_comments",
    about: "Reads what was said on a ticket, the oldest first.",
    inputs: &[INTEGRATION, TICKET, PROJECT],
    outputs: &[NUMBER, optional("comments", "array", "Comments: id, author, comment, created_at.")],
};

pub(super) const RESOLVE: Task = Task {
    name: "tickets.resolve",
    about: "Resolves an incident of PagerDuty; one that is resolved is left as it is.",
    inputs: &[INTEGRATION, INCIDENT, optional("resolution", "string", "A note on how it was resolved.")],
    outputs: CHANGED,
};

pub(super) const TRANSITION: Task = Task {
    name: "tickets.transition",
    about: "Moves a ticket to another status; one that has it is left as it is.",
    inputs: &[
        INTEGRATION,
        TICKET,
        required(
            "status",
            "string",
            "Where it goes: a status or a transition of its workflow (Jira), open, closed or not_planned (GitHub), opened or closed (GitLab), a state (ServiceNow), acknowledged or resolved (PagerDuty).",
        ),
        PROJECT,
    ],
    outputs: CHANGED,
};

pub(super) const UPDATE: Task = Task {
    name: "tickets.update",
    about: "Changes a ticket: what its tracker cannot do of it fails the task with the reason.",
    inputs: &[
        INTEGRATION,
        TICKET,
        PROJECT,
        optional("status", "string", "Where it goes, as tickets.transition takes it."),
        optional("severity", "string", "How urgent it is (Jira, ServiceNow, PagerDuty)."),
        optional("assignee", "any", "Who takes it up, as tickets.assign takes it."),
        optional("description", "string", "What is to do, in place of what it says (not PagerDuty)."),
        optional("labels", "array|string", "Its labels, in place of those it has (Jira, GitHub, GitLab)."),
    ],
    outputs: CHANGED,
};
