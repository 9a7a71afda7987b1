//! Parses a provider's metadata and certificates, to be reviewed before they fill the form.

use super::fetch::Fetching;
use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::PlatformAdmin;
use crate::rest::{Alphabetical, JsonBody, NoStore};
use auth::saml::certificate::{self, Details};
use auth::saml::settings;
use auth::saml::{idp_metadata, time};
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

const NOT_ENCRYPTED: &str =
    "It came without encryption: compare the certificate's fingerprint with the one the provider shows";

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "MetadataSource")]
#[serde(deny_unknown_fields)]
pub struct MetadataSent {
    xml: Option<String>,
    url: Option<String>,
    /// Whether to accept an unencrypted address.
    #[serde(default)]
    confirm: bool,
}

/// The content of an identity provider's metadata.
#[derive(Serialize, JsonSchema)]
pub struct MetadataPreview {
    entity_id: String,
    entry_point: String,
    bindings: Vec<String>,
    certificates: Vec<Details>,
    name_id_formats: Vec<String>,
    valid_until: Option<String>,
    warnings: Vec<String>,
    /// Proposed values by setting name.
    values: BTreeMap<&'static str, String>,
    /// The changes to settings if the values are applied.
    changes: Vec<SettingChange>,
}

/// The value of a setting before and after.
#[derive(Serialize, JsonSchema)]
struct SettingChange {
    setting: &'static str,
    before: Option<String>,
    after: String,
}

/// POST: the content of a provider's metadata, given as XML or by its URL, to be reviewed before it fills the form.
pub async fn read_metadata(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    body: JsonBody<MetadataSent>,
) -> Result<NoStore<Alphabetical<MetadataPreview>>, Failure> {
    let sent = body.read("an object with the text `xml` or the address `url`")?;
    let (xml, is_private) = match (sent.xml, sent.url) {
        (Some(xml), None) => (xml, true),
        (None, Some(url)) => {
            let fetching = Fetching::new(&app.sign_on.to_metadata, sent.confirm);
            let fetched = fetching.fetch(&url).await?;
            (fetched.text, fetched.is_private)
        }
        _ => return Err(Failure::bad_request("Expected either `xml` or `url`")),
    };
    let preview = blocking(move || {
        let now = clock::now();
        let mut read = idp_metadata::parse(&xml, now)
            .map_err(|error| Failure::new(StatusCode::BAD_REQUEST, "bad_metadata", error.to_string()))?;
        if !is_private {
            read.warnings.push(NOT_ENCRYPTED.to_owned());
        }
        let current = app.saml()?;
        let pem: String = read.certificates.iter().map(certificate::Certificate::pem).collect();
        let mut values = vec![
            (settings::ENTRY_POINT, read.entry_point.clone()),
            (settings::ISSUER, read.entity_id.clone()),
            (settings::CERT, pem),
        ];
        // Never switched off automatically: an administrator may have switched it on for a reason that metadata does not state.
        if read.wants_signed_requests {
            values.push((settings::SIGN_REQUESTS, "true".to_owned()));
        }
        let changes = values
            .iter()
            .filter(|(name, value)| current.value(name) != Some(value))
            .map(|(name, value)| SettingChange {
                setting: name,
                before: current.value(name).map(str::to_owned),
                after: value.clone(),
            })
            .collect();
        Ok::<_, Failure>(MetadataPreview {
            entity_id: read.entity_id,
            entry_point: read.entry_point,
            bindings: read.bindings,
            certificates: read.certificates.iter().map(|one| one.details(now)).collect(),
            name_id_formats: read.name_id_formats,
            valid_until: read.valid_until.map(time::text),
            warnings: read.warnings,
            changes,
            values: values.into_iter().collect(),
        })
    })
    .await?;
    Ok(NoStore(Alphabetical(preview)))
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "CertificateText")]
#[serde(deny_unknown_fields)]
pub struct CertificateSent {
    text: String,
}

/// Details of the given certificates.
#[derive(Serialize, JsonSchema)]
pub struct CertificatesRead {
    certificates: Vec<Details>,
    /// The certificates in PEM format.
    normalized: String,
}

/// POST: the details of certificates.
pub async fn read_certificate(
    _: PlatformAdmin,
    body: JsonBody<CertificateSent>,
) -> Result<NoStore<Alphabetical<CertificatesRead>>, Failure> {
    let sent = body.read("an object with the text `text`")?;
    let read = certificate::parse_all(&sent.text)
        .map_err(|error| Failure::new(StatusCode::BAD_REQUEST, "bad_certificate", error.to_string()))?;
    let now = clock::now();
    let normalized: String = read.iter().map(certificate::Certificate::pem).collect();
    let certificates = read.iter().map(|one| one.details(now)).collect();
    Ok(NoStore(Alphabetical(CertificatesRead { certificates, normalized })))
}
