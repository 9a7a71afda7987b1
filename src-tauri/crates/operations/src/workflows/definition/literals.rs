//! Validates literal parameters that would otherwise fail only in the run: expressions, allowed words, hosts, commands and connections.

use super::check::{Mistakes, says_something};
use crate::workflows::tasks;
use automation::commands;
use automation::plan::Call;
use automation::services::network::{self, NetworkCheck};
use automation::template::to_text;
use automation::values::jsonata::Expression;
use serde_json::Value;

/// A placeholder time-out for a task that is only checked, µs.
const TIMEOUT: i64 = 600_000_000;

/// Checks literal parameters. Values from templates are checked in the run.
pub(super) fn check(place: &str, kind: &str, params: Option<&Value>, mistakes: &mut Mistakes) {
    let Some(params) = params.filter(|params| params.is_object()) else { return };
    let place = format!("{place}.params");
    check_words(&place, kind, params, mistakes);
    check_expression(&place, kind, params, mistakes);
    if commands::canonical(kind) == "core.blast_radius_preflight"
        && to_text(&params["include_llm_verdict"]).trim() == "true"
    {
        let message = "this task asks no model: put llm.summary behind it, with its output in the message, for a verdict in words";
        mistakes.add(&format!("{place}.include_llm_verdict"), message);
    }
    if commands::needs_connection(kind)
        && !says_something(Some(params), "connection")
        && !says_something(Some(params), "integration_id")
    {
        let message = format!(
            "{kind} needs \"connection\", a secret such as {{{{ Secrets.NAME }}}}, or \"integration_id\""
        );
        mistakes.add(&place, message);
    }
    check_command(&place, kind, params, mistakes);
    let written = params.to_string();
    if written.contains("{{") || written.contains("{%") {
        return;
    }
    if network::is_one(kind) {
        let call = Call {
            path: String::new(),
            task_id: String::new(),
            kind: kind.to_owned(),
            attempt: 1,
            secrets: std::collections::BTreeSet::new(),
            params: params.clone(),
            timeout: TIMEOUT,
        };
        // Missing parameters were already reported.
        if has_all(kind, params)
            && let Err(failure) = NetworkCheck::read(&call)
        {
            mistakes.add(&place, failure.message);
        }
    }
    if has_all(kind, params)
        && let Err(reason) = commands::check(kind, params)
    {
        mistakes.add(&place, reason);
    }
}

/// Checks the literal parts of a command line around its templates.
fn check_command(place: &str, kind: &str, params: &Value, mistakes: &mut Mistakes) {
    let Some(line) = params["command"].as_str().filter(|_| commands::canonical(kind).starts_with("cloud."))
    else {
        return;
    };
    if !line.contains("{{") || line.contains("{%") || line.contains("{#") {
        return;
    }
    let mut filled = String::new();
    for (number, part) in line.split("{{").enumerate() {
        match part.split_once("}}") {
            _ if number == 0 => filled.push_str(part),
            Some((_, rest)) => filled.extend(["known-in-the-run", rest]),
            None => return,
        }
    }
    if let Err(reason) = commands::words(&filled) {
        mistakes.add(&format!("{place}.command"), reason);
    }
}

fn has_all(kind: &str, params: &Value) -> bool {
    let parameters = tasks::find(kind).map_or(&[][..], |task| task.inputs);
    parameters.iter().all(|parameter| {
        !parameter.is_required || params.get(parameter.name).is_some_and(|value| !value.is_null())
    })
}

/// Checks parameters that must be one of a list of words.
fn check_words(place: &str, kind: &str, params: &Value, mistakes: &mut Mistakes) {
    let parameters = tasks::find(kind).map_or(&[][..], |task| task.inputs);
    for parameter in parameters.iter().filter(|parameter| !parameter.options.is_empty()) {
        let given = to_text(&params[parameter.name]);
        let is_known = parameter.options.iter().any(|option| option.eq_ignore_ascii_case(given.trim()));
        if !given.trim().is_empty() && !given.contains("{{") && !given.contains("{%") && !is_known {
            let message = format!("expected {}, found \"{given}\"", parameter.options.join(", "));
            mistakes.add(&format!("{place}.{}", parameter.name), message);
        }
    }
}

fn check_expression(place: &str, kind: &str, params: &Value, mistakes: &mut Mistakes) {
    let name = match kind {
        "data.filter" => "condition",
        "data.transform" => "expression",
        _ => return,
    };
    let script =
        to_text(if params["script_type"].is_null() { &params["scriptType"] } else { &params["script_type"] });
    if kind == "data.transform" && script == "javascript" {
        let message = "expected jsonata, found \"javascript\": no interpreter of JavaScript is part of this version; JSONata and templates are there";
        mistakes.add(&format!("{place}.script_type"), message);
        return;
    }
    let Some(text) = params[name].as_str().filter(|text| !text.contains("{{") && !text.contains("{%")) else {
        return;
    };
    if let Err(reason) = Expression::parse(text) {
        mistakes.add(&format!("{place}.{name}"), reason);
    }
}

#[cfg(test)]
mod tests {
    use crate::workflows::definition::Definition;
    use crate::workflows::definition::check::check;
    use serde_json::{Value, json};

    fn mistakes(kind: &str, params: &Value) -> String {
        let definition = json!({ "triggers": [{ "type": "manual" }], "tasks": [{ "id": "a", "type": kind, "params": params }] });
        let found = check(&Definition::read(&definition).unwrap());
        found.err().map(|mistakes| mistakes.into_lines().join("; ")).unwrap_or_default()
    }

    #[test]
    fn mistakes_in_parameters_show_before_the_run() {
        for (kind, params, expected) in [
            (
                "data.filter",
                json!({ "list": [], "condition": "cpu >" }),
                "tasks[0].params.condition: at character 6: expected a value, found the end",
            ),
            ("data.transform", json!({ "input": "{}", "expression": "{{ Inputs.how }}" }), ""),
            (
                "data.transform",
                json!({ "input": "{}", "expression": "a", "scriptType": "javascript" }),
                "tasks[0].params.script_type: expected jsonata",
            ),
            (
                "crypto.hash",
                json!({ "data": "a", "algorithm": "crc32" }),
                "tasks[0].params.algorithm: expected md5, sha1, sha256, sha512, found \"crc32\"",
            ),
            (
                "network.ping",
                json!({ "host": "-f" }),
                "tasks[0].params: host: expected a host name or an address, found \"-f\"",
            ),
            ("network.tcp", json!({ "host": "a" }), "tasks[0].params: network.tcp needs \"port\""),
            ("network.dns", json!({ "domain": "a.example", "type": "mx" }), ""),
            (
                "dbms.redis.cli",
                json!({ "command": "GET a" }),
                "tasks[0].params: dbms.redis.cli needs \"connection\"",
            ),
            (
                "dbms.redis.cli",
                json!({ "command": "MONITOR", "integration_id": "x" }),
                "tasks[0].params: command: redis-cli MONITOR never ends",
            ),
            (
                "dbms.query",
                json!({ "dbms_type": "oracle", "command": "SELECT 1", "integration_id": "x" }),
                "tasks[0].params.dbms_type: expected postgresql, mysql",
            ),
            (
                "dbms.query",
                json!({ "dbms_type": "postgresql", "command": "\\! id", "integration_id": "x" }),
                "tasks[0].params: command: expected SQL",
            ),
            (
                "scm.github.cli",
                json!({ "command": "gh auth token" }),
                "tasks[0].params: command: gh auth token is not run here",
            ),
            (
                "scripting.run_script",
                json!({ "script": "date", "executor_type": "kubernetes" }),
                "tasks[0].params: executor_type is \"kubernetes\"",
            ),
            (
                "core.blast-radius-preflight",
                json!({ "resource_name": "web", "include_llm_verdict": true }),
                "tasks[0].params.include_llm_verdict: this task asks no model: put llm.summary behind it",
            ),
            (
                "events.get",
                json!({ "event_id": "{{ Inputs.event.id }}", "until": "closed" }),
                "tasks[0].params.until: expected resolved, found \"closed\"",
            ),
            (
                "cloud.aws.cli",
                json!({ "command": "aws rds describe-events --id {{ Inputs.id }} --start-time $(date -u)" }),
                "tasks[0].params.command: \"$\" needs a shell",
            ),
            (
                "cloud.k8s.cli",
                json!({ "command": "kubectl patch pvc {{ Inputs.name }} -p {\"size\":\"{{ Inputs.size }}\"}" }),
                "",
            ),
            ("events.get", json!({ "until": "resolved" }), "tasks[0].params: events.get needs \"event_id\""),
            (
                "k8s.pv_rightsize",
                json!({ "namespace": "shop", "name": "data" }),
                "tasks[0].params: change_to: expected a quantity",
            ),
            (
                "k8s.horizontal_rightsize",
                json!({ "namespace": "shop", "kind": "Deployment", "name": "web", "scaling_mode": "change_by", "change_by": -1 }),
                "",
            ),
            (
                "k8s.horizontal_rightsize",
                json!({ "namespace": "shop", "kind": "Deployment", "name": "web" }),
                "tasks[0].params: change_to: expected how many copies",
            ),
        ] {
            let found = mistakes(kind, &params);
            assert!(
                found.starts_with(expected) && found.is_empty() == expected.is_empty(),
                "{kind} {params}: {found}"
            );
        }
    }
}
