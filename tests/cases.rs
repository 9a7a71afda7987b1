//! Queries with expected responses: every folder `cases/<area>` is a test with its name for SQLite and one for PostgreSQL, every folder in it a
//! case.
//!
//! A case has `query.graphql` and `expect.json`, the whole response to the last digit; if needed, `variables.json`, and `caller.json`: `{"role":
//! "…"}` or `{"signed_in": false}` (by default an administrator sends the query). An area has `given.json`. It lists files of `fixtures/` to import
//! and, by table, files of the area to load before its cases run: an object in the order of its tables' names, or a list in its own order, if rows
//! refer to each other. A text in that list is the name of a table and of its file; in the file `{{person}}` and `{{tenant}}` are replaced by the
//! ids of the administrator and the tenant. Such files are also loaded for another tenant, with other ids (`-8000-` becomes `-9000-`): if any of
//! those rows were visible, a response would differ. `place` lists files of the area to copy into the data directory, by their path there
//! (`{{data_dir}}` in queries and responses is replaced by that directory), `environment` the settings of the service. `cargo test …
//! cases::on_sqlite::<area>` runs a single area, `UPDATE=1` writes the responses into `expect.json`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::client::Client;
use crate::support::exact::{at, compact, spread};
use crate::support::service::Service;
use crate::support::{fixture, programs};

/// Defines a test for each folder in `cases` and each database. They run in parallel, and each can be run by name.
macro_rules! areas {
    ($($area:ident)*) => {
        /// Every case gives the expected response.
        mod on_sqlite {
            $(#[tokio::test] async fn $area() { super::run_on_sqlite(stringify!($area)).await })*
        }

        /// Every case gives the same response, byte for byte, from PostgreSQL.
        #[cfg(unix)]
        mod on_postgresql {
            $(#[tokio::test] async fn $area() { super::run_on_postgresql(stringify!($area)).await })*
        }

        #[test]
        fn every_folder_is_a_test() {
            let there: Vec<_> = folders(&cases()).into_iter().map(|path| path.file_name().unwrap().to_owned()).collect();
            assert_eq!(there, [$(stringify!($area)),*], "write the folders of tests/cases into `areas!` of tests/cases.rs, by name");
        }
    };
}

areas! {
    advice
    allocation
    anomalies
    approvals
    assistant
    assistant_own
    automation
    automation_written
    cloud
    cluster_costs
    cost
    cost_anomalies
    event_listings
    events
    findings
    graph
    imports
    knowledge
    kubernetes
    limits
    logs
    model_providers
    notices
    people
    playbooks
    playbooks_written
    private_views
    recommendations
    reports
    rights
    saved_views
    savings
    search
    service_models
    sign_in
    spending
    tickets
    tickets_that_wait
    tickets_with_trackers
    warehouse
    webhooks
    workflow_secrets
    workflows
    workflows_written
}

async fn run_on_sqlite(area: &str) {
    run(area, tempfile::tempdir().unwrap()).await;
}

#[cfg(unix)]
async fn run_on_postgresql(area: &str) {
    let Some(database) = crate::support::postgres::begun() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("quarterdeck.toml"), format!("database = \"{database}\"\n")).unwrap();
    run(area, folder).await;
}

/// Runs the cases of an area on its own data directory.
async fn run(area: &str, data_dir: TempDir) {
    let area = cases().join(area);
    let mut failures = String::new();
    let mut callers = BTreeMap::new();
    let service = prepare(&area, data_dir, &mut callers).await;
    let cases = folders(&area);
    assert!(!cases.is_empty(), "{} has no case", area.display());
    for case in cases {
        let answer = ask(&service, &mut callers, &case).await;
        if let Err(difference) = check(&case.join("expect.json"), &answer) {
            write!(failures, "\n── {}\n{difference}", case.display()).unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}\nUPDATE=1 accepts what is answered now.");
}

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

/// A service with the data that the area's cases need.
async fn prepare(area: &Path, data_dir: TempDir, callers: &mut BTreeMap<String, Client>) -> Service {
    let given = read_json(&area.join("given.json")).unwrap_or(json!({}));
    let settings = given["environment"].as_object().into_iter().flatten();
    let settings: Vec<_> = settings.map(|(name, value)| (name.as_str(), value.as_str().unwrap())).collect();
    let service = Service::start_in(data_dir, &settings);
    for file in given["import"].as_array().into_iter().flatten() {
        service.import(&[fixture(file.as_str().unwrap())]);
    }
    for (to, file) in given["place"].as_object().into_iter().flatten() {
        let to = service.data_dir().join(to);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(area.join(file.as_str().unwrap()), to).unwrap();
    }
    let groups = given["load"].as_array().cloned().unwrap_or_else(|| vec![given["load"].clone()]);
    let files = groups.iter().filter_map(Value::as_object).flatten();
    let files: Vec<_> = files.map(|(table, file)| (table.as_str(), file.as_str().unwrap())).collect();
    if !files.is_empty() {
        programs::load(service.data_dir(), None, area, &files);
    }
    let named: Vec<&str> = groups.iter().filter_map(Value::as_str).collect();
    if !named.is_empty() {
        load_for_two(&service, area, &named, callers).await;
    }
    service
}

/// Loads files, named like their tables, for the tenant and for another one.
async fn load_for_two(
    service: &Service,
    area: &Path,
    files: &[&str],
    callers: &mut BTreeMap<String, Client>,
) {
    let client = service.client_of("tenant_admin@example.com", "tenant_admin").await;
    let people = client
        .data("{ users(where: {username: {_eq: \"tenant_admin@example.com\"}}) { id } tenant { id } }")
        .await;
    let (person, tenant) = (at(&people, &["users", "0", "id"]), at(&people, &["tenant", "0", "id"]));
    callers.insert("tenant_admin".to_owned(), client);
    programs::run(service.data_dir(), &["user", "add", "eve@example.com", "--tenant", "Elsewhere"])
        .succeeded();
    let words = [("{{person}}", person.trim_matches('"')), ("{{tenant}}", tenant.trim_matches('"'))];
    programs::load_for_two(service.data_dir(), area, files, &words);
}

async fn ask(service: &Service, callers: &mut BTreeMap<String, Client>, case: &Path) -> String {
    let caller = read_json(&case.join("caller.json")).unwrap_or(json!({ "role": "tenant_admin" }));
    let name = caller["role"].as_str().unwrap_or("stranger").to_owned();
    if !callers.contains_key(&name) {
        let client = if caller["signed_in"] == json!(false) {
            service.stranger()
        } else {
            service.client_of(&format!("{name}@example.com"), &name).await
        };
        callers.insert(name.clone(), client);
    }
    let query = std::fs::read_to_string(case.join("query.graphql")).unwrap();
    let data_dir = service.data_dir().to_str().unwrap();
    let query = query.replace("{{data_dir}}", data_dir);
    let variables = read_json(&case.join("variables.json")).unwrap_or(json!({}));
    callers[&name].ask(&query, &variables).await.body.replace(data_dir, "{{data_dir}}")
}

fn check(file: &Path, answer: &str) -> Result<(), String> {
    let expected = std::fs::read_to_string(file).unwrap_or_default();
    if compact(&expected) == compact(answer) {
        return Ok(());
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(file, spread(answer)).unwrap();
        return Ok(());
    }
    Err(format!("expected {expected}\nanswered {}", spread(answer)))
}

fn read_json(file: &Path) -> Option<Value> {
    let text = std::fs::read_to_string(file).ok()?;
    Some(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display())))
}

/// The folders in `folder`, sorted by name.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}
