//! GraphQL over the catalogue: builds the schema, compiles requests to queries for the store, and returns JSON.
//!
//! Start at [`Engine::execute`]. A request is parsed, the whole selection of each root field becomes one [`store::Query`] (`compile`), and
//! the store streams the response. async-graphql provides the schema's text, introspection and types (`schema`). This crate names no table
//! and does not depend on HTTP.

mod compile;
mod error;
mod explain;
mod introspection;
mod limits;
mod observer;
mod operations;
mod plans;
mod roots;
mod schema;
mod schema_per_role;
mod subscription;
#[cfg(test)]
mod tests;

pub use error::GraphqlError;
pub use limits::Limits;
pub use observer::{ObservedRequest, Observer, PlanUse, RequestOutcome};
pub use operations::{Call, Operations, PreTransactionCall, ReadAhead, Refusal};
pub use subscription::{Live, errors};

use catalogue::{Caller, Catalogue, Value};
use compile::{Intent, PlanShape, shape_of};
use introspection::Introspection;
use operations::NoOperations;
use plans::{KnownPlans, Place, PlanEntry};
use roots::Roots;
use schema_per_role::SchemaPerRole;
use std::sync::Arc;
use std::time::Instant;
use store::change::ChangeKind;
use store::query::{Query, QueryKind};
use store::{Answer, Cancel, Explanation, ReadFrom, ResponseChunks, Store, StoreError};

/// The GraphQL interface of one store. Clones share it.
#[derive(Clone)]
pub struct Engine {
    store: Store,
    schemas: Arc<SchemaPerRole>,
    plans: Arc<KnownPlans>,
    operations: Arc<dyn Operations>,
    limits: Limits,
    observer: Option<Arc<dyn Observer>>,
}

/// One request, as received.
#[derive(Debug, Clone, Default, serde::Deserialize)]
pub struct Request {
    pub query: String,
    #[serde(default, rename = "operationName")]
    pub operation_name: Option<String>,
    #[serde(default)]
    pub variables: Option<serde_json::Map<String, serde_json::Value>>,
    /// `{"explain": true}` requests a report on how each root field was answered.
    #[serde(default)]
    pub extensions: Option<serde_json::Value>,
    /// Which server answers queries. Never read from the request body.
    #[serde(skip)]
    pub from: ReadFrom,
}

impl Request {
    fn requests_explanation(&self) -> bool {
        let explain = self.extensions.as_ref().and_then(|extensions| extensions.get("explain"));
        explain.and_then(serde_json::Value::as_bool).unwrap_or_default()
    }
}

/// The expected effort of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Reads a few rows by key, with a cached plan.
    PointRead,
    /// A read with a cached plan.
    Read,
    /// Not cached yet, or a write.
    Unknown,
}

/// Why the interface could not be built: names in the catalogue clash, or an operation has no code.
#[derive(Debug, thiserror::Error)]
#[error("the GraphQL schema cannot be built: {0}")]
pub struct BuildError(String);

impl Engine {
    /// Builds the interface of the store's catalogue.
    pub fn new(store: Store) -> Result<Self, BuildError> {
        let schemas = SchemaPerRole::new(store.catalogue())?;
        Ok(Self::with_schemas(store, schemas))
    }

    /// Builds the interface of a catalogue that was tested before, such as the built-in one. Skips the test build of the whole schema,
    /// which takes some time and 18 MB.
    pub fn over_tested_catalogue(store: Store) -> Self {
        let schemas = SchemaPerRole::for_tested_catalogue(store.catalogue());
        Self::with_schemas(store, schemas)
    }

    fn with_schemas(store: Store, schemas: SchemaPerRole) -> Self {
        let operations: Arc<dyn Operations> = Arc::new(NoOperations);
        let (plans, limits) = Default::default();
        Self { schemas: Arc::new(schemas), store, operations, plans, limits, observer: None }
    }

    /// Adds the code of the operations declared in the catalogue. Fails if one has none.
    pub fn with_operations(mut self, operations: Arc<dyn Operations>) -> Result<Self, BuildError> {
        let declared = self.store.catalogue().operations.iter();
        let unserved: Vec<String> = declared
            .filter(|operation| !operations.has(operation.root, &operation.name))
            .map(|operation| format!("{}.{}", operation.root.name(), operation.name))
            .collect();
        if !unserved.is_empty() {
            return Err(BuildError(format!("no code serves {}", unserved.join(", "))));
        }
        self.operations = operations;
        Ok(self)
    }

    /// Sets the limits on requests.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets an observer that is notified of every answered request.
    #[must_use]
    pub fn with_observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// The effort of the request, as far as it is known before processing.
    pub fn effort(&self, caller: &Caller, request: &Request) -> Effort {
        match self.plans.find(self.store.catalogue(), caller, request) {
            Some((_, Some((known, _)))) if known.plans.is_point_read() => Effort::PointRead,
            Some((_, Some(_))) => Effort::Read,
            _ => Effort::Unknown,
        }
    }

    /// Answers a request with a JSON body: `{"data":…}` or `{"errors":[…]}`. Blocks the thread.
    ///
    /// An internal failure is answered without its cause; the cause is passed to `report`.
    pub fn execute(&self, caller: &Caller, request: &Request, report: impl FnMut(StoreError)) -> Vec<u8> {
        self.execute_until(caller, request, &Cancel::default(), report)
    }

    /// Like [`Self::execute`], until `cancel` stops it. Writes are completed anyway: otherwise nobody could know whether they were made.
    pub fn execute_until(
        &self,
        caller: &Caller,
        request: &Request,
        cancel: &Cancel,
        report: impl FnMut(StoreError),
    ) -> Vec<u8> {
        self.answer_until(caller, request, cancel, report).into_bytes()
    }

    /// Like [`Self::execute_until`], in chunks. Long chunks are written when they are taken, which needs no database any more.
    pub fn answer_until(
        &self,
        caller: &Caller,
        request: &Request,
        cancel: &Cancel,
        mut report: impl FnMut(StoreError),
    ) -> ResponseChunks {
        let began = Instant::now();
        let mut seen = RequestFacts::default();
        let (answer, outcome) = match self.answer(caller, request, cancel, &mut seen) {
            Ok(answer) => {
                let explained = request.requests_explanation().then_some(answer.explained);
                let mut outcome = RequestOutcome::Answered;
                let mut report = |error| {
                    outcome = RequestOutcome::Failed;
                    report(error);
                };
                let errors: Vec<serde_json::Value> = answer
                    .failures
                    .into_iter()
                    .map(|(alias, error)| {
                        to_graphql_error(error, &format!("$.selectionSet.{alias}"), &mut report)
                            .of_field(&alias)
                    })
                    .collect();
                if !errors.is_empty() && outcome == RequestOutcome::Answered {
                    outcome = RequestOutcome::Refused;
                }
                (body(answer.data, &errors, explained.as_deref()), outcome)
            }
            Err(failure) => {
                let mut outcome = RequestOutcome::Refused;
                let report = |error| {
                    outcome = RequestOutcome::Failed;
                    report(error);
                };
                let body = match failure {
                    Failure::Request(error) => error.body(),
                    Failure::Store(error) => error_body(error, "$", report),
                    Failure::Change { field, error } => {
                        let path = format!("$.selectionSet.{}", field.as_deref().unwrap_or_default());
                        error_body(error, &path, report)
                    }
                };
                (body.into(), outcome)
            }
        };
        if let Some(observer) = &self.observer {
            let plan = if seen.is_known { PlanUse::Known } else { PlanUse::Compiled };
            let operation = &*seen.operation;
            observer.answered(&ObservedRequest { operation, outcome, plan, took: began.elapsed() });
        }
        answer
    }

    fn answer(
        &self,
        caller: &Caller,
        request: &Request,
        cancel: &Cancel,
        seen: &mut RequestFacts,
    ) -> Result<Answer, Failure> {
        let place = match self.plans.find(self.store.catalogue(), caller, request) {
            Some((_, Some((known, parameters)))) => {
                *seen = RequestFacts { operation: Arc::clone(&known.made.operation), is_known: true };
                return Ok(self.store.run_from(request.from, caller, &known.plans, &parameters, cancel)?);
            }
            unknown => unknown.map(|(place, _)| place),
        };
        let introspect = Introspection { schemas: &self.schemas, caller };
        let roots = self.schemas.roots(caller);
        match self.compile(&roots, &introspect, request)? {
            Intent::Read(queries, made) => {
                seen.operation = Arc::clone(&made.operation);
                for query in &queries {
                    if let QueryKind::Code(code) = &query.kind {
                        compile::resolve_before_transaction(code, self, caller, cancel, false);
                    }
                }
                let known = self.plan(caller, &queries, made, place);
                let parameters = self.parameter_values(&known.made, request);
                Ok(self.store.run_from(request.from, caller, &known.plans, &parameters, cancel)?)
            }
            Intent::Live(_) => Err(Failure::Request(GraphqlError::new(
                "unexpected-payload",
                "$",
                "subscriptions are answered over WebSocket at this address, protocol graphql-transport-ws",
            ))),
            Intent::Write(changes) => {
                if let [change, others @ ..] = changes.as_slice() {
                    seen.operation = if others.is_empty() { change.field.as_str() } else { "several" }.into();
                }
                for change in &changes {
                    if let ChangeKind::Code(code) = &change.kind {
                        compile::resolve_before_transaction(code, self, caller, cancel, changes.len() == 1);
                    }
                }
                match self.store.write(caller, &changes) {
                    Ok(data) => Ok(Answer { data: data.into(), explained: Vec::new(), failures: Vec::new() }),
                    Err((place, error)) => {
                        let field = changes.get(place).map(|change| change.name.clone());
                        Err(Failure::Change { field, error })
                    }
                }
            }
        }
    }

    /// Plans the queries, and caches the plans under `place` if possible.
    fn plan(
        &self,
        caller: &Caller,
        queries: &[Query],
        made: PlanShape,
        place: Option<Place>,
    ) -> Arc<PlanEntry> {
        let known = Arc::new(PlanEntry { made, plans: self.store.plan(caller, queries) });
        if let Some(place) = place.filter(|_| is_plain(queries) && !self.store.is_personal(queries)) {
            self.plans.keep(place, Arc::clone(&known));
        }
        known
    }

    /// The values for the parameters of plans that were made for this request.
    fn parameter_values(&self, made: &PlanShape, request: &Request) -> Vec<Value> {
        let parameters = made.values(self.store.catalogue(), &shape_of(request.variables.as_ref()).1);
        parameters.expect("what was just read can be read again")
    }

    /// Answers a query written on behalf of the caller, for example by a language model, with the caller's rights and limits. Mutations and
    /// subscriptions are refused. [`Operations::resolve_before_transaction`] is not called, therefore operations that only answer there are refused by
    /// [`Operations::call`]. Blocks the thread.
    pub fn execute_query_only(
        &self,
        caller: &Caller,
        request: &Request,
        cancel: &Cancel,
        report: impl FnMut(StoreError),
    ) -> Vec<u8> {
        let introspect = Introspection { schemas: &self.schemas, caller };
        let roots = self.schemas.roots(caller);
        let (queries, made) = match self.compile(&roots, &introspect, request) {
            Ok(Intent::Read(queries, made)) => (queries, made),
            Ok(Intent::Write(_) | Intent::Live(_)) => {
                let message = "only queries are answered here: this one writes, or goes on";
                return GraphqlError::new("permission-error", "$", message).body();
            }
            Err(error) => return error.body(),
        };
        let plans = self.store.plan(caller, &queries);
        match self.store.run(caller, &plans, &self.parameter_values(&made, request), cancel) {
            Ok(data) => body(data.into(), &[], None).into_bytes(),
            Err(error) => error_body(error, "$", report),
        }
    }

    /// The underlying store.
    pub fn store(&self) -> &Store {
        &self.store
    }
}

impl Engine {
    fn compile(
        &self,
        roots: &Roots,
        introspection: &Introspection<'_>,
        request: &Request,
    ) -> Result<Intent, GraphqlError> {
        let catalogue = self.store.catalogue();
        compile::compile(catalogue, roots, &self.operations, introspection, request, self.limits)
    }
}

/// The schema as text (SDL).
pub fn sdl(catalogue: &Catalogue) -> Result<String, BuildError> {
    let schema =
        schema::build(catalogue, &Caller::system()).map_err(|error| BuildError(error.to_string()))?;
    Ok(schema.sdl())
}

/// Whether the plans may be cached. Introspection results are large and also depend on what the caller may write. Calls of code contain
/// their arguments, and cost more than planning them.
fn is_plain(queries: &[Query]) -> bool {
    queries.iter().all(|query| !matches!(query.kind, QueryKind::Json(_) | QueryKind::Code(_)))
}

/// The body of a response, with the errors of failed root fields, and how the others were answered.
fn body(
    mut data: ResponseChunks,
    errors: &[serde_json::Value],
    explained: Option<&[Explanation]>,
) -> ResponseChunks {
    let mut end = String::new();
    if !errors.is_empty() {
        end.push_str(&format!(",\"errors\":{}", serde_json::Value::from(errors)));
    }
    if let Some(explained) = explained {
        end.push_str(&explain::extensions(explained));
    }
    end.push('}');
    data.enclose(OPENING, end.as_bytes());
    data
}

/// The start of a body with data.
const OPENING: &[u8] = b"{\"data\":";

/// The body for an error of the store.
fn error_body(error: StoreError, path: &str, mut report: impl FnMut(StoreError)) -> Vec<u8> {
    to_graphql_error(error, path, &mut report).body()
}

/// The error reported for an error of the store. Only errors that the caller can act on are described. The cause of an internal failure
/// goes to `report`, and no SQL appears in the response.
fn to_graphql_error(error: StoreError, path: &str, report: &mut impl FnMut(StoreError)) -> GraphqlError {
    let message = error.to_string();
    match error {
        StoreError::Refused { code, place, .. } => GraphqlError::new(code, place, message),
        StoreError::Forbidden { place, role, allowed } => GraphqlError {
            details: vec![("role", role.into()), ("allowedRoles", allowed.into())],
            ..GraphqlError::new("FORBIDDEN", place, message)
        },
        StoreError::Denied => {
            let Refusal { code, message, .. } = Refusal::denied();
            GraphqlError::new(code, path, message)
        }
        error => {
            let Some(code) = operations::code(&error) else {
                report(error);
                return GraphqlError::new("unexpected", path, message);
            };
            GraphqlError::new(code, path, message)
        }
    }
}

/// Facts about a request for its observer.
struct RequestFacts {
    operation: Arc<str>,
    is_known: bool,
}

impl Default for RequestFacts {
    fn default() -> Self {
        Self { operation: "none".into(), is_known: false }
    }
}

enum Failure {
    Request(GraphqlError),
    Store(StoreError),
    /// A change failed; `field` is its key in the response.
    Change {
        field: Option<String>,
        error: StoreError,
    },
}

impl From<GraphqlError> for Failure {
    fn from(error: GraphqlError) -> Self {
        Self::Request(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
