//! Why a sign-in was refused, explained to the user who tried.

use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::rest::NoStore;
use auth::saml::{Cause, refusals};
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use std::sync::Arc;
use store::StoreError;
use uuid::Uuid;

/// A refused sign-in, with the details that the refused person may see.
#[derive(serde::Serialize, JsonSchema)]
#[schemars(rename = "RefusedSignIn")]
pub struct RefusalView {
    id: String,
    at: String,
    cause: String,
    title: String,
    message: String,
    explanation: String,
    steps: Vec<String>,
    reference: String,
}

/// GET: why a sign-in was refused, for the user who was redirected to that id. Contains no names.
pub async fn refusal(
    State(app): State<Arc<App>>,
    axum::extract::Path(id): axum::extract::Path<String>,
) -> Result<NoStore<RefusalView>, Failure> {
    let gone = || {
        let words = "The reason of a refused sign-in can be read for fifteen minutes; sign in again";
        Failure::new(StatusCode::NOT_FOUND, "not_found", words)
    };
    let id = Uuid::parse_str(&id).map_err(|_| gone())?;
    let found = blocking(move || {
        let refusal = refusals::recent_refusal(&app.store, id, clock::now())?;
        let settings = app.saml()?;
        Ok::<_, StoreError>(refusal.map(|refusal| (refusal, settings)))
    })
    .await?;
    let (refusal, settings) = found.ok_or_else(gone)?;
    let provider = settings
        .value(auth::saml::settings::ENTRY_POINT)
        .and_then(|url| url::Url::parse(url).ok()?.host_str().map(str::to_owned))
        .unwrap_or_else(|| "the identity provider".to_owned());
    let (explanation, steps) = words(&refusal, &provider);
    Ok(NoStore(RefusalView {
        id: refusal.id,
        at: refusal.at,
        cause: refusal.cause,
        title: refusal.title,
        message: refusal.message,
        explanation,
        steps,
        reference: refusal.reference,
    }))
}

/// Explanation and remedies.
fn words(refusal: &refusals::Refusal, provider: &str) -> (String, Vec<String>) {
    let again = "Sign in again and finish within a minute.".to_owned();
    let ask =
        "Give an administrator the reference below. They see what was expected and what came.".to_owned();
    match Cause::find(&refusal.cause) {
        Some(Cause::Suspended) => (
            format!("You signed in correctly at {provider}, but you may not use Quarterdeck."),
            vec!["Ask an administrator to reactivate you under Settings, Users & roles.".to_owned(), ask],
        ),
        Some(
            Cause::SessionDataExpired
            | Cause::CodeSpent
            | Cause::AssertionExpired
            | Cause::ConfirmationExpired,
        ) => (
            format!(
                "The answer of {provider} must arrive within 60 s, so that nobody can use an old one. This one did not."
            ),
            vec![
                again,
                format!(
                    "If it happens at once, a clock is wrong: the one of {provider} or of this service. It is {} here.",
                    refusal.at
                ),
            ],
        ),
        Some(Cause::CertificateExpired | Cause::CertificateNotYetValid) => (
            format!("The certificate of {provider} is not valid now. Answers it signs are not trusted."),
            vec![
                "An administrator replaces it under Settings, Single sign-on. A new metadata file is enough."
                    .to_owned(),
                "Until then, administrators can use the local administrator's password or a sign-in link."
                    .to_owned(),
            ],
        ),
        Some(Cause::NotConfigured | Cause::NotEnabled) => (
            "An administrator has not finished setting up single sign-on.".to_owned(),
            vec!["Use another way to sign in.".to_owned(), ask],
        ),
        Some(Cause::OtherBrowser | Cause::RequestUnknown | Cause::Replayed | Cause::InResponseToMissing) => (
            format!("The answer of {provider} does not belong to a sign-in that this browser began."),
            vec!["Sign in again, from the sign-in page, and allow cookies for this site.".to_owned(), ask],
        ),
        Some(Cause::StatusFailed) => (
            format!("{provider} answered that it did not sign you in."),
            vec!["Sign in again.".to_owned(), ask],
        ),
        Some(Cause::Busy) => {
            ("The service is busy with something long, such as an import.".to_owned(), vec![again])
        }
        _ => (
            format!("You came back from {provider}, but its answer was not accepted."),
            vec!["Sign in again.".to_owned(), ask],
        ),
    }
}
