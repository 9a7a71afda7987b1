//! Mutations.

use super::{ACME, TestWorld, UMBRELLA};
use catalogue::Role;
use expect_test::{Expect, expect};
use serde_json::Value;

impl TestWorld {
    #[track_caller]
    fn write(&self, query: &str, expected: &Expect) {
        expected.assert_eq(&self.ask_as(Role::TenantAdmin, ACME, query, Value::Null));
    }

    fn count(&self, tenant: u128, table: &str) -> String {
        let query = format!("{{ {table}_aggregate {{ aggregate {{ count }} }} }}");
        let answer = self.ask(tenant, &query, Value::Null);
        answer.rsplit("count\":").next().unwrap().trim_end_matches('}').to_owned()
    }
}

const ACCOUNT: &str = "00000000-0000-0000-0000-000000000001";
const FOREIGN_ACCOUNT: &str = "00000000-0000-0000-0000-000000000003";
const FOREIGN_SPEND: &str = "00000000-0000-0000-0000-00000000000f";

#[test]
fn rows_are_added_with_their_defaults_and_read_back() {
    let house = TestWorld::new();
    house.write(
        &format!(r#"mutation {{ insert_spends(objects: [{{cloud_account: "{ACCOUNT}", date: "2024-11-01", amount: 0.000000000000000001, state: Open, tags: {{a: [1, "x"]}}}}, {{cloud_account: "{ACCOUNT}", date: "2024-11-02", amount: "2", unit: null}}]) {{ affected_rows returning {{ amount date state tags cloudAccountByCloudAccount {{ account_name }} }} }} }}"#),
        &expect![[r#"{"data":{"insert_spends":{"affected_rows":2,"returning":[{"amount":0.000000000000000001,"date":"2024-11-01T00:00:00","state":"Open","tags":{"a":[1,"x"]},"cloudAccountByCloudAccount":{"account_name":"production"}},{"amount":2,"date":"2024-11-02T00:00:00","state":null,"tags":null,"cloudAccountByCloudAccount":{"account_name":"production"}}]}}}"#]],
    );
    assert_eq!(house.count(ACME, "spends"), "6");
    assert_eq!(house.count(UMBRELLA, "spends"), "1");
}

#[test]
fn rows_bring_along_rows_of_their_relationships() {
    let house = TestWorld::new();
    house.write(
        r#"mutation { insert_remark_one(object: {text: "first", spend: {data: {date: "2024-11-01", amount: 5, cloudAccountByCloudAccount: {data: {account_name: "fresh"}}, remarks: {data: [{text: "second"}, {text: "third"}]}}}}) { text spend { amount cloudAccountByCloudAccount { account_name } remarks(order_by: {text: asc}) { text } } } }"#,
        &expect![[r#"{"data":{"insert_remark_one":{"text":"first","spend":{"amount":5,"cloudAccountByCloudAccount":{"account_name":"fresh"},"remarks":[{"text":"first"},{"text":"second"},{"text":"third"}]}}}}"#]],
    );
}

#[test]
fn a_conflict_updates_ignores_or_refuses() {
    let house = TestWorld::new();
    house.write(
        r#"mutation { insert_cloud_accounts_one(object: {account_name: "production"}) { id } }"#,
        &expect![[r#"{"errors":[{"extensions":{"code":"constraint-violation","path":"$.selectionSet.insert_cloud_accounts_one"},"message":"Uniqueness violation. duplicate key value violates unique constraint \"cloud_accounts_name_key\""}]}"#]],
    );
    house.write(
        r#"mutation { kept: insert_cloud_accounts(objects: {account_name: "production", data: {n: 1}}, on_conflict: {constraint: cloud_accounts_name_key, update_columns: []}) { affected_rows } changed: insert_cloud_accounts_one(object: {account_name: "production", data: {n: 2}}, on_conflict: {constraint: cloud_accounts_name_key, update_columns: [data]}) { id data } }"#,
        &expect![[r#"{"data":{"kept":{"affected_rows":0},"changed":{"id":"00000000-0000-0000-0000-000000000001","data":{"n":2}}}}"#]],
    );
}

#[test]
fn columns_are_set_added_to_and_changed_inside() {
    let house = TestWorld::new();
    house.write(
        r#"mutation {
             set: update_spends(where: {service_name: {_eq: "S3"}}, _set: {unit: "EUR"}, _inc: {amount: 0.05, count: 1}, _append: {tags: {more: true}}) { affected_rows returning { unit amount count tags } }
             many: update_spends_many(updates: [{where: {unit: {_eq: "EUR"}}, _delete_key: {tags: "team"}}, {where: {unit: {_eq: "none"}}, _set: {unit: "x"}}]) { affected_rows returning { tags } }
             one: update_spends_by_pk(pk_columns: {id: "00000000-0000-0000-0000-00000000000e"}, _set: {service_name: "RDS"}) { service_name }
             none: update_spends_by_pk(pk_columns: {id: "00000000-0000-0000-0000-0000000000ff"}, _set: {service_name: "RDS"}) { service_name } }"#,
        &expect![[r#"{"data":{"set":{"affected_rows":1,"returning":[{"unit":"EUR","amount":0.25,"count":13,"tags":{"more":true,"n":1,"team":"web"}}]},"many":[{"affected_rows":1,"returning":[{"tags":{"more":true,"n":1}}]},{"affected_rows":0,"returning":[]}],"one":{"service_name":"RDS"},"none":null}}"#]],
    );
}

#[test]
fn a_member_is_taken_from_a_list_and_not_from_an_object() {
    let house = TestWorld::new();
    let update = "mutation { update_spends(where: {}, _delete_elem: {tags: 0}) { affected_rows } }";
    let answer = house.ask_as(Role::TenantAdmin, ACME, update, Value::Null);
    assert!(answer.contains("data-exception"), "{answer}");
    assert!(answer.contains("cannot delete from object using integer index"), "{answer}");
}

#[test]
fn each_of_many_updates_answers_what_stands_after_it() {
    let house = TestWorld::new();
    house.write(
        r#"mutation { update_spends_many(updates: [{where: {service_name: {_eq: "S3"}}, _inc: {amount: 1}}, {where: {service_name: {_eq: "S3"}}, _inc: {amount: 1}}]) { affected_rows returning { amount } } none: update_spends_many(updates: []) { affected_rows } }"#,
        &expect![[r#"{"data":{"update_spends_many":[{"affected_rows":1,"returning":[{"amount":1.2}]},{"affected_rows":1,"returning":[{"amount":2.2}]}],"none":[]}}"#]],
    );
}

#[test]
fn rows_are_removed_and_shown_as_they_were() {
    let house = TestWorld::new();
    house.write(
        r#"mutation { delete_remark(where: {spend: {amount: {_lt: 1}}}) { affected_rows returning { spend { amount } } } delete_remark_by_pk(id: "00000000-0000-0000-0000-00000000000b") { text } again: delete_remark_by_pk(id: "00000000-0000-0000-0000-00000000000b") { text } }"#,
        &expect![[r#"{"data":{"delete_remark":{"affected_rows":2,"returning":[{"spend":{"amount":0.2}},{"spend":{"amount":-3}}]},"delete_remark_by_pk":{"text":"seen"},"again":null}}"#]],
    );
    assert_eq!(house.count(ACME, "remark"), "1");
    assert_eq!(house.count(UMBRELLA, "remark"), "1");
}

#[test]
fn the_writes_of_a_request_are_one_transaction() {
    let house = TestWorld::new();
    house.write(
        r#"mutation { a: delete_remark(where: {}) { affected_rows } b: insert_cloud_accounts_one(object: {account_name: "staging"}) { id } }"#,
        &expect![[r#"{"errors":[{"extensions":{"code":"constraint-violation","path":"$.selectionSet.b"},"message":"Uniqueness violation. duplicate key value violates unique constraint \"cloud_accounts_name_key\""}]}"#]],
    );
    assert_eq!(house.count(ACME, "remark"), "4");
}

#[test]
fn another_tenants_rows_are_out_of_reach() {
    let house = TestWorld::new();
    for query in [
        format!(
            r#"mutation {{ update_spends_by_pk(pk_columns: {{id: "{FOREIGN_SPEND}"}}, _set: {{unit: "x"}}) {{ id }} }}"#
        ),
        format!(r#"mutation {{ delete_spends_by_pk(id: "{FOREIGN_SPEND}") {{ id }} }}"#),
    ] {
        assert!(
            house.ask_as(Role::TenantAdmin, ACME, &query, Value::Null).ends_with("_by_pk\":null}}"),
            "{query}"
        );
    }
    // A reference to another tenant's row gives the same error as a reference to no row.
    let refused = |account: &str| {
        let query = format!(
            r#"mutation {{ insert_spends_one(object: {{cloud_account: "{account}", date: "2024-11-01", amount: 1}}) {{ id }} }}"#
        );
        house.ask_as(Role::TenantAdmin, ACME, &query, Value::Null)
    };
    assert_eq!(refused(FOREIGN_ACCOUNT), refused("00000000-0000-0000-0000-0000000000ff"));
    assert!(refused(FOREIGN_ACCOUNT).contains("violates foreign key constraint"));
    for query in [
        format!(r#"mutation {{ insert_remark_one(object: {{spend_id: "{FOREIGN_SPEND}", text: "x"}}) {{ id }} }}"#),
        r#"mutation { update_spends(where: {}, _set: {tenant: "00000000-0000-0000-0000-00000000000b"}) { affected_rows } }"#.to_owned(),
        r#"mutation { insert_cloud_accounts_one(object: {account_name: "x", tenant: "00000000-0000-0000-0000-00000000000b"}) { id } }"#.to_owned(),
    ] {
        let answer = house.ask_as(Role::TenantAdmin, ACME, &query, Value::Null);
        assert!(answer.contains("permission-error"), "{query}: {answer}");
    }
    assert_eq!(house.count(UMBRELLA, "spends"), "1");
    assert_eq!(house.count(ACME, "spends"), "4");
}

#[test]
fn lookups_the_tenant_and_what_the_service_keeps_are_not_written() {
    let house = TestWorld::new();
    for query in [
        r#"mutation { insert_state_one(object: {value: "Lost"}) { value } }"#,
        r#"mutation { update_tenant(where: {}, _set: {name: "mine"}) { affected_rows } }"#,
        r#"mutation { insert_kept_one(object: {id: "00000000-0000-0000-0000-0000000000ff"}) { id } }"#,
    ] {
        let answer = house.ask_as(Role::TenantAdmin, ACME, query, Value::Null);
        assert!(answer.contains("permission-error"), "{query}: {answer}");
    }
    let answer = house.ask(ACME, "mutation { delete_spends(where: {}) { affected_rows } }", Value::Null);
    assert!(answer.contains("field 'delete_spends' not found in type: 'mutation_root'"), "{answer}");
}

#[test]
fn mistakes_in_writes_are_told_with_their_place() {
    let house = TestWorld::new();
    for (query, part) in [
        ("mutation { insert_spends { affected_rows } }", "missing required argument 'objects'"),
        ("mutation { update_spends(where: {}) { affected_rows } }", "at least any one of _set"),
        (
            "mutation { update_spends(where: {}, _inc: {unit: 1}) { affected_rows } }",
            "field 'unit' not found in type: 'spends_inc_input'",
        ),
        (
            "mutation { insert_spends(objects: {amount: null}) { affected_rows } }",
            "unexpected null value for type 'float8'",
        ),
        ("mutation { insert_spends(objects: {amount: 1}) { affected_rows } }", "Not-NULL violation"),
        (
            "mutation { insert_session_one(object: {}) { id } }",
            "field 'insert_session_one' not found in type: 'mutation_root'",
        ),
        (
            "mutation { insert_cloud_accounts_one(object: {account_name: \"x\", access_secret: \"y\"}) { access_secret } }",
            "field 'access_secret' not found",
        ),
        (
            "mutation { insert_spends(objects: [], on_conflict: {constraint: nope, update_columns: []}) { affected_rows } }",
            "expected one of the values ['spends_pkey']",
        ),
    ] {
        let answer = house.ask_as(Role::TenantAdmin, ACME, query, Value::Null);
        assert!(answer.contains(part), "{query}: {answer}");
    }
}

#[test]
fn writes_that_come_together_are_answered_each_for_itself() {
    let house = TestWorld::new();
    let answers: Vec<(usize, String)> = std::thread::scope(|scope| {
        let house = &house;
        let one = |number: usize| {
            // Every third mutation violates a constraint after it has written something.
            let second =
                if number.is_multiple_of(3) { "production".to_owned() } else { format!("second {number}") };
            let query = format!(
                r#"mutation {{ first: insert_cloud_accounts_one(object: {{account_name: "first {number}"}}) {{ account_name }} second: insert_cloud_accounts_one(object: {{account_name: "{second}"}}) {{ account_name }} }}"#
            );
            (number, house.ask_as(Role::TenantAdmin, ACME, &query, Value::Null))
        };
        let threads: Vec<_> = (0..24).map(|number| scope.spawn(move || one(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (number, answer) in answers {
        let query = format!(
            r#"{{ cloud_accounts(where: {{account_name: {{_ilike: "% {number}"}}}}) {{ account_name }} }}"#
        );
        let found = house.ask(ACME, &query, Value::Null).matches("account_name").count();
        if number.is_multiple_of(3) {
            assert!(answer.contains("cloud_accounts_name_key"), "{answer}");
            assert_eq!(found, 0, "{number}");
        } else {
            assert!(answer.starts_with(r#"{"data":{"first""#), "{answer}");
            assert_eq!(found, 2, "{number}");
        }
    }
}
