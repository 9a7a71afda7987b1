//! Why a file could not be read.

/// Why a file could not be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file's fault. `message` says what was expected, what came and what to do.
    #[error("{message}")]
    Refused { message: String, expected: String, found: String },
    /// Whoever takes the records wants no more.
    #[error("reading was ended")]
    Ended,
    #[error("the file could not be read")]
    Io(#[from] std::io::Error),
}
