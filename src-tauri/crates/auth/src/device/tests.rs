//! Tests of devices with a real database: use and expiry of codes and tokens.

use super::*;
use crate::tests::{Counting, Fixture, NOW};
use crate::{SecretCache, Signer, person};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use catalogue::Role;
use sha2::{Digest, Sha256};
use store::eq;

const VERIFIER: &str = "a-verifier-of-a-test-0123456789abcdefghijklmnop";
const BACK: &str = "http://127.0.0.1:53117/signed-in";

fn challenge() -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER.as_bytes()))
}

/// A request with one parameter changed.
fn read(name: &str, value: &str) -> Result<Request, RequestError> {
    let challenge = challenge();
    let parameters = [
        ("redirect_uri", BACK),
        ("state", "0123456789abcdef"),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
        ("device_name", "Ana's laptop"),
    ];
    Request::read(|wanted| {
        let given = parameters.iter().find(|(known, _)| *known == wanted).map(|(_, given)| *given);
        if wanted == name { Some(value) } else { given }
    })
}

struct Desktop {
    fixture: Fixture,
    person: crate::Person,
}

impl Desktop {
    fn new() -> Self {
        let mut fixture = Fixture::new();
        let user = fixture.add("ada@example.com", Role::TenantAdmin);
        let person = person::find(&fixture.store, user, fixture.tenant.id).unwrap();
        Self { fixture, person }
    }

    fn code(&mut self) -> String {
        let request = read("", "").unwrap();
        allow(&self.fixture.store, &self.person, &request, NOW, &mut self.fixture.rng).unwrap()
    }

    fn exchange(
        &mut self,
        code: &str,
        verifier: &str,
        back: Option<&str>,
        now: i64,
    ) -> Result<DeviceGrant, String> {
        let itself = DeviceReport { platform: Some("Linux"), kept_in: Some("keyring"), address: None };
        exchange(&self.fixture.store, (code, verifier, back), itself, now, &mut self.fixture.rng)
            .map_err(|error| format!("{error:?}"))
    }

    fn signed_in(&mut self) -> DeviceGrant {
        let code = self.code();
        self.exchange(&code, VERIFIER, Some(BACK), NOW).unwrap()
    }

    fn refresh(&mut self, token: &str, now: i64) -> Result<DeviceGrant, String> {
        refresh(&self.fixture.store, token, None, now, &mut self.fixture.rng)
            .map_err(|error| format!("{error:?}"))
    }
}

#[test]
fn answers_go_to_a_port_of_this_computer_and_nowhere_else() {
    for address in [BACK, "http://127.0.0.1:1024/", "http://[::1]:65535/a/b_c-d"] {
        assert_eq!(read("redirect_uri", address).unwrap().redirect_uri.as_deref(), Some(address));
    }
    for address in [
        "https://127.0.0.1:5000/",
        "http://127.0.0.1/",
        "http://127.0.0.1:80/",
        "http://127.0.0.1:05000/",
        "http://127.0.0.1:65536/",
        "http://127.0.0.1:5000",
        "http://127.0.0.1:5000//evil.example",
        "http://127.0.0.1:5000/?a=b",
        "http://127.0.0.1:5000/#a",
        "http://127.0.0.1:5000@evil.example/",
        "http://127.0.0.1:5000\\@evil.example/",
        "http://127.0.0.1.evil.example:5000/",
        "http://localhost:5000/",
        "http://2130706433:5000/",
        "http://127.1:5000/",
        "HTTP://127.0.0.1:5000/",
        " http://127.0.0.1:5000/",
        "http://127.0.0.1:5000/%2e%2e",
        "http://127.0.0.1:5000/\r\nSet-Cookie:a",
        "//127.0.0.1:5000/",
        "javascript:alert(1)",
        "https://evil.example/",
    ] {
        assert_eq!(read("redirect_uri", address).unwrap_err().parameter, "redirect_uri", "{address}");
    }
}

#[test]
fn a_request_says_everything_or_is_none() {
    for (name, value) in [
        ("state", ""),
        ("state", "short"),
        ("state", "0123456789abcdef&code=1"),
        ("code_challenge", ""),
        ("code_challenge", "plain"),
        ("code_challenge_method", "plain"),
        ("device_name", " "),
        ("device_name", "a\u{202e}b"),
        ("device_name", "sixty-one letters sixty-one letters sixty-one letters sixty-o"),
    ] {
        assert_eq!(read(name, value).unwrap_err().parameter, name, "{value}");
    }
    assert_eq!(read("redirect_uri", "").unwrap().answer("code", "1"), None);
    let back = read("", "").unwrap().answer("code", "1").unwrap();
    assert_eq!(back, "http://127.0.0.1:53117/signed-in?code=1&state=0123456789abcdef");
}

#[test]
fn desktop_and_page_show_the_same_mark_for_the_same_challenge_only() {
    assert_eq!(mark(&challenge()), mark(&challenge()));
    assert_ne!(mark(&challenge()), mark("another"));
    assert_eq!(mark("another").len(), 6);
}

#[test]
fn a_code_works_once() {
    let mut desktop = Desktop::new();
    let code = desktop.code();
    assert_eq!(desktop.exchange(&code, VERIFIER, Some(BACK), NOW).unwrap().person.email, "ada@example.com");
    assert_eq!(desktop.exchange(&code, VERIFIER, Some(BACK), NOW).err().unwrap(), "CodeSpent");
}

#[test]
fn a_wrong_verifier_another_address_or_a_late_one_gets_nothing_and_spends_the_code() {
    let mut desktop = Desktop::new();
    for (verifier, back, now) in [
        ("another-verifier", Some(BACK), NOW),
        (VERIFIER, Some("http://127.0.0.1:53118/signed-in"), NOW),
        (VERIFIER, None, NOW),
        (VERIFIER, Some(BACK), NOW + CARRIED),
    ] {
        let code = desktop.code();
        assert_eq!(desktop.exchange(&code, verifier, back, now).err().unwrap(), "CodeSpent");
        assert_eq!(desktop.exchange(&code, VERIFIER, Some(BACK), NOW).err().unwrap(), "CodeSpent");
    }
}

#[test]
fn of_many_who_come_with_one_code_at_once_one_gets_tokens() {
    let mut desktop = Desktop::new();
    let code = desktop.code();
    let store = &desktop.fixture.store;
    let granted: usize = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..8)
            .map(|nth| {
                let code = &code;
                scope.spawn(move || {
                    let mut rng = Counting(1_000_000 * (nth + 1));
                    exchange(store, (code, VERIFIER, Some(BACK)), DeviceReport::default(), NOW, &mut rng)
                        .is_ok()
                })
            })
            .collect();
        tries.into_iter().map(|each| usize::from(each.join().unwrap())).sum()
    });
    assert_eq!(granted, 1);
}

#[test]
fn codes_that_wait_are_few() {
    let mut desktop = Desktop::new();
    let codes: Vec<String> = (0..7).map(|_| desktop.code()).collect();
    let outcomes: Vec<bool> =
        codes.iter().map(|code| desktop.exchange(code, VERIFIER, Some(BACK), NOW).is_ok()).collect();
    assert_eq!(outcomes.iter().filter(|is_granted| **is_granted).count() as u64, WAITING);
}

#[test]
fn a_refresh_token_works_once_and_again_it_ends_the_device() {
    let mut desktop = Desktop::new();
    let first = desktop.signed_in();
    let second = desktop.refresh(&first.refresh_token, NOW).unwrap();
    assert_ne!(first.refresh_token, second.refresh_token);
    assert_eq!(desktop.refresh(&first.refresh_token, NOW + GRACE + 1).err().unwrap(), "Reused");
    // The holder of the newest token is rejected too, whether thief or owner.
    assert_eq!(desktop.refresh(&second.refresh_token, NOW + GRACE + 1).err().unwrap(), "Revoked");
    let listed = list(&desktop.fixture.store, Some(desktop.person.tenant), None).unwrap();
    assert_eq!(listed[0].revoked_by.as_deref(), Some("reuse"));
}

#[test]
fn a_refresh_token_whose_answer_got_lost_works_again_for_a_while() {
    let mut desktop = Desktop::new();
    let first = desktop.signed_in();
    let _lost = desktop.refresh(&first.refresh_token, NOW).unwrap();
    // A desktop waits a minute for a response.
    let _lost_too = desktop.refresh(&first.refresh_token, NOW + 61 * SECOND).unwrap();
    let second = desktop.refresh(&first.refresh_token, NOW + GRACE).unwrap();
    let third = desktop.refresh(&second.refresh_token, NOW + GRACE + 1).unwrap();
    assert!(desktop.refresh(&third.refresh_token, NOW + 2 * GRACE).is_ok());
}

#[test]
fn a_refresh_token_whose_successor_was_used_ends_the_device_at_once() {
    let mut desktop = Desktop::new();
    let first = desktop.signed_in();
    let second = desktop.refresh(&first.refresh_token, NOW).unwrap();
    let third = desktop.refresh(&second.refresh_token, NOW).unwrap();
    assert_eq!(desktop.refresh(&first.refresh_token, NOW).err().unwrap(), "Reused");
    assert_eq!(desktop.refresh(&third.refresh_token, NOW).err().unwrap(), "Revoked");
}

#[test]
fn of_two_who_hold_keys_of_one_device_neither_keeps_it() {
    let mut desktop = Desktop::new();
    let first = desktop.signed_in();
    let owners = desktop.refresh(&first.refresh_token, NOW).unwrap();
    // A copied token, used at once.
    let thiefs = desktop.refresh(&first.refresh_token, NOW + 1).unwrap();
    assert_eq!(desktop.refresh(&owners.refresh_token, NOW + 2).err().unwrap(), "Reused");
    assert_eq!(desktop.refresh(&thiefs.refresh_token, NOW + 3).err().unwrap(), "Revoked");
}

#[test]
fn tokens_are_kept_as_fingerprints() {
    let mut desktop = Desktop::new();
    let granted = desktop.signed_in();
    let kept = desktop.fixture.store.snapshot(&catalogue::Caller::system(), |rows| {
        rows.select("device_token", &["token_hash"], &[eq("device_id", granted.device)])
    });
    let kept: Result<_, store::StoreError> = kept;
    assert_eq!(kept.unwrap()[0][0].as_text(), Some(crate::fingerprint(&granted.refresh_token).as_str()));
}

#[test]
fn a_device_that_is_not_used_for_thirty_days_is_out() {
    let mut desktop = Desktop::new();
    let granted = desktop.signed_in();
    assert_eq!(desktop.refresh(&granted.refresh_token, NOW + UNUSED).err().unwrap(), "Unused");
    assert!(desktop.refresh(&granted.refresh_token, NOW + UNUSED - 1).is_ok());
}

#[test]
fn access_ends_with_the_device_the_person_and_ten_minutes() {
    let mut desktop = Desktop::new();
    let granted = desktop.signed_in();
    let (signer, known) = (Signer::new("secret"), SecretCache::default());
    let token = signer.issue_for_device(&granted.person, granted.device, NOW);
    let store = desktop.fixture.store.clone();
    let check = |now| {
        known
            .bearer(&store, &signer, &token, now)
            .map(|person| person.user)
            .map_err(|error| error.to_string())
    };
    let last = NOW + ACCESS_SECONDS * SECOND - SECOND;
    assert_eq!(check(last).unwrap(), desktop.person.user);
    assert!(check(last + SECOND).is_err());

    desktop.fixture.change("users", &[("status", "suspended".into())], "id", desktop.person.user);
    assert!(check(NOW).is_err());
    assert!(desktop.refresh(&granted.refresh_token, NOW).err().unwrap().contains("UserNotActive"));
    desktop.fixture.change("users", &[("status", "active".into())], "id", desktop.person.user);
    assert!(check(NOW).is_ok());

    assert!(revoke(&store, granted.device, "person", NOW).unwrap().is_some());
    assert_eq!(revoke(&store, granted.device, "person", NOW).unwrap(), None);
    assert_eq!(check(NOW).unwrap_err(), "the device that holds the token was signed out or revoked");
    assert_eq!(desktop.refresh(&granted.refresh_token, NOW).err().unwrap(), "Revoked");
}

#[test]
fn a_device_signs_itself_out_with_any_token_it_had() {
    let mut desktop = Desktop::new();
    let granted = desktop.signed_in();
    let next = desktop.refresh(&granted.refresh_token, NOW).unwrap();
    assert!(sign_out(&desktop.fixture.store, &granted.refresh_token, NOW).unwrap().is_some());
    assert_eq!(desktop.refresh(&next.refresh_token, NOW).err().unwrap(), "Revoked");
    assert_eq!(sign_out(&desktop.fixture.store, "unknown", NOW).unwrap(), None);
}
