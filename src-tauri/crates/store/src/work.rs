//! Root fields answered by code, with rows of the snapshot or transaction the request shares.

use crate::{StoreError, Transaction};
use std::any::Any;
use std::fmt::{Debug, Formatter};
use std::sync::Arc;

/// Code that answers one root field. Who made it knows it again by its type.
pub trait Work: Any + Send + Sync {
    /// The answer as JSON. What it refuses undoes everything the request has written.
    fn run(&self, rows: &Transaction<'_>) -> Result<String, StoreError>;
}

/// Code as a part of a query or change.
#[derive(Clone)]
pub struct Code(pub Arc<dyn Work>);

impl Debug for Code {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("Code")
    }
}
