//! Compiles the text of a request to queries for the store.
//!
//! The compiler checks types itself, because clients expect its wording and leniency: a value may be a literal or a variable, an enum a
//! name or a string, a single value stands for a list of one, and unused variables are accepted.

mod aggregate;
mod arguments;
mod call;
mod escapes;
mod filter;
mod fragments;
mod input;
mod listing;
mod literals;
mod mutation;
mod new_row;
mod operation;
mod order;
mod parameters;
mod plain;
mod related;
mod scalar;
mod selection;
mod shape;
mod view_field;

pub(crate) use aggregate::applies;
pub(crate) use call::resolve_before_transaction;
pub(crate) use filter::operators;
pub(crate) use listing::listing_operators;
pub(crate) use mutation::fits;
pub(crate) use parameters::{PlanShape, shape_of};
pub(crate) use related::{PREDICATES, takes};

use crate::Request;
use crate::error::{GraphqlError, Path};
use crate::limits::{LimitMeter, Limits};
use crate::operations::Operations;
use crate::roots::{Root, Roots};
use async_graphql_parser::types::{ExecutableDocument, Field, OperationType};
use async_graphql_parser::{Positioned, parse_query};
use catalogue::Catalogue;
use input::Input;
use operation::Operation;
use parameters::Parameters;
use selection::ChosenField;
use std::collections::HashMap;
use std::sync::Arc;
use store::change::ChangeKind;
use store::query::QueryKind;
use store::{Change, Query};

/// Answers `__schema` and `__type` for the compiler.
pub(crate) trait Introspect {
    /// The JSON of one introspection field of `document`; the field is the only one of its operation.
    fn answer(
        &self,
        document: &ExecutableDocument,
        field: &Positioned<Field>,
        variables: Option<&serde_json::Map<String, serde_json::Value>>,
        path: &Path<'_>,
    ) -> Result<String, GraphqlError>;
}

/// The context for compiling one request.
struct Compiler<'a> {
    catalogue: &'a Catalogue,
    roots: &'a Roots,
    document: &'a ExecutableDocument,
    operations: &'a Arc<dyn Operations>,
    /// All declared variables; `None` for those omitted.
    variables: HashMap<String, Option<Input>>,
    spent: LimitMeter,
    parameters: Parameters,
}

/// The compiled form of a request.
pub(crate) enum Intent {
    /// Queries, and how the parameters of their plans are filled.
    Read(Vec<Query>, PlanShape),
    Write(Vec<Change>),
    /// A subscription: to be answered again whenever the result changes.
    Live(Box<Query>),
}

/// Compiles the request's operation, one query or change per root field.
pub(crate) fn compile(
    catalogue: &Catalogue,
    roots: &Roots,
    operations: &Arc<dyn Operations>,
    introspection: &dyn Introspect,
    request: &Request,
    limits: Limits,
) -> Result<Intent, GraphqlError> {
    limits.check_text(&request.query)?;
    let quoted = literals::quoted(&request.query);
    let text = quoted.as_ref().unwrap_or(&request.query);
    let document =
        parse_query(text).or_else(|error| escapes::joined(text).map_or(Err(error), parse_query)).map_err(
            |error| Path::ROOT.join("query").invalid(format!("not a valid graphql query: {error}")),
        )?;
    fragments::check(&document)?;
    let operation = Operation::choose(&document, request.operation_name.as_deref())?;
    let variables = operation.variables(request.variables.as_ref())?;
    let spent = LimitMeter::new(limits, request.query.len());
    // Only plans of queries are cached.
    let parameters = Parameters::new(operation.definition.ty == OperationType::Query);
    let compiler =
        Compiler { catalogue, roots, document: &document, operations, variables, spent, parameters };
    let top = Path::ROOT.join("selectionSet");
    let set = [&operation.definition.selection_set.node];
    if operation.definition.ty == OperationType::Mutation {
        let chosen = compiler.choose(&set, "mutation_root", &top)?;
        let change = |chosen| compiler.write(roots, chosen, &top);
        return Ok(Intent::Write(chosen.iter().map(change).collect::<Result<_, _>>()?));
    }
    if operation.definition.ty == OperationType::Subscription {
        let chosen = compiler.choose(&set, "subscription_root", &top)?;
        let [chosen] = chosen.as_slice() else {
            return Err(top.invalid("subscriptions must select one top level field"));
        };
        return Ok(Intent::Live(Box::new(compiler.live(roots, chosen, &top)?)));
    }
    let chosen = compiler.choose(&set, "query_root", &top)?;
    // The cost of all introspection fields is counted before any of them is answered.
    for chosen in
        chosen.iter().filter(|chosen| matches!(chosen.field.node.name.node.as_str(), "__schema" | "__type"))
    {
        let path = top.join(chosen.field.node.name.node.as_str());
        compiler.spent.introspection(&document, &chosen.field.node, &path)?;
    }
    let query = |chosen| compiler.root(roots, introspection, request, chosen, &top);
    let queries = chosen.iter().map(query).collect::<Result<_, _>>()?;
    let operation = match chosen.as_slice() {
        [chosen] => Arc::from(chosen.field.node.name.node.as_str()),
        _ => Arc::from("several"),
    };
    Ok(Intent::Read(queries, compiler.parameters.finish(request.variables.as_ref(), operation)))
}

impl Compiler<'_> {
    fn write(&self, roots: &Roots, chosen: &ChosenField<'_>, top: &Path<'_>) -> Result<Change, GraphqlError> {
        let name = chosen.field.node.name.node.as_str();
        if name == "__typename" {
            let kind = ChangeKind::Text("mutation_root".to_owned());
            return Ok(Change { name: chosen.key.to_owned(), field: name.to_owned(), kind });
        }
        let path = top.join(name);
        if let Some(operation) = roots.find_call(name) {
            let kind = ChangeKind::Code(self.call(&self.catalogue.operations[operation], chosen, &path)?);
            return Ok(Change { name: chosen.key.to_owned(), field: name.to_owned(), kind });
        }
        if let Some(operation) = roots.find_forbidden(catalogue::Root::Mutation, name) {
            let kind = ChangeKind::Code(self.forbidden(&self.catalogue.operations[operation], &path));
            return Ok(Change { name: chosen.key.to_owned(), field: name.to_owned(), kind });
        }
        match roots.find_write(name) {
            Some((write, table)) => self.change(write, table, chosen, &path),
            None => Err(path.invalid(format!("field '{name}' not found in type: 'mutation_root'"))),
        }
    }

    fn root(
        &self,
        roots: &Roots,
        introspection: &dyn Introspect,
        request: &Request,
        chosen: &ChosenField<'_>,
        top: &Path<'_>,
    ) -> Result<Query, GraphqlError> {
        let name = chosen.field.node.name.node.as_str();
        let path = top.join(name);
        let kind = match name {
            "__typename" => QueryKind::Text("query_root".to_owned()),
            "__schema" | "__type" => {
                let variables = request.variables.as_ref();
                QueryKind::Json(introspection.answer(self.document, chosen.field, variables, &path)?)
            }
            _ => match roots.find(name) {
                None => match roots.find_forbidden(catalogue::Root::Query, name) {
                    Some(place) => QueryKind::Code(self.forbidden(&self.catalogue.operations[place], &path)),
                    None => {
                        return Err(path.invalid(format!("field '{name}' not found in type: 'query_root'")));
                    }
                },
                Some(root) => self.rows(*root, chosen, &path)?,
            },
        };
        let query = Query { name: chosen.key.to_owned(), kind };
        LimitMeter::joins(&query, &path)?;
        Ok(query)
    }

    fn rows(&self, root: Root, chosen: &ChosenField<'_>, path: &Path<'_>) -> Result<QueryKind, GraphqlError> {
        self.spent.table(path)?;
        // Listings read values by their own rules.
        self.parameters.enable(!matches!(root, Root::Listing(_) | Root::ViewField(_)));
        Ok(match root {
            Root::List(table) => QueryKind::List(self.list(table, chosen, path)?),
            Root::ByKey(table) => QueryKind::First(self.by_key(table, chosen, path)?),
            Root::Aggregate(table) => QueryKind::Aggregate(self.aggregate_root(table, chosen, path)?),
            Root::ViewField(place) => {
                QueryKind::List(self.view_field(&self.catalogue.view_fields[place], chosen, path)?)
            }
            Root::Listing(place) => {
                QueryKind::Grouped(self.listing(&self.catalogue.listings[place], chosen, path)?)
            }
            Root::Operation(place) => {
                QueryKind::Code(self.call(&self.catalogue.operations[place], chosen, path)?)
            }
        })
    }

    fn live(&self, roots: &Roots, chosen: &ChosenField<'_>, top: &Path<'_>) -> Result<Query, GraphqlError> {
        let name = chosen.field.node.name.node.as_str();
        let path = top.join(name);
        let root = roots
            .find(name)
            .filter(|root| !matches!(root, Root::Listing(_) | Root::ViewField(_) | Root::Operation(_)));
        let unknown = || path.invalid(format!("field '{name}' not found in type: 'subscription_root'"));
        let kind = self.rows(*root.ok_or_else(unknown)?, chosen, &path)?;
        let query = Query { name: chosen.key.to_owned(), kind };
        LimitMeter::joins(&query, &path)?;
        Ok(query)
    }
}
