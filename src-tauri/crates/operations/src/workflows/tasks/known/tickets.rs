//! Tasks that open, read, comment and change tickets in trackers.

use super::super::{Slot, Task, needs, takes};
use super::STATUS;

const INTEGRATION: Slot = takes(
    "integration_id",
    "string",
    "The connection to the tracker, by id or name; not needed for a ticket that was opened from here.",
);
const PROJECT: Slot = takes(
    "project_key",
    "string",
    "The project of the tracker: owner/repository, path or table where tickets are numbered by project; that of the connection unless given.",
);
const TICKET: Slot = needs(
    "ticket_id",
    "string|number",
    "Number of the ticket in the tracker, such as OPS-7 or 12, or the id that tickets.create gave.",
);
const INCIDENT: Slot =
    needs("ticket_id", "string", "Id of the incident in PagerDuty, or the id that tickets.create gave.");
const NUMBER: Slot = takes("ticket_id", "string", "Its number in the tracker.");
const SAID: Slot = takes("message", "string", "What came of it, in a sentence.");

/// The output for a changed ticket.
const CHANGED: &[Slot] = &[
    NUMBER,
    takes("status", "string", "Its status now, in the tracker's words."),
    takes("state", "string", "open, done, refused or unknown."),
    takes("assignee", "array", "Who has it."),
    SAID,
];

pub(super) const ACKNOWLEDGE: Task = Task {
    name: "tickets.acknowledge",
    about: "Acknowledges an incident of PagerDuty, so that it is not escalated; one that is acknowledged is left as it is.",
    takes: &[INTEGRATION, INCIDENT],
    gives: CHANGED,
};

pub(super) const ADD_COMMENT: Task = Task {
    name: "tickets.add_comment",
    about: "Says something on a ticket, once: a second try finds what the first has said.",
    takes: &[INTEGRATION, TICKET, PROJECT, needs("comment", "string", "What is said.")],
    gives: &[
        NUMBER,
        takes("comment", "string", "What was said."),
        takes("was_there", "boolean", "Whether an earlier try had said it."),
    ],
};

pub(super) const ASSIGN: Task = Task {
    name: "tickets.assign",
    about: "Gives a ticket to somebody.",
    takes: &[
        INTEGRATION,
        TICKET,
        PROJECT,
        needs(
            "assignee",
            "any",
            "Who takes it up, or a list: user names (GitHub, GitLab), an account id or address (Jira), a sys_id or address (ServiceNow), ids of users (PagerDuty).",
        ),
    ],
    gives: CHANGED,
};

pub(super) const CREATE: Task = Task {
    name: "tickets.create",
    about: "Opens a ticket.",
    takes: &[
        needs("integration_id", "string", "The connection to the tracker, by id or name."),
        needs("project_key", "string", "The project of the tracker."),
        needs("title", "string", "What it is about."),
        needs("description", "string", "What is to do."),
        takes("ticket_type", "string", "Kind of ticket; Task unless given."),
        takes("severity", "string", "How urgent it is."),
        takes("assignee", "string", "Who takes it up."),
        takes("reference_id", "string", "What it was opened for."),
        takes("additional_fields", "object", "What else the tracker wants to know."),
    ],
    gives: &[
        takes("ticket_id", "string", "Its number in the tracker."),
        takes("url", "string", "Where it is."),
        STATUS,
    ],
};

pub(super) const ESCALATE: Task = Task {
    name: "tickets.escalate",
    about: "Escalates an incident of PagerDuty.",
    takes: &[
        INTEGRATION,
        INCIDENT,
        takes("escalation_policy", "string", "Id of the policy it goes to."),
        takes(
            "escalation_level",
            "integer",
            "Which level of its policy is called; this or escalation_policy.",
        ),
    ],
    gives: CHANGED,
};

pub(super) const GET: Task = Task {
    name: "tickets.get",
    about: "Reads a ticket as its tracker has it now; one that is kept here alone as it is here.",
    takes: &[
        TICKET,
        INTEGRATION,
        PROJECT,
        takes(
            "until",
            "string",
            "closed: the task fails while the ticket is open (TicketOpen), or when it was closed without being done or is gone (TicketRefused, TicketGone), so that retries wait for its end.",
        ),
    ],
    gives: &[
        takes("id", "string", "The ticket here, where it was opened from here."),
        NUMBER,
        takes("title", "string", "What it is about."),
        takes("description", "string", "What is to do."),
        takes("status", "string", "Its status in the tracker's words; Open where it is kept here."),
        takes("state", "string", "open, done, refused or unknown."),
        takes("resolution", "string", "Why it was closed, where the tracker says that."),
        takes("severity", "string", "How urgent it is."),
        takes("assignee", "string", "Who has it."),
        takes("assignees", "array", "All who have it."),
        takes("reporter", "string", "Who opened it there."),
        takes("labels", "array", "Its labels."),
        takes("milestone", "string", "Its milestone."),
        takes("project_key", "string", "Its project."),
        takes("platform", "string", "The tracker."),
        takes("url", "string", "Where it is."),
        takes("created_at", "string", "When it was opened there."),
        takes("updated_at", "string", "When it last changed there."),
        takes("message", "string", "Why the tracker has not taken it, where it is kept here."),
    ],
};

pub(super) const GET_COMMENTS: Task = Task {
    name: "tickets.get_comments",
    about: "Reads what was said on a ticket, the oldest first.",
    takes: &[INTEGRATION, TICKET, PROJECT],
    gives: &[NUMBER, takes("comments", "array", "Comments: id, author, comment, created_at.")],
};

pub(super) const RESOLVE: Task = Task {
    name: "tickets.resolve",
    about: "Resolves an incident of PagerDuty; one that is resolved is left as it is.",
    takes: &[INTEGRATION, INCIDENT, takes("resolution", "string", "A note on how it was resolved.")],
    gives: CHANGED,
};

pub(super) const TRANSITION: Task = Task {
    name: "tickets.transition",
    about: "Moves a ticket to another status; one that has it is left as it is.",
    takes: &[
        INTEGRATION,
        TICKET,
        needs(
            "status",
            "string",
            "Where it goes: a status or a transition of its workflow (Jira), open, closed or not_planned (GitHub), opened or closed (GitLab), a state (ServiceNow), acknowledged or resolved (PagerDuty).",
        ),
        PROJECT,
    ],
    gives: CHANGED,
};

pub(super) const UPDATE: Task = Task {
    name: "tickets.update",
    about: "Changes a ticket: what its tracker cannot do of it fails the task with the reason.",
    takes: &[
        INTEGRATION,
        TICKET,
        PROJECT,
        takes("status", "string", "Where it goes, as tickets.transition takes it."),
        takes("severity", "string", "How urgent it is (Jira, ServiceNow, PagerDuty)."),
        takes("assignee", "any", "Who takes it up, as tickets.assign takes it."),
        takes("description", "string", "What is to do, in place of what it says (not PagerDuty)."),
        takes("labels", "array|string", "Its labels, in place of those it has (Jira, GitHub, GitLab)."),
    ],
    gives: CHANGED,
};
