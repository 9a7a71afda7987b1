//! The report of a dry run and of the laboratory page, which checks a pasted response: the checks, the attributes, and the effect of a sign-in.

use crate::saml::attributes::{Attribute, AttributeMatch, Groups};
use crate::saml::check::{ExaminationResult, State, Step, ValidationReport};
use crate::saml::provision::{self, Deployment, FoundBy};
use crate::saml::roles::RoleEffect;
use crate::saml::{Cause, Rejection, SamlError, Settings, VerifiedResponse};
use catalogue::Caller;
use schemars::JsonSchema;
use serde::Serialize;
use store::{Store, StoreError};

/// The complete report on one SAML response, for administrators.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "SignInReport")]
pub struct Report {
    #[schemars(extend("enum" = ["signed_in", "refused"]))]
    pub verdict: &'static str,
    pub headline: String,
    pub explanation: String,
    pub cause: Option<Cause>,
    pub remedy: Option<&'static str>,
    pub checks: Vec<Step>,
    pub attributes: Option<Read>,
    pub person: Option<Who>,
    pub roles: Option<RoleEffect>,
    /// The XML of the response, unchanged.
    pub xml: Option<String>,
}

/// The values read from the SAML response, each with its source.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "AttributesRead")]
pub struct Read {
    pub email: Option<AttributeMatch>,
    pub name: Option<AttributeMatch>,
    pub groups: Option<Groups>,
    pub received: Vec<Attribute>,
}

/// The user who would be signed in.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "SignInPerson")]
pub struct Who {
    pub found_by: FoundBy,
    pub email: String,
    pub name: String,
    pub status: String,
    pub tenant: String,
    pub note: String,
}

/// The result of the checks that need more than the response.
pub enum Exchange {
    /// The laboratory page: no request was started.
    NotChecked,
    /// A dry run: the result of the request check.
    Ended(Result<(), Rejection>),
}

/// Builds the report of what a sign-in with that response would do. Changes nothing.
pub fn build(
    store: &Store,
    settings: &Settings,
    deployment: &Deployment,
    examined: ExaminationResult,
    exchange: Exchange,
) -> Result<Report, StoreError> {
    let ExaminationResult { mut ladder, outcome, received, xml } = examined;
    let mut refused = outcome.as_ref().err().cloned();
    let mut after = After::default();
    if let Ok(verified) = &outcome {
        let exchanged = note_exchange(&mut ladder, exchange);
        after = store.snapshot(&Caller::system(), |rows| {
            let found = provision::find(rows, settings, deployment, verified);
            after_of(rows, settings, verified, found, &mut ladder)
        })?;
        refused = exchanged.err().or(after.refused.take());
    }
    let attributes = received.map(|received| {
        let read = outcome.as_ref().ok().map(|verified| verified.attributes.clone());
        Read {
            email: read.as_ref().map(|read| read.email.clone()),
            name: read.as_ref().map(|read| read.name.clone()),
            groups: read.map(|read| read.groups),
            received,
        }
    });
    let who = outcome
        .as_ref()
        .map_or_else(|_| "The person".to_owned(), |verified| verified.attributes.email.value.clone());
    let (verdict, headline, explanation) = match &refused {
        None => {
            let note = after.person.as_ref().map(|person| person.note.clone()).unwrap_or_default();
            ("signed_in", format!("{who} would be signed in"), note)
        }
        Some(refused) => {
            let hint = refused.hint.clone().map_or(String::new(), |hint| format!(" {hint}"));
            ("refused", format!("{who} would be refused"), format!("{}.{hint}", refused.cause.message()))
        }
    };
    Ok(Report {
        verdict,
        headline,
        explanation,
        cause: refused.as_ref().map(|refused| refused.cause),
        remedy: refused.as_ref().map(|refused| refused.cause.remedy()),
        checks: ladder.steps,
        attributes,
        person: after.person,
        roles: after.roles,
        xml,
    })
}

fn note_exchange(ladder: &mut ValidationReport, exchange: Exchange) -> Result<(), Rejection> {
    match exchange {
        Exchange::NotChecked => {
            for id in ["replay", "request"] {
                ladder.note(id, State::NotChecked, Some("not looked up here".to_owned()));
            }
            Ok(())
        }
        Exchange::Ended(Ok(())) => {
            ladder.note("replay", State::Passed, None);
            ladder.note("request", State::Passed, Some("limit 60 s".to_owned()));
            Ok(())
        }
        Exchange::Ended(Err(refused)) => {
            let at = if refused.cause == Cause::Replayed { "replay" } else { "request" };
            if at == "request" {
                ladder.note("replay", State::Passed, None);
            }
            ladder.fail(at, &refused);
            Err(refused)
        }
    }
}

#[derive(Default)]
struct After {
    refused: Option<Rejection>,
    person: Option<Who>,
    roles: Option<RoleEffect>,
}

fn after_of(
    rows: &store::Transaction<'_>,
    settings: &Settings,
    verified: &VerifiedResponse,
    found: Result<provision::ProvisionPlan, SamlError>,
    ladder: &mut ValidationReport,
) -> Result<After, StoreError> {
    let found = match found {
        Ok(found) => found,
        Err(SamlError::Store(error)) => return Err(error),
        Err(SamlError::Refused(refused)) => {
            let at = if refused.cause == Cause::NoTenantForDomain { "placement" } else { "account" };
            if at == "placement" {
                ladder.note("account", State::Passed, None);
            }
            ladder.fail(at, &refused);
            return Ok(After { refused: Some(*refused), ..After::default() });
        }
    };
    let effect = found.role_effect(rows, settings, verified)?;
    let status = found.user.as_ref().map_or("new", |user| user.status.as_str());
    ladder.note("account", State::Passed, Some(status.to_owned()));
    ladder.note("placement", State::Passed, Some(found.tenant_name.clone()));
    let given = effect.after.iter().cloned().collect::<Vec<_>>().join(", ");
    ladder.note("roles", State::Passed, Some(if given.is_empty() { "none".to_owned() } else { given }));
    let note = match found.by {
        FoundBy::SamlAccount => "The SAML account is linked to this user.".to_owned(),
        FoundBy::Email => {
            "An existing user has this e-mail. The SAML account would be linked to it.".to_owned()
        }
        FoundBy::New => format!("Nobody has this e-mail. A user would be created in {}.", found.tenant_name),
    };
    let person = Who {
        found_by: found.by,
        email: found
            .user
            .as_ref()
            .map_or_else(|| verified.attributes.email.value.clone(), |user| user.email.clone()),
        name: verified.attributes.name.value.clone(),
        status: status.to_owned(),
        tenant: found.tenant_name,
        note,
    };
    Ok(After { refused: None, person: Some(person), roles: Some(effect) })
}
