//! Errors of model setup, with the same messages for HTTP, command line and GraphQL.

use graphql::Refusal;
use llm::{FailureKind, SaveError};
use models::{Failure, Kind, LibraryError, NotAName};
use std::path::PathBuf;
use store::StoreError;

/// Why an operation on models or their providers failed.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error(transparent)]
    Name(#[from] NotAName),
    #[error(transparent)]
    Download(#[from] Failure),
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// Invalid settings: pairs of name and reason.
    #[error("{}", .0.first().map(|(name, why)| format!("{name} {why}")).unwrap_or_default())]
    Settings(Vec<(String, String)>),
    /// Any other invalid input.
    #[error("{0}")]
    Wrong(String),
    #[error(
        "The file changed on disk: its hash is {found}. It is not used any more and is kept as {}",
        kept.display()
    )]
    Broken { found: String, kept: PathBuf },
    #[error(transparent)]
    Provider(#[from] SaveError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<SetupError> for Refusal {
    fn from(error: SetupError) -> Self {
        let message = error.to_string();
        let code = match error {
            SetupError::Store(error)
            | SetupError::Library(LibraryError::Store(error))
            | SetupError::Provider(SaveError::Store(error)) => return error.into(),
            SetupError::Download(failure) | SetupError::Library(LibraryError::Taken(failure)) => {
                code_of(&failure)
            }
            SetupError::Provider(SaveError::Failure(failure)) => return of_model(&failure),
            SetupError::Library(LibraryError::Io { what, cause }) => {
                return Self::new("disk", format!("{what} ({cause})"));
            }
            SetupError::Library(LibraryError::NotFound { .. } | LibraryError::NotLaid { .. })
            | SetupError::Provider(SaveError::Unknown { .. }) => "not-found",
            SetupError::Library(
                LibraryError::Mismatch { .. }
                | LibraryError::Busy
                | LibraryError::Occupied { .. }
                | LibraryError::Exporting
                | LibraryError::Changed { .. },
            )
            | SetupError::Broken { .. } => "conflict",
            SetupError::Name(_)
            | SetupError::Library(_)
            | SetupError::Settings(_)
            | SetupError::Wrong(_)
            | SetupError::Provider(SaveError::Wrong(_)) => "validation-failed",
        };
        Self::new(code, message)
    }
}

fn code_of(failure: &Failure) -> &'static str {
    match failure.kind {
        Kind::NotConfigured | Kind::NoLicenseKey => "not-configured",
        Kind::InUse => "conflict",
        Kind::DiskFull | Kind::Disk => "disk",
        _ => "download-failed",
    }
}

/// Converts a failure of a provider, with its remedy, to the error shown on the page.
fn of_model(failure: &llm::Failure) -> Refusal {
    let code = match failure.trouble {
        FailureKind::NotConfigured => "not-configured",
        _ => "model-failed",
    };
    Refusal::new(code, [failure.message.as_str(), &failure.remedy].join(" ").trim_end())
}
