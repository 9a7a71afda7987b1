//! Sign-in against a real database in a temporary folder.

use crate::Person;
use crate::tenancy::{self, FIRST_TENANT, LOCAL_ADMINISTRATOR};
use crate::{
    SECOND, SignInError, Signer, Tenant, api_token, one_time_code, person, session, signing_secret, user,
};
use catalogue::{Caller, Reach, Right, Role, ValueRef};
use rand::{CryptoRng, RngCore};
use store::{Store, eq};

/// 2026-11-20T06:38:00Z
pub const NOW: i64 = 1_795_156_680 * SECOND;

/// A counter in place of a random generator: values never repeat, and every run yields the same.
pub struct Counting(pub u64);

impl RngCore for Counting {
    fn next_u32(&mut self) -> u32 {
        self.0 += 1;
        u32::try_from(self.0).unwrap()
    }
    fn next_u64(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let drawn = self.next_u64().to_be_bytes();
            chunk.copy_from_slice(&drawn[8 - chunk.len()..]);
        }
    }
}

impl CryptoRng for Counting {}

pub struct Fixture {
    pub store: Store,
    pub tenant: Tenant,
    pub rng: Counting,
    folder: tempfile::TempDir,
}

impl Fixture {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("test.db"), testkit::product::catalogue()).unwrap();
        let mut rng = Counting(0);
        let tenant = tenancy::ensure(&store, None, NOW, &mut rng).unwrap();
        Self { store, tenant, rng, folder }
    }

    /// The same database, opened by another server.
    fn elsewhere(&self) -> Store {
        Store::open(&self.folder.path().join("test.db"), testkit::product::catalogue()).unwrap()
    }

    pub fn add(&mut self, email: &str, role: Role) -> uuid::Uuid {
        let tenant = self.tenant.clone();
        user::add(&self.store, &tenant, email, None, role, NOW, &mut self.rng).unwrap().user.id
    }

    pub fn token(&mut self, email: &str, name: &str) -> String {
        api_token::create(&self.store, &self.tenant, email, name, NOW, &mut self.rng).unwrap().secret
    }

    pub fn code(&mut self) -> String {
        one_time_code::create(&self.store, &self.tenant, LOCAL_ADMINISTRATOR, NOW, &mut self.rng).unwrap()
    }

    pub fn begin_session(&mut self, person: &Person) -> (String, session::NewSession) {
        session::begin(
            person,
            session::SignInMethod::Token,
            Some("tests"),
            session::LIFETIME,
            NOW,
            &mut self.rng,
        )
    }

    pub fn change(&self, table: &str, set: &[(&str, ValueRef<'_>)], column: &str, id: uuid::Uuid) {
        let changed =
            self.store.transaction(&Caller::system(), |rows| rows.update(table, &[eq(column, id)], set));
        assert!(changed.unwrap() > 0);
    }

    pub fn sign_in(&self, email: &str, secret: &str) -> Result<String, String> {
        api_token::check(&self.store, email, secret, NOW)
            .map(|found| found.person.email)
            .map_err(|error| error.to_string())
    }
}

#[test]
fn a_new_database_gets_a_tenant_and_its_administrator() {
    let fixture = Fixture::new();
    assert_eq!(fixture.tenant.name, FIRST_TENANT);
    let administrator = fixture
        .store
        .snapshot(&Caller::system(), |rows| user::find(rows, LOCAL_ADMINISTRATOR))
        .unwrap()
        .unwrap();
    let person = person::find(&fixture.store, administrator.id, fixture.tenant.id).unwrap();
    assert_eq!((person.roles, person.tenant_name.as_str()), (vec![Role::TenantAdmin], FIRST_TENANT));
}

#[test]
fn a_second_start_creates_nothing() {
    let mut fixture = Fixture::new();
    let again = tenancy::ensure(&fixture.store, None, NOW + SECOND, &mut fixture.rng).unwrap();
    assert_eq!(again, fixture.tenant);
}

#[test]
fn an_unknown_tenant_is_refused_with_those_there_are() {
    let fixture = Fixture::new();
    let error = tenancy::find(&fixture.store, Some("Acme")).unwrap_err().to_string();
    assert_eq!(error, "there is no tenant \"Acme\"; there is \"Personal workspace\"");
    let found = tenancy::find(&fixture.store, Some("personal WORKSPACE")).unwrap();
    assert_eq!(found, fixture.tenant);
}

#[test]
fn a_further_tenant_is_the_administrators_too_but_not_the_default() {
    let mut fixture = Fixture::new();
    let (acme, is_new) =
        tenancy::find_or_create(&fixture.store, "Acme", NOW + SECOND, &mut fixture.rng).unwrap();
    assert!(is_new);
    assert_eq!(tenancy::find(&fixture.store, None).unwrap(), fixture.tenant);
    one_time_code::create(&fixture.store, &acme, LOCAL_ADMINISTRATOR, NOW, &mut fixture.rng).unwrap();
}

#[test]
fn an_email_address_is_known_in_every_spelling() {
    let mut fixture = Fixture::new();
    let first = fixture.add("Ada@Example.com", Role::TenantAdminReadonly);
    let second = fixture.add(" ada@example.COM ", Role::TenantAdmin);
    assert_eq!(first, second);
    let ada = person::find(&fixture.store, first, fixture.tenant.id).unwrap();
    assert_eq!(ada.email, "ada@example.com");
    assert_eq!(ada.roles, [Role::TenantAdmin, Role::TenantAdminReadonly]);
}

#[test]
fn what_is_no_email_address_is_refused() {
    for text in ["", "ada", "@example.com", "ada@", "a b@example.com", "a@b@c"] {
        assert!(user::normalize_email(text).is_err(), "{text}");
    }
}

#[test]
fn a_user_without_a_role_has_the_marker_role_only() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    fixture.change("user_roles", &[("entity_type", "account".into())], "user_id", ada);
    let person = person::find(&fixture.store, ada, fixture.tenant.id).unwrap();
    assert_eq!(person.roles, [Role::TenantUsage]);
}

#[test]
fn a_role_over_a_place_covers_that_place_only() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    let account = uuid::Uuid::from_u128(0xA1);
    let reach = |kind: &str, id: String, role: &str| {
        let set = [("entity_type", kind.into()), ("entity_id", id.as_str().into()), ("role", role.into())];
        fixture.change("user_roles", &set, "user_id", ada);
        let caller = person::find(&fixture.store, ada, fixture.tenant.id).unwrap().caller();
        (caller.reach(Right::Read), caller.reach(Right::Write))
    };
    let place = format!("{account}:shop");
    assert_eq!(reach("account", account.to_string(), "account_admin"), (Reach::Accounts, Reach::Accounts));
    assert_eq!(
        reach("account", account.to_string(), "account_admin_readonly"),
        (Reach::Accounts, Reach::Own)
    );
    assert_eq!(
        reach("k8s_namespace", place.clone(), "k8s_namespace_admin"),
        (Reach::Namespaces, Reach::Namespaces)
    );
    assert_eq!(reach("account", place, "account_admin"), (Reach::Own, Reach::Own));
    assert_eq!(reach("k8s_namespace", account.to_string(), "k8s_namespace_admin"), (Reach::Own, Reach::Own));
    assert_eq!(reach("account", account.to_string(), "tenant_admin"), (Reach::Own, Reach::Own));
    assert_eq!(reach("tenant", account.to_string(), "tenant_admin"), (Reach::Own, Reach::Own));
}

#[test]
fn an_api_token_signs_its_user_in() {
    let mut fixture = Fixture::new();
    fixture.add("ada@example.com", Role::TenantAdmin);
    let secret = fixture.token("ada@example.com", "report");
    assert_eq!(secret.len(), 64);
    assert_eq!(fixture.sign_in("ADA@example.com", &secret), Ok("ada@example.com".to_owned()));
}

#[test]
fn the_database_does_not_hold_the_secret() {
    let mut fixture = Fixture::new();
    fixture.add("ada@example.com", Role::TenantAdmin);
    let secret = fixture.token("ada@example.com", "report");
    let kept = fixture
        .store
        .snapshot(&Caller::system(), |rows| rows.select("user_auths", &["credential"], &[]))
        .unwrap();
    assert_ne!(kept[0][0].as_text().unwrap(), secret);
    assert_eq!(kept[0][0].as_text().unwrap().len(), 64);
}

#[test]
fn each_refusal_of_an_api_token_says_its_own_reason() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    let secret = fixture.token("ada@example.com", "report");
    let wrong = Err("The e-mail address or the secret is not right".to_owned());

    assert_eq!(fixture.sign_in("nobody@example.com", &secret), wrong);
    assert_eq!(fixture.sign_in("ada@example.com", "guess"), wrong);

    fixture.change("user_auths", &[("status", "inactive".into())], "user", ada);
    assert_eq!(
        fixture.sign_in("ada@example.com", &secret),
        Err("This API token is not active; create another one".to_owned())
    );

    fixture.change("users", &[("status", "suspended".into())], "id", ada);
    assert_eq!(
        fixture.sign_in("ada@example.com", &secret),
        Err("This user is not active; an administrator of the tenant can activate it".to_owned())
    );
    assert_eq!(fixture.sign_in("ada@example.com", "guess"), wrong);
}

#[test]
fn names_of_api_tokens_are_used_once() {
    let mut fixture = Fixture::new();
    fixture.add("ada@example.com", Role::TenantAdmin);
    fixture.token("ada@example.com", "report");
    let tenant = fixture.tenant.clone();
    let again =
        api_token::create(&fixture.store, &tenant, "ada@example.com", "report", NOW, &mut fixture.rng);
    let message = again.err().unwrap().to_string();
    assert!(message.starts_with("ada@example.com already has an API token named \"report\""), "{message}");
}

#[test]
fn a_bearer_token_is_valid_for_an_hour() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    let person = person::find(&fixture.store, ada, fixture.tenant.id).unwrap();
    let signer = Signer::new("secret");
    let token = signer.issue(&person, NOW);

    assert_eq!(signer.check(&token, NOW + 3599 * SECOND).unwrap().user, ada);
    let expired = signer.check(&token, NOW + 3600 * SECOND).unwrap_err().to_string();
    assert_eq!(expired, "the token has expired; get a new one from /api/auth/token");
    let foreign = Signer::new("other").check(&token, NOW).unwrap_err().to_string();
    assert_eq!(foreign, "the token was not issued by this service, or was changed");
}

#[test]
fn the_signing_secret_is_generated_once_unless_it_is_set() {
    let mut fixture = Fixture::new();
    let mut secret = |configured| signing_secret(&fixture.store, configured, NOW, &mut fixture.rng).unwrap();
    let generated = secret(None);
    assert_eq!(secret(None), generated);
    assert_eq!(secret(Some("")), generated);
    assert_eq!(secret(Some("mine")), "mine");
}

#[test]
fn a_session_lasts_until_its_time_is_up_written_down_or_not() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    let person = person::find(&fixture.store, ada, fixture.tenant.id).unwrap();
    let (secret, begun) = fixture.begin_session(&person);
    assert!(begun.is_of(&secret));
    assert!(!begun.is_of("guess"));
    let (last, over) = (NOW + 86_399 * SECOND, NOW + 86_400 * SECOND);
    assert_eq!(begun.find(&fixture.store, last).unwrap().unwrap().person, person);
    assert!(begun.find(&fixture.store, over).unwrap().is_none());

    assert!(session::find(&fixture.store, &secret, session::LIFETIME, NOW).unwrap().is_none());
    session::keep(&fixture.store, &begun).unwrap();
    assert_eq!(
        session::find(&fixture.store, &secret, session::LIFETIME, last).unwrap().unwrap().person,
        person
    );
    assert!(session::find(&fixture.store, &secret, session::LIFETIME, over).unwrap().is_none());
    assert!(session::find(&fixture.store, "guess", session::LIFETIME, NOW).unwrap().is_none());
}

#[test]
fn a_session_that_is_not_used_ends_before_its_time() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    let person = person::find(&fixture.store, ada, fixture.tenant.id).unwrap();
    let (secret, begun) = fixture.begin_session(&person);
    session::keep(&fixture.store, &begun).unwrap();
    let hour = std::time::Duration::from_hours(1);
    let found = |now| session::find(&fixture.store, &secret, hour, now).unwrap().is_some();
    assert!(found(NOW + 3599 * SECOND));
    assert!(!found(NOW + 3600 * SECOND));
    session::touch(&fixture.store, begun.id, NOW + 3000 * SECOND).unwrap();
    assert!(found(NOW + 3600 * SECOND));
    let listed = session::list(&fixture.store, Some(fixture.tenant.id), Some(ada), NOW).unwrap();
    assert_eq!(
        (listed.len(), listed[0].way.as_deref(), listed[0].email.as_str()),
        (1, Some("token"), "ada@example.com")
    );
}

#[test]
fn a_window_stays_signed_in_until_another_one_opens() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    let person = person::find(&fixture.store, ada, fixture.tenant.id).unwrap();
    let (browser, begun) = fixture.begin_session(&person);
    session::keep(&fixture.store, &begun).unwrap();
    let (hour, way) = (std::time::Duration::from_hours(1), session::SignInMethod::Window);
    let mut open = |now| {
        let (secret, begun) = session::begin(&person, way, None, way.lifetime(hour), now, &mut fixture.rng);
        session::keep(&fixture.store, &begun).unwrap();
        secret
    };
    let counts = |secret: &str, now| session::find(&fixture.store, secret, hour, now).unwrap().is_some();

    let (first, month) = (open(NOW), NOW + 30 * 86_400 * SECOND);
    assert!(counts(&first, month));
    let second = open(NOW + SECOND);
    assert!(!counts(&first, NOW + SECOND), "two windows");
    assert!(counts(&second, month));
    assert!(counts(&browser, NOW + SECOND));
}

#[test]
fn a_cookie_is_what_this_service_sealed_or_nothing() {
    let signer = Signer::new("secret");
    let sealed = signer.seal("abc");
    assert_eq!(signer.open(&sealed), Some("abc"));
    for forged in ["abc", "abc.", &sealed.replace("abc", "abd"), &Signer::new("other").seal("abc")] {
        assert_eq!(signer.open(forged), None, "{forged}");
    }
}

#[test]
fn a_session_is_noted_as_seen_once_a_minute() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    let person = person::find(&fixture.store, ada, fixture.tenant.id).unwrap();
    let (secret, begun) = fixture.begin_session(&person);
    session::keep(&fixture.store, &begun).unwrap();
    let found = |now| session::find(&fixture.store, &secret, session::LIFETIME, now).unwrap().unwrap();

    assert!(!found(NOW + 60 * SECOND).is_stale);
    let stale = found(NOW + 61 * SECOND);
    assert!(stale.is_stale);
    session::touch(&fixture.store, stale.id, NOW + 61 * SECOND).unwrap();
    assert!(!found(NOW + 62 * SECOND).is_stale);
}

#[test]
fn a_session_ends_when_it_is_ended_or_its_user_is_suspended() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    let person = person::find(&fixture.store, ada, fixture.tenant.id).unwrap();
    let (first, first_begun) = fixture.begin_session(&person);
    let (second, second_begun) = fixture.begin_session(&person);
    session::keep(&fixture.store, &first_begun).unwrap();
    session::keep(&fixture.store, &second_begun).unwrap();

    session::end(&fixture.store, first_begun.id).unwrap();
    assert!(session::find(&fixture.store, &first, session::LIFETIME, NOW).unwrap().is_none());
    assert!(session::find(&fixture.store, &second, session::LIFETIME, NOW).unwrap().is_some());

    fixture.change("users", &[("status", "suspended".into())], "id", ada);
    assert!(session::find(&fixture.store, &second, session::LIFETIME, NOW).unwrap().is_none());
    assert!(second_begun.find(&fixture.store, NOW).unwrap().is_none());
}

#[test]
fn a_one_time_code_works_once() {
    let mut fixture = Fixture::new();
    let code = fixture.code();
    assert_eq!(one_time_code::spend(&fixture.store, &code, NOW).unwrap().email, LOCAL_ADMINISTRATOR);
    let again = one_time_code::spend(&fixture.store, &code, NOW).unwrap_err();
    assert!(matches!(again, SignInError::LinkSpent));
}

#[test]
fn who_guesses_a_code_waits_for_nobody_who_writes() {
    let fixture = Fixture::new();
    let other = fixture.elsewhere();
    let spent = fixture.store.transaction(&Caller::system(), |rows| {
        rows.delete("one_time_code", &[])?;
        Ok::<_, store::StoreError>(one_time_code::spend(&other, "guess", NOW))
    });
    assert!(matches!(spent.unwrap(), Err(SignInError::LinkSpent)));
}

#[test]
fn of_many_who_spend_one_code_at_once_one_gets_in() {
    let mut fixture = Fixture::new();
    let code = fixture.code();
    let attempts: Vec<_> = (0..8)
        .map(|_| {
            let (store, code) = (fixture.store.clone(), code.clone());
            std::thread::spawn(move || one_time_code::spend(&store, &code, NOW).is_ok())
        })
        .collect();
    let let_in =
        attempts.into_iter().filter_map(|attempt| attempt.join().ok()).filter(|is_in| *is_in).count();
    assert_eq!(let_in, 1);
}

#[test]
fn a_code_ends_after_ten_minutes() {
    let mut fixture = Fixture::new();
    let code = fixture.code();
    let late = one_time_code::spend(&fixture.store, &code, NOW + 600 * SECOND).unwrap_err();
    assert!(matches!(late, SignInError::LinkSpent));
    let code = fixture.code();
    assert!(one_time_code::spend(&fixture.store, &code, NOW + 599 * SECOND).is_ok());
}

#[test]
fn a_suspended_user_gets_no_link_and_spends_none() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    let tenant = fixture.tenant.clone();
    let mut create =
        || one_time_code::create(&fixture.store, &tenant, "ada@example.com", NOW, &mut fixture.rng);
    let code = create().unwrap();
    let suspend = [("status", ValueRef::Text("suspended"))];
    fixture
        .store
        .transaction(&Caller::system(), |rows| rows.update("users", &[eq("id", ada)], &suspend))
        .unwrap();
    assert_eq!(create().unwrap_err().to_string(), "ada@example.com is suspended and cannot sign in");
    let refused = one_time_code::spend(&fixture.store, &code, NOW).unwrap_err();
    assert!(matches!(refused, SignInError::UserNotActive));
}

#[test]
fn the_local_administrator_signs_in_with_a_password_until_it_is_switched_off() {
    let mut fixture = Fixture::new();
    let check = |fixture: &Fixture, email, password| {
        crate::password::check(&fixture.store, email, password)
            .map(|person| person.email)
            .map_err(|error| error.to_string())
    };
    let wrong = Err("The e-mail address or the secret is not right".to_owned());
    assert_eq!(check(&fixture, LOCAL_ADMINISTRATOR, "correct horse battery"), wrong);
    let short = crate::password::set(&fixture.store, "short", NOW, &mut fixture.rng).unwrap_err();
    assert_eq!(short.to_string(), "the password has 5 letters: expected 12 to 256");
    crate::password::set(&fixture.store, "correct horse battery", NOW, &mut fixture.rng).unwrap();
    assert_eq!(
        check(&fixture, "Administrator@LOCALHOST", "correct horse battery"),
        Ok(LOCAL_ADMINISTRATOR.to_owned())
    );
    assert_eq!(check(&fixture, LOCAL_ADMINISTRATOR, "correct horse batterz"), wrong);
    assert_eq!(check(&fixture, "ada@example.com", "correct horse battery"), wrong);
    fixture.store.transaction(&Caller::system(), |rows| crate::password::switch(rows, false, NOW)).unwrap();
    let off = check(&fixture, LOCAL_ADMINISTRATOR, "correct horse battery").unwrap_err();
    assert_eq!(off, "Sign-in with a password is switched off; use single sign-on");
    assert_eq!(check(&fixture, LOCAL_ADMINISTRATOR, "guess"), wrong);
    let kept = fixture
        .store
        .snapshot(&Caller::system(), |rows| {
            rows.select("user_auths", &["credential"], &[eq("provider", "email")])
        })
        .unwrap();
    assert!(kept[0][0].as_text().unwrap().starts_with("$argon2id$"));
}

#[test]
fn who_guesses_waits_longer_each_time_and_after_success_no_more() {
    let fixture = Fixture::new();
    let attempt = crate::throttle::Attempt::new("password", "Ada@Example.com", None);
    let wait = |now| attempt.check(&fixture.store, now).unwrap().err().map(|slow| slow.wait / SECOND);
    let mut waits = Vec::new();
    for _ in 0..8 {
        waits.push(wait(NOW).unwrap_or(0));
        attempt.failed(&fixture.store, NOW).unwrap();
    }
    assert_eq!(waits, [0, 0, 0, 0, 0, 1, 2, 4]);
    assert_eq!(wait(NOW + 8 * SECOND), None);
    for _ in 0..20 {
        attempt.failed(&fixture.store, NOW).unwrap();
    }
    assert_eq!(wait(NOW), Some(900));
    let other = crate::throttle::Attempt::new("password", "ben@example.com", None);
    assert!(other.check(&fixture.store, NOW).unwrap().is_ok());
    attempt.succeeded(&fixture.store).unwrap();
    assert_eq!(wait(NOW), None);
}

#[test]
fn an_address_that_guesses_many_names_waits_too() {
    let fixture = Fixture::new();
    let of =
        |n: u32| crate::throttle::Attempt::new("token", &format!("user{n}@example.com"), Some("192.0.2.7"));
    for n in 0..31 {
        assert!(of(n).check(&fixture.store, NOW).unwrap().is_ok(), "{n}");
        of(n).failed(&fixture.store, NOW).unwrap();
    }
    assert!(of(99).check(&fixture.store, NOW).unwrap().is_err());
    let elsewhere = crate::throttle::Attempt::new("token", "user99@example.com", Some("192.0.2.8"));
    assert!(elsewhere.check(&fixture.store, NOW).unwrap().is_ok());
}

#[test]
fn who_guesses_a_password_elsewhere_keeps_nobody_out_who_knows_it() {
    let fixture = Fixture::new();
    let store = &fixture.store;
    let from = |address: &str| crate::throttle::Attempt::new("password", "ada@example.com", Some(address));
    let wrong = || Err::<(), _>(SignInError::WrongCredentials);
    for _ in 0..20 {
        let _ = from("192.0.2.7").guess(store, NOW, wrong);
    }
    let waits = from("192.0.2.7").guess(store, NOW, || Ok(())).unwrap_err();
    assert!(matches!(waits, crate::throttle::AttemptError::SlowDown(_)), "{waits}");
    from("192.0.2.8").guess(store, NOW, || Ok(())).unwrap();
    // One IPv6 subscriber has many addresses.
    for host in 0..10 {
        let _ = from(&format!("2001:db8:1:2::{host:x}")).guess(store, NOW, wrong);
    }
    assert!(from("2001:db8:1:2::ffff").guess(store, NOW, || Ok(())).is_err());
    from("2001:db8:1:3::1").guess(store, NOW, || Ok(())).unwrap();
}

#[test]
fn a_secret_that_cannot_be_guessed_counts_whatever_was_tried_before() {
    let fixture = Fixture::new();
    let store = &fixture.store;
    let wrong = || Err::<(), _>(SignInError::WrongCredentials);
    let here = crate::throttle::Attempt::with_secret("token", Some("192.0.2.7"));
    let mut refusals = (0..40).map(|_| here.prove(store, NOW, wrong).unwrap_err());
    let is_slow =
        |error: crate::throttle::AttemptError| matches!(error, crate::throttle::AttemptError::SlowDown(_));
    assert_eq!(
        refusals
            .by_ref()
            .take_while(|error| !matches!(error, crate::throttle::AttemptError::SlowDown(_)))
            .count(),
        31
    );
    assert!(refusals.all(is_slow), "who guesses many waits");
    here.prove(store, NOW, || Ok(())).unwrap();
    let unknown = crate::throttle::Attempt::with_secret("token", None);
    for _ in 0..100 {
        assert!(!is_slow(unknown.prove(store, NOW, wrong).unwrap_err()));
    }
}
