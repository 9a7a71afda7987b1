//! All task types, sorted by name.

mod crypto;
mod events;
mod graph;
mod models;
mod network;
mod programs;
mod repositories;
mod rightsizing;
mod slack;
mod tickets;

use super::{Slot, Task, needs, one_of, takes};

const NAMESPACE: Slot = needs("namespace", "string", "The namespace.");
const NAME: Slot = needs("name", "string", "Name of the object.");
const KIND: Slot = needs("kind", "string", "Kind of the object, such as Deployment.");
const GITOPS: Slot = takes(
    "gitops_config",
    "object",
    "With `enabled`, a pull request instead of a change: provider, repository_name, path of the manifest; base_branch, base_url, token.",
);
const STATUS: Slot = takes("status", "string", "What came of it.");
const MESSAGE: Slot = needs("message", "string", "What is said.");
const SINCE: Slot = takes("start_time", "string", "From when on; an hour before the end unless given.");
const UNTIL: Slot = takes("end_time", "string", "Up to when; now unless given.");
const LIMIT: Slot = takes("limit", "number", "How many at most.");

const OUTPUT: &[Slot] = &[
    takes("data", "string", "What the program wrote."),
    takes("stderr", "string", "What it wrote beside that."),
];
const CONTEXT: Slot = takes("context", "string", "The context of kubectl; the current one unless given.");

pub(in crate::workflows) const TASKS: &[Task] = &[
    programs::ARGOCD,
    Task {
        name: "cloud.aws.cli",
        about: "Runs the program aws, where the administrator of the service allows it.",
        takes: &[needs(
            "command",
            "string|array",
            "The command line, or a list of arguments; no shell reads it.",
        )],
        gives: OUTPUT,
    },
    Task {
        name: "cloud.azure.cli",
        about: "Runs the program az, where the administrator of the service allows it.",
        takes: &[needs(
            "command",
            "string|array",
            "The command line, or a list of arguments; no shell reads it.",
        )],
        gives: OUTPUT,
    },
    Task {
        name: "cloud.gcp.cli",
        about: "Runs the program gcloud, where the administrator of the service allows it.",
        takes: &[needs(
            "command",
            "string|array",
            "The command line, or a list of arguments; no shell reads it.",
        )],
        gives: OUTPUT,
    },
    Task {
        name: "cloud.k8s.cli",
        about: "Runs the program kubectl, where the administrator of the service allows it.",
        takes: &[needs(
            "command",
            "string|array",
            "The command line, or a list of arguments; no shell reads it.",
        )],
        gives: OUTPUT,
    },
    Task {
        name: "core.approval",
        about: "Waits until a person agrees or refuses.",
        takes: &[
            MESSAGE,
            takes("approval_type", "string", "How the person is asked: instant_message or email."),
            takes("im_provider", "string", "Who carries the message, such as slack."),
            takes("im_channel", "string", "Where it is sent."),
            takes("im_team_id", "string", "The team, where the carrier has teams."),
            takes(
                "approval_options",
                "array",
                "The answers to choose from; approve and reject unless given.",
            ),
            takes("timeout", "string", "How long the answer may take, such as 24h."),
            takes(
                "default_on_timeout",
                "string",
                "The answer when nobody gave one in time; else the task times out.",
            ),
            takes(
                "approvers",
                "array|string",
                "E-mails of those who may answer; whoever may change workflows unless given.",
            ),
            takes("approver_roles", "array|string", "Roles whose people may answer, such as tenant_admin."),
            takes("minimum_approvals", "integer", "People who must choose the first answer; 1 unless given."),
            takes(
                "exclude_author",
                "boolean",
                "Whether whoever began the run or wrote the workflow has no vote.",
            ),
            takes("require_sign_in", "boolean", "Whether the link alone is not enough."),
        ],
        gives: &[
            takes("approval_url", "string", "Where it is answered, while it waits."),
            takes("status", "string", "The answer chosen."),
            takes("approver", "string", "Who answered."),
            takes("comments", "string", "What they said."),
        ],
    },
    graph::BLAST_RADIUS,
    Task {
        name: "core.call-workflow",
        about: "Runs another workflow of the account and waits for what it gives.",
        takes: &[
            needs("workflow_name", "string", "Name of the workflow."),
            takes("inputs", "object", "What it is given."),
        ],
        gives: &[
            takes("workflow_id", "string", "The workflow."),
            takes("run_id", "string", "Its run."),
            takes("output", "object", "What it gave."),
        ],
    },
    Task {
        name: "core.foreach",
        about: "Runs tasks once for every item of a list.",
        takes: &[
            needs("items", "any", "The list, or an expression that gives one."),
            needs("tasks", "array", "The tasks."),
            takes("item", "string", "What an item is called inside; item unless given."),
            takes("concurrency", "integer", "How many items at a time; one unless given."),
            takes("output", "any", "What to keep of each item, by name."),
        ],
        gives: &[takes("results", "array", "What each item gave.")],
    },
    Task {
        name: "core.group",
        about: "Runs tasks as one step.",
        takes: &[needs("tasks", "array", "The tasks.")],
        gives: &[
            takes("workflowId", "string", "The workflow they ran as."),
            takes("runId", "string", "Its run."),
        ],
    },
    Task {
        name: "core.print",
        about: "Writes a line into the run.",
        takes: &[needs("message", "any", "What is said.")],
        gives: &[takes("data", "string", "The line.")],
    },
    Task {
        name: "core.switch",
        about: "Goes on with one task or another.",
        takes: &[
            takes("expression", "string", "What decides; not needed where every way has a condition."),
            takes("cases", "array", "Values, each with the id of the task that follows."),
            takes("default_next", "string", "Id of the task that follows otherwise."),
        ],
        gives: &[takes("selected_case", "string", "The value that fitted.")],
    },
    Task {
        name: "core.wait",
        about: "Lets time pass.",
        takes: &[needs("duration", "string|number", "How long, such as 10m; seconds where it is a number.")],
        gives: &[takes("duration", "string", "How long it was.")],
    },
    crypto::DECODE,
    crypto::DECRYPT,
    crypto::ENCODE,
    crypto::ENCRYPT,
    crypto::HASH,
    Task {
        name: "data.filter",
        about: "Keeps the items of a list that meet a condition.",
        takes: &[
            needs("list", "any", "The list, or one in JSON."),
            needs("condition", "string", "What an item must meet, such as cpu > 80; the item itself is $."),
        ],
        gives: &[takes("result", "array", "What was kept.")],
    },
    Task {
        name: "data.transform",
        about: "Makes another shape of what a task gave, with JSONata.",
        takes: &[
            needs("expression", "string", "How, such as pods[cpu > 80].name or {\"total\": $count(pods)}."),
            needs("input", "any", "Of what: a value, or a text in JSON or YAML."),
            one_of(takes("input_type", "string", "What a text is; json unless given."), &["json", "yaml"]),
            one_of(
                takes("output_type", "string", "What is given: the value itself (raw) unless given."),
                &["raw", "json", "yaml", "string"],
            ),
            one_of(takes("script_type", "string", "The language; jsonata, and nothing else."), &["jsonata"]),
        ],
        gives: &[takes("data", "any", "The other shape.")],
    },
    programs::DATABASE,
    programs::REDIS,
    events::GET,
    events::STORE,
    Task {
        name: "integrations.http",
        about: "Asks another service over HTTP.",
        takes: &[
            needs("url", "string", "Where."),
            takes("method", "string", "How; GET unless given."),
            takes("headers", "object", "Headers by name."),
            takes("body", "any", "What is sent."),
            takes("auth_type", "string", "bearer, basic, api_key, oauth2 or nothing."),
            takes(
                "timeout",
                "string|number",
                "How long an answer may take, in seconds where it is a number; 30s unless given.",
            ),
            takes(
                "idempotent",
                "boolean",
                "That the service knows the header Idempotency-Key, so that a POST may be sent again after a crash.",
            ),
        ],
        gives: &[
            takes("status_code", "number", "The answer's status."),
            takes("headers", "object", "Its headers."),
            takes("body", "any", "Its body."),
        ],
    },
    programs::SSH,
    rightsizing::CONTINUOUS,
    rightsizing::COPIES,
    Task {
        name: "k8s.node_graceful_shutdown",
        about: "Empties a node and takes it away.",
        takes: &[
            NAME,
            takes("delete_node", "boolean", "Whether the node is deleted when it is empty."),
            takes("ignore_pdbs", "boolean", "Whether disruption budgets are passed over."),
            CONTEXT,
        ],
        gives: OUTPUT,
    },
    Task {
        name: "k8s.pod_delete",
        about: "Deletes a pod, so that another takes its place.",
        takes: &[
            NAMESPACE,
            NAME,
            takes("kind", "string", "Kind of the object; Pod unless given."),
            takes("target_pod_name", "string", "Which pod of a workload."),
            takes("force", "boolean", "Whether it is taken away at once."),
            CONTEXT,
        ],
        gives: OUTPUT,
    },
    rightsizing::STORAGE,
    rightsizing::VERTICAL,
    Task {
        name: "k8s.workload_restart",
        about: "Restarts a workload, copy by copy.",
        takes: &[NAMESPACE, NAME, KIND, CONTEXT],
        gives: OUTPUT,
    },
    rightsizing::USAGE,
    models::AGENT,
    models::CLASSIFY,
    models::EVENT,
    models::INVESTIGATE,
    models::TOOL,
    models::NUBI,
    models::ROUTER,
    Task {
        name: "llm.summary",
        about: "Asks a language model of Settings, Models once: for a summary, or whatever the message asks for.",
        takes: &[
            needs("message", "string", "The text, with what is wanted of it."),
            takes(
                "provider",
                "string",
                "Who is asked, as ai_list_models has them; with model. The first that answers unless given.",
            ),
            takes("model", "string", "Its model."),
        ],
        gives: &[
            takes("data", "string", "What it said."),
            takes("session_id", "string", "What it stands under in the ledger and on the bill."),
        ],
    },
    programs::RABBITMQ,
    network::DNS,
    network::NTP,
    network::PING,
    network::SSL,
    network::TCP,
    network::TRACEROUTE,
    network::WHOIS,
    slack::ADD_REACTION,
    slack::DIRECT,
    Task {
        name: "notifications.email",
        about: "Sends an e-mail through a channel of Settings, Notifications.",
        takes: &[
            needs("recipients", "any", "Addresses, as a list or a text with commas."),
            needs("subject", "string", "Its subject."),
            needs("body", "string", "Its text."),
            takes("cc", "any", "More addresses."),
            takes("reply_to", "string", "Where answers go."),
            takes("channel", "string", "Name of the channel for mail; the first one unless given."),
        ],
        gives: &[
            takes(
                "success",
                "boolean",
                "Whether it is on its way: Settings, Notifications shows what became of it.",
            ),
            takes("message_id", "string", "Its notice."),
        ],
    },
    Task {
        name: "notifications.im",
        about: "Posts a message in a channel.",
        takes: &[
            needs("provider", "string", "slack, ms_teams or google_chat."),
            MESSAGE,
            takes(
                "channel",
                "string",
                "A channel of Settings, Notifications by its name, or the address of an incoming webhook; SECRET_SLACK_WEBHOOK and its like unless given.",
            ),
            takes("team_id", "string", "The team, where the carrier has teams."),
            takes("message_thread_id", "string", "The message it answers."),
        ],
        gives: &[
            takes("success", "boolean", "Whether it was posted, or is on its way through a channel."),
            takes("message_id", "string", "Its notice, where it goes through a channel."),
            takes("status_code", "number", "What an incoming webhook answered."),
            takes("headers", "object", "Headers of that answer."),
            takes("body", "any", "Its body."),
        ],
    },
    slack::READ_THREAD,
    Task {
        name: "observability.log_groups",
        about: "Counts imported log lines that say the same but for numbers and names.",
        takes: &[
            takes("query", "string", "Which lines, as with observability.logs; all unless given."),
            takes("severity", "string", "Only these severities, with commas, such as error,fatal."),
            takes("duration", "string", "How long before the end; 1h unless given."),
            SINCE,
            UNTIL,
        ],
        gives: &[
            takes(
                "groups",
                "array",
                "Objects with pattern, severity, count, first, last, sample and labels, the largest first.",
            ),
            takes("lines", "integer", "How many lines were looked at, 10000 at most."),
        ],
    },
    Task {
        name: "observability.logs",
        about: "Looks for log lines.",
        takes: &[needs("query", "string", "Which lines."), SINCE, UNTIL, LIMIT],
        gives: &[takes("logs", "array", "The lines.")],
    },
    Task {
        name: "observability.metrics",
        about: "Reads measurements that were imported, or asks a Prometheus.",
        takes: &[
            needs(
                "queries",
                "object",
                "Queries by label: a metric with labels, such as CPUUtilization{region=\"eu-central-1\"}; with url, PromQL.",
            ),
            takes("start_time", "string", "From when on, or how long before the end; 1h unless given."),
            UNTIL,
            takes("step", "string", "How far points of a Prometheus are apart, such as 5m."),
            takes("url", "string", "The address of a Prometheus; without it, what was imported is read."),
            takes("auth_type", "string", "bearer, basic, api_key or nothing; as with integrations.http."),
        ],
        gives: &[
            takes(
                "metrics",
                "array",
                "Series: label of the query, metric (what tells them apart), points (time, value).",
            ),
            takes(
                "figures",
                "object",
                "By label of the query: series, points, minimum, maximum, average, latest.",
            ),
        ],
    },
    repositories::ADD_COMMENT,
    repositories::CREATE_PULL_REQUEST,
    repositories::GET_PULL_REQUEST,
    programs::GITHUB,
    programs::GITLAB,
    repositories::MERGE_PULL_REQUEST,
    programs::SCRIPT,
    slack::JOIN_CHANNEL,
    rightsizing::GENERATE,
    tickets::ACKNOWLEDGE,
    tickets::ADD_COMMENT,
    tickets::ASSIGN,
    tickets::CREATE,
    tickets::ESCALATE,
    tickets::GET,
    tickets::GET_COMMENTS,
    tickets::RESOLVE,
    tickets::TRANSITION,
    tickets::UPDATE,
];
