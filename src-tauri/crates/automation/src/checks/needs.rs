//! Lists what tasks need besides their parameters, unless a template decides it: programs, channels, models, trackers, secrets, addresses, other
//! workflows.
//!
//! The caller checks whether these exist.

use super::places::{LocatedTask, every_task};
use crate::commands::{CONTINUOUS, INTERPRETERS, canonical, program_of};
use crate::kinds::asks_model;
use crate::services::hosts::{implied, leads_inside, written_host};
use crate::services::requests::is_address;
use crate::services::{network, pulls, tickets};
use crate::template::to_text;
use serde_json::Value;

/// Something without which a task fails or does less than intended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// A program on this machine.
    Program(&'static str),
    /// An interpreter of scripts.
    Interpreter(&'static str),
    /// A channel of Settings, Notifications by name, or else the secret with the address of an incoming webhook.
    Channel { name: String, or_secret: Option<String> },
    /// A mail channel: the named one, or any.
    MailChannel(Option<String>),
    /// A language model: the named one, or any.
    Model(Option<(String, String)>),
    /// A connected ticket tracker: the named one, or any.
    Tracker(Option<String>),
    /// A secret that the definition does not mention, such as the Slack token.
    Secret(String),
    /// A host on this machine or in an internal network.
    InsideHost(String),
    /// Another workflow of the account.
    Workflow(String),
}

/// The needs of the tasks and hooks of a definition, each with its location, such as `tasks[0].params.channel`.
pub fn needs(definition: &Value) -> Vec<(String, Need)> {
    let mut found = Vec::new();
    for (place, task) in every_task(definition).into_iter().filter(|(_, task)| !task.is_disabled) {
        of_task(&place, task, &mut found);
    }
    found
}

fn of_task(place: &str, task: LocatedTask<'_>, found: &mut Vec<(String, Need)>) {
    let (kind, params) = (canonical(task.kind), task.params);
    let text = |name: &str| to_text(&params[name]).trim().to_owned();
    let mut add = |name: &str, need: Need| {
        let place = if name.is_empty() { place.to_owned() } else { format!("{place}.params.{name}") };
        found.push((place, need));
    };
    if kind == CONTINUOUS {
        add("", Need::Program("kubectl"));
    }
    if let Some(program) =
        network::program(kind).or_else(|| program_of(kind, params)).filter(|_| !pulls::is_one(kind, params))
    {
        let is_script = INTERPRETERS.contains(&program);
        add("", if is_script { Need::Interpreter(program) } else { Need::Program(program) });
    }
    match kind {
        "notifications.im" => {
            if let Some(need) = message(params) {
                add("channel", need);
            }
        }
        "notifications.email" => {
            let name = Some(text("channel")).filter(|name| !name.is_empty());
            add("channel", Need::MailChannel(name));
        }
        "core.call-workflow" if !text("workflow_name").is_empty() => {
            add("workflow_name", Need::Workflow(text("workflow_name")));
        }
        kind if asks_model(kind) => {
            let named = (text("provider"), text("model"));
            let is_named = !named.0.is_empty() && !named.1.is_empty();
            add("", Need::Model(is_named.then_some(named)));
        }
        kind if kind == "tickets.create" || tickets::is_one(kind) => {
            let name = Some(text("integration_id")).filter(|name| !name.is_empty());
            add("", Need::Tracker(name));
        }
        _ => {}
    }
    if kind != "notifications.im" {
        for name in implied(kind, params) {
            add("", Need::Secret(name));
        }
    }
    if let Some(host) = written_host(kind, params).filter(|host| leads_inside(host)) {
        add("", Need::InsideHost(host));
    }
    found.retain(|(_, need)| !need.is_template());
}

/// The need of a message: a channel by name, or the secret with the address of an incoming webhook; `None` if the address is written out.
fn message(params: &Value) -> Option<Need> {
    let given = ["webhook_url", "channel"].map(|name| to_text(&params[name]).trim().to_owned());
    if given.iter().any(|given| is_address(given) || given.contains("{{")) {
        return None;
    }
    let [_, name] = given;
    Some(Need::Channel { name, or_secret: implied("notifications.im", params).pop() })
}

impl Need {
    /// Whether the value is known only in a run.
    fn is_template(&self) -> bool {
        let is_template = |text: &String| text.contains("{{") || text.contains("{%");
        match self {
            Self::Program(_) | Self::Interpreter(_) => false,
            Self::Channel { name, .. }
            | Self::Secret(name)
            | Self::InsideHost(name)
            | Self::Workflow(name) => is_template(name),
            Self::MailChannel(name) | Self::Tracker(name) => name.as_ref().is_some_and(is_template),
            Self::Model(named) => {
                named.as_ref().is_some_and(|(provider, model)| is_template(provider) || is_template(model))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Need, needs};
    use serde_json::{Value, json};

    fn of(kind: &str, params: Value) -> Vec<Need> {
        let definition = json!({ "tasks": [{ "id": "a", "type": kind, "params": params }] });
        needs(&definition).into_iter().map(|(_, need)| need).collect()
    }

    #[test]
    fn what_a_task_needs_follows_from_its_kind_and_parameters() {
        let channel = |name: &str, secret: &str| Need::Channel {
            name: name.to_owned(),
            or_secret: Some(secret.to_owned()),
        };
        for (kind, params, expected) in [
            ("aws.cli", json!({ "command": "aws s3 ls" }), vec![Need::Program("aws")]),
            ("k8s.pod_delete", json!({}), vec![Need::Program("kubectl")]),
            ("network.ping", json!({ "host": "a.example" }), vec![Need::Program("ping")]),
            ("dbms.query", json!({ "dbms_type": "{{ x }}", "connection": "{{ Secrets.A }}" }), vec![]),
            ("scripting.run_script", json!({ "script": "date" }), vec![Need::Interpreter("bash")]),
            (
                "k8s.vertical_rightsize",
                json!({ "gitops_config": { "enabled": true, "provider": "github" } }),
                vec![Need::Secret("GITHUB_TOKEN".to_owned())],
            ),
            (
                "notifications.im",
                json!({ "provider": "slack", "channel": "#ops" }),
                vec![channel("#ops", "SLACK_WEBHOOK")],
            ),
            ("notifications.im", json!({ "provider": "slack" }), vec![channel("", "SLACK_WEBHOOK")]),
            (
                "notifications.im",
                json!({ "provider": "slack", "channel": "https://hooks.example/x" }),
                vec![],
            ),
            ("notifications.im", json!({ "provider": "slack", "channel": "{{ Inputs.c }}" }), vec![]),
            ("notifications.email", json!({}), vec![Need::MailChannel(None)]),
            ("llm.summary", json!({ "message": "x" }), vec![Need::Model(None)]),
            ("llm.mcp_call", json!({ "url": "https://a.example" }), vec![]),
            (
                "tickets.get",
                json!({ "integration_id": "Jira" }),
                vec![Need::Tracker(Some("Jira".to_owned()))],
            ),
            ("notifications.dm", json!({}), vec![Need::Secret("SLACK_BOT_TOKEN".to_owned())]),
            (
                "integrations.http",
                json!({ "url": "http://10.1.2.3:9090/x" }),
                vec![Need::InsideHost("10.1.2.3".to_owned())],
            ),
            (
                "observability.metrics",
                json!({ "queries": {}, "url": "http://prometheus:9090" }),
                vec![Need::InsideHost("prometheus".to_owned())],
            ),
            ("integrations.http", json!({ "url": "https://a.example" }), vec![]),
            (
                "core.call-workflow",
                json!({ "workflow_name": "restart" }),
                vec![Need::Workflow("restart".to_owned())],
            ),
        ] {
            assert_eq!(of(kind, params.clone()), expected, "{kind} {params}");
        }
    }

    #[test]
    fn hooks_need_things_too_and_what_is_switched_off_needs_nothing() {
        let definition = json!({
            "tasks": [{ "id": "a", "type": "aws.cli", "disabled": true }],
            "hooks": { "failure": [{ "type": "notifications.email", "params": { "channel": "Mail" } }] },
        });
        assert_eq!(
            needs(&definition),
            [("hooks.failure[0].params.channel".to_owned(), Need::MailChannel(Some("Mail".to_owned())))]
        );
    }
}
