//! The owner of a socket of this computer, as reported by the kernel.
//!
//! A single socket is queried (sock_diag(7)). Reading the table of all sockets, `/proc/net/tcp`, takes milliseconds if there are many sockets or
//! the kernel's hash table is large; it is the fallback if the query is not answered.

use rustix::net::netlink::{SOCK_DIAG, SocketAddrNetlink};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with};
use std::io;
use std::net::{IpAddr, SocketAddr};

/// How often the table is read to find a connection that must be in it.
const TRIES: usize = 3;

const AF_INET: u8 = 2;
const AF_INET6: u8 = 10;
const IPPROTO_TCP: u8 = 6;
/// `SOCK_DIAG_BY_FAMILY`
const BY_FAMILY: u16 = 20;
/// `NLM_F_REQUEST`
const REQUEST: u16 = 1;
/// Size of `nlmsghdr`, bytes.
const HEADER: usize = 16;
/// Size of `nlmsghdr` and `inet_diag_req_v2` together, bytes.
const QUESTION: u32 = 16 + 56;
/// Offset of `idiag_uid` in a response; `idiag_inode` follows it.
const UID: usize = HEADER + 64;
const INODE: usize = UID + 4;

/// The user whose process holds the socket at `local` that is connected to `remote`. `None` if there is no such socket, or no process holds it any
/// more: the kernel reports user 0 for such a socket, which is not its user.
pub fn owner(local: SocketAddr, remote: SocketAddr) -> Option<u32> {
    if let Ok(found) = asked(local, remote) {
        return found;
    }
    let table = if local.is_ipv4() { "/proc/net/tcp" } else { "/proc/net/tcp6" };
    // The table is read in parts: a line may be missed while other connections open and close.
    (0..TRIES).find_map(|_| listed(local, remote, &std::fs::read_to_string(table).ok()?))
}

fn asked(local: SocketAddr, remote: SocketAddr) -> io::Result<Option<u32>> {
    let socket =
        socket_with(AddressFamily::NETLINK, SocketType::DGRAM, SocketFlags::CLOEXEC, Some(SOCK_DIAG))?;
    sendto(&socket, &question(local, remote), SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
    let mut answer = [0; 1024];
    // The kernel has answered by the time the request is accepted.
    let (length, _) = recv(&socket, &mut answer[..], RecvFlags::DONTWAIT)?;
    told(&answer[..length])
}

/// The request for the one socket between two addresses.
fn question(local: SocketAddr, remote: SocketAddr) -> Vec<u8> {
    let family = if local.is_ipv4() { AF_INET } else { AF_INET6 };
    let mut bytes = Vec::new();
    bytes.extend(QUESTION.to_ne_bytes());
    bytes.extend(BY_FAMILY.to_ne_bytes());
    bytes.extend(REQUEST.to_ne_bytes());
    // Sequence number, and port id of the sender: the kernel fills it in.
    bytes.extend([0; 8]);
    bytes.extend([family, IPPROTO_TCP, 0, 0]);
    // Sockets in any state.
    bytes.extend(u32::MAX.to_ne_bytes());
    bytes.extend(local.port().to_be_bytes());
    bytes.extend(remote.port().to_be_bytes());
    bytes.extend(sixteen(local.ip()));
    bytes.extend(sixteen(remote.ip()));
    // On any interface, with any cookie.
    bytes.extend(0_u32.to_ne_bytes());
    bytes.extend([u8::MAX; 8]);
    bytes
}

/// An address in the field of an IPv6 address, zero-padded.
fn sixteen(ip: IpAddr) -> [u8; 16] {
    let mut bytes = [0; 16];
    match ip {
        IpAddr::V4(ip) => bytes[..4].copy_from_slice(&ip.octets()),
        IpAddr::V6(ip) => bytes = ip.octets(),
    }
    bytes
}

/// Parses the user from a response of the kernel. An error for any other response, such as from a kernel that does not support the request.
fn told(answer: &[u8]) -> io::Result<Option<u32>> {
    const ERROR: u16 = 2;
    let number = |at: usize| Some(u32::from_ne_bytes(answer.get(at..at + 4)?.try_into().ok()?));
    let kind = answer.get(4..6).map(|kind| u16::from_ne_bytes([kind[0], kind[1]]));
    match kind {
        Some(BY_FAMILY) => Ok(number(UID).filter(|_| number(INODE).is_some_and(|inode| inode != 0))),
        Some(ERROR) => {
            let code = number(HEADER).unwrap_or_default().cast_signed().wrapping_neg();
            match io::Error::from_raw_os_error(code) {
                error if error.kind() == io::ErrorKind::NotFound => Ok(None),
                error => Err(error),
            }
        }
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// The user in the line of `sockets` (proc_pid_net(5)) for the connection from `local` to `remote`.
fn listed(local: SocketAddr, remote: SocketAddr, sockets: &str) -> Option<u32> {
    let (local, remote) = (written(local), written(remote));
    sockets.lines().skip(1).find_map(|line| {
        let mut words = line.split_whitespace().skip(1);
        let is_it = words.next() == Some(local.as_str()) && words.next() == Some(remote.as_str());
        let user = is_it.then(|| words.nth(4)).flatten()?;
        let is_held = words.nth(1).is_some_and(|inode| inode != "0");
        user.parse().ok().filter(|_| is_held)
    })
}

/// An address in the format of the kernel: 32-bit words in native byte order, in hexadecimal.
fn written(address: SocketAddr) -> String {
    let octets = match address.ip() {
        IpAddr::V4(ip) => ip.octets().to_vec(),
        IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    let words: String = octets
        .chunks_exact(4)
        .map(|word| format!("{:08X}", u32::from_ne_bytes([word[0], word[1], word[2], word[3]])))
        .collect();
    format!("{words}:{:04X}", address.port())
}

#[cfg(all(test, target_endian = "little"))]
mod tests {
    use super::{asked, listed, owner};
    use std::io::Read;
    use std::net::{TcpListener, TcpStream};
    use std::os::unix::fs::MetadataExt;

    const SOCKETS: &str =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2257 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 21349 1
   1: 0100007F:2257 0100007F:D1F4 01 00000000:00000000 00:00000000 00000000     0        0 21350 1
   2: 0100007F:D1F4 0100007F:2257 01 00000000:00000000 00:00000000 00000000  1000        0 21351 1
   3: 0100007F:D1F5 0100007F:2257 05 00000000:00000000 00:00000000 00000000     0        0 0 1
";

    #[test]
    fn the_user_is_the_one_of_the_other_end_not_of_ours() {
        let (peer, own) = ("127.0.0.1:53748".parse().unwrap(), "127.0.0.1:8791".parse().unwrap());
        assert_eq!(listed(peer, own, SOCKETS), Some(1000));
        assert_eq!(listed("127.0.0.1:53750".parse().unwrap(), own, SOCKETS), None);
    }

    #[test]
    fn a_socket_that_nobody_holds_is_not_that_of_user_0() {
        let (peer, own) = ("127.0.0.1:53749".parse().unwrap(), "127.0.0.1:8791".parse().unwrap());
        assert_eq!(listed(peer, own, SOCKETS), None);
    }

    #[test]
    fn the_kernel_says_whose_an_open_connection_is_and_nothing_of_one_that_was_closed() {
        let user = std::fs::metadata("/proc/self").unwrap().uid();
        for host in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(host) else { continue };
            let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let (mut ours, peer) = listener.accept().unwrap();
            let own = ours.local_addr().unwrap();
            assert_eq!(owner(peer, own), Some(user), "{host}");
            let table =
                std::fs::read_to_string(if peer.is_ipv4() { "/proc/net/tcp" } else { "/proc/net/tcp6" });
            if let Ok(found) = asked(peer, own) {
                assert_eq!(found, listed(peer, own, &table.unwrap()), "{host}");
            }
            drop(client);
            // All data has arrived once the end of the stream has.
            assert_eq!(ours.read(&mut [0; 1]).unwrap(), 0);
            assert_eq!(owner(peer, own), None, "{host}: nobody holds it");
        }
    }
}
