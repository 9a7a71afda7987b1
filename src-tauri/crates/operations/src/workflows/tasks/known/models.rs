//! Tasks that ask language models, and tools and agents elsewhere.

use super::super::{Slot, Task, needs, one_of, takes};

const URL: Slot = needs("url", "string", "Where it answers.");
const HEADERS: Slot = takes("headers", "object", "Headers by name; secrets as {{ Secrets.NAME }}.");
const AUTH: Slot = one_of(
    takes("auth_type", "string", "As with integrations.http, with bearer_token and its like."),
    &["none", "bearer", "basic", "api_key"],
);
const TIMEOUT: Slot = takes("timeout", "string", "How long an answer may take; 30s unless given.");

pub(super) const AGENT: Task = Task {
    name: "llm.a2a_call",
    about: "Asks an agent elsewhere once (Agent2Agent, message/send).",
    takes: &[URL, needs("message", "string", "What is asked."), HEADERS, AUTH, TIMEOUT],
    gives: &[takes("result", "object", "What it gave: a message, or a task.")],
};

pub(super) const CLASSIFY: Task = Task {
    name: "llm.classify",
    about: "Asks a language model of Settings, Models which option fits.",
    takes: &[
        needs("prompt", "string", "What is looked at."),
        needs("options", "array", "Objects with name and description."),
        takes(
            "provider",
            "string",
            "Who is asked, as ai_list_models has them; with model. The first that answers unless given.",
        ),
        takes("model", "string", "Its model."),
    ],
    gives: &[
        takes("selected_branch", "string", "The name of the option, for core.switch."),
        takes("session_id", "string", "What it stands under in the ledger and on the bill."),
    ],
};

pub(super) const TOOL: Task = Task {
    name: "llm.mcp_call",
    about: "Calls a tool elsewhere (Model Context Protocol over streamable HTTP).",
    takes: &[
        URL,
        needs("tool_name", "string", "The tool."),
        takes("arguments", "any", "What it is given: an object, or one in JSON."),
        HEADERS,
        AUTH,
        TIMEOUT,
    ],
    gives: &[
        takes("content", "array", "What it gave: objects with type and text."),
        takes("isError", "boolean", "Whether the tool says that it failed."),
    ],
};
