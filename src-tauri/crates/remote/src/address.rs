//! The address of an instance: an origin, encrypted unless it is this computer or the user accepts plain HTTP.

use url::{Host, Url};

/// Why an address cannot be used for an instance.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error("{found:?} is not a URL. Enter a full URL, such as https://console.example.com")]
    NotAnAddress { found: String },
    #[error("The address holds a name or a password. Leave them out: you sign in in the browser")]
    Credentials,
    #[error("The address goes on after the host. Leave out {found:?}: only the origin is needed")]
    MoreThanOrigin { found: String },
    /// The user may accept this.
    #[error(
        "http:// is not encrypted: everybody on the way to {host} can read and change what you see, and take your sign-in. Use https://, or accept this for a network you trust"
    )]
    Plain { host: String },
    #[error("The proxy's address is not one. Expected http://host:port or http://name:password@host:port")]
    Proxy,
}

/// The origin of an instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstanceOrigin(Url);

impl InstanceOrigin {
    /// Parses the address entered by a user. The default scheme is https.
    pub fn read(typed: &str, plain_accepted: bool) -> Result<Self, AddressError> {
        let typed = typed.trim();
        let no_address = || AddressError::NotAnAddress { found: typed.chars().take(80).collect() };
        let text = if typed.contains("://") { typed.to_owned() } else { format!("https://{typed}") };
        let url = Url::parse(&text).map_err(|_| no_address())?;
        if !matches!(url.scheme(), "https" | "http") {
            return Err(no_address());
        }
        let Some(host) = url.host() else { return Err(no_address()) };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::Credentials);
        }
        let more = &url[url::Position::BeforePath..];
        if !matches!(more, "" | "/") {
            return Err(AddressError::MoreThanOrigin { found: more.chars().take(80).collect() });
        }
        if url.scheme() == "http" && !plain_accepted && !is_loopback(&host) {
            return Err(AddressError::Plain { host: host.to_string() });
        }
        Ok(Self(url))
    }

    /// The URL of a path at the instance; `path` begins with `/`.
    pub fn at(&self, path: &str) -> Option<Url> {
        let url = self.0.join(path).ok()?;
        // The path comes from a page and must not lead to another origin.
        (url.origin() == self.0.origin()).then_some(url)
    }

    /// The origin, such as `https://console.example.com`.
    pub fn text(&self) -> String {
        self.0.as_str().trim_end_matches('/').to_owned()
    }

    /// The host name, such as `console.example.com`.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    pub fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }
}

/// Whether the host is a loopback address. Names are not resolved, since DNS may return anything, except for the reserved `localhost`.
fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
        Host::Domain(name) => *name == "localhost",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_read_as_people_type_it() {
        for (typed, text) in [
            ("https://console.example.com", "https://console.example.com"),
            (" console.example.com/ ", "https://console.example.com"),
            ("HTTPS://Console.Example.com:443", "https://console.example.com"),
            ("10.20.0.8:8443", "https://10.20.0.8:8443"),
            ("http://127.0.0.1:8790", "http://127.0.0.1:8790"),
            ("http://localhost:8790/", "http://localhost:8790"),
        ] {
            assert_eq!(InstanceOrigin::read(typed, false).unwrap().text(), text, "{typed}");
        }
    }

    #[test]
    fn what_is_no_origin_is_refused_with_the_reason() {
        let why = |typed| InstanceOrigin::read(typed, false).unwrap_err();
        assert!(matches!(why("ftp://example.com"), AddressError::NotAnAddress { .. }));
        assert!(matches!(why(""), AddressError::NotAnAddress { .. }));
        assert!(matches!(why("https://me:secret@example.com"), AddressError::Credentials));
        assert!(matches!(why("https://example.com/console"), AddressError::MoreThanOrigin { .. }));
        assert!(matches!(why("https://example.com/?a"), AddressError::MoreThanOrigin { .. }));
    }

    #[test]
    fn without_encryption_only_this_computer_or_after_a_plain_word() {
        for typed in [
            "http://example.com",
            "http://10.0.0.1",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com",
        ] {
            assert!(matches!(InstanceOrigin::read(typed, false), Err(AddressError::Plain { .. })), "{typed}");
            assert!(InstanceOrigin::read(typed, true).is_ok(), "{typed}");
        }
    }

    #[test]
    fn a_path_never_leads_to_another_host() {
        let place = InstanceOrigin::read("https://console.example.com", false).unwrap();
        assert_eq!(place.at("/api/about?a=b").unwrap().as_str(), "https://console.example.com/api/about?a=b");
        for path in ["//evil.example/api", "/\\evil.example/", "https://evil.example/", "\\\\evil.example"] {
            assert!(place.at(path).is_none_or(|url| url.host_str() == Some("console.example.com")), "{path}");
        }
    }
}
