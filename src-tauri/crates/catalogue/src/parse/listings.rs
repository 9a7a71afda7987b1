//! Listings: grouped root fields over one table, with columns of their own naming.

use super::directives::{self, Directive};
use super::drafts::{Drafts, RowDraft};
use super::problems::{Place, Problems};
use crate::{Catalogue, ColumnId, Listing, ListingColumn, ListingSource, Scalar, Table};
use async_graphql_parser::types::{BaseType, FieldDefinition, Type};

const ROW_FIELD: &[directives::Known] =
    &[("from", &["column", "key"]), ("sum", &["of"]), ("count", &["distinct"]), ("filter", &["only"])];

/// Adds the listings of the drafts to the catalogue.
pub(super) fn build(drafts: &Drafts<'_>, catalogue: &mut Catalogue, problems: &mut Problems) {
    for (place, field, directive) in &drafts.listings {
        let name = field.name.node.as_str();
        if catalogue.listings.iter().any(|listing| listing.name == name) || catalogue.find(name).is_some() {
            problems.add(*place, format!("root field `{name}` is defined twice"));
        }
        if let Some(listing) = listing(*place, field, directive, drafts, catalogue, problems) {
            catalogue.listings.push(listing);
        }
    }
}

fn listing(
    place: Place<'_>,
    field: &FieldDefinition,
    directive: &Directive<'_>,
    drafts: &Drafts<'_>,
    catalogue: &Catalogue,
    problems: &mut Problems,
) -> Option<Listing> {
    let name = field.name.node.as_str();
    let of = directive.required("of", problems)?;
    let row_type = directive.required("row", problems)?;
    let Some(table) = catalogue.find(of) else {
        problems.add(place, format!("there is no table `{of}`"));
        return None;
    };
    let Some(row) = drafts.rows.get(row_type) else {
        problems.add(place, format!("there is no `type {row_type}` in operations/"));
        return None;
    };
    let Some(condition) = field.arguments.iter().find(|argument| argument.node.name.node == "where") else {
        problems.add(place, format!("listing `{name}` needs the argument `where: <type>`"));
        return None;
    };
    let columns = row_columns(row, catalogue.table(table), problems);
    Some(Listing {
        name: name.to_owned(),
        description: field.description.as_ref().map(|text| text.node.clone()).unwrap_or_default(),
        table,
        response_type: base(&field.ty.node),
        row_type: row_type.to_owned(),
        where_type: base(&condition.node.ty.node),
        columns,
    })
}

fn row_columns(row: &RowDraft<'_>, table: &Table, problems: &mut Problems) -> Vec<ListingColumn> {
    let mut columns: Vec<ListingColumn> = Vec::with_capacity(row.fields.len());
    for field in row.fields {
        let field = &field.node;
        let name = field.name.node.as_str();
        let place = Place { file: row.file, line: field.name.pos.line };
        let known = directives::read(row.file, &field.directives, ROW_FIELD, problems);
        let filter = directives::find(&known, "filter");
        if columns.iter().any(|column| column.name == name) {
            problems.add(place, format!("`{name}` is defined twice"));
        }
        let sources = known.iter().filter(|directive| directive.name != "filter").collect::<Vec<_>>();
        let [source] = sources[..] else {
            problems
                .add(place, format!("`{name}` must say where it comes from, once: @from, @sum or @count"));
            continue;
        };
        let Some(from) = source_of(source, table, problems) else {
            continue;
        };
        columns.push(ListingColumn {
            name: name.to_owned(),
            description: field.description.as_ref().map(|text| text.node.clone()).unwrap_or_default(),
            graphql_type: base(&field.ty.node),
            from,
            filterable: filter.is_some(),
            selectable: !filter.is_some_and(|filter| filter.flag("only", false, problems)),
        });
    }
    columns
}

fn source_of(directive: &Directive<'_>, table: &Table, problems: &mut Problems) -> Option<ListingSource> {
    match directive.name {
        "from" => {
            let column = column(directive, "column", table, problems)?;
            if !directive.flag("key", false, problems) {
                return Some(ListingSource::Column(column));
            }
            let is_json = matches!(table.column(column).scalar, Scalar::Json | Scalar::Jsonb);
            if !is_json {
                problems.add(directive.place, "@from(key: true) needs a JSON column");
            }
            is_json.then_some(ListingSource::JsonKey(column))
        }
        "sum" => {
            let column = column(directive, "of", table, problems)?;
            let is_number = table.column(column).scalar.is_number();
            if !is_number {
                problems.add(
                    directive.place,
                    format!("`{}` is no number and has no sum", table.column(column).name),
                );
            }
            is_number.then_some(ListingSource::Sum(column))
        }
        _ if directive.value("distinct").is_none() => Some(ListingSource::Count),
        _ => column(directive, "distinct", table, problems).map(ListingSource::CountDistinct),
    }
}

fn column(
    directive: &Directive<'_>,
    argument: &str,
    table: &Table,
    problems: &mut Problems,
) -> Option<ColumnId> {
    let name = directive.required(argument, problems)?;
    let found = table.find_column(name);
    if found.is_none() {
        problems.add(directive.place, format!("`{}` has no column `{name}`", table.name));
    }
    found
}

/// The innermost name of a type.
fn base(ty: &Type) -> String {
    match &ty.base {
        BaseType::Named(name) => name.to_string(),
        BaseType::List(item) => base(item),
    }
}
