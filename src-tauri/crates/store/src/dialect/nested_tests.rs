//! Statements of nested lists and aggregates: for one parent in SQLite, for many in PostgreSQL.

use super::Dialect;
use crate::plan::{AggregateBody, Body, Data, Node, Plans, Rows};
use crate::query::{
    AggregatePart, Field, FieldKind, Figure, FigureKind, Query, QueryKind, Range, Rows as Number, Select,
};
use catalogue::{Caller, Catalogue, Source};
use uuid::Uuid;

const SCHEMA: &str = r#"
"A house."
type house @table(scope: everyone) {
  id: uuid! @key
  name: String!

  rooms: [room!]! @many(from: "house")
}

"A room of it."
type room @table(scope: everyone) @index(columns: ["house"]) {
  id: uuid! @key
  house: uuid! @references(table: "house")
}
"#;

fn catalogue() -> Catalogue {
    Catalogue::parse(&[Source { name: "tables/a.graphql", text: SCHEMA }]).unwrap()
}

/// A list of houses with a list and a count of their rooms.
fn houses(catalogue: &Catalogue) -> Query {
    let [house, room] = ["house", "room"].map(|name| catalogue.find(name).unwrap());
    let (id, _) = catalogue.table(room).iter_columns().next().unwrap();
    let relationship = catalogue.table(house).find_relationship("rooms").unwrap();
    let cell = Field { name: "id".to_owned(), kind: FieldKind::Column { column: id, path: None } };
    let range = Range { limit: Some(Number::Known(3)), ..Range::default() };
    let count = FigureKind::Count { columns: Vec::new(), distinct: false };
    let figures = vec![Figure { name: "count".to_owned(), kind: count }];
    let parts = vec![AggregatePart::Figures { name: "aggregate".to_owned(), figures }];
    let fields = vec![
        Field { name: "rooms".to_owned(), kind: FieldKind::Many { relationship, fields: vec![cell], range } },
        Field {
            name: "rooms_aggregate".to_owned(),
            kind: FieldKind::Aggregate { relationship, parts, range: Range::default() },
        },
    ];
    let select = Select { table: house, fields, range: Range::default() };
    Query { name: "house".to_owned(), kind: QueryKind::List(select) }
}

/// A nested list and a nested count of the rooms of houses.
fn nested(dialect: Dialect) -> [Rows; 2] {
    let catalogue = catalogue();
    let query = houses(&catalogue);
    let plan = super::plan(dialect, &catalogue, &Caller::system_for(Uuid::nil()), &query);
    let Body::Data(Data::Rows(Rows { shape, nested: 2, parent: None, .. })) = plan.body else {
        panic!("a list with two nested ones")
    };
    let mut nodes = shape.0.into_iter().map(|(_, node)| node);
    let (Some(Node::Many { place: 0, rows: list, .. }), Some(Node::Aggregate { place: 1, mut parts, .. })) =
        (nodes.next(), nodes.next())
    else {
        panic!("a list and figures")
    };
    let Some((_, AggregateBody::Figures(figures, None))) = parts.pop() else { panic!("figures of rows") };
    [*list, figures]
}

#[test]
fn sqlite_is_asked_for_one_parent() {
    let [list, figures] = nested(Dialect::Sqlite);
    assert_eq!(list.statement.sql, r#"SELECT t."id" FROM "room" t WHERE t."house" = ?2 LIMIT ?3"#);
    assert_eq!(figures.statement.sql, r#"SELECT count(*) FROM "room" t WHERE t."house" = ?2"#);
    assert_eq!((list.parent, figures.parent), (None, None));
}

#[test]
fn postgresql_is_asked_for_many_parents_and_numbers_them() {
    let [list, figures] = nested(Dialect::Postgres);
    assert_eq!(
        list.statement.sql,
        r#"SELECT child.*, parent."parent#" FROM unnest(?2::uuid[]) WITH ORDINALITY AS parent(k0, "parent#") CROSS JOIN LATERAL (SELECT listed.*, row_number() OVER () AS "row#" FROM (SELECT t."id" FROM "room" t WHERE t."house" = parent.k0 LIMIT ?3) listed) child ORDER BY parent."parent#", child."row#""#
    );
    assert_eq!(
        figures.statement.sql,
        r#"SELECT child.*, parent."parent#" FROM unnest(?2::uuid[]) WITH ORDINALITY AS parent(k0, "parent#") CROSS JOIN LATERAL (SELECT count(*) FROM "room" t WHERE t."house" = parent.k0) child ORDER BY parent."parent#""#
    );
    assert_eq!((list.parent, figures.parent), (Some(2), Some(1)));
}

#[test]
fn one_statement_is_a_snapshot_of_its_own_and_several_are_not() {
    let catalogue = catalogue();
    let several = houses(&catalogue);
    let mut one = several.clone();
    let QueryKind::List(select) = &mut one.kind else { panic!("a list") };
    select.fields.clear();
    let is_one = |queries: &[&Query]| {
        let plan = |query: &&Query| super::plan(Dialect::Postgres, &catalogue, &Caller::system(), query);
        Plans { plans: queries.iter().map(plan).collect(), ..Plans::default() }.scope().is_one_statement
    };
    assert!(is_one(&[&one]));
    assert!(!is_one(&[&several]), "its nested lists are statements of their own");
    assert!(!is_one(&[&one, &one]));
}
