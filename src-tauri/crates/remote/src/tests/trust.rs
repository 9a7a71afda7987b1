//! Tests of trusted authorities, with certificates created for the test.

use super::kit::{Kit, read};
use outgoing::FaultKind;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufReader, Write};
use std::net::TcpListener;
use std::sync::Arc;

/// An instance with TLS and a certificate of its own authority. Returns its address and the authority in PEM.
fn encrypted() -> (String, String) {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    authority.distinguished_name.push(rcgen::DnType::CommonName, "Plant authority");
    let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let own =
        CertificateParams::new(vec!["localhost".to_owned()]).unwrap().signed_by(&key, &authority).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![own.der().clone()], PrivateKeyDer::Pkcs8(key.serialize_der().into()))
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = BufReader::new(StreamOwned::new(connection, stream));
            if read(&mut stream).is_some() {
                let body = r#"{"name": "Quarterdeck", "version": "9.9.9", "sign_in": {"saml": true, "desktop": true}}"#;
                let _ = write!(
                    stream.get_mut(),
                    "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
            }
        }
    });
    (address, authority.pem())
}

#[tokio::test]
async fn an_own_authority_is_trusted_once_it_is_given_and_shown_before() {
    let (kit, (address, authority)) = (Kit::new(), encrypted());
    let report = kit.remotes.look(&address, None, None, false).await.unwrap();
    assert_eq!(report.certificates.len(), 1, "what it showed can be looked at");
    let crate::RemoteError::Away(fault) = report.found.unwrap_err() else { panic!("trusted by nobody") };
    assert_eq!(fault.trouble, FaultKind::Certificate, "{fault}");

    let report = kit.remotes.look(&address, Some(&authority), None, false).await.unwrap();
    assert_eq!(report.found.unwrap().version, "9.9.9");
    assert!(report.is_encrypted);
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused_even_of_a_trusted_authority() {
    let (kit, (address, authority)) = (Kit::new(), encrypted());
    let address = address.replace("localhost", "127.0.0.1");
    let report = kit.remotes.look(&address, Some(&authority), None, false).await.unwrap();
    let crate::RemoteError::Away(fault) = report.found.unwrap_err() else { panic!("the name is another") };
    assert_eq!(fault.trouble, FaultKind::Certificate, "{fault}");
}

#[tokio::test]
async fn what_is_no_quarterdeck_is_told() {
    let other = super::kit::Elsewhere::start(|_| {
        (200, String::new(), r#"{"name": "Other", "version": "1"}"#.to_owned())
    });
    let report = Kit::new().remotes.look(&other.url(), None, None, false).await.unwrap();
    assert!(report.found.unwrap_err().to_string().contains("it calls itself \"Other\""));
}

#[tokio::test]
async fn with_a_proxy_everything_goes_through_it() {
    let about = r#"{"name": "Quarterdeck", "version": "9.9.9", "sign_in": {"desktop": true}}"#;
    let proxy = super::kit::Elsewhere::start(|_| (200, String::new(), about.to_owned()));
    let report =
        Kit::new().remotes.look("http://plant.example", None, Some(&proxy.url()), true).await.unwrap();
    assert_eq!(report.found.unwrap().version, "9.9.9");
    assert_eq!(proxy.came()[0].line, "GET http://plant.example/api/about HTTP/1.1");
}

#[tokio::test]
async fn a_proxy_is_told_the_name_and_password_that_only_the_seal_knows() {
    let about = r#"{"name": "Quarterdeck", "version": "9.9.9", "sign_in": {"desktop": true}}"#;
    let proxy = super::kit::Elsewhere::start(|came| match came.header("proxy-authorization") {
        // Base64 of `ada:s3cret`.
        Some("Basic YWRhOnMzY3JldA==") => (200, String::new(), about.to_owned()),
        _ => (407, String::new(), String::new()),
    });
    let kit = Kit::new();
    let typed = proxy.url().replace("http://", "http://ada:s3cret@");
    let wanted = |proxy: &str| crate::InstanceSettings {
        proxy: Some(proxy.to_owned()),
        plain_accepted: true,
        ..Kit::wanted("http://plant.example")
    };
    let id = kit.remotes.add(wanted(&typed), &mut rand::rng()).unwrap();
    assert_eq!(kit.remotes.check(id).await.unwrap().found.unwrap().version, "9.9.9");
    let shown = kit.remotes.list().unwrap().remove(0);
    assert_eq!(shown.proxy, Some(format!("{}/", proxy.url())));
    assert!(shown.proxy_signs_in());
    let on_disk = String::from_utf8_lossy(&kit.on_disk()).into_owned();
    assert!(!on_disk.contains("s3cret") && on_disk.contains("terc3s:ada"), "the password is on the disk");

    // The same proxy keeps the credentials, another one does not get them.
    kit.remotes.change(id, wanted(&proxy.url())).unwrap();
    assert!(kit.remotes.check(id).await.unwrap().found.is_ok());
    kit.remotes.change(id, wanted(&proxy.url().replace("127.0.0.1", "localhost"))).unwrap();
    let refused = kit.remotes.check(id).await.unwrap().found.unwrap_err().to_string();
    assert!(refused.contains("wants a name and a password"), "{refused}");
    assert_eq!(kit.remotes.find(id).unwrap().proxy_secret, None);
}
