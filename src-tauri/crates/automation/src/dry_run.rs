//! Dry runs without side effects: plans a run to its end without making its calls, and describes what they would do.

use crate::commands;
use crate::definition::Definition;
use crate::journal::{Journal, Status};
use crate::kinds::{self, Work};
use crate::mask::{MASK, mask, mask_text};
use crate::plan::{Call, CallOutcome, PlanInput, RunOutcome, plan};
use crate::services::events::{self, EventTask};
use crate::services::network::{self, NetworkCheck};
use crate::services::pulls::{self, PullTask};
use crate::services::remote_tools;
use crate::services::requests::request;
use crate::services::slack;
use crate::services::tickets::{self, TicketTask};
use crate::services::usage::UsageQuery;
use crate::template::to_text;
use crate::values::transform::Transformation;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of planning rounds in a dry run.
const MOST_ROUNDS: usize = 500;

/// The result of a dry run.
#[derive(Debug)]
pub struct DryRun {
    pub journal: Journal,
    /// Description of what each task outside the planner would send, by path.
    pub previews: BTreeMap<String, String>,
    pub outcome: RunOutcome,
}

/// Plans a run to its end. `secrets` are names; their values are neither needed nor shown.
pub fn dry_run(
    definition: &Definition,
    inputs: &Map<String, Value>,
    secrets: &BTreeSet<String>,
    now: i64,
) -> DryRun {
    let secrets = masked(secrets);
    let state = Map::new();
    let start = DryStart { definition, inputs, secrets: &secrets, state: &state, now, works_out: true };
    let (journal, previews, outcome) = start.go_through(Journal::default(), Vec::new(), &BTreeSet::new());
    let none = || {
        let error = format!("the dry run did not come to an end within {MOST_ROUNDS} rounds");
        RunOutcome { status: Status::Failed, output: Value::Null, error: Some(error) }
    };
    DryRun { journal, previews, outcome: outcome.unwrap_or_else(none) }
}

/// Masked values for these secrets.
pub(crate) fn masked(names: &BTreeSet<String>) -> Map<String, Value> {
    names.iter().map(|name| (name.clone(), json!(MASK))).collect()
}

/// The input of a dry run.
pub(crate) struct DryStart<'a> {
    pub definition: &'a Definition,
    pub inputs: &'a Map<String, Value>,
    /// Masked.
    pub secrets: &'a Map<String, Value>,
    pub state: &'a Map<String, Value>,
    pub now: i64,
    /// Whether to run tasks that only transform values.
    pub works_out: bool,
}

/// The final journal, the description of each call by path, and the outcome if there is one.
type DryRunEnd = (Journal, BTreeMap<String, String>, Option<RunOutcome>);

impl DryStart<'_> {
    /// Plans until nothing more can happen. Tasks in `under_way` are not completed.
    pub(crate) fn go_through(
        &self,
        journal: Journal,
        finished: Vec<CallOutcome>,
        under_way: &BTreeSet<String>,
    ) -> DryRunEnd {
        self.go_through_until(journal, finished, under_way, &|_| false)
    }

    /// Like [`go_through`](Self::go_through), but stops when `is_enough` is true.
    pub(crate) fn go_through_until(
        &self,
        mut journal: Journal,
        mut finished: Vec<CallOutcome>,
        under_way: &BTreeSet<String>,
        is_enough: &dyn Fn(&Journal) -> bool,
    ) -> DryRunEnd {
        let (mut previews, mut state) = (BTreeMap::new(), self.state.clone());
        for _ in 0..MOST_ROUNDS {
            let situation = PlanInput {
                definition: self.definition,
                inputs: self.inputs,
                secrets: self.secrets,
                configs: &Map::new(),
                state: &state,
                now: self.now,
                in_flight: under_way,
                is_dry: true,
                is_canceled: false,
            };
            let next = plan(&situation, journal, &finished);
            (journal, state) = (next.journal, next.state_seen);
            if next.outcome.is_some() || next.calls.is_empty() || is_enough(&journal) {
                return (journal, previews, next.outcome);
            }
            finished.clear();
            for call in next.calls {
                let (would, output) = self.hoped(&call);
                previews.insert(call.path.clone(), would);
                finished.push(CallOutcome { path: call.path, result: Ok(output) });
            }
        }
        (journal, previews, None)
    }
}

impl DryStart<'_> {
    /// Describes a call and its assumed output. Transformations are computed if their values are known.
    fn hoped(&self, call: &Call) -> (String, Value) {
        let would = preview(call, self.secrets);
        let worked_out = self.works_out.then(|| Transformation::of(call)).flatten();
        let output = worked_out.and_then(|one| one.carry_out(&|| None).ok());
        let output = output.unwrap_or_else(|| json!({ "dry_run": true, "would": would }));
        (would, output)
    }
}

/// Describes what a call would do.
fn preview(call: &Call, secrets: &Map<String, Value>) -> String {
    let params = mask(&call.params, secrets);
    let text = |name: &str| to_text(&params[name]);
    match commands::canonical(&call.kind) {
        // Only the run looks up whether the channel exists.
        "notifications.im" if !text("channel").is_empty() && request("dry-run", call, secrets).is_err() => {
            format!("Post in the channel \"{}\":\n\n{}", text("channel"), text("message"))
        }
        "integrations.http" | "notifications.im" => match request("dry-run", call, secrets) {
            Ok(request) => {
                let body = request.body.map(|body| format!("\n\n{body}")).unwrap_or_default();
                let hides = |name: &str| {
                    name.eq_ignore_ascii_case("authorization") || name.to_lowercase().contains("key")
                };
                let header = |(name, value): &(String, String)| {
                    format!("\n{name}: {}", if hides(name) { MASK } else { value.as_str() })
                };
                let headers: String = request
                    .headers
                    .iter()
                    .filter(|(name, _)| name != "Idempotency-Key")
                    .map(header)
                    .collect();
                format!("{} {}{headers}{body}", request.method, request.url)
            }
            Err(failure) => format!("It would fail: {}", failure.message),
        },
        kind if pulls::is_one(kind, &params) => match PullTask::read("dry-run", call, secrets) {
            Ok(task) => mask_text(&task.told(), secrets),
            Err(failure) => format!("It would fail: {}", failure.message),
        },
        kind if tickets::is_one(kind) => mask_text(&ticket_preview(call), secrets),
        kind if kinds::work(kind) == Some(Work::Program) => commands::told(kind, &params, call.timeout)
            .unwrap_or_else(|reason| format!("It would fail: {reason}")),
        kind if slack::is_one(kind) => slack::told(&Call { params, ..call.clone() }),
        kind if remote_tools::is_one(kind) => remote_tools::told(&Call { params, ..call.clone() }),
        "observability.log_groups" => format!("Count log lines that say the same: {}", text("query")),
        "llm.event_investigate" => {
            format!("Have a language model put into words why the event {} happened", text("event_id"))
        }
        "llm.investigate" | "llm.nubi" => {
            format!("Ask the assistant, which looks at rows of the account:\n\n{}", text("message"))
        }
        "llm.classify" => format!("Ask a language model which option fits:\n\n{}", text("prompt")),
        kind if network::is_one(kind) => {
            let masked = Call { params, ..call.clone() };
            match NetworkCheck::read(&masked) {
                Ok(check) => check.told(),
                Err(failure) => format!("It would fail: {}", failure.message),
            }
        }
        "notifications.email" => {
            format!("Send mail to {}: {}\n\n{}", text("recipients"), text("subject"), text("body"))
        }
        "observability.metrics" => {
            let place = match text("url") {
                url if url.trim().is_empty() => "what was imported".to_owned(),
                url => url,
            };
            format!("Read measurements of {place}: {}", params["queries"])
        }
        "data.filter" => format!("Keep the items with {}", text("condition")),
        "data.transform" => format!("Transform with {}", text("expression")),
        kind @ ("crypto.hash" | "crypto.encode" | "crypto.decode") => {
            format!("{} {}: {}", kind.trim_start_matches("crypto."), text("algorithm"), text("data"))
        }
        "crypto.encrypt" => "Encrypt a text with AES-256-GCM".to_owned(),
        "crypto.decrypt" => "Decrypt a text with AES-256-GCM".to_owned(),
        "llm.summary" => format!("Ask a language model:\n\n{}", text("message")),
        "tickets.create" => format!("Open the ticket \"{}\":\n\n{}", text("title"), text("description")),
        events::KIND => match EventTask::read(&params) {
            Ok(task) => task.told(),
            Err(failure) => format!("It would fail: {}", failure.message),
        },
        "core.blast_radius_preflight" => {
            format!("Look up what an outage of {} would touch", text("resource_name"))
        }
        "k8s.workload_usage" => match UsageQuery::read(&params) {
            Ok(question) => question.told(),
            Err(reason) => format!("It would fail: {reason}"),
        },
        "system.vertical_rightsize_generate" => rightsizing(&params),
        "events.store" => format!("Store the event \"{}\".", text("title")),
        "core.call-workflow" => {
            format!("Run the workflow \"{}\" with {}", text("workflow_name"), params["inputs"])
        }
        kind => format!("{kind} with {params}"),
    }
}

/// Describes the analysis of requests, and whether its result would be stored.
fn rightsizing(params: &Value) -> String {
    let names = match &params["workload_names"] {
        Value::Array(names) => names.iter().map(to_text).collect::<Vec<_>>().join(", "),
        other => to_text(other),
    };
    let whose = if names.trim().is_empty() { "all workloads".to_owned() } else { names };
    let keeps = to_text(&params["persist_recommendation"]).trim() == "true";
    format!(
        "Compare what {whose} in {} request with what they used{}",
        to_text(&params["namespace"]),
        if keeps { ", and keep recommendations" } else { "" }
    )
}

/// Describes the change to a ticket. Its number may be unknown until an earlier task opens it.
fn ticket_preview(call: &Call) -> String {
    let mut call = call.clone();
    if to_text(&call.params["ticket_id"]).trim().is_empty() {
        call.params["ticket_id"] = json!("that another task gives");
    }
    match TicketTask::read("dry-run", &call) {
        Ok(task) => task.told(),
        Err(failure) => format!("It would fail: {}", failure.message),
    }
}

#[cfg(test)]
mod tests {
    use super::dry_run;
    use crate::definition::Definition;
    use crate::journal::Status;
    use serde_json::{Map, json};
    use std::collections::BTreeSet;

    #[test]
    fn a_dry_run_says_what_would_be_sent_and_shows_no_secret() {
        let definition = json!({ "tasks": [
            { "id": "ask", "type": "integrations.http", "params": {
                "url": "https://a.example/{{ Inputs.id }}", "method": "POST", "body": "x",
                "auth_type": "bearer", "bearer_token": "{{ Secrets.TOKEN }}",
            } },
            { "id": "wait", "type": "core.wait", "params": { "duration": "100h" } },
            { "id": "tell", "type": "tickets.create", "params": { "title": "t {{ Tasks.ask.output.dry_run }}", "description": "d" }, "depends_on": ["ask", "wait"] },
        ] });
        let definition = Definition::read(&definition).unwrap();
        let inputs = Map::from_iter([("id".to_owned(), json!(7))]);
        let run = dry_run(&definition, &inputs, &BTreeSet::from(["TOKEN".to_owned()]), 0);
        assert_eq!(run.outcome.status, Status::Completed);
        assert_eq!(run.previews["ask"], "POST https://a.example/7\nAuthorization: ***\n\nx");
        assert_eq!(run.previews["tell"], "Open the ticket \"t true\":\n\nd");
    }

    #[test]
    fn a_dry_run_says_what_would_become_of_a_ticket() {
        let definition = json!({ "tasks": [
            { "id": "open", "type": "tickets.create", "params": { "title": "t", "description": "d" } },
            { "id": "tell", "type": "tickets.add_comment", "params": { "ticket_id": "{{ Tasks.open.output.id }}", "comment": "{{ Secrets.TOKEN }} seen" }, "depends_on": ["open"] },
            { "id": "end", "type": "tickets.transition", "params": { "integration_id": "desk", "ticket_id": "OPS-1", "status": "Done" } },
        ] });
        let definition = Definition::read(&definition).unwrap();
        let run = dry_run(&definition, &Map::new(), &BTreeSet::from(["TOKEN".to_owned()]), 0);
        assert_eq!(run.outcome.status, Status::Completed);
        assert_eq!(run.previews["tell"], "Say on the ticket that another task gives:\n\n*** seen");
        assert_eq!(run.previews["end"], "Change the ticket OPS-1:\n\nstatus: Done");
    }

    #[test]
    fn a_dry_run_works_out_values_that_are_there() {
        let definition = json!({ "tasks": [
            { "id": "ask", "type": "integrations.http", "params": { "url": "https://a.example" } },
            { "id": "busy", "type": "data.filter", "params": { "list": [{ "cpu": 91 }, { "cpu": 4 }], "condition": "cpu > 80" } },
            { "id": "later", "type": "data.filter", "params": { "list": "{{ Tasks.ask.output.body }}", "condition": "a = 1" }, "depends_on": ["ask"] },
            { "id": "say", "type": "core.print", "params": { "message": "{{ Tasks.busy.output.result | length }}" }, "depends_on": ["busy"] },
        ] });
        let definition = Definition::read(&definition).unwrap();
        let run = dry_run(&definition, &Map::new(), &BTreeSet::new(), 0);
        assert_eq!(run.outcome.status, Status::Completed);
        assert_eq!(run.journal.get("say").unwrap().output, Some(json!({ "data": "1" })));
        assert_eq!(run.previews["busy"], "Keep the items with cpu > 80");
        assert_eq!(run.journal.get("later").unwrap().output.as_ref().unwrap()["dry_run"], true);
    }
}
