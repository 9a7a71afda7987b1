//! Tests of tasks that run programs, with stub programs that record their input: connections are passed in the environment, and secrets never
//! appear in arguments or files.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::programs;
use crate::support::service::Service;

const ACCOUNT: &str = "a0000000-0000-4000-8000-000000000001";
const PASSWORD: &str = "sw0rdf1sh-9182-unlikely";

/// A value in GraphQL syntax.
fn literal(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{name}: {}", literal(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

async fn ask(client: &Client, query: &str) -> Value {
    serde_json::from_str(&client.data(query).await).unwrap()
}

/// Creates stub programs; each writes its name, arguments and environment into `written` and prints `answer`.
fn fake(folder: &Path, names: &[&str], answer: &str) {
    let written = folder.join("written");
    for name in names {
        let text = format!(
            "#!/bin/sh\n{{ printf '%s' {name}; for word in \"$@\"; do printf '|%s' \"$word\"; done; echo; env; }} >> {}\n{answer}\n",
            written.display()
        );
        programs::executable(folder, name, &text);
    }
}

struct Acting {
    service: Service,
    client: Client,
    _programs: tempfile::TempDir,
    written: std::path::PathBuf,
}

impl Acting {
    async fn start(allowed: &str, scripts: &str, answer: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let names: Vec<&str> = allowed.split(',').filter(|name| *name != "bash").collect();
        fake(folder.path(), &names, answer);
        let path = format!("{}:/usr/bin:/bin", folder.path().display());
        let redis = format!("redis://:{PASSWORD}@cache.example:6380/2");
        let database = format!("postgresql://ops:{PASSWORD}@db.example/shop");
        let environment = [
            ("QUARTERDECK_AUTOMATION", "on"),
            ("QUARTERDECK_AUTOMATION_PROGRAMS", allowed),
            ("QUARTERDECK_AUTOMATION_SCRIPTS", scripts),
            ("PATH", path.as_str()),
            ("SECRET_CACHE", redis.as_str()),
            ("SECRET_PROD_DB", database.as_str()),
            ("SECRET_WEB", "ssh://ops@web.example:2222"),
            ("SECRET_TOKEN", PASSWORD),
            ("PGPASSWORD", "of-the-service"),
        ];
        let service = Service::start_with(&environment);
        let client = service.client().await;
        let user = ask(&client, "{ users(limit: 1) { id } }").await["users"][0]["id"].clone();
        let row = json!({ "id": ACCOUNT, "account_name": "shop", "account_type": "kubernetes", "created_by": user, "updated_by": user });
        let file = service.data_dir().join("accounts.ndjson");
        std::fs::write(&file, row.to_string()).unwrap();
        programs::run(service.data_dir(), &["table", "load", "cloud_accounts", file.to_str().unwrap()])
            .succeeded();
        let written = folder.path().join("written");
        Self { service, client, _programs: folder, written }
    }

    /// Runs tasks to their end.
    async fn run(&self, name: &str, tasks: &Value) -> Value {
        let definition = literal(&json!({ "triggers": [{ "type": "manual" }], "tasks": tasks }));
        let made = ask(&self.client, &format!(
            r#"mutation {{ workflow_create(request: {{ account_id: "{ACCOUNT}", workflow: {{ name: "{name}", definition: {definition} }} }}) {{ id }} }}"#
        ))
        .await;
        let workflow = made["workflow_create"]["id"].as_str().unwrap();
        let run = ask(&self.client, &format!(
            r#"mutation {{ workflow_trigger(request: {{ account_id: "{ACCOUNT}", id: "{workflow}" }}) {{ execution_id }} }}"#
        ))
        .await;
        let run = run["workflow_trigger"]["execution_id"].as_str().unwrap();
        let query = format!(
            r#"{{ workflow_get_execution(request: {{ account_id: "{ACCOUNT}", workflow_id: "{workflow}", id: "{run}" }}) {{ status error tasks {{ id status output error }} }} }}"#
        );
        for _ in 0..1200 {
            let seen = ask(&self.client, &query).await["workflow_get_execution"].clone();
            if !matches!(seen["status"].as_str(), Some("RUNNING" | "SCHEDULED")) {
                return seen;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("it never ends: {}", ask(&self.client, &query).await);
    }

    fn written(&self) -> String {
        std::fs::read_to_string(&self.written).unwrap_or_default()
    }
}

/// Whether any file below a folder contains a text.
fn holds(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).any(|path| {
        if path.is_dir() {
            return holds(&path, text);
        }
        let bytes = std::fs::read(&path).unwrap_or_default();
        bytes.windows(text.len()).any(|part| part == text.as_bytes())
    })
}

#[tokio::test]
async fn programs_get_their_connection_by_the_environment_and_secrets_stay_out_of_every_file() {
    let acting =
        Acting::start("redis-cli,psql,ssh", "off", "printf 'id,name\\n7,web\\n'; echo \"$PGPASSWORD\" >&2")
            .await;
    let seen = acting
        .run(
            "programs",
            &json!([
                { "id": "cache", "type": "dbms.redis.cli", "params": { "command": "KEYS user:*", "integration_id": "cache" } },
                { "id": "rows", "type": "dbms.query", "params": { "dbms_type": "postgresql", "command": "SELECT ';'; -- x", "integration_id": "prod-db" }, "depends_on": ["cache"] },
                { "id": "there", "type": "integrations.ssh", "params": { "command": "df -h; id", "connection": "{{ Secrets.WEB }}" }, "depends_on": ["rows"] },
                { "id": "one", "type": "core.print", "params": { "message": "{{ Tasks.rows.output.rows[0].name }}" }, "depends_on": ["there"] },
            ]),
        )
        .await;
    assert_eq!(seen["status"], "COMPLETED", "{seen}");
    let output = |id: &str| {
        let tasks = seen["tasks"].as_array().unwrap();
        tasks.iter().find(|task| task["id"] == id).unwrap()["output"].clone()
    };
    assert_eq!(output("one"), json!({ "data": "web" }));
    assert_eq!(output("rows")["rows"], json!([{ "id": "7", "name": "web" }]));
    // A password that a program prints is masked.
    assert_eq!(output("rows")["stderr"], "***\n");
    let written = acting.written();
    let lines: Vec<&str> = written.lines().collect();
    let call = |name: &str| *lines.iter().find(|line| line.starts_with(&format!("{name}|"))).unwrap();
    assert_eq!(call("redis-cli"), "redis-cli|-h|cache.example|-p|6380|-e|-n|2|KEYS|user:*");
    assert!(call("psql").ends_with("|-c|SELECT ';'; -- x"), "{}", call("psql"));
    assert!(call("ssh").contains("|StrictHostKeyChecking=yes|"), "{}", call("ssh"));
    assert!(call("ssh").ends_with("|-p|2222|-l|ops|--|web.example|df -h; id"), "{}", call("ssh"));
    assert!(lines.contains(&format!("REDISCLI_AUTH={PASSWORD}").as_str()));
    assert!(lines.contains(&format!("PGPASSWORD={PASSWORD}").as_str()));
    assert!(
        !written.contains("of-the-service")
            && !written.contains("SECRET_")
            && !written.contains("QUARTERDECK_")
    );
    assert!(!holds(acting.service.data_dir(), PASSWORD), "a secret is in a file of the service");
}

#[tokio::test]
async fn scripts_run_under_their_own_switch_with_nothing_of_the_service_around_them() {
    let script = "echo \"{\\\"sum\\\": $(($1 + $2)), \\\"has\\\": \\\"${TOKEN:+yes}\\\", \\\"seen\\\": \\\"${SECRET_TOKEN}${PGPASSWORD}\\\"}\"";
    let tasks = json!([{ "id": "script", "type": "scripting.run_script",
        "params": { "script": script, "args": ["2", "3"], "env": { "TOKEN": "{{ Secrets.TOKEN }}" }, "parser_type": "json" } }]);
    let off = Acting::start("bash", "off", "").await;
    let seen = off.run("off", &tasks).await;
    assert_eq!(seen["status"], "FAILED", "{seen}");
    assert!(seen["error"].as_str().unwrap().contains("QUARTERDECK_AUTOMATION_SCRIPTS=on"), "{seen}");
    let on = Acting::start("bash", "on", "").await;
    let seen = on.run("on", &tasks).await;
    assert_eq!(seen["status"], "COMPLETED", "{seen}");
    assert_eq!(seen["tasks"][0]["output"]["data"], json!({ "sum": 5, "has": "yes", "seen": "" }));
    assert!(!holds(on.service.data_dir(), PASSWORD), "a secret is in a file of the service");
}
