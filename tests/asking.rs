//! Tests of the assistant on the command line: answers with evidence, documents, causes of events, previews of requests.

use crate::support::fixture;
use crate::support::programs::{self, Outcome, finish};
use crate::support::service::Service;
use serde_json::{Value, json};
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;
use testkit::language_models::{Fault, LanguageModels, Said};

/// A data directory with a bill, and a model at an Ollama test server.
struct Desk {
    folder: TempDir,
    models: LanguageModels,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        programs::run(folder.path(), &["import", fixture("september.csv").to_str().unwrap()]).succeeded();
        Self { folder, models: LanguageModels::start() }
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        run_on(self.folder.path(), &self.models, arguments)
    }

    fn looks_then_says(&self, words: &str) {
        self.models.say([Said::call("spend", json!({ "group_by": "service" })), Said::text(words)]);
    }

    fn query(&self, query: &str) -> Value {
        programs::run(self.folder.path(), &["query", query]).succeeded().json()
    }
}

fn command_on(data_dir: &Path, models: &LanguageModels, arguments: &[&str]) -> Command {
    let mut command = programs::server(data_dir);
    command.env("LLM_PROVIDER", "ollama").env("LLM_MODEL_NAME", "small");
    command.env("LLM_PROVIDER_API_ENDPOINT", &models.address).args(arguments);
    command
}

fn run_on(data_dir: &Path, models: &LanguageModels, arguments: &[&str]) -> Outcome {
    finish(&mut command_on(data_dir, models, arguments))
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn an_answer_stands_with_its_evidence_and_the_conversation_goes_on() {
    let desk = Desk::new();
    desk.looks_then_says("Compute was the dearest [Q1].");
    let asked = desk.run(&["ask", "What was the dearest?", "--queries"]).succeeded();
    assert!(asked.stdout.starts_with("Compute was the dearest [Q1].\n\n[Q1] "), "{asked:#?}");
    assert!(
        asked.stdout.contains("spend_groupings_v2") && asked.stdout.contains("variables: {"),
        "{asked:#?}"
    );
    let conversation = asked.stderr.split("--conversation ").nth(1).unwrap().trim();

    // A server running on the same data makes no difference.
    let Desk { folder, models } = desk;
    let service = Service::start_in(folder, &[]);
    models.say([
        Said::call("spend", json!({ "group_by": "service" })),
        Said::text("And storage the cheapest [Q1]."),
    ]);
    let again = ["ask", "And the cheapest?", "--conversation", conversation, "--json"];
    let again = run_on(service.data_dir(), &models, &again).succeeded().json();
    assert_eq!((&again["status"], &again["conversation_id"]), (&json!("COMPLETED"), &json!(conversation)));
    let desk = Desk { folder: service.kill(), models };
    let told = desk.models.seen().last().unwrap().body.to_string();
    assert!(told.contains("What was the dearest?"), "{told}");

    let sent = desk.run(&["ledger", "--json"]).succeeded().json();
    assert_eq!(sent.as_array().unwrap().len(), 4, "{sent}");
    let line = desk.run(&["ledger", sent[0]["id"].as_str().unwrap()]).succeeded();
    assert!(line.stdout.contains("stayed here") && line.stdout.contains("And the cheapest?"), "{line:#?}");
    let budget = desk.run(&["budget"]).succeeded();
    assert!(budget.stdout.contains("Questions and all else, account: "), "{budget:#?}");
}

#[test]
fn what_would_be_sent_is_shown_and_not_sent() {
    let desk = Desk::new();
    let shown = desk.run(&["ask", "What did we spend?", "--preview"]).succeeded();
    assert!(shown.stdout.starts_with("To Ollama (small) at 127.0.0.1"), "{shown:#?}");
    assert!(
        shown.stdout.contains("it would stay on this machine") && shown.stdout.contains("What did we spend?"),
        "{shown:#?}"
    );
    assert!(desk.models.seen().is_empty());
}

#[test]
fn without_a_model_it_is_said_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let empty = programs::run(folder.path(), &["ask", "What did we spend?"]);
    assert!(empty.code == 1 && empty.stderr.contains("quarterdeck-server import FILE"), "{empty:#?}");
    programs::run(folder.path(), &["import", fixture("september.csv").to_str().unwrap()]).succeeded();
    let outcome = programs::run(folder.path(), &["ask", "What did we spend?"]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("quarterdeck-server provider add ollama"), "{outcome:#?}");
    for (arguments, words) in [
        (["ask", "?", "--about", "event"], "expected KIND:ID"),
        (["ask", "?", "--about", "invoice:1"], "expected charge, recommendation, event or resource"),
        (["ask", "?", "--account", "nowhere"], "there is no account"),
    ] {
        let wrong = programs::run(folder.path(), &arguments);
        assert!(wrong.code == 2 && wrong.stderr.contains(words), "{wrong:#?}");
    }
}

#[test]
fn ctrl_c_stops_an_answer_and_keeps_what_came() {
    let desk = Desk::new();
    desk.models.say([Said {
        text: vec!["Compute was ".to_owned(), "never heard".to_owned()],
        ..Said::fault(Fault::Stalls)
    }]);
    let mut process = command_on(desk.folder.path(), &desk.models, &["ask", "What was the dearest?"]);
    let mut process =
        process.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut heard = [0; 12];
    process.stdout.as_mut().unwrap().read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"Compute was ", "it is printed as it comes");
    finish(Command::new("kill").args(["-INT", &process.id().to_string()])).succeeded();
    let outcome = Outcome::of(process.wait_with_output().unwrap());
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("What was written so far is kept in conversation"), "{outcome:#?}");
    let conversations = desk.query("{ users { llm_conversations { id status } } }").to_string();
    assert!(conversations.contains("KILLED"), "{conversations}");
}

#[test]
fn documents_are_kept_found_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let files = tempfile::tempdir().unwrap();
    programs::run(folder.path(), &["import", fixture("september.csv").to_str().unwrap()]).succeeded();
    let run = |arguments: &[&str]| programs::run(folder.path(), arguments);
    let file = write(files.path(), "runbook.md", "# Cranes\n\nRestart the winch, then the crane.\n");
    let added = run(&["knowledge", "add", &file]).succeeded();
    assert!(added.stdout.contains("  runbook, active, 1 passage"), "{added:#?}");
    let found = run(&["knowledge", "search", "how do I restart the winch?"]).succeeded();
    assert!(found.stdout.contains("then the crane."), "{found:#?}");
    assert!(found.stderr.contains("Words were compared"), "{found:#?}");
    let listed = run(&["knowledge", "list", "--json"]).succeeded().json();
    assert_eq!(listed[0]["name"], "runbook");
    let again = run(&["knowledge", "add", &file]);
    assert!(again.code == 1 && again.stderr.contains("runbook"), "a name is taken once: {again:#?}");
    let program = write(files.path(), "program.exe", "MZ\0\u{1}\u{2}");
    assert_eq!(run(&["knowledge", "add", &program]).code, 2, "no text and no PDF");
    run(&["knowledge", "remove", "runbook"]).succeeded();
    assert_eq!(run(&["knowledge", "list", "--json"]).succeeded().json(), json!([]));
    let gone = run(&["knowledge", "remove", "runbook"]);
    assert!(gone.code == 1 && gone.stderr.contains("there is no document"), "{gone:#?}");
}

#[test]
fn causes_of_an_event_stand_with_their_evidence() {
    let desk = Desk::new();
    let account = desk.query("{ cloud_accounts { id } }")["data"]["cloud_accounts"][0]["id"].clone();
    let insert = "mutation M($row: events_insert_input!) { insert_events_one(object: $row) { id } }";
    let row = json!({
        "title": "web restarts", "cloud_account_id": account, "aggregation_key": "CrashLoop", "finding_id": "f1",
        "finding_type": "issue", "cluster": "c1", "evidences": [], "priority": "HIGH", "subject_name": "web",
        "source": "manual", "starts_at": "2026-11-20T12:00:00",
    });
    let variables = json!({ "row": row }).to_string();
    let added = desk.run(&["query", insert, "--variables", &variables]).succeeded().json();
    let event = added["data"]["insert_events_one"]["id"].as_str().unwrap();
    let causes = desk.run(&["causes", event]).succeeded();
    assert!(causes.stdout.starts_with("web restarts\n"), "{causes:#?}");
    let told = desk.run(&["causes", event, "--json"]).succeeded().json();
    assert!(told["investigation"]["hypotheses"].is_array(), "{told}");
    let wrong = desk.run(&["causes", "no-id"]);
    assert!(wrong.code == 1 && !wrong.stderr.is_empty(), "{wrong:#?}");
}

#[test]
fn rights_are_those_of_the_person() {
    let desk = Desk::new();
    desk.run(&["user", "add", "bob@example.com", "--role", "tenant_admin_readonly"]).succeeded();
    let file = write(desk.folder.path(), "runbook.md", "Restart the winch.");
    let refused = desk.run(&["knowledge", "add", &file, "--as", "bob@example.com"]);
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert_eq!(desk.run(&["query", "{ nothing }"]).code, 1, "an answer with errors");
    let nobody = desk.run(&["ledger", "--as", "eve@example.com"]);
    assert!(nobody.code == 1 && nobody.stderr.contains("eve@example.com"), "{nobody:#?}");
}
