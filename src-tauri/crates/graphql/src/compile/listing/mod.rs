//! Compiles listings (`spend_groupings_v2`, `events_v2`): logical columns to a [`Grouping`], by the rules of semantics §5.

mod conditions;
mod operators;
mod order;
mod selection;
mod terms;
mod transformations;

pub(crate) use operators::listing_operators;

use super::Compiler;
use super::arguments::{offset, unexpected};
use super::input::Input;
use super::selection::ChosenField;
use crate::error::{GraphqlError, Path};
use catalogue::{Listing, ListingColumn, ListingKind, ListingSource, Table};
use selection::FieldSelection;
use std::collections::HashMap;
use store::query::{Filter, Grouping, Key, Term};
use transformations::Transformations;

/// Default limit of rows in a result (semantics §5).
const DEFAULT_LIMIT: u64 = 1000;

impl Compiler<'_> {
    pub(super) fn listing(
        &self,
        listing: &Listing,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<Grouping, GraphqlError> {
        let arguments = path.join("args");
        let mut given = HashMap::new();
        for (name, value) in self.arguments(chosen, &arguments)? {
            if !listing.takes(&name) {
                return Err(unexpected(chosen, &name, &arguments));
            }
            // A null argument is treated as omitted.
            if value != Input::Null {
                given.insert(name, value);
            }
        }
        let known = match given.get("column_transformations") {
            None => Transformations::default(),
            Some(value) => {
                transformations::read(value, &self.spent, &arguments.join("column_transformations"))?
            }
        };
        let ask =
            ListingRequest { compiler: self, listing, table: self.catalogue.table(listing.table), known };
        ask.check_transformations(&arguments.join("column_transformations"))?;
        ask.grouping(&given, chosen, path)
    }
}

/// One use of a listing.
struct ListingRequest<'a> {
    compiler: &'a Compiler<'a>,
    listing: &'a Listing,
    table: &'a Table,
    known: Transformations,
}

impl ListingRequest<'_> {
    fn grouping(
        &self,
        given: &HashMap<String, Input>,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<Grouping, GraphqlError> {
        let arguments = path.join("args");
        let selected = self.selected(chosen, path)?;
        let columns = self.columns(given, "columns", &arguments)?;
        let groups = self.columns(given, "group_by", &arguments)?;
        let asked = if columns.is_empty() { self.selected_columns(&selected) } else { columns.clone() };
        let is_grouped = self.listing.kind == ListingKind::Aggregate
            || !groups.is_empty()
            || asked.iter().any(|column| is_figure(column));
        let mut keys = Vec::new();
        for column in &groups {
            add(&mut keys, self.key(column, true, &arguments.join("group_by"))?);
        }
        // In a grouped listing every requested plain column is a key, whether group_by names it or not.
        for column in asked.iter().filter(|column| is_grouped && !is_figure(column)) {
            add(&mut keys, self.key(column, true, &arguments)?);
        }
        let mut terms = Vec::with_capacity(selected.fields.len());
        for (alias, name) in &selected.fields {
            let fetched = columns.is_empty() || columns.iter().any(|column| column.name == *name);
            let term = match self.listing.find_column(name) {
                None => Term::Text(self.listing.row_type.clone()),
                Some(column) if fetched => self.field(column, is_grouped, &arguments)?,
                Some(_) => Term::Null,
            };
            terms.push((alias.clone(), term));
        }
        let order = match given.get("order_by") {
            None => Vec::new(),
            Some(value) => self.order(value, is_grouped.then_some(&keys), &arguments.join("order_by"))?,
        };
        let filter = match given.get("where") {
            None => None,
            Some(value) => Some(self.filter(value, &arguments.join("where"))?),
        };
        let (limit, offset) = self.page(given, &arguments)?;
        Ok(Grouping {
            table: self.listing.table,
            terms,
            keys,
            filter: self.with_only(filter, &asked),
            order,
            limit,
            offset,
            shape: selected.shape,
        })
    }

    /// The columns that an argument names.
    fn columns(
        &self,
        given: &HashMap<String, Input>,
        argument: &str,
        path: &Path<'_>,
    ) -> Result<Vec<&ListingColumn>, GraphqlError> {
        let Some(value) = given.get(argument) else { return Ok(Vec::new()) };
        let path = path.join(argument);
        let column = |name: &String| {
            self.compiler.spent.condition(&path)?;
            self.find(name, &path)
        };
        texts(value, &path)?.iter().map(column).collect()
    }

    fn selected_columns(&self, selected: &FieldSelection) -> Vec<&ListingColumn> {
        selected.fields.iter().filter_map(|(_, name)| self.listing.find_column(name)).collect()
    }

    /// The filter of the request with the conditions of the catalogue.
    fn with_only(&self, filter: Option<Filter>, asked: &[&ListingColumn]) -> Option<Filter> {
        let mut parts: Vec<Filter> = terms::filters(&self.listing.conditions);
        let figures: Vec<_> = asked
            .iter()
            .filter_map(|column| match &column.source {
                ListingSource::Figure(figure) => Some(&figure.conditions),
                ListingSource::Value(_) => None,
            })
            .collect();
        if self.listing.hides_empty_groups
            && !figures.is_empty()
            && figures.iter().all(|conditions| !conditions.is_empty())
        {
            parts.push(Filter::Or(
                figures.iter().map(|conditions| Filter::And(terms::filters(conditions))).collect(),
            ));
        }
        parts.extend(filter);
        if parts.len() > 1 { Some(Filter::And(parts)) } else { parts.pop() }
    }

    /// Limit and offset. 0 or less is treated as omitted (semantics §5).
    fn page(&self, given: &HashMap<String, Input>, path: &Path<'_>) -> Result<(u64, u64), GraphqlError> {
        let count = |name: &str| match given.get(name) {
            Some(Input::Number(number)) if number.as_i64().is_some_and(|number| number < 0) => Ok(0),
            Some(value) => offset(value, &path.join(name)),
            None => Ok(0),
        };
        let most = self.compiler.spent.most_rows();
        let limit = count("limit")?;
        if limit > most {
            return Err(path.join("limit").exceeded_rows(limit, most));
        }
        Ok((if limit == 0 { DEFAULT_LIMIT.min(most) } else { limit }, count("offset")?))
    }

    fn find(&self, name: &str, path: &Path<'_>) -> Result<&ListingColumn, GraphqlError> {
        self.listing.find_column(name).ok_or_else(|| {
            let names: Vec<&str> = self.listing.columns.iter().map(|column| column.name.as_str()).collect();
            refused(
                path,
                &format!(
                    "column '{name}' not found in table '{}'. It has: {}",
                    self.listing.name,
                    names.join(", ")
                ),
            )
        })
    }
}

/// The error for a request that the query engine refuses, in the wording clients expect.
fn refused(path: &Path<'_>, message: &str) -> GraphqlError {
    path.invalid(format!("query execution errors: {message}"))
}

fn is_figure(column: &ListingColumn) -> bool {
    matches!(column.source, ListingSource::Figure(_))
}

fn add(keys: &mut Vec<Key>, key: Key) {
    if !keys.contains(&key) {
        keys.push(key);
    }
}

fn texts(value: &Input, path: &Path<'_>) -> Result<Vec<String>, GraphqlError> {
    let text = |member: &Input| match member {
        Input::Text(text) => Ok(text.to_string()),
        other => Err(path.invalid(format!("expected a column name, but found {}", other.describe()))),
    };
    value.members().iter().map(text).collect()
}
