//! Tests of sign-in: requests to the local port, and the exchange of the code.

use super::kit::{Elsewhere, Kit};
use crate::{Course, Keeping, Mode, RemoteError, SignInStart};
use std::collections::HashMap;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use uuid::Uuid;

struct Waiting {
    kit: Kit,
    elsewhere: Elsewhere,
    id: Uuid,
    begun: SignInStart,
}

impl Waiting {
    async fn new(mode: Mode) -> Self {
        let (kit, elsewhere) = (Kit::new(), Elsewhere::granting());
        let id = kit.add(&elsewhere.url());
        let mut rng = <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(1);
        let begun = kit.remotes.begin_sign_in(id, mode, Keeping::Run, "A laptop", &mut rng).await.unwrap();
        Self { kit, elsewhere, id, begun }
    }

    fn parameter(&self, name: &str) -> String {
        let all: HashMap<_, _> = self.begun.address.query_pairs().into_owned().collect();
        all.get(name).cloned().unwrap_or_default()
    }

    fn port(&self) -> u16 {
        let address = self.parameter("redirect_uri");
        address.rsplit(':').next().unwrap().split('/').next().unwrap().parse().unwrap()
    }

    /// Sends a request to the port as a browser would. Returns the response.
    async fn knock(&self, target: &str, host: Option<&str>) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port())).await.unwrap();
        let host = host.map_or_else(|| format!("127.0.0.1:{}", self.port()), str::to_owned);
        let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    fn good(&self) -> String {
        format!("/signed-in?code=abc123&state={}", self.parameter("state"))
    }
}

#[tokio::test]
async fn the_browser_brings_a_code_and_the_key_is_kept_where_it_was_wished() {
    let waiting = Waiting::new(Mode::Browser).await;
    assert_eq!(waiting.kit.remotes.course(waiting.id), Course::Waiting);
    let page = waiting.knock(&waiting.good(), None).await;
    assert!(page.contains("<h1>Signed in</h1>"), "{page}");
    let came = &waiting.elsewhere.came()[0];
    let body = came.json();
    assert_eq!((body["code"].as_str(), body["kept_in"].as_str()), (Some("abc123"), Some("run")));
    assert_eq!(body["redirect_uri"], waiting.parameter("redirect_uri"));
    assert!(!waiting.begun.address.as_str().contains(body["verifier"].as_str().unwrap()));
    let instance = waiting.kit.remotes.find(waiting.id).unwrap();
    assert_eq!(
        (instance.email.as_deref(), instance.kept_in.as_deref()),
        (Some("ada@example.com"), Some("run"))
    );
}

#[tokio::test]
async fn an_answer_that_is_not_ours_changes_nothing() {
    let waiting = Waiting::new(Mode::Browser).await;
    let state = waiting.parameter("state");
    for target in [
        "/signed-in?code=abc123&state=guess".to_owned(),
        "/signed-in?code=abc123".to_owned(),
        format!("/signed-in?code=abc123&state=guess&state={state}"),
        format!("/signed-in?code=abc&code=def&state={state}"),
        format!("/signed-in?code=a%0ab&state={state}"),
        format!("/other?code=abc123&state={state}"),
        "/".to_owned(),
    ] {
        let page = waiting.knock(&target, None).await;
        assert!(page.starts_with("HTTP/1.1 400"), "{target}: {page}");
    }
    // DNS rebinding: a foreign name that resolves to this address.
    let page = waiting.knock(&waiting.good(), Some("evil.example:80")).await;
    assert!(page.starts_with("HTTP/1.1 400"), "{page}");
    assert!(waiting.elsewhere.came().is_empty());
    assert_eq!(waiting.kit.remotes.course(waiting.id), Course::Waiting);
    // The expected request still succeeds.
    assert!(waiting.knock(&waiting.good(), None).await.contains("Signed in"));
}

#[tokio::test]
async fn a_person_who_says_no_ends_it() {
    let waiting = Waiting::new(Mode::Browser).await;
    let target = format!("/signed-in?error=access_denied&state={}", waiting.parameter("state"));
    assert!(waiting.knock(&target, None).await.contains("Not signed in"));
    assert!(waiting.elsewhere.came().is_empty());
}

#[tokio::test]
async fn a_code_is_carried_over_by_hand() {
    let waiting = Waiting::new(Mode::Code).await;
    assert_eq!(waiting.parameter("redirect_uri"), "");
    waiting.kit.remotes.finish_with_code(waiting.id, " abc123 ").await.unwrap();
    assert!(waiting.elsewhere.came()[0].json()["redirect_uri"].is_null());
    assert_eq!(waiting.kit.remotes.course(waiting.id), Course::Done);
    let again = waiting.kit.remotes.finish_with_code(waiting.id, "abc123").await;
    assert!(matches!(again, Err(RemoteError::NotBegun)));
}

#[tokio::test]
async fn every_sign_in_has_a_state_and_a_challenge_of_its_own() {
    let waiting = Waiting::new(Mode::Code).await;
    let mut rng = <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(2);
    let second =
        waiting.kit.remotes.begin_sign_in(waiting.id, Mode::Code, Keeping::Run, "A", &mut rng).await.unwrap();
    assert_ne!(second.challenge, waiting.begun.challenge);
    assert_ne!(second.address.query(), waiting.begun.address.query());
}

#[tokio::test]
async fn without_a_keyring_nothing_is_kept_in_silence() {
    let waiting = Waiting::new(Mode::Code).await;
    let mut rng = <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(3);
    let refused =
        waiting.kit.remotes.begin_sign_in(waiting.id, Mode::Code, Keeping::File, "A", &mut rng).await;
    assert!(matches!(refused, Err(RemoteError::Vault(crate::VaultError::Locked))));
    waiting.kit.remotes.vault().probe(&mut rng).map_or_else(
        |why| assert!(why.to_string().ends_with("passphrase, or for this run only."), "{why}"),
        |()| eprintln!("this machine has a keyring"),
    );
}

#[tokio::test]
async fn signing_out_is_told_and_the_key_is_gone() {
    let waiting = Waiting::new(Mode::Code).await;
    waiting.kit.remotes.finish_with_code(waiting.id, "abc123").await.unwrap();
    waiting.kit.remotes.sign_out(waiting.id).await.unwrap();
    let last = waiting.elsewhere.came().pop().unwrap();
    assert!(last.line.starts_with("POST /api/auth/desktop/sign-out"), "{last:?}");
    assert_eq!(last.json()["refresh_token"], "refresh-0");
    assert_eq!(waiting.kit.remotes.find(waiting.id).unwrap().kept_in, None);
}

#[tokio::test]
async fn a_key_that_is_locked_in_its_file_is_not_said_to_be_gone() {
    let (kit, elsewhere) = (Kit::new(), Elsewhere::granting());
    let id = kit.add(&elsewhere.url());
    let mut rng = <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(4);
    kit.remotes.vault().unlock("a passphrase of a test", &mut rng).unwrap();
    kit.remotes.begin_sign_in(id, Mode::Code, Keeping::File, "A laptop", &mut rng).await.unwrap();
    kit.remotes.finish_with_code(id, "abc123").await.unwrap();
    let came = elsewhere.came().len();
    // As after a restart.
    let again = crate::Remotes::new(kit.store.clone(), kit.folder.path(), super::kit::here());
    let refused = again.sign_out(id).await.unwrap_err();
    assert!(matches!(refused, RemoteError::Vault(crate::VaultError::Locked)), "{refused}");
    assert_eq!(again.find(id).unwrap().kept_in.as_deref(), Some("file"));
    assert_eq!(elsewhere.came().len(), came);
    again.vault().unlock("a passphrase of a test", &mut rng).unwrap();
    again.sign_out(id).await.unwrap();
    assert_eq!(elsewhere.came().last().unwrap().json()["refresh_token"], "refresh-0");
}
