//! Amazon's signatures beside those of botocore, Google's statements beside OpenSSL.

use super::{NOW, common, provider_at, wait};
use crate::kind::Field;
use crate::provider::Provider;
use crate::sign::sigv4::{Credentials, Signing, sign};
use crate::{Chat, Message, ProviderKind, Trouble, ask};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use openssl::hash::MessageDigest;
use openssl::pkey::{PKey, Private};
use openssl::rsa::Rsa;
use openssl::sign::Verifier;
use serde_json::{Value, json};
use std::sync::LazyLock;
use testkit::language_models::{EXTERNAL_ID, LanguageModels, ROLE, ROLE_TOKEN};

static ACCOUNT_KEY: LazyLock<PKey<Private>> =
    LazyLock::new(|| PKey::from_rsa(Rsa::generate(2048).unwrap()).unwrap());

/// The key file of a service account whose tokens come from that address.
pub fn key_file(token_uri: &str) -> String {
    json!({
        "type": "service_account", "project_id": "my-project", "private_key_id": "key-1",
        "private_key": String::from_utf8(ACCOUNT_KEY.private_key_to_pem_pkcs8().unwrap()).unwrap(),
        "client_email": "robot@my-project.iam.gserviceaccount.com", "token_uri": token_uri,
    })
    .to_string()
}

fn hello() -> Chat {
    Chat { messages: vec![Message::user("Hello")], ..Chat::default() }
}

#[test]
fn a_service_account_states_who_it_is_and_gets_a_token_once() {
    let double = LanguageModels::start();
    let provider = [provider_at(&double, ProviderKind::Vertex)];
    for _ in 0..2 {
        wait(async { ask(&provider, &hello()).await.unwrap().whole().await.unwrap() });
    }
    let seen = double.seen();
    let tokens: Vec<_> = seen.iter().filter(|asked| asked.path == "/token").collect();
    assert_eq!((tokens.len(), seen.len()), (1, 3), "the token of an hour is used again");
    let form = String::from_utf8(tokens[0].raw.clone()).unwrap();
    let assertion =
        form.strip_prefix("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=");
    let parts: Vec<&str> = assertion.unwrap().split('.').collect();
    let [head, claims, signature] = parts.as_slice() else { panic!("{form}") };
    let mut verifier = Verifier::new(MessageDigest::sha256(), &ACCOUNT_KEY).unwrap();
    verifier.update(format!("{head}.{claims}").as_bytes()).unwrap();
    assert!(verifier.verify(&URL_SAFE_NO_PAD.decode(signature).unwrap()).unwrap());
    let read =
        |part: &str| -> Value { serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap() };
    assert_eq!(read(head), json!({ "alg": "RS256", "typ": "JWT", "kid": "key-1" }));
    let second = NOW / 1_000_000;
    assert_eq!(
        read(claims),
        json!({
            "iss": "robot@my-project.iam.gserviceaccount.com",
            "scope": "https://www.googleapis.com/auth/cloud-platform",
            "aud": format!("{}/token", double.address), "iat": second, "exp": second + 3600,
        })
    );
}

#[test]
fn a_key_that_is_no_key_file_is_refused_before_anything_is_sent() {
    let double = LanguageModels::start();
    let mut provider = provider_at(&double, ProviderKind::Vertex);
    provider.connection.0.insert(Field::Key, "{\"client_email\":\"a\"}".to_owned());
    let failure = wait(async { ask(&[provider], &hello()).await.map(|_| ()) }).unwrap_err();
    assert_eq!((failure.trouble, double.seen().len()), (Trouble::Setting, 0), "{failure}");
}

/// One signature of `VECTORS`, which `vectors.py` beside it made with botocore 1.43.11: method, address, body, service, region, session token.
#[test]
fn signatures_are_those_of_botocore() {
    let vectors: Vec<Value> = serde_json::from_str(include_str!("signatures/vectors.json")).unwrap();
    assert!(vectors.len() >= 6);
    for vector in vectors {
        let text = |name: &str| vector[name].as_str().unwrap_or_default();
        let keys = Credentials {
            access_key: "AKIDEXAMPLE".to_owned(),
            secret_key: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".to_owned(),
            session_token: vector["token"].as_str().map(str::to_owned),
        };
        let signing = Signing {
            method: text("method"),
            url: &text("url").parse().unwrap(),
            body: text("body").as_bytes(),
            service: text("service"),
            region: text("region"),
            now: vector["now"].as_i64().unwrap(),
        };
        let headers = sign(&signing, &keys);
        let found = headers.iter().find(|(name, _)| *name == "authorization").unwrap();
        assert_eq!(found.1, text("authorization"), "{}", text("url"));
    }
}

/// At the double, taking its role on.
fn in_role(double: &LanguageModels, external_id: &str) -> Provider {
    let mut provider = provider_at(double, ProviderKind::Bedrock);
    for (field, value) in [(Field::Role, ROLE), (Field::ExternalId, external_id)] {
        provider.connection.0.insert(field, value.to_owned());
    }
    provider.common = common(&[("AWS_ENDPOINT_URL_STS", &double.address)]);
    provider
}

#[test]
fn a_role_is_taken_on_once_and_its_own_keys_sign_from_then_on() {
    let double = LanguageModels::start();
    let provider = [in_role(&double, EXTERNAL_ID)];
    for _ in 0..2 {
        wait(async { ask(&provider, &hello()).await.unwrap().whole().await.unwrap() });
    }
    let seen = double.seen();
    let roles = seen.iter().filter(|asked| asked.path.starts_with("/?Action=AssumeRole")).count();
    assert_eq!((roles, seen.len()), (1, 3), "keys of an hour are used again");
    assert!(seen[1..].iter().all(|asked| asked.headers["x-amz-security-token"] == ROLE_TOKEN));
    assert_eq!(double.wrong_signatures(), [""; 0]);
}

#[test]
fn a_role_that_the_keys_may_not_take_on_is_told_with_amazons_words() {
    let double = LanguageModels::start();
    let provider = [in_role(&double, "another id")];
    let failure = wait(async { ask(&provider, &hello()).await.map(|_| ()) }).unwrap_err();
    assert_eq!(failure.trouble, Trouble::Refused, "{failure}");
    assert!(failure.message.contains("not authorized to perform: sts:AssumeRole"), "{failure}");
    assert!(failure.remedy.contains("trust policy"), "{}", failure.remedy);
}
