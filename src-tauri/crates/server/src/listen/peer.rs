//! Who is at the other end of a connection from this computer.
//!
//! A link that the window hands to the system's browser stands on that browser's command line, which everybody on this computer can read. So
//! such a link lets in processes of the same user alone. And a browser sends its cookie to every port of this computer (`session_cookie`).

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use tokio::net::TcpStream;

/// The other end of the connection that a request came on.
#[derive(Debug, Clone)]
pub struct Peer {
    pub address: SocketAddr,
    /// Our end; what it is of a connection that is breaking off is not known.
    own: Option<SocketAddr>,
    /// Found once a connection, and looked for only when it matters.
    user: Arc<OnceLock<u32>>,
}

impl Peer {
    /// Who is at the other end of a connection from `address`.
    pub fn new(stream: &TcpStream, address: SocketAddr) -> Self {
        Self { address, own: stream.local_addr().ok(), user: Arc::default() }
    }

    /// Whoever is at an address; of which user is not known.
    #[cfg(test)]
    pub fn at(address: SocketAddr) -> Self {
        Self { address, own: None, user: Arc::default() }
    }

    /// The user of this system whose process is at the other end; none of another computer, and where the system does not say.
    pub fn user(&self) -> Option<u32> {
        if let Some(user) = self.user.get() {
            return Some(*user);
        }
        let user = user_at(self.address, self.own?)?;
        Some(*self.user.get_or_init(|| user))
    }

    /// Whether that is the user of this process; also where the system does not tell users apart.
    pub fn is_own_user(&self) -> bool {
        own_user().is_none_or(|own| self.user() == Some(own))
    }
}

/// The same of a connection from `peer` to `own`.
pub fn is_own_user(peer: SocketAddr, own: SocketAddr) -> bool {
    own_user().is_none_or(|user| user_at(peer, own) == Some(user))
}

/// The user of this process, where the system tells users of connections apart.
pub fn own_user() -> Option<u32> {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata("/proc/self").ok().map(|this| this.uid())
    }
    #[cfg(not(target_os = "linux"))]
    None
}

fn user_at(peer: SocketAddr, own: SocketAddr) -> Option<u32> {
    #[cfg(target_os = "linux")]
    {
        super::socket_owner::owner(unmapped(peer), unmapped(own))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (peer, own);
        None
    }
}

/// The address as whoever connected knows it: a port that is open for both families sees IPv4 as a part of IPv6.
#[cfg(target_os = "linux")]
fn unmapped(address: SocketAddr) -> SocketAddr {
    (address.ip().to_canonical(), address.port()).into()
}
