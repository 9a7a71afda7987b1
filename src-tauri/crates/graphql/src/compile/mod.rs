//! From the text of a request to queries for the store.
//!
//! The compiler checks types itself, because clients expect its wording: a value may stand as a literal or a variable, an
//! enum as a name or a string, one value where a list is expected; unused variables are accepted.

mod aggregate;
mod arguments;
mod filter;
mod input;
mod listing;
mod operation;
mod order;
mod related;
mod roots;
mod scalar;
mod selection;

pub(crate) use aggregate::applies;
pub(crate) use filter::operators;
pub(crate) use related::{PREDICATES, takes};
pub(crate) use roots::Roots;

use crate::Request;
use crate::error::{GraphqlError, Path};
use crate::introspection::Introspection;
use async_graphql_parser::parse_query;
use async_graphql_parser::types::ExecutableDocument;
use catalogue::Catalogue;
use input::Input;
use operation::Operation;
use roots::Root;
use selection::Chosen;
use std::collections::HashMap;
use store::Query;
use store::query::QueryKind;

/// What one request is compiled with.
struct Compiler<'a> {
    catalogue: &'a Catalogue,
    document: &'a ExecutableDocument,
    variables: HashMap<String, Input>,
}

/// The queries of the request's operation, one a root field.
pub(crate) fn compile(
    catalogue: &Catalogue,
    roots: &Roots,
    introspection: &Introspection<'_>,
    request: &Request,
) -> Result<Vec<Query>, GraphqlError> {
    let document = parse_query(&request.query)
        .map_err(|error| Path::ROOT.join("query").invalid(format!("not a valid graphql query: {error}")))?;
    let operation = Operation::choose(&document, request.operation_name.as_deref())?;
    let variables = operation.variables(request.variables.as_ref())?;
    let compiler = Compiler { catalogue, document: &document, variables };
    let top = Path::ROOT.join("selectionSet");
    let chosen = compiler.choose(&[&operation.definition.selection_set.node], "query_root", &top)?;
    chosen.iter().map(|chosen| compiler.root(roots, introspection, request, chosen, &top)).collect()
}

impl Compiler<'_> {
    fn root(
        &self,
        roots: &Roots,
        introspection: &Introspection<'_>,
        request: &Request,
        chosen: &Chosen<'_>,
        top: &Path<'_>,
    ) -> Result<Query, GraphqlError> {
        let name = chosen.field.node.name.node.as_str();
        let path = top.join(name);
        let kind = match name {
            "__typename" => QueryKind::Text("query_root".to_owned()),
            "__schema" | "__type" => QueryKind::Json(introspection.answer(
                self.document,
                chosen.field,
                request.variables.as_ref(),
                &path,
            )?),
            _ => match roots.find(name) {
                None => {
                    return Err(path.invalid(format!("field '{name}' not found in type: 'query_root'")));
                }
                Some(Root::List(table)) => QueryKind::List(self.list(*table, chosen, &path)?),
                Some(Root::ByKey(table)) => QueryKind::First(self.by_key(*table, chosen, &path)?),
                Some(Root::Aggregate(table)) => {
                    QueryKind::Aggregate(self.aggregate_root(*table, chosen, &path)?)
                }
                Some(Root::Listing(place)) => {
                    QueryKind::Grouped(self.listing(&self.catalogue.listings[*place], chosen, &path)?)
                }
            },
        };
        Ok(Query { name: chosen.key.to_owned(), kind })
    }
}
