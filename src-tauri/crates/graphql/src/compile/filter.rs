//! `where` of tables: `T_bool_exp` to [`Filter`].

use super::Compiler;
use super::input::Input;
use super::scalar::read;
use crate::error::{GraphqlError, Path};
use catalogue::{Column, ColumnId, Scalar, TableId};
use store::query::{Filter, Operator};

/// Comparison operators of every scalar that has an order.
const COMPARISONS: [(&str, Operator); 6] = [
    ("_eq", Operator::Equal),
    ("_neq", Operator::NotEqual),
    ("_gt", Operator::Greater),
    ("_gte", Operator::GreaterOrEqual),
    ("_lt", Operator::Less),
    ("_lte", Operator::LessOrEqual),
];

/// Pattern operators of texts.
const PATTERNS: [(&str, Operator); 4] = [
    ("_like", Operator::Like),
    ("_nlike", Operator::NotLike),
    ("_ilike", Operator::LikeAnyCase),
    ("_nilike", Operator::NotLikeAnyCase),
];

/// The operators of a scalar's comparison input, in the order the schema shows them.
pub(crate) fn operators(scalar: &Scalar) -> Vec<&'static str> {
    let mut names: Vec<&str> = match scalar {
        Scalar::Enum { .. } => vec!["_eq", "_neq"],
        _ => COMPARISONS.iter().map(|(name, _)| *name).collect(),
    };
    names.extend(["_in", "_nin", "_is_null"]);
    match scalar {
        Scalar::String | Scalar::Citext => names.extend(PATTERNS.iter().map(|(name, _)| *name)),
        Scalar::Jsonb => names.extend(["_contains", "_has_key", "_has_keys_any", "_has_keys_all"]),
        _ => {}
    }
    names
}

impl Compiler<'_> {
    /// A `T_bool_exp`: its parts must all hold, `{}` always does.
    pub(super) fn filter(
        &self,
        table: TableId,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let mut parts = Vec::new();
        for (name, value) in value.entries(path)? {
            parts.push(self.part(table, name, value, &path.join(name))?);
        }
        Ok(one_or(parts, Filter::And))
    }

    fn part(
        &self,
        table: TableId,
        name: &str,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let all = |value: &Input| {
            value
                .members()
                .iter()
                .enumerate()
                .map(|(place, member)| self.filter(table, member, &path.join(&format!("[{place}]"))))
                .collect::<Result<Vec<_>, _>>()
        };
        match name {
            "_and" => return Ok(Filter::And(all(value)?)),
            "_or" => return Ok(Filter::Or(all(value)?)),
            "_not" => return Ok(Filter::Not(Box::new(self.filter(table, value, path)?))),
            _ => {}
        }
        let described = self.catalogue.table(table);
        if let Some(id) = described.find_column(name).filter(|id| !described.column(*id).secret) {
            return self.comparison(described.column(id), id, value, path);
        }
        if let Some(id) = described.find_relationship(name) {
            let target = described.relationship(id).target;
            if self.catalogue.table(target).exposed {
                let filter = Box::new(self.filter(target, value, path)?);
                return Ok(Filter::Related { relationship: id, filter });
            }
        }
        Err(path.invalid(format!("field '{name}' not found in type: '{}_bool_exp'", described.name)))
    }

    fn comparison(
        &self,
        column: &Column,
        id: ColumnId,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let mut parts = Vec::new();
        for (name, value) in value.entries(path)? {
            parts.push(self.operator(column, id, name, value, &path.join(name))?);
        }
        Ok(one_or(parts, Filter::And))
    }

    pub(super) fn operator(
        &self,
        column: &Column,
        id: ColumnId,
        name: &str,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let kind = column.scalar.graphql_name();
        if !operators(&column.scalar).contains(&name) {
            return Err(path.invalid(format!("field '{name}' not found in type: '{kind}_comparison_exp'")));
        }
        let one = || read(self.catalogue, column, value, path);
        let many = || {
            value
                .members()
                .iter()
                .map(|member| read(self.catalogue, column, member, path))
                .collect::<Result<Vec<_>, _>>()
        };
        if *value == Input::Null {
            return Err(path.invalid(format!("unexpected null value for type '{kind}'")));
        }
        let simple = COMPARISONS.iter().chain(&PATTERNS).find(|(known, _)| *known == name);
        if let Some((_, operator)) = simple {
            return Ok(Filter::Compare { column: id, operator: *operator, value: one()? });
        }
        Ok(match name {
            "_in" => Filter::OneOf { column: id, values: many()? },
            "_nin" => Filter::Not(Box::new(Filter::OneOf { column: id, values: many()? })),
            "_is_null" => match value {
                Input::Bool(true) => Filter::IsNull { column: id },
                Input::Bool(false) => Filter::Not(Box::new(Filter::IsNull { column: id })),
                other => {
                    return Err(path.invalid(format!(
                        "expected a boolean for type 'Boolean', but found {}",
                        other.describe()
                    )));
                }
            },
            "_contains" => Filter::Compare { column: id, operator: Operator::Contains, value: one()? },
            keys => Filter::HasKeys { column: id, keys: texts(value, path)?, all: keys == "_has_keys_all" },
        })
    }
}

fn texts(value: &Input, path: &Path<'_>) -> Result<Vec<String>, GraphqlError> {
    let text = |member: &Input| match member {
        Input::Text(text) => Ok(text.clone()),
        other => {
            Err(path.invalid(format!("expected a string for type 'String', but found {}", other.describe())))
        }
    };
    value.members().iter().map(text).collect()
}

/// A single part stands for itself.
fn one_or(mut parts: Vec<Filter>, many: impl FnOnce(Vec<Filter>) -> Filter) -> Filter {
    if parts.len() == 1 { parts.remove(0) } else { many(parts) }
}
