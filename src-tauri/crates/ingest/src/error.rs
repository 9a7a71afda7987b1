//! The error of an import that ended without a report.

use std::path::PathBuf;
use store::StoreError;

/// An import that could not be carried out. Nothing was written. A file that can be read but not understood is not an error: its
/// [`Report`](crate::Report) states the problem.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the import was cancelled; nothing was written")]
    Cancelled,
    #[error("{path} cannot be read")]
    Read {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error("an import needs a tenant to write for")]
    NoTenant,
    #[error(transparent)]
    Store(#[from] StoreError),
}
