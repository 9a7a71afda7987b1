//! The egress policy: the addresses that connections may lead to, for all outgoing connections.
//!
//! An address entered by a user must not make the service read from its own machine, its neighbours or a cloud's metadata service. Host names are
//! checked by the addresses they resolve to at the time of connecting, so that they cannot change in between.

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

/// The public network, and exceptions that an administrator of the instance allows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EgressPolicy {
    exceptions: Arc<[Exception]>,
}

/// A non-public destination that is allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Exception {
    /// `*`
    Everything,
    /// `loopback`: this machine.
    Loopback,
    /// `private`: 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 and fc00::/7.
    Private,
    /// An address (all bits) or a network.
    Network { address: IpAddr, bits: u8 },
    /// A host by its name, in lower case, whatever it resolves to.
    Host(String),
}

/// An invalid entry in a list of exceptions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?}: expected a host name, an address, a network such as 10.0.0.0/8, loopback, private, none or * in a list separated by commas"
)]
pub struct NotAnException(String);

impl EgressPolicy {
    /// No addresses of this machine, of private networks, or with a special purpose (RFC 6890).
    pub fn public() -> Self {
        Self::default()
    }

    /// Every address: for those configured by this program or by the local user.
    pub fn anywhere() -> Self {
        Self { exceptions: [Exception::Everything].into() }
    }

    /// The public network, this machine and private networks: the default for addresses entered by administrators of the instance. Link-local
    /// addresses, where clouds have their metadata services, are excluded.
    pub fn of_instance() -> Self {
        Self { exceptions: [Exception::Loopback, Exception::Private].into() }
    }

    /// The public network and the exceptions of a list: host names, addresses, networks, `loopback`, `private`, `*`; `none` or an empty list for no
    /// exception.
    pub fn parse(list: &str) -> Result<Self, NotAnException> {
        let entries = list.split(',').map(str::trim).filter(|entry| !entry.is_empty() && *entry != "none");
        let exceptions =
            entries.map(|entry| exception(entry).ok_or_else(|| NotAnException(entry.to_owned())));
        Ok(Self { exceptions: exceptions.collect::<Result<_, _>>()? })
    }

    /// The destinations allowed by either policy.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self { exceptions: self.exceptions.iter().chain(other.exceptions.iter()).cloned().collect() }
    }

    /// Whether a connection to `address` is allowed. `host` is the name it was resolved from, or the address as text.
    pub fn allows(&self, host: &str, address: IpAddr) -> bool {
        let address = address.to_canonical();
        is_public(address)
            || self.exceptions.iter().any(|exception| match exception {
                Exception::Everything => true,
                Exception::Loopback => address.is_loopback(),
                Exception::Private => is_private(address),
                Exception::Network { address: network, bits } => is_within(address, *network, *bits),
                Exception::Host(name) => is_name(host, name),
            })
    }

    /// Whether a connection to a host may be allowed, judging by its name only: internal names cannot always be resolved here.
    pub fn may_reach(&self, host: &str) -> bool {
        if let Ok(address) = host.trim_matches(['[', ']']).parse() {
            return self.allows(host, address);
        }
        self.exceptions.iter().any(|exception| match exception {
            Exception::Everything | Exception::Private | Exception::Network { .. } => true,
            Exception::Loopback => is_name(host, "localhost"),
            Exception::Host(name) => is_name(host, name),
        })
    }

    /// Whether responses from `address` may be quoted in messages: only if it is on the public network, or the list names this host individually
    /// and not as part of a network.
    pub fn may_be_quoted(&self, host: &str, address: IpAddr) -> bool {
        let address = address.to_canonical();
        is_public(address)
            || self.exceptions.iter().any(|exception| match exception {
                Exception::Network { address: one, bits } => *bits == bits_of(*one) && *one == address,
                Exception::Host(name) => is_name(host, name),
                Exception::Everything | Exception::Loopback | Exception::Private => false,
            })
    }

    /// Whether everything is allowed, so that no check is needed.
    pub(crate) fn is_open(&self) -> bool {
        self.exceptions.contains(&Exception::Everything)
    }

    /// Whether a host is allowed by its name.
    pub(crate) fn names(&self, host: &str) -> bool {
        self.exceptions.iter().any(|one| matches!(one, Exception::Host(name) if is_name(host, name)))
    }
}

impl fmt::Display for EgressPolicy {
    /// Formats the list that [`EgressPolicy::parse`] reads.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.exceptions.is_empty() {
            return to.write_str("none");
        }
        for (place, exception) in self.exceptions.iter().enumerate() {
            if place > 0 {
                to.write_str(",")?;
            }
            match exception {
                Exception::Everything => to.write_str("*")?,
                Exception::Loopback => to.write_str("loopback")?,
                Exception::Private => to.write_str("private")?,
                Exception::Network { address, bits } => write!(to, "{address}/{bits}")?,
                Exception::Host(name) => to.write_str(name)?,
            }
        }
        Ok(())
    }
}

fn exception(entry: &str) -> Option<Exception> {
    match entry {
        "*" => return Some(Exception::Everything),
        "loopback" => return Some(Exception::Loopback),
        "private" => return Some(Exception::Private),
        _ => {}
    }
    let read =
        |text: &str| text.trim_matches(['[', ']']).parse::<IpAddr>().ok().map(|one| one.to_canonical());
    if let Some((address, bits)) = entry.split_once('/') {
        let (address, bits) = (read(address)?, bits.parse().ok()?);
        return (bits <= bits_of(address)).then_some(Exception::Network { address, bits });
    }
    if let Some(address) = read(entry) {
        return Some(Exception::Network { address, bits: bits_of(address) });
    }
    let is_name = entry.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        && entry.bytes().any(|byte| byte.is_ascii_alphabetic());
    is_name.then(|| Exception::Host(entry.trim_end_matches('.').to_ascii_lowercase()))
}

fn is_name(host: &str, name: &str) -> bool {
    host.trim_end_matches('.').eq_ignore_ascii_case(name)
}

fn bits_of(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

fn is_within(address: IpAddr, network: IpAddr, bits: u8) -> bool {
    let leading = |value: u128, width: u8| value.checked_shr(u32::from(width - bits)).unwrap_or(0);
    match (address, network) {
        (IpAddr::V4(one), IpAddr::V4(other)) => {
            leading(u32::from(one).into(), 32) == leading(u32::from(other).into(), 32)
        }
        (IpAddr::V6(one), IpAddr::V6(other)) => leading(one.into(), 128) == leading(other.into(), 128),
        _ => false,
    }
}

fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_private(),
        IpAddr::V6(address) => address.is_unique_local(),
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
    // NAT64 (64:ff9b::/96) contains an IPv4 address in its last four bytes.
    if segments[..6] == [0x64, 0xff9b, 0, 0, 0, 0] {
        let [.., a, b, c, d] = address.octets();
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    // 6to4 and Teredo contain one in other positions, and are not needed.
    let global = segments[0] & 0xe000 == 0x2000;
    let special = segments[0] == 0x2002
        || (segments[0] == 0x2001 && segments[1] < 0x0200)
        || (segments[0] == 0x2001 && segments[1] == 0x0db8)
        || segments[0] == 0x3fff;
    global && !special
}

/// A DNS resolver that returns only allowed addresses.
pub(crate) struct Names {
    pub(crate) egress: EgressPolicy,
    /// The host name of the proxy, which is always allowed: it is configured by a person, and usually has an internal address.
    pub(crate) proxy: Option<String>,
}

/// A name that resolves to an address that the policy does not allow.
#[derive(Debug, thiserror::Error)]
#[error("{name} leads to an address of this machine or of a private network")]
pub(crate) struct AddressNotAllowed {
    name: String,
}

/// The addresses of a name. An error unless all of them are allowed: a mix of internal and public addresses is as suspicious as internal ones
/// alone.
pub(crate) async fn look_up(
    egress: &EgressPolicy,
    name: &str,
) -> Result<Vec<SocketAddr>, Box<dyn std::error::Error + Send + Sync>> {
    let found: Vec<SocketAddr> = tokio::net::lookup_host((name, 0)).await?.collect();
    if found.iter().all(|address| egress.allows(name, address.ip())) {
        Ok(found)
    } else {
        Err(AddressNotAllowed { name: name.to_owned() }.into())
    }
}

/// Whether a name that the proxy will resolve may be sent to it: if this machine can resolve it, all addresses must be allowed. Otherwise the proxy
/// decides by its own rules, unless the name can only be internal.
pub(crate) async fn may_go_by_proxy(egress: &EgressPolicy, name: &str) -> bool {
    if egress.is_open() || egress.names(name) {
        return true;
    }
    match look_up(egress, name).await {
        Ok(_) => true,
        Err(fault) if fault.is::<AddressNotAllowed>() => false,
        Err(_) => !is_name_inside(name),
    }
}

/// Whether a name can only belong to an internal network.
fn is_name_inside(name: &str) -> bool {
    const INSIDE: [&str; 9] =
        ["localhost", "local", "internal", "intranet", "private", "corp", "home", "lan", "arpa"];
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name.rsplit_once('.').is_none_or(|(_, last)| INSIDE.contains(&last))
}

impl Resolve for Names {
    fn resolve(&self, name: Name) -> Resolving {
        let is_proxy = self.proxy.as_deref().is_some_and(|proxy| proxy.eq_ignore_ascii_case(name.as_str()));
        let egress = if is_proxy { EgressPolicy::anywhere() } else { self.egress.clone() };
        Box::pin(async move {
            let found = look_up(&egress, name.as_str()).await?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_is_written_as_it_is_read() {
        for list in ["none", "*", "loopback,private", "10.0.0.0/8,desk.example.com,fd00::/8", "10.0.0.7/32"] {
            let policy = EgressPolicy::parse(list).unwrap();
            assert_eq!(policy.to_string(), list);
        }
        assert_eq!(EgressPolicy::parse("10.0.0.7").unwrap().to_string(), "10.0.0.7/32");
    }

    #[test]
    fn a_host_may_be_reached_where_its_name_does_not_rule_that_out() {
        let may = |list: &str, host: &str| EgressPolicy::parse(list).unwrap().may_reach(host);
        for (list, host) in [
            ("10.0.0.0/8", "10.1.2.3"),
            ("fd00::/8", "[fd00::1]"),
            ("prometheus", "Prometheus"),
            ("private", "prometheus"),
            ("loopback", "localhost"),
            ("none", "1.1.1.1"),
        ] {
            assert!(may(list, host), "{list} {host}");
        }
        for (list, host) in
            [("none", "prometheus"), ("10.0.0.0/8", "192.168.0.1"), ("loopback", "prometheus")]
        {
            assert!(!may(list, host), "{list} {host}");
        }
    }

    #[test]
    fn the_public_network_has_no_inner_address() {
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
            assert!(!EgressPolicy::public().allows("", address.parse().unwrap()), "{address}");
            assert!(EgressPolicy::anywhere().allows("", address.parse().unwrap()), "{address}");
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
            assert!(EgressPolicy::public().allows("", address.parse().unwrap()), "{address}");
        }
    }

    fn allows(list: &str, host: &str, address: &str) -> bool {
        EgressPolicy::parse(list).unwrap().allows(host, address.parse().unwrap())
    }

    #[test]
    fn an_administrator_allows_hosts_addresses_networks_and_kinds_of_them() {
        for (list, host, address, is_allowed) in [
            ("none", "desk.lan", "10.0.0.7", false),
            ("desk.lan", "DESK.lan.", "10.0.0.7", true),
            ("desk.lan", "other.lan", "10.0.0.7", false),
            ("10.0.0.7", "other.lan", "10.0.0.7", true),
            ("10.0.0.7", "other.lan", "10.0.0.8", false),
            ("10.0.0.0/8, ::1", "x", "10.200.0.1", true),
            ("10.0.0.0/8, ::1", "x", "::1", true),
            ("10.0.0.0/8", "x", "::ffff:10.0.0.1", true),
            ("10.0.0.0/8", "x", "11.0.0.1", true),
            ("10.0.0.0/8", "x", "192.168.0.1", false),
            ("fd00::/8", "x", "fd12::1", true),
            ("fd00::/8", "x", "fc12::1", false),
            ("0.0.0.0/0", "x", "127.0.0.1", true),
            ("0.0.0.0/0", "x", "::1", false),
            ("loopback", "localhost", "::1", true),
            ("loopback", "localhost", "127.8.0.1", true),
            ("loopback", "localhost", "0.0.0.0", false),
            ("private", "x", "172.16.0.1", true),
            ("private", "x", "fd00::1", true),
            ("private,loopback", "x", "169.254.169.254", false),
            ("private,loopback", "x", "fe80::1", false),
            ("private,loopback", "x", "100.64.0.1", false),
            ("169.254.169.254", "x", "169.254.169.254", true),
            ("*", "x", "169.254.169.254", true),
        ] {
            assert_eq!(allows(list, host, address), is_allowed, "{list}: {host} at {address}");
        }
        assert_eq!(EgressPolicy::parse("loopback, private").unwrap(), EgressPolicy::of_instance());
        assert_eq!(EgressPolicy::parse("").unwrap(), EgressPolicy::public());
    }

    #[test]
    fn an_exception_that_cannot_be_read_is_named() {
        for list in ["10.0.0.0/33", "loopback, http://desk", "10.0.0/8", "300.1.2.3", "a b"] {
            let fault = EgressPolicy::parse(list).unwrap_err().to_string();
            assert!(fault.contains("expected a host name, an address, a network"), "{fault}");
        }
    }

    #[test]
    fn only_a_public_host_or_one_that_is_named_by_itself_is_quoted() {
        for (list, host, address, is_quoted) in [
            ("*", "desk.lan", "10.0.0.7", false),
            ("private", "desk.lan", "10.0.0.7", false),
            ("10.0.0.0/8", "desk.lan", "10.0.0.7", false),
            ("10.0.0.7", "desk.lan", "10.0.0.7", true),
            ("desk.lan", "desk.lan", "10.0.0.7", true),
            ("none", "desk.example.com", "93.184.216.34", true),
        ] {
            let policy = EgressPolicy::parse(list).unwrap();
            assert_eq!(policy.may_be_quoted(host, address.parse().unwrap()), is_quoted, "{list}: {host}");
        }
    }

    #[tokio::test]
    async fn a_name_of_the_network_inside_is_not_handed_to_a_proxy() {
        assert!(!may_go_by_proxy(&EgressPolicy::public(), "localhost").await);
        assert!(may_go_by_proxy(&EgressPolicy::parse("vault.corp").unwrap(), "vault.corp").await);
        for name in ["localhost", "intranet", "vault.corp", "metadata.google.internal", "Printer.LOCAL."] {
            assert!(is_name_inside(name), "{name}");
        }
        assert!(!is_name_inside("api.example.com"));
    }
}
