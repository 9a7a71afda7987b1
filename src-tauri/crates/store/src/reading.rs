//! Reads: GraphQL queries answered from one snapshot, and read-only access to rows for product code.

use crate::answers::Writer;
use crate::backend::{Backend, View};
use crate::bounds::Meter;
use crate::cost::{self, Sizes};
use crate::driver::db::{Db, steps};
use crate::driver::sqlite::store_error;
use crate::json;
use crate::plan::Body;
use crate::query::QueryKind;
use crate::scope::ReadScope;
use crate::statement::PlanArguments;
use crate::{
    Cancel, Explanation, Plans, Query, ReadFrom, ResponseChunks, Store, StoreError, Transaction, dialect,
    segments, slow,
};
use catalogue::{Caller, Value};
use std::time::Instant;

/// The result of the queries of a request.
pub struct Answer {
    /// One JSON object with a member per query, in their order.
    pub data: ResponseChunks,
    /// How each query other than code was answered.
    pub explained: Vec<Explanation>,
    /// Queries implemented in code that failed; they are null in the data.
    pub failures: Vec<(String, StoreError)>,
}

impl Store {
    /// Answers all queries from one snapshot, as one JSON object (`{"a":…,"b":…}`) in the order of the queries. Blocks the thread.
    pub fn read(&self, caller: &Caller, queries: &[Query]) -> Result<Vec<u8>, StoreError> {
        self.read_until(caller, queries, &Cancel::default())
    }

    /// Like [`Store::read`], but can be stopped with `cancel`.
    pub fn read_until(
        &self,
        caller: &Caller,
        queries: &[Query],
        cancel: &Cancel,
    ) -> Result<Vec<u8>, StoreError> {
        self.run(caller, &self.plan(caller, queries), &[], cancel)
    }

    /// Plans the queries for this caller and all others with the same [`PlanScope`](crate::PlanScope).
    pub fn plan(&self, caller: &Caller, queries: &[Query]) -> Plans {
        let plans =
            queries.iter().map(|query| dialect::plan(self.backend.dialect(), &self.catalogue, caller, query));
        Plans {
            plans: plans.collect(),
            cost: cost::estimate_queries(&self.catalogue, queries, self.bounds.rows),
        }
    }

    /// Whether the answer depends on the user and not only on their rights. Such plans cannot be shared.
    pub fn is_personal(&self, queries: &[Query]) -> bool {
        queries.iter().any(|query| {
            let table = match &query.kind {
                QueryKind::List(select) | QueryKind::First(select) => select.table,
                QueryKind::Aggregate(select) => select.table,
                QueryKind::Grouped(grouping) => grouping.table,
                QueryKind::Text(_) | QueryKind::Json(_) | QueryKind::Code(_) => return false,
            };
            // The catalogue does not allow relationships to private rows.
            self.catalogue.table(table).private_user_column.is_some()
        })
    }

    /// Runs plans as [`Store::read`] does, until `cancel` stops it. `parameters` holds a value for each parameter of the queries.
    pub fn run(
        &self,
        caller: &Caller,
        plans: &Plans,
        parameters: &[Value],
        cancel: &Cancel,
    ) -> Result<Vec<u8>, StoreError> {
        let answer = self.run_explained(caller, plans, parameters, cancel)?;
        match answer.failures.into_iter().next() {
            None => Ok(answer.data.into_bytes()),
            Some((_, error)) => Err(error),
        }
    }

    /// Like [`Store::run`], and reports how each query was answered. A failed query of code is null, and the others are answered.
    pub fn run_explained(
        &self,
        caller: &Caller,
        plans: &Plans,
        parameters: &[Value],
        cancel: &Cancel,
    ) -> Result<Answer, StoreError> {
        self.run_from(ReadFrom::First, caller, plans, parameters, cancel)
    }

    /// Like [`Store::run_explained`], from the given server.
    pub fn run_from(
        &self,
        from: ReadFrom,
        caller: &Caller,
        plans: &Plans,
        parameters: &[Value],
        cancel: &Cancel,
    ) -> Result<Answer, StoreError> {
        if from == ReadFrom::Replica {
            match self.attempt(from, caller, plans, parameters, cancel) {
                Err(error) if is_of_replica(&error) && !cancel.is_cancelled() => {
                    tracing::debug!("the replica did not answer: {error}");
                }
                answer => return answer,
            }
        }
        self.attempt(ReadFrom::First, caller, plans, parameters, cancel)
    }

    fn attempt(
        &self,
        from: ReadFrom,
        caller: &Caller,
        plans: &Plans,
        parameters: &[Value],
        cancel: &Cancel,
    ) -> Result<Answer, StoreError> {
        let meter = Meter::new(self.bounds);
        let work = |View { db, deadline, answer_memo: told }: View<'_>| {
            let _guard = deadline.set(self.bounds.time, cancel);
            plans.cost.check(
                &Sizes::new(db, &self.catalogue, &self.sizes, self.now()),
                parameters,
                self.bounds,
            )?;
            let tenant = caller.tenant();
            let segments = match (db, &self.backend, &self.segments, told) {
                (Db::Sqlite(connection), Backend::Sqlite(connections), Some(cache), Some(told)) => {
                    let (catalogue, lacking) = (&self.catalogue, connections.missing_segments());
                    Some(segments::Reader {
                        catalogue,
                        cache,
                        connection,
                        tenant,
                        caller,
                        deadline,
                        answer_memo: told,
                        missing_segments: lacking,
                    })
                }
                _ => None,
            };
            let given = PlanArguments { now: self.now(), parameters };
            let writer = Writer {
                connection: db,
                tenant,
                given,
                meter: &meter,
                segments,
                memo: segments::Memo::default(),
            };
            let mut explained = Vec::with_capacity(plans.plans.len());
            let mut failures = Vec::new();
            let mut pieces = ResponseChunks::from(vec![b'{']);
            for (place, plan) in plans.plans.iter().enumerate() {
                if place > 0 {
                    pieces.text().push(b',');
                }
                match &plan.body {
                    Body::Data(data) => {
                        let is_last = place + 1 == plans.plans.len();
                        let (began, before) = (Instant::now(), steps());
                        let told = writer.root(&plan.name, data, is_last, &mut pieces);
                        if self.slow.is_some_and(|slow| began.elapsed() >= slow) {
                            slow::log(db, data, began.elapsed(), steps() - before);
                        }
                        explained.push(told.map_err(store_error)?);
                    }
                    Body::Code(code) => {
                        let rows = self.rows(db, caller).with_segments(segments);
                        json::key(pieces.text(), &plan.name);
                        match code.0.run(&rows) {
                            Ok(answer) => pieces.text().extend_from_slice(answer.as_bytes()),
                            // Stopping one query stops the whole request.
                            Err(error)
                                if matches!(error, StoreError::Interrupted) || deadline.must_stop() =>
                            {
                                return Err(error);
                            }
                            Err(error) => {
                                pieces.text().extend_from_slice(b"null");
                                failures.push((plan.name.clone(), error));
                            }
                        }
                    }
                }
            }
            pieces.text().push(b'}');
            meter.length(pieces.text().len())?;
            Ok(Answer { data: pieces, explained, failures })
        };
        let answer = match from {
            ReadFrom::First => self.backend.read(plans.scope(), work),
            ReadFrom::Replica => self.backend.read_replica(plans.scope(), work),
        };
        answer.map_err(|error| meter.stopped(error, cancel))
    }

    /// Runs `work` in one read-only snapshot. Blocks the thread.
    pub fn snapshot<T, E: From<StoreError>>(
        &self,
        caller: &Caller,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.backend.read(ReadScope::default(), |view| work(&self.rows(view.db, caller)))
    }
}

/// Whether the primary may answer after the replica failed. A request beyond the limits would only fail twice.
fn is_of_replica(error: &StoreError) -> bool {
    error.is_unavailable() || matches!(error, StoreError::Busy { .. } | StoreError::Database(_))
}
