//! The REST routes as data (input, output, access), for the router, the guard, the relay and the OpenAPI document.
//!
//! A route is one entry of a list in `routes/list`: method, path, summary and handler. The rest follows from the types of the handler's arguments
//! and response ([`handler`]), therefore the document cannot differ from the code.

pub mod answer;
pub mod argument;
pub mod document;
pub mod handler;
pub mod operation;
mod query;
pub mod route;
mod schemas;

pub use answer::{Accepted, Alphabetical, Created, NoStore};
pub use argument::JsonBody;
pub use operation::Access;
pub use route::{Area, Relay, Route, any, delete, get, patch, post, put};
