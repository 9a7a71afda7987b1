//! The error of reading a file.

/// The reason a file could not be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file is invalid. `message` states what was expected, what was found and what to do.
    #[error("{message}")]
    Refused { message: String, expected: String, found: String },
    /// The receiver of the records asked to stop.
    #[error("reading was ended")]
    Ended,
    #[error("the file could not be read")]
    Io(#[from] std::io::Error),
}
