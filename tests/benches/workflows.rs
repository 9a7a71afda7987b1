//! A client for workflows of a running service.

#![allow(dead_code, reason = "each part uses some of it")]

use crate::program::{Program, Server};
use crate::wire::{Ask, Connection};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

pub const ACCOUNT: &str = "00000000-0000-0001-0000-000000000007";

/// A client of a running service.
pub struct Client {
    address: String,
    token: String,
    connection: Connection,
    used: Instant,
}

/// The server may close a connection that is idle for this long.
const STALE: Duration = Duration::from_secs(5);

impl Client {
    pub fn of(server: &Server, token: &str) -> Self {
        let connection = Connection::open(&server.address);
        Self { address: server.address.clone(), token: token.to_owned(), connection, used: Instant::now() }
    }

    pub fn request(&self, query: &str) -> Ask {
        Ask::post(&self.address, "/api/graphql", Some(&self.token), &json!({ "query": query }).to_string())
    }

    /// The field with that name of a query that must succeed.
    pub fn ask(&mut self, query: &str, field: &str) -> Value {
        let request = self.request(query);
        if self.used.elapsed() > STALE {
            self.connection = Connection::open(&self.address);
        }
        self.used = Instant::now();
        let answer: Value = serde_json::from_slice(self.connection.send(&request)).expect("JSON");
        assert!(answer["errors"].is_null(), "{answer}");
        answer["data"][field].clone()
    }

    /// Creates a workflow with these tasks. Returns its id.
    pub fn create(&mut self, name: &str, tasks: &Value) -> String {
        let definition = literal(&json!({ "triggers": [{ "type": "manual" }], "tasks": tasks }));
        let query = format!(
            r#"mutation {{ workflow_create(request: {{ account_id: "{ACCOUNT}", workflow: {{ name: "{name}", definition: {definition} }} }}) {{ id }} }}"#
        );
        let made = self.ask(&query, "workflow_create");
        made["id"].as_str().expect("an id").to_owned()
    }

    pub fn begin(workflow: &str) -> String {
        format!(
            r#"mutation {{ workflow_trigger(request: {{ account_id: "{ACCOUNT}", id: "{workflow}" }}) {{ execution_id }} }}"#
        )
    }

    /// Starts a run. Returns its id.
    pub fn trigger(&mut self, workflow: &str) -> String {
        let begun = self.ask(&Self::begin(workflow), "workflow_trigger");
        begun["execution_id"].as_str().expect("an id").to_owned()
    }

    /// Status and tasks of a run.
    pub fn run(&mut self, workflow: &str, run: &str) -> Value {
        let query = format!(
            r#"{{ workflow_get_execution(request: {{ account_id: "{ACCOUNT}", workflow_id: "{workflow}", id: "{run}" }}) {{ status error tasks {{ id status start_time end_time }} }} }}"#
        );
        self.ask(&query, "workflow_get_execution")
    }

    /// Number of the account's runs with that status.
    pub fn count(&mut self, status: &str) -> u64 {
        let query = format!(
            r#"{{ workflow_get_execution_count(request: {{ account_id: "{ACCOUNT}", status: "{status}" }}) {{ count }} }}"#
        );
        self.ask(&query, "workflow_get_execution_count")["count"].as_u64().expect("a number")
    }

    /// Waits until that many runs have completed.
    pub fn until_completed(&mut self, number: u64, patience: Duration) {
        let began = Instant::now();
        while self.count("COMPLETED") < number {
            assert!(
                began.elapsed() < patience,
                "{} of {number} runs have ended, {} failed",
                self.count("COMPLETED"),
                self.count("FAILED")
            );
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

/// A value in GraphQL syntax.
pub fn literal(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{name}: {}", literal(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// Adds a user and a token. Returns the user's id.
pub fn administrator(program: &Program) -> (String, String) {
    program.run(&["user", "add", "bench@example.com", "--role", "tenant_admin"]);
    let pair = program.run(&["token", "create", "bench@example.com", "--name", "bench", "--json"]);
    let users = program.run(&["table", "dump", "users", "--format", "ndjson"]);
    (pair, crate::program::text_of(users.lines().next().expect("a user was added"), "id"))
}
