//! Encrypted connections to PostgreSQL: the server is verified as the URL requires.

use crate::StoreError;
use crate::driver::postgres::Session;
use std::path::Path;
use testkit::postgres::EncryptedServer;

/// A self-signed certificate for `db.test` as text, and its key.
fn certificate() -> (String, String) {
    let made =
        rcgen::generate_simple_self_signed(vec!["db.test".to_owned(), "localhost".to_owned()]).unwrap();
    (made.cert.pem(), made.signing_key.serialize_pem())
}

fn open(url: &str) -> Result<String, String> {
    let chain = |error: StoreError| {
        let mut text = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(found) = cause {
            text = format!("{text}: {found}");
            cause = found.source();
        }
        text
    };
    let session = Session::open(&url.parse()?).map_err(chain)?;
    let mut statement = session
        .prepare("SELECT coalesce((SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()), 'none')");
    let mut rows = statement.query();
    let row = rows.next().unwrap().unwrap();
    match row.first() {
        Some(rusqlite::types::Value::Text(version)) => Ok(version.clone()),
        other => panic!("{other:?}"),
    }
}

fn trusted(folder: &Path, name: &str, certificate: &str) -> String {
    let file = folder.join(name);
    std::fs::write(&file, certificate).unwrap();
    file.to_str().unwrap().replace('/', "%2F")
}

#[test]
fn a_connection_proves_what_the_address_asks_for() {
    let (own, key) = certificate();
    let Some(server) = EncryptedServer::start(&own, &key) else { return };
    let folder = tempfile::tempdir().unwrap();
    let known = trusted(folder.path(), "known.pem", &own);
    let other = trusted(folder.path(), "other.pem", &certificate().0);
    let ask = |host: &str, query: &str| open(&server.url(host, query));
    for (host, query) in [
        ("127.0.0.1", String::new()),
        ("127.0.0.1", "sslmode=require".to_owned()),
        // The certificate is for another name than the machine's address.
        ("127.0.0.1", format!("sslmode=verify-ca&sslrootcert={known}")),
        ("localhost", format!("sslmode=verify-full&sslrootcert={known}")),
    ] {
        assert_eq!(ask(host, &query).as_deref(), Ok("TLSv1.3"), "{host} {query}");
    }
    for (host, query, why) in [
        ("127.0.0.1", "sslmode=disable".to_owned(), "no encryption"),
        ("127.0.0.1", format!("sslmode=verify-full&sslrootcert={known}"), "not valid for name"),
        ("localhost", format!("sslmode=verify-full&sslrootcert={other}"), "invalid peer certificate"),
        ("localhost", format!("sslmode=require&sslrootcert={other}"), "invalid peer certificate"),
        ("localhost", "sslmode=verify-full".to_owned(), "invalid peer certificate"),
    ] {
        let refused = ask(host, &query).unwrap_err();
        assert!(refused.contains(why), "{host} {query}: {refused}");
    }
}

#[test]
fn a_server_without_encryption_is_refused_where_it_is_asked_for() {
    let Some(url) = testkit::postgres::database() else { return };
    assert_eq!(open(&url).as_deref(), Ok("none"));
    let refused = open(&format!("{url}?sslmode=require")).unwrap_err();
    assert!(refused.contains("TLS"), "{refused}");
}
