//! Tests of auto-pilots and the approvals they need.

use crate::house::{House, OWN, PERSON, TENANT};
use catalogue::Caller;
use operations::runs;
use store::{StoreError, Transaction};
use uuid::Uuid;

const POLICY: Uuid = Uuid::from_u128(0xb1);
const PILOT: Uuid = Uuid::from_u128(0xb2);

/// An account whose auto-pilots need the approval of one reviewer.
fn policy(rows: &Transaction<'_>) -> Result<(), StoreError> {
    let (account, person) = (OWN.into(), PERSON.into());
    let own = [("id", POLICY.into()), ("account_id", account), ("created_by", person)];
    rows.insert("auto_pilot_approval_policy", &own)?;
    let reviewer = [("policy_id", POLICY.into()), ("account_id", account), ("user_id", person)];
    rows.insert("auto_pilot_reviewers", &reviewer)
}

#[test]
fn no_auto_pilot_becomes_active_past_its_consents_through_its_table() {
    let house = House::new();
    house.store.transaction(&Caller::system_for(TENANT), policy).unwrap();
    let add = |status: &str| {
        format!(
            r#"mutation {{ insert_auto_pilot_one(object: {{
              id: "{PILOT}", account_id: "{OWN}", category: "pvc_rightsize", name: "Disks", rule: {{}}, status: {status}, created_by: "{PERSON}"
            }}) {{ status }} }}"#
        )
    };
    let refused = "the auto-pilot \"Disks\" needs the consent of 1 of its reviewers and has 0: ask for it with \
                   auto_optimize_update_status";
    assert_eq!(house.refuses(&add("Active")), refused);
    house.answers(&add("DRAFT"));
    let activate = format!(
        r#"mutation {{ update_auto_pilot_by_pk(pk_columns: {{ id: "{PILOT}" }}, _set: {{ status: Active }}) {{ status }} }}"#
    );
    assert_eq!(house.refuses(&activate), refused);
    let asked = house.answers(&format!(
        r#"mutation {{ auto_optimize_update_status(arg1: {{ id: "{PILOT}", account_id: "{OWN}", status: "Active" }}) {{ status }} }}"#
    ));
    assert_eq!(asked["auto_optimize_update_status"]["status"], "DRAFT", "the reviewer is asked");
    let named = format!(
        r#"mutation {{ update_auto_pilot_by_pk(pk_columns: {{ id: "{PILOT}" }}, _set: {{ name: "More disks" }}) {{ status }} }}"#
    );
    assert_eq!(house.answers(&named)["update_auto_pilot_by_pk"]["status"], "DRAFT", "other columns are free");
}

#[test]
fn what_said_that_automation_is_off_says_what_holds_once_it_is_on() {
    let house = House::new();
    let switch = |is_on| {
        runs::store_automation_settings(
            &house.store,
            &runs::AutomationSettings { is_on, ..Default::default() },
        )
        .unwrap();
    };
    switch(true);
    let pilot = |name: &str, times: &str| {
        format!(
            r#"{{ account_id: "{OWN}", category: "pvc_rightsize", name: "{name}", rule: {{}}, status: Active, created_by: "{PERSON}"{times} }}"#
        )
    };
    let over = r#", schedule_time: "0 5 * * *", end_at: "2026-01-01T00:00:00""#;
    let both = format!("{}, {}", pilot("By hand", ""), pilot("Over", over));
    house.answers(&format!("mutation {{ insert_auto_pilot(objects: [{both}]) {{ affected_rows }} }}"));
    let states = || {
        let query = "{ auto_pilot(order_by: [{ name: asc }]) { status attributes } }";
        let rows = house.answers(query)["auto_pilot"].clone();
        [0, 1].map(|place| {
            let row = &rows[place];
            let reason = row["attributes"]["not_running"].as_str().unwrap_or_default().to_owned();
            (row["status"].as_str().unwrap().to_owned(), reason)
        })
    };
    switch(false);
    assert!(states().iter().all(|(_, reason)| reason.starts_with("automation is off")), "{:?}", states());
    switch(true);
    runs::start_due(&house.store).unwrap();
    let [(_, by_hand), over] = states();
    assert!(by_hand.starts_with("it has no schedule"), "{by_hand}");
    assert_eq!(over, ("Disabled".to_owned(), String::new()));
}

const SCHEDULED: &str = r#"schedule: { frequency: "0 5 * * *" } notification: {}
    resource_filter: [{ namespace: "shop", type: "", name: "" }]"#;

fn switch(house: &House, programs: &[&str]) {
    let program =
        |name: &&str| runs::Program { name: (*name).to_owned(), path: Some(format!("/bin/{name}")) };
    let programs = programs.iter().map(program).collect();
    let repository_tokens = vec!["github".to_owned()];
    let power = runs::AutomationSettings { is_on: true, programs, repository_tokens, ..Default::default() };
    runs::store_automation_settings(&house.store, &power).unwrap();
}

/// Whether the auto-pilot has a next run, and why it does not run.
fn stands(house: &House) -> (bool, String) {
    let row = house.answers("{ auto_pilot { next_schedule_time attributes } }")["auto_pilot"][0].clone();
    let reason = row["attributes"]["not_running"].as_str().unwrap_or_default().to_owned();
    (!row["next_schedule_time"].is_null(), reason)
}

fn add(house: &House, more: &str) -> String {
    let made = house.answers(&format!(
        r#"mutation {{ auto_optimize_insert_one(arg1: {{ account_id: "{OWN}", category: "vertical_rightsize", {SCHEDULED} {more} }}) {{ id }} }}"#
    ));
    made["auto_optimize_insert_one"]["id"].as_str().unwrap().to_owned()
}

#[test]
fn without_its_program_an_auto_pilot_has_no_next_time_and_says_why() {
    let house = House::new();
    switch(&house, &[]);
    let id = add(&house, "dryrun: false");
    let (has_time, reason) = stands(&house);
    assert!(!has_time && reason.starts_with("the program kubectl is not allowed"), "{reason}");
    let put_off = format!(
        r#"mutation {{ auto_optimize_skip_execution(arg1: {{ id: "{id}", by_minutes: 5 }}) {{ message }} }}"#
    );
    assert!(house.refuses(&put_off).starts_with("the auto-pilot does not run: the program kubectl"));
    // The reason stays while nothing has changed.
    runs::start_due(&house.store).unwrap();
    assert_eq!(stands(&house), (has_time, reason));
    switch(&house, &["kubectl"]);
    runs::start_due(&house.store).unwrap();
    assert_eq!(stands(&house), (true, String::new()));
    switch(&house, &["aws"]);
    runs::start_due(&house.store).unwrap();
    let (has_time, reason) = stands(&house);
    assert!(!has_time && reason.contains("kubectl"), "{reason}");
}

#[test]
fn a_dry_run_tickets_that_are_kept_here_and_pull_requests_need_no_program() {
    for more in [
        "dryrun: true",
        "dryrun: false, ticket_config: { enabled: true }",
        r#"dryrun: false, gitops: { enabled: true, repository_name: "acme/shop", path: "deploy/{name}.yaml" }"#,
    ] {
        let house = House::new();
        switch(&house, &[]);
        add(&house, more);
        assert_eq!(stands(&house), (true, String::new()), "{more}");
    }
}

#[test]
fn a_tracker_that_is_not_connected_and_a_repository_that_is_not_named_are_reasons() {
    for (more, expected) in [
        (r#"ticket_config: { enabled: true, platform: "jira" }"#, "no tracker of type jira is connected"),
        (
            r#"ticket_config: { enabled: true, configuration_id: "b4000000-0000-4000-8000-000000000001" }"#,
            "the tracker b4000000-0000-4000-8000-000000000001 of its settings is not connected",
        ),
        (
            "gitops: { enabled: true }",
            "its settings ask for pull requests, and `gitops.repository_name` is missing",
        ),
        (
            r#"gitops: { enabled: true, repository_name: "acme/shop" }"#,
            "its settings ask for pull requests, and `gitops.path` is missing",
        ),
        (
            r#"gitops: { enabled: true, provider: "bitbucket", repository_name: "acme/shop", path: "a.yaml" }"#,
            "its settings ask for a pull request on bitbucket",
        ),
        (
            r#"gitops: { enabled: true, provider: "gitlab", repository_name: "acme/shop", path: "a.yaml" }"#,
            "there is no token for gitlab: the administrator of the service sets SECRET_GITLAB_TOKEN",
        ),
    ] {
        let house = House::new();
        switch(&house, &["kubectl"]);
        let id = add(&house, &format!("dryrun: false, {more}"));
        let (has_time, reason) = stands(&house);
        assert!(!has_time && reason.starts_with(expected), "{reason}");
        // Also when it is paused and activated again.
        for status in ["Disabled", "Active"] {
            house.answers(&format!(
                r#"mutation {{ auto_optimize_update_status(arg1: {{ id: "{id}", account_id: "{OWN}", status: "{status}" }}) {{ status }} }}"#
            ));
        }
        let (has_time, reason) = stands(&house);
        assert!(!has_time && reason.starts_with(expected), "{reason}");
    }
}

#[test]
fn what_the_tracker_of_an_auto_pilot_lacks_is_told_before_it_acts() {
    use crate::ways::connect;
    let by_jira = r#"dryrun: false, ticket_config: { enabled: true, platform: "jira" }"#;
    let by_any = "dryrun: false, ticket_config: { enabled: true }";
    let with_project =
        r#"dryrun: false, ticket_config: { enabled: true, platform: "jira", project_key: "OPS" }"#;
    for (settings, trackers, expected) in [
        (
            by_jira,
            vec![("jira", "typed elsewhere", r#"["OPS"]"#)],
            "desk (jira) has no password that was typed",
        ),
        (
            by_any,
            vec![("jira", "typed elsewhere", r#"["OPS"]"#)],
            "desk (jira) has no password that was typed",
        ),
        (
            by_jira,
            vec![("jira", "sealed x", "[]")],
            "`project_key` is missing, and desk (jira) has no project",
        ),
        (with_project, vec![("jira", "sealed x", "[]")], ""),
        (by_jira, vec![("jira", "sealed x", r#"["OPS"]"#), ("pagerduty", "sealed x", "[]")], ""),
        (
            by_any,
            vec![("jira", "sealed x", r#"["OPS"]"#), ("pagerduty", "sealed x", "[]")],
            "several trackers are connected",
        ),
        (by_jira, vec![("jira", "sealed x", r#"["OPS"]"#); 2], "several trackers are connected"),
    ] {
        let house = House::new();
        switch(&house, &[]);
        for (tool, password, projects) in &trackers {
            connect(&house, tool, password, projects);
        }
        add(&house, settings);
        let (has_time, reason) = stands(&house);
        assert_eq!(has_time, expected.is_empty(), "{settings} {trackers:?}: {reason}");
        assert!(reason.starts_with(expected), "{settings} {trackers:?}: {reason}");
        assert_eq!(reason.is_empty(), expected.is_empty(), "{reason}");
    }
}

#[test]
fn an_auto_pilot_whose_repository_may_not_have_the_token_says_so() {
    let house = House::new();
    switch(&house, &[]);
    add(
        &house,
        r#"dryrun: false gitops: { enabled: true, repository_name: "acme/shop", path: "deploy/web.yaml", base_url: "https://git.example.com" }"#,
    );
    let (has_time, reason) = stands(&house);
    assert!(
        !has_time && reason.starts_with("the secret GITHUB_TOKEN may be sent to api.github.com"),
        "{reason}"
    );
}
