//! ORDER BY states the position of nulls only where there may be nulls, because an index cannot serve an explicit NULLS FIRST or LAST.

use crate::plan::{Body, Data};
use crate::query::{
    Direction, Field, FieldKind, Filter, Key, Operator, Order, OrderBy, Query, QueryKind, Range, Select,
    Subject, Test,
};
use catalogue::{Caller, Catalogue, ColumnId, Source, Value};
use uuid::Uuid;

const SCHEMA: &str = r#"
"Something that happened."
type happening @table(tenant: "tenant") @index(columns: ["tenant", "began"]) {
  id: uuid! @key
  tenant: uuid!
  began: timestamp
  name: String!
}
"#;

/// The ORDER BY of a list, with the filter that `filter` makes from the column. Newest first, with nulls in the position of the interface.
fn order(column: &str, filter: impl Fn(ColumnId) -> Option<Filter>) -> String {
    let catalogue = Catalogue::parse(&[Source { name: "tables/a.graphql", text: SCHEMA }]).unwrap();
    let table = catalogue.find("happening").unwrap();
    let (id, _) = catalogue.table(table).iter_columns().find(|(_, found)| found.name == column).unwrap();
    let direction = Direction::Descending { nulls_first: true };
    let range = Range {
        filter: filter(id),
        order: vec![Order { path: Vec::new(), by: OrderBy::Column(id), direction }],
        ..Range::default()
    };
    let text = FieldKind::Text("happening".to_owned());
    let fields = vec![Field { name: "__typename".to_owned(), kind: text }];
    let query =
        Query { name: "happening".to_owned(), kind: QueryKind::List(Select { table, fields, range }) };
    let plan = super::plan(super::Dialect::Sqlite, &catalogue, &Caller::system_for(Uuid::nil()), &query);
    let Body::Data(Data::Rows(rows)) = plan.body else { panic!("a list is planned as rows") };
    let (_, order) = rows.statement.sql.split_once(" ORDER BY ").unwrap();
    order.to_owned()
}

fn test(subject: Subject, test: Test) -> Filter {
    Filter::Test { subject, test }
}

fn since(id: ColumnId) -> Filter {
    test(Subject::Column(id), Test::Compare(Operator::GreaterOrEqual, Value::Timestamp(0)))
}

#[test]
fn nulls_are_spelled_where_the_filter_leaves_them_in() {
    let spelled = r#"t."began" DESC NULLS FIRST"#;
    assert_eq!(order("began", |_| None), spelled);
    assert_eq!(order("began", |id| Some(test(Subject::Column(id), Test::IsNull))), spelled);
    assert_eq!(order("began", |id| Some(Filter::Not(Box::new(since(id))))), spelled);
    let either = |id| Some(Filter::Or(vec![since(id), test(Subject::Column(id), Test::IsNull)]));
    assert_eq!(order("began", either), spelled);
    assert_eq!(order("began", |_| Some(Filter::Or(Vec::new()))), spelled);
}

#[test]
fn nulls_are_not_spelled_where_the_filter_leaves_them_out() {
    let plain = r#"t."began" DESC"#;
    assert_eq!(order("began", |id| Some(since(id))), plain);
    assert_eq!(order("began", |id| Some(Filter::And(vec![Filter::And(Vec::new()), since(id)]))), plain);
    assert_eq!(order("began", |id| Some(Filter::Or(vec![since(id), since(id)]))), plain);
    let is_there = |id| Some(test(Subject::Column(id), Test::Not(Box::new(Test::IsNull))));
    assert_eq!(order("began", is_there), plain);
    let of_listing =
        |id| Some(test(Subject::Key(Key::Column(id)), Test::CompareParameter(Operator::Less, 0)));
    assert_eq!(order("began", of_listing), plain);
    assert_eq!(order("name", |_| None), r#"t."name" DESC"#);
}
