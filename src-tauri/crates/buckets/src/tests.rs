//! All three protocols against a server on loopback.

use crate::{Address, Bucket, Credentials, Object};
use outgoing::{EgressPolicy, OutgoingSettings};
use testkit::buckets::{Buckets, IDENTITY, SECRET, SERVICE_ACCOUNT};

const S3: &str = "s3://bills/cur";
const AZURE: &str = "https://acme.blob.core.windows.net/bills/cur";
const GOOGLE: &str = "gs://bills/cur";

fn served() -> Buckets {
    let served = Buckets::default();
    for (name, bytes, second) in [
        ("cur/", "", 0),
        ("cur/2026-05/a b.csv", "first", 1),
        ("cur/2026-05/b.csv", "second", 2),
        ("cur/manifest.json", "{}", 3),
        ("current/other.csv", "another folder", 4),
    ] {
        served.put("bills", name, bytes.as_bytes(), second);
    }
    served
}

fn credentials(identity: &str, secret: &str) -> Credentials {
    Credentials { access_key_id: identity.to_owned(), secret: secret.to_owned().into() }
}

fn of(typed: &str) -> Credentials {
    match typed.split(':').next() {
        Some("s3") => credentials(IDENTITY, SECRET),
        Some("gs") => credentials("", SERVICE_ACCOUNT),
        _ => credentials("", SECRET),
    }
}

fn opened(typed: &str, served: &Buckets, credentials: &Credentials) -> Bucket {
    let address = Address::parse(typed, served.address(), "").unwrap();
    let way = OutgoingSettings { egress: EgressPolicy::of_instance(), ..OutgoingSettings::default() }
        .open()
        .unwrap();
    Bucket::open(address, credentials, way).unwrap()
}

fn object(name: &str, size_bytes: u64, second: i64) -> Object {
    Object { name: name.to_owned(), size_bytes, modified_at: 1_777_593_600_000_000 + second * 1_000_000 }
}

#[tokio::test]
async fn objects_are_listed_page_by_page_and_read() {
    let served = served();
    for typed in [S3, AZURE, GOOGLE] {
        let bucket = opened(typed, &served, &of(typed));
        let expected =
            [object("2026-05/a b.csv", 5, 1), object("2026-05/b.csv", 6, 2), object("manifest.json", 2, 3)];
        assert_eq!(bucket.list(10).await.unwrap(), expected, "{typed}");
        let mut reading = bucket.read("2026-05/a b.csv").await.unwrap();
        assert_eq!(reading.object, expected[0], "{typed}");
        let mut bytes = Vec::new();
        while let Some(piece) = reading.next().await.unwrap() {
            bytes.extend_from_slice(&piece);
        }
        assert_eq!(bytes, b"first", "{typed}");
        let said = bucket.list(2).await.unwrap_err().to_string();
        assert!(said.contains("more than 2 objects"), "{said}");
    }
}

#[tokio::test]
async fn azure_takes_a_sas_token_too() {
    let served = served();
    let bucket = opened(AZURE, &served, &credentials("", "?sv=2024-11-04&sig=abc%2Bdef%3D"));
    assert_eq!(bucket.list(10).await.unwrap().len(), 3);
    assert!(served.asked()[0].path.contains("sig=abc%2Bdef%3D"));
}

#[tokio::test]
async fn a_refusal_says_what_to_do_and_repeats_neither_secrets_nor_answers() {
    let served = served();
    let said = async |typed: &str, credentials: &Credentials| {
        opened(typed, &served, credentials).list(10).await.unwrap_err().to_string()
    };
    let refused = said(S3, &credentials("somebody", "geheim")).await;
    assert!(refused.contains("refuses the credentials for bills"), "{refused}");
    assert!(!refused.contains("geheim") && !refused.contains("inner words"), "{refused}");
    let unknown = said("s3://nothing", &of(S3)).await;
    assert!(unknown.contains("knows no nothing"), "{unknown}");
}

#[tokio::test]
async fn no_connection_passes_the_egress_policy_by() {
    let served = served();
    let address = Address::parse(S3, served.address(), "").unwrap();
    let bucket = Bucket::open(address, &of(S3), OutgoingSettings::default().open().unwrap()).unwrap();
    let said = bucket.list(10).await.unwrap_err().to_string();
    assert!(said.contains("private network"), "{said}");
    assert!(served.asked().is_empty());
}

#[test]
fn credentials_that_cannot_be_any_are_refused_without_repeating_them() {
    for (typed, wrong, words) in [
        (S3, credentials("", "geheim"), "access key id lacks"),
        (S3, credentials("id", ""), "secret access key"),
        (GOOGLE, credentials("", "geheim"), "whole key file"),
        (AZURE, credentials("", "geheim!"), "No usable credentials"),
    ] {
        let address = Address::parse(typed, "", "").unwrap();
        let said = Bucket::open(address, &wrong, OutgoingSettings::default().open().unwrap())
            .unwrap_err()
            .to_string();
        assert!(said.contains(words) && !said.contains("geheim"), "{said}");
        assert!(!format!("{wrong:?}").contains("geheim"));
    }
}
