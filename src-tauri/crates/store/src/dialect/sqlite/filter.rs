//! Conditions as SQL.

use super::figures::collated;
use super::{Build, Printer};
use crate::access::row_condition;
use crate::plan::Print;
use crate::query::{Filter, Operator, Subject, Test};
use catalogue::{Right, TableId, Value};

impl Printer<'_> {
    /// The condition on the row of `table` that goes by `alias`.
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
            Filter::And(filters) => all(build, filters, " AND ", "1"),
            Filter::Or(filters) => all(build, filters, " OR ", "0"),
            Filter::Not(filter) => format!("NOT ({})", self.filter(build, table, alias, filter)),
            Filter::Test { subject, test } => {
                let (expression, print) = match subject {
                    Subject::Column(column) => self.column(table, alias, *column),
                    Subject::JsonText(column) => {
                        (format!("json_print({alias}.\"{}\")", described.column(*column).name), Print::Text)
                    }
                    Subject::Key(key) => self.key(build, table, alias, key),
                    Subject::KeyText(key) => (self.key_text(build, table, alias, key), Print::Text),
                    Subject::Figure(figure) => {
                        let (expression, print) = self.related_figure(build, table, alias, figure);
                        (collated(expression, print), print)
                    }
                };
                self::test(build, &expression, print, test)
            }
            Filter::Columns { left, operator, right } => {
                let (left, print) = self.key(build, table, alias, left);
                let (right, _) = self.key(build, table, alias, right);
                compare(&left, *operator, &right, print)
            }
            Filter::Related { relationship, filter } => {
                let target = described.relationship(*relationship).target;
                let other = build.alias();
                let mut conditions = self.join_conditions(table, alias, *relationship, &other);
                conditions.extend(row_condition(self.catalogue, self.caller, Right::Read, target, &other));
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

fn test(build: &mut Build, expression: &str, print: Print, test: &Test) -> String {
    match test {
        Test::All(tests) if tests.is_empty() => "1".to_owned(),
        Test::All(tests) => {
            let parts: Vec<String> =
                tests.iter().map(|test| self::test(build, expression, print, test)).collect();
            format!("({})", parts.join(" AND "))
        }
        Test::Not(test) => format!("NOT ({})", self::test(build, expression, print, test)),
        Test::Compare(operator, value) => {
            let parameter = build.bind(value.clone());
            compare(expression, *operator, &parameter, print)
        }
        Test::CompareSlot(operator, slot) => {
            let parameter = build.bind_slot(*slot);
            compare(expression, *operator, &parameter, print)
        }
        Test::OneOf(values) => {
            let parameters = values.iter().map(|value| build.bind(value.clone())).collect();
            one_of(expression, print, parameters)
        }
        Test::OneOfSlots(slots) => {
            let parameters = slots.iter().map(|slot| build.bind_slot(*slot)).collect();
            one_of(expression, print, parameters)
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
                (true, true) => "1".to_owned(),
                (true, false) => "0".to_owned(),
                (false, all) => format!("({})", tests.join(if *all { " AND " } else { " OR " })),
            }
        }
    }
}

fn one_of(expression: &str, print: Print, parameters: Vec<String>) -> String {
    if parameters.is_empty() {
        return "0".to_owned();
    }
    if print != Print::Json {
        return format!("{expression} IN ({})", parameters.join(", "));
    }
    let parts: Vec<String> =
        parameters.iter().map(|parameter| compare(expression, Operator::Equal, parameter, print)).collect();
    format!("({})", parts.join(" OR "))
}

fn compare(left: &str, operator: Operator, right: &str, print: Print) -> String {
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
        Operator::Regex => return format!("text_regex({left}, {right})"),
        Operator::RegexAnyCase => return format!("text_iregex({left}, {right})"),
        Operator::Contains => return format!("json_holds({left}, {right})"),
        Operator::ContainedIn => return format!("json_holds({right}, {left})"),
    };
    // Texts of equal JSON differ in blanks and the order of keys.
    if print == Print::Json {
        format!("json_order({left}, {right}) {sign} 0")
    } else {
        format!("{left} {sign} {right}")
    }
}
