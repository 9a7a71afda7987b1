//! Tests of notices: raised once, sent once by one sender, delayed in quiet hours, ended when they no longer apply.
//!
//! Channels are test doubles.

use crate::house::{House, NOW, OWN, PERSON, TENANT};
use catalogue::{Caller, Role, ValueRef};
use channels::{Channel, Failure, Message};
use operations::notices::{
    Changes, ChannelMessage, Dispatch, Messengers, claim, next, queue_message, raised_since, settle,
};
use operations::review::{review, review_undone};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use uuid::Uuid;

const HOUR: i64 = 3_600_000_000;
const DAY: i64 = 24 * HOUR;

/// Stores the messages it sends.
#[derive(Default)]
pub struct Double {
    sent: Mutex<Vec<Message>>,
}

impl Messengers for Double {
    /// Bound to the purpose, and different from the secret.
    fn encrypt(&self, purpose: &str, secret: &str) -> Result<String, String> {
        Ok(format!("{purpose}|{}", secret.chars().rev().collect::<String>()))
    }

    fn decrypt(&self, purpose: &str, sealed: &str) -> Result<String, String> {
        let found = sealed.strip_prefix(&format!("{purpose}|"));
        found.map(|found| found.chars().rev().collect()).ok_or_else(|| "it is for something else".to_owned())
    }

    fn send(&self, _: Uuid, _: &Channel, message: &Message) -> Result<(), Failure> {
        self.sent.lock().unwrap().push(message.clone());
        Ok(())
    }
}

fn house() -> House {
    House::with_messengers(Arc::new(Double::default()))
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

const SLACK: &str = r#"name: "ops", kind: slack, url: "https://hooks.slack.com/services/T0/B0/secret-word""#;

#[track_caller]
fn save(house: &House, object: &str) -> String {
    let saved = ask(house, &format!("mutation {{ notice_channel_save(object: {{ {object} }}) {{ id }} }}"));
    saved["notice_channel_save"]["id"].as_str().unwrap().to_owned()
}

/// A critical finding of some time ago.
fn finding(house: &House, object: &str, ago: i64) {
    let house_caller = Caller::system_for(TENANT);
    house
        .store
        .transaction(&house_caller, |rows| {
            rows.insert(
                "recommendation",
                &[
                    ("cloud_account_id", OWN.into()),
                    ("account_object_id", object.into()),
                    ("category", "Security".into()),
                    ("recommendation", ValueRef::Json("{}")),
                    ("recommendation_action", "Modify".into()),
                    ("rule_name", "public_bucket".into()),
                    ("severity", "Critical".into()),
                    ("status", "Open".into()),
                    ("created_at", ValueRef::Timestamp(NOW - ago)),
                ],
            )
        })
        .unwrap();
}

fn reviewed(house: &House) -> Changes {
    review(&house.store, TENANT).unwrap()
}

fn taken(house: &House) -> Option<Dispatch> {
    claim(&house.store, Uuid::new_v4(), "https://q.example.com").unwrap()
}

#[track_caller]
fn deliveries(house: &House) -> Value {
    ask(house, "{ notice(order_by: {raised_at: asc}) { title ended_at deliveries { state error } } }")["notice"].clone()
}

#[test]
fn findings_of_one_rule_are_one_notice_that_is_sent_once() {
    let house = house();
    save(&house, SLACK);
    finding(&house, "bucket-a", HOUR);
    finding(&house, "bucket-b", HOUR);
    assert_eq!(reviewed(&house), Changes { raised: 1, ended: 0 });
    let dispatch = taken(&house).expect("it is due");
    assert!(taken(&house).is_none(), "somebody has it");
    let [item] = dispatch.message().items.as_slice() else { panic!("{:?}", dispatch.message()) };
    assert_eq!(item.title, "2 critical findings in shop: Public bucket");
    assert_eq!(item.text, "bucket-a, bucket-b");
    assert_eq!(item.link.as_deref(), Some("https://q.example.com/recommendations?severity=Critical"));
    settle(&house.store, &dispatch, &Ok(()), 0.5).unwrap();
    assert_eq!(reviewed(&house), Changes::default());
    assert!(taken(&house).is_none());
    assert_eq!(next(&house.store).unwrap(), None);
    assert_eq!(deliveries(&house)[0]["deliveries"][0]["state"], "sent");
}

#[test]
fn the_desktop_tells_what_its_person_may_read_outside_of_maintenance_windows() {
    let house = house();
    let told = |caller: &Caller, since: i64| raised_since(&house.store, caller, since).unwrap();
    finding(&house, "bucket-a", HOUR);
    reviewed(&house);
    let titles = |caller: &Caller, since: i64| {
        let found = told(caller, since).notices.into_iter().map(|notice| notice.title);
        found.collect::<Vec<_>>()
    };
    assert_eq!(titles(&admin(), NOW), ["1 critical finding in shop: Public bucket"]);
    assert_eq!(titles(&admin(), NOW + 1), [""; 0], "it was raised before");
    assert_eq!(titles(&Caller::user(PERSON, Uuid::from_u128(0xdead), vec![Role::TenantAdmin]), NOW), [""; 0]);
    // 1 November 2026 is a Sunday.
    ask(
        &house,
        r#"mutation { insert_notice_window_one(object: { name: "move", days: [7], starts_at: "00:00", minutes: 60 }) { name } }"#,
    );
    let held = told(&admin(), NOW);
    assert_eq!((held.notices.len(), held.next_check_at), (0, Some(NOW + HOUR)));
    dismiss(&house);
    reviewed(&house);
    ask(&house, "mutation { delete_notice_window(where: {}) { affected_rows } }");
    assert_eq!(titles(&admin(), NOW), [""; 0], "it is over");
}

/// Dismisses all findings.
fn dismiss(house: &House) {
    ask(
        house,
        r"mutation { update_recommendation(where: {}, _set: {is_dismissed: true}) { affected_rows } }",
    );
}

#[test]
fn a_notice_of_what_was_taken_back_goes_unless_somebody_was_told() {
    let house = house();
    finding(&house, "bucket-a", HOUR);
    reviewed(&house);
    dismiss(&house);
    assert_eq!(review_undone(&house.store, TENANT, NOW).unwrap(), Changes { raised: 0, ended: 1 });
    assert_eq!(deliveries(&house), json!([]));

    let house = self::house();
    save(&house, SLACK);
    finding(&house, "bucket-a", HOUR);
    reviewed(&house);
    let dispatch = taken(&house).expect("it is due");
    settle(&house.store, &dispatch, &Ok(()), 0.5).unwrap();
    dismiss(&house);
    review_undone(&house.store, TENANT, NOW).unwrap();
    let told = deliveries(&house);
    assert_eq!(told[0]["deliveries"][0]["state"], "sent", "{told}");
}

#[test]
fn what_came_long_ago_is_no_news() {
    let house = house();
    save(&house, SLACK);
    finding(&house, "bucket-a", 8 * DAY);
    assert_eq!(reviewed(&house), Changes::default());
}

#[test]
fn a_notice_that_is_no_longer_so_is_not_sent() {
    let house = house();
    save(&house, SLACK);
    finding(&house, "bucket-a", HOUR);
    reviewed(&house);
    dismiss(&house);
    assert_eq!(reviewed(&house), Changes { raised: 0, ended: 1 });
    assert!(taken(&house).is_none());
    assert_eq!(deliveries(&house)[0]["deliveries"][0]["state"], "dropped");
    // Found again, it applies again, and nothing has been sent yet.
    take_up(&house);
    reviewed(&house);
    assert!(deliveries(&house)[0]["ended_at"].is_null());
    let dispatch = taken(&house).expect("it is due");
    settle(&house.store, &dispatch, &Ok(()), 0.5).unwrap();
    // It is not sent a second time.
    dismiss(&house);
    reviewed(&house);
    take_up(&house);
    reviewed(&house);
    assert!(taken(&house).is_none());
    assert_eq!(deliveries(&house)[0]["deliveries"][0]["state"], "sent");
}

/// Reopens all findings.
fn take_up(house: &House) {
    ask(
        house,
        r"mutation { update_recommendation(where: {}, _set: {is_dismissed: false}) { affected_rows } }",
    );
}

#[test]
fn after_quiet_hours_one_message_says_what_still_stands() {
    let house = house();
    // Two findings at night; both end, the quiet hours are removed for a moment, and both come back during the night.
    let id = save(&house, &format!(r#"{SLACK}, quiet_from: "22:00", quiet_until: "07:00""#));
    finding(&house, "bucket-a", HOUR);
    finding(&house, "bucket-b", 25 * HOUR);
    reviewed(&house);
    dismiss(&house);
    reviewed(&house);
    let quiet = |from: &str, until: &str| {
        save(&house, &format!(r#"id: "{id}", quiet_from: "{from}", quiet_until: "{until}""#));
    };
    quiet("", "");
    assert!(taken(&house).is_none(), "what has passed is not told");
    quiet("22:00", "07:00");
    take_up(&house);
    reviewed(&house);
    assert!(taken(&house).is_none(), "it is night");
    assert_eq!(next(&house.store).unwrap(), Some(NOW + 7 * HOUR));
    quiet("", "");
    let dispatch = taken(&house).expect("they stand");
    assert_eq!(dispatch.message().items.len(), 2);
    assert!(taken(&house).is_none());
}

#[test]
fn what_stands_again_after_a_window_is_told() {
    let house = house();
    save(&house, SLACK);
    ask(
        &house,
        r#"mutation { insert_notice_window_one(object: {name: "Release", days: [7], starts_at: "00:00", minutes: 90}) { id } }"#,
    );
    finding(&house, "bucket-a", 7 * DAY - HOUR);
    reviewed(&house);
    dismiss(&house);
    reviewed(&house);
    ask(&house, r"mutation { update_notice_window(where: {}, _set: {is_active: false}) { affected_rows } }");
    assert!(taken(&house).is_none());
    take_up(&house);
    reviewed(&house);
    let dispatch = taken(&house).expect("it stands again");
    assert_eq!(dispatch.message().items.len(), 1);
}

#[test]
fn a_channel_gets_the_subjects_it_wants() {
    let house = house();
    save(&house, &format!("{SLACK}, subjects: [budget, stale]"));
    finding(&house, "bucket-a", HOUR);
    reviewed(&house);
    assert_eq!(deliveries(&house)[0]["deliveries"], json!([]));
}

#[test]
fn what_is_due_in_quiet_hours_waits_and_goes_out_together() {
    let house = house();
    // The time is midnight.
    let id = save(&house, &format!(r#"{SLACK}, quiet_from: "22:00", quiet_until: "07:00""#));
    finding(&house, "bucket-a", HOUR);
    finding(&house, "bucket-b", 25 * HOUR);
    reviewed(&house);
    assert!(taken(&house).is_none());
    assert_eq!(next(&house.store).unwrap(), Some(NOW + 7 * HOUR));
    // When the quiet hours are removed, the notices are sent at once.
    save(&house, &format!(r#"id: "{id}", quiet_from: "", quiet_until: """#));
    let dispatch = taken(&house).expect("they are due");
    assert_eq!(dispatch.message().items.len(), 2);
    assert!(dispatch.message().title().starts_with("2 notices: 1 critical finding in shop"));
}

#[test]
fn nothing_is_sent_in_a_window_and_a_window_that_cannot_be_read_is_refused() {
    let house = house();
    save(&house, SLACK);
    // 2026-11-01 is a Sunday.
    let window = r#"mutation { insert_notice_window_one(object: {name: "Release", days: DAYS, starts_at: "00:00", minutes: 90}) { id } }"#;
    ask(&house, &window.replace("DAYS", "[7]"));
    finding(&house, "bucket-a", HOUR);
    reviewed(&house);
    assert!(taken(&house).is_none());
    assert_eq!(next(&house.store).unwrap(), Some(NOW + 90 * 60_000_000));
    let refused = refusal(&house, &window.replace("DAYS", "[8]"));
    assert_eq!(refused, "`days` is [8]: expected a list of weekdays such as [6, 7], 1 is Monday");
}

#[test]
fn a_failure_that_may_pass_is_tried_again_and_one_that_lasts_is_told() {
    let house = house();
    save(&house, SLACK);
    finding(&house, "bucket-a", HOUR);
    reviewed(&house);
    let first = taken(&house).unwrap();
    settle(&house.store, &first, &Err(Failure::passing("ops has trouble.")), 1.0).unwrap();
    assert_eq!(next(&house.store).unwrap(), Some(NOW + 30_000_000));
    let of_channel =
        || ask(&house, "{ notice_channel { last_error } }")["notice_channel"][0]["last_error"].clone();
    assert_eq!(of_channel(), "ops has trouble.");
    // A sender that lost its claim changes nothing unless the message was accepted.
    settle(&house.store, &first, &Err(Failure::lasting("ops is gone.")), 1.0).unwrap();
    assert_eq!(deliveries(&house)[0]["deliveries"][0]["state"], "waiting");
    settle(&house.store, &first, &Ok(()), 1.0).unwrap();
    assert_eq!(deliveries(&house)[0]["deliveries"][0]["state"], "sent");
    assert_eq!(of_channel(), Value::Null);
}

#[test]
fn a_message_of_a_workflow_is_sent_once_also_in_quiet_hours() {
    let house = house();
    save(&house, &format!(r#"{SLACK}, quiet_from: "22:00", quiet_until: "07:00""#));
    let recipients = ["ada@example.com".to_owned()];
    let say = |channel| {
        house.store.transaction(&admin(), |rows| {
            queue_message(
                rows,
                &ChannelMessage {
                    channel,
                    key: "run-1:tell",
                    title: "Done",
                    text: "",
                    recipients: &recipients,
                    reply_to: None,
                },
            )
        })
    };
    let id = say("ops").unwrap();
    assert_eq!(say("ops").unwrap(), id);
    let dispatch = taken(&house).expect("it is urgent");
    assert_eq!(dispatch.message().title(), "Done");
    assert_eq!(dispatch.message().recipients, recipients);
    assert!(taken(&house).is_none());
    let nobody = house.store.transaction(&admin(), |rows| {
        queue_message(
            rows,
            &ChannelMessage {
                channel: "pager",
                key: "run-2",
                title: "Done",
                text: "",
                recipients: &[],
                reply_to: None,
            },
        )
    });
    assert_eq!(nobody.unwrap_err().message, "there is no channel \"pager\" in Settings, Notifications (ops)");
}

#[test]
fn the_secret_shows_nowhere_and_stays_while_it_is_left_out() {
    let house = house();
    let id = save(&house, SLACK);
    save(&house, &format!(r#"id: "{id}", name: "Operations""#));
    let shown = ask(&house, "{ notice_channel { name target settings } audit_trail { before after } }");
    assert_eq!(shown["notice_channel"][0]["name"], "Operations");
    assert_eq!(shown["notice_channel"][0]["target"], "hooks.slack.com");
    assert!(!shown.to_string().contains("secret-word"), "{shown}");
    assert!(refusal(&house, "{ notice_channel { secret } }").contains("secret"));
    finding(&house, "bucket-a", HOUR);
    reviewed(&house);
    let dispatch = taken(&house).unwrap();
    let opened = dispatch.channel().decrypt(&Double::default()).unwrap();
    let channels::Receiver::Hook { url, .. } = opened.receiver else { panic!("it is a hook") };
    assert!(url.ends_with("secret-word"));
}

#[test]
fn another_mail_server_wants_the_password_again() {
    let house = house();
    let mail = r#"name: "mail", kind: email, host: "smtp.example.com", username: "costs", password: "secret-word",
        sender: "costs@example.com", recipients: ["ada@example.com"]"#;
    let id = save(&house, mail);
    save(&house, &format!(r#"id: "{id}", recipients: ["bob@example.com"]"#));
    let moved = format!(
        r#"mutation {{ notice_channel_save(object: {{ id: "{id}", host: "mail.example.org" }}) {{ id }} }}"#
    );
    assert!(refusal(&house, &moved).contains("belongs to another server"));
    let plain =
        format!(r#"mutation {{ notice_channel_save(object: {{ id: "{id}", security: "none" }}) {{ id }} }}"#);
    assert!(refusal(&house, &plain).contains("needs a connection with TLS"));
    let tested = ask(
        &house,
        &format!(r#"mutation {{ notice_channel_test(object: {{ id: "{id}" }}) {{ success error }} }}"#),
    );
    assert_eq!(tested["notice_channel_test"], json!({ "success": true, "error": null }));
}

#[test]
fn a_channel_that_was_removed_is_sent_nothing_and_can_be_put_back() {
    let house = house();
    let id = save(&house, SLACK);
    let remove = |is_back: bool| {
        ask(
            &house,
            &format!(r#"mutation {{ notice_channel_remove(id: "{id}", restore: {is_back}) {{ id }} }}"#),
        );
    };
    remove(false);
    finding(&house, "bucket-a", HOUR);
    reviewed(&house);
    assert_eq!(deliveries(&house)[0]["deliveries"], json!([]));
    remove(true);
    finding(&house, "bucket-b", 25 * HOUR);
    reviewed(&house);
    assert!(taken(&house).is_some());
    let same =
        refusal(&house, &format!("mutation {{ notice_channel_save(object: {{ {SLACK} }}) {{ id }} }}"));
    assert_eq!(same, "`name` is \"ops\": another channel is called that");
}
