//! The kinds of tasks this engine carries out, and how each stands to a second try.

use crate::commands;
use crate::services::{network, pulls, slack, tickets};
use serde_json::Value;

/// How a kind of task is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// The planner does it: text, waiting, tasks inside.
    Core,
    /// In the transaction of the journal: exactly once.
    Rows,
    /// Another service is asked.
    Network,
    /// Values are made of values: nothing is read or written.
    Values,
    /// A program of the machine is run.
    Program,
    /// Somebody else ends it: a person, or another run.
    Elsewhere,
}

/// The kinds that run, each with how.
const KINDS: &[(&str, Work)] = &[
    ("cicd.argocd.cli", Work::Program),
    ("cloud.aws.cli", Work::Program),
    ("cloud.azure.cli", Work::Program),
    ("cloud.gcp.cli", Work::Program),
    ("cloud.k8s.cli", Work::Program),
    ("core.approval", Work::Elsewhere),
    ("core.call-workflow", Work::Elsewhere),
    ("core.foreach", Work::Core),
    ("core.group", Work::Core),
    ("core.print", Work::Core),
    ("core.switch", Work::Core),
    ("core.wait", Work::Core),
    ("crypto.decode", Work::Values),
    ("crypto.decrypt", Work::Values),
    ("crypto.encode", Work::Values),
    ("crypto.encrypt", Work::Values),
    ("crypto.hash", Work::Values),
    ("data.filter", Work::Values),
    ("data.transform", Work::Values),
    ("dbms.query", Work::Program),
    ("dbms.redis.cli", Work::Program),
    ("events.store", Work::Rows),
    ("integrations.http", Work::Network),
    ("integrations.ssh", Work::Program),
    ("k8s.horizontal_rightsize", Work::Program),
    ("k8s.node_graceful_shutdown", Work::Program),
    ("k8s.pod_delete", Work::Program),
    (commands::STORAGE, Work::Program),
    (commands::VERTICAL, Work::Program),
    ("k8s.workload_restart", Work::Program),
    ("llm.a2a_call", Work::Network),
    ("llm.classify", Work::Network),
    ("llm.mcp_call", Work::Network),
    ("llm.summary", Work::Network),
    ("mq.rabbitmqadmin.cli", Work::Program),
    ("network.dns", Work::Network),
    ("network.ntp", Work::Network),
    ("network.ping", Work::Network),
    ("network.ssl", Work::Network),
    ("network.tcp", Work::Network),
    ("network.traceroute", Work::Network),
    ("network.whois", Work::Network),
    ("notifications.add_reaction", Work::Network),
    ("notifications.dm", Work::Network),
    ("notifications.email", Work::Rows),
    ("notifications.im", Work::Network),
    ("notifications.read_thread", Work::Network),
    ("observability.log_groups", Work::Rows),
    ("observability.logs", Work::Rows),
    ("observability.metrics", Work::Network),
    ("scm.add_comment", Work::Network),
    ("scm.create_pull_request", Work::Network),
    ("scm.get_pull_request", Work::Network),
    ("scm.github.cli", Work::Program),
    ("scm.gitlab.cli", Work::Program),
    ("scm.merge_pull_request", Work::Network),
    ("scripting.run_script", Work::Program),
    ("slack.join_channel", Work::Network),
    ("tickets.acknowledge", Work::Network),
    ("tickets.add_comment", Work::Network),
    ("tickets.assign", Work::Network),
    ("tickets.create", Work::Rows),
    ("tickets.escalate", Work::Network),
    ("tickets.get", Work::Network),
    ("tickets.get_comments", Work::Network),
    ("tickets.resolve", Work::Network),
    ("tickets.transition", Work::Network),
    ("tickets.update", Work::Network),
];

/// What another kind would need; for messages.
const MISSING: &[(&str, &str)] = &[
    ("k8s.", "figures of the cluster, which this version does not read; cloud.k8s.cli is there"),
    ("google_chat.", "an app of Google Chat; notifications.im posts by an incoming webhook"),
    (
        "llm.router",
        "tasks inside that a model chooses among; llm.classify chooses, and core.switch goes on with it",
    ),
    ("llm.", "runs of the assistant from a workflow; llm.summary asks a model once"),
    (
        "observability.traces",
        "traces, which are not imported; integrations.http asks a service that has them",
    ),
    (
        "system.",
        "figures of the cluster, which this version does not read; k8s.vertical_rightsize makes the change",
    ),
];

/// How tasks of that kind are carried out; none when they are not.
pub fn work(kind: &str) -> Option<Work> {
    let kind = commands::canonical(kind);
    KINDS.iter().find(|(name, _)| *name == kind).map(|(_, work)| *work)
}

/// Kinds that the reference has and that are not carried out here.
pub const ELSEWHERE: [&str; 9] = [
    "core.blast_radius_preflight",
    "google_chat.join_space",
    "k8s.continuous_rightsize",
    "llm.event_investigate",
    "llm.investigate",
    "llm.nubi",
    "llm.router",
    "observability.traces",
    "system.vertical_rightsize_generate",
];

/// Why tasks of that kind are not carried out, as the end of a sentence.
pub fn missing(kind: &str) -> String {
    let need = MISSING.iter().find(|(start, _)| kind.starts_with(start)).map(|(_, need)| *need);
    need.map_or_else(|| "this version does not carry it out".to_owned(), |need| format!("it needs {need}"))
}

/// Whether a task that was begun before the service ended may run again without asking. `params` are rendered.
pub fn may_run_again(kind: &str, params: &Value) -> bool {
    match work(kind) {
        Some(Work::Core | Work::Rows | Work::Values | Work::Elsewhere) => true,
        // What is there under its name is found again.
        _ if pulls::is_one(kind, params) => true,
        // It calls people, and calls them again.
        Some(Work::Network) if kind == "tickets.escalate" => false,
        // What was said is looked up, and what is so already is not asked for.
        Some(Work::Network) if tickets::is_one(kind) => true,
        // The key of the try goes along; whether a service looks at it is for the definition to say.
        Some(Work::Program) => commands::only_reads(kind, params),
        // A question changes nothing.
        Some(Work::Network) if matches!(kind, "llm.classify" | "llm.summary" | "observability.metrics") => {
            true
        }
        Some(Work::Network) if slack::is_one(kind) => slack::may_run_again(kind, params),
        // So does a look, unless it sends something.
        Some(Work::Network) if network::is_one(kind) => {
            crate::template::to_text(&params["message"]).is_empty()
        }
        Some(Work::Network) if kind == "integrations.http" => {
            let method = params["method"].as_str().unwrap_or("GET").to_uppercase();
            matches!(method.as_str(), "GET" | "HEAD" | "OPTIONS" | "PUT" | "DELETE")
                || crate::template::to_text(&params["idempotent"]).trim() == "true"
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{may_run_again, missing, work};
    use serde_json::json;

    #[test]
    fn only_what_does_no_harm_twice_runs_again() {
        for (kind, params, expected) in [
            ("integrations.http", json!({}), true),
            ("integrations.http", json!({ "method": "post" }), false),
            ("integrations.http", json!({ "method": "POST", "idempotent": true }), true),
            ("notifications.im", json!({}), false),
            ("llm.summary", json!({}), true),
            ("llm.mcp_call", json!({}), false),
            ("notifications.dm", json!({}), false),
            ("notifications.read_thread", json!({}), true),
            ("observability.metrics", json!({}), true),
            ("data.filter", json!({}), true),
            ("crypto.encrypt", json!({}), true),
            ("tickets.create", json!({}), true),
            ("aws.cli", json!({ "command": "ec2 describe-instances" }), true),
            ("cloud.aws.cli", json!({ "command": "ec2 stop-instances" }), false),
            ("tickets.get", json!({}), true),
            ("tickets.add_comment", json!({}), true),
            ("tickets.transition", json!({}), true),
            ("tickets.escalate", json!({}), false),
            ("dbms.redis.cli", json!({ "command": "GET a" }), true),
            ("dbms.redis.cli", json!({ "command": "DEL a" }), false),
            ("scm.github.cli", json!({ "command": "gh pr list -R acme/shop" }), true),
            ("scm.github.cli", json!({ "command": "gh pr merge 7" }), false),
            ("cicd.argocd.cli", json!({ "command": "app sync web" }), false),
            ("dbms.query", json!({ "command": "SELECT 1" }), false),
            ("dbms.query", json!({ "command": "SELECT 1", "read_only": true }), true),
            ("integrations.ssh", json!({ "command": "uptime" }), false),
            ("scripting.run_script", json!({ "script": "date" }), false),
            ("network.tcp", json!({}), true),
            ("network.tcp", json!({ "message": "x" }), false),
            ("scm.create_pull_request", json!({}), true),
            ("k8s.vertical_rightsize", json!({}), false),
            ("k8s.vertical_rightsize", json!({ "gitops_config": { "enabled": true } }), true),
        ] {
            assert_eq!(may_run_again(kind, &params), expected, "{kind} {params}");
        }
    }

    #[test]
    fn what_is_not_carried_out_says_why() {
        assert_eq!(work("llm.investigate"), None);
        assert_eq!(
            missing("llm.investigate"),
            "it needs runs of the assistant from a workflow; llm.summary asks a model once"
        );
        assert_eq!(work("k8s.cli"), work("cloud.k8s.cli"));
    }
}
