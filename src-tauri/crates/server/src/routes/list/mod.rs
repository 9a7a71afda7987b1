//! The list of routes, by area. Each route is defined here only.

mod auth;
mod database;
mod host;
mod imports;
mod instances;
mod models;
mod service;

use crate::rest::Area;

/// All areas, sorted by name.
pub fn areas() -> Vec<Area> {
    vec![
        service::about(),
        service::assistant(),
        auth::auth(),
        database::backups(),
        service::changes(),
        database::database(),
        service::events(),
        service::graphql(),
        service::health(),
        host::host(),
        imports::imports(),
        instances::instances(),
        models::model_providers(),
        models::models(),
        service::description(),
        service::probes(),
        database::sample(),
        service::webhooks(),
        service::workflows(),
    ]
}
