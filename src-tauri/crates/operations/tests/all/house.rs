//! Test data: a tenant, a person and two accounts, with a query engine.

use catalogue::{Caller, CallerAccounts, Role, ValueRef};
use graphql::{Engine, Request};
use operations::notices::NoMessengers;
use serde_json::Value;
use std::sync::Arc;
use store::{Store, StoreError};
use uuid::Uuid;

pub const TENANT: Uuid = Uuid::from_u128(0xa);
pub const PERSON: Uuid = Uuid::from_u128(0xa0);
pub const OWN: Uuid = Uuid::from_u128(0xa1);
pub const OTHER: Uuid = Uuid::from_u128(0xa2);

/// The current time unless a test sets another: 2026-11-01T00:00:00Z, µs since 1970.
pub const NOW: i64 = 1_793_491_200_000_000;

pub struct House {
    pub store: Store,
    engine: Engine,
    folder: tempfile::TempDir,
}

impl House {
    pub fn new() -> Self {
        Self::with_trackers(|_| Arc::new(operations::NoTrackers))
    }

    /// With trackers that have access to the store.
    pub fn with_trackers(trackers: impl FnOnce(&Store) -> Arc<dyn operations::Trackers>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder);
        store.transaction(&Caller::system(), fill).unwrap();
        Self { engine: serve(&store, trackers(&store), Arc::new(NoMessengers)), store, folder }
    }

    /// With this implementation of channels.
    pub fn with_messengers(messengers: Arc<dyn operations::notices::Messengers>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder);
        store.transaction(&Caller::system(), fill).unwrap();
        Self { engine: serve(&store, Arc::new(operations::NoTrackers), messengers), store, folder }
    }

    /// In an empty, open database that is [`ready`].
    pub fn over(store: Store) -> Self {
        let folder = tempfile::tempdir().unwrap();
        store.transaction(&Caller::system(), fill).unwrap();
        Self {
            engine: serve(&store, Arc::new(operations::NoTrackers), Arc::new(NoMessengers)),
            store,
            folder,
        }
    }

    /// The same data after a restart of the service.
    pub fn opened_again(self) -> Self {
        let Self { store, engine, folder } = self;
        drop((store, engine));
        let store = open(&folder);
        Self {
            engine: serve(&store, Arc::new(operations::NoTrackers), Arc::new(NoMessengers)),
            store,
            folder,
        }
    }

    /// Runs a query as an administrator of the account [`OWN`].
    pub fn ask(&self, query: &str) -> Value {
        let caller = Caller::user(PERSON, TENANT, vec![Role::AccountAdmin]).with_accounts(
            CallerAccounts::default(),
            CallerAccounts { accounts: vec![OWN], ..CallerAccounts::default() },
        );
        self.ask_as(&caller, query)
    }

    pub fn ask_as(&self, caller: &Caller, query: &str) -> Value {
        let request =
            Request { query: query.to_owned(), operation_name: None, variables: None, ..Request::default() };
        let body = self.engine.execute(caller, &request, |error| panic!("{error:?}"));
        serde_json::from_slice(&body).unwrap()
    }

    #[track_caller]
    pub fn answers(&self, query: &str) -> Value {
        let answer = self.ask(query);
        assert!(answer["errors"].is_null(), "{answer}");
        answer["data"].clone()
    }

    #[track_caller]
    pub fn refuses(&self, query: &str) -> String {
        let answer = self.ask(query);
        answer["errors"][0]["message"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }
}

fn open(folder: &tempfile::TempDir) -> Store {
    ready(Store::open(&folder.path().join("house.db"), testkit::product::catalogue()).unwrap())
}

/// With the clock of the tests, and all after-write hooks.
pub fn ready(store: Store) -> Store {
    store.with_clock(|| NOW).with_hooks(&operations::AFTER_WRITE_HOOKS).unwrap()
}

fn serve(
    store: &Store,
    trackers: Arc<dyn operations::Trackers>,
    messengers: Arc<dyn operations::notices::Messengers>,
) -> Engine {
    let providers = llm::Providers::new(store.clone(), llm::EnvironmentValues::new(), || NOW);
    Engine::over_tested_catalogue(store.clone())
        .with_operations(operations::all(
            providers,
            Arc::new(operations::NoModels),
            trackers,
            messengers,
            Arc::new(operations::NoImports),
        ))
        .unwrap()
}

fn fill(rows: &store::Transaction<'_>) -> Result<(), StoreError> {
    let (tenant, person) = (ValueRef::Uuid(TENANT), ValueRef::Uuid(PERSON));
    rows.insert(
        "users",
        &[
            ("id", person),
            ("username", "ada@example.com".into()),
            ("display_name", "Ada".into()),
            ("status", "active".into()),
        ],
    )?;
    rows.insert(
        "tenant",
        &[("id", tenant), ("name", "house".into()), ("created_by", person), ("updated_by", person)],
    )?;
    rows.insert(
        "tenant_users",
        &[("tenant", tenant), ("user_id", person), ("created_by", person), ("updated_by", person)],
    )?;
    for (account, name) in [(OWN, "shop"), (OTHER, "lab")] {
        rows.insert(
            "cloud_accounts",
            &[
                ("id", account.into()),
                ("tenant", tenant),
                ("account_name", name.into()),
                ("account_type", "kubernetes".into()),
                ("created_by", person),
                ("updated_by", person),
            ],
        )?;
        rows.insert(
            "user_roles",
            &[
                ("tenant_id", tenant),
                ("entity_id", account.to_string().as_str().into()),
                ("entity_type", "account".into()),
                ("role", "account_admin".into()),
                ("user_id", person),
                ("created_by", person),
            ],
        )?;
        rows.insert(
            "logs",
            &[
                ("tenant_id", tenant),
                ("account_id", account.into()),
                ("timestamp", ValueRef::Timestamp(1_000_000)),
                ("message", name.into()),
            ],
        )?;
    }
    Ok(())
}
