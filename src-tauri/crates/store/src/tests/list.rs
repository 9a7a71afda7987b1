//! Lists on a real file: nulls in the position of the interface, without sorting, in whichever direction an index is read.

use crate::query::{
    Direction, Field, FieldKind, Filter, Operator, Order, OrderBy, Query, QueryKind, Range, Rows, Select,
    Subject, Test,
};
use crate::{Store, StoreError};
use catalogue::{Caller, Catalogue, Decimal, Source, Value, ValueRef};
use std::sync::Arc;
use uuid::Uuid;

const SCHEMA: &str = r#"
"A house that owns rows."
type tenant @table(tenant: "id") { id: uuid! @key }

"Something that happened."
type happening
  @table(tenant: "tenant")
  @list(order: "began", also: ["kind", "place"])
  @list(order: "cost", filters: ["kind"])
{
  id: uuid! @key
  tenant: uuid!
  kind: String
  place: String
  began: timestamp
  cost: numeric
  number: Int!
  text: String!
  owner: tenant! @one(by: "tenant")
}
"#;
const TENANT: Uuid = Uuid::from_u128(0xA);
const ROWS: i64 = 300;

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let sources = [Source { name: "tables/a.graphql", text: SCHEMA }];
    let store =
        Store::open(&folder.path().join("a.db"), Arc::new(Catalogue::parse(&sources).unwrap())).unwrap();
    let fill = store.transaction(&Caller::system_for(TENANT), |rows| {
        rows.insert("tenant", &[("id", TENANT.into())])?;
        for number in 0..ROWS {
            let key =
                Uuid::from_u64_pair(0x5EED ^ number.unsigned_abs().wrapping_mul(0x9E37_79B9_7F4A_7C15), 1);
            let began = if number % 7 == 0 {
                ValueRef::Null
            } else {
                ValueRef::Timestamp(number * 37 % 101 * 1_000_000)
            };
            // As text, 9.5 would sort after 10.
            let cost = Decimal::parse(&format!("{}.5", number * 53 % 97)).unwrap();
            let cost = if number % 5 == 0 { ValueRef::Null } else { cost.into() };
            rows.insert(
                "happening",
                &[
                    ("id", key.into()),
                    ("kind", ["fire", "flood"][usize::from(number % 3 == 0)].into()),
                    ("place", ["here", "there"][usize::from(number % 2 == 0)].into()),
                    ("began", began),
                    ("cost", cost),
                    ("number", ValueRef::Int(number)),
                    ("text", "x".into()),
                ],
            )?;
        }
        Ok::<(), StoreError>(())
    });
    fill.unwrap();
    (folder, store)
}

fn list(
    store: &Store,
    column: &str,
    direction: Direction,
    kind: Option<&str>,
    (limit, offset): (u64, u64),
) -> Query {
    let catalogue = store.catalogue();
    let table = catalogue.find("happening").unwrap();
    let id = |name: &str| catalogue.table(table).find_column(name).unwrap();
    let by = |name: &str, direction| Order { path: Vec::new(), by: OrderBy::Column(id(name)), direction };
    let test = |kind: &str| Filter::Test {
        subject: Subject::Column(id("kind")),
        test: Test::Compare(Operator::Equal, Value::Text(kind.to_owned())),
    };
    let range = Range {
        filter: kind.map(test),
        // The last term makes the order total, so that pages can be compared.
        order: vec![by(column, direction), by("number", Direction::Ascending { nulls_first: false })],
        limit: Some(Rows::Known(limit)),
        offset: Some(Rows::Known(offset)),
        ..Range::default()
    };
    let field = |name: &str| Field {
        name: name.to_owned(),
        kind: FieldKind::Column { column: id(name), path: None },
    };
    let fields = ["number", "began", "cost"].map(field).into();
    Query { name: "rows".to_owned(), kind: QueryKind::List(Select { table, fields, range }) }
}

fn numbers(store: &Store, query: Query) -> Vec<i64> {
    let answer = store.read(&Caller::system_for(TENANT), &[query]).unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&answer).unwrap();
    answer["rows"].as_array().unwrap().iter().map(|row| row["number"].as_i64().unwrap()).collect()
}

/// The expected order, computed without the database.
fn expected(column: &str, direction: Direction, kind: Option<&str>) -> Vec<i64> {
    let value = |number: i64| match column {
        "began" => (number % 7 != 0).then_some(number * 37 % 101),
        _ => (number % 5 != 0).then_some(number * 53 % 97),
    };
    let is_meant = |number: &i64| kind.is_none_or(|kind| (kind == "flood") == (number % 3 == 0));
    let mut all: Vec<i64> = (0..ROWS).filter(is_meant).collect();
    let (is_descending, nulls_first) = match direction {
        Direction::Ascending { nulls_first } => (false, nulls_first),
        Direction::Descending { nulls_first } => (true, nulls_first),
    };
    all.sort_by_key(|number| {
        let value = value(*number);
        let of_null = if nulls_first { -1 } else { 1 };
        (value.map_or(of_null, |_| 0), value.map(|value| if is_descending { -value } else { value }), *number)
    });
    all
}

const DIRECTIONS: [Direction; 4] = [
    Direction::Ascending { nulls_first: false },
    Direction::Ascending { nulls_first: true },
    Direction::Descending { nulls_first: false },
    Direction::Descending { nulls_first: true },
];

#[test]
fn nulls_stand_where_the_interface_has_them_on_every_page() {
    let (_folder, store) = store();
    for counted in [false, true] {
        if counted {
            store.renew_statistics().unwrap();
        }
        for (column, kind) in
            [("began", None), ("began", Some("flood")), ("cost", Some("fire")), ("cost", None)]
        {
            for direction in DIRECTIONS {
                let expected = expected(column, direction, kind);
                let mut found = Vec::new();
                while found.len() < expected.len() {
                    let offset = found.len() as u64;
                    let page = numbers(&store, list(&store, column, direction, kind, (70, offset)));
                    assert!(!page.is_empty(), "{column} {direction:?}");
                    found.extend(page);
                }
                assert_eq!(found, expected, "{column} {kind:?} {direction:?}");
            }
        }
    }
}

#[test]
fn an_order_walks_its_index_wherever_nulls_stand() {
    let (_folder, store) = store();
    for (column, kind, index) in
        [("began", None, "happening_list_began"), ("cost", Some("fire"), "happening_list_kind_cost")]
    {
        for direction in DIRECTIONS {
            let query = list(&store, column, direction, kind, (10, 0));
            let plan = steps(&store, &query);
            assert!(plan.contains(index), "{column} {direction:?}: {plan}");
            // Only equal values are sorted, by number.
            assert!(!plan.contains("B-TREE FOR ORDER BY"), "{column} {direction:?}: {plan}");
        }
    }
}

/// SQLite's query plan.
fn steps(store: &Store, query: &Query) -> String {
    let plan = crate::dialect::plan(
        crate::sql::Dialect::Sqlite,
        store.catalogue(),
        &Caller::system_for(TENANT),
        query,
    );
    let crate::plan::Body::Data(crate::plan::Data::Rows(rows)) = plan.body else { panic!("a list has rows") };
    let steps: Result<_, StoreError> = store.backend.sqlite().unwrap().read(|connection, _| {
        let mut statement =
            connection.prepare(&format!("EXPLAIN QUERY PLAN {}", rows.statement.sql)).unwrap();
        let mut steps = String::new();
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().unwrap() {
            steps.push_str(&row.get::<_, String>(3).unwrap());
            steps.push('\n');
        }
        Ok(steps)
    });
    steps.unwrap()
}

/// A list of ten rows of one kind at one place, oldest first.
fn at_a_place(store: &Store) -> Query {
    let mut query = list(store, "began", DIRECTIONS[0], Some("fire"), (10, 20));
    let QueryKind::List(select) = &mut query.kind else { panic!("it is a list") };
    let place = store.catalogue().table(select.table).find_column("place").unwrap();
    let test = Test::Compare(Operator::Equal, Value::Text("here".to_owned()));
    let at = Filter::Test { subject: Subject::Column(place), test };
    let of_kind = select.range.filter.take();
    select.range.filter = Some(Filter::And(of_kind.into_iter().chain([at]).collect()));
    query
}

#[test]
fn what_is_joined_to_a_page_is_looked_up_for_its_rows_only() {
    let (_folder, store) = store();
    let alone = numbers(&store, at_a_place(&store));
    let mut query = at_a_place(&store);
    let QueryKind::List(select) = &mut query.kind else { panic!("it is a list") };
    let table = store.catalogue().table(select.table);
    let relationship = table.find_relationship("owner").unwrap();
    let kind = FieldKind::One { relationship, fields: Vec::new() };
    select.fields.push(Field { name: "owner".to_owned(), kind });
    let plan = steps(&store, &query);
    let page = plan.find("SCAN page").unwrap_or_else(|| panic!("{plan}"));
    assert!(plan.find("happening_list_began").unwrap() < page, "{plan}");
    assert!(plan.rfind("SEARCH j1").unwrap() > page, "{plan}");
    assert_eq!(numbers(&store, query), alone);
}

#[test]
fn rows_are_counted_once_and_every_connection_takes_note() {
    let (_folder, store) = store();
    let known = || {
        let known: Result<i64, StoreError> = store.backend.sqlite().unwrap().read(|connection, _| {
            let sql = "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat4'";
            assert_eq!(
                connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap(),
                0,
                "samples are not kept"
            );
            let count =
                "SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'happening' AND idx = 'happening_list_began'";
            Ok(connection.query_row(count, [], |row| row.get(0)).unwrap_or_default())
        });
        known.unwrap()
    };
    assert_eq!(known(), 0);
    let pause = store.pause_upkeep();
    assert_eq!(store.renew_statistics().unwrap(), 0, "nothing is written in a pause");
    assert_eq!(known(), 0);
    drop(pause);
    assert!(store.renew_statistics().unwrap() > 0);
    assert_eq!(known(), 1);
    assert_eq!(store.renew_statistics().unwrap(), 0, "nothing has changed since");
}
