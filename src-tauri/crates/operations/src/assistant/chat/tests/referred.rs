//! Tests questions about rows: what is read before the model is called, with whose rights, and what is stored.

use super::{Script, cells, charge, count, says};
use crate::assistant::tests::{LAB, SHOP, TestService, admin, of_namespace};
use crate::{ModelContext, Question, Reference, preview};
use catalogue::Value as Cell;
use serde_json::json;
use store::Cancel;

fn question_context(kind: &str, id: &str) -> String {
    format!(
        r#"mutation {{ ai_followup_response(request: {{account_id: "$SHOP", message: "Is this much?",
        references: [{{type: "{kind}", id: "{id}"}}]}}) {{ response references unproved status }} }}"#
    )
}

fn id_of_the_charge(service: &TestService) -> String {
    cells(service, "spends", &["id"])[0][0].as_uuid().unwrap().to_string()
}

#[test]
fn a_row_a_question_is_about_stands_before_it_as_data_and_among_the_references() {
    let script = Script::local(vec![says("It is 12.50 USD [Q1].")]);
    let service = TestService::with_models(script.clone());
    charge(&service, "Compute", "12.504");
    let id = id_of_the_charge(&service);
    let answer = service.data(&admin(), &question_context("charge", &id));
    assert_eq!((&answer["unproved"], &answer["status"]), (&json!([]), &json!("COMPLETED")));
    let evidence = &answer["references"][0];
    assert_eq!((&evidence["title"], &evidence["cited"]), (&json!("The charge"), &json!(true)));
    assert_eq!(evidence["ids"], json!([id]));
    let heard = script.heard();
    let (row, question) = (heard.find("12.504").unwrap(), heard.find("Is this much?").unwrap());
    assert!(row < question, "{heard}");
    let looks = cells(&service, "llm_tool_call", &["title", "status"]);
    assert_eq!(looks, [[Cell::Text("The charge".to_owned()), Cell::Text("COMPLETED".to_owned())]]);
}

#[test]
fn what_is_shown_before_sending_has_the_row_and_keeps_nothing() {
    let script = Script::at(false, true, vec![]);
    let service = TestService::with_models(script.clone());
    charge(&service, "Compute", "12.504");
    let (caller, cancel) = (admin(), Cancel::default());
    let context =
        ModelContext { engine: &service.engine, caller: &caller, models: script.as_ref(), cancel: &cancel };
    let question = Question {
        account: SHOP.to_string(),
        conversation: None,
        message: "Is this much?".to_owned(),
        model: None,
        references: vec![Reference { kind: "charge".to_owned(), id: id_of_the_charge(&service) }],
    };
    let shown = json!(preview(&context, &question).unwrap());
    assert!(shown["payload"].as_str().unwrap().contains("12.504"), "{shown}");
    assert_eq!((count(&service, "llm_message"), count(&service, "llm_tool_call")), (0, 0));
}

#[test]
fn a_row_the_person_may_not_read_is_not_found_for_the_model_either() {
    let script = Script::local(vec![says("There is no such row [Q1].")]);
    let service = TestService::with_models(script.clone());
    charge(&service, "Compute", "12.504");
    let id = id_of_the_charge(&service);
    service.data(&of_namespace(), &question_context("charge", &id));
    assert!(!script.heard().contains("12.504"), "{}", script.heard());
}

#[test]
fn what_is_no_row_is_refused_before_anything_is_kept() {
    let service = TestService::with_models(Script::local(vec![]));
    let refused = service.ask(&admin(), &question_context("invoice", &LAB.to_string()));
    let message = refused["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("expected charge, recommendation, event or resource"), "{message}");
    assert_eq!(count(&service, "llm_message"), 0);
}
