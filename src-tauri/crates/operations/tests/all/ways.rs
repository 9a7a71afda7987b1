//! Tests of the ways to carry out a recommendation, and of what each of them lacks: the plan reports it before the start.

mod shown;
mod undo;

use crate::house::{House, OWN, PERSON, TENANT};
use catalogue::{Caller, ValueRef};
use operations::runs;
use serde_json::Value;
use store::StoreError;
use uuid::Uuid;

pub const ADVICE: Uuid = Uuid::from_u128(0xc1);

/// A recommendation to resize a container, in a service with automation and with these tokens.
pub fn house(tokens: &[&str]) -> House {
    let house = House::new();
    let repository_tokens = tokens.iter().map(|host| (*host).to_owned()).collect();
    let power = runs::AutomationSettings { is_on: true, repository_tokens, ..Default::default() };
    runs::store_automation_settings(&house.store, &power).unwrap();
    let details = r#"{"namespace": "shop", "workload": "web", "kind": "Deployment", "container": "app",
        "current": {"requests": {"cpu": 0.5}}, "recommended": {"requests": {"cpu": 0.1}}}"#;
    let advice = [
        ("id", ADVICE.into()),
        ("cloud_account_id", OWN.into()),
        ("account_object_id", "shop/web".into()),
        ("recommendation", ValueRef::Json(details)),
        ("recommendation_action", "Modify".into()),
        ("rule_name", "krr container".into()),
        ("status", "Open".into()),
    ];
    let write =
        |rows: &store::Transaction<'_>| -> Result<(), StoreError> { rows.insert("recommendation", &advice) };
    house.store.transaction(&Caller::system_for(TENANT), write).unwrap();
    house
}

pub fn connect(house: &House, tool: &str, password: &str, projects: &str) {
    let tracker = [
        ("auth_type", "basic".into()),
        ("name", "desk".into()),
        ("password", password.into()),
        ("projects", ValueRef::Json(projects)),
        ("tool", tool.into()),
        ("url", "https://desk.example.com".into()),
        ("username", "ada".into()),
        ("created_by", PERSON.into()),
    ];
    let write = |rows: &store::Transaction<'_>| -> Result<(), StoreError> {
        rows.insert("jira_configurations", &tracker)
    };
    house.store.transaction(&Caller::system_for(TENANT), write).unwrap();
}

/// Why a way is not possible; `None` if it is.
#[track_caller]
fn reason(house: &House, provider: &str) -> Option<String> {
    let query = format!(
        r#"{{ recommendation_get_plan(recommendation_id: "{ADVICE}") {{ ways {{ provider is_possible reason }} }} }}"#
    );
    let answer = house.answers(&query);
    let ways = answer["recommendation_get_plan"]["ways"].as_array().unwrap();
    let is_this = |way: &&Value| way["provider"] == provider;
    let way = ways.iter().find(is_this).unwrap_or_else(|| panic!("no way {provider}: {ways:?}"));
    assert_eq!(way["is_possible"], way["reason"].is_null(), "{way}");
    way["reason"].as_str().map(str::to_owned)
}

fn apply(provider: &str) -> String {
    format!(
        r#"mutation {{ apply_recommendations(object: {{ account_id: "{OWN}", recommendation_id: "{ADVICE}", provider: "{provider}",
          provider_config: {{ repository: "acme/shop", path: "deploy/web.yaml" }} }}) {{ data }} }}"#
    )
}

#[test]
fn a_pull_request_without_a_token_is_said_to_lack_it_before_it_is_begun() {
    let house = house(&["gitlab"]);
    let lack = "there is no token for github: the administrator of the service sets SECRET_GITHUB_TOKEN in its environment and starts it again, \
                or somebody keeps GITHUB_TOKEN under Settings, Workflow secrets";
    assert_eq!(reason(&house, "github").as_deref(), Some(lack));
    assert_eq!(reason(&house, "gitlab"), None);
    assert_eq!(house.refuses(&apply("github")), lack);
    let status = format!(r#"{{ recommendation_by_pk(id: "{ADVICE}") {{ status }} }}"#);
    assert_eq!(house.answers(&status)["recommendation_by_pk"]["status"], "Open");
    house.answers(&apply("gitlab"));
    assert_eq!(house.answers(&status)["recommendation_by_pk"]["status"], "InProgress");
}

#[test]
fn a_service_of_ones_own_that_the_token_may_not_be_sent_to_is_told_before_it_is_begun() {
    let house = house(&["github", "gitlab=git.example.com"]);
    let of = |provider: &str, base: &str| {
        let own = format!(r#"path: "deploy/web.yaml", base_url: "{base}""#);
        apply(provider).replace(r#"path: "deploy/web.yaml""#, &own)
    };
    let refused = house.refuses(&of("github", "https://git.example.com"));
    assert!(
        refused.starts_with("the secret GITHUB_TOKEN may be sent to api.github.com")
            && refused.contains("Workflow secrets"),
        "{refused}"
    );
    assert!(
        house
            .refuses(&of("gitlab", "https://elsewhere.example.com"))
            .contains("may be sent to git.example.com alone")
    );
    let keep = |rows: &store::Transaction<'_>| {
        let hosts = ValueRef::Json(r#"["git.example.com"]"#);
        rows.insert("workflow_secret", &[("name", "GITHUB_TOKEN".into()), ("hosts", hosts)])
    };
    house.store.transaction::<_, StoreError>(&Caller::system_for(TENANT), keep).unwrap();
    house.answers(&of("github", "https://git.example.com"));
}

#[test]
fn a_token_that_comes_with_the_next_start_makes_the_pull_request_possible() {
    let house = house(&[]);
    assert!(reason(&house, "github").is_some() && reason(&house, "gitlab").is_some());
    let repository_tokens = vec!["github".to_owned()];
    let power = runs::AutomationSettings { is_on: true, repository_tokens, ..Default::default() };
    runs::store_automation_settings(&house.store, &power).unwrap();
    assert_eq!(reason(&house, "github"), None);
    // A secret stored in the database does not need a restart.
    let keep = |rows: &store::Transaction<'_>| {
        rows.insert("workflow_secret", &[("name", "GITLAB_TOKEN".into()), ("value", "sealed".into())])
    };
    let house_rows = Caller::system_for(TENANT);
    house.store.transaction::<_, StoreError>(&house_rows, keep).unwrap();
    assert_eq!(reason(&house, "gitlab"), None);
    runs::store_automation_settings(&house.store, &runs::AutomationSettings { is_on: false, ..power })
        .unwrap();
    assert!(reason(&house, "github").unwrap().starts_with("automation is off"));
}

#[test]
fn a_ticket_that_no_tracker_would_take_is_said_to_lack_what_it_needs() {
    let kept = house(&[]);
    assert_eq!(reason(&kept, "ticket"), None, "without a tracker it is kept here");

    let unsealed = house(&[]);
    connect(&unsealed, "jira", "typed elsewhere", r#"["OPS"]"#);
    for provider in ["ticket", "jira"] {
        let reason = reason(&unsealed, provider).unwrap();
        assert!(
            reason.starts_with("desk (jira) has no password that was typed into Quarterdeck"),
            "{reason}"
        );
        assert!(reason.contains("Settings, Ticket trackers"), "{reason}");
        assert_eq!(unsealed.refuses(&apply(provider)), reason);
    }

    let without_project = house(&[]);
    connect(&without_project, "jira", "sealed x", "[]");
    let lack = reason(&without_project, "jira").unwrap();
    assert!(lack.contains("desk (jira) has no project of its own"), "{lack}");
    assert!(lack.ends_with("an administrator enters it in Settings, Ticket trackers"), "{lack}");

    let whole = house(&[]);
    connect(&whole, "jira", "sealed x", r#"["OPS"]"#);
    assert_eq!((reason(&whole, "ticket"), reason(&whole, "jira")), (None, None));
    connect(&whole, "pagerduty", "sealed x", r#"["PIJ90N7"]"#);
    let several = reason(&whole, "ticket").unwrap();
    assert!(several.starts_with("several trackers are connected: take the way of one of them"), "{several}");
    assert_eq!((reason(&whole, "pagerduty"), reason(&whole, "jira")), (None, None));
}

/// Applies the recommendation with this provider and these settings.
pub fn apply_with(provider: &str, config: &str) -> String {
    format!(
        r#"mutation {{ apply_recommendations(object: {{ account_id: "{OWN}", recommendation_id: "{ADVICE}", provider: "{provider}",
          provider_config: {{ {config} }} }}) {{ data }} }}"#
    )
}

#[test]
fn two_trackers_of_one_tool_are_two_ways_and_one_of_them_is_named() {
    let house = house(&[]);
    connect(&house, "jira", "sealed x", r#"["OPS"]"#);
    connect(&house, "jira", "sealed x", "[]");
    connect(&house, "github", "sealed x", r#"["acme/shop"]"#);
    let query = format!(
        r#"{{ recommendation_get_plan(recommendation_id: "{ADVICE}") {{ ways {{ provider type integration_id integration_name is_possible }} }} }}"#
    );
    let answer = house.answers(&query);
    let ways = answer["recommendation_get_plan"]["ways"].as_array().unwrap();
    let of = |provider: &str| -> Vec<&Value> {
        let is_this = |way: &&Value| way["provider"] == provider && way["integration_id"].is_string();
        ways.iter().filter(is_this).collect()
    };
    let jira = of("jira");
    assert_eq!(jira.len(), 2, "{ways:?}");
    assert_ne!(jira[0]["integration_id"], jira[1]["integration_id"]);
    let possible: Vec<&Value> = jira.iter().filter(|way| way["is_possible"] == true).copied().collect();
    assert_eq!(possible.len(), 1, "the other has no project: {jira:?}");
    let on_github = of("ticket");
    assert_eq!((on_github.len(), &on_github[0]["type"]), (1, &Value::from("Ticket")), "{ways:?}");
    assert_eq!(on_github[0]["integration_name"], "desk");

    let refused = house.refuses(&apply_with("jira", ""));
    assert!(refused.starts_with("several trackers of type jira are connected: name one in"), "{refused}");
    for way in &jira {
        assert!(refused.contains(way["integration_id"].as_str().unwrap()), "{refused}");
    }
    let foreign = on_github[0]["integration_id"].as_str().unwrap();
    let refused = house.refuses(&apply_with("jira", &format!("integration_id: \"{foreign}\"")));
    assert!(refused.contains("no tracker of type jira of that id is connected"), "{refused}");
    let named = possible[0]["integration_id"].as_str().unwrap();
    house.answers(&apply_with("jira", &format!("integration_id: \"{named}\", severity: \"High\"")));
    let kept = house
        .store
        .snapshot(&Caller::system(), |rows| rows.select("tickets", &["integration_id", "severity"], &[]));
    let kept = kept.unwrap();
    assert_eq!((kept[0][0].as_uuid(), kept[0][1].as_text()), (named.parse().ok(), Some("High")));
}
