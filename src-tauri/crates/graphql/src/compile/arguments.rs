//! Compiles arguments of root fields and relationships that select rows by key or by range.

use super::Compiler;
use super::input::Input;
use super::parameters::Kind;
use super::selection::ChosenField;
use crate::error::{GraphqlError, Path};
use catalogue::{Column, ColumnId, Scalar, TableId};
use store::query::{Order, OrderBy, Range, Rows, Select};

impl Compiler<'_> {
    pub(super) fn list(
        &self,
        table: TableId,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<Select, GraphqlError> {
        let range = self.range(table, chosen, path)?;
        Ok(Select { table, fields: self.fields(table, &chosen.sets, path)?, range })
    }

    pub(super) fn by_key(
        &self,
        table: TableId,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<Select, GraphqlError> {
        let described = self.catalogue.table(table);
        let arguments = path.join("args");
        let given = self.arguments(chosen, &arguments)?;
        let is_key = |name: &str| described.primary_key.iter().any(|id| described.column(*id).name == name);
        if let Some((name, _)) = given.iter().find(|(name, _)| !is_key(name)) {
            return Err(unexpected(chosen, name, &arguments));
        }
        let filter = self.key_filter(described, &given, &arguments)?;
        let range = Range { filter: Some(filter), ..Range::default() };
        Ok(Select { table, fields: self.fields(table, &chosen.sets, path)?, range })
    }

    /// Compiles `where`, `order_by`, `limit`, `offset`, `distinct_on`.
    pub(super) fn range(
        &self,
        table: TableId,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<Range, GraphqlError> {
        let given = self.arguments(chosen, &path.join("args"))?;
        self.range_of(table, given, chosen, path)
    }

    /// Compiles range arguments that were already read.
    pub(super) fn range_of(
        &self,
        table: TableId,
        given: Vec<(String, Input)>,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<Range, GraphqlError> {
        let arguments = path.join("args");
        let mut range = Range::default();
        for (name, value) in given {
            let place = arguments.join(&name);
            match name.as_str() {
                // A null argument is treated as omitted.
                "where" | "order_by" | "distinct_on" | "limit" | "offset" if value == Input::Null => {}
                "where" => range.filter = Some(self.filter(table, &value, &place)?),
                "order_by" => range.order = self.order(table, &value, &place)?,
                "distinct_on" => range.distinct = self.distinct(table, &value, &place)?,
                "limit" => range.limit = Some(self.number_of_rows(&value, &place, natural)?),
                "offset" => range.offset = Some(self.number_of_rows(&value, &place, offset)?),
                _ => return Err(unexpected(chosen, &name, &arguments)),
            }
        }
        let leads = |order: &Order| match order.by {
            OrderBy::Column(column) => order.path.is_empty() && range.distinct.contains(&column),
            OrderBy::Figure(_) => false,
        };
        if !range.order.iter().take(range.distinct.len()).all(leads) {
            return Err(arguments.invalid("\"distinct_on\" columns must match initial \"order_by\" columns"));
        }
        Ok(range)
    }

    /// A number of rows.
    fn number_of_rows(
        &self,
        value: &Input,
        path: &Path<'_>,
        read: fn(&Input, &Path<'_>) -> Result<u64, GraphqlError>,
    ) -> Result<Rows, GraphqlError> {
        let number = read(value, path)?;
        Ok(self.parameters.add(value, || Kind::Count).map_or(Rows::Known(number), Rows::Parameter))
    }

    fn distinct(
        &self,
        table: TableId,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Vec<ColumnId>, GraphqlError> {
        value.each(path, |member, path| self.column_name(table, member, path))
    }

    /// A value of `T_select_column`.
    pub(super) fn column_name(
        &self,
        table: TableId,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<ColumnId, GraphqlError> {
        self.spent.condition(path)?;
        let described = self.catalogue.table(table);
        let found = match value {
            Input::Text(name) => described.find_column(name).filter(|id| !described.column(*id).secret),
            _ => None,
        };
        found.ok_or_else(|| {
            let names: Vec<String> = described
                .interface_columns()
                .filter(|column| !column.secret)
                .map(|column| format!("'{}'", column.name))
                .collect();
            path.invalid(format!(
                "expected one of the values [{}] for type '{}_select_column', but found {}",
                names.join(", "),
                described.name,
                value.describe()
            ))
        })
    }

    /// The `path` argument of a JSON column, as SQL/JSON path text.
    pub(super) fn json_path(
        &self,
        column: &Column,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<Option<String>, GraphqlError> {
        let arguments = path.join("args");
        let is_json = column.scalar == Scalar::Jsonb;
        let mut found = None;
        for (name, value) in self.arguments(chosen, &arguments)? {
            match (name.as_str(), value) {
                ("path", Input::Null) if is_json => {}
                ("path", Input::Text(text)) if is_json => {
                    found = Some(sql_json_path(&text).ok_or_else(|| {
                        arguments.join("path").invalid(format!(
                            "invalid JSON path \"{text}\": write keys and indices like $.labels.team or items[0]"
                        ))
                    })?);
                }
                (name, _) => return Err(unexpected(chosen, name, &arguments)),
            }
        }
        Ok(found)
    }

    /// The arguments that have a value.
    pub(super) fn arguments(
        &self,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<Vec<(String, Input)>, GraphqlError> {
        self.spent.begin_statement();
        let mut known = Vec::new();
        for (place, (name, value)) in chosen.field.node.arguments.iter().enumerate() {
            let (name, others) = (name.node.as_str(), &chosen.field.node.arguments[..place]);
            if others.iter().any(|(other, _)| other.node == name) {
                return Err(path
                    .join(name)
                    .invalid(format!("there can be only one argument named '{name}'")));
            }
            if let Some(value) = self.input(&value.node, &path.join(name))? {
                known.push((name.to_owned(), value));
            }
        }
        Ok(known)
    }
}

/// Refuses any argument.
pub(super) fn no_arguments(chosen: &ChosenField<'_>, path: &Path<'_>) -> Result<(), GraphqlError> {
    match chosen.field.node.arguments.first() {
        Some((name, _)) => Err(unexpected(chosen, name.node.as_str(), &path.join("args"))),
        None => Ok(()),
    }
}

/// An argument the field does not take.
pub(super) fn unexpected(chosen: &ChosenField<'_>, name: &str, path: &Path<'_>) -> GraphqlError {
    let field = chosen.field.node.name.node.as_str();
    path.join(name).invalid(format!("'{field}' has no argument named '{name}'"))
}

/// A non-negative integer.
pub(super) fn natural(value: &Input, path: &Path<'_>) -> Result<u64, GraphqlError> {
    let whole = match value {
        Input::Number(number) => number.as_i64(),
        _ => None,
    };
    match whole.map(u64::try_from) {
        Some(Ok(number)) => Ok(number),
        Some(Err(_)) => Err(path.invalid("unexpected negative value")),
        None => {
            Err(path
                .invalid(format!("expected a 32-bit integer for type 'Int', but found {}", value.describe())))
        }
    }
}

/// A non-negative integer, which may be a string: clients write 64-bit numbers that way.
pub(super) fn offset(value: &Input, path: &Path<'_>) -> Result<u64, GraphqlError> {
    match value {
        Input::Text(text) => match text.parse::<i64>().map(u64::try_from) {
            Ok(Ok(number)) => Ok(number),
            Ok(Err(_)) => Err(path.invalid("unexpected negative value")),
            Err(_) => Err(path.unparsed(format!(
                "expected a 64-bit integer for type 'bigint', but found {}",
                value.describe()
            ))),
        },
        value => natural(value, path),
    }
}

/// Converts `$.a.b`, `a`, `arr[0]`, `objs[0]['k']` to SQL notation; `None` if it is not a path.
fn sql_json_path(text: &str) -> Option<String> {
    let mut out = String::from("$");
    let mut rest = text.strip_prefix('$').unwrap_or(text);
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('[') {
            let (inner, after) = inside.split_once(']')?;
            let quoted =
                ['\'', '"'].iter().find_map(|quote| inner.strip_prefix(*quote)?.strip_suffix(*quote));
            match quoted {
                Some(key) => step(&mut out, key),
                None if !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit()) => {
                    out.push_str(&format!("[{inner}]"));
                }
                _ => return None,
            }
            rest = after;
            continue;
        }
        let word = rest.strip_prefix('.').unwrap_or(rest);
        let end = word.find(['.', '[']).unwrap_or(word.len());
        let (key, after) = word.split_at(end);
        if key.is_empty() {
            return None;
        }
        step(&mut out, key);
        rest = after;
    }
    Some(out)
}

/// Appends a quoted key, escaped as in JSON: NUL would end the path, a quote the key.
fn step(path: &mut String, key: &str) {
    path.push('.');
    path.push_str(&serde_json::Value::from(key).to_string());
}

#[cfg(test)]
mod tests {
    use super::sql_json_path;

    #[test]
    fn the_path_forms_of_the_interface_are_understood() {
        for (given, wanted) in [
            ("$", Some("$")),
            ("$.a.b", Some("$.\"a\".\"b\"")),
            (".a.b", Some("$.\"a\".\"b\"")),
            ("a", Some("$.\"a\"")),
            ("arr[0]", Some("$.\"arr\"[0]")),
            ("objs[0]['k']", Some("$.\"objs\"[0].\"k\"")),
            ("['\\'].\"", Some("$.\"\\\\\".\"\\\"\"")),
            ("a\0b", Some("$.\"a\\u0000b\"")),
            ("a..b", None),
            ("a[", None),
            ("a[x]", None),
        ] {
            assert_eq!(sql_json_path(given).as_deref(), wanted, "{given}");
        }
    }
}
