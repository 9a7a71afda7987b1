//! The rows: every scalar, nulls, and values that break careless code. Stored twice, once per tenant.

use super::random::Random;
use catalogue::{Caller, Catalogue, Decimal, Role, Source, Value};
use graphql::{Engine, Request};
use std::sync::Arc;
use store::{Bounds, Store, StoreError, Transaction};
use uuid::Uuid;

const SCHEMA: &str = r#"
"A thing."
type item @table(tenant: "tenant") {
  id: uuid! @key
  tenant: uuid!
  parent_id: uuid
  name: String
  nick: citext
  kind: kind_enum
  amount: Int
  big: bigint
  price: float8 @exact
  cost: numeric
  ratio: float8
  flag: Boolean
  at: timestamp
  day: date
  data: jsonb
  parent: item @one(by: "parent_id")
  children: [item!]! @many(from: "parent_id")
}

"What it is."
enum kind @lookup(enum: "kind_enum") { "Round." Ball "Square." Box }
"#;

const LISTINGS: &str = r#"
extend type query_root {
  "Things, brought together."
  item_groupings_v2(columns: [String], column_transformations: [QueryColumnTransformationRequest!], group_by: [String], limit: Int, offset: Int, order_by: [QuerySortByRequest], where: ItemWhereRequest): ItemGroupingsResponse
    @listing(of: "item", row: "ItemGroupingsRowResponse", kind: aggregate)
  "Things, one by one."
  items_v2(columns: [String], column_transformations: [QueryColumnTransformationRequest!], limit: Int, offset: Int, order_by: [QuerySortByRequest], where: ItemWhereRequest): ItemsResponse
    @listing(of: "item", row: "ItemRowResponse", kind: normal)
}

type ItemGroupingsRowResponse {
  id: String @from(column: "id") @filter
  name: String @from(column: "name") @filter
  kind: String @from(column: "kind") @filter
  amount: Int @from(column: "amount") @filter
  price: Float @from(column: "price") @filter
  flag: Boolean @from(column: "flag") @filter
  at: Datetime @from(column: "at") @filter
  parent_name: String @from(column: "parent.name") @filter
  label: String @from(column: "name") @from(column: "parent.name") @filter
  path: String @joined(columns: ["name", "name"], with: "/") @filter
  member: String @from(column: "data", path: "$.a") @filter
  recent: Boolean @recent(column: "at", days: 7) @filter
  count: Int @count
  names: Int @count(distinct: "name")
  total: Float @sum(of: "price")
  least: Datetime @min(of: "at")
  most: Int @max(of: "amount")
  balls: Int @count(where: {kind: Ball})
  others: Float @sum(of: "price", where: {kind: {not: [Ball]}})
  newest: String @latest(of: "id", by: "at")
  different: Json @values(of: "name")
}

type ItemRowResponse {
  id: String @from(column: "id") @filter
  name: String @from(column: "name") @filter
  kind: String @from(column: "kind") @filter
  amount: String @from(column: "amount") @filter
  price: Float @from(column: "price") @filter
  flag: String @from(column: "flag") @filter
  at: Datetime @from(column: "at") @filter
  parent_name: String @from(column: "parent.name") @filter
  label: String @from(column: "name") @from(column: "parent.name") @filter
  path: String @joined(columns: ["name", "name"], with: "/") @filter
  member: String @from(column: "data", path: "$.a") @filter
  recent: Boolean @recent(column: "at", days: 7) @filter
}
"#;

/// The columns of a row, in the order of [`Row`]; without the tenant.
pub const COLUMNS: [&str; 14] = [
    "id",
    "parent_id",
    "name",
    "nick",
    "kind",
    "amount",
    "big",
    "price",
    "cost",
    "ratio",
    "flag",
    "at",
    "day",
    "data",
];

pub type Row = Vec<Value>;

/// Texts with special meaning to careless code: SQL, patterns, JSON, blanks, the end of a C string.
pub const TEXTS: [&str; 18] = [
    "",
    "a",
    "A",
    "b",
    "ab",
    "ä",
    "Ä",
    "\u{1f600}",
    "'; DROP TABLE item; --",
    "\" OR 1=1 --",
    "\u{0}",
    "a\u{0}b",
    "%",
    "a%_",
    "\\",
    "{\"a\":1}",
    "line\nbreak\t",
    "?1 $2 :x @y",
];

pub const JSON: [&str; 9] = [
    "{}",
    "[]",
    "null",
    "{\"a\":1,\"b\":[1,2]}",
    "{\"a\":{\"a\":null}}",
    "[1,\"a\"]",
    "\"a\"",
    "1.5",
    "{\"'\":\"\\\"\"}",
];

/// One database with the rows of two tenants, and the rows of the first.
pub struct World {
    engine: Engine,
    /// The same rows in PostgreSQL, if installed: it must answer with the same bytes.
    postgres: Option<Engine>,
    pub rows: Vec<Row>,
    _folder: tempfile::TempDir,
}

const TENANT: u128 = 0xA0;
const OTHER: u128 = 0xB0;

impl World {
    /// Generates rows.
    pub fn new(random: &mut Random) -> Self {
        let count = 1 + random.below(24);
        Self::with((0..count).map(|place| row(random, place, count)).collect())
    }

    /// Rows in which only these cells are not null.
    pub fn of(known: Vec<Vec<(String, Value)>>) -> Self {
        let row = |(place, known): (usize, Vec<(String, Value)>)| {
            let cell = |column: &&str| match *column {
                "id" => Value::Uuid(id(place)),
                name => known
                    .iter()
                    .find(|(known, _)| known == name)
                    .map_or(Value::Null, |(_, cell)| cell.clone()),
            };
            COLUMNS.iter().map(cell).collect()
        };
        Self::with(known.into_iter().enumerate().map(row).collect())
    }

    fn with(rows: Vec<Row>) -> Self {
        let sources = [
            Source { name: "tables/item.graphql", text: SCHEMA },
            Source { name: "operations/item.graphql", text: LISTINGS },
        ];
        let catalogue = Arc::new(Catalogue::parse(&sources).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let file = Store::open(&folder.path().join("world.db"), Arc::clone(&catalogue)).unwrap();
        let postgres = testkit::postgres::database()
            .map(|url| engine(Store::open_postgres(&url, catalogue).unwrap(), &rows));
        Self { engine: engine(file, &rows), postgres, rows, _folder: folder }
    }

    /// The response of both databases.
    pub fn ask(&self, query: &str, variables: &serde_json::Value) -> String {
        let tenant = Uuid::from_u128(TENANT);
        let caller = Caller::user(Uuid::from_u128(7), tenant, vec![Role::TenantAdmin]);
        let variables = variables.as_object().cloned();
        let request =
            Request { query: query.to_owned(), operation_name: None, variables, ..Request::default() };
        let answer = |engine: &Engine| {
            let body = engine.execute(&caller, &request, |error| panic!("{error:?}\n{query}"));
            String::from_utf8(body).unwrap()
        };
        let found = answer(&self.engine);
        if let Some(postgres) = &self.postgres {
            let other = answer(postgres);
            assert!(
                other == found,
                "PostgreSQL answers otherwise\n{query}\n{:?}\n{}",
                request.variables,
                super::difference(&other, &found)
            );
        }
        found
    }
}

/// An engine over the rows of both tenants.
fn engine(store: Store, rows: &[Row]) -> Engine {
    let fill = |transaction: &Transaction<'_>| {
        for (tenant, moved) in [(TENANT, false), (OTHER, true)] {
            for row in rows {
                let cells = row.iter().map(|cell| if moved { elsewhere(cell) } else { cell.clone() });
                let cells: Vec<Value> = cells.collect();
                let mut named: Vec<_> = COLUMNS.into_iter().zip(cells.iter().map(Value::borrow)).collect();
                named.push(("tenant", Uuid::from_u128(tenant).into()));
                transaction.insert("item", &named)?;
            }
        }
        Ok::<_, StoreError>(())
    };
    store.transaction(&Caller::system(), fill).unwrap();
    // Generated requests read the few rows many times.
    let bounds = Bounds { passes: u64::MAX, related_rows: u64::MAX, ..Bounds::default() };
    Engine::new(store.with_bounds(bounds)).unwrap()
}

/// The same id in the other tenant.
fn elsewhere(cell: &Value) -> Value {
    match cell {
        Value::Uuid(id) => Value::Uuid(Uuid::from_u128(id.as_u128() ^ (1 << 64))),
        other => other.clone(),
    }
}

/// The id of the row with this index. Ids sort like indices.
pub fn id(place: usize) -> Uuid {
    Uuid::from_u128(0x1000 + place as u128)
}

fn row(random: &mut Random, place: usize, count: usize) -> Row {
    COLUMNS
        .iter()
        .map(|column| if *column == "id" { Value::Uuid(id(place)) } else { cell(random, column, count) })
        .collect()
}

/// A random cell, sometimes null.
fn cell(random: &mut Random, column: &str, count: usize) -> Value {
    if random.one_in(4) {
        return Value::Null;
    }
    value(random, column, count)
}

/// A random value of a column from a small set, so that rows match.
pub fn value(random: &mut Random, column: &str, count: usize) -> Value {
    match column {
        // A parent may be a row of the other tenant: the result must be the same as without a parent.
        "parent_id" if random.one_in(5) => elsewhere(&Value::Uuid(id(random.below(count)))),
        "id" | "parent_id" => Value::Uuid(id(random.below(count))),
        "name" | "nick" => Value::Text(random.pick(&TEXTS).to_owned()),
        "kind" => Value::Text(random.pick(&["Ball", "Box"]).to_owned()),
        "amount" => Value::Int(random.pick(&[0, 1, -1, 7, i64::from(i32::MAX), i64::from(i32::MIN)])),
        "big" => Value::Int(random.pick(&[0, 1, -1, i64::MAX, i64::MIN, 9_007_199_254_740_993])),
        "price" | "cost" => {
            let texts =
                ["0", "0.1", "-0.1", "2", "10", "12345678901234567890.123456789012345", "-1e-15", "1e20"];
            Value::Decimal(Decimal::parse(random.pick(&texts)).unwrap())
        }
        "ratio" => {
            Value::Float(random.pick(&[-0.0, 1.5, -1.5, 0.1, 1e300, 1e-300, 123_456_789_012_345_680.0]))
        }
        "flag" => Value::Bool(random.one_in(2)),
        "at" => Value::Timestamp(random.pick(&[
            0,
            -1,
            1,
            1_725_166_800_000_000,
            1_725_166_800_123_456,
            -62_135_596_800_000_000,
        ])),
        "day" => Value::Date(random.pick(&[0, -1, 19_967, 2_932_896])),
        "data" => Value::Json(random.pick(&JSON).to_owned()),
        other => panic!("no values for {other}"),
    }
}
