//! Tests without a provider: checks a given SAML response, and previews roles for given groups.

use super::in_snapshot;
use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::PlatformAdmin;
use crate::rest::{JsonBody, NoStore};
use auth::saml::attributes::Groups;
use auth::saml::report::{self, Exchange, Report};
use auth::saml::roles::{self, RoleEffect};
use auth::saml::settings::Draft;
use auth::saml::{check, time};
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "RolesPreviewRequest")]
#[serde(deny_unknown_fields)]
pub struct Preview {
    #[serde(default)]
    values: Draft,
    groups: Vec<String>,
    email: Option<String>,
}

/// POST: the roles that the settings and the mapping would assign to these groups.
pub async fn preview_roles(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    body: JsonBody<Preview>,
) -> Result<NoStore<RoleEffect>, Failure> {
    let preview = body.read("an object with the list `groups`")?;
    let home = app.access.home;
    let effect = blocking(move || {
        in_snapshot(&app, |rows, current| {
            let settings = current.with(&preview.values);
            let groups = Groups { values: preview.groups, from: vec!["groups".to_owned()], note: None };
            Ok(roles::preview(rows, &settings, &groups, preview.email.as_deref(), home)?)
        })
    })
    .await?;
    Ok(NoStore(effect))
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "LabRequest")]
#[serde(deny_unknown_fields)]
pub struct Specimen {
    response: String,
    #[serde(default)]
    values: Draft,
    at: Option<String>,
}

/// POST: runs every check on a given SAML response. Changes nothing.
pub async fn examine(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    body: JsonBody<Specimen>,
) -> Result<Json<Report>, Failure> {
    let specimen = body.read("an object with the text `response`")?;
    let now = match specimen.at.as_deref() {
        None => clock::now(),
        Some(at) => time::parse(at).ok_or_else(|| {
            Failure::bad_request(format!("`at` is {at:?}: expected a time like 2026-11-20T06:38:00Z"))
        })?,
    };
    let report = blocking(move || {
        let settings = app.saml()?.with(&specimen.values);
        let examined = check::examine(&as_posted(&specimen.response), &settings, now);
        report::build(&app.store, &settings, &app.sign_on.deployment, examined, Exchange::NotChecked)
    })
    .await?;
    Ok(Json(report))
}

/// The text in the form of a posted field. Users copy the XML, the field, or the field as a browser's developer tools show it.
fn as_posted(text: &str) -> String {
    let text = text.trim();
    if text.starts_with('<') {
        return auth::saml::document::encode(text);
    }
    let field = text.strip_prefix("SAMLResponse=").unwrap_or(text);
    let field = field.split('&').next().unwrap_or(field);
    if field.contains('%') {
        let pair = format!("a={field}");
        return url::form_urlencoded::parse(pair.as_bytes()).map(|(_, value)| value.into_owned()).collect();
    }
    field.to_owned()
}
