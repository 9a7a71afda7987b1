//! A TLS proxy in front of a service, with a certificate of an untrusted authority.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tempfile::NamedTempFile;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// A TLS proxy; it closes with the runtime of its test.
pub struct Door {
    /// Taken when the proxy is opened.
    listener: Option<TcpListener>,
    /// `https://localhost:PORT`
    pub address: String,
    authority: NamedTempFile,
    acceptor: TlsAcceptor,
}

impl Door {
    pub async fn new() -> Self {
        let mut authority = CertificateParams::new(Vec::new()).unwrap();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        authority.distinguished_name.push(DnType::CommonName, "Plant authority");
        let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let mut own = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        own.distinguished_name.push(DnType::CommonName, "console of the plant");
        let own = own.signed_by(&key, &authority).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![own.der().clone()], PrivateKeyDer::Pkcs8(key.serialize_der().into()))
            .unwrap();
        let mut file = tempfile::Builder::new().suffix(".pem").tempfile().unwrap();
        file.write_all(authority.pem().as_bytes()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        Self {
            listener: Some(listener),
            address,
            authority: file,
            acceptor: TlsAcceptor::from(Arc::new(config)),
        }
    }

    /// The host name of the proxy, as in requests.
    pub fn host(&self) -> &str {
        self.address.strip_prefix("https://").unwrap()
    }

    /// The path of its authority's certificate.
    pub fn authority(&self) -> PathBuf {
        self.authority.path().to_owned()
    }

    /// Forwards connections to the service at `http://127.0.0.1:PORT`.
    pub fn open_to(&mut self, service: &str) {
        let (listener, acceptor) = (self.listener.take().unwrap(), self.acceptor.clone());
        let service = service.strip_prefix("http://").unwrap().to_owned();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, service) = (acceptor.clone(), service.clone());
                tokio::spawn(async move {
                    // Clients that do not trust the certificate disconnect.
                    let Ok(mut outside) = acceptor.accept(stream).await else { return };
                    let mut inside = TcpStream::connect(service).await.unwrap();
                    drop(tokio::io::copy_bidirectional(&mut outside, &mut inside).await);
                });
            }
        });
    }
}
