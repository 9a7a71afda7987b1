//! What a provider hands out, read and shown before it fills the form: its metadata, its certificates.

use super::fetch::Fetching;
use super::no_store;
use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::PlatformAdmin;
use crate::routes::{Sent, parse_body};
use auth::saml::certificate::{self, Details};
use auth::saml::settings;
use auth::saml::{idp_metadata, time};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

const NOT_ENCRYPTED: &str =
    "It came without encryption: compare the certificate's fingerprint with the one the provider shows";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MetadataSent {
    xml: Option<String>,
    url: Option<String>,
    /// That an address without encryption will do.
    #[serde(default)]
    confirm: bool,
}

/// POST: what metadata of a provider says, handed in or fetched from its address, before it fills the form.
pub async fn read_metadata(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let sent: MetadataSent = parse_body(&body, "an object with the text `xml` or the address `url`")?;
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
        // Never off by itself: somebody may have switched it on for what metadata does not say.
        if read.wants_signed_requests {
            values.push((settings::SIGN_REQUESTS, "true".to_owned()));
        }
        let changes: Vec<Value> = values
            .iter()
            .filter(|(name, value)| current.value(name) != Some(value))
            .map(|(name, value)| json!({ "setting": name, "before": current.value(name), "after": value }))
            .collect();
        Ok::<_, Failure>(json!({
            "entity_id": read.entity_id,
            "entry_point": read.entry_point,
            "bindings": read.bindings,
            "certificates": read.certificates.iter().map(|one| one.details(now)).collect::<Vec<_>>(),
            "name_id_formats": read.name_id_formats,
            "valid_until": read.valid_until.map(time::text),
            "warnings": read.warnings,
            "values": values.into_iter().collect::<BTreeMap<_, _>>(),
            "changes": changes,
        }))
    })
    .await?;
    Ok(no_store(preview))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CertificateSent {
    text: String,
}

/// POST: what certificates say of themselves.
pub async fn read_certificate(_: PlatformAdmin, Sent(body): Sent) -> Result<Response, Failure> {
    let sent: CertificateSent = parse_body(&body, "an object with the text `text`")?;
    let read = certificate::parse_all(&sent.text)
        .map_err(|error| Failure::new(StatusCode::BAD_REQUEST, "bad_certificate", error.to_string()))?;
    let now = clock::now();
    let normalized: String = read.iter().map(certificate::Certificate::pem).collect();
    let details: Vec<Details> = read.iter().map(|one| one.details(now)).collect();
    Ok(no_store(json!({ "certificates": details, "normalized": normalized })))
}
