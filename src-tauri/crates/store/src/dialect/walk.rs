//! Chooses the index by which a page is read.
//!
//! SQLite does not consider `LIMIT` when it chooses between reading rows in index order and sorting all rows that another index finds: for
//! fifty rows it may sort a fifth of the table. If an index contains the order and every filtered column, reading along it touches only
//! the rows of the page; the statement then names that index. Not if an id is filtered: so few rows may match that the whole index would
//! be read.

use super::Printer;
use crate::query::{Filter, Key, Operator, OrderBy, Range, Subject, Test};
use catalogue::{CallerScope, ColumnId, Index, Reach, Right, Scalar, Scope, TableId, TableKind};

impl Printer<'_> {
    /// The name of the index, if there is one. Its columns must be the tenant, columns that equal a value, the order, and all other
    /// filtered columns.
    pub(super) fn walked_index(&self, table: TableId, range: &Range) -> Option<&str> {
        let is_whole_tenant =
            self.caller.scope != CallerScope::AllTenants && self.caller.reach(Right::Read) >= Reach::Tenant;
        let described = self.table(table);
        let Scope::Tenant(tenant) = described.scope else { return None };
        let is_plain =
            matches!(described.kind, TableKind::Table) && described.column(tenant).scalar == Scalar::Uuid;
        if !is_whole_tenant || !is_plain || range.limit.is_none() {
            return None;
        }
        let order = range.order.first().filter(|order| order.path.is_empty())?;
        let OrderBy::Column(order) = order.by else { return None };
        let mut tested = FilterColumns::default();
        if !range.filter.as_ref().is_none_or(|filter| tested.add(filter, true)) {
            return None;
        }
        let is_id = |column: &ColumnId| *column != tenant && described.column(*column).scalar == Scalar::Uuid;
        if tested.columns.iter().any(is_id) {
            return None;
        }
        let walks = |index: &&Index| {
            let Some((first, others)) = index.columns.split_first() else { return false };
            let Some(place) = others.iter().position(|column| *column == order) else { return false };
            *first == tenant
                && others[..place].iter().all(|column| tested.equal.contains(column))
                && tested.columns.iter().all(|column| index.columns.contains(column))
        };
        let place = |index: &&Index| index.columns.iter().position(|column| *column == order);
        described.indices.iter().filter(walks).max_by_key(place).map(|index| index.name.as_str())
    }
}

/// The columns that a filter tests.
#[derive(Default)]
struct FilterColumns {
    columns: Vec<ColumnId>,
    /// Columns that equal one value in every matching row.
    equal: Vec<ColumnId>,
}

impl FilterColumns {
    /// Adds the columns of a filter. Returns whether the filter tests nothing else. `must` is set if every matching row meets this filter.
    fn add(&mut self, filter: &Filter, must: bool) -> bool {
        match filter {
            Filter::And(filters) => filters.iter().all(|filter| self.add(filter, must)),
            Filter::Or(filters) => filters.iter().all(|filter| self.add(filter, false)),
            Filter::Not(filter) => self.add(filter, false),
            Filter::Test { subject: Subject::Column(column) | Subject::Key(Key::Column(column)), test } => {
                self.columns.push(*column);
                if must && is_equality(test) {
                    self.equal.push(*column);
                }
                true
            }
            Filter::Test { .. } | Filter::Columns { .. } | Filter::Related { .. } => false,
        }
    }
}

fn is_equality(test: &Test) -> bool {
    match test {
        Test::Compare(Operator::Equal, _) | Test::CompareParameter(Operator::Equal, _) => true,
        Test::All(tests) => tests.iter().any(is_equality),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Body, Data};
    use crate::query::{
        Direction, Field, FieldKind, Filter, Operator, Order, OrderBy, Query, QueryKind, Range, Rows, Select,
        Subject, Test,
    };
    use catalogue::{Caller, Catalogue, Source, Value};
    use uuid::Uuid;

    const SCHEMA: &str = r#"
"Something that happened."
type happening
  @table(tenant: "tenant")
  @list(order: "began", also: ["kind", "place", "thing"])
  @list(order: "began", filters: ["kind"], also: ["place"])
{
  id: uuid! @key
  tenant: uuid!
  began: timestamp
  kind: String
  place: String
  text: String
  thing: uuid
}
"#;

    /// The index named for a list of rows with these tests, oldest first.
    fn named(caller: &Caller, limit: Option<Rows>, tests: &[(&str, Operator)]) -> Option<String> {
        let catalogue = Catalogue::parse(&[Source { name: "tables/a.graphql", text: SCHEMA }]).unwrap();
        let table = catalogue.find("happening").unwrap();
        let id = |name: &str| catalogue.table(table).find_column(name).unwrap();
        let test = |(name, operator): &(&str, Operator)| Filter::Test {
            subject: Subject::Column(id(name)),
            test: Test::Compare(*operator, Value::Null),
        };
        let range = Range {
            filter: Some(Filter::And(tests.iter().map(test).collect())),
            order: vec![Order {
                path: Vec::new(),
                by: OrderBy::Column(id("began")),
                direction: Direction::Ascending { nulls_first: false },
            }],
            limit,
            ..Range::default()
        };
        let kind = FieldKind::Column { column: id("text"), path: None };
        let fields = vec![Field { name: "text".to_owned(), kind }];
        let kind = QueryKind::List(Select { table, fields, range });
        let plan = super::super::plan(
            crate::sql::Dialect::Sqlite,
            &catalogue,
            caller,
            &Query { name: "rows".to_owned(), kind },
        );
        let Body::Data(Data::Rows(rows)) = plan.body else { panic!("a list is planned as rows") };
        let (_, rest) = rows.statement.sql.split_once(" INDEXED BY \"")?;
        rest.split_once('"').map(|(index, _)| index.to_owned())
    }

    #[test]
    fn a_page_walks_the_index_that_begins_with_what_is_equal() {
        let of_tenant = Caller::system_for(Uuid::from_u128(1));
        let page = Some(Rows::Known(50));
        let walked = |tests: &[(&str, Operator)]| named(&of_tenant, page, tests);
        let (began, kind) = (Some("happening_list_began".to_owned()), "happening_list_kind_began".to_owned());
        assert_eq!(walked(&[]), began);
        assert_eq!(walked(&[("place", Operator::Equal)]), began);
        assert_eq!(walked(&[("kind", Operator::NotEqual), ("began", Operator::Less)]), began);
        assert_eq!(walked(&[("kind", Operator::Equal), ("place", Operator::Like)]), Some(kind));
        assert_eq!(walked(&[("text", Operator::Equal)]), None, "each row would be looked at");
        assert_eq!(walked(&[("thing", Operator::Equal)]), None, "few rows may have an id");
    }

    #[test]
    fn whoever_reads_all_or_without_end_is_left_to_sqlite() {
        let of_tenant = Caller::system_for(Uuid::from_u128(1));
        assert_eq!(named(&of_tenant, None, &[]), None);
        assert_eq!(named(&Caller::system(), Some(Rows::Known(50)), &[]), None);
    }
}
