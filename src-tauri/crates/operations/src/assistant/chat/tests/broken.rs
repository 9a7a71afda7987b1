//! Tests answers that break off, spent budgets and chosen models: what is stored, counted and returned.

use super::{ASK, Script, calls, cells, charge, count, says};
use crate::assistant::tests::{LAB, SHOP, TENANT, TestService, admin};
use crate::{ChatProgress, ModelContext, Question, converse, preview};
use catalogue::{Caller, Decimal, Value as Cell, ValueRef};
use graphql::Refusal;
use llm::Usage;
use serde_json::{Value, json};
use std::sync::Arc;
use store::{Cancel, StoreError};

fn question(message: &str, conversation: Option<&Value>) -> Question {
    Question {
        account: SHOP.to_string(),
        conversation: conversation.and_then(Value::as_str).map(str::to_owned),
        message: message.to_owned(),
        model: None,
        references: Vec::new(),
    }
}

/// Asks a question and cancels once `until` has been received.
fn ask_until(
    service: &TestService,
    script: &Script,
    question: &Question,
    until: &str,
) -> Result<Value, Refusal> {
    let (caller, cancel) = (admin(), Cancel::default());
    let context = ModelContext { engine: &service.engine, caller: &caller, models: script, cancel: &cancel };
    let mut text = String::new();
    converse(&context, question, &mut |heard| {
        if let ChatProgress::Text(piece) = heard {
            text.push_str(&piece);
        }
        if text.contains(until) {
            cancel.cancel();
        }
    })
}

fn ask(service: &TestService, script: &Script, question: &Question) -> Result<Value, Refusal> {
    ask_until(service, script, question, "this is never said")
}

/// All messages, oldest first: sender, status, text and reason.
fn said(service: &TestService) -> Vec<[String; 4]> {
    let mut rows =
        cells(service, "llm_message", &["created_at", "sender", "status", "text", "status_reason"]);
    rows.sort_by_key(|row| row[0].as_int());
    let text = |cell: &Cell| cell.as_text().unwrap_or_default().to_owned();
    rows.iter().map(|row| [1, 2, 3, 4].map(|place| text(&row[place]))).collect()
}

fn looks_then_says(text: &str) -> Arc<Script> {
    Script::local(vec![calls(&[("spend", json!({ "group_by": "service" }))]), says(text)])
}

#[test]
fn what_was_written_before_a_person_stopped_is_kept_with_what_it_rests_on() {
    let script = looks_then_says("Compute cost 12.50 USD [Q1]. Storage cost nothing.");
    let service = TestService::with_models(script.clone());
    charge(&service, "Compute", "12.504");
    let refused = ask_until(&service, &script, &question("What?", None), "[Q1]").unwrap_err();
    assert_eq!(refused.code, "stopped");
    assert!(refused.message.contains("What was written so far is kept in conversation"), "{refused:?}");
    let said = said(&service);
    assert_eq!(said[0][..3], ["user", "KILLED", "What?"]);
    assert_eq!(said[1][..2], ["assistant", "KILLED"]);
    assert!(said[1][2].starts_with("Compute cost 12.50 USD [Q1]"), "{said:?}");
    assert!(!said[1][2].contains("nothing"), "{said:?}");
    assert_eq!(said[1][3], "the answer was stopped");
    assert_eq!((count(&service, "llm_reference"), count(&service, "llm_tool_call")), (1, 1));
}

#[test]
fn a_stop_noticed_after_the_next_question_ends_neither_that_one_nor_the_conversation() {
    let script = Script::local(vec![says("So far so good."), says("Nothing was spent.")]);
    let service = TestService::with_models(script.clone());
    let (caller, cancel) = (admin(), Cancel::default());
    let context =
        ModelContext { engine: &service.engine, caller: &caller, models: script.as_ref(), cancel: &cancel };
    let mut conversation = Value::Null;
    let refused = converse(&context, &question("What?", None), &mut |heard| match heard {
        ChatProgress::Started { conversation: begun, .. } => conversation = json!(begun),
        // The user stops this answer and asks again before the service notices.
        ChatProgress::Text(_) if !cancel.is_cancelled() => {
            cancel.cancel();
            a_second_ago(&service);
            ask(&service, &script, &question("And now?", Some(&conversation))).unwrap();
        }
        _ => {}
    });
    assert_eq!(refused.unwrap_err().code, "stopped");
    let said: Vec<_> = said(&service).into_iter().map(|[sender, status, ..]| [sender, status]).collect();
    let both =
        [["user", "KILLED"], ["assistant", "KILLED"], ["user", "COMPLETED"], ["assistant", "COMPLETED"]];
    assert_eq!(said, both);
    let status = cells(&service, "llm_conversations", &["status"]);
    assert_eq!(status, [[Cell::Text("COMPLETED".to_owned())]]);
}

/// Moves the time of all messages one second back.
fn a_second_ago(service: &TestService) {
    let moved = service.store.transaction(&Caller::system_for(TENANT), |rows| {
        let at = ValueRef::Timestamp(rows.now() - 1_000_000);
        rows.update("llm_message", &[], &[("created_at", at)]).map(|_| ())
    });
    moved.unwrap_or_else(|error: StoreError| panic!("{error}"));
}

#[test]
fn what_came_before_a_connection_ended_is_kept_and_counted_and_the_next_try_begins_anew() {
    let script = Script::local(vec![says("It cost much"), says("It cost nothing.")]);
    *script.breaks_off.lock().unwrap() = true;
    let service = TestService::with_models(script.clone());
    service.price();
    let refused = ask(&service, &script, &question("What?", None)).unwrap_err();
    assert_eq!(refused.code, "model-failed");
    assert!(refused.message.starts_with("The answer ended before its end. Ask again."), "{refused:?}");
    let kept = said(&service);
    assert_eq!(kept[1][..3], ["assistant", "FAILED", "It cost much"]);
    // The provider reported no usage; the tokens are estimated from the request and the text received.
    let lines = cells(&service, "llm_ledger", &["status", "status_reason", "output_tokens", "cost"]);
    assert_eq!(lines[0][0].as_text(), Some("FAILED"));
    assert_eq!(lines[0][1].as_text(), Some("The answer ended before its end."));
    assert_eq!(lines[0][2].as_int(), Some(3), "twelve characters");
    assert!(matches!(&lines[0][3], Cell::Decimal(cost) if *cost > Decimal::ZERO), "{lines:?}");
    assert_eq!(count(&service, "llm_usage"), 1);
    let conversation = cells(&service, "llm_conversations", &["id"])[0][0].as_uuid().unwrap();
    let again = ask(&service, &script, &question("What?", Some(&json!(conversation)))).unwrap();
    assert_eq!((&again["response"], &again["status"]), (&json!("It cost nothing."), &json!("COMPLETED")));
    let last = script.told.lock().unwrap().pop().unwrap();
    assert_eq!(last.messages.len(), 2, "what broke off is not told again: {:?}", last.messages);
}

#[test]
fn a_request_that_was_refused_costs_nothing() {
    let script = Script::local(Vec::new());
    *script.refuses_tools.lock().unwrap() = true;
    script.replies.lock().unwrap().push_back(says("Nothing."));
    let service = TestService::with_models(script.clone());
    service.price();
    ask(&service, &script, &question("What?", None)).unwrap();
    assert_eq!(count(&service, "llm_ledger"), 2, "the refused request stands there, too");
    assert_eq!(count(&service, "llm_usage"), 1);
}

#[test]
fn an_answer_that_ends_at_the_bound_of_its_model_says_so() {
    let script = Script::local(vec![super::ModelReply { is_whole: false, ..says("It cost") }]);
    let service = TestService::with_models(script.clone());
    let answer = ask(&service, &script, &question("What?", None)).unwrap();
    assert_eq!(answer["status"], "COMPLETED");
    assert!(answer["status_reason"].as_str().unwrap().contains("longest answer"), "{answer}");
    assert_eq!(said(&service)[1][3], answer["status_reason"].as_str().unwrap());
}

#[test]
fn a_month_that_is_spent_refuses_though_the_day_is_not_and_a_month_before_counts_nothing() {
    let service = TestService::with_models(Script::local(vec![says("OK."), says("OK.")]));
    service.price();
    // The account's limit is 400 a month: 399 were used in November, and more than the limit in October.
    service.use_tokens(SHOP, "user", "2026-11-05T10:00:00", 399_000_000);
    service.use_tokens(SHOP, "user", "2026-10-31T23:59:59", 900_000_000);
    assert_eq!(service.data(&admin(), ASK)["status"], "COMPLETED");
    let (code, message) = service.refusal(&admin(), ASK);
    assert_eq!(code, "budget-exceeded");
    assert!(
        message.starts_with("the assistant's budget of the account is spent: cost of the month"),
        "{message}"
    );
    // Another account has its own budget, and that of the tenant is not spent.
    let lab = ASK.replace("$SHOP", &LAB.to_string());
    assert_eq!(service.data(&admin(), &lab)["status"], "COMPLETED");
}

#[test]
fn what_is_shown_before_sending_is_sent_to_the_letter() {
    let script = Script::at(false, true, vec![says("Nothing.")]);
    let service = TestService::with_models(script.clone());
    let question = question("What does shop cost? Tell eve@example.com", None);
    let (caller, cancel) = (admin(), Cancel::default());
    let context =
        ModelContext { engine: &service.engine, caller: &caller, models: script.as_ref(), cancel: &cancel };
    let shown = json!(preview(&context, &question).unwrap());
    assert_eq!(
        count(&service, "llm_ledger") + count(&service, "llm_message") + count(&service, "llm_alias"),
        0
    );
    assert_eq!(shown["replaced"].as_array().unwrap().len(), 2, "{shown}");
    assert_eq!((&shown["host"], &shown["leaves_machine"]), (&json!("models.example.com"), &json!(true)));
    ask(&service, &script, &question).unwrap();
    let sent = &cells(&service, "llm_ledger", &["payload", "size_bytes"])[0];
    assert_eq!(sent[0].as_text(), shown["payload"].as_str());
    assert_eq!(sent[1].as_int(), shown["size_bytes"].as_i64());
    let told = script.told.lock().unwrap();
    assert_eq!(
        json!({ "messages": told[0].messages, "tools": told[0].tools }).to_string(),
        shown["payload"].as_str().unwrap(),
        "the model was told what the ledger says"
    );
}

/// A provider with two models.
fn with_two_models(replies: Vec<super::ModelReply>) -> Arc<Script> {
    let mut script = Arc::into_inner(Script::local(replies)).unwrap();
    script.other = Some("large".to_owned());
    Arc::new(script)
}

#[test]
fn a_conversation_stays_with_the_model_a_person_chose_and_no_other_takes_its_place() {
    let script = with_two_models(vec![says("One."), says("Two."), says("Three.")]);
    let service = TestService::with_models(script.clone());
    let model = Some(("local".to_owned(), "large".to_owned()));
    let chosen = ask(&service, &script, &Question { model, ..question("What?", None) }).unwrap();
    ask(&service, &script, &question("And?", Some(&chosen["conversation_id"]))).unwrap();
    ask(&service, &script, &question("What?", None)).unwrap();
    assert_eq!(*script.asked.lock().unwrap(), ["large", "large", "small"]);
    let query = format!(
        "{{ ai_get_model_config(request: {{account_id: \"$SHOP\", conversation_id: {}}}) {{ data }} }}",
        chosen["conversation_id"]
    );
    let config = service.data(&admin(), &query);
    assert_eq!((&config["data"]["model"], &config["data"]["is_custom"]), (&json!("large"), &json!(true)));
}

#[test]
fn a_model_nobody_set_up_is_refused_before_anything_is_kept() {
    let script = with_two_models(Vec::new());
    let service = TestService::with_models(script);
    let ask = |more: &str| {
        let query = ASK.replace("message:", &format!("{more}, message:"));
        service.refusal(&admin(), &query)
    };
    let (code, message) = ask("llm_provider: \"local\", llm_model: \"huge\"");
    assert_eq!(code, "not-configured");
    assert!(message.contains("\"huge\" of the provider \"local\" is not set up"), "{message}");
    let (code, message) = ask("llm_model: \"large\"");
    assert_eq!(code, "validation-failed");
    assert!(message.contains("expected both"), "{message}");
    assert_eq!(count(&service, "llm_conversations"), 0);
}

#[test]
fn what_was_looked_at_stands_with_the_conversation_and_what_failed_stands_there_too() {
    let script = Script::local(vec![
        calls(&[("spend", json!({ "group_by": "service" })), ("spend", json!({ "group_by": "moon" }))]),
        says("Compute cost 12.50 USD [Q1]."),
    ]);
    let service = TestService::with_models(script);
    charge(&service, "Compute", "12.504");
    let answer = service.data(&admin(), ASK);
    let read = |caller: &Caller| {
        let query = format!(
            "{{ ai_get_conversation_v3(request: {{account_id: \"$SHOP\", conversation_id: {}}}) {{
                messages {{ id role status }} agents {{ id message_id agent_name query response status }}
                tool_calls {{ agent_id tool_name thought parameters response references status tool_type }} }} }}",
            answer["conversation_id"]
        );
        service.data(caller, &query)
    };
    let shown = read(&admin());
    let question = &shown["messages"][0]["id"];
    assert_eq!(
        shown["agents"],
        json!([{
            "id": question, "message_id": question, "agent_name": "assistant", "query": "What does compute cost?",
            "response": "Compute cost 12.50 USD [Q1].", "status": "COMPLETED"
        }])
    );
    let looks = shown["tool_calls"].as_array().unwrap();
    assert_eq!(looks.len(), 2);
    assert_eq!((&looks[0]["agent_id"], &looks[0]["tool_name"]), (question, &json!("spend")));
    assert_eq!((&looks[0]["references"], &looks[0]["status"]), (&json!("Q1"), &json!("COMPLETED")));
    assert_eq!(looks[0]["parameters"], "{\"group_by\":\"service\"}");
    assert!(looks[0]["response"].as_str().unwrap().contains("12.504"), "{looks:?}");
    assert_eq!((&looks[1]["references"], &looks[1]["status"]), (&Value::Null, &json!("FAILED")));
    assert!(looks[1]["response"].as_str().unwrap().contains("expected one of service"), "{looks:?}");
    // Deleting the conversation also deletes its tool calls.
    let remove = format!(
        "mutation {{ ai_delete_llm_conversation_by_id(request: {{conversation_id: {}}}) {{ data {{ success }} }} }}",
        answer["conversation_id"]
    );
    service.data(&admin(), &remove);
    assert_eq!(count(&service, "llm_tool_call"), 0);
}

#[test]
fn tokens_of_an_answer_that_told_none_are_estimated_and_said_to_be() {
    let script = Script::local(vec![super::ModelReply { usage: Usage::default(), ..says("Nothing.") }]);
    let service = TestService::with_models(script);
    service.data(&admin(), ASK);
    let lines = cells(&service, "llm_ledger", &["status", "status_reason", "output_tokens"]);
    assert_eq!(lines[0][0].as_text(), Some("ANSWERED"));
    assert!(lines[0][1].as_text().unwrap().contains("estimated"), "{lines:?}");
    assert_eq!(lines[0][2].as_int(), Some(2));
}

#[test]
fn an_answer_that_a_kill_of_the_service_broke_off_is_not_at_work_for_ever() {
    let service = TestService::new();
    for (title, at) in [("now", "2026-11-20T11:30:00"), ("before", "2026-11-20T10:59:59")] {
        let at = ValueRef::Timestamp(catalogue::parse_timestamp(at).unwrap());
        let row = [
            ("account_id", SHOP.into()),
            ("user_id", crate::assistant::tests::ADA.into()),
            ("status", "IN_PROGRESS".into()),
            ("title", title.into()),
            ("updated_at", at),
        ];
        service.add("llm_conversations", &row);
    }
    let listed = service.data(
        &admin(),
        r#"{ ai_list_conversations(request: {account_id: "$SHOP"}) { data { title status } } }"#,
    );
    assert_eq!(
        listed["data"],
        json!([{ "title": "now", "status": "IN_PROGRESS" }, { "title": "before", "status": "TERMINATED" }])
    );
}
