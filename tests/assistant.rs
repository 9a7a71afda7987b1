//! Tests of the assistant over HTTP: refusals by a budget, previews before sending, interrupted streams, documents found by meaning.

use crate::support::client::Client;
use crate::support::fixture;
use crate::support::service::Service;
use crate::support::static_model;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use testkit::language_models::{Fault, LanguageModels, Said};

/// A service that uses `models` as Ollama, with a bill.
fn service(models: &LanguageModels) -> Service {
    let service = Service::start_with(&[
        ("LLM_PROVIDER", "ollama"),
        ("LLM_MODEL_NAME", "small"),
        ("LLM_PROVIDER_API_ENDPOINT", &models.address),
    ]);
    service.import(&[fixture("september.csv")]);
    service
}

pub async fn account(client: &Client) -> String {
    let data: Value = serde_json::from_str(&client.data("{ cloud_accounts { id } }").await).unwrap();
    data["cloud_accounts"][0]["id"].as_str().unwrap().to_owned()
}

/// The data of an operation's response.
async fn operation(client: &Client, query: &str) -> Value {
    let data: Value = serde_json::from_str(&client.data(query).await).unwrap();
    data.as_object().unwrap().values().next().unwrap().clone()
}

/// The events of an answer, by name.
fn events(body: &str) -> Vec<(String, Value)> {
    let part = |text: &str, name: &str| {
        text.lines().find_map(|line| line.strip_prefix(name)).map(|rest| rest.trim().to_owned())
    };
    body.split("\n\n")
        .filter_map(|event| {
            Some((part(event, "event:")?, serde_json::from_str(&part(event, "data:")?).ok()?))
        })
        .collect()
}

async fn search(client: &Client, account: &str, words: &str) -> Value {
    let query = format!(
        "{{ ai_search_kb(request: {{account_id: \"{account}\", query: \"{words}\"}}) {{ data {{ by_meaning passages {{ kb_name text }} }} }} }}"
    );
    operation(client, &query).await["data"].clone()
}

/// The search result for words that occur in no document. The service computes vectors shortly after a document is added.
pub async fn found_by_meaning(client: &Client, account: &str, words: &str) -> Value {
    let began = Instant::now();
    loop {
        let found = search(client, account, words).await;
        if found["passages"].as_array().is_some_and(|passages| !passages.is_empty()) {
            return found;
        }
        assert!(began.elapsed() < Duration::from_mins(1), "no passage is found by its meaning: {found}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn messages(client: &Client, account: &str, conversation: &Value) -> Value {
    let query = format!(
        "{{ ai_get_conversation_v3(request: {{account_id: \"{account}\", conversation_id: {conversation}}}) {{
            conversation {{ status }} messages {{ role message status status_reason }} }} }}"
    );
    operation(client, &query).await
}

#[tokio::test]
async fn a_spent_budget_is_answered_with_429_and_asks_nobody() {
    let models = LanguageModels::start();
    let service = service(&models);
    let client = service.client().await;
    let account = account(&client).await;
    let limit = format!(
        "mutation {{ ai_upsert_budget_config(request: {{entity_type: \"account\", entity_id: \"{account}\", \
         module: \"user_investigation\", monthly_cost_limit: 0}}) {{ data }} }}"
    );
    client.data(&limit).await;
    let question = json!({ "account_id": account, "message": "What did we spend?" });
    let refused = client.post("/api/assistant/ask", &question).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    let said = refused.json();
    assert_eq!(said["error"], "budget-exceeded");
    let words = said["message"].as_str().unwrap();
    assert!(words.contains("budget of the account is spent: cost of the month"), "{words}");
    assert!(words.contains("Your message is kept in conversation"), "{words}");
    let preview = client.post("/api/assistant/preview", &question).await;
    assert_eq!(preview.status, StatusCode::TOO_MANY_REQUESTS, "nothing is shown that could not be sent");
    let asked = client
        .ask(
            "mutation($account: uuid) { ai_followup_response(request: {account_id: $account, message: \"?\"}) { response } }",
            &json!({ "account": account }),
        )
        .await;
    assert_eq!(asked.json()["errors"][0]["extensions"]["code"], "budget-exceeded", "{asked:?}");
    let status = format!(
        "{{ ai_budget_status(request: {{account_id: \"{account}\"}}) {{ data {{ user_investigation {{ account {{ rate_limit limit_source }} }} }} }} }}"
    );
    let status = operation(&client, &status).await;
    assert_eq!(
        status["data"]["user_investigation"]["account"],
        json!({ "rate_limit": true, "limit_source": "config" })
    );
    assert!(models.seen().is_empty(), "{:?}", models.seen());
}

#[tokio::test]
async fn what_is_shown_before_sending_is_what_the_model_gets_and_what_the_ledger_keeps() {
    let models = LanguageModels::start();
    let service = service(&models);
    let client = service.client().await;
    let account = account(&client).await;
    let question = json!({ "account_id": account, "message": "What did we spend?" });
    let shown = client.post("/api/assistant/preview", &question).await.json();
    assert!(models.seen().is_empty());
    assert_eq!(shown["leaves_machine"], false, "{shown}");
    let payload: Value = serde_json::from_str(shown["payload"].as_str().unwrap()).unwrap();
    let answered = client.post("/api/assistant/ask", &question).await;
    assert_eq!(answered.status, StatusCode::OK, "{answered:?}");
    let events = events(&answered.body);
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"begun"), Some(&"answer")), "{names:?}");
    let seen = models.seen();
    let asked = &seen.last().unwrap().body;
    let words = |body: &Value, part: &str| -> Vec<String> {
        body["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message[part].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    // The time of day is part of the first words.
    let without_time = |words: Vec<String>| -> Vec<String> {
        let cut = |text: String| match text.split_once("\nIt is ") {
            Some((one, other)) => format!("{one}{}", other.split_once(" UTC.").unwrap().1),
            None => text,
        };
        words.into_iter().map(cut).collect()
    };
    assert_eq!(without_time(words(asked, "content")), without_time(words(&payload, "text")));
    let offered: Vec<&Value> =
        asked["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    let told: Vec<&Value> = payload["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(offered, told);
    let line = &events.iter().find(|(name, _)| name == "sent").unwrap().1;
    let kept = format!(
        "{{ ai_list_sent(request: {{account_id: \"{account}\", id: {}}}) {{ data {{ payload status host }} }} }}",
        line["id"]
    );
    let kept = operation(&client, &kept).await;
    assert_eq!(kept["data"][0]["status"], "ANSWERED");
    let sent: Value = serde_json::from_str(kept["data"][0]["payload"].as_str().unwrap()).unwrap();
    assert_eq!(words(&sent, "text"), words(asked, "content"), "to the letter");
}

#[tokio::test]
async fn what_a_cut_stream_brought_is_kept_and_asking_again_answers() {
    let models = LanguageModels::start();
    let service = service(&models);
    let client = service.client().await;
    let account = account(&client).await;
    models.say([Said::fault(Fault::CutOff), Said::text("All is well.")]);
    let question = json!({ "account_id": account, "message": "What did we spend?" });
    let broken = events(&client.post("/api/assistant/ask", &question).await.body);
    let (name, error) = broken.last().unwrap();
    assert_eq!((name.as_str(), &error["error"]), ("error", &json!("model-failed")), "{broken:?}");
    assert!(error["message"].as_str().unwrap().contains("What was written so far is kept"), "{error}");
    let conversation = broken[0].1["conversation_id"].clone();
    let kept = messages(&client, &account, &conversation).await;
    assert_eq!(kept["conversation"]["status"], "FAILED");
    assert_eq!(
        (&kept["messages"][1]["role"], &kept["messages"][1]["status"]),
        (&json!("assistant"), &json!("FAILED"))
    );
    assert_eq!(kept["messages"][1]["message"], "never he", "{kept}");
    let again =
        json!({ "account_id": account, "conversation_id": conversation, "message": "What did we spend?" });
    let answered = events(&client.post("/api/assistant/ask", &again).await.body);
    assert_eq!(answered.last().unwrap().1["response"], "All is well.", "{answered:?}");
}

#[tokio::test]
async fn hanging_up_stops_the_model_and_keeps_what_it_said() {
    let models = LanguageModels::start();
    let service = service(&models);
    let client = service.client().await;
    let account = account(&client).await;
    models.say([Said { fault: Some(Fault::Stalls), ..Said::text("So far so good, and more") }]);
    let question = json!({ "account_id": account, "message": "What did we spend?" });
    let mut answer = client.request(Method::POST, "/api/assistant/ask").json(&question).send().await.unwrap();
    let mut heard = String::new();
    while !heard.contains("So far") {
        let piece = answer.chunk().await.unwrap().expect("the answer is not at its end");
        heard.push_str(std::str::from_utf8(&piece).unwrap());
    }
    let conversation = events(&heard)[0].1["conversation_id"].clone();
    drop(answer);
    let began = Instant::now();
    let kept = loop {
        let kept = messages(&client, &account, &conversation).await;
        if kept["conversation"]["status"] != "IN_PROGRESS" {
            break kept;
        }
        assert!(began.elapsed() < Duration::from_mins(1), "it is not stopped: {kept}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(kept["conversation"]["status"], "KILLED", "{kept}");
    assert_eq!(kept["messages"][0]["status"], "KILLED");
    assert_eq!(kept["messages"][1]["message"], "So far so go", "{kept}");
    assert_eq!(kept["messages"][1]["status_reason"], "the answer was stopped");
}

#[tokio::test]
async fn documents_are_found_by_words_and_by_meaning_without_any_network() {
    let data_dir = tempfile::tempdir().unwrap();
    static_model::write(&data_dir.path().join("embeddings"), &[&["lorry", "truck"], &["ship", "vessel"]]);
    let service = Service::start_in(data_dir, &[("EMBEDDINGS_PROVIDER", "ondevice")]);
    service.import(&[fixture("september.csv")]);
    let client = service.client().await;
    let account = account(&client).await;
    for (name, text) in [("Trucks", "A truck waits at gate four."), ("Ships", "The vessel is late.")] {
        let path = format!("/api/assistant/documents?account_id={account}&name={name}&file={name}.txt");
        let added = client.request(Method::POST, &path).body(text).send().await.unwrap();
        assert_eq!(added.status(), StatusCode::OK);
    }
    let found = found_by_meaning(&client, &account, "lorry").await;
    assert_eq!(found["by_meaning"], true);
    assert_eq!(found["passages"][0]["kb_name"], "Trucks", "no word of the question stands there: {found}");
    let by_words = search(&client, &account, "gate").await;
    assert_eq!(by_words["passages"][0]["kb_name"], "Trucks", "{by_words}");
    assert_eq!(
        search(&client, &account, "xyzzy").await["passages"],
        json!([]),
        "what means nothing finds nothing"
    );
}
