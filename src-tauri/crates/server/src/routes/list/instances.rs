//! `/api/instances`: remote instances, used through this one.

use crate::rest::{Access, Area, any, delete, get, post, put};
use crate::routes::{instances as known, relay};

pub fn instances() -> Area {
    let routes = vec![
        get("/api/instances", "List the known instances", known::list),
        post("/api/instances", "Add an instance", known::add),
        post("/api/instances/look", "Check the address of an instance before adding it", known::look),
        get("/api/instances/keyring", "Whether the system keyring is available", known::keyring),
        post("/api/instances/unlock", "Unlock the key file", known::unlock),
        put("/api/instances/{id}", "Change an instance", known::change),
        delete("/api/instances/{id}", "Remove an instance", known::remove),
        post("/api/instances/{id}/check", "Check a known instance", known::check),
        delete("/api/instances/{id}/copies", "Delete the cached responses of an instance", known::forget),
        get("/api/instances/{id}/sign-in", "The state of a sign-in to an instance", known::course),
        post("/api/instances/{id}/sign-in", "Start a sign-in to an instance", known::begin_sign_in),
        delete("/api/instances/{id}/sign-in", "Cancel a sign-in", known::cancel),
        post("/api/instances/{id}/sign-in/code", "Complete a sign-in with a code", known::finish),
        post("/api/instances/{id}/sign-out", "Sign this computer out of an instance", known::sign_out),
        any("/instances/{id}/api/{*rest}", "Relay a request to another instance", relay::pass)
            .needs(Access::LocalAdministrator)
            .file("*/*"),
    ];
    Area::new("instances", "Other instances that this computer signs in to and relays requests to", routes)
        .with_secrets()
        .unoffered()
}
