//! Operations: the arguments of their code, and the handling of its results.

use super::{ACME, TestWorld};
use crate::{Call, Engine, Operations, PreTransactionCall, ReadAhead, Refusal, Request};
use catalogue::{Caller, Catalogue, Role, Root, Source};
use expect_test::{Expect, expect};
use serde_json::{Value, json};
use std::sync::Arc;
use store::{Store, eq};
use uuid::Uuid;

const TABLES: &str = r#"
"A house that owns rows."
type tenant @table(tenant: "id") { id: uuid! @key  name: citext! }

"A thing people keep."
type note @table(tenant: "tenant", account: none) {
  id: uuid! @key @default(call: random_uuid)
  tenant: uuid!
  text: String!
  pin: String @secret
}

"Who did what."
type trail @table(tenant: "tenant_id", account: none, write: false) @trail {
  id: uuid! @key @default(call: random_uuid)
  tenant_id: uuid!
  user_id: uuid
  created_at: timestamptz!
  table_name: String!
  row_key: jsonb!
  change: String!
  operation: String!
  before: jsonb
  after: jsonb
}
"#;

const OPERATIONS: &str = r#"
extend type query_root {
  "Gives back what it was given."
  echo(request: EchoRequest!, kind: echo_kind = LOUD, times: [Int!]): Echo @operation(roles: [tenant_admin, account_admin])
  "How many notes there are."
  note_count: Int! @operation(roles: [tenant_admin])
  "Two lists the interface declares as one object."
  declared_as_one: Rows @operation(roles: [tenant_admin])
  "Which members are selected."
  selected: Echo @operation(roles: [tenant_admin])
  "Answers what it must not."
  broken: Int! @operation(roles: [tenant_admin])
}
extend type mutation_root {
  "Writes a note, and is refused all the same."
  note_keep(text: String!): Note @operation(roles: [tenant_admin])
  "Writes a note, unless it is empty."
  note_write(text: String!): Note @operation(roles: [tenant_admin])
  "Removes all notes of that text."
  note_remove(text: String!): Int @operation(roles: [tenant_admin])
  "How many notes there are, and how many were counted ahead."
  note_recount: Counted @operation(roles: [tenant_admin])
}
"How to say it."
enum echo_kind { LOUD QUIET }
type Echo { given: json, arguments: json, inner: [Echo!] }
type Rows { rows: Row! }
type Row { n: Int! }
type Note { id: uuid!, text: String! }
type Counted { ahead: Int, now: Int! }
input EchoRequest { id: uuid!, at: timestamp, tags: [String!] = ["none"], much: Float, many: bigint, inner: [EchoRequest!], any: jsonb }
"#;

struct Code;

impl Operations for Code {
    fn has(&self, _: Root, name: &str) -> bool {
        name != "missing"
    }

    fn call(&self, call: &Call<'_>) -> Result<Value, Refusal> {
        let text = call.arguments.get("text").and_then(Value::as_str).unwrap_or_default();
        Ok(match call.name {
            "echo" => json!({ "given": call.arguments, "inner": [{ "given": 1 }, {}] }),
            "note_count" => json!(call.rows.count("note", &[])?),
            "declared_as_one" => json!({ "rows": [{ "n": 1 }, { "n": 2 }] }),
            "broken" => Value::Null,
            "selected" => {
                let paths: [&[&str]; 3] = [&["given"], &["inner", "arguments"], &["inner", "inner", "given"]];
                json!({ "given": paths.map(|path| call.selects(path)) })
            }
            "note_keep" => {
                call.rows.insert("note", &[("text", text.into())])?;
                return Err(Refusal::conflict("it is kept, not answered").keeping_changes());
            }
            "note_write" if text.is_empty() => return Err(Refusal::invalid("a note says something")),
            "note_write" => {
                let id = Uuid::from_u128(u128::from(text.len() as u64));
                call.rows
                    .insert("note", &[("id", id.into()), ("text", text.into()), ("pin", "1234".into())])?;
                json!({ "id": id.to_string(), "text": text })
            }
            "note_recount" => {
                json!({ "ahead": call.read_ahead::<u64>(), "now": call.rows.count("note", &[])? })
            }
            _ => json!(call.rows.delete("note", &[eq("text", text)])?),
        })
    }

    /// A note is written after they were counted: no transaction is open yet.
    fn read_ahead(&self, ahead: &PreTransactionCall<'_>) -> Option<ReadAhead> {
        if ahead.name != "note_recount" {
            return None;
        }
        let store = ahead.engine.store();
        let count = store.snapshot(ahead.caller, |rows| rows.count("note", &[])).ok()?;
        let note = [("text", "meanwhile".into())];
        let write = |rows: &store::Transaction<'_>| rows.insert("note", &note);
        store.transaction_within(ahead.caller, std::time::Duration::ZERO, write).ok()?;
        Some(Box::new(count))
    }
}

struct Desk {
    engine: Engine,
    _folder: tempfile::TempDir,
}

fn catalogue(operations: &str) -> Catalogue {
    let sources = [
        Source { name: "tables/notes.graphql", text: TABLES },
        Source { name: "operations/notes.graphql", text: operations },
    ];
    Catalogue::parse(&sources).unwrap()
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("desk.db"), Arc::new(catalogue(OPERATIONS))).unwrap();
        let store = store.with_clock(|| 1_700_000_000_000_000);
        let engine = Engine::new(store).unwrap().with_operations(Arc::new(Code)).unwrap();
        Self { engine, _folder: folder }
    }

    fn ask_as(&self, role: Role, query: &str) -> String {
        let caller = Caller::user(Uuid::from_u128(7), Uuid::from_u128(ACME), vec![role]);
        let request = Request { query: query.to_owned(), ..Request::default() };
        String::from_utf8(self.engine.execute(&caller, &request, drop)).unwrap()
    }

    #[track_caller]
    fn check(&self, query: &str, expected: Expect) {
        expected.assert_eq(&self.ask_as(Role::TenantAdmin, query));
    }
}

#[test]
fn arguments_come_as_they_are_declared() {
    let desk = Desk::new();
    desk.check(
        r#"{ echo(request: {id: "0000000A-0000-0000-0000-000000000000", at: "2024-01-01", much: "1.5", many: "12", inner: {id: "00000000-0000-0000-0000-000000000001", tags: "one"}, any: {a: [1, null]}}, times: 3) { given } }"#,
        expect![[r#"{"data":{"echo":{"given":{"kind":"LOUD","request":{"any":{"a":[1,null]},"at":"2024-01-01","id":"0000000a-0000-0000-0000-000000000000","inner":[{"id":"00000000-0000-0000-0000-000000000001","tags":["one"]}],"many":12,"much":1.5,"tags":["none"]},"times":[3]}}}}"#]],
    );
}

#[test]
fn code_knows_what_is_selected_of_its_answer() {
    let desk = Desk::new();
    desk.check(
        "{ selected { it: given inner { ...more } } } fragment more on Echo { arguments inner { arguments } }",
        expect![[r#"{"data":{"selected":{"it":[true,true,false],"inner":null}}}"#]],
    );
}

#[test]
fn a_refusal_may_keep_what_was_written_before_it_and_ends_the_request() {
    let desk = Desk::new();
    desk.check(
        r#"mutation { a: note_write(text: "a") { id } b: note_keep(text: "bb") { id } c: note_write(text: "ccc") { id } }"#,
        expect![[r#"{"errors":[{"extensions":{"code":"conflict","path":"$.selectionSet.note_keep"},"message":"it is kept, not answered"}]}"#]],
    );
    desk.check(
        "{ note(order_by: {text: asc}) { text } }",
        expect![[r#"{"data":{"note":[{"text":"a"},{"text":"bb"}]}}"#]],
    );
}

#[test]
fn arguments_that_do_not_fit_are_named() {
    let desk = Desk::new();
    let wrong = |arguments: &str, expected: Expect| {
        let answer = desk.ask_as(Role::TenantAdmin, &format!("{{ echo({arguments}) {{ given }} }}"));
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let error = &answer["errors"][0];
        let path =
            error["extensions"]["path"].as_str().unwrap().trim_start_matches("$.selectionSet.echo.args");
        expected.assert_eq(&format!("{path}: {}", error["message"].as_str().unwrap()));
    };
    let id = r#"id: "00000000-0000-0000-0000-000000000001""#;
    wrong("kind: LOUD", expect![": missing required argument 'request'"]);
    wrong("request: {}", expect![".request: missing required field 'id'"]);
    wrong("request: null", expect![".request: unexpected null value for type 'EchoRequest'"]);
    wrong(
        "request: {id: 7}",
        expect![".request.id: expected a UUID as a string for type 'uuid', but found 7"],
    );
    wrong(
        &format!("request: {{{id}, colour: 1}}"),
        expect![".request.colour: field 'colour' not found in type: 'EchoRequest'"],
    );
    wrong(
        &format!("request: {{{id}, at: \"soon\"}}"),
        expect![[r#".request.at: invalid input syntax for type timestamp: "soon""#]],
    );
    wrong(
        &format!("request: {{{id}, inner: [null]}}"),
        expect![".request.inner[0]: unexpected null value for type 'EchoRequest'"],
    );
    wrong(
        &format!("request: {{{id}}}, kind: SHRILL"),
        expect![[
            r#".kind: expected one of the values ['LOUD', 'QUIET'] for type 'echo_kind', but found "SHRILL""#
        ]],
    );
    wrong(
        &format!("request: {{{id}}}, times: [1.5]"),
        expect![".times[0]: expected a 32-bit integer for type 'Int', but found 1.5"],
    );
    wrong(&format!("request: {{{id}}}, more: 1"), expect![".more: 'echo' has no argument named 'more'"]);
}

#[test]
fn the_selection_is_picked_from_the_answer() {
    let desk = Desk::new();
    let id = r#"request: {id: "00000000-0000-0000-0000-000000000001"}"#;
    desk.check(
        &format!("query($no: Boolean = false) {{ first: echo({id}) {{ __typename ...more given @include(if: $no) }} declared_as_one {{ list: rows {{ n n2: n }} }} }} fragment more on Echo {{ inner {{ it: given __typename }} arguments }}"),
        expect![[r#"{"data":{"first":{"__typename":"Echo","inner":[{"it":1,"__typename":"Echo"},{"it":null,"__typename":"Echo"}],"arguments":null},"declared_as_one":{"list":[{"n":1,"n2":1},{"n":2,"n2":2}]}}}"#]],
    );
    desk.check(&format!("{{ echo({id}) {{ volume }} }}"), expect![[r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.echo.selectionSet.volume"},"message":"field 'volume' not found in type: 'Echo'"}]}"#]]);
    desk.check(&format!("{{ echo({id}) }}"), expect![[r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.echo.selectionSet"},"message":"missing selection set for 'Echo'"}]}"#]]);
    desk.check(&format!("{{ echo({id}) {{ given {{ id }} }} }}"), expect![[r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.echo.selectionSet.given"},"message":"unexpected subselection set for non-object field of type 'json'"}]}"#]]);
}

#[test]
fn an_answer_that_breaks_its_declaration_is_a_failure_of_ours() {
    Desk::new().check(
        "{ broken }",
        expect![[r#"{"data":{"broken":null},"errors":[{"extensions":{"code":"unexpected","path":"$.selectionSet.broken"},"message":"the operation failed","path":["broken"]}]}"#]],
    );
}

#[test]
fn writes_of_a_request_share_a_transaction_in_their_order() {
    let desk = Desk::new();
    desk.check(
        r#"mutation { note_write(text: "one") { id } insert_note_one(object: {text: "two"}) { text } note_remove(text: "two") delete_note(where: {text: {_eq: "one"}}) { affected_rows } last: note_write(text: "three") { text } }"#,
        expect![[r#"{"data":{"note_write":{"id":"00000000-0000-0000-0000-000000000003"},"insert_note_one":{"text":"two"},"note_remove":1,"delete_note":{"affected_rows":1},"last":{"text":"three"}}}"#]],
    );
    desk.check(
        "{ note { text } note_count }",
        expect![[r#"{"data":{"note":[{"text":"three"}],"note_count":1}}"#]],
    );
}

#[test]
fn what_is_alone_in_its_request_reads_before_the_transaction_and_others_write_meanwhile() {
    let desk = Desk::new();
    desk.check(
        "mutation { note_recount { ahead now } }",
        expect![[r#"{"data":{"note_recount":{"ahead":0,"now":1}}}"#]],
    );
    // With sibling fields it would not see what these write.
    desk.check(
        r#"mutation { note_write(text: "mine") { text } note_recount { ahead now } }"#,
        expect![[r#"{"data":{"note_write":{"text":"mine"},"note_recount":{"ahead":null,"now":2}}}"#]],
    );
}

#[test]
fn a_refusal_takes_everything_back() {
    let desk = Desk::new();
    desk.check(
        r#"mutation { insert_note_one(object: {text: "one"}) { text } a: note_write(text: "two") { id } b: note_write(text: "") { id } }"#,
        expect![[r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.note_write"},"message":"a note says something"}]}"#]],
    );
    desk.check("{ note { text } trail { change } }", expect![[r#"{"data":{"note":[],"trail":[]}}"#]]);
}

#[test]
fn every_change_is_written_down_with_what_was_and_what_is() {
    let desk = Desk::new();
    desk.check(
        r#"mutation { note_write(text: "one") { id } alias: update_note(where: {}, _set: {text: "two", pin: "5678"}) { affected_rows } same: update_note(where: {}, _set: {text: "two"}) { affected_rows } note_remove(text: "two") }"#,
        expect![[r#"{"data":{"note_write":{"id":"00000000-0000-0000-0000-000000000003"},"alias":{"affected_rows":1},"same":{"affected_rows":1},"note_remove":1}}"#]],
    );
    desk.check(
        "{ trail(order_by: {change: asc}) { user_id created_at table_name row_key change operation before after } }",
        expect![[r#"{"data":{"trail":[{"user_id":"00000000-0000-0000-0000-000000000007","created_at":"2023-11-14T22:13:20+00:00","table_name":"note","row_key":{"id":"00000000-0000-0000-0000-000000000003"},"change":"delete","operation":"note_remove","before":{"id":"00000000-0000-0000-0000-000000000003","tenant":"00000000-0000-0000-0000-00000000000a","text":"two"},"after":null},{"user_id":"00000000-0000-0000-0000-000000000007","created_at":"2023-11-14T22:13:20+00:00","table_name":"note","row_key":{"id":"00000000-0000-0000-0000-000000000003"},"change":"insert","operation":"note_write","before":null,"after":{"id":"00000000-0000-0000-0000-000000000003","tenant":"00000000-0000-0000-0000-00000000000a","text":"one"}},{"user_id":"00000000-0000-0000-0000-000000000007","created_at":"2023-11-14T22:13:20+00:00","table_name":"note","row_key":{"id":"00000000-0000-0000-0000-000000000003"},"change":"update","operation":"update_note","before":{"text":"one"},"after":{"text":"two"}}]}}"#]],
    );
    desk.check(
        r#"mutation { insert_note_one(object: {id: "00000000-0000-0000-0000-000000000009", text: "a"}) { text } again: insert_note_one(object: {id: "00000000-0000-0000-0000-000000000009", text: "b"}, on_conflict: {constraint: note_pkey, update_columns: [text]}) { text } }"#,
        expect![[r#"{"data":{"insert_note_one":{"text":"a"},"again":{"text":"b"}}}"#]],
    );
    desk.check(
        r#"{ trail(where: {operation: {_eq: "insert_note_one"}}, order_by: {change: asc}) { change before after } }"#,
        expect![[r#"{"data":{"trail":[{"change":"insert","before":null,"after":{"id":"00000000-0000-0000-0000-000000000009","tenant":"00000000-0000-0000-0000-00000000000a","text":"a"}},{"change":"update","before":{"text":"a"},"after":{"text":"b"}}]}}"#]],
    );
    desk.check("mutation { delete_trail(where: {}) { affected_rows } }", expect![[r#"{"errors":[{"extensions":{"code":"permission-error","path":"$.selectionSet.delete_trail"},"message":"Access Denied: your roles do not allow this"}]}"#]]);
}

#[test]
fn an_operation_that_fails_leaves_its_siblings_their_answers() {
    Desk::new().check("{ first: note_count wrong: broken note { text } }", expect![[r#"{"data":{"first":0,"wrong":null,"note":[]},"errors":[{"extensions":{"code":"unexpected","path":"$.selectionSet.wrong"},"message":"the operation failed","path":["wrong"]}]}"#]]);
}

#[test]
fn an_operation_is_there_for_its_roles_only() {
    let desk = Desk::new();
    let ask = |role| desk.ask_as(role, "{ __schema { queryType { fields { name } } types { name } } }");
    let (admin, account, reader) =
        (ask(Role::TenantAdmin), ask(Role::AccountAdmin), ask(Role::TenantAdminReadonly));
    let shows = |text: &str, name: &str| text.contains(&format!("{{\"name\":\"{name}\"}}"));
    for (name, by_admin, by_account, by_reader) in [
        ("echo", true, true, false),
        ("EchoRequest", true, true, false),
        ("echo_kind", true, true, false),
        ("note_count", true, false, false),
        ("Rows", true, false, false),
    ] {
        assert_eq!(
            (shows(&admin, name), shows(&account, name), shows(&reader, name)),
            (by_admin, by_account, by_reader),
            "{name}"
        );
    }
    expect![[r#"{"data":{"note_count":null},"errors":[{"extensions":{"allowedRoles":["tenant_admin"],"code":"FORBIDDEN","path":"$.selectionSet.note_count","role":"account_admin"},"message":"Access Denied: the role account_admin may not use this; allowed are tenant_admin","path":["note_count"]}]}"#]].assert_eq(&desk.ask_as(Role::AccountAdmin, "{ note_count }"));
    expect![[r#"{"errors":[{"extensions":{"allowedRoles":["tenant_admin"],"code":"FORBIDDEN","path":"$.selectionSet.note_write","role":"account_admin"},"message":"Access Denied: the role account_admin may not use this; allowed are tenant_admin"}]}"#]]
        .assert_eq(&desk.ask_as(Role::AccountAdmin, r#"mutation { note_write(text: "x") { id } }"#));
}

#[test]
fn an_interface_without_code_for_an_operation_is_not_built() {
    let operations = OPERATIONS.replace("note_count", "missing");
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("desk.db"), Arc::new(catalogue(&operations))).unwrap();
    let error = Engine::new(store).unwrap().with_operations(Arc::new(Code)).err().unwrap();
    assert_eq!(error.to_string(), "the GraphQL schema cannot be built: no code serves query_root.missing");
}

#[test]
fn nothing_is_written_down_without_a_trail_in_the_catalogue() {
    let house = TestWorld::new();
    let answer = house.ask_as(
        Role::TenantAdmin,
        ACME,
        r#"mutation { update_spends(where: {}, _set: {unit: "EUR"}) { affected_rows } }"#,
        Value::Null,
    );
    assert_eq!(answer, r#"{"data":{"update_spends":{"affected_rows":4}}}"#);
}
