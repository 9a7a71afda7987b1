//! What every role may update, insert and delete.

use super::test_callers;
use super::world::{World, arguments, keys, labels, plain};
use catalogue::{AccountScope, Caller, CallerAccounts, RelationshipKind, Right, Scope, Table, Writers};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use uuid::Uuid;

/// A nullable column that does not affect who may access the row.
fn harmless(table: &Table) -> Option<&str> {
    let joins = |id| {
        let ways = table.relationships.iter().filter(|way| way.kind == RelationshipKind::One);
        ways.flat_map(|way| &way.join).any(|(here, _)| *here == id)
    };
    let decides = |id| match table.account {
        Some(AccountScope::Column { account, namespace }) => account == id || namespace == Some(id),
        _ => false,
    };
    let free = table.iter_columns().find(|(id, column)| {
        column.nullable
            && column.references.is_none()
            && !joins(*id)
            && !decides(*id)
            && table.scope != Scope::Tenant(*id)
            && table.own_user_column != Some(*id)
            && table.private_user_column != Some(*id)
    });
    free.map(|(_, column)| column.name.as_str())
}

#[test]
fn every_role_changes_what_is_decided_and_nothing_else() {
    let world = World::new();
    let before = world.count();
    for who in &test_callers() {
        for (id, table) in world.tables().filter(|(_, table)| table.root && table.exposed) {
            let (name, keys, label) = (&table.name, keys(table), format!("{} by {}", table.name, who.name));
            let caller = world.caller(who);
            let may = table.writers() != Writers::Nobody && world.catalogue.allows(&caller, Right::Write, id);
            let expected = if may { world.met(who, Right::Write, id) } else { BTreeSet::new() };
            if let Some(column) = harmless(table) {
                let query = format!(
                    "mutation {{ update_{name}(where: {{}}, _set: {{{column}: null}}) {{ affected_rows returning {{ {keys} }} }} }}"
                );
                let answer = world.ask(who, &query, &Json::Null);
                if may {
                    let changed = &answer["data"][format!("update_{name}")];
                    assert_eq!(changed["affected_rows"], json!(expected.len()), "{label}: {answer}");
                    assert_eq!(labels(&changed["returning"]), expected, "{label}");
                } else {
                    let code = &answer["errors"][0]["extensions"]["code"];
                    let whole = who.tenant == Some(Right::Write);
                    assert_eq!(
                        *code,
                        if whole { "permission-error" } else { "validation-failed" },
                        "{label}"
                    );
                }
            }
            for (place, key) in &world.rows[name] {
                if expected.contains(&key.to_string()) {
                    continue;
                }
                let query = format!("mutation {{ delete_{name}_by_pk({}) {{ {keys} }} }}", arguments(key));
                let answer = world.ask(who, &query, &Json::Null);
                assert!(answer["data"][format!("delete_{name}_by_pk")].is_null(), "{label}: {answer}");
                let object: serde_json::Map<String, Json> = world
                    .row(id, *place, true)
                    .iter()
                    .map(|(id, value)| {
                        (table.column(*id).name.clone(), plain(&table.column(*id).scalar, value))
                    })
                    .collect();
                let query = format!(
                    "mutation($row: {name}_insert_input!) {{ insert_{name}_one(object: $row) {{ {keys} }} }}"
                );
                let answer = world.ask(who, &query, &json!({"row": object}));
                assert!(answer["errors"].is_array(), "{label}: {answer}");
            }
        }
    }
    assert_eq!(world.count(), before);
}

/// A caller who may write both accounts of the first tenant.
fn writer_of_both(world: &World) -> Caller {
    let accounts = vec![Uuid::from_u128(0xA1), Uuid::from_u128(0xA2)];
    let places = CallerAccounts { accounts, namespaces: Vec::new() };
    world.caller(&test_callers()[2]).with_accounts(CallerAccounts::default(), places)
}

#[test]
fn no_row_is_moved_to_another_account() {
    let world = World::new();
    let caller = writer_of_both(&world);
    let (here, there) = (Uuid::from_u128(0xA1), Uuid::from_u128(0xA2));
    let set = |account: Uuid| {
        let query = format!(
            r#"mutation {{ update_recommendation(where: {{cloud_account_id: {{_eq: "{here}"}}}}, _set: {{cloud_account_id: "{account}"}}) {{ affected_rows }} }}"#
        );
        world.ask_as(&caller, &query, &Json::Null)
    };
    assert_eq!(set(there)["errors"][0]["extensions"]["code"], "permission-error");
    assert_eq!(set(here)["data"]["update_recommendation"]["affected_rows"], 2);

    let table = world.catalogue.find("recommendation").unwrap();
    let id = &world.rows["recommendation"][&0]["id"];
    let mut row = serde_json::Map::new();
    for (column, value) in world.row(table, 0, false) {
        let column = world.catalogue.table(table).column(column);
        row.insert(column.name.clone(), plain(&column.scalar, &value));
    }
    row.insert("cloud_account_id".to_owned(), json!(there.to_string()));
    let query = "mutation($row: recommendation_insert_input!) { insert_recommendation_one(object: $row, \
        on_conflict: {constraint: recommendation_pkey, update_columns: [cloud_account_id]}) { id } }";
    let answer = world.ask_as(&caller, query, &json!({"row": row}));
    assert!(answer["data"]["insert_recommendation_one"].is_null(), "{answer}");
    let query = format!("{{ recommendation_by_pk(id: {id}) {{ cloud_account_id }} }}");
    let found = world.ask_as(&caller, &query, &Json::Null);
    assert_eq!(found["data"]["recommendation_by_pk"]["cloud_account_id"], here.to_string());
}

#[test]
fn a_row_is_added_only_where_the_caller_writes() {
    let world = World::new();
    let caller = world.caller(&test_callers()[2]);
    let add = |account: u128| {
        let account = Uuid::from_u128(account);
        let query = format!(
            r#"mutation {{ insert_recommendation_one(object: {{cloud_account_id: "{account}", recommendation_action: Modify, recommendation: {{}}, rule_name: "r"}}) {{ cloud_account_id }} }}"#
        );
        world.ask_as(&caller, &query, &Json::Null)
    };
    let own = add(0xA1);
    assert_eq!(
        own["data"]["insert_recommendation_one"]["cloud_account_id"],
        json!(Uuid::from_u128(0xA1).to_string())
    );
    for foreign in [0xA2, 0xB1] {
        assert_eq!(add(foreign)["errors"][0]["extensions"]["code"], "permission-error");
    }
}

#[test]
fn nobody_gives_roles_or_changes_accounts_lookups_and_the_tenant() {
    let world = World::new();
    let everybody = test_callers();
    for (who, query) in [
        (0, r#"mutation { update_user_roles(where: {}, _set: {role: "tenant_admin"}) { affected_rows } }"#),
        (0, "mutation { delete_user_roles(where: {}) { affected_rows } }"),
        (0, "mutation { delete_tenant_users(where: {}) { affected_rows } }"),
        (0, r#"mutation { update_tenant(where: {}, _set: {name: "mine"}) { affected_rows } }"#),
        (0, "mutation { delete_event_severity(where: {}) { affected_rows } }"),
        (2, "mutation { delete_cloud_accounts(where: {}) { affected_rows } }"),
        (2, "mutation { delete_auto_pilot_approvals(where: {}) { affected_rows } }"),
    ] {
        let answer = world.ask(&everybody[who], query, &Json::Null);
        assert!(answer["errors"].is_array(), "{query}: {answer}");
    }
}
