//! How far a connection may go: anywhere, or only to addresses of the public network.
//!
//! An address that a stranger chose (metadata of an identity provider by URL) must not make the service read its own machine, its neighbours or a
//! cloud's metadata service. Names are judged by the addresses they lead to, at the moment of connecting, so that a name cannot change in between.

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Which addresses may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Every address: what an administrator configured.
    Anywhere,
    /// No address of this machine, of private networks, or of networks with a special meaning (RFC 6890).
    Public,
}

impl Reach {
    /// Whether that address may be reached.
    pub fn allows(self, address: IpAddr) -> bool {
        self == Self::Anywhere || is_public(address)
    }
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !(a == 0
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || a >= 224
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && (c == 0 || c == 2))
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (b == 18 || b == 19))
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    if let Some(inner) = address.to_ipv4_mapped() {
        return is_public_v4(inner);
    }
    // NAT64 (64:ff9b::/96) carries an IPv4 address in its last four bytes.
    if segments[..6] == [0x64, 0xff9b, 0, 0, 0, 0] {
        let [.., a, b, c, d] = address.octets();
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    // 6to4 and Teredo carry one in other places, and nobody needs them.
    let global = segments[0] & 0xe000 == 0x2000;
    let special = segments[0] == 0x2002
        || (segments[0] == 0x2001 && segments[1] < 0x0200)
        || (segments[0] == 0x2001 && segments[1] == 0x0db8)
        || segments[0] == 0x3fff;
    global && !special
}

/// Looks names up, and keeps the addresses that may be reached.
pub(crate) struct Names {
    pub(crate) reach: Reach,
    /// The proxy's own name, wherever it leads: a person configured it, and it stands inside more often than not.
    pub(crate) proxy: Option<String>,
}

/// A name that leads inside, where only the public network may be reached.
#[derive(Debug, thiserror::Error)]
#[error("{name} leads to an address of this machine or of a private network")]
pub(crate) struct LeadsInside {
    name: String,
}

impl Resolve for Names {
    fn resolve(&self, name: Name) -> Resolving {
        let is_proxy = self.proxy.as_deref().is_some_and(|proxy| proxy.eq_ignore_ascii_case(name.as_str()));
        let reach = if is_proxy { Reach::Anywhere } else { self.reach };
        Box::pin(async move {
            let name = name.as_str().to_owned();
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            // One inner address among outer ones is a trap as much as an inner one alone.
            if found.iter().any(|address| !reach.allows(address.ip())) {
                return Err(LeadsInside { name }.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_public_reach_leaves_out_every_inner_address() {
        let inner = [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.9.9.9",
            "169.254.169.254",
            "172.16.0.1",
            "192.0.0.8",
            "192.168.1.1",
            "198.18.0.1",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "fe80::1",
            "fc00::1",
            "fd00::1",
            "ff02::1",
            "2001:db8::1",
            "2001::1",
            "2002:7f00:1::1",
            "::127.0.0.1",
            "100::1",
        ];
        for address in inner {
            assert!(!Reach::Public.allows(address.parse().unwrap()), "{address}");
            assert!(Reach::Anywhere.allows(address.parse().unwrap()), "{address}");
        }
        for address in [
            "1.1.1.1",
            "93.184.216.34",
            "100.63.0.1",
            "172.32.0.1",
            "2606:4700::1111",
            "2a00:1450::1",
            "64:ff9b::101:101",
        ] {
            assert!(Reach::Public.allows(address.parse().unwrap()), "{address}");
        }
    }
}
