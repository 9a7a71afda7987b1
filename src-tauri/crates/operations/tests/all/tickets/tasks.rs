//! Tests of tasks on tickets: opened, then read by the returned id or by the number.

use crate::house::House;
use crate::workflows::{carry_out, create, on, run_of, trigger};
use operations::runs;
use serde_json::Value;

fn ran(house: &House, tasks: &str) -> Value {
    ran_as(house, "tickets", tasks)
}

fn ran_as(house: &House, name: &str, tasks: &str) -> Value {
    let id = create(house, name, "PAUSED", r#"{ type: "manual" }"#, tasks);
    let run = trigger(house, &id);
    carry_out(&house.store);
    run_of(house, &id, &run)
}

#[test]
fn a_ticket_that_was_opened_is_read_by_its_id_and_by_its_number() {
    let run = ran(
        &on(),
        r#"{ id: "open", type: "tickets.create", params: { integration_id: "", project_key: "OPS", title: "web is full", description: "more disk", severity: "High" } }
           { id: "one", type: "tickets.get", params: { ticket_id: "{{ Tasks.open.output.id }}" }, depends_on: ["open"] }
           { id: "two", type: "tickets.get", params: { ticket_id: "{{ Tasks.open.output.ticket_id }}" }, depends_on: ["open"] }"#,
    );
    assert_eq!(run["status"], "COMPLETED", "{run}");
    let (opened, read) = (&run["tasks"][0]["output"], &run["tasks"][1]["output"]);
    assert_eq!((&read["id"], &read["ticket_id"]), (&opened["id"], &opened["ticket_id"]));
    assert_eq!(
        (read["title"].as_str(), read["description"].as_str()),
        (Some("web is full"), Some("more disk"))
    );
    assert_eq!(read["status"], "Open", "{read}");
    assert_eq!(read, &run["tasks"][2]["output"]);
}

#[test]
fn a_ticket_that_is_not_known_is_said_to_be_so() {
    let run = ran(&on(), r#"{ id: "get", type: "tickets.get", params: { ticket_id: "OPS-1" } }"#);
    let error = run["tasks"][0]["error"].as_str().unwrap_or_default();
    assert!(error.contains("there is no ticket OPS-1 of this account here"), "{run}");
}

#[test]
fn a_ticket_is_opened_in_a_tracker_that_is_called_by_its_name() {
    let house = super::office([]);
    runs::store_automation_settings(
        &house.store,
        &runs::AutomationSettings { is_on: true, ..Default::default() },
    )
    .unwrap();
    let open = |tracker: &str| {
        ran_as(
            &house,
            tracker,
            &format!(
                r#"{{ id: "open", type: "tickets.create", params: {{ integration_id: "{tracker}", project_key: "OPS", title: "web is full", description: "more disk" }} }}"#
            ),
        )
    };
    let run = open("Desk");
    assert_eq!(run["status"], "COMPLETED", "{run}");
    let message = run["tasks"][0]["output"]["message"].as_str().unwrap();
    assert!(message.contains("on its way to desk (jira)"), "{run}");
    let run = open("help");
    assert!(run["error"].as_str().unwrap().contains("there is no active tracker \"help\""), "{run}");
}
