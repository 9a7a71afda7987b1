//! Tests of every setting: present, absent and malformed; and the order of precedence.

use crate::saml::kit::{self, Idp};
use crate::saml::settings::{ALL, Draft, FOUR, SettingValues, Source};
use crate::saml::{Settings, lock_out};

fn given(values: &[(&str, &str)]) -> SettingValues {
    values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn good() -> (Idp, Settings) {
    let idp = super::good_idp();
    let settings = kit::settings(&idp.pem());
    (idp, settings)
}

/// The settings with another value, or with the value unset at every level.
fn changed(settings: &Settings, name: &str, value: Option<&str>) -> Settings {
    settings.with(&Draft::from([(name.to_owned(), Some(value.unwrap_or_default().to_owned()))]))
}

#[test]
fn a_saved_value_beats_the_environment_beats_the_default() {
    let environment = given(&[("SAML_ISSUER", "from the environment"), ("SAML_REMOVE_OLD_ROLES", "")]);
    let saved = given(&[("SAML_ISSUER", "saved")]);
    let of = |settings: &Settings, name: &str| {
        let entry = settings.entry(name).unwrap();
        (entry.value.clone(), entry.source, entry.environment.clone())
    };
    let both = Settings::layer(&environment, &saved, "http://127.0.0.1:1");
    assert_eq!(
        of(&both, "SAML_ISSUER"),
        (Some("saved".into()), Source::Saved, Some("from the environment".into()))
    );
    let one = Settings::layer(&environment, &SettingValues::new(), "http://127.0.0.1:1");
    assert_eq!(of(&one, "SAML_ISSUER").1, Source::Environment);
    assert_eq!(of(&one, "SAML_REMOVE_OLD_ROLES"), (Some("true".into()), Source::Default, None));
    let draft = both.with(&Draft::from([("SAML_ISSUER".to_owned(), None)]));
    assert_eq!(of(&draft, "SAML_ISSUER").0.as_deref(), Some("from the environment"));
    let emptied = Settings::layer(&environment, &given(&[("SAML_ISSUER", "")]), "http://127.0.0.1:1");
    assert_eq!(of(&emptied, "SAML_ISSUER"), (None, Source::Saved, Some("from the environment".into())));
}

#[test]
fn without_one_of_the_four_saml_is_not_configured() {
    let (_, settings) = good();
    assert!(settings.verifier().is_ok());
    for name in FOUR {
        let without = changed(&settings, name, None);
        assert_eq!(without.missing(), [name]);
        let problems = without.verifier().unwrap_err();
        assert_eq!((problems[0].setting, problems[0].message.as_str()), (name, "is missing"));
        let refused = crate::saml::check::examine("x", &without, kit::NOW).outcome.unwrap_err();
        assert_eq!(refused.cause.message(), "SAML not configured");
    }
}

#[test]
fn the_service_url_is_the_address_it_listens_on_unless_it_is_set() {
    let (_, settings) = good();
    assert_eq!(changed(&settings, "APPAUTH_URL", None).acs_url(), "http://127.0.0.1:8790/api/auth/saml/acs");
    assert_eq!(
        changed(&settings, "APPAUTH_URL", Some("https://a.example/")).acs_url(),
        "https://a.example/api/auth/saml/acs"
    );
    let below = changed(&settings, "APPAUTH_URL", Some("https://a.example/deck"));
    assert_eq!(below.sign_on_url(), "https://a.example/deck/api/auth/saml/login");
}

#[test]
fn only_true_switches_on_and_a_malformed_switch_stands_as_by_default() {
    let (_, settings) = good();
    for (value, enabled) in [
        ("true", true),
        ("TRUE", true),
        (" true ", true),
        ("false", false),
        ("1", false),
        ("yes", false),
        ("", false),
    ] {
        assert_eq!(changed(&settings, "SAML_ENABLED", Some(value)).is_enabled(), enabled, "{value}");
    }
    assert!(!changed(&settings, "SAML_ENABLED", None).is_enabled());
    for (value, on) in [(Some("true"), true), (Some("false"), false), (None, true), (Some("maybe"), true)] {
        assert_eq!(changed(&settings, "SAML_SYNC_ROLES_ON_LOGIN", value).syncs_roles(), on);
        assert_eq!(changed(&settings, "SAML_REMOVE_OLD_ROLES", value).removes_roles(), on);
        let unmapped =
            changed(&settings, "SAML_INCLUDE_UNMAPPED_GROUPS", value).mapping().unwrap().include_unmapped;
        assert_eq!(unmapped, value == Some("true"));
    }
}

#[test]
fn every_malformed_value_is_told_with_what_is_expected() {
    let (_, settings) = good();
    assert_eq!(settings.problems(), []);
    for (name, value, words) in [
        ("SAML_ENABLED", "yes", "expected true or false"),
        ("SAML_SYNC_ROLES_ON_LOGIN", "1", "expected true or false"),
        ("SAML_REMOVE_OLD_ROLES", "no", "expected true or false"),
        ("SAML_INCLUDE_UNMAPPED_GROUPS", "on", "expected true or false"),
        ("SAML_ENTRY_POINT", "sso.example.com", "expected an address like"),
        ("SAML_ENTRY_POINT", "ftp://sso.example.com", "expected an address like"),
        ("SAML_ENTRY_POINT", "javascript:alert(1)", "expected an address like"),
        ("SAML_ENTRY_POINT", "https://user:word@sso.example.com/", "leave them out"),
        ("APPAUTH_URL", "https://a.example/?b", "leave out what follows"),
        ("APPAUTH_URL", "a.example", "expected an address like"),
        ("SAML_ISSUER", "a\nb", "control characters"),
        ("SAML_AUDIENCE", "a\u{0}b", "control characters"),
        ("SAML_CERT", "hello", "expected an X.509 certificate"),
        ("SAML_GROUP_MAPPING", "{", "expected a JSON object"),
        ("SAML_GROUP_MAPPING", r#"{"a": "boss"}"#, "not a role of a tenant"),
        ("AUTH_DEFAULT_ROLE", "super_admin", "not a role of a tenant"),
    ] {
        let problems = changed(&settings, name, Some(value)).problems();
        assert_eq!(problems.len(), 1, "{name}={value}: {problems:?}");
        assert!(problems[0].setting == name && problems[0].message.contains(words), "{problems:?}");
    }
    let named: Vec<&str> = ALL.iter().map(|definition| definition.name).collect();
    assert_eq!(named.len(), 12);
}

#[test]
fn a_mapping_that_cannot_be_read_leaves_roles_alone() {
    let (_, settings) = good();
    let broken = changed(&settings, "SAML_GROUP_MAPPING", Some("{"));
    let groups =
        crate::saml::attributes::Groups { values: vec!["a".into()], from: vec!["groups".into()], note: None };
    let held = std::collections::BTreeSet::from(["tenant_admin".to_owned()]);
    let effect = crate::saml::roles::effect(&broken, &groups, &held, false);
    assert_eq!((effect.after, effect.synced), (held, false));
}

#[test]
fn saving_asks_only_where_people_would_be_locked_out() {
    let folder = tempfile::tempdir().unwrap();
    let store = store::Store::open(&folder.path().join("a.db"), testkit::product::catalogue()).unwrap();
    let (_, on) = good();
    let off = changed(&on, "SAML_ENABLED", Some("false"));
    let with_password = crate::password::Local { is_set: true, is_enabled: true };
    let without = crate::password::Local { is_set: true, is_enabled: false };
    let codes = |before: &Settings, after: &Settings, local| {
        store
            .snapshot(&catalogue::Caller::system(), |rows| {
                lock_out::reasons(rows, before, after, local, kit::NOW)
            })
            .unwrap()
            .into_iter()
            .map(|reason| reason.code)
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(&off, &on, with_password), Vec::<&str>::new());
    assert_eq!(codes(&off, &on, without), ["untested"]);
    assert_eq!(codes(&on, &off, with_password), ["sso_off"]);
    assert_eq!(codes(&on, &off, without), ["sso_off", "no_way_in"]);
    assert_eq!(codes(&on, &on, without), Vec::<&str>::new());
    let readers = changed(&on, "SAML_GROUP_MAPPING", Some(r#"{"viewers": "tenant_admin_readonly"}"#));
    assert_eq!(codes(&on, &readers, with_password), ["no_admin"]);
    let expired = Idp::new("a", kit::NOW - 2_000_000, kit::NOW - 1_000_000).pem();
    assert_eq!(
        codes(&on, &changed(&on, "SAML_CERT", Some(&expired)), with_password),
        ["certificate", "untested"]
    );
}
