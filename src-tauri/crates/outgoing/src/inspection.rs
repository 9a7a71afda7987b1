//! Inspects a server: the certificates it presents, trusted or not.
//!
//! Inspection grants no trust: a server with an untrusted certificate gets no request, only its certificates are recorded.

use crate::fault::Fault;
use crate::settings::OutgoingSettings;
use reqwest::{Method, Response};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, SignatureScheme};
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;

/// The result of contacting a server.
#[derive(Debug)]
pub struct ServerInspection {
    /// The presented certificates as DER, the server's own first; empty without TLS, or if the connection failed before.
    pub certificates: Vec<Vec<u8>>,
    /// The response, of any status, or the error.
    pub answer: Result<Response, Fault>,
}

/// Sends a GET request without secrets, and records the certificates that are presented.
pub async fn inspect_server(way: &OutgoingSettings, address: &Url) -> Result<ServerInspection, Fault> {
    let shown = Arc::new(Mutex::new(Vec::new()));
    let outgoing = way.open_with(recording_config(way, &shown))?;
    let request = outgoing.request(Method::GET, address)?;
    let answer = outgoing.send(request).await;
    let certificates = shown.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(ServerInspection { certificates, answer })
}

pub(crate) type ShownCertificates = Arc<Mutex<Vec<Vec<u8>>>>;

pub(crate) fn recording_config(way: &OutgoingSettings, shown: &ShownCertificates) -> ClientConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let roots = Arc::new(way.authorities.roots());
    let Ok(inner) = WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider)).build() else {
        // The root store is never empty: it contains Mozilla's list.
        return way.authorities.client_config();
    };
    let verifier = Arc::new(RecordingVerifier { inner, shown: Arc::clone(shown) });
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    builder.map_or_else(
        |_| way.authorities.client_config(),
        |builder| builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth(),
    )
}

/// Verifies certificates like the default verifier, and records them.
#[derive(Debug)]
struct RecordingVerifier {
    inner: Arc<WebPkiServerVerifier>,
    shown: ShownCertificates,
}

impl ServerCertVerifier for RecordingVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) =
            std::iter::once(end_entity).chain(intermediates).map(|one| one.as_ref().to_vec()).collect();
        self.inner.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.inner.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.inner.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.inner.supported_verify_schemes()
    }
}
