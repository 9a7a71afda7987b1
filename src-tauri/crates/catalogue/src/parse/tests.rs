use super::Source;
use crate::{
    Catalogue, Default, ListingFigure, ListingKind, ListingMeasure, ListingSource, ListingValue, OnDelete,
    RelationshipKind, RequestType, Role, Root, Scalar, Scope, TableKind, TypeShape, Value,
};

const SMALL: &str = r#"
"A house that owns rows."
type tenant @table(tenant: "id") {
  id: uuid! @key @default(call: random_uuid)
  name: citext!
  spends: [spends!]! @many(from: "tenant")
}

"What one thing cost."
type spends @table(tenant: "tenant", key: "spends_key") @unique(name: "spends_day", columns: ["tenant", "date"], unless: "import_id") @index(columns: ["tenant", "date"]) {
  id: uuid! @key
  tenant: uuid! @references(table: "tenant", on_delete: cascade)
  "Start of the charge."
  date: timestamp! @default(call: now)
  amount: float8! @exact @default(value: 0.10)
  state: state_enum! @default(value: Open)
  kind: kind_type
  tags: jsonb @default(value: {})
  names: [String!]
  import_id: uuid @index
  token: String @secret
  tenantByTenant: tenant! @one(by: "tenant")
}

"A remark on a spend."
type remark @table(through: "spend", root: false) {
  id: uuid! @key
  spend_id: uuid!
  spend: spends @one(by: "spend_id", to: "id")
}

"Where it stands."
enum state @lookup(enum: "state_enum", description: "comment", constraint: "state_key") {
  "Nobody has taken it up." Open @row(rank: 1)
  "Done." Closed
}
extend type state {
  comment: String
  rank: Int
  spends: [spends!]! @many(from: "state")
}

"What kind."
enum kind_type { "One." A B }
"#;

const LISTING: &str = r#"
extend type query_root {
  "Grouped."
  groups_v2(where: GroupsWhere, limit: Int): GroupsResponse @listing(of: "spends", row: "GroupsRow", kind: aggregate)
}
type GroupsRow {
  day: Datetime @from(column: "date") @filter
  total: Float @sum(of: "amount")
  count: Float @count
  tenants: Float @count(distinct: "tenant")
  tag: String @from(column: "tags", key: true)
  tags: jsonb @from(column: "tags") @filter(only: true)
}
"#;

fn parse(tables: &str, operations: &str) -> Result<Catalogue, String> {
    let sources = [
        Source { name: "tables/cost.graphql", text: tables },
        Source { name: "operations/cost.graphql", text: operations },
        Source { name: "README.md", text: "not looked at" },
    ];
    Catalogue::parse(&sources).map_err(|error| error.to_string())
}

/// Parsing the small catalogue with one text replaced must report exactly this error.
#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    assert!(SMALL.contains(from), "{from}");
    let error = parse(&SMALL.replacen(from, to, 1), LISTING).expect_err("a mistake");
    assert!(error.lines().any(|line| line.trim() == expected), "expected\n  {expected}\ngot\n{error}");
}

#[test]
fn a_table_comes_out_as_it_is_written() {
    let catalogue = parse(SMALL, LISTING).unwrap();
    let spends = catalogue.table(catalogue.find("spends").unwrap());
    let column = |name: &str| spends.column(spends.find_column(name).unwrap());
    assert_eq!(spends.area, "cost");
    assert_eq!(spends.primary_key_name, "spends_key");
    assert_eq!(spends.scope, Scope::Tenant(spends.find_column("tenant").unwrap()));
    assert_eq!(spends.unique[0].only_where_null, spends.find_column("import_id"));
    assert_eq!(
        spends.indices.iter().map(|index| index.name.as_str()).collect::<Vec<_>>(),
        ["spends_import_id_index", "spends_tenant_date_index"]
    );
    assert_eq!(column("tenant").references.as_ref().unwrap().on_delete, OnDelete::Cascade);
    assert_eq!(column("date").default, Some(Default::Now));
    assert_eq!(column("date").description, "Start of the charge.");
    assert_eq!(column("amount").default, Some(Default::Literal(Value::Decimal("0.1".parse().unwrap()))));
    assert_eq!(column("tags").default, Some(Default::Literal(Value::Json("{}".to_owned()))));
    assert_eq!(column("names").scalar, Scalar::StringList);
    assert!(column("amount").exact && column("token").secret && !column("state").nullable);
    let tenant = catalogue.table(catalogue.find("tenant").unwrap());
    assert_eq!(tenant.relationships[0].kind, RelationshipKind::Many);
    assert_eq!(
        tenant.relationships[0].join,
        [(tenant.primary_key[0], spends.find_column("tenant").unwrap())]
    );
}

#[test]
fn a_lookup_brings_its_rows_and_its_enum() {
    let catalogue = parse(SMALL, LISTING).unwrap();
    let id = catalogue.find("state").unwrap();
    let state = catalogue.table(id);
    let TableKind::Lookup { enum_name, values } = &state.kind else { panic!("{:?}", state.kind) };
    assert_eq!(enum_name.as_deref(), Some("state_enum"));
    let cells = values[0]
        .cells
        .iter()
        .map(|(id, value)| (state.column(*id).name.as_str(), value))
        .collect::<Vec<_>>();
    assert_eq!(
        cells,
        [
            ("value", &Value::Text("Open".to_owned())),
            ("comment", &Value::Text("Nobody has taken it up.".to_owned())),
            ("rank", &Value::Int(1))
        ]
    );
    assert!(state.column(state.find_column("comment").unwrap()).nullable);
    assert_eq!(catalogue.enum_values("state_enum").map(<[_]>::len), Some(2));
    assert_eq!(catalogue.enum_values("kind_type").map(<[_]>::len), Some(2));
    let spends = catalogue.table(catalogue.find("spends").unwrap());
    let state_column = spends.column(spends.find_column("state").unwrap());
    assert_eq!(state_column.scalar, Scalar::Enum { name: "state_enum".to_owned(), lookup: Some(id) });
}

#[test]
fn a_listing_comes_out_as_it_is_written() {
    let catalogue = parse(SMALL, LISTING).unwrap();
    let listing = &catalogue.listings[0];
    assert_eq!(
        (listing.where_type.as_deref(), listing.response_type.as_deref(), listing.kind),
        (Some("GroupsWhere"), Some("GroupsResponse"), ListingKind::Aggregate)
    );
    let source = |name: &str| &listing.find_column(name).unwrap().source;
    assert!(matches!(
        source("total"),
        ListingSource::Figure(ListingFigure { measure: ListingMeasure::Sum(_), .. })
    ));
    assert!(matches!(source("tag"), ListingSource::Value(ListingValue::JsonKey(_))));
    assert!(matches!(
        source("count"),
        ListingSource::Figure(ListingFigure { measure: ListingMeasure::Count, .. })
    ));
    let tags = listing.find_column("tags").unwrap();
    assert_eq!((tags.request, tags.row_type.as_deref()), (Some(RequestType::Json), None));
    let day = listing.find_column("day").unwrap();
    assert_eq!((day.request, day.row_type.as_deref()), (Some(RequestType::Datetime), Some("Datetime")));
}

#[test]
fn a_mistake_is_shown_with_file_and_line() {
    check(
        "state: state_enum!",
        "state: stat_enum!",
        "tables/cost.graphql:16: `state`: `stat_enum` is neither a scalar nor an enum of the catalogue; a relationship needs @one(by: …) or @many(from: …)",
    );
    check(
        "@secret",
        "@secretive",
        "tables/cost.graphql:21: @secretive is unknown here; known: @key, @default, @references, @one, @many, @secret, @exact, @index, @same_as",
    );
    check(
        "root: false",
        "roots: false",
        "tables/cost.graphql:26: @table knows no argument `roots`; known: tenant, through, scope, account, namespace, own, private, root, exposed, key, write",
    );
    check(
        "root: false",
        "root: \"no\"",
        "tables/cost.graphql:26: @table(root: …) must be true or false, not \"no\"",
    );
    check(
        "names: [String!]",
        "names: [String!",
        "tables/cost.graphql:19: this is not GraphQL: expected type_",
    );
}

#[test]
fn names_that_do_not_exist_are_mistakes() {
    check(
        "@many(from: \"tenant\")",
        "@many(from: \"tenat\")",
        "tables/cost.graphql:6: `spends` has no column `tenat`",
    );
    check(
        "@references(table: \"tenant\"",
        "@references(table: \"house\"",
        "tables/cost.graphql:12: there is no table `house`",
    );
    check(
        "columns: [\"tenant\", \"date\"], unless",
        "columns: [\"tenant\", \"day\"], unless",
        "tables/cost.graphql:10: `spends` has no column `day`",
    );
    check(
        "through: \"spend\"",
        "through: \"spent\"",
        "tables/cost.graphql:26: through: spent is not a relationship of `remark`",
    );
    check(
        "extend type state",
        "extend type stat",
        "tables/cost.graphql:37: `extend type stat`: there is no lookup of that name to extend",
    );
}

#[test]
fn what_roles_over_accounts_meet_must_be_found() {
    let mistake = |said: &str, expected: &str| {
        let (from, at) = ("key: \"spends_key\"", "tables/cost.graphql:10:");
        check(from, &format!("{from}, {said}"), &format!("{at} {expected}"));
    };
    mistake("account: \"owner\"", "account: owner is neither a column nor a relationship, nor none or all");
    mistake("account: \"amount\"", "account: `amount` cannot be a float8");
    mistake("namespace: \"token\"", "namespace: needs the column of its account (account: \"column\")");
    mistake("account: \"id\", own: \"token\"", "own: `token` cannot be a String");
    mistake("write: sometimes", "write: sometimes is unknown; known: true, false, tenant");
}

#[test]
fn defaults_must_be_values_of_their_column() {
    check(
        "@default(value: Open)",
        "@default(value: Opened)",
        "tables/cost.graphql:16: Opened is no value of type state_enum",
    );
    check(
        "@default(value: 0.10)",
        "@default(value: \"0.10\")",
        "tables/cost.graphql:15: \"0.10\" is no value of type float8",
    );
    check(
        "@default(value: 0.10)",
        "@default(call: now)",
        "tables/cost.graphql:15: `now` is a time, the column is none",
    );
    check("@row(rank: 1)", "@row(rank: 1.5)", "tables/cost.graphql:34: 1.5 is no value of type Int");
}

#[test]
fn a_table_without_an_owner_of_its_rows_is_a_mistake() {
    let owner = "must say whose rows they are, once: tenant: \"column\", through: \"relationship\", or scope: everyone or house";
    check("@table(tenant: \"id\")", "@table", &format!("tables/cost.graphql:3: `tenant` {owner}"));
}

#[test]
fn the_way_to_the_tenant_must_end() {
    check(
        "@table(tenant: \"tenant\", key: \"spends_key\")",
        "@table(scope: house)",
        "tables/cost.graphql:26: `remark`: the way to its tenant ends at `spends`, which belongs to none",
    );
}

#[test]
fn a_mark_needs_its_columns_and_those_of_the_way_to_the_tenant() {
    check(
        "@table(tenant: \"tenant\", key: \"spends_key\")",
        "@table(tenant: \"tenant\", key: \"spends_key\") @marked(columns: [\"nowhere\"])",
        "tables/cost.graphql:10: `spends` has no column `nowhere`",
    );
    check(
        "@table(through: \"spend\", root: false)",
        "@table(through: \"spend\", root: false) @marked(columns: [\"spend_id\"])",
        "tables/cost.graphql:26: @marked: rows of `remark` belong to a tenant through `id` of `spends`, which is not marked",
    );
    let marked = SMALL.replace("key: \"spends_key\")", "key: \"spends_key\") @marked(columns: [\"date\"])");
    let catalogue = parse(&marked, LISTING).unwrap();
    let spends = catalogue.table(catalogue.find("spends").unwrap());
    let mut columns = [spends.find_column("tenant").unwrap(), spends.find_column("date").unwrap()];
    columns.sort_unstable();
    assert_eq!(spends.marked, columns, "a row that moves to another tenant is a change, too");
}

#[test]
fn what_is_kept_from_the_interface_is_not_reached_through_a_neighbour() {
    check(
        "@table(tenant: \"tenant\", key: \"spends_key\")",
        "@table(tenant: \"tenant\", exposed: false)",
        "tables/cost.graphql:6: `spends` leads to `spends`, which is kept from the interface",
    );
    check(
        "@table(tenant: \"id\")",
        "@table(scope: house)",
        "tables/cost.graphql:3: `tenant` holds rows of the house: it must say exposed: false",
    );
}

#[test]
fn what_joins_or_refers_must_be_alike() {
    check(
        "spend_id: uuid!",
        "spend_id: String!",
        "tables/cost.graphql:29: `spend` joins spend_id (String) with spends.id (uuid)",
    );
    check(
        "tenant: uuid! @references",
        "tenant: String! @references",
        "tables/cost.graphql:12: `tenant` (String) cannot refer to `tenant.id` (uuid)",
    );
    check(
        "on_delete: cascade",
        "column: \"name\"",
        "tables/cost.graphql:12: `tenant` refers to `tenant.name`, which is not unique",
    );
}

#[test]
fn nothing_is_named_twice() {
    check("names: [String!]", "date: [String!]", "tables/cost.graphql:19: `spends.date` is defined twice");
    check("tenantByTenant:", "tags:", "tables/cost.graphql:22: `spends.tags` is defined twice");
    check("\"Done.\" Closed", "\"Done.\" Open", "tables/cost.graphql:35: `Open` stands twice in `state`");
    check("type remark", "type tenant", "tables/cost.graphql:26: `tenant` is defined twice");
    check(
        "\"state_key\"",
        "\"spends_day\"",
        "tables/cost.graphql:33: `spends` and `state` both have a constraint or index `spends_day`",
    );
}

#[test]
fn a_view_needs_its_select_and_a_select_its_view() {
    let table =
        Source { name: "tables/x.graphql", text: "\"Seen.\" type seen @view(scope: everyone) { n: Int }" };
    let error = Catalogue::parse(&[table]).unwrap_err().to_string();
    assert!(error.contains("tables/x.graphql:1: view `seen` needs the file views/seen.sql"), "{error}");
    let file = Source { name: "views/seen.sql", text: "SELECT 1 AS n" };
    let catalogue = Catalogue::parse(&[file, table]).unwrap();
    assert!(matches!(&catalogue.tables[0].kind, TableKind::View { select, .. } if select == "SELECT 1 AS n"));
    let error = Catalogue::parse(&[file]).unwrap_err().to_string();
    assert!(error.contains("views/seen.sql:0: no `type seen @view(…)` uses this file"), "{error}");
}

const OPERATIONS: &str = r#"
extend type query_root {
  "What was done."
  done(state: state_enum! = Open, days: [Int!]): [Done!] @operation(roles: [tenant_admin, account_admin])
}
extend type mutation_root {
  "Does it."
  do_it(request: DoRequest!): Done @operation(roles: tenant_admin)
}
"One deed."
type Done { at: Datetime, kind: kind_type, notes: [Note!]!, more: Json }
type Note { text: String! }
input DoRequest { "How often." times: Int = 1, inner: [DoRequest!] }
"#;

/// Parsing the operations with one text replaced must report exactly this error.
#[track_caller]
fn check_operations(from: &str, to: &str, expected: &str) {
    assert!(OPERATIONS.contains(from), "{from}");
    let error = parse(SMALL, &OPERATIONS.replacen(from, to, 1)).expect_err("a mistake");
    assert!(error.lines().any(|line| line.trim() == expected), "expected\n  {expected}\ngot\n{error}");
}

#[test]
fn an_operation_comes_out_as_it_is_written() {
    let catalogue = parse(SMALL, OPERATIONS).unwrap();
    let [done, do_it] = &catalogue.operations[..] else { panic!("{:?}", catalogue.operations) };
    assert_eq!((done.root, done.answer.to_string().as_str()), (Root::Query, "[Done!]"));
    assert_eq!(done.roles, [Role::TenantAdmin, Role::AccountAdmin]);
    assert_eq!(done.arguments[0].default, Some(serde_json::Value::from("Open")));
    assert_eq!((do_it.root, do_it.arguments[0].kind.name()), (Root::Mutation, "DoRequest"));
    let Some(TypeShape::Input(members)) = catalogue.find_type("DoRequest").map(|plain| &plain.shape) else {
        panic!("{:?}", catalogue.types)
    };
    assert_eq!(members[0].description, "How often.");
    assert_eq!(members[1].kind.to_string(), "[DoRequest!]");
}

#[test]
fn a_mistake_in_an_operation_is_shown_with_file_and_line() {
    let file = "operations/cost.graphql";
    check_operations(
        "account_admin]",
        "acount_admin]",
        &format!(
            "{file}:4: there is no role `acount_admin`; known: tenant_admin, tenant_admin_readonly, account_admin, \
             account_admin_readonly, k8s_namespace_admin, k8s_namespace_admin_readonly, tenant_usage"
        ),
    );
    check_operations(
        "(roles: tenant_admin)",
        "",
        &format!("{file}:8: @operation needs `roles`: who may call it?"),
    );
    check_operations("\"Does it.\"", "", &format!("{file}:8: `do_it` needs a description: what does it do?"));
    check_operations(
        "notes: [Note!]!",
        "notes: [Nota!]!",
        &format!(
            "{file}:11: `Nota` is neither a scalar, an enum of the catalogue, nor a type of operations/"
        ),
    );
    check_operations(
        "inner: [DoRequest!]",
        "inner: [Done!]",
        &format!("{file}:13: `Done` is a type of answers: arguments need an input"),
    );
    check_operations(
        "): Done @",
        "): DoRequest @",
        &format!("{file}:8: `DoRequest` is an input: answers need a type"),
    );
    check_operations("type Note", "type Done", &format!("{file}:12: `Done` is defined twice"));
    check_operations("type Note", "type spends", &format!("{file}:12: there are two things called `spends`"));
    check_operations("  done(", "  spends(", &format!("{file}:4: root field `spends` is defined twice"));
    check_operations(
        "@operation(roles: tenant_admin)",
        "@listing(of: \"spends\")",
        &format!("{file}:8: @listing is unknown here; known: @operation"),
    );
}

#[test]
fn a_trail_has_the_columns_the_store_writes() {
    let trail = "\"Who did what.\" type trail @table(tenant: \"tenant\", write: false) @trail {
        id: uuid! @key  tenant: uuid!  user_id: uuid  created_at: timestamptz!  table_name: String!  row_key: jsonb!
        change: String!  operation: String!  before: jsonb  after: jsonb }";
    let catalogue = parse(&format!("{SMALL}{trail}"), LISTING).unwrap();
    assert_eq!(catalogue.trail.map(|trail| trail.table), catalogue.find("trail"));
    let wrong =
        |from: &str, to: &str| parse(&format!("{SMALL}{}", trail.replace(from, to)), LISTING).unwrap_err();
    assert!(wrong("before: jsonb", "before: jsonb!").contains("@trail needs the column `before: jsonb`"));
    assert!(wrong(", write: false", "").contains("@trail: the table must say write: false"));
}

#[test]
fn an_alias_stands_for_its_column_and_says_nothing_of_its_own() {
    let thing = |fields: &str| {
        let text = format!(
            "\"A thing.\"\ntype thing @table(scope: everyone) {{\n id: uuid! @key\n kind: String!\n note: String\n {fields}\n}}"
        );
        Catalogue::parse(&[Source { name: "tables/thing.graphql", text: &text }])
    };
    let found = thing("sort: String @same_as(column: \"kind\")").unwrap();
    let table = found.table(found.find("thing").unwrap());
    assert_eq!(table.find_column("sort"), table.find_column("kind"));
    assert!(!table.has_stored_column("sort") && table.has_stored_column("kind"));
    assert_eq!(table.columns.len(), 3);
    assert_eq!(table.interface_columns().count(), 4);
    for (field, says) in [
        ("sort: Int! @same_as(column: \"kind\")", "they must have one type"),
        ("sort: String! @same_as(column: \"note\")", "may be null"),
        ("sort: String! @same_as(column: \"kinds\")", "has no column `kinds`"),
        ("sort: String! @same_as(column: \"kind\") @index", "@index belongs to the column"),
        (
            "sort: String! @same_as(column: \"kind\") other: String! @same_as(column: \"sort\")",
            "name that one",
        ),
        ("sort: uuid! @same_as(column: \"id\")", "part of the key"),
    ] {
        let error = thing(field).unwrap_err().to_string();
        assert!(error.contains("tables/thing.graphql:6") && error.contains(says), "{error}");
    }
}

#[test]
fn a_list_is_an_index_that_begins_with_the_tenant() {
    let thing = |lists: &str| {
        let text = format!(
            "\"A thing.\"\ntype thing @table(tenant: \"tenant\", account: all) {lists} {{\n id: uuid! @key\n tenant: uuid!\n made: timestamp\n kind: String\n note: String\n tags: jsonb\n}}"
        );
        Catalogue::parse(&[Source { name: "tables/thing.graphql", text: &text }])
    };
    let found = thing("@list(order: \"made\", filters: [\"kind\"], also: [\"note\"])").unwrap();
    let table = found.table(found.find("thing").unwrap());
    let [index] = &table.indices[..] else { panic!("one list, one index") };
    assert_eq!(index.name, "thing_list_kind_made");
    let names: Vec<&str> = index.columns.iter().map(|id| table.column(*id).name.as_str()).collect();
    assert_eq!(names, ["tenant", "kind", "made", "note"]);
    for (lists, says) in [
        ("@list", "@list needs `order`"),
        ("@list(order: \"tags\")", "`tags` has no order"),
        ("@list(order: \"made\", also: [\"made\"])", "`made` is named twice"),
        ("@list(order: \"made\", filters: [\"tenant\"])", "`tenant` is named twice"),
        (
            "@list(order: \"made\") @index(columns: [\"tenant\", \"made\"])",
            "another index begins with the same columns",
        ),
        ("@list(order: \"made\", also: [\"kind\"]) @index(columns: [\"tenant\", \"made\"])", "leave it out"),
    ] {
        let error = thing(lists).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}
