//! TLS to PostgreSQL: implements tokio-postgres's TLS interface with rustls.

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect};
use tokio_rustls::TlsConnector;

/// Whether a connection is encrypted, and how the server is verified.
#[derive(Clone)]
pub(super) struct Encryption(Option<Arc<ClientConfig>>);

impl Encryption {
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// Encrypted, without verification of the server.
    pub(super) fn unproved() -> Self {
        let provider = provider();
        let algorithms = provider.signature_verification_algorithms;
        Self::with(provider, Arc::new(Signatures { algorithms, authority: None }))
    }

    /// The certificate must be signed by an authority; its name is not checked.
    pub(super) fn by_authority(file: Option<&Path>) -> Result<Self, String> {
        let provider = provider();
        let algorithms = provider.signature_verification_algorithms;
        let authority = Some(verifier(&provider, file)?);
        Ok(Self::with(provider, Arc::new(Signatures { algorithms, authority })))
    }

    /// The certificate must be signed by an authority and valid for the host name of the URL.
    pub(super) fn by_name(file: Option<&Path>) -> Result<Self, String> {
        let provider = provider();
        let verifier = verifier(&provider, file)?;
        Ok(Self::with(provider, verifier))
    }

    fn with(provider: Arc<CryptoProvider>, verifier: Arc<dyn ServerCertVerifier>) -> Self {
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        // Ring supports the suites of TLS 1.2 and 1.3. If that changed, connections would not be encrypted, and `require` would fail.
        let config = builder.ok().map(|builder| {
            builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth()
        });
        Self(config.map(Arc::new))
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// A verifier that requires a signature of an authority in the file, or of one in Mozilla's list without a file.
fn verifier(
    provider: &Arc<CryptoProvider>,
    file: Option<&Path>,
) -> Result<Arc<WebPkiServerVerifier>, String> {
    let mut roots = RootCertStore::empty();
    if let Some(file) = file {
        let unreadable = |error: rustls::pki_types::pem::Error| {
            format!("sslrootcert: \"{}\" is no file of certificates in PEM form ({error})", file.display())
        };
        let found = CertificateDer::pem_file_iter(file).map_err(unreadable)?;
        for certificate in found {
            let certificate = certificate.map_err(unreadable)?;
            roots.add(certificate).map_err(|error| {
                format!("sslrootcert: a certificate in \"{}\" is no authority's ({error})", file.display())
            })?;
        }
        if roots.is_empty() {
            return Err(format!("sslrootcert: there is no certificate in \"{}\"", file.display()));
        }
    } else {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider)).build();
    verifier.map_err(|error| format!("sslrootcert: {error}"))
}

/// Verifies signatures, and the issuing authority if one is set, but not host names.
#[derive(Debug)]
struct Signatures {
    algorithms: WebPkiSupportedAlgorithms,
    authority: Option<Arc<WebPkiServerVerifier>>,
}

impl ServerCertVerifier for Signatures {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(authority) = &self.authority else { return Ok(ServerCertVerified::assertion()) };
        match authority.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            // The name is checked last, after everything else was found valid.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        rustls::crypto::verify_tls12_signature(message, certificate, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        rustls::crypto::verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

impl MakeTlsConnect<Socket> for Encryption {
    type Stream = TlsSocket;
    type TlsConnect = Handshake;
    type Error = rustls::pki_types::InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Handshake, Self::Error> {
        let Some(config) = &self.0 else { return Ok(Handshake(None)) };
        // A Unix socket has no host name; the server replies there that it does not support encryption.
        let name = ServerName::try_from(if host.is_empty() { "localhost" } else { host })?.to_owned();
        Ok(Handshake(Some((TlsConnector::from(Arc::clone(config)), name))))
    }
}

/// A pending TLS handshake.
pub(super) struct Handshake(Option<(TlsConnector, ServerName<'static>)>);

impl TlsConnect<Socket> for Handshake {
    type Stream = TlsSocket;
    type Error = std::io::Error;
    type Future = Pin<Box<dyn Future<Output = std::io::Result<TlsSocket>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let Some((connector, name)) = self.0 else {
                return Err(std::io::Error::other("the address asks for no encryption"));
            };
            Ok(TlsSocket(Box::new(connector.connect(name, socket).await?)))
        })
    }
}

/// An encrypted connection. Does not support channel binding (`SCRAM-SHA-256-PLUS`).
pub(super) struct TlsSocket(Box<tokio_rustls::client::TlsStream<Socket>>);

impl tokio_postgres::tls::TlsStream for TlsSocket {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for TlsSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut *self.0).poll_read(context, out)
    }
}

impl AsyncWrite for TlsSocket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut *self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut *self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut *self.0).poll_shutdown(context)
    }
}
