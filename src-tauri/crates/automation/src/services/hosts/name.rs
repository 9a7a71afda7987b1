//! Host names and patterns for subdomains.

use std::fmt;
use url::Host;

/// A host that a secret may be sent to: `api.github.com`, or `*.example.com` for all subdomains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostName {
    name: String,
    /// Matches the subdomains, not the name itself.
    is_below: bool,
}

impl HostName {
    /// Parses a host name or a pattern.
    ///
    /// # Errors
    /// The expected format.
    pub fn read(text: &str) -> Result<Self, String> {
        let given = text.trim().to_lowercase();
        let wrong = || {
            format!(
                "expected a host such as api.github.com, or *.example.com for all below it, found \"{}\"",
                text.trim()
            )
        };
        let (rest, is_below) = given.strip_prefix("*.").map_or((given.as_str(), false), |rest| (rest, true));
        let name = normal(rest).ok_or_else(wrong)?;
        // `*.com` would match nearly everything.
        let is_address = name.parse::<std::net::IpAddr>().is_ok() || name.starts_with('[');
        if is_below && (is_address || !name.contains('.')) {
            return Err(wrong());
        }
        Ok(Self { name, is_below })
    }

    /// Whether a host matches.
    pub fn allows(&self, host: &str) -> bool {
        let Some(host) = normal(host) else { return false };
        if self.is_below {
            host.strip_suffix(&self.name).is_some_and(|below| below.len() > 1 && below.ends_with('.'))
        } else {
            host == self.name
        }
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_below { "*." } else { "" }, self.name)
    }
}

/// The host as in requests: internationalised names encoded (punycode), no trailing dot.
fn normal(host: &str) -> Option<String> {
    let host = host.trim().trim_end_matches('.');
    let is_plain = !host.is_empty() && !host.contains(['/', '@', '*', '?', '#', ' ']);
    Host::parse(host).ok().filter(|_| is_plain).map(|host| host.to_string())
}

/// Whether a host is this computer or a literal private address.
pub(super) fn is_inside(host: &str) -> bool {
    match Host::parse(host.trim().trim_end_matches('.')) {
        Ok(Host::Ipv4(address)) => address.is_loopback() || address.is_private(),
        Ok(Host::Ipv6(address)) => address.is_loopback() || address.is_unique_local(),
        Ok(Host::Domain(name)) => name == "localhost",
        Err(_) => false,
    }
}

/// Top-level names used only in internal networks.
const INSIDE: [&str; 9] =
    ["arpa", "corp", "home", "internal", "intranet", "lan", "local", "localhost", "private"];

/// Whether a host is, judging only by its name or address, this computer or in an internal network. Tasks reach it only if the administrator allows
/// that.
pub(super) fn leads_inside(host: &str) -> bool {
    match Host::parse(host.trim().trim_end_matches('.')) {
        Ok(Host::Ipv4(address)) => {
            let [first, second, ..] = address.octets();
            is_inside(host)
                || address.is_link_local()
                || first == 0
                || (first == 100 && (64..128).contains(&second))
        }
        Ok(Host::Ipv6(address)) => {
            is_inside(host) || address.is_unicast_link_local() || address.is_unspecified()
        }
        Ok(Host::Domain(name)) => name.rsplit_once('.').is_none_or(|(_, last)| INSIDE.contains(&last)),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{HostName, leads_inside};

    #[test]
    fn a_host_inside_is_known_by_its_name_or_address() {
        for host in [
            "localhost",
            "prometheus",
            "grafana.monitoring.svc.cluster.local",
            "10.0.0.1",
            "172.16.9.9",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "[::1]",
            "[fe80::1]",
            "[fd00::7]",
        ] {
            assert!(leads_inside(host), "{host}");
        }
        for host in ["a.example", "1.1.1.1", "[2606:4700::1111]", "api.github.com."] {
            assert!(!leads_inside(host), "{host}");
        }
    }

    #[test]
    fn a_host_is_itself_or_what_is_below() {
        for (name, host, expected) in [
            ("api.github.com", "api.github.com", true),
            ("API.github.com", "Api.GitHub.com.", true),
            ("api.github.com", "x.api.github.com", false),
            ("*.example.com", "a.example.com", true),
            ("*.example.com", "a.b.example.com", true),
            ("*.example.com", "example.com", false),
            ("*.example.com", "badexample.com", false),
            ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1", "2130706433", true),
            ("[::1]", "[::1]", true),
            ("bücher.example", "xn--bcher-kva.example", true),
        ] {
            assert_eq!(HostName::read(name).unwrap().allows(host), expected, "{name} {host}");
        }
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for text in [
            "",
            "https://a.example",
            "a.example/x",
            "*",
            "*.com",
            "a*.example",
            "*.127.0.0.1",
            "me@a.example",
        ] {
            assert!(HostName::read(text).is_err(), "{text}");
        }
        assert_eq!(HostName::read(" *.Example.com ").unwrap().to_string(), "*.example.com");
    }
}
