//! Tests of tickets being sent: by whom, when they are retried, and the state of their rows.
//!
//! The tracker is a test double; real protocols are tested in `tests/`.

mod followed;
mod tasks;

use crate::house::{House, NOW, PERSON, TENANT};
use catalogue::{Caller, Role};
use operations::{Trackers, claim, next_sending, settle};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::Store;
use trackers::{Failure, OpenedTicket, Tracker};
use uuid::Uuid;

const SECOND: i64 = 1_000_000;

/// Sends like the service, with scripted results.
struct Double {
    store: Store,
    says: Mutex<VecDeque<Result<OpenedTicket, Failure>>>,
}

impl Trackers for Double {
    /// Bound to the purpose, and different from the secret.
    fn encrypt(&self, purpose: &str, secret: &str) -> Result<String, String> {
        Ok(format!("{purpose}|{}", secret.chars().rev().collect::<String>()))
    }

    fn decrypt(&self, purpose: &str, sealed: &str) -> Result<String, String> {
        let found = sealed.strip_prefix(&format!("{purpose}|"));
        found.map(|found| found.chars().rev().collect()).ok_or_else(|| "it is for something else".to_owned())
    }

    fn check(&self, _: Uuid, tracker: &Tracker) -> Result<String, Failure> {
        match tracker.secret.as_str() {
            "a secret" => Ok(format!("Signed in at {}.", tracker.base)),
            _ => Err(Failure::lasting("desk does not accept the name and key.")),
        }
    }

    fn send_soon(&self, ticket: Uuid) {
        let Some(says) = self.says.lock().unwrap().pop_front() else { return };
        let sending = claim(&self.store, Some(ticket), Uuid::new_v4()).unwrap().unwrap();
        settle(&self.store, &sending, &says, 1.0).unwrap();
    }
}

/// Test data with a tracker that gives these results to its tickets, one each; a ticket without a result waits.
fn office(says: impl IntoIterator<Item = Result<OpenedTicket, Failure>>) -> House {
    let says = Mutex::new(says.into_iter().collect());
    let house = House::with_trackers(|store| Arc::new(Double { store: store.clone(), says }));
    let object = r#"{name: "desk", tool: "jira", url: "https://desk.example.com", username: "ada", password: "a secret",
        config_values: [{name: "project", value: "OPS"}]}"#;
    ask(&house, &format!("mutation {{ ticket_integration_create_config(object: {object}) {{ id }} }}"));
    house
}

fn admin() -> Caller {
    Caller::user(PERSON, TENANT, vec![Role::TenantAdmin])
}

#[track_caller]
fn ask(house: &House, query: &str) -> Value {
    let answer = house.ask_as(&admin(), query);
    assert!(answer["errors"].is_null(), "{answer}");
    answer["data"].clone()
}

#[track_caller]
fn refusal(house: &House, query: &str) -> String {
    let answer = house.ask_as(&admin(), query);
    answer["errors"][0]["message"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// Opens a ticket. Returns the response.
#[track_caller]
fn open(house: &House) -> Value {
    let asked = ask(
        house,
        r#"mutation { tickets_insert_one(object: {title: "Too much memory"}) { data { insert_tickets_one { id ticket_id url message error } } } }"#,
    );
    asked["tickets_insert_one"]["data"]["insert_tickets_one"].clone()
}

#[track_caller]
fn id(answered: &Value) -> Uuid {
    answered["id"].as_str().unwrap().parse().unwrap()
}

/// The rows of the tickets.
fn rows(house: &House) -> Value {
    let query = "{ tenant { tickets(order_by: {reference_id: asc}) { ticket_id url status error_message is_new project_key } } }";
    ask(house, query)["tenant"][0]["tickets"].clone()
}

/// The store with a clock that is that many seconds later.
fn later<const SECONDS: i64>(house: &House) -> Store {
    house.store.clone().with_clock(|| NOW + SECONDS * SECOND)
}

fn opened() -> OpenedTicket {
    OpenedTicket {
        ticket_id: "OPS-1".to_owned(),
        url: "https://desk.example.com/browse/OPS-1".to_owned(),
        status: "To Do".to_owned(),
        updated_at: None,
    }
}

#[test]
fn a_ticket_that_the_tracker_takes_at_once_has_its_number_place_and_state() {
    let house = office([Ok(opened())]);
    let answered = open(&house);
    assert_eq!(answered["ticket_id"], "OPS-1");
    assert_eq!(answered["url"], "https://desk.example.com/browse/OPS-1");
    assert_eq!(answered["message"], "The ticket is OPS-1 in desk (jira).");
    let row = &rows(&house)[0];
    assert_eq!(
        *row,
        json!({ "ticket_id": "OPS-1", "url": "https://desk.example.com/browse/OPS-1", "status": "To Do",
            "error_message": null, "is_new": false, "project_key": "OPS" })
    );
    assert_eq!(next_sending(&house.store).unwrap(), None);
    let trail =
        ask(&house, r#"{ audit_trail(where: {operation: {_eq: "ticket_sending"}}) { table_name after } }"#);
    assert_eq!(trail["audit_trail"][0]["table_name"], "tickets");
    assert_eq!(trail["audit_trail"][0]["after"]["ticket_id"], "OPS-1");
}

#[test]
fn one_that_is_not_taken_says_why_and_is_sent_again_when_the_tracker_is_saved() {
    let words = "desk refuses this (status 400). It says: project: valid project is required";
    let house = office([Err(Failure::lasting(words))]);
    let answered = open(&house);
    assert_eq!(answered["ticket_id"], "QD-1");
    assert_eq!(answered["error"], words);
    let message = answered["message"].as_str().unwrap();
    assert!(message.contains(words) && message.contains("saves the tracker"), "{message}");
    assert_eq!(
        (&rows(&house)[0]["status"], &rows(&house)[0]["error_message"]),
        (&json!("Failed"), &json!(words))
    );
    assert_eq!(next_sending(&house.store).unwrap(), None, "nobody tries it by itself");

    let tracker =
        ask(&house, "{ tenant { jira_configurations { id } } }")["tenant"][0]["jira_configurations"][0]["id"]
            .clone();
    let object = format!(r#"{{id: {tracker}, name: "desk", tool: "jira"}}"#);
    ask(&house, &format!("mutation {{ ticket_integration_create_config(object: {object}) {{ id }} }}"));
    assert_eq!(rows(&house)[0]["status"], "Pending");
    let sending = claim(&house.store, None, Uuid::new_v4()).unwrap().unwrap();
    let double = Double { store: house.store.clone(), says: Mutex::default() };
    let (tracker, ticket, may_be_there) = sending.work(&double).unwrap();
    assert_eq!((tracker.secret.as_str(), ticket.title.as_str()), ("a secret", "Too much memory"));
    assert!(may_be_there, "it was begun before");
}

#[test]
fn trouble_that_may_pass_is_tried_again_after_waits_that_grow() {
    let broken = || Err(Failure::passing("desk has trouble of its own (status 500)."));
    let house = office([broken()]);
    let answered = open(&house);
    let message = answered["message"].as_str().unwrap();
    assert!(
        message.contains("waits for desk (jira): desk has trouble") && message.contains("tried again"),
        "{message}"
    );
    assert_eq!((&rows(&house)[0]["status"], &answered["error"]), (&json!("Pending"), &Value::Null));
    assert_eq!(next_sending(&house.store).unwrap(), Some(NOW + 15 * SECOND));
    assert!(claim(&house.store, None, Uuid::new_v4()).unwrap().is_none(), "it is not due yet");
    let then = later::<15>(&house);
    let sending = claim(&then, None, Uuid::new_v4()).unwrap().unwrap();
    settle(&then, &sending, &broken(), 0.0).unwrap();
    assert_eq!(
        next_sending(&then).unwrap(),
        Some(NOW + 30 * SECOND),
        "twice as long, less half of it by chance"
    );
    let after_days = later::<{ 4 * 86_400 }>(&house);
    let sending = claim(&after_days, None, Uuid::new_v4()).unwrap().unwrap();
    settle(&after_days, &sending, &broken(), 0.0).unwrap();
    assert_eq!((&rows(&house)[0]["status"], next_sending(&house.store).unwrap()), (&json!("Failed"), None));
}

#[test]
fn a_tracker_that_wants_fewer_requests_gets_none_before() {
    let house = office([]);
    open(&house);
    open(&house);
    let limit = Failure {
        is_limit: true,
        retry_after: Some(Duration::from_mins(10)),
        ..Failure::passing("desk wants fewer requests (status 429).")
    };
    let sending = claim(&house.store, None, Uuid::new_v4()).unwrap().unwrap();
    settle(&house.store, &sending, &Err(limit), 0.5).unwrap();
    assert_eq!(next_sending(&house.store).unwrap(), Some(NOW + 600 * SECOND));
}

#[test]
fn of_two_senders_one_has_the_ticket_and_one_that_is_gone_is_replaced_by_one_who_looks_first() {
    let house = office([]);
    let ticket = id(&open(&house));
    let one = claim(&house.store, Some(ticket), Uuid::new_v4()).unwrap().unwrap();
    let double = Double { store: house.store.clone(), says: Mutex::default() };
    assert!(!one.work(&double).unwrap().2, "nobody has begun before");
    for which in [Some(ticket), None] {
        assert!(claim(&house.store, which, Uuid::new_v4()).unwrap().is_none(), "it is taken");
    }
    operations::extend_claim(&house.store.clone().with_clock(|| NOW + 20 * SECOND), &one).unwrap();
    assert!(
        claim(&later::<31>(&house), None, Uuid::new_v4()).unwrap().is_none(),
        "whoever has it is still at it"
    );
    let then = later::<50>(&house);
    let other = claim(&then, None, Uuid::new_v4()).unwrap().unwrap();
    assert!(other.work(&double).unwrap().2, "the first may have opened it");

    settle(&then, &one, &Err(Failure::lasting("desk refuses this.")), 0.5).unwrap();
    assert_eq!(rows(&house)[0]["status"], "Pending", "who was taken for gone decides nothing");
    settle(&then, &one, &Ok(opened()), 0.5).unwrap();
    assert_eq!(rows(&house)[0]["ticket_id"], "OPS-1", "but what is there is there");
    settle(&then, &other, &Err(Failure::lasting("desk refuses this.")), 0.5).unwrap();
    assert_eq!(rows(&house)[0]["status"], "To Do");
}

#[test]
fn what_waits_survives_the_service() {
    let house = office([]);
    let ticket = id(&open(&house));
    claim(&house.store, Some(ticket), Uuid::new_v4()).unwrap().unwrap();
    let house = house.opened_again();
    let then = later::<30>(&house);
    assert!(claim(&then, None, Uuid::new_v4()).unwrap().is_some());
}

#[test]
fn a_password_is_kept_sealed_and_for_one_address_alone() {
    let house = office([]);
    let known = ask(&house, "{ tenant { jira_configurations { id name auth_type projects is_active } } }");
    let known = known["tenant"][0]["jira_configurations"][0].clone();
    assert_eq!((&known["auth_type"], &known["projects"]), (&json!("basic"), &json!(["OPS"])));
    let trail =
        ask(&house, r#"{ audit_trail(where: {table_name: {_eq: "jira_configurations"}}) { after } }"#);
    assert!(
        !trail.to_string().contains("password") && trail.to_string().contains("desk.example.com"),
        "{trail}"
    );
    let kept = house
        .store
        .snapshot(&Caller::system(), |rows| rows.select("jira_configurations", &["password"], &[]));
    let kept = kept.unwrap()[0][0].as_text().unwrap().to_owned();
    assert!(kept.starts_with("sealed ") && !kept.contains("a secret"), "{kept}");

    let id = &known["id"];
    let elsewhere = format!(r#"{{id: {id}, name: "desk", tool: "jira", url: "https://evil.example.com"}}"#);
    for field in [
        "ticket_integration_create_config(object: $) { id }",
        "ticket_check_connection_by_config(object: $) { success }",
    ] {
        let refused = refusal(&house, &format!("mutation {{ {} }}", field.replace('$', &elsewhere)));
        assert!(refused.contains("belongs to another address"), "{refused}");
    }
    let same = format!(r#"{{id: {id}, name: "desk", tool: "jira"}}"#);
    let checked = |object: &str| {
        let query = format!(
            "mutation {{ ticket_check_connection_by_config(object: {object}) {{ success message error tool }} }}"
        );
        ask(&house, &query)["ticket_check_connection_by_config"].clone()
    };
    let expected = json!({ "success": true, "message": "Signed in at https://desk.example.com/.", "error": null, "tool": "jira" });
    assert_eq!(checked(&same), expected);
    let kept = ask(&house, "{ tenant { jira_configurations { status last_connected } } }");
    let kept = &kept["tenant"][0]["jira_configurations"][0];
    assert_eq!(kept["status"], "Signed in at https://desk.example.com/.");
    assert!(kept["last_connected"].is_string(), "{kept}");
    let wrong = checked(&same.replace(r#"tool: "jira""#, r#"tool: "jira", password: "wrong""#));
    assert_eq!(
        (&wrong["success"], &wrong["error"]),
        (&json!(false), &json!("desk does not accept the name and key."))
    );
}

#[test]
fn a_tracker_that_was_switched_off_is_sent_nothing_more() {
    let house = office([]);
    let ticket = id(&open(&house));
    let tracker =
        ask(&house, "{ tenant { jira_configurations { id } } }")["tenant"][0]["jira_configurations"][0]["id"]
            .clone();
    let object = format!(
        r#"{{id: {tracker}, name: "desk", tool: "jira", config_values: [{{name: "is_active", value: "false"}}]}}"#
    );
    ask(&house, &format!("mutation {{ ticket_integration_create_config(object: {object}) {{ id }} }}"));
    let sending = claim(&house.store, Some(ticket), Uuid::new_v4()).unwrap().unwrap();
    let double = Double { store: house.store.clone(), says: Mutex::default() };
    let failure = sending.work(&double).map(|_| ()).unwrap_err();
    assert!(failure.is_final && failure.message == "desk (jira) is switched off.", "{failure}");
}
