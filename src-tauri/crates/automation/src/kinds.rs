//! The supported kinds of tasks, and whether each can safely be repeated.

use crate::commands;
use crate::services::{events, network, pulls, remote_tools, slack, tickets};
use serde_json::Value;

/// How a kind of task is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// By the planner: text, waiting, nested tasks.
    Core,
    /// In the transaction of the journal: exactly once.
    Rows,
    /// By a request to another service.
    Network,
    /// By transforming values: nothing is read or written.
    Values,
    /// By a program on this machine.
    Program,
    /// Ended from outside: by a person, another run, or a change of an event.
    Elsewhere,
}

/// The supported kinds, with how each is executed.
const KINDS: &[(&str, Work)] = &[
    ("cicd.argocd.cli", Work::Program),
    ("cloud.aws.cli", Work::Program),
    ("cloud.azure.cli", Work::Program),
    ("cloud.gcp.cli", Work::Program),
    ("cloud.k8s.cli", Work::Program),
    ("core.approval", Work::Elsewhere),
    ("core.blast_radius_preflight", Work::Rows),
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
    (events::KIND, Work::Elsewhere),
    ("events.store", Work::Rows),
    ("integrations.http", Work::Network),
    ("integrations.ssh", Work::Program),
    ("k8s.continuous_rightsize", Work::Core),
    ("k8s.horizontal_rightsize", Work::Program),
    ("k8s.node_graceful_shutdown", Work::Program),
    ("k8s.pod_delete", Work::Program),
    (commands::STORAGE, Work::Program),
    (commands::VERTICAL, Work::Program),
    ("k8s.workload_restart", Work::Program),
    ("k8s.workload_usage", Work::Rows),
    ("llm.a2a_call", Work::Network),
    ("llm.classify", Work::Network),
    ("llm.event_investigate", Work::Network),
    ("llm.investigate", Work::Network),
    ("llm.mcp_call", Work::Network),
    ("llm.nubi", Work::Network),
    ("llm.router", Work::Core),
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
    ("system.vertical_rightsize_generate", Work::Rows),
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

/// Kinds of the reference that are not supported: the reason, and what to use instead.
const ELSEWHERE: [(&str, &str); 2] = [
    (
        "google_chat.join_space",
        "only an app of Google Chat joins a space, and this service is none. Make an incoming webhook in the space and post with notifications.im and \
         provider: google_chat",
    ),
    (
        "observability.traces",
        "traces are not imported: no table holds spans, so there is nothing to read. integrations.http asks your Jaeger or Tempo by its address; observability.logs and observability.metrics read what is imported",
    ),
];

/// How tasks of that kind are executed; `None` for unsupported kinds.
pub fn work(kind: &str) -> Option<Work> {
    let kind = commands::canonical(kind);
    KINDS.iter().find(|(name, _)| *name == kind).map(|(_, work)| *work)
}

/// Why a kind of the reference is not supported, and its replacement; `None` for supported and unknown kinds.
pub fn missing(kind: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(name, _)| *name == kind).map(|(_, reason)| *reason)
}

/// Whether tasks of that kind use a language model of the service.
pub fn asks_model(kind: &str) -> bool {
    kind.starts_with("llm.") && !remote_tools::is_one(kind)
}

/// Whether a task that was started before the service stopped may run again without confirmation. `params` are rendered.
pub fn may_run_again(kind: &str, params: &Value) -> bool {
    match work(kind) {
        Some(Work::Core | Work::Rows | Work::Values | Work::Elsewhere) => true,
        // An existing pull request with that name is found again.
        _ if pulls::is_one(kind, params) => true,
        // It alerts people, and would alert them again.
        Some(Work::Network) if kind == "tickets.escalate" => false,
        // Existing comments and states are looked up first.
        Some(Work::Network) if tickets::is_one(kind) => true,
        // The idempotency key is sent too; only the definition's author knows whether the service uses it.
        Some(Work::Program) => commands::only_reads(kind, params),
        // A query changes nothing.
        Some(Work::Network) if asks_model(kind) || kind == "observability.metrics" => true,
        Some(Work::Network) if slack::is_one(kind) => slack::may_run_again(kind, params),
        // A lookup changes nothing either, unless it sends something.
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
    use super::{ELSEWHERE, Work, may_run_again, missing, work};
    use serde_json::json;

    #[test]
    fn only_what_does_no_harm_twice_runs_again() {
        for (kind, params, expected) in [
            ("integrations.http", json!({}), true),
            ("integrations.http", json!({ "method": "post" }), false),
            ("integrations.http", json!({ "method": "POST", "idempotent": true }), true),
            ("notifications.im", json!({}), false),
            ("llm.summary", json!({}), true),
            ("llm.investigate", json!({}), true),
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
    fn what_is_not_carried_out_says_why_and_names_tasks_that_are() {
        for (kind, reason) in ELSEWHERE {
            assert_eq!(work(kind), None, "{kind}");
            let named = reason.split([' ', ',', ';', ':']).map(|word| word.trim_end_matches('.'));
            let tasks: Vec<&str> = named
                .filter(|word| {
                    word.split_once('.').is_some_and(|(family, name)| !family.is_empty() && !name.is_empty())
                })
                .collect();
            assert!(!tasks.is_empty(), "{kind} says what to use instead");
            for task in tasks {
                assert!(work(task).is_some(), "{kind} names {task}");
            }
        }
        assert_eq!(missing("core.print"), None);
        assert_eq!(work("k8s.cli"), work("cloud.k8s.cli"));
        assert_eq!(work("core.blast-radius-preflight"), Some(Work::Rows));
    }
}
