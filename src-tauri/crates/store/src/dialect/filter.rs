//! Prints conditions as SQL.

use super::{Build, Printer};
use crate::access::row_condition;
use crate::query::{Filter, Key, Operator, Subject, Test};
use crate::sql::Dialect;
use crate::statement::Print;
use catalogue::{
    ColumnId, Relationship, RelationshipId, RelationshipKind, Right, Scalar, Table, TableId, Value,
};

impl Printer<'_> {
    /// The condition on the row of `table` with this alias.
    pub(super) fn filter(&self, build: &mut Build, table: TableId, alias: &str, filter: &Filter) -> String {
        let described = self.table(table);
        let all = |build: &mut Build, filters: &[Filter], word: &str, empty: &str| {
            if filters.is_empty() {
                return empty.to_owned();
            }
            let parts: Vec<String> =
                filters.iter().map(|filter| self.filter(build, table, alias, filter)).collect();
            format!("({})", parts.join(word))
        };
        match filter {
            Filter::And(filters) => all(build, filters, " AND ", "TRUE"),
            Filter::Or(filters) => all(build, filters, " OR ", "FALSE"),
            Filter::Not(filter) => format!("NOT ({})", self.filter(build, table, alias, filter)),
            Filter::Test { subject, test } => {
                let (expression, print) = match subject {
                    Subject::Column(column) => self.column(table, alias, *column),
                    Subject::JsonText(column) => {
                        let cell = self.dialect.cell(alias, described.column(*column));
                        (format!("json_print({cell})"), Print::Text)
                    }
                    Subject::Key(key) => self.key(build, table, alias, key),
                    Subject::KeyText(key) => (self.key_text(build, table, alias, key), Print::Text),
                    Subject::Figure(figure) => {
                        let (expression, print) = self.related_figure(build, table, alias, figure);
                        (self.dialect.collated(expression, print), print)
                    }
                };
                let any_case = self.has_any_case(table, subject);
                let left = LeftSide { dialect: self.dialect, expression: &expression, print, any_case };
                if any_case {
                    return self::test(build, left, &test.any_case());
                }
                self::test(build, left, test)
            }
            Filter::Columns { left, operator, right } => {
                let any_case = self.is_citext(table, left);
                let operator = if any_case { operator.any_case() } else { *operator };
                let (left, print) = self.key(build, table, alias, left);
                let (right, _) = self.key(build, table, alias, right);
                let left = LeftSide { dialect: self.dialect, expression: &left, print, any_case };
                compare(left, operator, &right)
            }
            Filter::Related { relationship, filter } => {
                let related = described.relationship(*relationship);
                if related.kind == RelationshipKind::One
                    && filter.reads_many_rows(self.catalogue, related.target)
                {
                    return self.among(build, alias, described, related, filter);
                }
                let target = related.target;
                let other = build.alias();
                let mut conditions = self.join_conditions(table, alias, *relationship, &other);
                let bound: Vec<ColumnId> = related.join.iter().map(|(_, there)| *there).collect();
                conditions.extend(self.met_beside(Right::Read, target, &other, &bound));
                conditions.push(self.filter(build, target, &other, filter));
                format!(
                    "EXISTS (SELECT 1 FROM \"{}\" {other} WHERE {})",
                    self.table(target).name,
                    conditions.join(" AND ")
                )
            }
        }
    }
}

impl Printer<'_> {
    /// Whether values of the subject are compared without regard to case.
    fn has_any_case(&self, table: TableId, subject: &Subject) -> bool {
        match subject {
            Subject::Column(column) => self.table(table).column(*column).scalar == Scalar::Citext,
            Subject::Key(key) => self.is_citext(table, key),
            Subject::JsonText(_) | Subject::KeyText(_) | Subject::Figure(_) => false,
        }
    }

    fn is_citext(&self, table: TableId, key: &Key) -> bool {
        let (table, column) = match key {
            Key::Column(column) => (table, column),
            Key::Related(steps, column) => {
                let step = |at, step: &RelationshipId| self.table(at).relationship(*step).target;
                (steps.iter().fold(table, step), column)
            }
            _ => return false,
        };
        self.table(table).column(*column).scalar == Scalar::Citext
    }

    /// An alternative to EXISTS for when many rows refer to the same related row: the related rows that match are determined once, not for
    /// every referring row. Like EXISTS, the result is never null.
    fn among(
        &self,
        build: &mut Build,
        alias: &str,
        described: &Table,
        related: &Relationship,
        filter: &Filter,
    ) -> String {
        let target = self.table(related.target);
        let other = build.alias();
        let (mut left, mut right, mut known, mut conditions) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (here, there) in &related.join {
            let (here, there) = (described.column(*here), target.column(*there));
            left.push(format!("{alias}.\"{}\"", here.name));
            right.push(format!("{other}.\"{}\"", there.name));
            known.extend(here.nullable.then(|| format!("{alias}.\"{}\" IS NOT NULL AND ", here.name)));
            conditions.extend(there.nullable.then(|| format!("{other}.\"{}\" IS NOT NULL", there.name)));
        }
        conditions.extend(row_condition(
            self.dialect,
            self.catalogue,
            self.caller,
            Right::Read,
            related.target,
            &other,
        ));
        conditions.push(self.filter(build, related.target, &other, filter));
        let row = if left.len() == 1 { left.remove(0) } else { format!("({})", left.join(", ")) };
        format!(
            "({}{row} IN (SELECT {} FROM \"{}\" {other} WHERE {}))",
            known.concat(),
            right.join(", "),
            target.name,
            conditions.join(" AND ")
        )
    }
}

/// The left side of a comparison.
#[derive(Clone, Copy)]
struct LeftSide<'e> {
    dialect: Dialect,
    expression: &'e str,
    print: Print,
    any_case: bool,
}

fn test(build: &mut Build, left: LeftSide<'_>, test: &Test) -> String {
    let expression = left.expression;
    match test {
        Test::All(tests) if tests.is_empty() => "TRUE".to_owned(),
        Test::All(tests) => {
            let parts: Vec<String> = tests.iter().map(|test| self::test(build, left, test)).collect();
            format!("({})", parts.join(" AND "))
        }
        Test::Not(test) => format!("NOT ({})", self::test(build, left, test)),
        Test::Compare(operator, value) => {
            let parameter = build.bind(value.clone());
            compare(left, *operator, &parameter)
        }
        Test::CompareParameter(operator, slot) => {
            let parameter = build.bind_slot(*slot);
            compare(left, *operator, &parameter)
        }
        Test::OneOf(values) => {
            let parameters = values.iter().map(|value| build.bind(value.clone())).collect();
            one_of(left, parameters)
        }
        Test::OneOfParameters(slots) => {
            let parameters = slots.iter().map(|slot| build.bind_slot(*slot)).collect();
            one_of(left, parameters)
        }
        Test::IsNull => format!("{expression} IS NULL"),
        Test::HasKeys { keys, all } => {
            let tests: Vec<String> = keys
                .iter()
                .map(|key| {
                    let parameter = build.bind(Value::Text(key.clone()));
                    format!("json_has_key({expression}, {parameter})")
                })
                .collect();
            match (tests.is_empty(), all) {
                // A test of a null value gives null, whatever the test.
                (true, all) => {
                    let known = if *all { "TRUE" } else { "FALSE" };
                    format!("(CASE WHEN {expression} IS NULL THEN NULL ELSE {known} END)")
                }
                (false, all) => format!("({})", tests.join(if *all { " AND " } else { " OR " })),
            }
        }
    }
}

fn one_of(left: LeftSide<'_>, parameters: Vec<String>) -> String {
    let LeftSide { dialect, expression, print, any_case } = left;
    if parameters.is_empty() {
        return "FALSE".to_owned();
    }
    if any_case {
        return dialect.among_without_case(expression, &parameters);
    }
    if print != Print::Json {
        return format!("{expression} IN ({})", parameters.join(", "));
    }
    let parts: Vec<String> =
        parameters.iter().map(|parameter| compare(left, Operator::Equal, parameter)).collect();
    format!("({})", parts.join(" OR "))
}

fn compare(left: LeftSide<'_>, operator: Operator, right: &str) -> String {
    let LeftSide { dialect, expression: left, print, any_case } = left;
    let sign = match operator {
        Operator::Equal => "=",
        Operator::NotEqual => "<>",
        Operator::Less => "<",
        Operator::LessOrEqual => "<=",
        Operator::Greater => ">",
        Operator::GreaterOrEqual => ">=",
        Operator::Like => return format!("text_like({left}, {right})"),
        Operator::LikeAnyCase => return format!("text_ilike({left}, {right})"),
        Operator::Similar => return format!("text_similar({left}, {right})"),
        Operator::SimilarAnyCase => return format!("text_isimilar({left}, {right})"),
        Operator::Regex => return format!("text_regex({left}, {right})"),
        Operator::RegexAnyCase => return format!("text_iregex({left}, {right})"),
        Operator::Contains => return format!("json_holds({left}, {right})"),
        Operator::ContainedIn => return format!("json_holds({right}, {left})"),
    };
    // Equal JSON may have different whitespace and key order as text.
    if print == Print::Json {
        format!("json_order({left}, {right}) {sign} 0")
    } else if any_case {
        dialect.compared_without_case(left, sign, right)
    } else {
        format!("{left} {sign} {right}")
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Body, Data};
    use crate::query::{Field, FieldKind, Filter, Query, QueryKind, Range, Select};
    use catalogue::{Caller, Catalogue, RelationshipId, Source};
    use uuid::Uuid;

    const SCHEMA: &str = r#"
"A branch of a tree."
type branch @table(tenant: "tenant") {
  id: uuid! @key
  tenant: uuid!
  parent: uuid @references(table: "branch")
  parentBranch: branch @one(by: "parent")
  branches: [branch!]! @many(from: "parent")
}
"#;

    /// The condition of a list, as SQL.
    fn condition(filter: Filter) -> String {
        condition_in(SCHEMA, filter)
    }

    fn condition_in(schema: &str, filter: Filter) -> String {
        let catalogue = Catalogue::parse(&[Source { name: "tables/a.graphql", text: schema }]).unwrap();
        let table = catalogue.find("branch").unwrap();
        let text = FieldKind::Text("branch".to_owned());
        let fields = vec![Field { name: "__typename".to_owned(), kind: text }];
        let range = Range { filter: Some(filter), ..Range::default() };
        let kind = QueryKind::List(Select { table, fields, range });
        let caller = Caller::system_for(Uuid::from_u128(1));
        let plan = crate::dialect::plan(
            crate::sql::Dialect::Sqlite,
            &catalogue,
            &caller,
            &Query { name: "a".to_owned(), kind },
        );
        let Body::Data(Data::Rows(rows)) = plan.body else { panic!("a list has rows") };
        rows.statement.sql.split_once("WHERE t.\"tenant\" = ?1 AND ").unwrap().1.to_owned()
    }

    fn related(relationship: u16, filter: Filter) -> Filter {
        Filter::Related { relationship: RelationshipId(relationship), filter: Box::new(filter) }
    }

    const PARENT: u16 = 0;
    const CHILDREN: u16 = 1;

    #[test]
    fn related_rows_are_looked_for_row_by_row() {
        let any = || Filter::And(Vec::new());
        assert_eq!(
            condition(related(PARENT, any())),
            "EXISTS (SELECT 1 FROM \"branch\" j1 WHERE j1.\"id\" = t.\"parent\" AND j1.\"tenant\" = ?1 AND TRUE)"
        );
        assert_eq!(
            condition(related(CHILDREN, any())),
            "EXISTS (SELECT 1 FROM \"branch\" j1 WHERE j1.\"parent\" = t.\"id\" AND j1.\"tenant\" = ?1 AND TRUE)"
        );
    }

    #[test]
    fn an_index_of_the_relationship_goes_before_one_of_the_tenant() {
        let found = |index: &str| {
            let schema =
                SCHEMA.replace("@table(tenant: \"tenant\")", &format!("@table(tenant: \"tenant\") {index}"));
            condition_in(&schema, related(CHILDREN, Filter::And(Vec::new())))
        };
        let joined = "EXISTS (SELECT 1 FROM \"branch\" j1 WHERE j1.\"parent\" = t.\"id\" AND ";
        assert_eq!(found("@index(columns: [\"parent\"])"), format!("{joined}+j1.\"tenant\" = ?1 AND TRUE)"));
        assert_eq!(
            found("@index(columns: [\"tenant\", \"parent\"])"),
            format!("{joined}j1.\"tenant\" = ?1 AND TRUE)")
        );
    }

    #[test]
    fn what_many_rows_share_is_looked_up_once_where_it_looks_at_many_itself() {
        assert_eq!(
            condition(related(PARENT, related(CHILDREN, Filter::Or(Vec::new())))),
            "(t.\"parent\" IS NOT NULL AND t.\"parent\" IN (SELECT j1.\"id\" FROM \"branch\" j1 WHERE j1.\"tenant\" = ?1 \
             AND EXISTS (SELECT 1 FROM \"branch\" j2 WHERE j2.\"parent\" = j1.\"id\" AND j2.\"tenant\" = ?1 AND FALSE)))"
        );
    }
}
