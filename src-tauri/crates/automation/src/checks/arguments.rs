//! Finds secrets in arguments of programs: every user of a machine can read the arguments of all its processes.

use super::places::every_task;
use crate::commands::{self, CONTINUOUS, canonical};
use crate::kinds::{Work, work};
use crate::services::hosts::named;
use crate::services::{network, pulls};
use serde_json::Value;

/// Parameters passed to a program by environment, standard input or a private file.
const APART: [&str; 4] = ["connection", "env", "integration_id", "script"];

/// Parameters of `k8s.continuous_rightsize` that become arguments; the others are used for Prometheus.
const OF_KUBECTL: [&str; 5] = ["container", "context", "kind", "name", "namespace"];

/// The parameters that become an argument and contain a secret.
pub(super) fn with_secrets(definition: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for (place, task) in every_task(definition) {
        let runs_program = work(task.kind) == Some(Work::Program) || network::program(task.kind).is_some();
        let is_argument = |name: &str| {
            if task.kind == CONTINUOUS {
                return OF_KUBECTL.contains(&name);
            }
            runs_program && !APART.contains(&name) && !pulls::is_one(task.kind, task.params)
        };
        let params = task.params.as_object().into_iter().flatten();
        for (name, value) in params.filter(|(name, _)| is_argument(name)) {
            if let Some(secret) = named(value).first() {
                let way = way(task.kind);
                found.push(format!(
                    "{place}.params.{name}: the secret {secret} would be an argument of a program, and those can be read by other users of the machine: {way}"
                ));
            }
        }
    }
    found
}

/// How to pass a secret to a program of that kind.
fn way(kind: &str) -> &'static str {
    let kind = canonical(kind);
    if kind == "scripting.run_script" {
        "give it in env"
    } else if kind.starts_with("dbms.") || commands::needs_connection(kind) || commands::takes_token(kind) {
        "give it as connection, or use scripting.run_script with the secret in env"
    } else {
        "the program has the credentials of whoever runs the service; for another secret use integrations.http with the secret in a header or the body, or scripting.run_script with the secret in env"
    }
}

#[cfg(test)]
mod tests {
    use super::with_secrets;
    use serde_json::{Value, json};

    fn told(kind: &str, params: Value) -> Vec<String> {
        with_secrets(&json!({ "tasks": [{ "id": "a", "type": kind, "params": params }] }))
    }

    #[test]
    fn a_secret_in_an_argument_is_refused_with_the_way_to_do_it() {
        for (kind, params, expected) in [
            (
                "aws.cli",
                json!({ "command": "aws ssm put-parameter --value {{ Secrets.DB }}" }),
                "tasks[0].params.command: the secret DB would be an argument of a program",
            ),
            (
                "cloud.k8s.cli",
                json!({ "command": ["kubectl", "annotate", "pod", "a", "t={{ Secrets['T'] }}"] }),
                "tasks[0].params.command: the secret T would",
            ),
            (
                "k8s.pod_delete",
                json!({ "namespace": "{{ Secrets.NS }}", "name": "a" }),
                "tasks[0].params.namespace: the secret NS would",
            ),
            (
                "scripting.run_script",
                json!({ "script": "date", "args": ["{{ Secrets.T }}"] }),
                "tasks[0].params.args: the secret T would",
            ),
            (
                "dbms.redis.cli",
                json!({ "command": "AUTH {{ Secrets.T }}" }),
                "tasks[0].params.command: the secret T would",
            ),
        ] {
            let found = told(kind, params);
            assert!(found.len() == 1 && found[0].starts_with(expected), "{kind}: {found:?}");
        }
        assert!(
            told("scripting.run_script", json!({ "args": "{{ Secrets.T }}" }))[0]
                .ends_with(": give it in env")
        );
    }

    #[test]
    fn a_secret_in_the_environment_a_connection_or_a_request_passes() {
        for (kind, params) in [
            ("scripting.run_script", json!({ "script": "date", "env": { "T": "{{ Secrets.T }}" } })),
            ("dbms.query", json!({ "connection": "{{ Secrets.DB }}", "command": "SELECT 1" })),
            ("integrations.http", json!({ "url": "https://a", "bearer_token": "{{ Secrets.T }}" })),
            (
                "k8s.vertical_rightsize",
                json!({ "gitops_config": { "enabled": true, "token": "{{ Secrets.T }}" } }),
            ),
            ("cloud.aws.cli", json!({ "command": "aws s3 ls {{ Inputs.bucket }}" })),
        ] {
            assert!(told(kind, params.clone()).is_empty(), "{kind} {params}");
        }
    }
}
