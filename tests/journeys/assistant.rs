//! From an empty installation with a model runner on this machine to an answer about the imported bill that cites its query; and the pages without
//! any model.

use crate::assistant::{account, found_by_meaning};
use crate::support::browser::Chromium;
use crate::support::fixture;
use crate::support::service::Service;
use crate::support::static_model;
use serde_json::json;
use testkit::language_models::{Fault, LanguageModels, Said};

/// A small model: it queries costs once, then answers with the first row.
fn runner() -> LanguageModels {
    LanguageModels::thinking(|asked| {
        let messages = asked.body["messages"].as_array().cloned().unwrap_or_default();
        let found = messages.iter().rev().find(|message| message["role"] == "tool");
        let Some(found) = found.and_then(|message| message["content"].as_str().map(str::to_owned)) else {
            return Said::call("spend", json!({ "group_by": "service", "all_accounts": true, "limit": 5 }));
        };
        let amount = found.split("\"spend_amount\":").nth(1).unwrap_or_default();
        let amount: String = amount.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        Said::text(&format!("The dearest service cost **{amount}** [Q1]. Nothing else was looked at."))
    })
}

#[tokio::test]
async fn from_an_empty_install_to_a_cited_answer_about_the_bill_in_under_ten_clicks() {
    let models = runner();
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    // Clicks: 1 imports, 2 the file, 3 the assistant, 4 set up the local runner, 5 its address (Ollama's default is filled in), 6 its model, 7
    // save, 8 the assistant, 9 a suggested question.
    page.follow("Imports").await;
    page.picture("ten-1-imports").await;
    page.give_files(&[fixture("september.csv")]).await;
    page.shows("12 imported").await;
    page.picture("ten-2-imported").await;
    page.follow("Assistant").await;
    page.shows("The assistant needs a model").await;
    page.picture("ten-3-needs-a-model").await;
    page.press("Set up").await;
    page.shows("Local model runner").await;
    page.picture("ten-4-runner").await;
    page.fill("Address", &models.address).await;
    page.fill("Main model", "small").await;
    page.picture("ten-5-chosen").await;
    page.press("Save").await;
    page.shows("answered a test prompt").await;
    page.picture("ten-6-tested").await;
    page.follow("Assistant").await;
    page.shows("Ask about costs, events or your documents").await;
    page.picture("ten-7-ask").await;
    page.press("What did we spend by service?").await;
    page.shows("The dearest service cost").await;
    page.shows("Nothing else was looked at.").await;
    page.shows("Looked at 1 place").await;
    page.shows("The model runs on this machine.").await;
    page.shows("Q1").await;
    page.picture("ten-8-answer").await;
    assert!(page.presses() < 10, "{} clicks from an empty install to a cited answer", page.presses());
    // From the answer to its query in the API explorer, with variables.
    page.follow("Run again").await;
    page.shows("spend_groupings_v2").await;
    page.shows("resource_service_name").await;
    // The query runs only when the user starts it, and returns the same.
    page.press("Run").await;
    page.shows("\"currency_type\": \"USD\"").await;
    chromium.page.close().await;
    drop(service);
}

#[tokio::test]
async fn without_a_model_the_pages_say_what_works_and_documents_are_searched() {
    let service = Service::start();
    service.import(&[fixture("september.csv")]);
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.follow("Assistant").await;
    page.shows("The assistant needs a model").await;
    page.shows("Works without a model").await;
    page.picture("assistant-empty").await;
    page.follow("Search in your documents").await;
    page.shows("No documents yet").await;
    let folder = tempfile::tempdir().unwrap();
    let runbook = folder.path().join("export-jobs.md");
    std::fs::write(&runbook, "# Export jobs\n\nUse a bucket of the same region.\n").unwrap();
    page.give_files(&[runbook]).await;
    page.shows("1 passage").await;
    page.fill_at("input[aria-label=\"Search the documents\"]", "which region").await;
    page.shows("Use a bucket of the same region.").await;
    page.picture("knowledge").await;
    page.follow("Likely causes").await;
    page.shows("No events of").await;
    chromium.page.close().await;
    drop(service);
}

#[tokio::test]
async fn an_answer_is_stopped_and_kept_and_asked_for_again_until_the_budget_is_spent() {
    let models = runner();
    let service = Service::start_with(&[
        ("LLM_PROVIDER", "ollama"),
        ("LLM_MODEL_NAME", "small"),
        ("LLM_PROVIDER_API_ENDPOINT", &models.address),
    ]);
    service.import(&[fixture("september.csv")]);
    models.say([Said { fault: Some(Fault::Stalls), ..Said::text("So far so good, and more") }]);
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.follow("Assistant").await;
    page.press("What did we spend by service?").await;
    page.shows("So far so go").await;
    page.press("Stop").await;
    page.shows("Stopped. The text so far is kept.").await;
    page.press("Ask again").await;
    page.shows("The dearest service cost").await;
    page.shows("Nothing else was looked at.").await;
    let client = service.client().await;
    let limit = format!(
        "mutation {{ ai_upsert_budget_config(request: {{entity_type: \"account\", entity_id: \"{}\", \
         module: \"user_investigation\", monthly_cost_limit: 0}}) {{ data }} }}",
        account(&client).await
    );
    client.data(&limit).await;
    page.press("Ask again").await;
    page.shows("budget of the account is spent: cost of the month").await;
    page.shows("Nothing was sent.").await;
    page.picture("assistant-budget").await;
    // A long question is truncated in the list, which does not become wider.
    page.press("New conversation").await;
    page.fill_at(
        "textarea",
        "Which of our services cost most in the first week of September, and by how much?",
    )
    .await;
    page.press("Ask").await;
    page.holds("return document.querySelectorAll('.side .it').length === 2;").await;
    page.holds("const list = document.querySelector('.side'); return list.scrollWidth <= list.clientWidth;")
        .await;
    page.picture("assistant-long-question").await;
    chromium.page.close().await;
    drop(service);
}

#[tokio::test]
async fn notes_are_told_with_every_question_and_documents_are_found_by_meaning() {
    let data_dir = tempfile::tempdir().unwrap();
    static_model::write(&data_dir.path().join("embeddings"), &[&["lorry", "truck"], &["ship", "vessel"]]);
    let service = Service::start_in(data_dir, &[("EMBEDDINGS_PROVIDER", "ondevice")]);
    service.import(&[fixture("september.csv")]);
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.follow("Assistant").await;
    page.follow("Memory").await;
    page.shows("No notes yet").await;
    page.press("Add note").await;
    page.fill("Name", "Month end").await;
    page.fill("Text", "A month is closed on its third day.").await;
    page.press("Save").await;
    page.shows("1 note").await;
    page.shows("A month is closed on its third day.").await;
    page.picture("memory").await;
    page.follow("Knowledge bases").await;
    let folder = tempfile::tempdir().unwrap();
    let gates = folder.path().join("gates.md");
    std::fs::write(&gates, "# Gates\n\nA truck waits at gate four.\n").unwrap();
    page.give_files(&[gates]).await;
    page.shows("1 passage").await;
    let client = service.client().await;
    found_by_meaning(&client, &account(&client).await, "lorry").await;
    // The document contains no word of the question.
    page.fill_at("input[aria-label=\"Search the documents\"]", "lorry").await;
    page.shows("A truck waits at gate four.").await;
    chromium.page.close().await;
    drop(service);
}
