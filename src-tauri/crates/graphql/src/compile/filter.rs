//! Compiles `where` of tables: `T_bool_exp` to [`Filter`].

use super::Compiler;
use super::input::Input;
use super::parameters::{Kind, cell, column_of};
use super::scalar::{boolean, read};
use crate::error::{GraphqlError, Path};
use crate::limits::PATTERN_BYTES;
use catalogue::{Catalogue, Column, LookupValue, Scalar, TableId, Value};
use store::pattern::{Dialect, compile};
use store::query::{Filter, Operator, Subject, Test};

/// Comparison operators of all ordered scalars.
pub(super) const COMPARISONS: [(&str, Operator); 6] = [
    ("_eq", Operator::Equal),
    ("_neq", Operator::NotEqual),
    ("_gt", Operator::Greater),
    ("_gte", Operator::GreaterOrEqual),
    ("_lt", Operator::Less),
    ("_lte", Operator::LessOrEqual),
];

/// Pattern operators of text, each with its negation.
const PATTERNS: [(&str, &str, Operator); 5] = [
    ("_like", "_nlike", Operator::Like),
    ("_ilike", "_nilike", Operator::LikeAnyCase),
    ("_similar", "_nsimilar", Operator::Similar),
    ("_regex", "_nregex", Operator::Regex),
    ("_iregex", "_niregex", Operator::RegexAnyCase),
];

/// The operators of a scalar's comparison input.
pub(crate) fn operators(catalogue: &Catalogue, scalar: &Scalar) -> Vec<&'static str> {
    let mut names: Vec<&str> = match scalar {
        Scalar::Enum { .. } if catalogue.scalar_values(scalar).is_none() => vec!["_eq", "_neq"],
        _ => COMPARISONS.iter().map(|(name, _)| *name).collect(),
    };
    names.extend(["_in", "_nin", "_is_null"]);
    match scalar {
        Scalar::String | Scalar::Citext => {
            names.extend(PATTERNS.iter().flat_map(|(name, negated, _)| [*name, *negated]));
        }
        Scalar::StringList => names.extend(["_contains", "_contained_in"]),
        Scalar::Jsonb => {
            names.extend([
                "_cast",
                "_contains",
                "_contained_in",
                "_has_key",
                "_has_keys_any",
                "_has_keys_all",
            ]);
        }
        _ => {}
    }
    names
}

impl Compiler<'_> {
    /// Compiles a `T_bool_exp`: all its parts must hold; `{}` always holds.
    pub(super) fn filter(
        &self,
        table: TableId,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        self.spent.condition(path)?;
        let mut parts = self.spent.nested(path, || {
            let part = |(name, value): &(String, Input)| {
                self.spent.condition(path)?;
                self.part(table, name, value, &path.join(name))
            };
            value.entries(path)?.iter().map(part).collect::<Result<Vec<_>, _>>()
        })?;
        Ok(if parts.len() == 1 { parts.remove(0) } else { Filter::And(parts) })
    }

    fn part(
        &self,
        table: TableId,
        name: &str,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let all = |value: &Input| value.each(path, |member, path| self.filter(table, member, path));
        match name {
            "_and" => return Ok(Filter::And(all(value)?)),
            "_or" => return Ok(Filter::Or(all(value)?)),
            "_not" => return Ok(Filter::Not(Box::new(self.filter(table, value, path)?))),
            _ => {}
        }
        let described = self.catalogue.table(table);
        if let Some(id) = described.find_column(name).filter(|id| !described.column(*id).secret) {
            return self.comparison(described.column(id), &Subject::Column(id), value, path);
        }
        let visible = |id: &catalogue::RelationshipId| self.roots.show(described.relationship(*id).target);
        if let Some(id) = described.find_relationship(name).filter(visible) {
            self.spent.table(path)?;
            let target = described.relationship(id).target;
            let filter = Box::new(self.spent.related(path, || self.filter(target, value, path))?);
            return Ok(Filter::Related { relationship: id, filter });
        }
        if let Some(id) = self.aggregated(described, name) {
            return self.aggregate_filter(described, id, value, path);
        }
        Err(path.invalid(format!("field '{name}' not found in type: '{}_bool_exp'", described.name)))
    }

    /// Compiles a `<scalar>_comparison_exp` on a subject; `column` determines how its values are read.
    pub(super) fn comparison(
        &self,
        column: &Column,
        subject: &Subject,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let mut tests = Vec::new();
        let mut parts = Vec::new();
        for (name, value) in value.entries(path)? {
            let path = path.join(name);
            match (name.as_str(), subject) {
                ("_cast", Subject::Column(id)) if column.scalar == Scalar::Jsonb => {
                    parts.push(self.cast(column, *id, value, &path)?);
                }
                _ => tests.push(self.test(column, name, value, &path)?),
            }
        }
        let test = if tests.len() == 1 { tests.remove(0) } else { Test::All(tests) };
        let filter = Filter::Test { subject: subject.clone(), test };
        if parts.is_empty() {
            return Ok(filter);
        }
        parts.push(filter);
        Ok(Filter::And(parts))
    }

    /// Compiles `_cast: {String: …}` of a JSON column.
    fn cast(
        &self,
        column: &Column,
        id: catalogue::ColumnId,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let text = Column { scalar: Scalar::String, ..column.clone() };
        let mut parts = Vec::new();
        for (name, value) in value.entries(path)? {
            let path = path.join(name);
            if name != "String" {
                return Err(path.invalid(format!("field '{name}' not found in type: 'jsonb_cast_exp'")));
            }
            parts.push(self.comparison(&text, &Subject::JsonText(id), value, &path)?);
        }
        Ok(Filter::And(parts))
    }

    pub(super) fn test(
        &self,
        column: &Column,
        name: &str,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Test, GraphqlError> {
        let kind = column.scalar.graphql_name();
        if !operators(self.catalogue, &column.scalar).contains(&name) {
            return Err(path.invalid(format!("field '{name}' not found in type: '{kind}_comparison_exp'")));
        }
        let one = || read(self.catalogue, column, value, path);
        let negated = |test| Test::Not(Box::new(test));
        if *value == Input::Null {
            let kind = if name == "_is_null" { "Boolean" } else { kind };
            return Err(path.invalid(format!("unexpected null value for type '{kind}'")));
        }
        if let Some((_, operator)) = COMPARISONS.iter().find(|(known, _)| *known == name) {
            if let Some(values) = self.catalogue.scalar_values(&column.scalar).filter(|_| is_order(*operator))
            {
                return Ok(beyond(values, *operator, &one()?));
            }
            return self.compared(column, *operator, value, path);
        }
        if let Some((plain, _, operator)) =
            PATTERNS.iter().find(|(plain, negated, _)| *plain == name || *negated == name)
        {
            self.check_pattern(*operator, value, path)?;
            let is_checked = !matches!(operator, Operator::Like | Operator::LikeAnyCase);
            let test = if is_checked {
                Test::Compare(*operator, one()?)
            } else {
                self.compared(column, *operator, value, path)?
            };
            return Ok(if *plain == name { test } else { negated(test) });
        }
        Ok(match name {
            "_in" | "_nin" => {
                let lists = of_lists(column, value);
                let value = lists.as_ref().unwrap_or(value);
                let members = value.members();
                let values = value.each(path, |member, path| read(self.catalogue, column, member, path))?;
                self.spent.listed(values.len(), path)?;
                if matches!(column.scalar, Scalar::Jsonb | Scalar::StringList) {
                    values.iter().try_for_each(|_| self.spent.condition(path))?;
                }
                let parameters: Option<Vec<usize>> =
                    members.iter().map(|member| self.parameters.add(member, || cell(column))).collect();
                let test = match parameters {
                    Some(parameters) if !parameters.is_empty() => Test::OneOfParameters(parameters),
                    _ => Test::OneOf(values),
                };
                if name == "_in" { test } else { negated(test) }
            }
            "_is_null" if boolean(value, path)? => Test::IsNull,
            "_is_null" => negated(Test::IsNull),
            "_contains" => Test::Compare(Operator::Contains, one()?),
            "_contained_in" => Test::Compare(Operator::ContainedIn, one()?),
            operator => {
                let keys = texts(value, path)?;
                keys.iter().try_for_each(|_| self.spent.condition(path))?;
                Test::HasKeys { keys, all: operator == "_has_keys_all" }
            }
        })
    }
}

impl Compiler<'_> {
    /// A comparison with a value or with a parameter.
    pub(super) fn compared(
        &self,
        column: &Column,
        operator: Operator,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Test, GraphqlError> {
        let known = read(self.catalogue, column, value, path)?;
        let kind =
            || if is_pattern(operator) { Kind::Pattern(Box::new(column_of(column))) } else { cell(column) };
        Ok(match self.parameters.add(value, kind) {
            Some(parameter) => Test::CompareParameter(operator, parameter),
            None => Test::Compare(operator, known),
        })
    }
}

/// For columns of lists: the elements compared with; a single text stands for a list of one.
fn of_lists(column: &Column, value: &Input) -> Option<Input> {
    if column.scalar != Scalar::StringList {
        return None;
    }
    let list = |member: &Input| match member {
        Input::Text(_) => Input::List(vec![member.clone()]),
        member => member.clone(),
    };
    Some(Input::List(value.members().iter().map(list).collect()))
}

fn is_order(operator: Operator) -> bool {
    !matches!(operator, Operator::Equal | Operator::NotEqual)
}

/// A comparison of enum values by their order: the values that satisfy it.
fn beyond(values: &[LookupValue], operator: Operator, bound: &Value) -> Test {
    let place = |text: &str| values.iter().position(|known| known.value == text);
    let bound = match bound {
        Value::Text(text) => place(text),
        _ => None,
    };
    let meets = |place: usize| {
        let order = Some(place).cmp(&bound);
        match operator {
            Operator::Less => order.is_lt(),
            Operator::LessOrEqual => order.is_le(),
            Operator::Greater => order.is_gt(),
            _ => order.is_ge(),
        }
    };
    let found = values.iter().enumerate().filter(|(place, _)| meets(*place));
    Test::OneOf(found.map(|(_, known)| Value::Text(known.value.clone())).collect())
}

/// Whether the operand is a pattern.
fn is_pattern(operator: Operator) -> bool {
    PATTERNS.iter().any(|(.., known)| *known == operator)
}

impl Compiler<'_> {
    /// Reports an invalid pattern immediately, with its position.
    fn check_pattern(&self, operator: Operator, value: &Input, path: &Path<'_>) -> Result<(), GraphqlError> {
        let Input::Text(pattern) = value else { return Ok(()) };
        if pattern.len() > PATTERN_BYTES {
            return Err(path.exceeded(
                "bytes of one pattern",
                PATTERN_BYTES,
                pattern.len(),
                "look for less at once",
            ));
        }
        let dialect = match operator {
            Operator::Similar => Dialect::Similar,
            Operator::Regex => Dialect::Regex,
            Operator::RegexAnyCase => Dialect::RegexAnyCase,
            _ => return Ok(()),
        };
        self.spent.pattern(path)?;
        match compile(pattern, dialect) {
            Ok(_) => Ok(()),
            Err(error) => Err(path.unreadable(format!("invalid regular expression: {error}"))),
        }
    }
}

pub(super) fn texts(value: &Input, path: &Path<'_>) -> Result<Vec<String>, GraphqlError> {
    value.each(path, |member, path| match member {
        Input::Text(text) => Ok(text.to_string()),
        other => {
            Err(path.invalid(format!("expected a string for type 'String', but found {}", other.describe())))
        }
    })
}
