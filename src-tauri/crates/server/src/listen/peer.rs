//! Identifies the peer of a connection from this computer.
//!
//! A sign-in link that the window passes to the system's browser is on that browser's command line, which every user of this computer can read.
//! Therefore such a link only signs in processes of the same user. In addition, a browser sends its cookie to every port of this computer
//! (`session_cookie`).

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use tokio::net::TcpStream;

/// The peer of the connection that a request arrived on.
#[derive(Debug, Clone)]
pub struct Peer {
    pub address: SocketAddr,
    /// The local address; `None` if the connection was breaking off.
    own: Option<SocketAddr>,
    /// Determined once for a connection, on first use.
    user: Arc<OnceLock<u32>>,
}

impl Peer {
    /// The peer of `stream`, at `address`.
    pub fn new(stream: &TcpStream, address: SocketAddr) -> Self {
        Self { address, own: stream.local_addr().ok(), user: Arc::default() }
    }

    /// A peer at an address, with an unknown user.
    #[cfg(test)]
    pub fn at(address: SocketAddr) -> Self {
        Self { address, own: None, user: Arc::default() }
    }

    /// The operating-system user of the peer's process. `None` for peers on other computers, and where the system does not report it.
    pub fn user(&self) -> Option<u32> {
        if let Some(user) = self.user.get() {
            return Some(*user);
        }
        let user = user_at(self.address, self.own?)?;
        Some(*self.user.get_or_init(|| user))
    }

    /// Whether the peer's user is the user of this process. True where the system cannot tell users apart.
    pub fn is_own_user(&self) -> bool {
        own_user().is_none_or(|own| self.user() == Some(own))
    }
}

/// Whether the user of the connection from `peer` to `own` is the user of this process. True where the system cannot tell users apart.
pub fn is_own_user(peer: SocketAddr, own: SocketAddr) -> bool {
    own_user().is_none_or(|user| user_at(peer, own) == Some(user))
}

/// The user of this process; `None` where the system cannot tell the users of connections apart.
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

/// The address as the peer knows it: a dual-stack port reports IPv4 peers as IPv4-mapped IPv6 addresses.
#[cfg(target_os = "linux")]
fn unmapped(address: SocketAddr) -> SocketAddr {
    (address.ip().to_canonical(), address.port()).into()
}
