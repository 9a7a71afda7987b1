//! Compiles `where` of listings: request objects with operators.

use super::operators::listing_operators;
use super::{ListingRequest, refused};
use crate::compile::input::Input;
use crate::compile::scalar::read;
use crate::error::{GraphqlError, Path};
use crate::limits::PATTERN_BYTES;
use async_graphql_value::Number;
use catalogue::{
    Column, ListingColumn, ListingSource, ListingValue, LogicalType, RequestType, Scalar, Value,
};
use std::cmp::Ordering;
use store::query::{Filter, Key, Operator, Subject, Test};

/// Comparisons with a value; with suffix `_f` they compare with another column.
const COMPARISONS: [(&str, Operator); 8] = [
    ("_eq", Operator::Equal),
    ("_neq", Operator::NotEqual),
    ("_lt", Operator::Less),
    ("_lte", Operator::LessOrEqual),
    ("_gt", Operator::Greater),
    ("_gte", Operator::GreaterOrEqual),
    ("_like", Operator::Like),
    ("_ilike", Operator::LikeAnyCase),
];

/// One column under a condition.
struct ColumnTest<'a> {
    column: &'a ListingColumn,
    request: RequestType,
    key: Key,
    /// How its values are stored and read.
    held: Column,
}

/// The lower and upper bound of a column.
#[derive(Default)]
struct Window {
    lower: Option<Value>,
    upper: Option<Value>,
}

impl Window {
    /// The bound that an operator sets.
    fn bound(&mut self, operator: &str) -> Option<&mut Option<Value>> {
        match operator {
            "_gt" | "_gte" => Some(&mut self.lower),
            "_lt" | "_lte" => Some(&mut self.upper),
            _ => None,
        }
    }
}

impl ListingRequest<'_> {
    /// Compiles an object; all its parts must hold.
    pub(super) fn filter(&self, value: &Input, path: &Path<'_>) -> Result<Filter, GraphqlError> {
        let spent = &self.compiler.spent;
        let mut parts = Vec::new();
        spent.condition(path)?;
        for (name, value) in value.entries(path)? {
            spent.condition(path)?;
            let path = path.join(name);
            let all = |value: &Input| {
                let some = value.members().iter().filter(|member| **member != Input::Null);
                some.map(|member| self.filter(member, &path)).collect::<Result<Vec<_>, _>>()
            };
            parts.push(match name.as_str() {
                "_and" => Filter::And(spent.nested(&path, || all(value))?),
                "_or" => match spent.nested(&path, || all(value))? {
                    // Unlike for tables, an empty list does not restrict.
                    parts if parts.is_empty() => Filter::And(parts),
                    parts => Filter::Or(parts),
                },
                "_not" if *value == Input::Null => Filter::And(Vec::new()),
                "_not" => Filter::Not(Box::new(spent.nested(&path, || self.filter(value, &path))?)),
                _ => self.column_filter(self.find(name, &path)?, value, &path)?,
            });
        }
        Ok(Filter::And(parts))
    }

    fn column_filter(
        &self,
        column: &ListingColumn,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let (name, table) = (&column.name, &self.listing.name);
        let ListingSource::Value(source) = &column.source else {
            return Err(refused(
                path,
                &format!("aggregate column '{name}' of table '{table}' cannot be used in where"),
            ));
        };
        let Some(request) = column.request else {
            return Err(refused(
                path,
                &format!("column '{name}' of table '{table}' cannot be used in where"),
            ));
        };
        if *value == Input::Null {
            return Ok(Filter::And(Vec::new()));
        }
        let key = match source {
            ListingValue::JsonKey(id) => Key::Column(*id),
            source => self.value(column, source, path)?,
        };
        let tested = ColumnTest { column, request, key, held: self.held(source) };
        let mut parts = Vec::new();
        let mut window = Window::default();
        for (operator, value) in value.entries(path)? {
            self.compiler.spent.condition(path)?;
            if *value != Input::Null {
                let place = path.join(operator);
                parts.push(self.test(&tested, operator, value, &place)?);
                if let Some(bound) = window.bound(operator) {
                    *bound = Some(self.read(&tested, value, &place)?);
                }
            }
        }
        self.check_window(&tested, &window, path)?;
        Ok(Filter::And(parts))
    }

    fn test(
        &self,
        tested: &ColumnTest<'_>,
        operator: &str,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        self.check_operator(tested, operator, path)?;
        if operator == "_between" {
            return self.between(tested, value, path);
        }
        if let Some(plain) = operator.strip_suffix("_f") {
            return self.beside(tested, plain, value, path);
        }
        if tested.column.logical == LogicalType::Json {
            return json_test(tested, operator, value, path);
        }
        let is_id = matches!(tested.held.scalar, Scalar::Uuid);
        let subject = match operator {
            "_like" | "_nlike" | "_ilike" | "_contains" | "_has_key" if is_id => {
                Subject::KeyText(tested.key.clone())
            }
            _ => Subject::Key(tested.key.clone()),
        };
        let pattern = |value: &Input| match value {
            Input::Text(text) if text.len() > PATTERN_BYTES => {
                Err(path.exceeded("bytes of one pattern", PATTERN_BYTES, text.len(), "look for less at once"))
            }
            Input::Text(text) => Ok(Value::Text(text.to_string())),
            other => {
                Err(path
                    .invalid(format!("expected a string for type 'String', but found {}", other.describe())))
            }
        };
        let many = || {
            let values: Vec<Value> = value
                .members()
                .iter()
                .map(|member| self.read(tested, member, path))
                .collect::<Result<_, _>>()?;
            self.compiler.spent.listed(values.len(), path)?;
            Ok::<_, GraphqlError>(values)
        };
        let empty = matches!(value, Input::List(members) if members.is_empty());
        let not = |test| Test::Not(Box::new(test));
        let test = match operator {
            // Unlike for tables, an empty list does not restrict (semantics §5).
            "_in" | "_not_in" if empty => Test::All(Vec::new()),
            "_in" => Test::OneOf(many()?),
            "_not_in" => not(Test::OneOf(many()?)),
            // Any value but false counts as true (semantics §5).
            "_is_null" if *value == Input::Bool(false) => not(Test::IsNull),
            "_is_null" => Test::IsNull,
            "_nlike" => not(Test::Compare(Operator::Like, pattern(value)?)),
            "_like" => Test::Compare(Operator::Like, pattern(value)?),
            "_ilike" => Test::Compare(Operator::LikeAnyCase, pattern(value)?),
            "_contains" => Test::Compare(Operator::Contains, Value::Json(json_text(value))),
            "_has_key" => has_key(value, path)?,
            operator => {
                let known = COMPARISONS.iter().find(|(name, _)| *name == operator);
                let (_, operator) = known.ok_or_else(|| unknown(tested, operator, path))?;
                Test::Compare(*operator, self.read(tested, value, path)?)
            }
        };
        Ok(Filter::Test { subject, test })
    }

    /// Refuses operators that the column's type does not support, or that its request object does not have.
    fn check_operator(
        &self,
        tested: &ColumnTest<'_>,
        operator: &str,
        path: &Path<'_>,
    ) -> Result<(), GraphqlError> {
        let logical = tested.column.logical;
        let fits = match operator.strip_suffix("_f").unwrap_or(operator) {
            "_lt" | "_lte" | "_gt" | "_gte" | "_get" | "_between" => {
                matches!(logical, LogicalType::Integer | LogicalType::Float | LogicalType::Datetime)
            }
            "_like" | "_nlike" | "_ilike" => logical == LogicalType::String,
            "_contains" | "_has_key" => matches!(logical, LogicalType::String | LogicalType::Json),
            _ => true,
        };
        if !fits {
            return Err(refused(
                path,
                &format!(
                    "operator {operator} does not apply to the {} column '{}' of table '{}'",
                    logical.label(),
                    tested.column.name,
                    self.listing.name
                ),
            ));
        }
        if listing_operators(tested.request).contains(&operator) {
            return Ok(());
        }
        Err(unknown(tested, operator, path))
    }

    /// A range that ends before it starts is an error, not an empty result.
    fn check_window(
        &self,
        tested: &ColumnTest<'_>,
        window: &Window,
        path: &Path<'_>,
    ) -> Result<(), GraphqlError> {
        match (&window.lower, &window.upper) {
            (Some(lower), Some(upper)) if compare(lower, upper) == Some(Ordering::Greater) => Err(refused(
                path,
                &format!(
                    "the window of column '{}' of table '{}' ends before it starts: swap its bounds",
                    tested.column.name, self.listing.name
                ),
            )),
            _ => Ok(()),
        }
    }

    /// Compiles `_gt`, `_gte`, `_lt` and `_lte` together.
    fn between(
        &self,
        tested: &ColumnTest<'_>,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let mut parts = Vec::new();
        let mut window = Window::default();
        for (operator, value) in value.entries(path)? {
            self.compiler.spent.condition(path)?;
            let place = path.join(operator);
            if *value == Input::Null {
                continue;
            }
            if let Some(bound) = window.bound(operator) {
                *bound = Some(self.read(tested, value, &place)?);
            } else if operator != "_is_null" || tested.request != RequestType::Float {
                return Err(place.invalid(format!(
                    "field '{operator}' not found in type: '{}'",
                    tested.request.between()
                )));
            }
            parts.push(self.test(tested, operator, value, &place)?);
        }
        self.check_window(tested, &window, path)?;
        Ok(Filter::And(parts))
    }

    /// Compiles the `_f` operators: the value names another column.
    fn beside(
        &self,
        tested: &ColumnTest<'_>,
        operator: &str,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        // The interface spells `_gte_f` of integers `_get_f`.
        let operator = if operator == "_get" { "_gte" } else { operator };
        let known = COMPARISONS.iter().find(|(name, _)| *name == operator);
        let (_, operator) = known.ok_or_else(|| unknown(tested, operator, path))?;
        let Input::Text(name) = value else {
            return Err(path.invalid(format!("expected a column name, but found {}", value.describe())));
        };
        let other = self.find(name, path)?;
        match &other.source {
            ListingSource::Value(source)
                if !matches!(source, ListingValue::JsonKey(_)) && alike(&tested.held, &self.held(source)) =>
            {
                let (left, right) = (tested.key.clone(), self.value(other, source, path)?);
                Ok(Filter::Columns { left, operator: *operator, right })
            }
            _ => Err(refused(
                path,
                &format!(
                    "columns '{}' and '{name}' of table '{}' cannot be compared",
                    tested.column.name, self.listing.name
                ),
            )),
        }
    }

    fn read(&self, tested: &ColumnTest<'_>, value: &Input, path: &Path<'_>) -> Result<Value, GraphqlError> {
        // If the request object uses text for an integer column, the text is parsed as a number.
        let number = match (value, &tested.held.scalar) {
            (Input::Text(text), Scalar::Int | Scalar::Bigint) => text.parse::<Number>().ok(),
            _ => None,
        };
        let value = number.map_or_else(|| value.clone(), |number| Input::number(&number));
        read(self.compiler.catalogue, &tested.held, &value, path)
    }

    /// A column that determines how values are stored. Enums are compared as text, so that any word is accepted.
    fn held(&self, source: &ListingValue) -> Column {
        let text = |column: &Column| Column { scalar: Scalar::String, ..column.clone() };
        match source {
            ListingValue::Column(id) | ListingValue::JsonKey(id) => {
                let column = self.table.column(*id);
                if matches!(column.scalar, Scalar::Enum { .. }) { text(column) } else { column.clone() }
            }
            ListingValue::Related(way, id) => {
                let catalogue = self.compiler.catalogue;
                let target =
                    way.iter().fold(self.table, |at, step| catalogue.table(at.relationship(*step).target));
                let column = target.column(*id);
                if matches!(column.scalar, Scalar::Enum { .. }) { text(column) } else { column.clone() }
            }
            ListingValue::JsonPath(id, _) => text(self.table.column(*id)),
            ListingValue::Joined(ids, _) => self.table.column(ids[0]).clone(),
            ListingValue::Recent(id, _) => {
                Column { scalar: Scalar::Boolean, ..self.table.column(*id).clone() }
            }
            // Ids among the values are read as text.
            ListingValue::First(values) => match values.first().map(|value| self.held(value)) {
                Some(column) if column.scalar == Scalar::Uuid => text(&column),
                Some(column) => column,
                None => text(&self.table.columns[0]),
            },
        }
    }
}

/// For JSON columns `_eq` means containment (semantics §5).
fn json_test(
    tested: &ColumnTest<'_>,
    operator: &str,
    value: &Input,
    path: &Path<'_>,
) -> Result<Filter, GraphqlError> {
    let of = |test| Filter::Test { subject: Subject::Key(tested.key.clone()), test };
    let holds = |value: &Input| of(Test::Compare(Operator::Contains, Value::Json(json_text(value))));
    let any = || Filter::Or(value.members().iter().map(holds).collect());
    let empty = matches!(value, Input::List(members) if members.is_empty());
    Ok(match operator {
        "_eq" | "_contains" => holds(value),
        "_neq" => Filter::Not(Box::new(holds(value))),
        "_in" | "_not_in" if empty => Filter::And(Vec::new()),
        "_in" => any(),
        "_not_in" => Filter::Not(Box::new(any())),
        "_has_key" => of(has_key(value, path)?),
        "_is_null" if *value == Input::Bool(false) => of(Test::Not(Box::new(Test::IsNull))),
        "_is_null" => of(Test::IsNull),
        _ => return Err(unknown(tested, operator, path)),
    })
}

fn has_key(value: &Input, path: &Path<'_>) -> Result<Test, GraphqlError> {
    match value {
        Input::Text(key) => Ok(Test::HasKeys { keys: vec![key.to_string()], all: false }),
        other => Err(path.invalid(format!("expected a key as a string, but found {}", other.describe()))),
    }
}

fn unknown(tested: &ColumnTest<'_>, operator: &str, path: &Path<'_>) -> GraphqlError {
    path.invalid(format!("field '{operator}' not found in type: '{}'", tested.request.name()))
}

/// Whether stored values of the two columns can be compared.
fn alike(left: &Column, right: &Column) -> bool {
    let family = |column: &Column| match &column.scalar {
        Scalar::String | Scalar::Citext | Scalar::Enum { .. } => 0,
        Scalar::Int | Scalar::Bigint => 1,
        Scalar::Timestamp | Scalar::Timestamptz => 2,
        Scalar::Float8 | Scalar::Numeric => 3 + u8::from(column.exact || column.scalar == Scalar::Numeric),
        Scalar::Uuid => 5,
        Scalar::Boolean => 6,
        _ => 7,
    };
    family(left) == family(right)
}

fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Timestamp(left), Value::Timestamp(right)) | (Value::Int(left), Value::Int(right)) => {
            Some(left.cmp(right))
        }
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(right),
        (Value::Decimal(left), Value::Decimal(right)) => Some(left.cmp(right)),
        (Value::Date(left), Value::Date(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

/// A value as JSON text: a string that is valid JSON is used unchanged.
fn json_text(value: &Input) -> String {
    match value {
        Input::Text(text) if serde_json::from_str::<serde_json::Value>(text).is_ok() => text.to_string(),
        value => value.to_json().to_string(),
    }
}
