//! Tests of the service over real HTTP, each with its own port and data directory.

mod answers;
#[cfg(unix)]
mod automation;
mod backup_passphrase;
mod backups;
mod beside;
mod changed_rules;
mod client;
mod damage;
mod deliveries;
mod device;
mod findings;
mod health;
mod host;
mod imports;
mod instances;
mod limits;
mod live;
mod mappings;
mod measurements;
mod metadata;
mod metrics;
mod model_providers;
mod model_tasks;
mod post_mortem;
#[cfg(unix)]
mod postgres_restore;
mod recomputed;
mod repositories;
mod saml;
mod saml_contract;
mod sample;
mod sign_in;
mod start;
mod tables;
mod tasks;
mod tenants;
mod waiting;
mod watched_folders;
mod webhooks;
mod workflows;

use crate::clock;
use crate::settings::{Flags, Settings};
use crate::start::{Running, StartError, start};
use auth::{Tenant, api_token, tenancy, user};
use catalogue::Role;
use client::{Answer, Client};
use std::path::Path;
use store::Store;
use tempfile::TempDir;

/// A running service.
struct Service {
    running: Running,
    data_dir: TempDir,
}

pub(crate) fn settings(data_dir: &Path, listen: &str) -> Settings {
    let flags =
        Flags { data_dir: Some(data_dir.to_owned()), listen: Some(listen.to_owned()), ..Flags::default() };
    Settings::read(&flags, &|name| (name == "QUARTERDECK_LOG").then(|| "off".to_owned())).unwrap()
}

async fn start_in(data_dir: &Path) -> Result<Running, StartError> {
    start(settings(data_dir, "127.0.0.1:0")).await
}

impl Service {
    async fn start() -> Self {
        Self::start_on(tempfile::tempdir().unwrap()).await
    }

    async fn start_on(data_dir: TempDir) -> Self {
        Self { running: start_in(data_dir.path()).await.unwrap(), data_dir }
    }

    /// Stops the service and returns its data directory.
    async fn stop(self) -> TempDir {
        self.running.stop().await;
        self.data_dir
    }

    fn store(&self) -> Store {
        self.running.app.store.clone()
    }

    fn tenant(&self) -> Tenant {
        tenancy::find(&self.store(), None).unwrap()
    }

    /// A client without credentials.
    fn stranger(&self) -> Client {
        Client::new(self.running.address)
    }

    /// The secret of a new API token for a user with that role in that tenant.
    fn secret_of(&self, email: &str, role: Role, tenant: &Tenant) -> String {
        let (store, rng) = (self.store(), &mut rand::rng());
        user::add(&store, tenant, email, None, role, clock::now(), rng).unwrap();
        api_token::create(&store, tenant, email, "tests", clock::now(), rng).unwrap().secret
    }

    /// A program with the bearer token of a user with that role in that tenant.
    async fn program(&self, email: &str, role: Role, tenant: &Tenant) -> Client {
        let secret = self.secret_of(email, role, tenant);
        let pair = format!(r#"{{"email": "{email}", "secret": "{secret}"}}"#);
        let answer = self.stranger().post("/api/auth/token", &pair).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        self.stranger().with("Authorization", &format!("Bearer {}", answer.json()["token"].as_str().unwrap()))
    }

    async fn administrator(&self) -> Client {
        self.program("ada@example.com", Role::TenantAdmin, &self.tenant()).await
    }

    /// A page of this service in a browser that is not signed in.
    fn page(&self) -> Client {
        self.stranger().with("Origin", &self.running.url()).with("Sec-Fetch-Site", "same-origin")
    }

    /// Follows a sign-in link like the page.
    async fn follow(&self, link: &str) -> Answer {
        let code = link.split_once("#code=").unwrap().1;
        self.page().post("/api/auth/link", &format!(r#"{{"code": "{code}"}}"#)).await
    }

    /// A page signed in as the local administrator.
    async fn signed_in_page(&self) -> Client {
        let answer = self.follow(&self.running.sign_in_link()).await;
        self.page().with("Cookie", &answer.cookie())
    }
}
