//! The description of a route, derived from the types of its handler.

use schemars::{JsonSchema, Schema, SchemaGenerator};

/// Generates the schema of a type; called when the document is generated.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// The schema of a type, by reference where it has a name.
pub fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Who may call a route, from the widest access to the narrowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anyone who can reach the service.
    Anyone,
    /// Anyone who knows the secret of the route; the text names it.
    Secret(&'static str),
    /// A bearer token or a session.
    SignedIn,
    /// A signed-in user with the role `tenant_admin`.
    TenantAdmin,
    /// A session; a bearer token is not accepted.
    Browser,
    /// An administrator of the home tenant, which set the service up.
    PlatformAdmin,
    /// The local administrator, on a service that only this computer can reach.
    LocalAdministrator,
    /// The local administrator, in the window of the desktop program.
    Window,
}

/// The content of a body.
#[derive(Clone, Copy)]
pub enum Content {
    Json(SchemaOf),
    /// JSON, or the fields of a form.
    JsonOrForm(SchemaOf),
    /// Bytes of this media type.
    File(&'static str),
}

/// The response of a route on success.
#[derive(Clone, Copy)]
pub struct Success {
    /// HTTP status.
    pub status: u16,
    /// `None`: an empty body.
    pub content: Option<Content>,
}

/// The description derived from the types of a handler.
#[derive(Clone)]
pub struct Operation {
    pub access: Access,
    /// Types of the path parameters, from left to right.
    pub path: Vec<SchemaOf>,
    /// Type of the query parameters, an object.
    pub query: Option<SchemaOf>,
    pub body: Option<Content>,
    /// Empty if the types do not describe the response.
    pub answers: Vec<Success>,
}

impl Operation {
    /// A handler without arguments and with an unknown response.
    pub fn unknown() -> Self {
        Self { access: Access::Anyone, path: Vec::new(), query: None, body: None, answers: Vec::new() }
    }

    /// Replaces the success responses by this one.
    pub fn succeed(&mut self, status: u16, content: Option<Content>) {
        self.answers = vec![Success { status, content }];
    }
}
