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

use super::{Parameter, Task, one_of, optional, required};

const NAMESPACE: Parameter = required("namespace", "string", "The namespace.");
const NAME: Parameter = required("name", "string", "Name of the object.");
const KIND: Parameter = required("kind", "string", "Kind of the object, such as Deployment.");
const GITOPS: Parameter = optional(
    "gitops_config",
    "object",
    "With `enabled`, a pull request instead of a change: provider, repository_name, path of the manifest; base_branch, base_url, token.",
);
const STATUS: Parameter = optional("status", "string", "What came of it.");
const MESSAGE: Parameter = required("message", "string", "What is said.");
const SINCE: Parameter =
    optional("start_time", "string", "From when on; an hour before the end unless given.");
const UNTIL: Parameter = optional("end_time", "string", "Up to when; now unless given.");
const LIMIT: Parameter = optional("limit", "number", "How many at most.");

const OUTPUT: &[Parameter] = &[
    optional("data", "string", "What the program wrote."),
    optional("stderr", "string", "What it wrote beside that."),
];
const CONTEXT: Parameter =
    optional("context", "string", "The context of kubectl; the current one unless given.");

pub(in crate::workflows) const TASKS: &[Task] = &[
    programs::ARGOCD,
    Task {
        name: "cloud.aws.cli",
        about: "Runs the program aws, where the administrator of the service allows it.",
        inputs: &[required(
            "command",
            "string|array",
            "The command line, or a list of arguments; no shell reads it.",
        )],
        outputs: OUTPUT,
    },
    Task {
        name: "cloud.azure.cli",
        about: "Runs the program az, where the administrator of the service allows it.",
        inputs: &[required(
            "command",
            "string|array",
            "The command line, or a list of arguments; no shell reads it.",
        )],
        outputs: OUTPUT,
    },
    Task {
        name: "cloud.gcp.cli",
        about: "Runs the program gcloud, where the administrator of the service allows it.",
        inputs: &[required(
            "command",
            "string|array",
            "The command line, or a list of arguments; no shell reads it.",
        )],
        outputs: OUTPUT,
    },
    Task {
        name: "cloud.k8s.cli",
        about: "Runs the program kubectl, where the administrator of the service allows it.",
        inputs: &[required(
            "command",
            "string|array",
            "The command line, or a list of arguments; no shell reads it.",
        )],
        outputs: OUTPUT,
    },
    Task {
        name: "core.approval",
        about: "Waits until a person agrees or refuses.",
        inputs: &[
            MESSAGE,
            optional("approval_type", "string", "How the person is asked: instant_message or email."),
            optional("im_provider", "string", "Who carries the message, such as slack."),
            optional("im_channel", "string", "Where it is sent."),
            optional("im_team_id", "string", "The team, where the carrier has teams."),
            optional(
                "approval_options",
                "array",
                "The answers to choose from; approve and reject unless given.",
            ),
            optional("timeout", "string", "How long the answer may take, such as 24h."),
            optional(
                "default_on_timeout",
                "string",
                "The answer when nobody gave one in time; else the task times out.",
            ),
            optional(
                "approvers",
                "array|string",
                "E-mails of those who may answer; whoever may change workflows unless given.",
            ),
            optional(
                "approver_roles",
                "array|string",
                "Roles whose people may answer, such as tenant_admin.",
            ),
            optional(
                "minimum_approvals",
                "integer",
                "People who must choose the first answer; 1 unless given.",
            ),
            optional(
                "exclude_author",
                "boolean",
                "Whether whoever began the run or wrote the workflow has no vote.",
            ),
            optional("require_sign_in", "boolean", "Whether the link alone is not enough."),
        ],
        outputs: &[
            optional("approval_url", "string", "Where it is answered, while it waits."),
            optional("status", "string", "The answer chosen."),
            optional("approver", "string", "Who answered."),
            optional("comments", "string", "What they said."),
        ],
    },
    graph::BLAST_RADIUS,
    Task {
        name: "core.call-workflow",
        about: "Runs another workflow of the account and waits for what it gives.",
        inputs: &[
            required("workflow_name", "string", "Name of the workflow."),
            optional("inputs", "object", "What it is given."),
        ],
        outputs: &[
            optional("workflow_id", "string", "The workflow."),
            optional("run_id", "string", "Its run."),
            optional("output", "object", "What it gave."),
        ],
    },
    Task {
        name: "core.foreach",
        about: "Runs tasks once for every item of a list.",
        inputs: &[
            required("items", "any", "The list, or an expression that gives one."),
            required("tasks", "array", "The tasks."),
            optional("item", "string", "What an item is called inside; item unless given."),
            optional("concurrency", "integer", "How many items at a time; one unless given."),
            optional("output", "any", "What to keep of each item, by name."),
        ],
        outputs: &[optional("results", "array", "What each item gave.")],
    },
    Task {
        name: "core.group",
        about: "Runs tasks as one step.",
        inputs: &[required("tasks", "array", "The tasks.")],
        outputs: &[
            optional("workflowId", "string", "The workflow they ran as."),
            optional("runId", "string", "Its run."),
        ],
    },
    Task {
        name: "core.print",
        about: "Writes a line into the run.",
        inputs: &[required("message", "any", "What is said.")],
        outputs: &[optional("data", "string", "The line.")],
    },
    Task {
        name: "core.switch",
        about: "Goes on with one task or another.",
        inputs: &[
            optional("expression", "string", "What decides; not needed where every way has a condition."),
            optional("cases", "array", "Values, each with the id of the task that follows."),
            optional("default_next", "string", "Id of the task that follows otherwise."),
        ],
        outputs: &[optional("selected_case", "string", "The value that fitted.")],
    },
    Task {
        name: "core.wait",
        about: "Lets time pass.",
        inputs: &[required(
            "duration",
            "string|number",
            "How long, such as 10m; seconds where it is a number.",
        )],
        outputs: &[optional("duration", "string", "How long it was.")],
    },
    crypto::DECODE,
    crypto::DECRYPT,
    crypto::ENCODE,
    crypto::ENCRYPT,
    crypto::HASH,
    Task {
        name: "data.filter",
        about: "Keeps the items of a list that meet a condition.",
        inputs: &[
            required("list", "any", "The list, or one in JSON."),
            required(
                "condition",
                "string",
                "What an item must meet, such as cpu > 80; the item itself is $.",
            ),
        ],
        outputs: &[optional("result", "array", "What was kept.")],
    },
    Task {
        name: "data.transform",
        about: "Makes another shape of what a task gave, with JSONata.",
        inputs: &[
            required(
                "expression",
                "string",
                "How, such as pods[cpu > 80].name or {\"total\": $count(pods)}.",
            ),
            required("input", "any", "Of what: a value, or a text in JSON or YAML."),
            one_of(optional("input_type", "string", "What a text is; json unless given."), &["json", "yaml"]),
            one_of(
                optional("output_type", "string", "What is given: the value itself (raw) unless given."),
                &["raw", "json", "yaml", "string"],
            ),
            one_of(
                optional("script_type", "string", "The language; jsonata, and nothing else."),
                &["jsonata"],
            ),
        ],
        outputs: &[optional("data", "any", "The other shape.")],
    },
    programs::DATABASE,
    programs::REDIS,
    events::GET,
    events::STORE,
    Task {
        name: "integrations.http",
        about: "Asks another service over HTTP.",
        inputs: &[
            required("url", "string", "Where."),
            optional("method", "string", "How; GET unless given."),
            optional("headers", "object", "Headers by name."),
            optional("body", "any", "What is sent."),
            optional("auth_type", "string", "bearer, basic, api_key, oauth2 or nothing."),
            optional(
                "timeout",
                "string|number",
                "How long an answer may take, in seconds where it is a number; 30s unless given.",
            ),
            optional(
                "idempotent",
                "boolean",
                "That the service knows the header Idempotency-Key, so that a POST may be sent again after a crash.",
            ),
        ],
        outputs: &[
            optional("status_code", "number", "The answer's status."),
            optional("headers", "object", "Its headers."),
            optional("body", "any", "Its body."),
        ],
    },
    programs::SSH,
    rightsizing::CONTINUOUS,
    rightsizing::COPIES,
    Task {
        name: "k8s.node_graceful_shutdown",
        about: "Empties a node and takes it away.",
        inputs: &[
            NAME,
            optional("delete_node", "boolean", "Whether the node is deleted when it is empty."),
            optional("ignore_pdbs", "boolean", "Whether disruption budgets are passed over."),
            CONTEXT,
        ],
        outputs: OUTPUT,
    },
    Task {
        name: "k8s.pod_delete",
        about: "Deletes a pod, so that another takes its place.",
        inputs: &[
            NAMESPACE,
            NAME,
            optional("kind", "string", "Kind of the object; Pod unless given."),
            optional("target_pod_name", "string", "Which pod of a workload."),
            optional("force", "boolean", "Whether it is taken away at once."),
            CONTEXT,
        ],
        outputs: OUTPUT,
    },
    rightsizing::STORAGE,
    rightsizing::VERTICAL,
    Task {
        name: "k8s.workload_restart",
        about: "Restarts a workload, copy by copy.",
        inputs: &[NAMESPACE, NAME, KIND, CONTEXT],
        outputs: OUTPUT,
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
        inputs: &[
            required("message", "string", "The text, with what is wanted of it."),
            optional(
                "provider",
                "string",
                "Who is asked, as ai_list_models has them; with model. The first that answers unless given.",
            ),
            optional("model", "string", "Its model."),
        ],
        outputs: &[
            optional("data", "string", "What it said."),
            optional("session_id", "string", "What it stands under in the ledger and on the bill."),
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
        inputs: &[
            required("recipients", "any", "Addresses, as a list or a text with commas."),
            required("subject", "string", "Its subject."),
            required("body", "string", "Its text."),
            optional("cc", "any", "More addresses."),
            optional("reply_to", "string", "Where answers go."),
            optional("channel", "string", "Name of the channel for mail; the first one unless given."),
        ],
        outputs: &[
            optional(
                "success",
                "boolean",
                "Whether it is on its way: Settings, Notifications shows what became of it.",
            ),
            optional("message_id", "string", "Its notice."),
        ],
    },
    Task {
        name: "notifications.im",
        about: "Posts a message in a channel.",
        inputs: &[
            required("provider", "string", "slack, ms_teams or google_chat."),
            MESSAGE,
            optional(
                "channel",
                "string",
                "A channel of Settings, Notifications by its name, or the address of an incoming webhook; SECRET_SLACK_WEBHOOK and its like unless given.",
            ),
            optional("team_id", "string", "The team, where the carrier has teams."),
            optional("message_thread_id", "string", "The message it answers."),
        ],
        outputs: &[
            optional("success", "boolean", "Whether it was posted, or is on its way through a channel."),
            optional("message_id", "string", "Its notice, where it goes through a channel."),
            optional("status_code", "number", "What an incoming webhook answered."),
            optional("headers", "object", "Headers of that answer."),
            optional("body", "any", "Its body."),
        ],
    },
    slack::READ_THREAD,
    Task {
        name: "observability.log_groups",
        about: "Counts imported log lines that say the same but for numbers and names.",
        inputs: &[
            optional("query", "string", "Which lines, as with observability.logs; all unless given."),
            optional("severity", "string", "Only these severities, with commas, such as error,fatal."),
            optional("duration", "string", "How long before the end; 1h unless given."),
            SINCE,
            UNTIL,
        ],
        outputs: &[
            optional(
                "groups",
                "array",
                "Objects with pattern, severity, count, first, last, sample and labels, the largest first.",
            ),
            optional("lines", "integer", "How many lines were looked at, 10000 at most."),
        ],
    },
    Task {
        name: "observability.logs",
        about: "Looks for log lines.",
        inputs: &[required("query", "string", "Which lines."), SINCE, UNTIL, LIMIT],
        outputs: &[optional("logs", "array", "The lines.")],
    },
    Task {
        name: "observability.metrics",
        about: "Reads measurements that were imported, or asks a Prometheus.",
        inputs: &[
            required(
                "queries",
                "object",
                "Queries by label: a metric with labels, such as CPUUtilization{region=\"eu-central-1\"}; with url, PromQL.",
            ),
            optional("start_time", "string", "From when on, or how long before the end; 1h unless given."),
            UNTIL,
            optional("step", "string", "How far points of a Prometheus are apart, such as 5m."),
            optional("url", "string", "The address of a Prometheus; without it, what was imported is read."),
            optional("auth_type", "string", "bearer, basic, api_key or nothing; as with integrations.http."),
        ],
        outputs: &[
            optional(
                "metrics",
                "array",
                "Series: label of the query, metric (what tells them apart), points (time, value).",
            ),
            optional(
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
