//! Root fields implemented in code; they use the request's snapshot or transaction.

use crate::{StoreError, Transaction};
use std::any::Any;
use std::fmt::{Debug, Formatter};
use std::sync::Arc;

/// Code that answers one root field. The creator can downcast it to its own type.
pub trait Work: Any + Send + Sync {
    /// Returns the result as JSON. An error rolls back everything the request has written.
    fn run(&self, rows: &Transaction<'_>) -> Result<String, StoreError>;
}

/// Code as part of a query or change.
#[derive(Clone)]
pub struct Code(pub Arc<dyn Work>);

impl Debug for Code {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("Code")
    }
}
