//! Subscriptions: a query that is answered again whenever its result changes.

use crate::compile::Intent;
use crate::introspection::Introspection;
use crate::{Engine, GraphqlError, Request, body, error_body};
use catalogue::{Caller, Catalogue, RelationshipId, Scope, TableId};
use std::collections::BTreeSet;
use store::query::{AggregatePart, Field, FieldKind, Filter, OrderBy, Query, QueryKind, Range, Subject};
use store::{Cancel, Store, StoreError, Watch};

/// A subscription of one caller.
#[derive(Clone)]
pub struct Live {
    store: Store,
    query: [Query; 1],
}

impl Engine {
    /// Compiles a subscription; `None` for other requests, which [`Engine::execute`] answers.
    pub fn subscribe(&self, caller: &Caller, request: &Request) -> Result<Option<Live>, GraphqlError> {
        let introspection = Introspection { schemas: &self.schemas, caller };
        let roots = self.schemas.roots(caller);
        match self.compile(&roots, &introspection, request)? {
            Intent::Live(query) => Ok(Some(Live { store: self.store.clone(), query: [*query] })),
            Intent::Read(..) | Intent::Write(_) => Ok(None),
        }
    }
}

impl Live {
    /// Watches all tables that the result depends on.
    pub fn watch(&self) -> Watch {
        let mut tables = Tables { catalogue: self.store.catalogue(), found: BTreeSet::new() };
        tables.query(&self.query[0]);
        let tables = tables.found.into_iter().collect();
        self.store.watch(tables)
    }

    /// The current result: `{"data":…}` or `{"errors":[…]}`. Blocks the thread.
    pub fn answer(&self, caller: &Caller, cancel: &Cancel, report: impl FnMut(StoreError)) -> Vec<u8> {
        match self.store.read_until(caller, &self.query, cancel) {
            Ok(data) => body(data.into(), &[], None).into_bytes(),
            Err(error) => error_body(error, "$", report),
        }
    }
}

/// The list of errors of a response without data.
pub fn errors(answer: &[u8]) -> Option<&[u8]> {
    answer.strip_prefix(b"{\"errors\":")?.strip_suffix(b"}")
}

/// Collects the tables that a query reads.
struct Tables<'a> {
    catalogue: &'a Catalogue,
    found: BTreeSet<TableId>,
}

impl Tables<'_> {
    fn query(&mut self, query: &Query) {
        match &query.kind {
            QueryKind::List(select) | QueryKind::First(select) => {
                self.table(select.table);
                self.range(select.table, &select.range);
                self.fields(select.table, &select.fields);
            }
            QueryKind::Aggregate(select) => {
                self.table(select.table);
                self.range(select.table, &select.range);
                self.parts(select.table, &select.parts);
            }
            QueryKind::Grouped(grouping) => {
                self.table(grouping.table);
                self.filter(grouping.table, grouping.filter.as_ref());
            }
            QueryKind::Text(_) | QueryKind::Json(_) | QueryKind::Code(_) => {}
        }
    }

    /// Adds a table, and those that determine its tenant.
    fn table(&mut self, table: TableId) {
        if self.found.insert(table)
            && let Scope::Through(relationship) = self.catalogue.table(table).scope
        {
            self.follow(table, relationship);
        }
    }

    fn follow(&mut self, table: TableId, relationship: RelationshipId) -> TableId {
        let target = self.catalogue.table(table).relationship(relationship).target;
        self.table(target);
        target
    }

    fn fields(&mut self, table: TableId, fields: &[Field]) {
        for field in fields {
            match &field.kind {
                FieldKind::Column { .. } | FieldKind::Text(_) => {}
                FieldKind::One { relationship, fields } => {
                    let target = self.follow(table, *relationship);
                    self.fields(target, fields);
                }
                FieldKind::Many { relationship, fields, range } => {
                    let target = self.follow(table, *relationship);
                    self.range(target, range);
                    self.fields(target, fields);
                }
                FieldKind::Aggregate { relationship, parts, range } => {
                    let target = self.follow(table, *relationship);
                    self.range(target, range);
                    self.parts(target, parts);
                }
            }
        }
    }

    fn parts(&mut self, table: TableId, parts: &[AggregatePart]) {
        for part in parts {
            if let AggregatePart::Nodes { fields, .. } = part {
                self.fields(table, fields);
            }
        }
    }

    fn range(&mut self, table: TableId, range: &Range) {
        self.filter(table, range.filter.as_ref());
        for order in &range.order {
            let end = order.path.iter().fold(table, |table, step| self.follow(table, *step));
            if let OrderBy::Figure(figure) = &order.by {
                let target = self.follow(end, figure.relationship);
                self.filter(target, figure.filter.as_ref());
            }
        }
    }

    fn filter(&mut self, table: TableId, filter: Option<&Filter>) {
        match filter {
            Some(Filter::And(parts) | Filter::Or(parts)) => {
                for part in parts {
                    self.filter(table, Some(part));
                }
            }
            Some(Filter::Not(part)) => self.filter(table, Some(part)),
            Some(Filter::Related { relationship, filter }) => {
                let target = self.follow(table, *relationship);
                self.filter(target, Some(filter));
            }
            Some(Filter::Test { subject: Subject::Figure(figure), .. }) => {
                let target = self.follow(table, figure.relationship);
                self.filter(target, figure.filter.as_ref());
            }
            None | Some(Filter::Columns { .. } | Filter::Test { .. }) => {}
        }
    }
}
