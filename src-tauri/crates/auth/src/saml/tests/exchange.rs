//! Tests from a verified response to a signed-in user: requests used once; users found, linked, created or refused; roles following groups.

use crate::saml::exchange::{SignInOptions, accept, begin, finish};
use crate::saml::kit::{self, Answer, Idp, NOW};
use crate::saml::provision::Deployment;
use crate::saml::settings::{Draft, REMOVE, SYNC};
use crate::saml::{Cause, SamlError, Settings, check};
use crate::tenancy::{self, LOCAL_ADMINISTRATOR};
use crate::tests::Counting;
use crate::{Person, Tenant, fingerprint, user};
use base64::Engine;
use catalogue::{Caller, Role, ValueRef};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use store::{Store, eq};

const SECOND: i64 = 1_000_000;

struct House {
    store: Store,
    tenant: Tenant,
    idp: Idp,
    settings: Settings,
    deployment: Deployment,
    rng: Counting,
    _folder: tempfile::TempDir,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("test.db"), testkit::product::catalogue()).unwrap();
        let mut rng = Counting(0);
        let tenant = tenancy::ensure(&store, None, NOW, &mut rng).unwrap();
        let idp = super::good_idp();
        let settings = kit::settings(&idp.pem());
        let deployment = Deployment::SelfHosted { tenant: None };
        let house = Self { store, tenant, idp, settings, deployment, rng, _folder: folder };
        house.with(&[(
            "SAML_GROUP_MAPPING",
            r#"{"developers": "tenant_admin", "viewers": "tenant_admin_readonly"}"#,
        )])
    }

    fn with(mut self, values: &[(&str, &str)]) -> Self {
        let draft: Draft =
            values.iter().map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned()))).collect();
        self.settings = self.settings.with(&draft);
        self
    }

    fn begin(&mut self) -> String {
        let verifier = self.settings.verifier().unwrap();
        let wish = SignInOptions { browser: "browser", return_to: "/costs", test: None };
        begin(&self.store, &verifier, None, wish, NOW - SECOND, &mut self.rng).unwrap().id
    }

    /// The response to a new request, for a person in those groups.
    fn answer(&mut self, email: &str, groups: &[&str]) -> check::VerifiedResponse {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let id = format!("_assertion{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let request = self.begin();
        self.examine(&Answer::to(&request, &id, email, groups))
    }

    fn examine(&self, answer: &Answer) -> check::VerifiedResponse {
        check::examine(&kit::pack(&answer.signed(&self.idp)), &self.settings, NOW).outcome.unwrap()
    }

    fn accept(&mut self, verified: &check::VerifiedResponse, now: i64) -> Result<String, Cause> {
        let accepted = accept(&self.store, &self.settings, &self.deployment, verified, now, &mut self.rng);
        accepted.map_err(cause)
    }

    fn sign_in(&mut self, email: &str, groups: &[&str]) -> Result<Person, Cause> {
        let verified = self.answer(email, groups);
        let code = self.accept(&verified, NOW)?;
        let finished = finish(&self.store, &code, Some("browser"), NOW).map_err(cause)?;
        assert_eq!(finished.return_to, "/costs");
        Ok(finished.person)
    }

    fn roles_after(&mut self, email: &str, groups: &[&str]) -> Vec<Role> {
        self.sign_in(email, groups).unwrap().roles
    }

    fn update(&self, table: &str, column: &str, value: &str, set: &[(&str, ValueRef<'_>)]) {
        let changed = self
            .store
            .transaction(&Caller::system(), |rows| rows.update(table, &[eq(column, value)], set))
            .unwrap();
        assert!(changed > 0);
    }

    fn attribute(&mut self, tenant: &Tenant, name: &str, value: &str) {
        let id = uuid::Uuid::from_u128(u128::from(rand::RngCore::next_u64(&mut self.rng)));
        self.store
            .transaction(&Caller::system(), |rows| {
                rows.insert(
                    "tenant_attrs",
                    &[
                        ("id", id.into()),
                        ("tenant_id", tenant.id.into()),
                        ("name", name.into()),
                        ("value", value.into()),
                    ],
                )
            })
            .unwrap();
    }

    fn count(&self, table: &str) -> u64 {
        self.store.snapshot(&Caller::system(), |rows| rows.count(table, &[])).unwrap()
    }
}

fn cause(error: SamlError) -> Cause {
    match error {
        SamlError::Refused(refused) => refused.cause,
        SamlError::Store(error) => panic!("{error}"),
    }
}

#[test]
fn the_first_sign_in_creates_the_user_and_the_second_finds_it() {
    let mut house = House::new();
    let users = house.count("users");
    let first = house.sign_in("mei@example.com", &["developers"]).unwrap();
    assert_eq!((first.name.as_str(), first.tenant), ("Mei Example", house.tenant.id));
    assert_eq!(first.roles, [Role::TenantAdmin]);
    let second = house.sign_in("mei@example.com", &["developers"]).unwrap();
    assert_eq!(second.user, first.user);
    assert_eq!(house.count("users"), users + 1);
}

#[test]
fn a_user_with_the_same_address_is_linked_and_found_by_the_account_from_then_on() {
    let mut house = House::new();
    let known = user::add(
        &house.store,
        &house.tenant,
        "mei@example.com",
        None,
        Role::TenantAdminReadonly,
        NOW,
        &mut house.rng,
    )
    .unwrap();
    let linked = house.sign_in("Mei@Example.com", &["developers"]).unwrap();
    assert_eq!(linked.user, known.user.id);
    // The e-mail address in the provider's attribute changes, the account stays.
    let request = house.begin();
    let answer = Answer::to(&request, "_renamed", "Mei@Example.com", &["developers"])
        .with(">Mei@Example.com</saml:AttributeValue>", ">mei.new@example.com</saml:AttributeValue>");
    let verified = house.examine(&answer);
    let code = house.accept(&verified, NOW).unwrap();
    let person = finish(&house.store, &code, Some("browser"), NOW).unwrap().person;
    assert_eq!((person.user, person.email.as_str()), (known.user.id, "mei@example.com"));
}

#[test]
fn linked_accounts_are_told_with_their_provider_and_when_they_were_used() {
    let mut house = House::new();
    let first = house.sign_in("mei@example.com", &["developers"]).unwrap();
    house.sign_in("ben@example.com", &["viewers"]).unwrap();
    let linked = crate::saml::linked::accounts(&house.store, house.tenant.id).unwrap();
    let accounts: Vec<&str> = linked.iter().map(|one| one.account.as_str()).collect();
    assert_eq!(accounts, ["ben@example.com", "mei@example.com"]);
    assert_eq!((&linked[1].user, linked[1].issuer.as_str()), (&first.user.to_string(), kit::ISSUER));
    assert_eq!(linked[1].used_at.as_deref(), Some(crate::saml::time::text(NOW).as_str()));
    assert_eq!(crate::saml::linked::accounts(&house.store, uuid::Uuid::from_u128(7)).unwrap(), []);
}

#[test]
fn who_is_suspended_is_refused_and_who_is_inactive_becomes_active() {
    let mut house = House::new();
    house.sign_in("mei@example.com", &["developers"]).unwrap();
    house.update("users", "username", "mei@example.com", &[("status", "suspended".into())]);
    assert_eq!(house.sign_in("mei@example.com", &["developers"]).unwrap_err(), Cause::Suspended);
    house.update("users", "username", "mei@example.com", &[("status", "inactive".into())]);
    assert!(house.sign_in("mei@example.com", &["developers"]).is_ok());
}

#[test]
fn nobody_becomes_the_local_administrator_through_a_provider() {
    let mut house = House::new();
    assert_eq!(house.sign_in(LOCAL_ADMINISTRATOR, &["developers"]).unwrap_err(), Cause::LocalAccount);
}

#[test]
fn an_assertion_and_a_request_are_used_once() {
    let mut house = House::new();
    let verified = house.answer("mei@example.com", &["developers"]);
    assert!(house.accept(&verified, NOW).is_ok());
    assert_eq!(house.accept(&verified, NOW).unwrap_err(), Cause::Replayed);
    let other = check::VerifiedResponse { assertion_id: "_other".to_owned(), ..verified };
    assert_eq!(house.accept(&other, NOW).unwrap_err(), Cause::RequestUnknown);
    let foreign =
        check::VerifiedResponse { assertion_id: "_third".to_owned(), request: "_never".to_owned(), ..other };
    assert_eq!(house.accept(&foreign, NOW).unwrap_err(), Cause::RequestUnknown);
}

#[test]
fn of_eight_who_bring_one_answer_at_once_one_gets_in() {
    let mut house = House::new();
    let verified = house.answer("mei@example.com", &["developers"]);
    let attempts: Vec<_> = (0..8_u64)
        .map(|n| {
            let (store, settings, deployment, verified) =
                (house.store.clone(), house.settings.clone(), house.deployment.clone(), verified.clone());
            std::thread::spawn(move || {
                accept(&store, &settings, &deployment, &verified, NOW, &mut Counting(1000 * (n + 1))).is_ok()
            })
        })
        .collect();
    let let_in =
        attempts.into_iter().filter_map(|attempt| attempt.join().ok()).filter(|is_in| *is_in).count();
    assert_eq!(let_in, 1);
}

#[test]
fn a_request_and_an_outcome_live_for_a_minute() {
    let mut house = House::new();
    let verified = house.answer("mei@example.com", &["developers"]);
    // The request was started one second before NOW.
    assert_eq!(house.accept(&verified, NOW + 59 * SECOND).unwrap_err(), Cause::SessionDataExpired);
    let verified = house.answer("mei@example.com", &["developers"]);
    let code = house.accept(&verified, NOW + 58 * SECOND).unwrap();
    let late = finish(&house.store, &code, Some("browser"), NOW + 118 * SECOND).map_err(cause).unwrap_err();
    assert_eq!(late, Cause::SessionDataExpired);
    assert_eq!(late.message(), "Invalid session data");
}

#[test]
fn only_the_browser_that_began_gets_in_and_a_code_works_once() {
    let mut house = House::new();
    for browser in [None, Some("another")] {
        let verified = house.answer("mei@example.com", &["developers"]);
        let code = house.accept(&verified, NOW).unwrap();
        assert_eq!(
            finish(&house.store, &code, browser, NOW).map_err(cause).unwrap_err(),
            Cause::OtherBrowser
        );
        assert_eq!(
            finish(&house.store, &code, Some("browser"), NOW).map_err(cause).unwrap_err(),
            Cause::CodeSpent
        );
    }
}

#[test]
fn neither_ids_nor_codes_nor_browsers_are_in_the_database() {
    let mut house = House::new();
    let request = house.begin();
    let kept = house
        .store
        .snapshot(&Caller::system(), |rows| rows.select("saml_request", &["id_hash", "browser_hash"], &[]))
        .unwrap();
    assert_eq!(kept[0][0].as_text(), Some(fingerprint(&request).as_str()));
    assert_eq!(kept[0][1].as_text(), Some(fingerprint("browser").as_str()));
}

#[test]
fn a_request_has_an_id_nobody_guesses_and_says_what_it_wants() {
    let mut house = House::new();
    let verifier = house.settings.verifier().unwrap();
    let wish = SignInOptions { browser: "browser", return_to: "/costs?a=1&b=2", test: None };
    let begun = begin(&house.store, &verifier, None, wish, NOW, &mut house.rng).unwrap();
    assert!(begun.id.starts_with('_') && begun.id.len() == 65, "{}", begun.id);
    let query: std::collections::HashMap<String, String> =
        begun.location.query_pairs().into_owned().collect();
    assert_eq!(query["RelayState"], "/costs?a=1&b=2");
    let packed = base64::engine::general_purpose::STANDARD.decode(&query["SAMLRequest"]).unwrap();
    let mut xml = String::new();
    std::io::Read::read_to_string(&mut flate2::read::DeflateDecoder::new(packed.as_slice()), &mut xml)
        .unwrap();
    let document = crate::saml::document::parse(&xml).unwrap();
    let root = document.root_element();
    assert_eq!(root.attribute("ID"), Some(begun.id.as_str()));
    assert_eq!(root.attribute("AssertionConsumerServiceURL"), Some(kit::ACS));
    assert_eq!(root.attribute("IssueInstant"), Some("2026-11-20T06:38:00Z"));
}

#[test]
fn a_changed_group_changes_the_role() {
    let mut house = House::new();
    assert_eq!(house.roles_after("mei@example.com", &["developers"]), [Role::TenantAdmin]);
    assert_eq!(house.roles_after("mei@example.com", &["viewers"]), [Role::TenantAdminReadonly]);
    let both = house.roles_after("mei@example.com", &["developers", "viewers"]);
    assert_eq!(both, [Role::TenantAdmin, Role::TenantAdminReadonly]);
    assert_eq!(house.roles_after("mei@example.com", &["others"]), [Role::TenantUsage]);
}

#[test]
fn the_switches_keep_what_they_say() {
    let mut adding = House::new().with(&[(REMOVE, "false")]);
    adding.roles_after("mei@example.com", &["developers"]);
    let roles = adding.roles_after("mei@example.com", &["viewers"]);
    assert_eq!(roles, [Role::TenantAdmin, Role::TenantAdminReadonly]);
    let mut still = House::new().with(&[(SYNC, "false")]);
    assert_eq!(still.roles_after("mei@example.com", &["developers"]), [Role::TenantAdminReadonly]);
}

#[test]
fn a_new_person_keeps_the_default_role_when_no_group_gives_one() {
    let mut house = House::new().with(&[("AUTH_DEFAULT_ROLE", "tenant_admin_readonly")]);
    assert_eq!(house.roles_after("mei@example.com", &["others"]), [Role::TenantAdminReadonly]);
    let mut wrong = House::new().with(&[("AUTH_DEFAULT_ROLE", "boss")]);
    assert_eq!(wrong.roles_after("mei@example.com", &["others"]), [Role::TenantUsage]);
}

#[test]
fn a_role_says_which_group_gave_it() {
    let mut house = House::new();
    house.sign_in("mei@example.com", &["developers"]).unwrap();
    let reasons = house
        .store
        .snapshot(&Caller::system(), |rows| rows.select("user_role_reasons", &["by_group"], &[]))
        .unwrap();
    assert_eq!(reasons.iter().map(|row| row[0].as_text()).collect::<Vec<_>>(), [Some("developers")]);
}

#[test]
fn roles_of_accounts_are_left_alone() {
    let mut house = House::new();
    let person = house.sign_in("mei@example.com", &["developers"]).unwrap();
    house
        .store
        .transaction(&Caller::system(), |rows| {
            rows.insert(
                "user_roles",
                &[
                    ("id", uuid::Uuid::from_u128(1).into()),
                    ("user_id", person.user.into()),
                    ("tenant_id", person.tenant.into()),
                    ("entity_type", "account".into()),
                    ("entity_id", uuid::Uuid::from_u128(2).to_string().as_str().into()),
                    ("role", "account_admin".into()),
                    ("created_by", person.user.into()),
                ],
            )
        })
        .unwrap();
    assert_eq!(house.roles_after("mei@example.com", &[]), [Role::AccountAdmin]);
}

#[test]
fn a_self_hosted_service_puts_new_people_into_the_tenant_of_the_license() {
    let mut house = House::new();
    house.deployment = Deployment::SelfHosted { tenant: Some("Example Logistics".to_owned()) };
    let person = house.sign_in("mei@example.com", &["developers"]).unwrap();
    assert_eq!(person.tenant_name, "Example Logistics");
    assert_eq!(house.sign_in("bo@example.com", &[]).unwrap().tenant, person.tenant);
}

#[test]
fn a_hosted_service_puts_new_people_where_their_domain_is_allowed() {
    let mut house = House::new();
    house.deployment = Deployment::Hosted;
    let (acme, _) = tenancy::find_or_create(&house.store, "Acme", NOW + SECOND, &mut house.rng).unwrap();
    let (late, _) = tenancy::find_or_create(&house.store, "Late", NOW + 2 * SECOND, &mut house.rng).unwrap();
    house.attribute(&acme, "allowed_domains", r#"["Example.COM"]"#);
    house.attribute(&acme, "auth_default_role", "tenant_admin");
    house.attribute(&late, "allowed_domains", r#"["example.com", "late.example"]"#);
    let person = house.sign_in("mei@example.com", &["others"]).unwrap();
    assert_eq!((person.tenant, person.roles), (acme.id, vec![Role::TenantAdmin]));
    assert_eq!(house.sign_in("bo@late.example", &[]).unwrap().tenant, late.id);
    assert_eq!(house.sign_in("eve@evil.example", &[]).unwrap_err(), Cause::NoTenantForDomain);
    assert_eq!(house.sign_in("eve@sub.example.com", &[]).unwrap_err(), Cause::NoTenantForDomain);
}

#[test]
fn a_sign_in_and_what_it_changed_are_in_the_log() {
    let mut house = House::new();
    house.sign_in("mei@example.com", &["developers"]).unwrap();
    let events = crate::security_log::events(&house.store, i64::MAX, 10).unwrap();
    let kinds: BTreeSet<&str> = events.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, BTreeSet::from(["account_linked", "roles_changed", "sign_in", "user_created"]));
    assert!(events.iter().all(|event| event.about.as_deref() == Some("mei@example.com")));
}

/// The contract's rules of role synchronisation, in the shortest form.
fn model(
    held: &BTreeSet<String>,
    mapping: &[(&str, &str)],
    groups: &[&str],
    sync: bool,
    remove: bool,
    unmapped: bool,
) -> BTreeSet<String> {
    let exists = |role: &String| ["tenant_admin", "tenant_admin_readonly"].contains(&role.as_str());
    let of = |group: &&str| match mapping.iter().find(|(name, _)| name == group) {
        Some((_, role)) => Some((*role).to_owned()),
        None => unmapped.then_some((*group).to_owned()),
    };
    let given: BTreeSet<String> = groups.iter().filter_map(of).filter(exists).collect();
    let says_something = sync && (unmapped || !mapping.is_empty());
    match (says_something, remove) {
        (false, _) => held.clone(),
        (true, true) => given,
        (true, false) => held | &given,
    }
}

#[test]
fn role_synchronisation_is_that_of_the_model_in_every_combination() {
    let groups = ["developers", "viewers", "tenant_admin", "Developers", "odd"];
    let mappings: [&[(&str, &str)]; 4] = [
        &[],
        &[("developers", "tenant_admin")],
        &[("developers", "tenant_admin"), ("viewers", "tenant_admin_readonly")],
        &[("viewers", "no_such_role"), ("tenant_admin", "tenant_admin_readonly")],
    ];
    let roles = ["tenant_admin", "tenant_admin_readonly"];
    let house = House::new();
    let subset = |all: &[&'static str], bits: usize| -> Vec<&'static str> {
        all.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, one)| *one).collect()
    };
    let mut tried = 0;
    for mapping in mappings {
        let json: serde_json::Map<String, serde_json::Value> =
            mapping.iter().map(|(group, role)| ((*group).to_owned(), (*role).into())).collect();
        for switches in 0..8 {
            let [sync, remove, unmapped] = [switches & 1 == 1, switches & 2 == 2, switches & 4 == 4];
            let settings = house.settings.with(&Draft::from([
                ("SAML_GROUP_MAPPING".to_owned(), Some(serde_json::Value::Object(json.clone()).to_string())),
                (SYNC.to_owned(), Some(sync.to_string())),
                (REMOVE.to_owned(), Some(remove.to_string())),
                ("SAML_INCLUDE_UNMAPPED_GROUPS".to_owned(), Some(unmapped.to_string())),
            ]));
            for (of_groups, of_roles) in (0..32).flat_map(|groups| (0..4).map(move |roles| (groups, roles))) {
                let groups = subset(&groups, of_groups);
                let held: BTreeSet<String> =
                    subset(&roles, of_roles).into_iter().map(str::to_owned).collect();
                let received = crate::saml::attributes::Groups {
                    values: groups.iter().map(|group| (*group).to_owned()).collect(),
                    from: vec!["groups".to_owned()],
                    note: None,
                };
                let effect = crate::saml::roles::effect(&settings, &received, &held, false);
                let expected = model(&held, mapping, &groups, sync, remove, unmapped);
                assert_eq!(
                    effect.after, expected,
                    "{mapping:?} {groups:?} {held:?} {sync} {remove} {unmapped}"
                );
                assert_eq!(effect.added, &effect.after - &held);
                assert_eq!(effect.removed, &held - &effect.after);
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 4 * 8 * 32 * 4);
}

#[test]
fn a_session_is_told_when_the_one_at_the_provider_ends_and_does_not_begin_after_that() {
    let mut house = House::new();
    let ends = NOW + 20 * SECOND;
    let mut end = |seconds: i64| {
        let verified = house.answer("mei@example.com", &["developers"]);
        let verified = check::VerifiedResponse { session_ends_at: Some(ends), ..verified };
        let code = house.accept(&verified, NOW).unwrap();
        finish(&house.store, &code, Some("browser"), NOW + seconds * SECOND).map_err(cause)
    };
    assert_eq!(end(0).unwrap().session_ends_at, Some(ends));
    assert_eq!(end(20).unwrap_err(), Cause::ProviderSessionEnded);
}

#[test]
fn a_signed_request_has_the_signature_of_its_own_part_of_the_query() {
    let mut house = House::new().with(&[("SAML_ENTRY_POINT", "https://sso.example.com/sso?realm=a%20b")]);
    let verifier = house.settings.verifier().unwrap();
    let signer = crate::saml::RequestSigner::make(NOW).unwrap();
    let wish = SignInOptions { browser: "browser", return_to: "/costs?a=b&c=ü d", test: None };
    let begun = begin(&house.store, &verifier, Some(&signer), wish, NOW, &mut house.rng).unwrap();
    let query = begun.location.query().unwrap();
    let content = query.strip_prefix("realm=a%20b&").unwrap();
    let (content, signature) = content.split_once("&Signature=").unwrap();
    let names: Vec<&str> = content.split('&').map(|pair| pair.split_once('=').unwrap().0).collect();
    assert_eq!(names, ["SAMLRequest", "RelayState", "SigAlg"]);
    let pairs: std::collections::BTreeMap<_, _> = begun.location.query_pairs().into_owned().collect();
    assert_eq!(pairs["SigAlg"], "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256");
    assert_eq!(pairs["RelayState"], wish.return_to);
    assert!(signature.ends_with("%3D") || !signature.contains('='), "{signature}");
    let key = openssl::x509::X509::from_der(&signer.certificate.der).unwrap().public_key().unwrap();
    let mut check = openssl::sign::Verifier::new(openssl::hash::MessageDigest::sha256(), &key).unwrap();
    check.update(content.as_bytes()).unwrap();
    let bytes = base64::engine::general_purpose::STANDARD.decode(&pairs["Signature"]).unwrap();
    assert!(check.verify(&bytes).unwrap());
    let plain = begin(&house.store, &verifier, None, wish, NOW, &mut house.rng).unwrap().location;
    assert!(!plain.query().unwrap().contains("SigAlg"));
}
