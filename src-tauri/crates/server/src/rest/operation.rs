//! What the types of a handler say of a route.

use schemars::{JsonSchema, Schema, SchemaGenerator};

/// Writes the schema of a type; called when the document is made.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// The schema of a type, by reference where it has a name.
pub fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Who may call a route. A later one is let in by fewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Whoever reaches the service.
    Anyone,
    /// Whoever knows a secret of its own: in words, which.
    Secret(&'static str),
    /// A bearer token or a session.
    SignedIn,
    /// Somebody signed in who has the role `tenant_admin`.
    TenantAdmin,
    /// A session; no bearer token.
    Browser,
    /// An administrator of the tenant that set the service up.
    PlatformAdmin,
    /// The local administrator of a service that is for this computer alone.
    LocalAdministrator,
    /// The same, in the window of the desktop program.
    Window,
}

/// What a body holds.
#[derive(Clone, Copy)]
pub enum Content {
    Json(SchemaOf),
    /// JSON, or the fields of a form.
    JsonOrForm(SchemaOf),
    /// Bytes of this media type.
    File(&'static str),
}

/// What a route answers when all went well.
#[derive(Clone, Copy)]
pub struct Success {
    /// Status of HTTP.
    pub status: u16,
    /// None: an empty body.
    pub content: Option<Content>,
}

/// What the types of a handler say.
#[derive(Clone)]
pub struct Operation {
    pub access: Access,
    /// Types of the parts of the path in braces, from left to right.
    pub path: Vec<SchemaOf>,
    /// An object with the parameters of the address.
    pub query: Option<SchemaOf>,
    pub body: Option<Content>,
    /// Empty where the types do not say.
    pub answers: Vec<Success>,
}

impl Operation {
    /// Of a handler without arguments that answers something unknown.
    pub fn unknown() -> Self {
        Self { access: Access::Anyone, path: Vec::new(), query: None, body: None, answers: Vec::new() }
    }

    /// Says that all went well in this way, instead of another.
    pub fn succeed(&mut self, status: u16, content: Option<Content>) {
        self.answers = vec![Success { status, content }];
    }
}
