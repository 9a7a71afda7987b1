//! Tasks that call language models, and remote tools and agents.

use super::super::{Parameter, Task, one_of, optional, required};

const URL: Parameter = required("url", "string", "Where it answers.");
const HEADERS: Parameter = optional("headers", "object", "Headers by name; secrets as {{ Secrets.NAME }}.");
const AUTH: Parameter = one_of(
    optional("auth_type", "string", "As with integrations.http, with bearer_token and its like."),
    &["none", "bearer", "basic", "api_key"],
);
const TIMEOUT: Parameter =
    optional("timeout", "string|number", "How long an answer may take; 30s unless given.");

pub(super) const AGENT: Task = Task {
    name: "llm.a2a_call",
    about: "Asks an agent elsewhere once (Agent2Agent, message/send).",
    inputs: &[URL, required("message", "string", "What is asked."), HEADERS, AUTH, TIMEOUT],
    outputs: &[optional("result", "object", "What it gave: a message, or a task.")],
};

const PROVIDER: Parameter = optional(
    "provider",
    "string",
    "Who is asked, as ai_list_models has them; with model. The first that answers unless given.",
);
const MODEL: Parameter = optional("model", "string", "Its model.");
const SESSION: Parameter =
    optional("session_id", "string", "The conversation, which is that of whoever the run acts for.");
const CONVERSATION: Parameter = optional("conversation_id", "string", "The same.");

pub(super) const CLASSIFY: Task = Task {
    name: "llm.classify",
    about: "Asks a language model of Settings, Models which option fits.",
    inputs: &[
        required("prompt", "string", "What is looked at."),
        required("options", "array", "Objects with name and description."),
        PROVIDER,
        MODEL,
    ],
    outputs: &[
        optional("selected_branch", "string", "The name of the option, for core.switch."),
        optional("session_id", "string", "What it stands under in the ledger and on the bill."),
    ],
};

pub(super) const TOOL: Task = Task {
    name: "llm.mcp_call",
    about: "Calls a tool elsewhere (Model Context Protocol over streamable HTTP).",
    inputs: &[
        URL,
        required("tool_name", "string", "The tool."),
        optional("arguments", "any", "What it is given: an object, or one in JSON."),
        HEADERS,
        AUTH,
        TIMEOUT,
    ],
    outputs: &[
        optional("content", "array", "What it gave: objects with type and text."),
        optional("isError", "boolean", "Whether the tool says that it failed."),
    ],
};

pub(super) const EVENT: Task = Task {
    name: "llm.event_investigate",
    about: "Says why an event most likely happened: rules look at the rows that whoever the run acts for may read, and a language model of \
            Settings, Model providers puts it into words, each with its evidence.",
    inputs: &[
        required(
            "event_id",
            "string",
            "The event, such as {{ Inputs.event.id }} where an event began the run.",
        ),
        optional("account_id", "string", "Its account; that of the workflow."),
    ],
    outputs: &[
        optional("data", "string", "The cause in words."),
        optional("investigation", "string", "The same."),
        optional("log_summary", "string", "What rules found, in a sentence."),
        optional("log_analysis", "string", "All that rules found."),
        optional("status", "string", "COMPLETED."),
    ],
};

pub(super) const INVESTIGATE: Task = Task {
    name: "llm.investigate",
    about: "Asks the assistant, which looks at rows and documents of the account as whoever the run acts for may read them; it changes nothing.",
    inputs: &[
        required("message", "string", "What is to be found out."),
        one_of(
            optional("response_format", "string", "json: one JSON object is wanted and read."),
            &["text", "json"],
        ),
        PROVIDER,
        MODEL,
        optional(
            "tools",
            "array",
            "Names of tools of the reference product. The assistant has its own, which only read; this is not heeded.",
        ),
    ],
    outputs: &[
        optional("data", "any", "What it said; with json, the object."),
        CONVERSATION,
        SESSION,
        optional("parse_error", "string", "Why what it said is no JSON."),
    ],
};

pub(super) const NUBI: Task = Task {
    name: "llm.nubi",
    about: "The same as llm.investigate, by the name that the reference product has for its assistant.",
    inputs: &[required("message", "string", "The question."), PROVIDER, MODEL],
    outputs: &[optional("data", "string", "What it said."), CONVERSATION, SESSION],
};

pub(super) const ROUTER: Task = Task {
    name: "llm.router",
    about: "Asks a language model of Settings, Model providers which branch fits, and runs the tasks of that branch.",
    inputs: &[
        required("prompt", "string", "What is looked at."),
        required("branches", "array", "Objects with name, description and tasks."),
        PROVIDER,
        MODEL,
    ],
    outputs: &[
        optional("selected_branch", "string", "The name of the branch."),
        optional("tasks", "object", "What its tasks gave, by their ids."),
    ],
};
