//! Errors of operations on models.

use crate::failure::Failure;
use std::io;
use store::StoreError;

/// Why an operation on a model failed.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    #[error("there is no model {name:?} here")]
    NotFound { name: String },
    #[error("{what}")]
    Io {
        what: String,
        #[source]
        cause: io::Error,
    },
    #[error(
        "the file's hash is {found}, {told_by} says {wanted}: it is not the file it should be, and was not taken in"
    )]
    Mismatch { found: String, wanted: String, told_by: String },
    #[error("{what} is no SHA-256: expected 64 hexadecimal digits")]
    NotAHash { what: String },
    #[error("{file:?} is no name of a file: expected one without folders, such as svc-slm.gguf")]
    NotAFileName { file: String },
    #[error("there is no file {file:?} in the folder `import` of the models folder: lay it there first")]
    NotLaid { file: String },
    #[error("another file {file:?} is in {place} already: take it away or choose another name")]
    Occupied { file: String, place: String },
    #[error("another export runs: wait until it has ended")]
    Exporting,
    #[error(
        "the file of {name} changed on disk: its hash was {was}, and is {found}. It was not given out: verify the model, then fetch it again"
    )]
    Changed { name: String, found: String, was: String },
    #[error("a download runs; pause it first")]
    Busy,
    #[error("{0}")]
    Taken(Failure),
    #[error("the file holds nothing")]
    Empty,
    #[error("the file is no model: {why}. It was not taken in")]
    NotAModel { why: &'static str },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LibraryError {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |cause| Self::Io { what, cause }
    }
}

impl From<io::Error> for LibraryError {
    fn from(cause: io::Error) -> Self {
        Self::Io { what: "the models folder cannot be used".to_owned(), cause }
    }
}
