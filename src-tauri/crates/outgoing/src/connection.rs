//! Connections other than HTTP: TCP, UDP, and TLS handshakes to inspect certificates. They are subject to the same egress policy as requests, and
//! use no proxy.

use crate::fault::{Fault, FaultKind};
use crate::inspection::recording_config;
use crate::settings::OutgoingSettings;
use rustls::pki_types::ServerName;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::{TcpStream, UdpSocket};
use tokio::time::timeout;

/// The certificates presented by a server, and whether they are trusted.
#[derive(Debug)]
pub struct Proof {
    /// The server's own certificate first, as DER.
    pub certificates: Vec<Vec<u8>>,
    /// Why the certificates are not trusted, if so.
    pub trust: Result<(), Fault>,
}

impl OutgoingSettings {
    /// Connects to a host, at the first of its addresses that answers.
    pub async fn connect(&self, host: &str, port: u16) -> Result<TcpStream, Fault> {
        let mut last = Fault::no_such_name(host);
        for address in self.addresses(host, port).await? {
            match timeout(self.connecting, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => last = Fault::of_connection(&format!("{host}:{port}"), &error),
                Err(_) => last = Fault::silent(host),
            }
        }
        Err(last)
    }

    /// A UDP socket connected to one address of a host; it receives from that address only.
    pub async fn datagrams(&self, host: &str, port: u16) -> Result<UdpSocket, Fault> {
        let address = self.addresses(host, port).await?.into_iter().next();
        let address = address.ok_or_else(|| Fault::no_such_name(host))?;
        datagrams(address).await.map_err(|error| Fault::of_connection(&format!("{host}:{port}"), &error))
    }

    /// The certificates presented at a port, trusted or not. Nothing is sent after the handshake.
    pub async fn proof(&self, host: &str, port: u16) -> Result<Proof, Fault> {
        let stream = self.connect(host, port).await?;
        let wrong =
            || Fault::new(FaultKind::Address, format!("{host} is no name that a certificate can have."));
        let name = ServerName::try_from(host.to_owned()).map_err(|_| wrong())?;
        let shown = Arc::new(Mutex::new(Vec::new()));
        let config = Arc::new(recording_config(self, &shown));
        let handshake = tokio_rustls::TlsConnector::from(config).connect(name, stream);
        let ended = timeout(self.connecting, handshake).await.map_err(|_| Fault::silent(host))?;
        let trust = ended.map(drop).map_err(|error| Fault::of_handshake(host, &error));
        let certificates = shown.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match trust {
            // A server that presents no certificate does not speak TLS.
            Err(fault) if certificates.is_empty() => Err(fault),
            trust => Ok(Proof { certificates, trust }),
        }
    }
}

async fn datagrams(address: SocketAddr) -> std::io::Result<UdpSocket> {
    let any = if address.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
    let socket = UdpSocket::bind(any).await?;
    socket.connect(address).await?;
    Ok(socket)
}

/// A UDP socket connected to a name server configured on this machine. Exempt from the egress policy, like the system's own name resolution.
pub async fn datagrams_of_system(address: SocketAddr) -> Result<UdpSocket, Fault> {
    datagrams(address).await.map_err(|error| Fault::of_connection("the name server", &error))
}

/// A TCP connection to a name server configured on this machine. Exempt from the egress policy.
pub async fn connect_of_system(address: SocketAddr) -> Result<TcpStream, Fault> {
    TcpStream::connect(address).await.map_err(|error| Fault::of_connection("the name server", &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egress::EgressPolicy;
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    fn way(egress: EgressPolicy) -> OutgoingSettings {
        OutgoingSettings { egress, ..OutgoingSettings::default() }
    }

    #[tokio::test]
    async fn connections_and_datagrams_meet_the_policy() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        for host in ["127.0.0.1", "localhost", "169.254.169.254"] {
            let public = way(EgressPolicy::public());
            assert_eq!(public.connect(host, port).await.unwrap_err().trouble, FaultKind::Inside, "{host}");
            assert_eq!(public.datagrams(host, port).await.unwrap_err().trouble, FaultKind::Inside, "{host}");
            assert_eq!(public.proof(host, port).await.unwrap_err().trouble, FaultKind::Inside, "{host}");
        }
        assert!(way(EgressPolicy::of_instance()).connect("127.0.0.1", port).await.is_ok());
        drop(listener);
        let refused = way(EgressPolicy::of_instance()).connect("127.0.0.1", port).await.unwrap_err();
        assert_eq!(refused.trouble, FaultKind::Connection, "{refused}");
        assert!(
            refused.to_string().starts_with(&format!("Nobody answers at 127.0.0.1:{port} (")),
            "{refused}"
        );
    }

    #[tokio::test]
    async fn who_speaks_no_tls_shows_nothing() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut hello = [0; 5];
            let _ = stream.read(&mut hello).await;
        });
        let fault = way(EgressPolicy::of_instance()).proof("127.0.0.1", port).await.unwrap_err();
        assert_eq!(fault.trouble, FaultKind::Answer, "{fault}");
        server.await.unwrap();
    }
}
