//! The catalogue agrees with the facts of the interface (`../shared/reference/tables.json`), area by area.
//!
//! Intended differences are listed in [`ON_PURPOSE`] with their reason; an unused entry fails the test as well.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use catalogue::{Catalogue, RelationshipKind, Table, TableKind};
use serde_json::Value;

/// Intended differences and their reasons. The first text is the line the test prints.
const ON_PURPOSE: &[(&str, &str)] = &[
    ("tenant_users: column user uuid! is missing", USER),
    ("tenant_users: column user_id uuid! is ours", USER),
    ("tenant_users: relationship user one users! on user_id=id is ours", USER),
    ("tenant_users: relationship userByUser joins user_id=id, not user=id", USER),
    ("tenant_users: constraint tenant_users_tenant_user_key binds tenant, user_id, not tenant, user", USER),
    ("users: relationship tenantUsersByUser joins id=user_id, not id=user", USER),
    (
        "users: relationship user_auths is missing",
        "what proves who a person is is never reached through the interface",
    ),
    ("events: column severity event_severity_enum is ours", CONTRACT),
    ("k8s_workloads: column id uuid! is ours", CONTRACT),
    ("k8s_workloads: column workload_type String! is ours", CONTRACT),
    ("k8s_workloads: column replicas Int! is ours", CONTRACT),
    ("k8s_workloads: column status String is ours", CONTRACT),
    ("k8s_workloads: column cpu_request float8 is ours", CONTRACT),
    ("k8s_workloads: column cpu_limit float8 is ours", CONTRACT),
    ("k8s_workloads: column memory_request float8 is ours", CONTRACT),
    ("k8s_workloads: column memory_limit float8 is ours", CONTRACT),
    ("auto_pilot: column description String is ours", CONTRACT),
    ("auto_pilot: column trigger_type String is ours", CONTRACT),
    ("auto_pilot: column created_at timestamp is ours", CONTRACT),
    (
        "auto_pilot: relationship auto_pilot_approval_policy one auto_pilot_approval_policy on tenant_id=tenant_id, account_id=account_id is ours",
        CONTRACT,
    ),
    ("auto_pilot_approval_policy: column approval_type String is ours", CONTRACT),
    ("auto_pilot_approval_policy: column status String is ours", CONTRACT),
    ("anomaly_config: column enabled Boolean! is ours", RULES),
    ("anomaly_type: value Events is ours", COUNTED),
    ("event_source: value dynatrace_webhook is ours", SENDERS),
    ("event_source: value grafana_webhook is ours", SENDERS),
    ("event_source: value newrelic_webhook is ours", SENDERS),
    ("event_source: value opsgenie_webhook is ours", SENDERS),
    ("event_source: value prometheus_alertmanager_webhook is ours", SENDERS),
    ("anomaly: column scope String is ours", COSTS),
    ("anomaly: column currency String is ours", COSTS),
    ("anomaly: column started_on date is ours", COSTS),
    ("anomaly: column ended_on date is ours", COSTS),
    ("anomaly: column state String is ours", COSTS),
    ("anomaly: column impact numeric is ours", COSTS),
    ("anomaly: column rule_version String is ours", COSTS),
    ("anomaly: column feedback String is ours", COSTS),
    ("anomaly: column import_id uuid is ours", COSTS),
    ("cloud_provider_type: value OCI is ours", FOCUS),
    ("cloud_provider_type: value Alibaba is ours", FOCUS),
    ("spends: relationship import one imports on import_id=id is ours", FOCUS),
    ("spends: column billed_cost float8! is ours", FOCUS),
    ("recommendation: column dismissed_until date is ours", PROOF),
    ("recommendation: column closed_at timestamp is ours", PROOF),
    ("recommendation: column closed_bill_until date is ours", PROOF),
    ("recommendation: column closing_data_until timestamp is ours", PROOF),
    ("recommendation: column status_before_closing String is ours", PROOF),
    ("recommendation: column note_before_closing String is ours", PROOF),
    ("recommendation: column rule_version String is ours", PROOF),
    ("event_bulk_operations: relationship cloud_account one cloud_accounts! on account_id=id is ours", SCOPE),
    ("event_log_analysis: relationship event one events! on event_id=id is ours", SCOPE),
    ("event_resolution: relationship event one events! on event_id=id is ours", SCOPE),
];
const USER: &str = "the contract selects tenant_users { user { … } }: one name cannot be a column and a row";
const CONTRACT: &str = "the contract has it, the reference does not";
const SENDERS: &str = "they send webhooks besides";
const COSTS: &str = "costs are judged as well as metrics";
const FOCUS: &str = "cost files say it";
const RULES: &str = "a rule is switched off without being forgotten";
const COUNTED: &str = "issue 25: events by rate with the same engine, which anomaly_config configures";
const PROOF: &str = "savings are proved by later bills, and what rules find is judged anew";
const SCOPE: &str = "the way to the tenant of a table without tenant column";

#[test]
fn tables_are_those_of_the_reference() {
    let path = reference();
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("not compared: {} is not here (set REFERENCE to its folder)", path.display());
        return;
    };
    let facts: Value = serde_json::from_str(&text).unwrap();
    let catalogue = support::catalogue();
    let mut differences = BTreeMap::<String, Vec<String>>::new();
    for (kind, is_root) in [("tables", true), ("external_tables", false)] {
        for (name, fact) in facts[kind].as_object().unwrap() {
            let area = fact["area"].as_str().unwrap_or("Beside the areas").to_owned();
            let found = compare(&catalogue, name, fact, is_root);
            differences.entry(area).or_default().extend(found);
        }
    }
    let mut unused = ON_PURPOSE.iter().map(|(line, _)| *line).collect::<BTreeSet<_>>();
    let mut report = Vec::new();
    for (area, lines) in differences {
        let lines = lines.iter().filter(|line| !unused.remove(line.as_str())).collect::<Vec<_>>();
        if !lines.is_empty() {
            report.extend(std::iter::once(area).chain(lines.into_iter().map(|line| format!("  {line}"))));
        }
    }
    for line in unused {
        report.push(format!("no difference any more, take it out of ON_PURPOSE: {line}"));
    }
    assert!(report.is_empty(), "schema/ and tables.json differ:\n{}", report.join("\n"));
}

/// In `shared/` beside the repository, unless the environment variable `REFERENCE` names another folder.
fn reference() -> PathBuf {
    let folder = std::env::var_os("REFERENCE").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/reference"),
        PathBuf::from,
    );
    folder.join("tables.json")
}

fn compare(catalogue: &Catalogue, name: &str, fact: &Value, is_root: bool) -> Vec<String> {
    let Some(id) = catalogue.find(name) else {
        return vec![format!("{name}: the table is missing")];
    };
    let table = catalogue.table(id);
    let mut found = Vec::new();
    if table.root != is_root {
        found.push(format!("has {}root fields", if table.root { "" } else { "no " }));
    }
    let is_view = matches!(table.kind, TableKind::View { .. });
    if is_view != (fact["kind"] == "view") {
        found.push(format!("is {}a view", if is_view { "" } else { "not " }));
    }
    columns(table, fact, is_root, &mut found);
    relationships(catalogue, table, fact, is_root, &mut found);
    keys(table, fact, &mut found);
    values(table, fact, &mut found);
    found.into_iter().map(|line| format!("{name}: {line}")).collect()
}

fn columns(table: &Table, fact: &Value, is_root: bool, found: &mut Vec<String>) {
    let expected = list(&fact["columns"]).map(|column| (text(&column["name"]), text(&column["type"])));
    let expected = expected.collect::<BTreeMap<_, _>>();
    let ours = |name: &str| {
        // Columns of a cost file beyond those of the contract; the README of `schema/` lists them.
        table.name == "spends" && table.find_column(name) >= table.find_column("import_id")
    };
    for column in table.interface_columns() {
        let ty = format!("{}{}", column.scalar.graphql_name(), if column.nullable { "" } else { "!" });
        match expected.get(&column.name) {
            None if is_root && ours(&column.name) => {}
            None => found.push(format!("column {} {ty} is ours", column.name)),
            Some(expected) if *expected != ty => {
                found.push(format!("column {} is {ty}, not {expected}", column.name));
            }
            Some(_) => {}
        }
    }
    for (name, ty) in expected.iter().filter(|(name, _)| table.find_column(name).is_none()) {
        found.push(format!("column {name} {ty} is missing"));
    }
}

fn relationships(catalogue: &Catalogue, table: &Table, fact: &Value, is_root: bool, found: &mut Vec<String>) {
    let mut expected = BTreeMap::new();
    for relationship in list(&fact["relationships"]).chain(list(&fact["external_relationships"])) {
        let join = relationship["join"].as_object().unwrap();
        let join =
            join.iter().map(|(here, there)| format!("{here}={}", text(there))).collect::<Vec<_>>().join(", ");
        expected.insert(text(&relationship["name"]), (text(&relationship["type"]), join));
    }
    for relationship in &table.relationships {
        let target = catalogue.table(relationship.target);
        let (kind, ty) = match relationship.kind {
            RelationshipKind::Many => ("many", format!("[{}!]!", target.name)),
            RelationshipKind::One => {
                ("one", format!("{}{}", target.name, if relationship.nullable { "" } else { "!" }))
            }
        };
        let join = relationship.join.iter();
        let join =
            join.map(|(here, there)| format!("{}={}", table.column(*here).name, target.column(*there).name));
        let join = join.collect::<Vec<_>>().join(", ");
        let name = &relationship.name;
        match expected.get(name) {
            // The reference does not list relationships of tables outside the areas.
            None if !is_root => {}
            None => found.push(format!("relationship {name} {kind} {ty} on {join} is ours")),
            Some((expected, _)) if *expected != ty => {
                found.push(format!("relationship {name} is {ty}, not {expected}"));
            }
            Some((_, expected)) if *expected != join => {
                found.push(format!("relationship {name} joins {join}, not {expected}"));
            }
            Some(_) => {}
        }
    }
    for name in expected.keys().filter(|name| table.find_relationship(name).is_none()) {
        found.push(format!("relationship {name} is missing"));
    }
}

fn keys(table: &Table, fact: &Value, found: &mut Vec<String>) {
    let names = |columns: &[catalogue::ColumnId]| {
        sorted(columns.iter().map(|column| table.column(*column).name.clone()))
    };
    let key = names(&table.primary_key);
    let expected = sorted(list(&fact["primary_key"]).map(text));
    if key != expected {
        found.push(format!("the key is {key}, not {expected}"));
    }
    let mut ours = table
        .unique
        .iter()
        .map(|unique| (unique.name.clone(), names(&unique.columns)))
        .collect::<BTreeMap<_, _>>();
    if !table.primary_key.is_empty() {
        ours.insert(table.primary_key_name.clone(), key);
    }
    for constraint in list(&fact["constraints"]) {
        let name = text(&constraint["name"]);
        let expected = sorted(list(&constraint["columns"]).map(text));
        match ours.remove(&name) {
            None => found.push(format!("constraint {name} is missing")),
            Some(columns) if columns != expected => {
                found.push(format!("constraint {name} binds {columns}, not {expected}"));
            }
            Some(_) => {}
        }
    }
    // Constraint names are part of the interface only for tables that can be written through it.
    if fact["constraints"].is_array() {
        found.extend(ours.into_keys().map(|name| format!("constraint {name} is ours")));
    }
}

fn values(table: &Table, fact: &Value, found: &mut Vec<String>) {
    let TableKind::Lookup { values, enum_name } = &table.kind else {
        if fact["lookup"].is_object() {
            found.push("is not a lookup".to_owned());
        }
        return;
    };
    if let Some(expected) = fact["lookup"]["graphql_enum"].as_str()
        && enum_name.as_deref() != Some(expected)
    {
        found.push(format!("the enum is {enum_name:?}, not {expected}"));
    }
    let ours = values.iter().map(|value| value.value.clone()).collect::<BTreeSet<_>>();
    let expected = list(&fact["lookup"]["values"]).map(text).collect::<BTreeSet<_>>();
    found.extend(ours.difference(&expected).map(|value| format!("value {value} is ours")));
    found.extend(expected.difference(&ours).map(|value| format!("value {value} is missing")));
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn sorted(names: impl Iterator<Item = String>) -> String {
    let mut names = names.collect::<Vec<_>>();
    names.sort_unstable();
    names.join(", ")
}
