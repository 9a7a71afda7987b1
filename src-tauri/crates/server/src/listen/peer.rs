//! Who is at the other end of a connection from this computer.
//!
//! A link that the window hands to the system's browser stands on that browser's command line, which everybody on this computer can read. So
//! such a link lets in processes of the same user alone. And a browser sends its cookie to every port of this computer (`session_cookie`).

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use tokio::net::TcpStream;

/// How often a connection is looked for that must be there.
#[cfg(target_os = "linux")]
const TRIES: usize = 3;

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
        let (peer, own) = (unmapped(peer), unmapped(own));
        let table = if peer.is_ipv4() { "/proc/net/tcp" } else { "/proc/net/tcp6" };
        // It is told in pieces: a line may be missed while other connections come and go.
        (0..TRIES).find_map(|_| user_of(peer, own, &std::fs::read_to_string(table).ok()?))
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

/// The user in the line of `sockets` (proc_pid_net(5)) that leads from `peer` to `own`.
#[cfg(any(target_os = "linux", test))]
fn user_of(peer: SocketAddr, own: SocketAddr, sockets: &str) -> Option<u32> {
    let (peer, own) = (written(peer), written(own));
    sockets.lines().skip(1).find_map(|line| {
        let mut words = line.split_whitespace().skip(1);
        let is_it = words.next() == Some(peer.as_str()) && words.next() == Some(own.as_str());
        is_it.then(|| words.nth(4)?.parse().ok()).flatten()
    })
}

/// An address as the kernel writes it: words of 32 bits in the order of this machine, in hexadecimal.
#[cfg(any(target_os = "linux", test))]
fn written(address: SocketAddr) -> String {
    let octets = match address.ip() {
        std::net::IpAddr::V4(ip) => ip.octets().to_vec(),
        std::net::IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    let words: String = octets
        .chunks_exact(4)
        .map(|word| format!("{:08X}", u32::from_ne_bytes([word[0], word[1], word[2], word[3]])))
        .collect();
    format!("{words}:{:04X}", address.port())
}

#[cfg(all(test, target_endian = "little"))]
mod tests {
    use super::user_of;

    const SOCKETS: &str =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2257 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 21349 1
   1: 0100007F:2257 0100007F:D1F4 01 00000000:00000000 00:00000000 00000000     0        0 21350 1
   2: 0100007F:D1F4 0100007F:2257 01 00000000:00000000 00:00000000 00000000  1000        0 21351 1
";

    #[test]
    fn the_user_is_the_one_of_the_other_end_not_of_ours() {
        let (peer, own) = ("127.0.0.1:53748".parse().unwrap(), "127.0.0.1:8791".parse().unwrap());
        assert_eq!(user_of(peer, own, SOCKETS), Some(1000));
        assert_eq!(user_of("127.0.0.1:53749".parse().unwrap(), own, SOCKETS), None);
    }
}
