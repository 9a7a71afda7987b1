//! Warnings about settings that are valid.

use crate::app::App;
use auth::saml::certificate::CertificateState;
use auth::saml::{Settings, settings, time};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SettingWarning")]
pub(super) struct Warning {
    code: &'static str,
    text: String,
    setting: Option<&'static str>,
}

/// Warnings about settings that are valid: certificates that expire soon, for example.
pub(super) fn warnings(app: &App, settings: &Settings, now: i64) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let certificates = settings.certificates().unwrap_or_default();
    for one in &certificates {
        let days = one.days_left(now);
        let text = match one.standing(now) {
            CertificateState::Healthy => continue,
            CertificateState::Warning => {
                format!("{} expires in {days} days, on {}", one.subject, time::text(one.not_after))
            }
            CertificateState::Error => format!("{} expired on {}", one.subject, time::text(one.not_after)),
            CertificateState::NotYetValid => {
                format!("{} is not valid before {}", one.subject, time::text(one.not_before))
            }
        };
        warnings.push(Warning { code: "certificate", text, setting: Some(settings::CERT) });
    }
    if let Ok(mapping) = settings.mapping() {
        for (at, row) in mapping.rows.iter().enumerate() {
            let near =
                |other: &&auth::saml::mapping::Row| other.group.to_lowercase() == row.group.to_lowercase();
            if let Some(earlier) = mapping.rows[..at].iter().find(near) {
                let text =
                    format!("Rows “{}” and “{}” differ in capital letters only", earlier.group, row.group);
                warnings.push(Warning { code: "near_miss", text, setting: Some(settings::GROUP_MAPPING) });
            }
        }
    }
    let is_plain = settings.base_url().starts_with("http://");
    let is_local = ["http://127.0.0.1", "http://localhost", "http://[::1]"]
        .iter()
        .any(|own| settings.base_url().starts_with(own));
    if is_plain && !is_local {
        let text = "Answers of the provider, and then cookies, travel unencrypted: use an address with https"
            .to_owned();
        warnings.push(Warning { code: "plain_http", text, setting: Some(settings::URL) });
    }
    let host = url::Url::parse(&settings.base_url()).ok();
    let host = host.as_ref().and_then(|url| Some((url.host_str()?.to_owned(), url.port())));
    if let Some((host, port)) = host {
        let named = port.map_or_else(|| host.clone(), |port| format!("{host}:{port}"));
        if !app.access.hosts.answer_to(&named) {
            let text = format!(
                "This service does not answer for {named}: add it to the setting `hosts` (QUARTERDECK_HOSTS)"
            );
            warnings.push(Warning { code: "unknown_host", text, setting: Some(settings::URL) });
        }
    }
    warnings
}
