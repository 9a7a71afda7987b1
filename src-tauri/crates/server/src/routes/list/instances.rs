//! `/api/instances`: remote instances, used through this one.

use crate::rest::{Access, Area, any, delete, get, post, put};
use crate::routes::{instances as known, relay};

pub fn instances() -> Area {
    let routes = vec![
        get("/api/instances", "The instances this computer knows", known::list),
        post("/api/instances", "Add an instance", known::add),
        post("/api/instances/look", "Look at an address before it is added", known::look),
        get("/api/instances/keyring", "Whether the keyring of this system can be used", known::keyring),
        post("/api/instances/unlock", "Open the file of keys", known::unlock),
        put("/api/instances/{id}", "Change an instance", known::change),
        delete("/api/instances/{id}", "Remove an instance", known::remove),
        post("/api/instances/{id}/check", "Look at a known instance", known::check),
        delete("/api/instances/{id}/copies", "Forget the copies of an instance", known::forget),
        get("/api/instances/{id}/sign-in", "Where a sign-in to an instance stands", known::course),
        post("/api/instances/{id}/sign-in", "Begin a sign-in to an instance", known::begin_sign_in),
        delete("/api/instances/{id}/sign-in", "Give up a sign-in", known::cancel),
        post("/api/instances/{id}/sign-in/code", "Finish a sign-in with a code", known::finish),
        post("/api/instances/{id}/sign-out", "Sign this computer out of an instance", known::sign_out),
        any("/instances/{id}/api/{*rest}", "A route of an instance elsewhere", relay::pass)
            .needs(Access::LocalAdministrator)
            .file("*/*"),
    ];
    Area::new("instances", "Other instances, signed in to and asked through this computer", routes)
        .with_secrets()
        .unoffered()
}
