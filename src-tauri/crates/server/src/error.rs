//! Error responses: the only module that maps errors to an HTTP status and code.
//!
//! An internal error is logged with its whole cause chain under an id. The response contains only that id.

use auth::device::DeviceError;
use auth::tenants::TenantSwitchError;
use auth::throttle::AttemptError;
use auth::{AccountError, BearerError, SignInError};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use operations::model_setup::SetupError;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use store::StoreError;
use uuid::Uuid;

/// An error response, ready to be sent.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    /// Error code, for programs.
    code: &'static str,
    /// Message for people: the problem and what to do about it.
    message: String,
    /// Further members of the response that a page needs.
    more: Map<String, Value>,
}

impl Failure {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), more: Map::new() }
    }

    /// Adds a member to the response.
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.more.insert(name.to_owned(), value);
        self
    }

    /// Status 429: too many failed attempts.
    pub fn slow_down(delay: auth::throttle::SlowDown) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "slow_down", delay.to_string())
            .with("retry_after", delay.seconds().into())
    }

    pub fn not_authenticated() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "not_authenticated",
            "Sign in first, or send a bearer token from /api/auth/token",
        )
    }

    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    /// Status 400: settings with invalid values, each listed by name.
    fn wrong_values<N: AsRef<str>>(message: String, problems: &[(N, String)]) -> Self {
        let listed = problems.iter().map(|(name, text)| json!({ "setting": name.as_ref(), "message": text }));
        Self::new(StatusCode::BAD_REQUEST, "wrong_value", message).with("problems", listed.collect())
    }

    pub fn no_such_path(path: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", format!("There is nothing at {path}"))
    }

    pub fn wrong_method() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "This address does not answer this method; see the Allow header",
        )
    }

    /// Status 500: an internal error.
    pub fn fault(error: &(dyn std::error::Error + 'static)) -> Self {
        let id = Uuid::new_v4();
        tracing::error!(%id, "{}", chain(error));
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            format!("Something went wrong here. The log has the details under {id}"),
        )
    }
}

/// The response to a failed request.
#[derive(Serialize, JsonSchema)]
pub struct Problem {
    /// An error code for programs.
    error: &'static str,
    /// A message for people: what happened and what to do.
    message: String,
    /// The same text as `message`, with status 401 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    description: Option<String>,
    /// Additional fields that depend on the error.
    #[serde(flatten)]
    more: Map<String, Value>,
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let wait = self.more.get("retry_after").and_then(Value::as_i64);
        // The page reads the message of a 401 from `description`.
        let description = (self.status == StatusCode::UNAUTHORIZED).then(|| self.message.clone());
        let problem = Problem { error: self.code, message: self.message, description, more: self.more };
        // `json!` sorts the members by name.
        let mut response = (self.status, Json(json!(problem))).into_response();
        if let Some(seconds) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// A request to `/api/graphql` that is not a valid GraphQL request; answered in the format of GraphQL errors.
#[derive(Debug)]
pub struct MalformedRequest(pub String);

impl IntoResponse for MalformedRequest {
    fn into_response(self) -> Response {
        (StatusCode::BAD_REQUEST, Json(json!({ "errors": [{ "message": self.0 }] }))).into_response()
    }
}

/// A request to `/api/graphql` that exceeds a limit of its caller; answered in the format of GraphQL errors.
#[derive(Debug)]
pub struct LimitExceeded {
    pub status: StatusCode,
    pub message: String,
}

impl IntoResponse for LimitExceeded {
    fn into_response(self) -> Response {
        let error = graphql::GraphqlError::new("limit-exceeded", "$", self.message);
        (self.status, [(header::CONTENT_TYPE, "application/json")], error.body()).into_response()
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let message = error.to_string();
        match &error {
            &StoreError::Busy { seconds } => {
                let again = i64::try_from(seconds).unwrap_or(i64::MAX).max(1);
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message).with("retry_after", again.into())
            }
            StoreError::Unreachable(_) => {
                tracing::error!("{}", chain(&error));
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "database_unreachable", message)
                    .with("retry_after", 5.into())
            }
            StoreError::NoConnection { .. } => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message).with("retry_after", 5.into())
            }
            // During an upgrade, another server may have migrated the shared database already.
            StoreError::NewerSchema { .. } => {
                tracing::error!("{message}");
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "newer_schema", message)
                    .with("retry_after", 30.into())
            }
            StoreError::OfOneFile => Self::new(StatusCode::CONFLICT, "of_one_file", message),
            StoreError::DiskFull => Self::new(StatusCode::INSUFFICIENT_STORAGE, "disk_full", message),
            StoreError::ReadOnly => Self::new(StatusCode::SERVICE_UNAVAILABLE, "read_only", message),
            StoreError::Damaged(_) => {
                tracing::error!("{}", chain(&error));
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "damaged", message)
            }
            StoreError::Denied => Self::new(StatusCode::FORBIDDEN, "forbidden", message),
            error => Self::fault(error),
        }
    }
}

impl From<AttemptError> for Failure {
    fn from(error: AttemptError) -> Self {
        match error {
            AttemptError::SlowDown(delay) => Self::slow_down(delay),
            AttemptError::SignIn(error) => error.into(),
        }
    }
}

impl From<SignInError> for Failure {
    fn from(error: SignInError) -> Self {
        let message = error.to_string();
        let code = match error {
            SignInError::Store(error) => return error.into(),
            SignInError::WrongCredentials => "wrong_credentials",
            SignInError::UserNotActive => "user_not_active",
            SignInError::TokenNotActive => "token_not_active",
            SignInError::NoTenant => "no_tenant",
            SignInError::LinkSpent => "link_spent",
            SignInError::PasswordOff => {
                return Self::new(StatusCode::FORBIDDEN, "password_off", message);
            }
        };
        Self::new(StatusCode::UNAUTHORIZED, code, message)
    }
}

impl From<TenantSwitchError> for Failure {
    fn from(error: TenantSwitchError) -> Self {
        let message = error.to_string();
        match error {
            TenantSwitchError::Store(error) => error.into(),
            TenantSwitchError::Ended => Self::new(StatusCode::UNAUTHORIZED, "not_authenticated", message),
            TenantSwitchError::NotAMember => Self::new(StatusCode::FORBIDDEN, "not_a_member", message),
            TenantSwitchError::Stopping => Self::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", message),
        }
    }
}

impl From<DeviceError> for Failure {
    fn from(error: DeviceError) -> Self {
        let message = error.to_string();
        let code = match error {
            DeviceError::Store(error) => return error.into(),
            DeviceError::SignIn(error) => return error.into(),
            DeviceError::CodeSpent => "code_spent",
            DeviceError::Revoked | DeviceError::Unused => "device_revoked",
            DeviceError::Reused => "device_token_reused",
        };
        Self::new(StatusCode::UNAUTHORIZED, code, message)
    }
}

impl From<AccountError> for Failure {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::Store(error) => error.into(),
            AccountError::WeakPassword { .. } => {
                Self::new(StatusCode::BAD_REQUEST, "weak_password", error.to_string())
            }
            error => Self::bad_request(error.to_string()),
        }
    }
}

impl From<BearerError> for Failure {
    fn from(error: BearerError) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "not_authenticated", error.to_string())
    }
}

/// I/O errors while a file is received. A full or read-only disk gets a message with a remedy; an error of the database, where files are stored
/// there, is converted as such.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        let error = match error.downcast::<StoreError>() {
            Ok(of_store) => return of_store.into(),
            Err(error) => error,
        };
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Self::new(
                StatusCode::INSUFFICIENT_STORAGE,
                "disk_full",
                "The disk of the service is full; nothing was kept. Free some space and try again",
            ),
            std::io::ErrorKind::ReadOnlyFilesystem | std::io::ErrorKind::PermissionDenied => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "read_only",
                "The data directory of the service cannot be written; nothing was kept",
            ),
            _ => Self::fault(&error),
        }
    }
}

impl From<models::Failure> for Failure {
    fn from(failure: models::Failure) -> Self {
        let (status, code) = match failure.kind {
            models::Kind::NotConfigured => (StatusCode::CONFLICT, "not_configured"),
            models::Kind::NoLicenseKey => (StatusCode::CONFLICT, "no_license_key"),
            models::Kind::InUse => (StatusCode::CONFLICT, "in_use"),
            models::Kind::DiskFull => (StatusCode::INSUFFICIENT_STORAGE, "disk_full"),
            models::Kind::Disk => (StatusCode::SERVICE_UNAVAILABLE, "disk"),
            _ => (StatusCode::CONFLICT, "download_failed"),
        };
        Self::new(status, code, failure.to_string())
    }
}

impl From<models::LibraryError> for Failure {
    fn from(error: models::LibraryError) -> Self {
        use models::LibraryError as Cause;
        let message = error.to_string();
        match error {
            Cause::NotFound { .. } | Cause::NotLaid { .. } => {
                Self::new(StatusCode::NOT_FOUND, "not_found", message)
            }
            Cause::Mismatch { .. } | Cause::Changed { .. } => {
                Self::new(StatusCode::CONFLICT, "mismatch", message)
            }
            Cause::Occupied { .. } => Self::new(StatusCode::CONFLICT, "occupied", message),
            Cause::Busy | Cause::Exporting => Self::new(StatusCode::CONFLICT, "busy", message),
            Cause::NotAHash { .. } | Cause::NotAFileName { .. } | Cause::NotAModel { .. } | Cause::Empty => {
                Self::bad_request(message)
            }
            Cause::Taken(failure) => failure.into(),
            Cause::Io { what, cause } => match cause.kind() {
                std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => cause.into(),
                _ => Self::new(StatusCode::SERVICE_UNAVAILABLE, "disk", format!("{what} ({cause})")),
            },
            Cause::Store(error) => error.into(),
        }
    }
}

impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Self {
        let message = error.to_string();
        match error {
            SetupError::Name(_) | SetupError::Wrong(_) => Self::bad_request(message),
            SetupError::Download(failure) => failure.into(),
            SetupError::Library(error) => error.into(),
            SetupError::Settings(problems) => Self::wrong_values(message, &problems),
            SetupError::Broken { .. } => Self::new(StatusCode::CONFLICT, "mismatch", message),
            SetupError::Provider(error) => error.into(),
            SetupError::Store(error) => error.into(),
        }
    }
}

impl From<llm::SaveError> for Failure {
    fn from(error: llm::SaveError) -> Self {
        let message = error.to_string();
        match error {
            llm::SaveError::Wrong(problems) => Self::wrong_values(message, &problems),
            llm::SaveError::Unknown { .. } => Self::new(StatusCode::NOT_FOUND, "not_found", message),
            llm::SaveError::Failure(failure) => failure.into(),
            llm::SaveError::Store(error) => error.into(),
        }
    }
}

impl From<llm::Failure> for Failure {
    fn from(failure: llm::Failure) -> Self {
        let message = [failure.message.as_str(), &failure.remedy].join(" ").trim_end().to_owned();
        let code = match failure.trouble {
            llm::FailureKind::NotConfigured => "not_configured",
            _ => "model_provider",
        };
        Self::new(StatusCode::CONFLICT, code, message)
    }
}

/// The error and all its causes, in one line.
pub fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        // Some libraries repeat the cause in their own message.
        if !text.ends_with(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error, ErrorKind};

    fn status_of(failure: Failure) -> u16 {
        failure.into_response().status().as_u16()
    }

    #[test]
    fn a_full_or_read_only_disk_is_told_apart_from_faults_of_ours() {
        assert_eq!(status_of(Error::from(ErrorKind::StorageFull).into()), 507);
        assert_eq!(status_of(StoreError::DiskFull.into()), 507);
        assert_eq!(status_of(Error::from(ErrorKind::ReadOnlyFilesystem).into()), 503);
        assert_eq!(status_of(StoreError::ReadOnly.into()), 503);
        assert_eq!(status_of(StoreError::Busy { seconds: 60 }.into()), 503);
        assert_eq!(status_of(Error::from(ErrorKind::InvalidData).into()), 500);
    }

    #[test]
    fn whoever_meets_a_database_without_a_free_connection_is_told_when_to_come_again() {
        let failure = Failure::from(StoreError::NoConnection { connections: 16, seconds: 60 });
        let response = failure.into_response();
        assert_eq!(response.status().as_u16(), 503);
        assert_eq!(response.headers()[header::RETRY_AFTER], "5");
    }

    #[test]
    fn a_fault_of_ours_leaves_as_an_id_only() {
        let failure = Failure::fault(&Error::other("the password is swordfish"));
        assert!(failure.message.starts_with("Something went wrong here. The log has the details under "));
    }

    #[test]
    fn a_chain_tells_every_cause_once() {
        let cause = Error::other("the disk is full");
        let error = StoreError::Database(Box::new(cause));
        assert_eq!(chain(&error), "the database failed: the disk is full");
        assert_eq!(chain(&SignInError::Store(StoreError::DiskFull)).matches("the disk is full").count(), 1);
    }
}
