//! What every role may read: rows, aggregates, views and listings.

use super::world::{World, arguments, keys, labels};
use super::{PLACES, test_callers};
use catalogue::{AccountScope, ListingColumn, ListingSource, ListingValue, Right, TableKind};
use expect_test::expect;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use uuid::Uuid;

#[test]
fn every_role_reads_what_is_decided_and_nothing_else() {
    let world = World::new();
    for who in &test_callers() {
        for (id, table) in world.tables().filter(|(_, table)| table.root && table.exposed) {
            let (name, keys, label) = (&table.name, keys(table), format!("{} of {}", table.name, who.name));
            let expected = world.met(who, Right::Read, id);
            let mut query = format!(
                "{{ list: {name} {{ {keys} }} figures: {name}_aggregate {{ aggregate {{ count }} nodes {{ {keys} }} }}"
            );
            let rows = &world.rows[name];
            for (place, key) in rows {
                query.push_str(&format!(" one{place}: {name}_by_pk({}) {{ {keys} }}", arguments(key)));
            }
            query.push('}');
            let answer = world.ask(who, &query, &Json::Null);
            if !world.catalogue.allows(&world.caller(who), Right::Read, id) {
                assert!(expected.is_empty(), "{label}: {expected:?}");
                let message = answer["errors"][0]["message"].as_str().unwrap();
                assert_eq!(message, format!("field '{name}' not found in type: 'query_root'"));
                continue;
            }
            let data = &answer["data"];
            assert_eq!(labels(&data["list"]), expected, "{label}");
            assert_eq!(labels(&data["figures"]["nodes"]), expected, "{label}");
            assert_eq!(data["figures"]["aggregate"]["count"], json!(expected.len()), "{label}");
            for (place, key) in rows {
                let is_met = expected.contains(&key.to_string());
                let found = &data[format!("one{place}")];
                assert_eq!(*found, if is_met { key.clone() } else { Json::Null }, "{label}");
            }
        }
    }
}

#[test]
fn figures_of_views_and_listings_come_from_the_same_rows() {
    let world = World::new();
    for (name, query, of) in [
        (
            "view",
            "{ rows: k8s_account_resource_usage { account: cloud_account_id } }",
            "cloud_resource_metrics",
        ),
        (
            "listing",
            r#"{ spend_groupings_v2(columns: ["account_id", "spend_count"], group_by: ["account_id"]) { rows { account: account_id } } }"#,
            "spends",
        ),
    ] {
        let table = world.catalogue.find(of).unwrap();
        for who in &test_callers() {
            let rows = world.rows[of].keys().filter(|place| world.meets(who, Right::Read, table, **place));
            let expected: BTreeSet<String> = rows
                .map(|place| json!({"account": Uuid::from_u128(PLACES[*place].1).to_string()}).to_string())
                .collect();
            let answer = world.ask(who, query, &Json::Null);
            let data = &answer["data"];
            let found = match (data["rows"].is_array(), data.is_null()) {
                (true, _) => labels(&data["rows"]),
                (_, true) => BTreeSet::new(),
                _ => labels(&data["spend_groupings_v2"]["rows"]),
            };
            assert_eq!(found, expected, "{name} for {}: {answer}", who.name);
        }
    }
}

#[test]
fn every_listing_shows_rows_of_accounts_the_caller_meets_and_no_others() {
    let world = World::new();
    for listing in &world.catalogue.listings {
        let table = world.catalogue.table(listing.table);
        let Some(AccountScope::Column { account, .. }) = table.account else { continue };
        let is_account = |column: &&ListingColumn| {
            column.row_type.is_some() && column.source == ListingSource::Value(ListingValue::Column(account))
        };
        let Some(column) = listing.columns.iter().find(is_account) else { continue };
        let query = format!("{{ {} {{ rows {{ account: {} }} }} }}", listing.name, column.name);
        // A view lists rows of its tables, never more than the caller may access.
        let is_all = matches!(table.kind, TableKind::Table) && listing.conditions.is_empty();
        let mut shown = 0;
        for who in &test_callers() {
            let places = 0..PLACES.len();
            let met = places.filter(|place| {
                let is_there = !is_all || world.rows[&table.name].contains_key(place);
                is_there && world.meets(who, Right::Read, listing.table, *place)
            });
            let met: BTreeSet<String> = met
                .map(|place| json!({"account": Uuid::from_u128(PLACES[place].1).to_string()}).to_string())
                .collect();
            let answer = world.ask(who, &query, &Json::Null);
            let found = match &answer["data"][&listing.name]["rows"] {
                Json::Null => BTreeSet::new(),
                rows => labels(rows),
            };
            shown += found.len();
            let fits = if is_all { found == met } else { found.is_subset(&met) };
            assert!(fits, "{} for {}: {answer}, expected {met:?}", listing.name, who.name);
        }
        assert!(shown > 0 || !is_all, "{} shows nobody anything", listing.name);
    }
}

#[test]
fn the_decisions_in_figures() {
    let world = World::new();
    let summary: Vec<String> = test_callers()
        .iter()
        .map(|who| {
            let caller = world.caller(who);
            let count = |right| {
                let open = world.tables().filter(|(id, _)| world.catalogue.allows(&caller, right, *id));
                let rows: Vec<usize> = open.map(|(id, _)| world.met(who, right, id).len()).collect();
                format!("{} rows of {} tables", rows.iter().sum::<usize>(), rows.len())
            };
            format!("{}: reads {}, writes {}", who.name, count(Right::Read), count(Right::Write))
        })
        .collect();
    expect![[r"
        tenant_admin: reads 406 rows of 138 tables, writes 306 rows of 104 tables
        tenant_admin_readonly: reads 406 rows of 138 tables, writes 2 rows of 2 tables
        account_admin: reads 178 rows of 92 tables, writes 137 rows of 72 tables
        account_admin_readonly: reads 178 rows of 92 tables, writes 2 rows of 2 tables
        namespace_admin: reads 33 rows of 21 tables, writes 10 rows of 10 tables
        namespace_admin_readonly: reads 33 rows of 21 tables, writes 2 rows of 2 tables
        tenant_usage: reads 23 rows of 11 tables, writes 2 rows of 2 tables
        readonly and account_admin: reads 406 rows of 138 tables, writes 137 rows of 72 tables
        an account and a namespace: reads 109 rows of 92 tables, writes 10 rows of 10 tables"]]
    .assert_eq(&summary.join("\n"));
}
