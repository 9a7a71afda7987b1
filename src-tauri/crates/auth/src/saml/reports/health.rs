//! The health report of single sign-on (contract, "Health report").
//!
//! Computed for each request; contains no secrets.

use crate::saml::certificate::{Certificate, CertificateState};
use crate::saml::settings::Settings;
use crate::saml::time;
use schemars::JsonSchema;
use serde::Serialize;

/// The health report of single sign-on. All certificate fields are null if no certificate is configured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SamlHealth")]
pub struct Health {
    pub enabled: bool,
    #[schemars(extend("enum" = ["healthy", "warning", "error"]))]
    pub status: &'static str,
    pub certificate: CertificateHealth,
    pub config: Config,
    pub messages: Vec<String>,
}

/// The certificate that expires last. With two certificates, sign-in works while either of them is valid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CertificateHealth {
    pub expired: Option<bool>,
    pub expiring_soon: Option<bool>,
    pub expires_at: Option<String>,
    pub days_until_expiry: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SamlHealthConfig")]
#[serde(rename_all = "camelCase")]
pub struct Config {
    /// Sign-in URL of the identity provider, without the query string.
    pub entry_point: Option<String>,
    pub issuer: Option<String>,
    pub callback_url: String,
}

/// The report at time `now`.
pub fn report(settings: &Settings, now: i64) -> Health {
    let certificates = settings.certificates().unwrap_or_default();
    let last = certificates.iter().max_by_key(|one| one.not_after);
    let enabled = settings.is_enabled();
    let (mut messages, mut status) = (Vec::new(), "healthy");
    if enabled {
        let missing = settings.missing();
        if !missing.is_empty() {
            messages.push(format!("SAML not configured: {} missing", missing.join(", ")));
            status = "error";
        }
        for problem in settings.problems() {
            let is_fatal = crate::saml::settings::FOUR.contains(&problem.setting)
                || problem.setting == crate::saml::settings::URL;
            status = if is_fatal { "error" } else { worse(status, "warning") };
            messages.push(format!("{}: {}", problem.setting, problem.message));
        }
    } else {
        messages.push("SAML_ENABLED is not true: nobody signs in through the identity provider".to_owned());
    }
    if let Some((said, words)) = last.and_then(|last| of_certificate(last, now)) {
        status = worse(status, said);
        messages.push(words);
    }
    Health {
        enabled,
        status,
        certificate: CertificateHealth {
            expired: last.map(|one| one.is_expired(now)),
            expiring_soon: last.map(|one| one.standing(now) == CertificateState::Warning),
            expires_at: last.map(|one| time::text(one.not_after)),
            days_until_expiry: last.map(|one| one.days_left(now)),
        },
        config: Config {
            entry_point: settings.value(crate::saml::settings::ENTRY_POINT).map(without_query),
            issuer: settings.value(crate::saml::settings::ISSUER).map(str::to_owned),
            callback_url: settings.acs_url(),
        },
        messages,
    }
}

fn of_certificate(certificate: &Certificate, now: i64) -> Option<(&'static str, String)> {
    let days = certificate.days_left(now);
    match certificate.standing(now) {
        CertificateState::Healthy => None,
        CertificateState::Warning if days == 0 => Some(("warning", "Certificate expires today".to_owned())),
        CertificateState::Warning if days == 1 => {
            Some(("warning", "Certificate expires in 1 day".to_owned()))
        }
        CertificateState::Warning => Some(("warning", format!("Certificate expires in {days} days"))),
        CertificateState::Error => Some((
            "error",
            format!("Certificate expired on {}: SAML sign-in fails", time::text(certificate.not_after)),
        )),
        CertificateState::NotYetValid => {
            Some(("error", format!("Certificate is not valid before {}", time::text(certificate.not_before))))
        }
    }
}

fn worse(one: &'static str, two: &'static str) -> &'static str {
    let rank = |status| ["healthy", "warning", "error"].iter().position(|known| *known == status);
    if rank(one) >= rank(two) { one } else { two }
}

fn without_query(url: &str) -> String {
    match url.split_once('?') {
        Some((address, _)) => format!("{address}?…"),
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saml::kit;
    use crate::saml::settings::{self, SettingValues};

    const DAY: i64 = 86_400_000_000;

    fn at(days_left: i64) -> Health {
        let idp = kit::Idp::new("a", kit::NOW - 100 * DAY, kit::NOW + days_left * DAY);
        report(&kit::settings(&idp.pem()), kit::NOW)
    }

    #[test]
    fn the_state_follows_the_time_left() {
        for (days, status, expired, soon) in [
            (31, "healthy", false, false),
            (30, "warning", false, true),
            (0, "warning", false, true),
            (-1, "error", true, false),
        ] {
            let health = at(days);
            let found = (health.status, health.certificate.expired, health.certificate.expiring_soon);
            assert_eq!(found, (status, Some(expired), Some(soon)), "{days}");
            assert_eq!(health.certificate.days_until_expiry, Some(days));
            assert_eq!(health.messages.is_empty(), status == "healthy", "{:?}", health.messages);
        }
    }

    #[test]
    fn the_report_has_the_fields_of_the_contract() {
        let json = serde_json::to_value(at(23)).unwrap();
        assert_eq!(json["certificate"]["daysUntilExpiry"], 23);
        assert_eq!(json["certificate"]["expiringSoon"], true);
        assert_eq!(json["config"]["callbackUrl"], kit::ACS);
        assert_eq!(json["config"]["entryPoint"], "https://sso.example.com/saml2/idp/sso");
        assert_eq!(json["messages"][0], "Certificate expires in 23 days");
    }

    #[test]
    fn what_is_missing_is_an_error_once_it_is_enabled() {
        let given = |enabled: &str| {
            let given = SettingValues::from([(settings::ENABLED.to_owned(), enabled.to_owned())]);
            report(&Settings::layer(&given, &SettingValues::new(), "http://127.0.0.1:1"), kit::NOW)
        };
        let on = given("true");
        assert_eq!((on.enabled, on.status), (true, "error"));
        assert!(
            on.messages[0].starts_with("SAML not configured: SAML_ENTRY_POINT, SAML_ISSUER"),
            "{:?}",
            on.messages
        );
        assert_eq!((given("false").enabled, given("yes").enabled), (false, false));
    }
}
