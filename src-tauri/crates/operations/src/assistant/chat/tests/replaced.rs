//! Tests the replacement of names: the settings of users, and what they can see.

use super::{ASK, Script, count, says};
use crate::assistant::tests::{LAB, TENANT};
use crate::assistant::tests::{TestService, admin, of_namespace};
use catalogue::Caller;
use serde_json::json;
use store::{StoreError, eq};

fn decide(service: &TestService, name: &str, value: &str) {
    let set = format!(
        "mutation {{ tenant_attribute_upsert(object: [{{name: {}, value: {}}}]) {{ value }} }}",
        json!(name),
        json!(value)
    );
    service.data(&admin(), &set);
}

#[test]
fn words_people_name_are_replaced_and_stand_in_the_answer_again() {
    let script = Script::at(false, true, vec![says("It is word-1.")]);
    let service = TestService::with_models(script.clone());
    decide(&service, "assistant_replace_words", r#"["Project Falcon"]"#);
    let ask = ASK.replace("What does compute cost?", "Whose is Project Falcon?");
    assert_eq!(service.data(&admin(), &ask)["response"], "It is Project Falcon.");
    assert!(!script.heard().contains("Falcon"), "{}", script.heard());
}

#[test]
fn names_stay_as_they_are_where_somebody_decides_so_and_go_from_this_machine_too() {
    let script = Script::at(false, true, vec![says("Yes.")]);
    let service = TestService::with_models(script.clone());
    decide(&service, "assistant_replace_names", "never");
    service.data(&admin(), ASK);
    assert!(script.heard().contains("“shop”"), "{}", script.heard());
    let script = Script::local(vec![says("Yes.")]);
    let service = TestService::with_models(script.clone());
    decide(&service, "assistant_replace_names", "always");
    service.data(&admin(), ASK);
    assert!(!script.heard().contains("“shop”"), "{}", script.heard());
}

#[test]
fn a_preview_replaces_as_sending_does_and_gives_no_token_for_good() {
    let service = TestService::with_models(Script::local(vec![]));
    let preview = r#"{ ai_preview_replacement(request: {account_id: "$SHOP", text: "Does shop pay eve@example.com?"})
        { data { replaces text replaced { name token } } } }"#;
    let shown = service.data(&admin(), preview);
    assert_eq!(
        shown["data"],
        json!({
            "replaces": "outside",
            "text": "Does account-1 pay mail-1?",
            "replaced": [
                { "name": "eve@example.com", "token": "mail-1" },
                { "name": "shop", "token": "account-1" }
            ]
        })
    );
    assert_eq!(count(&service, "llm_alias"), 0);
    // A preview would reveal to a user of one namespace which names exist in the tenant.
    assert!(service.ask(&of_namespace(), preview)["errors"][0]["message"].is_string());
}

#[test]
fn names_that_were_replaced_are_listed_with_their_tokens() {
    let service = TestService::with_models(Script::at(false, true, vec![says("Yes.")]));
    service
        .data(&admin(), &ASK.replace("What does compute cost?", "Tell eve@example.com and bob@example.com"));
    let list = |request: &str| {
        let query = format!(
            "{{ ai_list_replaced_names(request: {request}) {{ data {{ total names {{ name token }} }} }} }}"
        );
        service.data(&admin(), &query)["data"].clone()
    };
    assert_eq!(list("{}")["total"], 3);
    assert_eq!(
        list(r#"{search: "MAIL", limit: 1}"#),
        json!({ "total": 2, "names": [{ "name": "eve@example.com", "token": "mail-1" }] })
    );
}

#[test]
fn a_name_that_another_process_gives_is_replaced_in_the_very_next_question() {
    let script = Script::at(false, true, (0..3).map(|_| says("Yes.")).collect());
    let service = TestService::with_models(script.clone());
    let theirs = service.elsewhere();
    let ask = |question: &str| {
        service.data(&admin(), &ASK.replace("What does compute cost?", question));
    };
    ask("Is shop beside lab?");
    for name in ["falcon", "FALCON"] {
        let renamed = theirs.transaction(&Caller::system_for(TENANT), |rows| {
            rows.update("cloud_accounts", &[eq("id", LAB)], &[("account_name", name.into())])
        });
        assert_eq!(renamed.map_err(|error: StoreError| error).unwrap(), 1);
        ask(&format!("Is shop beside {name}?"));
        assert!(!script.heard().contains(name), "{}", script.heard());
    }
    let told = script.heard();
    assert!(told.contains("Is account-1 beside account-4?"), "{told}");
}
