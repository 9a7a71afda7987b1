//! Grouped listings (`spend_groupings_v2`): logical columns to a [`Grouping`], by the rules of semantics §5.

use super::Compiler;
use super::arguments::{natural, unexpected};
use super::input::Input;
use super::selection::Chosen;
use crate::error::{GraphqlError, Path};
use catalogue::{ColumnId, Listing, ListingColumn, ListingSource, Scalar};
use std::collections::HashMap;
use store::query::{Direction, Filter, Grouping, Key, Operator, Subject, Term, Test, TimeUnit};

/// Rows of an answer when the request names no limit (semantics §5).
const DEFAULT_LIMIT: u64 = 1000;

/// What `column_transformations` asks for.
#[derive(Default)]
struct Transformations {
    /// Columns whose times are cut.
    units: HashMap<String, TimeUnit>,
    /// Keys of JSON columns.
    keys: HashMap<String, String>,
    /// Columns a row count counts the combinations of.
    distinct: HashMap<String, Vec<String>>,
}

impl Compiler<'_> {
    pub(super) fn listing(
        &self,
        listing: &Listing,
        chosen: &Chosen<'_>,
        path: &Path<'_>,
    ) -> Result<Grouping, GraphqlError> {
        let arguments = path.join("args");
        let given: HashMap<String, Input> = self
            .arguments(chosen, &arguments)?
            .into_iter()
            .filter(|(_, value)| *value != Input::Null)
            .collect();
        for name in given.keys() {
            let known =
                ["columns", "column_transformations", "group_by", "where", "order_by", "limit", "offset"];
            if !known.contains(&name.as_str()) {
                return Err(unexpected(chosen, name, &arguments));
            }
        }
        let names = |argument: &str| match given.get(argument) {
            None => Ok(Vec::new()),
            Some(value) => texts(value, &arguments.join(argument)),
        };
        let transformations = match given.get("column_transformations") {
            None => Transformations::default(),
            Some(value) => transformations(value, &arguments.join("column_transformations"))?,
        };
        let (lists, texts, fields) = self.rows_selection(listing, chosen, path)?;
        let columns = names("columns")?;
        let groups = names("group_by")?;
        for name in columns.iter().chain(&groups) {
            find(listing, name, &arguments)?;
        }
        let mut keys = Vec::new();
        for _ in groups.iter().chain(&columns) {
            self.spent.condition(&arguments)?;
        }
        for name in &groups {
            let column = find(listing, name, &arguments.join("group_by"))?;
            let key = self.key(listing, column, &transformations, true, &arguments.join("group_by"))?;
            add(&mut keys, key);
        }
        let fetched = |name: &str| columns.is_empty() || columns.iter().any(|column| column == name);
        let asked: Vec<&str> = if columns.is_empty() {
            fields.iter().map(|(_, name)| name.as_str()).collect()
        } else {
            columns.iter().map(String::as_str).collect()
        };
        let aggregates = asked.iter().any(|name| listing.find_column(name).is_some_and(is_aggregate));
        // Every plain column asked for beside figures is a key, whether it is named in group_by or not.
        for name in &asked {
            if let Some(column) = listing.find_column(name).filter(|column| !is_aggregate(column)) {
                add(&mut keys, self.key(listing, column, &transformations, true, &arguments)?);
            }
        }
        let mut terms = Vec::new();
        for (key, name) in &fields {
            let term = match (name.as_str(), listing.find_column(name)) {
                ("__typename", _) => Term::Text(listing.row_type.clone()),
                (_, Some(column)) if fetched(name) => {
                    self.term(listing, column, &transformations, &arguments)?
                }
                _ => Term::Null,
            };
            terms.push((key.clone(), term));
        }
        let filter = match given.get("where") {
            None => None,
            Some(value) => Some(self.listing_filter(listing, value, &arguments.join("where"))?),
        };
        let order = match given.get("order_by") {
            None => Vec::new(),
            Some(value) => self.listing_order(
                listing,
                value,
                &transformations,
                &keys,
                aggregates,
                &arguments.join("order_by"),
            )?,
        };
        let count = |name: &str| match given.get(name) {
            None => Ok(0),
            Some(value) => natural_or_zero(value, &arguments.join(name)),
        };
        let limit = count("limit")?;
        Ok(Grouping {
            table: listing.table,
            terms,
            keys,
            filter,
            order,
            limit: if limit == 0 { DEFAULT_LIMIT } else { limit },
            offset: count("offset")?,
            lists,
            texts,
        })
    }

    /// Aliases of `rows`, texts beside it, and (key, column) of each field of a row.
    #[allow(clippy::type_complexity)]
    fn rows_selection(
        &self,
        listing: &Listing,
        chosen: &Chosen<'_>,
        path: &Path<'_>,
    ) -> Result<(Vec<String>, Vec<(String, String)>, Vec<(String, String)>), GraphqlError> {
        let path = path.join("selectionSet");
        let (mut lists, mut texts, mut fields) = (Vec::new(), Vec::new(), Vec::new());
        for part in self.some(&chosen.sets, &listing.response_type, &path)? {
            let name = part.field.node.name.node.as_str();
            let place = path.join(name);
            match name {
                "__typename" => texts.push((part.key.to_owned(), listing.response_type.clone())),
                "rows" if lists.is_empty() => {
                    lists.push(part.key.to_owned());
                    let inner = place.join("selectionSet");
                    for field in self.some(&part.sets, &listing.row_type, &inner)? {
                        let name = field.field.node.name.node.as_str();
                        if name != "__typename"
                            && listing.find_column(name).is_none_or(|column| !column.selectable)
                        {
                            return Err(inner.join(name).invalid(format!(
                                "field '{name}' not found in type: '{}'",
                                listing.row_type
                            )));
                        }
                        fields.push((field.key.to_owned(), name.to_owned()));
                    }
                }
                "rows" => {
                    return Err(place.invalid("ask for 'rows' once; several aliases of it are not supported"));
                }
                _ => {
                    return Err(place
                        .invalid(format!("field '{name}' not found in type: '{}'", listing.response_type)));
                }
            }
        }
        Ok((lists, texts, fields))
    }

    fn term(
        &self,
        listing: &Listing,
        column: &ListingColumn,
        transformations: &Transformations,
        path: &Path<'_>,
    ) -> Result<Term, GraphqlError> {
        Ok(match &column.from {
            ListingSource::Sum(source) => Term::Sum(*source),
            ListingSource::CountDistinct(source) => Term::CountDistinct(vec![*source]),
            ListingSource::Count => match transformations.distinct.get(&column.name) {
                None => Term::Count,
                Some(names) => {
                    let source = |name: &String| match &find(listing, name, path)?.from {
                        ListingSource::Column(source) => Ok(*source),
                        _ => Err(path.invalid(format!("'{name}' cannot be counted distinctly"))),
                    };
                    Term::CountDistinct(names.iter().map(source).collect::<Result<_, _>>()?)
                }
            },
            _ => Term::Key(self.key(listing, column, transformations, true, path)?),
        })
    }

    /// The key a plain column stands for. In a grouped listing, a time without a unit is cut to its day.
    fn key(
        &self,
        listing: &Listing,
        column: &ListingColumn,
        transformations: &Transformations,
        is_grouped: bool,
        path: &Path<'_>,
    ) -> Result<Key, GraphqlError> {
        let table = self.catalogue.table(listing.table);
        match &column.from {
            ListingSource::Column(source) => {
                let is_time = matches!(table.column(*source).scalar, Scalar::Timestamp | Scalar::Timestamptz);
                Ok(match transformations.units.get(&column.name) {
                    Some(unit) => Key::Time(*source, *unit),
                    None if is_time && is_grouped => Key::Time(*source, TimeUnit::Day),
                    None => Key::Column(*source),
                })
            }
            ListingSource::JsonKey(source) => {
                let key = transformations.keys.get(&column.name).ok_or_else(|| {
                    path.invalid(format!(
                        "'{0}' needs a key: column_transformations: [{{name: \"{0}\", expr: \"json_key\", args: [\"team\"]}}]",
                        column.name
                    ))
                })?;
                Ok(Key::JsonKey(*source, key.clone()))
            }
            _ => Err(path.invalid(format!("'{}' is a figure and cannot be grouped by", column.name))),
        }
    }

    fn listing_filter(
        &self,
        listing: &Listing,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let mut parts = Vec::new();
        self.spent.condition(path)?;
        for (name, value) in value.entries(path)? {
            self.spent.condition(path)?;
            let path = path.join(name);
            let all = |value: &Input| {
                let one = |member| self.listing_filter(listing, member, &path);
                value.members().iter().map(one).collect::<Result<Vec<_>, _>>()
            };
            parts.push(match name.as_str() {
                "_and" => Filter::And(self.spent.nested(&path, || all(value))?),
                "_or" => Filter::Or(self.spent.nested(&path, || all(value))?),
                "_not" => Filter::Not(Box::new(
                    self.spent.nested(&path, || self.listing_filter(listing, value, &path))?,
                )),
                _ => {
                    let column = find(listing, name, &path)?;
                    if !column.filterable {
                        return Err(path.invalid(format!("'{name}' cannot be filtered by")));
                    }
                    self.column_filter(listing, column, value, &path)?
                }
            });
        }
        Ok(Filter::And(parts))
    }

    fn column_filter(
        &self,
        listing: &Listing,
        column: &ListingColumn,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let (ListingSource::Column(id) | ListingSource::JsonKey(id)) = &column.from else {
            return Err(path.invalid(format!("'{}' is a figure and cannot be filtered by", column.name)));
        };
        let source = self.catalogue.table(listing.table).column(*id);
        let is_text = matches!(source.scalar, Scalar::String | Scalar::Citext | Scalar::Enum { .. });
        let mut parts = Vec::new();
        self.spent.condition(path)?;
        for (name, value) in value.entries(path)? {
            self.spent.condition(path)?;
            let path = path.join(name);
            if *value == Input::Null {
                continue;
            }
            let refused = is_text && matches!(name.as_str(), "_lt" | "_lte" | "_gt" | "_gte" | "_between");
            if refused {
                return Err(path.invalid(format!(
                    "operator {name} does not apply to the text column '{}'",
                    column.name
                )));
            }
            let subject = || Subject::Column(*id);
            let tested = |test| Filter::Test { subject: subject(), test };
            let empty = matches!(value, Input::List(members) if members.is_empty());
            parts.push(match name.as_str() {
                // Unlike on tables, an empty list does not restrict (semantics §5).
                "_in" | "_not_in" if empty => Filter::And(Vec::new()),
                "_not_in" => tested(self.test(source, "_nin", value, &path)?),
                "_between" => self.column_filter(listing, column, value, &path)?,
                // Any value but false counts as true (semantics §5).
                "_is_null" if *value == Input::Bool(false) => tested(Test::Not(Box::new(Test::IsNull))),
                "_is_null" => tested(Test::IsNull),
                "_contains" => {
                    let part = catalogue::Value::Json(json_text(value));
                    tested(Test::Compare(Operator::Contains, part))
                }
                name => match name.strip_suffix("_f") {
                    Some(plain) => self.beside(listing, column, *id, plain, value, &path)?,
                    None => tested(self.test(source, name, value, &path)?),
                },
            });
        }
        Ok(Filter::And(parts))
    }

    /// The `_f` operators: the value names another column.
    fn beside(
        &self,
        listing: &Listing,
        column: &ListingColumn,
        left: ColumnId,
        operator: &str,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let operator = match operator {
            "_eq" => Operator::Equal,
            "_neq" => Operator::NotEqual,
            "_lt" => Operator::Less,
            "_lte" => Operator::LessOrEqual,
            "_gt" => Operator::Greater,
            "_gte" => Operator::GreaterOrEqual,
            "_like" => Operator::Like,
            "_ilike" => Operator::LikeAnyCase,
            _ => return Err(path.invalid(format!("operator {operator}_f is not known"))),
        };
        let Input::Text(name) = value else {
            return Err(path.invalid(format!("expected a column name, but found {}", value.describe())));
        };
        let other = find(listing, name, path)?;
        let table = self.catalogue.table(listing.table);
        match other.from {
            ListingSource::Column(right) if table.column(right).scalar == table.column(left).scalar => {
                Ok(Filter::Columns { left, operator, right })
            }
            _ => Err(path.invalid(format!("'{}' cannot be compared with '{name}'", column.name))),
        }
    }

    fn listing_order(
        &self,
        listing: &Listing,
        value: &Input,
        transformations: &Transformations,
        keys: &[Key],
        aggregates: bool,
        path: &Path<'_>,
    ) -> Result<Vec<(Term, Direction)>, GraphqlError> {
        let mut order = Vec::new();
        for member in value.members() {
            let (mut column, mut direction) = (None, None);
            self.spent.condition(path)?;
            for (name, value) in member.entries(path)? {
                let place = path.join(name);
                match (name.as_str(), value) {
                    ("column", Input::Text(name)) => column = Some(find(listing, name, &place)?),
                    ("order", value) => direction = Some(super::order::direction(value, &place)?),
                    (_, value) => {
                        return Err(place.invalid(format!(
                            "expected {{column, order}}, but found {name}: {}",
                            value.describe()
                        )));
                    }
                }
            }
            let column = column.ok_or_else(|| path.invalid("order_by needs a column"))?;
            let direction = direction.ok_or_else(|| path.invalid("order_by needs an order: asc or desc"))?;
            let term = match self.term(listing, column, transformations, path)? {
                // What is no key of a group is ordered by its largest value in the group.
                Term::Key(key) if (aggregates || !keys.is_empty()) && !keys.contains(&key) => Term::Max(key),
                term => term,
            };
            order.push((term, direction));
        }
        Ok(order)
    }
}

fn is_aggregate(column: &ListingColumn) -> bool {
    matches!(column.from, ListingSource::Count | ListingSource::CountDistinct(_) | ListingSource::Sum(_))
}

fn add(keys: &mut Vec<Key>, key: Key) {
    if !keys.contains(&key) {
        keys.push(key);
    }
}

fn find<'l>(listing: &'l Listing, name: &str, path: &Path<'_>) -> Result<&'l ListingColumn, GraphqlError> {
    listing.find_column(name).ok_or_else(|| {
        let names: Vec<&str> = listing.columns.iter().map(|column| column.name.as_str()).collect();
        path.invalid(format!("'{}' has no column '{name}'. It has: {}", listing.name, names.join(", ")))
    })
}

fn texts(value: &Input, path: &Path<'_>) -> Result<Vec<String>, GraphqlError> {
    let text = |member: &Input| match member {
        Input::Text(text) => Ok(text.clone()),
        other => Err(path.invalid(format!("expected a column name, but found {}", other.describe()))),
    };
    value.members().iter().map(text).collect()
}

fn natural_or_zero(value: &Input, path: &Path<'_>) -> Result<u64, GraphqlError> {
    match value {
        Input::Number(number) if number.as_i64().is_some_and(|number| number < 0) => Ok(0),
        value => natural(value, path),
    }
}

/// A value that stands for JSON: a string is JSON text already when it can be read as such.
fn json_text(value: &Input) -> String {
    match value {
        Input::Text(text) if serde_json::from_str::<serde_json::Value>(text).is_ok() => text.clone(),
        value => value.to_json().to_string(),
    }
}

fn transformations(value: &Input, path: &Path<'_>) -> Result<Transformations, GraphqlError> {
    let mut known = Transformations::default();
    for member in value.members() {
        let (mut name, mut expression, mut arguments) = (String::new(), String::new(), Vec::new());
        for (entry, value) in member.entries(path)? {
            match (entry.as_str(), value) {
                ("name", Input::Text(text)) => name.clone_from(text),
                ("expr", Input::Text(text)) => expression.clone_from(text),
                ("args", Input::Null) => {}
                ("args", value) => arguments = texts(value, path)?,
                (entry, value) => {
                    return Err(path.invalid(format!(
                        "expected {{name, expr, args}}, but found {entry}: {}",
                        value.describe()
                    )));
                }
            }
        }
        if name.is_empty() || expression.is_empty() {
            return Err(path.invalid("a column transformation needs name and expr"));
        }
        match expression.as_str() {
            "date_unit" => {
                let word = arguments.first().map_or("day", String::as_str);
                let unit = TimeUnit::find(word).ok_or_else(|| {
                    path.invalid(format!(
                        "unknown date_unit \"{word}\": expected hour, day, week, month, quarter or year"
                    ))
                })?;
                known.units.insert(name, unit);
            }
            "distinct" => {
                known.distinct.insert(name, arguments);
            }
            "json_key" => {
                let key = arguments.into_iter().next().ok_or_else(|| {
                    path.invalid("json_key needs the key as its argument: args: [\"team\"]")
                })?;
                known.keys.insert(name, key);
            }
            // Any other expression is ignored (semantics §5).
            _ => {}
        }
    }
    Ok(known)
}
