//! Every root field for every role, over rows made from the catalogue: two tenants, two accounts, two namespaces.

use crate::project::catalogue;
use catalogue::{
    AccountScope, Caller, Catalogue, ColumnId, ListingColumn, ListingSource, ListingValue, Places,
    RelationshipKind, Right, Role, Scalar, Scope, Table, TableId, TableKind, Value, Writers,
};
use expect_test::expect;
use graphql::{Engine, Request};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use store::{Store, StoreError};
use uuid::Uuid;

/// Where the rows belong: tenant, account, namespace. Names that would end a text in SQL among them.
const PLACES: [(u128, u128, &str); 4] =
    [(0xA, 0xA1, "shop'); --"), (0xA, 0xA1, "bank"), (0xA, 0xA2, "shop'); --"), (0xB, 0xB1, "shop'); --")];

/// A caller, and what is theirs.
pub struct Who {
    pub name: &'static str,
    pub roles: Vec<Role>,
    /// The right over the whole tenant, then over accounts, then over namespaces.
    tenant: Option<Right>,
    account: Option<(u128, Right)>,
    namespace: Option<(u128, &'static str, Right)>,
}

pub fn everybody() -> Vec<Who> {
    let nobody = |name, role| Who { name, roles: vec![role], tenant: None, account: None, namespace: None };
    let (account, namespace) = (0xA1, PLACES[0].2);
    vec![
        Who { tenant: Some(Right::Write), ..nobody("tenant_admin", Role::TenantAdmin) },
        Who { tenant: Some(Right::Read), ..nobody("tenant_admin_readonly", Role::TenantAdminReadonly) },
        Who { account: Some((account, Right::Write)), ..nobody("account_admin", Role::AccountAdmin) },
        Who {
            account: Some((account, Right::Read)),
            ..nobody("account_admin_readonly", Role::AccountAdminReadonly)
        },
        Who {
            namespace: Some((account, namespace, Right::Write)),
            ..nobody("namespace_admin", Role::NamespaceAdmin)
        },
        Who {
            namespace: Some((account, namespace, Right::Read)),
            ..nobody("namespace_admin_readonly", Role::NamespaceAdminReadonly)
        },
        nobody("tenant_usage", Role::TenantUsage),
        Who {
            roles: vec![Role::TenantAdminReadonly, Role::AccountAdmin],
            tenant: Some(Right::Read),
            account: Some((account, Right::Write)),
            ..nobody("readonly and account_admin", Role::TenantAdminReadonly)
        },
        Who {
            roles: vec![Role::AccountAdminReadonly, Role::NamespaceAdmin],
            account: Some((0xA2, Right::Read)),
            namespace: Some((account, namespace, Right::Write)),
            ..nobody("an account and a namespace", Role::AccountAdminReadonly)
        },
    ]
}

fn covers(given: Right, wanted: Right) -> bool {
    given == Right::Write || wanted == Right::Read
}

pub struct World {
    pub catalogue: Arc<Catalogue>,
    engine: Engine,
    pub store: Store,
    /// Of each table: the rows' keys, by place.
    rows: BTreeMap<String, BTreeMap<usize, Json>>,
    _folder: tempfile::TempDir,
}

impl World {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let catalogue = Arc::new(catalogue());
        let store = Store::open(&folder.path().join("world.db"), catalogue.clone()).unwrap();
        let engine = Engine::new(store.clone()).unwrap();
        let mut world = Self { catalogue, engine, store, rows: BTreeMap::new(), _folder: folder };
        world.rows = world.fill();
        world
    }

    /// A row of every table in every place, unless a constraint allows one only.
    fn fill(&self) -> BTreeMap<String, BTreeMap<usize, Json>> {
        let mut made = BTreeMap::new();
        let house = Caller::house();
        // A load does not ask whether references lead anywhere, so the order of the tables does not matter.
        let load = self.store.load(&house, "spends", 0, |rows| {
            for (id, table) in self.tables() {
                let known: &mut BTreeMap<usize, Json> = made.entry(table.name.clone()).or_default();
                for place in 0..PLACES.len() {
                    let cells = self.row(id, place, false);
                    let named: Vec<_> = cells
                        .iter()
                        .map(|(id, value)| (table.column(*id).name.as_str(), value.borrow()))
                        .collect();
                    match rows.insert(&table.name, &named) {
                        Ok(()) => drop(known.insert(place, self.key(id, place))),
                        Err(StoreError::Unique { .. }) => {}
                        Err(error) => return Err(error),
                    }
                }
            }
            Ok(())
        });
        load.unwrap();
        made
    }

    /// Tables rows can be added to. One without root fields needs bytes, which the row interface does not have.
    fn tables(&self) -> impl Iterator<Item = (TableId, &Table)> {
        let needs_bytes = |table: &Table| {
            table.columns.iter().any(|column| column.scalar == Scalar::Bytea && !column.nullable)
        };
        self.catalogue.iter().filter(move |(_, table)| {
            let is_made = matches!(table.kind, TableKind::Table) && table.scope != Scope::House;
            is_made && (table.root || !needs_bytes(table))
        })
    }

    fn row(&self, table: TableId, place: usize, fresh: bool) -> Vec<(ColumnId, Value)> {
        let columns = self.catalogue.table(table).iter_columns();
        columns.filter_map(|(id, _)| Some((id, self.cell(table, id, place, fresh)?))).collect()
    }

    /// What a row of that place holds; `None` for what it leaves out. `fresh` makes a second row.
    fn cell(&self, table: TableId, id: ColumnId, place: usize, fresh: bool) -> Option<Value> {
        let described = self.catalogue.table(table);
        let column = described.column(id);
        let (tenant, account, namespace) = PLACES[place];
        let uuid = |number| match column.scalar {
            Scalar::Uuid => Value::Uuid(Uuid::from_u128(number)),
            _ => Value::Text(Uuid::from_u128(number).to_string()),
        };
        if described.scope == Scope::Tenant(id) {
            return Some(uuid(tenant));
        }
        if described.own == Some(id) {
            return self.cell(self.catalogue.find("users")?, ColumnId(0), place, false);
        }
        match described.account {
            Some(AccountScope::Column { account: known, .. }) if known == id => return Some(uuid(account)),
            Some(AccountScope::Column { namespace: Some(known), .. }) if known == id => {
                return Some(Value::Text(namespace.to_owned()));
            }
            _ => {}
        }
        if let Scope::Through(way) = described.scope {
            let way = described.relationship(way);
            let pair = way.join.iter().find(|(here, _)| *here == id);
            if let (RelationshipKind::One, Some((_, there))) = (way.kind, pair) {
                return self.cell(way.target, *there, place, false);
            }
        }
        if described.name == "cloud_resource_metrics" && column.name == "metric" {
            return Some(Value::Text("cpuCoreUsageAverage".to_owned()));
        }
        let is_key = described.primary_key.contains(&id);
        if !is_key && (column.nullable || column.default.is_some()) {
            return None;
        }
        if let Some(reference) = &column.references {
            return match &self.catalogue.table(reference.table).kind {
                TableKind::Lookup { values, .. } => Some(Value::Text(values[0].value.clone())),
                _ => self.cell(reference.table, reference.column, place, false),
            };
        }
        let number =
            u128::from(table.0) << 32 | u128::from(id.0) << 16 | (place as u128) << 4 | u128::from(fresh);
        Some(match &column.scalar {
            Scalar::Uuid => Value::Uuid(Uuid::from_u128(0xF << 64 | number)),
            Scalar::String | Scalar::Citext => Value::Text(format!("text {number:x}")),
            Scalar::Enum { name, .. } => Value::Text(self.catalogue.enum_values(name)?[0].value.clone()),
            Scalar::Int | Scalar::Bigint => Value::Int(1),
            Scalar::Float8 | Scalar::Numeric if column.exact => Value::Decimal("1".parse_decimal()),
            Scalar::Float8 | Scalar::Numeric => Value::Float(1.0),
            Scalar::Boolean => Value::Bool(true),
            Scalar::Timestamp | Scalar::Timestamptz => Value::Timestamp(1_700_000_000_000_000),
            Scalar::Date => Value::Date(20_000),
            Scalar::Json | Scalar::Jsonb => Value::Json("{}".to_owned()),
            Scalar::StringList => Value::Json("[]".to_owned()),
            Scalar::Bytea => return None,
        })
    }

    /// The key as the interface writes it.
    fn key(&self, table: TableId, place: usize) -> Json {
        let described = self.catalogue.table(table);
        let cells = described.primary_key.iter().map(|id| {
            let cell = self.cell(table, *id, place, false).unwrap();
            (described.column(*id).name.clone(), plain(&described.column(*id).scalar, &cell))
        });
        Json::Object(cells.collect())
    }

    /// What is decided, worked out from the catalogue without the database.
    fn meets(&self, who: &Who, right: Right, table: TableId, place: usize) -> bool {
        let described = self.catalogue.table(table);
        let (tenant, account, namespace) = PLACES[place];
        let related = |way| {
            let target = described.relationship(way).target;
            let name = &self.catalogue.table(target).name;
            self.rows[name].values().any(|key| *key == self.key(target, place))
                && self.meets(who, right, target, place)
        };
        let is_tenants = match described.scope {
            Scope::Everyone => right == Right::Read,
            Scope::House => false,
            Scope::Tenant(_) => tenant == PLACES[0].0,
            Scope::Through(way) => related(way),
        };
        if !is_tenants || who.tenant.is_some_and(|given| covers(given, right)) {
            return is_tenants;
        }
        let is_account = |known: u128, given| known == account && covers(given, right);
        let is_part = match described.account {
            Some(AccountScope::None) | None => false,
            Some(AccountScope::All) => right == Right::Read,
            Some(AccountScope::Through(way)) => related(way),
            Some(AccountScope::Column { namespace: column, .. }) => {
                who.account.is_some_and(|(known, given)| is_account(known, given))
                    || column.is_some()
                        && who
                            .namespace
                            .is_some_and(|(known, name, given)| name == namespace && is_account(known, given))
            }
        };
        // The person is the one of the first place.
        is_part && (described.own.is_none() || place == 0)
    }

    fn met(&self, who: &Who, right: Right, table: TableId) -> BTreeSet<String> {
        let rows = &self.rows[&self.catalogue.table(table).name];
        let met = rows.iter().filter(|(place, _)| self.meets(who, right, table, **place));
        met.map(|(_, key)| key.to_string()).collect()
    }

    pub fn caller(&self, who: &Who) -> Caller {
        let places = |right| Places {
            accounts: who
                .account
                .iter()
                .filter(|known| known.1 == right)
                .map(|known| Uuid::from_u128(known.0))
                .collect(),
            namespaces: who
                .namespace
                .iter()
                .filter(|known| known.2 == right)
                .map(|known| (Uuid::from_u128(known.0), known.1.to_owned()))
                .collect(),
        };
        let users = self.catalogue.find("users").unwrap();
        let Some(Value::Uuid(user)) = self.cell(users, ColumnId(0), 0, false) else {
            panic!("users have ids")
        };
        Caller::person(user, Uuid::from_u128(PLACES[0].0), who.roles.clone())
            .with_places(places(Right::Read), places(Right::Write))
    }

    fn ask(&self, who: &Who, query: &str, variables: &Json) -> Json {
        self.ask_as(&self.caller(who), query, variables)
    }

    fn ask_as(&self, caller: &Caller, query: &str, variables: &Json) -> Json {
        let request = Request {
            query: query.to_owned(),
            operation_name: None,
            variables: variables.as_object().cloned(),
            ..Request::default()
        };
        let body = self.engine.execute(caller, &request, |error| panic!("{query}: {error:?}"));
        serde_json::from_slice(&body).unwrap()
    }

    /// Every row of every table but the audit trail, for the house.
    fn count(&self) -> BTreeMap<String, u64> {
        let house = Caller::house();
        let count = |name: &str| self.store.snapshot(&house, |rows| rows.count(name, &[])).unwrap();
        let is_trail = |id| self.catalogue.trail.is_some_and(|trail| trail.table == id);
        let tables = self.tables().filter(|(id, _)| !is_trail(*id));
        tables.map(|(_, table)| (table.name.clone(), count(&table.name))).collect()
    }
}

trait ParseDecimal {
    fn parse_decimal(&self) -> catalogue::Decimal;
}

impl ParseDecimal for str {
    fn parse_decimal(&self) -> catalogue::Decimal {
        catalogue::Decimal::parse(self).unwrap()
    }
}

fn plain(scalar: &Scalar, value: &Value) -> Json {
    match value {
        Value::Uuid(id) => json!(id.to_string()),
        Value::Text(text) | Value::Json(text) => json!(text),
        Value::Int(number) => json!(number),
        Value::Bool(flag) => json!(flag),
        Value::Float(number) => json!(number),
        Value::Decimal(number) => json!(number.to_string().parse::<f64>().unwrap()),
        Value::Timestamp(micros) if *scalar == Scalar::Timestamptz => {
            json!(catalogue::format_timestamptz(*micros))
        }
        Value::Timestamp(micros) => json!(catalogue::format_timestamp(*micros)),
        Value::Date(days) => json!(catalogue::format_date(*days)),
        Value::Null => Json::Null,
    }
}

fn keys(table: &Table) -> String {
    table.primary_key.iter().map(|id| table.column(*id).name.as_str()).collect::<Vec<_>>().join(" ")
}

fn labels(rows: &Json) -> BTreeSet<String> {
    rows.as_array().unwrap_or_else(|| panic!("{rows}")).iter().map(Json::to_string).collect()
}

/// `(a: "x", b: 1)`
fn arguments(key: &Json) -> String {
    let pairs: Vec<String> =
        key.as_object().unwrap().iter().map(|(name, value)| format!("{name}: {value}")).collect();
    pairs.join(", ")
}

#[test]
fn every_role_reads_what_is_decided_and_nothing_else() {
    let world = World::new();
    for who in &everybody() {
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
        for who in &everybody() {
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
        // A view lists what its tables have; of those, never more than the caller meets.
        let is_all = matches!(table.kind, TableKind::Table) && listing.only.is_empty();
        let mut shown = 0;
        for who in &everybody() {
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
    let summary: Vec<String> = everybody()
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
        tenant_admin: reads 321 rows of 107 tables, writes 262 rows of 88 tables
        tenant_admin_readonly: reads 321 rows of 107 tables, writes 0 rows of 0 tables
        account_admin: reads 160 rows of 82 tables, writes 123 rows of 64 tables
        account_admin_readonly: reads 160 rows of 82 tables, writes 0 rows of 0 tables
        namespace_admin: reads 29 rows of 17 tables, writes 8 rows of 8 tables
        namespace_admin_readonly: reads 29 rows of 17 tables, writes 0 rows of 0 tables
        tenant_usage: reads 21 rows of 9 tables, writes 0 rows of 0 tables
        readonly and account_admin: reads 321 rows of 107 tables, writes 123 rows of 64 tables
        an account and a namespace: reads 97 rows of 82 tables, writes 8 rows of 8 tables"]]
    .assert_eq(&summary.join("\n"));
}

/// A column that can be set to null without a change of whose row it is.
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
            && table.own != Some(*id)
    });
    free.map(|(_, column)| column.name.as_str())
}

#[test]
fn every_role_changes_what_is_decided_and_nothing_else() {
    let world = World::new();
    let before = world.count();
    for who in &everybody() {
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

/// Who may write both accounts of the first tenant.
fn writer_of_both(world: &World) -> Caller {
    let accounts = vec![Uuid::from_u128(0xA1), Uuid::from_u128(0xA2)];
    let places = Places { accounts, namespaces: Vec::new() };
    world.caller(&everybody()[2]).with_places(Places::default(), places)
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
    let caller = world.caller(&everybody()[2]);
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
    let everybody = everybody();
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

#[test]
fn introspection_shows_what_the_caller_may_use() {
    let world = World::new();
    let query =
        "{ __schema { queryType { fields { name } } mutationType { fields { name } } types { name } } }";
    let names = |value: &Json| -> BTreeSet<String> {
        let items = value.as_array().into_iter().flatten();
        items.map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    };
    let of = |who: &Who| {
        let schema = &world.ask(who, query, &Json::Null)["data"]["__schema"];
        (
            names(&schema["queryType"]["fields"]),
            names(&schema["mutationType"]["fields"]),
            names(&schema["types"]),
        )
    };
    let shown: Vec<_> = everybody().iter().map(|who| (who.name, of(who))).collect();
    for (name, (reads, writes, types)) in &shown {
        let (is_whole, is_part) = (name.contains("tenant_admin"), name.contains("account"));
        assert!(reads.contains("event_severity") && reads.contains("tenant"), "{name}");
        assert_eq!(reads.contains("billing"), is_whole || *name == "readonly and account_admin", "{name}");
        assert_eq!(reads.contains("spend_groupings_v2"), is_whole || is_part, "{name}");
        assert_eq!(types.contains("billing"), reads.contains("billing"), "{name}");
        assert_eq!(types.contains("mutation_root"), !writes.is_empty(), "{name}");
        let writes_spends = ["tenant_admin", "account_admin", "readonly and account_admin"].contains(name);
        assert_eq!(writes.contains("insert_spends"), writes_spends, "{name}");
        assert_eq!(writes.contains("insert_cloud_accounts"), *name == "tenant_admin", "{name}");
    }
    let nullable = |who: &Who| {
        let query = r#"{ __type(name: "auto_pilot") { fields { name type { kind } } } }"#;
        let fields = world.ask(who, query, &Json::Null)["data"]["__type"]["fields"].clone();
        let user = fields.as_array().unwrap().iter().find(|field| field["name"] == "user").cloned();
        user.unwrap()["type"]["kind"] == "OBJECT"
    };
    let everybody = everybody();
    assert!(!nullable(&everybody[0]));
    assert!(nullable(&everybody[2]), "the person who made it may be one the caller does not meet");
}

#[test]
fn what_a_role_may_not_see_is_unknown_wherever_it_is_named() {
    let world = World::new();
    let everybody = everybody();
    let mut hidden = BTreeMap::new();
    for who in everybody.iter().filter(|who| who.roles.len() == 1 && who.name != "tenant_admin") {
        let caller = world.caller(who);
        let shows = |id: TableId| {
            world.catalogue.table(id).exposed && world.catalogue.allows(&caller, Right::Read, id)
        };
        for (id, table) in world.catalogue.iter().filter(|(_, table)| table.exposed && table.root) {
            for relationship in table.relationships.iter().filter(|_| shows(id)) {
                let (of, name) = (&table.name, &relationship.name);
                let mut ways = vec![
                    (format!("{of}(limit: 0) {{ {name} {{ __typename }} }}"), name.clone(), of.clone()),
                    (
                        format!("{of}(limit: 0, where: {{ {name}: {{}} }}) {{ __typename }}"),
                        name.clone(),
                        format!("{of}_bool_exp"),
                    ),
                ];
                let (ordered, aggregate) = match relationship.kind {
                    RelationshipKind::One => (name.clone(), None),
                    RelationshipKind::Many => {
                        (format!("{name}_aggregate"), Some(format!("{name}_aggregate {{ __typename }}")))
                    }
                };
                ways.push((
                    format!("{of}(limit: 0, order_by: {{ {ordered}: {{}} }}) {{ __typename }}"),
                    ordered.clone(),
                    format!("{of}_order_by"),
                ));
                if let Some(aggregate) = aggregate {
                    ways.push((format!("{of}(limit: 0) {{ {aggregate} }}"), ordered, of.clone()));
                }
                for (root, field, kind) in ways {
                    let answer = world.ask(who, &format!("{{ {root} }}"), &Json::Null);
                    let told = answer["errors"][0]["message"].as_str();
                    let unknown = format!("field '{field}' not found in type: '{kind}'");
                    let wanted = (!shows(relationship.target)).then_some(unknown.as_str());
                    assert_eq!(told, wanted, "{}: {root}: {answer}", who.name);
                    *hidden.entry(who.name).or_insert(0) += usize::from(told.is_some());
                }
            }
        }
    }
    assert_eq!(hidden["tenant_admin_readonly"], 0);
    assert!(hidden["account_admin"] > 0 && hidden["tenant_usage"] > 0, "{hidden:?}");
}
