//! Compares SQLite and PostgreSQL over the whole catalogue: rows in every table, and generated requests that both must answer with the
//! same bytes.
//!
//! Seeds are fixed. `DIFFERENTIAL=20` runs twenty times as many requests.

mod change;
mod condition;
mod listing;
mod request;
mod rows;

use crate::properties::{difference, random::Random};
use catalogue::{Caller, CallerAccounts, Catalogue, Role};
use graphql::{Engine, Request};
use serde_json::Value as Json;
use std::sync::Arc;
use store::{Bounds, Store};

/// Number of requests of each kind and seed.
const REQUESTS: usize = 350;
const SEEDS: u64 = 5;
/// The time of every write: 2024-09-01 05:00, in microseconds.
const NOW: i64 = 1_725_166_800_000_000;

/// Two databases with the same rows.
struct Databases {
    catalogue: Arc<Catalogue>,
    engines: [Engine; 2],
    _folder: tempfile::TempDir,
}

impl Databases {
    /// `None` if PostgreSQL is not installed.
    fn new(random: &mut Random) -> Option<Self> {
        Self::with(random, |_| true)
    }

    /// Modifies the generated rows with `change`. If it returns false, it cannot use the rows, and others are generated.
    fn with(random: &mut Random, change: impl Fn(&mut rows::Tables) -> bool) -> Option<Self> {
        let url = testkit::postgres::database()?;
        let catalogue = testkit::product::catalogue();
        let folder = tempfile::tempdir().unwrap();
        let file = Store::open(&folder.path().join("world.db"), Arc::clone(&catalogue)).unwrap();
        let postgres = Store::open_postgres(&url, Arc::clone(&catalogue)).unwrap();
        let mut rows = rows::of_all_tables(&catalogue, random);
        while !change(&mut rows) {
            rows = rows::of_all_tables(&catalogue, random);
        }
        let engine = |store: Store| {
            let store = store.with_clock(|| NOW);
            rows::fill(&store, &rows);
            let bounds = Bounds { passes: u64::MAX, related_rows: u64::MAX, ..Bounds::default() };
            Engine::new(store.with_bounds(bounds)).unwrap()
        };
        Some(Self { engines: [engine(file), engine(postgres)], catalogue, _folder: folder })
    }

    /// Runs the request on both. Returns whether they answered with data, not with an error.
    #[track_caller]
    fn compare(&self, caller: &Caller, query: &str, variables: &Json) -> bool {
        let request = Request {
            query: query.to_owned(),
            operation_name: None,
            variables: variables.as_object().cloned(),
            ..Request::default()
        };
        let [file, postgres] = self.engines.each_ref().map(|engine| {
            let body = engine.execute(caller, &request, |error| panic!("{error:?}\n{query}\n{variables}"));
            String::from_utf8(body).unwrap()
        });
        // If a change violates several constraints, each database names the one it checked first.
        let breaks = |answer: &str| answer.contains("\"code\":\"constraint-violation\"");
        assert!(
            file == postgres || breaks(&file) && breaks(&postgres),
            "PostgreSQL answers otherwise\n{query}\n{variables}\n{}",
            difference(&postgres, &file)
        );
        file.starts_with("{\"data\"")
    }
}

/// A random caller: one who may read the tenant, or one who may read one of its accounts.
fn caller(random: &mut Random) -> Caller {
    let (person, tenant) = (rows::id(2), rows::id(rows::TENANT));
    if random.one_in(3) {
        let places = || CallerAccounts { accounts: vec![rows::id(1)], namespaces: vec![] };
        return Caller::user(person, tenant, vec![]).with_accounts(places(), CallerAccounts::default());
    }
    Caller::user(person, tenant, vec![Role::TenantAdmin])
}

fn times() -> usize {
    std::env::var("DIFFERENTIAL").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

#[test]
fn generated_requests_over_all_tables_have_the_same_answer() {
    check(|databases, random| {
        let (query, variables) = request::random(&databases.catalogue, random);
        databases.compare(&caller(random), &query, &variables)
    });
}

/// PostgreSQL reads nested data of 256 rows at once, and these rows may themselves be nested.
#[test]
fn lists_and_figures_nested_in_many_rows_have_the_same_answer() {
    let mut random = Random::new(3);
    let made =
        Databases::with(&mut random, |tables| rows::multiply(tables, "recommendation", "rule_name", 600));
    let Some(databases) = made else { return };
    let admin = Caller::user(rows::id(2), rows::id(rows::TENANT), vec![Role::TenantAdmin]);
    let queries = [
        "{ recommendation(order_by: {id: asc}) { id cloud_account { id events(order_by: {id: desc}, limit: 2, offset: 1) { id status } \
         recommendations_aggregate(order_by: {id: asc}, limit: 30) { aggregate { count max { id } } nodes { id } } } } }",
        "{ cloud_accounts(order_by: {id: asc}) { id recommendations(order_by: {id: asc}) { id \
         cloud_account { events_aggregate { aggregate { count } } } } spends(order_by: {id: asc}) { id } } }",
        "{ recommendation(order_by: {id: asc}, limit: 257) { cloud_account { recommendations(distinct_on: severity, order_by: [{severity: asc}, {id: desc}]) { id } } } }",
    ];
    for query in queries {
        assert!(databases.compare(&admin, query, &Json::Null), "{query} is answered with rows");
    }
}

#[test]
fn generated_requests_of_all_listings_have_the_same_answer() {
    check(|databases, random| {
        let (query, variables) = listing::random(&databases.catalogue, random);
        databases.compare(&caller(random), &query, &variables)
    });
}

#[test]
fn generated_changes_leave_the_same_rows() {
    for seed in 1..=SEEDS {
        let mut random = Random::new(seed + 2_000);
        let Some(databases) = Databases::new(&mut random) else { return };
        let admin = Caller::user(rows::id(2), rows::id(rows::TENANT), vec![Role::TenantAdmin]);
        let (changes, mut done) = (REQUESTS / 2 * times(), 0);
        for _ in 0..changes {
            let [(change, variables), (after, none)] = change::random(&databases.catalogue, &mut random);
            done += usize::from(databases.compare(&admin, &change, &variables));
            databases.compare(&admin, &after, &none);
        }
        // Changes with references to missing rows, duplicate keys, and columns a client may not write are refused.
        assert!(done * 6 > changes, "only {done} of {changes} changes were made");
    }
}

fn check(ask: impl Fn(&Databases, &mut Random) -> bool) {
    for seed in 1..=SEEDS {
        let mut random = Random::new(seed + 1_000);
        let Some(databases) = Databases::new(&mut random) else { return };
        let requests = REQUESTS * times();
        let answered = (0..requests).filter(|_| ask(&databases, &mut random)).count();
        assert!(
            answered * 4 > requests * 3,
            "only {answered} of {requests} requests were answered with rows"
        );
    }
}
