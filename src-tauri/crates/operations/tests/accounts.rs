//! What an administrator of one account can do with operations: everything there, nothing elsewhere.

#![expect(clippy::unwrap_used, reason = "a test may")]

use catalogue::{Caller, Catalogue, Places, Role, Source, ValueRef};
use graphql::{Engine, Request};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use store::{Store, StoreError};
use uuid::Uuid;

const TENANT: Uuid = Uuid::from_u128(0xa);
const PERSON: Uuid = Uuid::from_u128(0xa0);
const OWN: Uuid = Uuid::from_u128(0xa1);
const OTHER: Uuid = Uuid::from_u128(0xa2);

struct House {
    engine: Engine,
    _folder: tempfile::TempDir,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("house.db"), Arc::new(catalogue())).unwrap();
        store.transaction(&Caller::house(), fill).unwrap();
        Self {
            engine: Engine::new(store).unwrap().with_operations(operations::all()).unwrap(),
            _folder: folder,
        }
    }

    /// Asks as an administrator of the account [`OWN`].
    fn ask(&self, query: &str) -> Value {
        let caller = Caller::person(PERSON, TENANT, vec![Role::AccountAdmin])
            .with_places(Places::default(), Places { accounts: vec![OWN], ..Places::default() });
        let request =
            Request { query: query.to_owned(), operation_name: None, variables: None, ..Request::default() };
        let body = self.engine.execute(&caller, &request, |error| panic!("{error:?}"));
        serde_json::from_slice(&body).unwrap()
    }

    #[track_caller]
    fn answers(&self, query: &str) -> Value {
        let answer = self.ask(query);
        assert!(answer["errors"].is_null(), "{answer}");
        answer["data"].clone()
    }

    #[track_caller]
    fn refuses(&self, query: &str) -> String {
        let answer = self.ask(query);
        answer["errors"][0]["message"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }
}

fn catalogue() -> Catalogue {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schema");
    let mut files = Vec::new();
    for part in ["tables", "operations", "views"] {
        for entry in std::fs::read_dir(schema.join(part)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{part}/{}", path.file_name().unwrap().to_str().unwrap());
            files.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
    let sources: Vec<Source<'_>> = files.iter().map(|(name, text)| Source { name, text }).collect();
    Catalogue::parse(&sources).unwrap_or_else(|error| panic!("{error}"))
}

fn fill(rows: &store::Transaction<'_>) -> Result<(), StoreError> {
    let (tenant, person) = (ValueRef::Uuid(TENANT), ValueRef::Uuid(PERSON));
    rows.insert(
        "users",
        &[
            ("id", person),
            ("username", "ada@example.com".into()),
            ("display_name", "Ada".into()),
            ("status", "active".into()),
        ],
    )?;
    rows.insert(
        "tenant",
        &[("id", tenant), ("name", "house".into()), ("created_by", person), ("updated_by", person)],
    )?;
    rows.insert(
        "tenant_users",
        &[("tenant", tenant), ("user_id", person), ("created_by", person), ("updated_by", person)],
    )?;
    for (account, name) in [(OWN, "shop"), (OTHER, "lab")] {
        rows.insert(
            "cloud_accounts",
            &[
                ("id", account.into()),
                ("tenant", tenant),
                ("account_name", name.into()),
                ("account_type", "kubernetes".into()),
                ("created_by", person),
                ("updated_by", person),
            ],
        )?;
        rows.insert(
            "logs",
            &[
                ("tenant_id", tenant),
                ("account_id", account.into()),
                ("timestamp", ValueRef::Timestamp(1_000_000)),
                ("message", name.into()),
            ],
        )?;
    }
    Ok(())
}

fn create(account: Uuid) -> String {
    format!(
        r#"mutation {{
          workflow_create(request: {{ account_id: "{account}", workflow: {{ name: "nightly", definition: {{
            triggers: [{{ type: "manual" }}]
            tasks: [{{ id: "say", type: "core.print", params: {{ message: "hello" }} }}]
          }} }} }}) {{ id }}
        }}"#
    )
}

#[test]
fn workflows_are_written_and_run_in_the_own_account() {
    let house = House::new();
    let created = house.answers(&create(OWN));
    let id = created["workflow_create"]["id"].as_str().unwrap();
    let run = format!(
        r#"mutation {{ workflow_trigger(request: {{ account_id: "{OWN}", id: "{id}" }}) {{ execution_id }} }}"#
    );
    let run = house.answers(&run);
    let run = run["workflow_trigger"]["execution_id"].as_str().unwrap();
    let seen = format!(
        r#"{{ workflow_get_execution(request: {{ account_id: "{OWN}", workflow_id: "{id}", id: "{run}" }}) {{
          status triggered_by tasks {{ id status }} workflow_result
        }} }}"#
    );
    let seen = &house.answers(&seen)["workflow_get_execution"];
    assert_eq!(seen["status"], "SCHEDULED");
    assert_eq!(seen["triggered_by"], PERSON.to_string());
    assert_eq!(seen["tasks"][0]["id"], "say");
    assert!(seen["workflow_result"]["message"].as_str().unwrap().contains("does not carry out"), "{seen}");
}

#[test]
fn another_account_is_as_none() {
    let house = House::new();
    let none = format!("there is no account {OTHER} that you may see");
    assert_eq!(house.refuses(&create(OTHER)), none);
    let list = format!(r#"{{ workflow_list(request: {{ account_id: "{OTHER}" }}) {{ total_count }} }}"#);
    assert_eq!(house.refuses(&list), none);
    let ticket = format!(
        r#"mutation {{ tickets_insert_one(object: {{ title: "x", account_id: "{OTHER}" }}) {{ data {{ insert_tickets_one {{ id }} }} }} }}"#
    );
    assert_eq!(house.refuses(&ticket), none);
}

#[test]
fn lines_of_other_accounts_are_not_found() {
    let house = House::new();
    let found = house.answers(
        r#"mutation { logs_query(request: { query: "", start: "1970-01-01T00:00:00Z", end: "1970-01-01T00:01:00Z" }) { message } }"#,
    );
    assert_eq!(found["logs_query"], serde_json::json!([{ "message": "shop" }]));
}

#[test]
fn tickets_and_auto_pilots_are_written_in_the_own_account() {
    let house = House::new();
    let ticket = format!(
        r#"mutation {{ tickets_insert_one(object: {{ title: "x", account_id: "{OWN}" }}) {{ data {{ insert_tickets_one {{ ticket_id }} }} }} }}"#
    );
    let ticket = house.answers(&ticket);
    assert_eq!(ticket["tickets_insert_one"]["data"]["insert_tickets_one"]["ticket_id"], "QD-1");
    let pilot = format!(
        r#"mutation {{ auto_optimize_insert_one(arg1: {{
          account_id: "{OWN}", category: "pvc_rightsize", dryrun: false, notification: {{}}, schedule: {{}}
          resource_filter: [{{ namespace: "shop" }}]
        }}) {{ id }} }}"#
    );
    assert!(house.answers(&pilot)["auto_optimize_insert_one"]["id"].is_string());
}

#[test]
fn people_and_settings_are_for_administrators_of_the_tenant() {
    let house = House::new();
    for (field, request) in [
        ("users_delete_one", format!(r#"users_delete_one(user: {{ id: "{PERSON}" }}) {{ id }}"#)),
        ("tenant_attribute_upsert", "tenant_attribute_upsert(object: []) { name }".to_owned()),
    ] {
        let expected = format!("field '{field}' not found in type: 'mutation_root'");
        assert_eq!(house.refuses(&format!("mutation {{ {request} }}")), expected);
    }
    let token = house.answers(r#"mutation { users_create_token(user: { name: "report" }) { name token } }"#);
    assert_eq!(token["users_create_token"]["token"].as_str().map(str::len), Some(64));
}
