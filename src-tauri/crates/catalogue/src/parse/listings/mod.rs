//! Parses listings: root fields over one table, with their own column names.

mod conditions;
mod sources;

use super::columns::area;
use super::directives::{self, Directive};
use super::drafts::{Drafts, RowDraft};
use super::problems::{Problems, SourceLine};
use crate::{Catalogue, Listing, ListingColumn, ListingKind, RequestType, TableId};
use async_graphql_parser::types::{BaseType, FieldDefinition, Type};
use conditions::conditions;
use sources::{logical, source};

const ROW_FIELD: &[directives::DirectiveRule] = &[
    ("from", &["column", "path", "key"]),
    ("joined", &["columns", "with"]),
    ("recent", &["column", "days"]),
    ("count", &["distinct", "where"]),
    ("sum", &["of", "where"]),
    ("avg", &["of", "where"]),
    ("min", &["of", "where"]),
    ("max", &["of", "where"]),
    ("latest", &["of", "by", "where"]),
    ("values", &["of", "where"]),
    ("filter", &["as", "only"]),
];

/// The arguments a listing may have.
const ARGUMENTS: [&str; 7] =
    ["column_transformations", "columns", "group_by", "limit", "offset", "order_by", "where"];

/// Adds the listings of the drafts to the catalogue.
pub(super) fn build(drafts: &Drafts<'_>, catalogue: &mut Catalogue, problems: &mut Problems) {
    for (place, field, directive) in &drafts.listings {
        let name = field.name.node.as_str();
        if catalogue.listings.iter().any(|listing| listing.name == name) || catalogue.is_root(name) {
            problems.add(*place, format!("root field `{name}` is defined twice"));
        }
        if let Some(listing) = listing(*place, field, directive, drafts, catalogue, problems) {
            check_shared(*place, &listing, catalogue, problems);
            catalogue.listings.push(listing);
        }
    }
}

fn listing(
    place: SourceLine<'_>,
    field: &FieldDefinition,
    directive: &Directive<'_>,
    drafts: &Drafts<'_>,
    catalogue: &Catalogue,
    problems: &mut Problems,
) -> Option<Listing> {
    let name = field.name.node.as_str();
    let of = directive.required("of", problems)?;
    let row_type = directive.required("row", problems)?;
    let kind = match directive.required("kind", problems)? {
        "normal" => ListingKind::Normal,
        "aggregate" => ListingKind::Aggregate,
        other => {
            problems.add(place, format!("`{name}`: kind is normal or aggregate, not {other}"));
            return None;
        }
    };
    let Some(table) = catalogue.find(of) else {
        problems.add(place, format!("there is no table `{of}`"));
        return None;
    };
    let Some(row) = drafts.rows.get(row_type) else {
        problems.add(place, format!("there is no `type {row_type}` in operations/"));
        return None;
    };
    let mut arguments = Vec::with_capacity(field.arguments.len());
    for argument in &field.arguments {
        let argument = &argument.node;
        if !ARGUMENTS.contains(&argument.name.node.as_str()) {
            problems.add(
                place,
                format!(
                    "`{name}` knows no argument `{}`; known: {}",
                    argument.name.node,
                    ARGUMENTS.join(", ")
                ),
            );
        }
        arguments.push((argument.name.node.to_string(), argument.ty.node.to_string()));
    }
    let condition = field.arguments.iter().find(|argument| argument.node.name.node == "where");
    let response = &field.ty.node;
    Some(Listing {
        name: name.to_owned(),
        description: field.description.as_ref().map(|text| text.node.clone()).unwrap_or_default(),
        area: area(place.file).to_owned(),
        table,
        kind,
        arguments,
        response_type: match &response.base {
            BaseType::Named(name) => Some(name.to_string()),
            BaseType::List(_) => None,
        },
        row_type: row_type.to_owned(),
        where_type: condition.map(|argument| base(&argument.node.ty.node)),
        columns: columns(row, table, catalogue, problems),
        conditions: conditions(directive, "only", table, catalogue, problems),
        hides_empty_groups: directive.flag("counted", false, problems),
    })
}

fn columns(
    row: &RowDraft<'_>,
    table: TableId,
    catalogue: &Catalogue,
    problems: &mut Problems,
) -> Vec<ListingColumn> {
    let mut columns: Vec<ListingColumn> = Vec::with_capacity(row.fields.len());
    for field in row.fields {
        let field = &field.node;
        let name = field.name.node.as_str();
        let place = SourceLine { file: row.file, line: field.name.pos.line };
        let known = directives::read(row.file, &field.directives, ROW_FIELD, problems);
        if columns.iter().any(|column| column.name == name) {
            problems.add(place, format!("`{name}` is defined twice"));
        }
        let (filters, said): (Vec<_>, Vec<_>) =
            known.into_iter().partition(|directive| directive.name == "filter");
        let Some(source) = source(place, name, &said, table, catalogue, problems) else { continue };
        let logical = logical(&source, catalogue.table(table), catalogue);
        let request = filters.first().map(|filter| request(filter, logical.request(), problems));
        let only = filters.first().is_some_and(|filter| filter.flag("only", false, problems));
        columns.push(ListingColumn {
            name: name.to_owned(),
            description: field.description.as_ref().map(|text| text.node.clone()).unwrap_or_default(),
            logical,
            row_type: (!only).then(|| field.ty.node.to_string()),
            request,
            source,
        });
    }
    columns
}

/// The request type set by `@filter(as: …)`; `otherwise` if there is none.
fn request(filter: &Directive<'_>, otherwise: RequestType, problems: &mut Problems) -> RequestType {
    let Some(word) = filter.text("as", problems) else { return otherwise };
    RequestType::find(word).unwrap_or_else(|| {
        let known: Vec<&str> = RequestType::ALL.map(RequestType::scalar).to_vec();
        problems.add(filter.place, format!("@filter(as: …) is one of {}, not {word}", known.join(", ")));
        otherwise
    })
}

/// Listings may share GraphQL types; the definitions must then be equal.
fn check_shared(place: SourceLine<'_>, listing: &Listing, catalogue: &Catalogue, problems: &mut Problems) {
    let requests = |listing: &Listing| -> Vec<(String, RequestType)> {
        let columns = listing.columns.iter();
        let mut requests: Vec<_> =
            columns.filter_map(|column| Some((column.name.clone(), column.request?))).collect();
        requests.sort();
        requests
    };
    for other in &catalogue.listings {
        let shares = listing.where_type.is_some() && listing.where_type == other.where_type;
        if shares && requests(listing) != requests(other) {
            problems.add(
                place,
                format!(
                    "`{}` and `{}` share their `where` and filter by different columns",
                    listing.name, other.name
                ),
            );
        }
    }
}

/// The innermost type name.
fn base(ty: &Type) -> String {
    match &ty.base {
        BaseType::Named(name) => name.to_string(),
        BaseType::List(item) => base(item),
    }
}
