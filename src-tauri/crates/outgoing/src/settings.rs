//! An HTTP client with its authorities, proxy, egress policy and timeouts.

use crate::egress::{AddressNotAllowed, EgressPolicy, Names, look_up, may_go_by_proxy};
use crate::fault::{Fault, FaultKind};
use crate::trust::Authorities;
use reqwest::redirect::Policy;
use reqwest::{Client, Method, NoProxy, Proxy, RequestBuilder, Response};
use rustls::ClientConfig;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use url::{Host, Url};

/// Network settings of outgoing connections.
#[derive(Debug, Clone)]
pub struct OutgoingSettings {
    /// Authorities in addition to Mozilla's list.
    pub authorities: Authorities,
    /// URL of an HTTP proxy, which may include credentials. The proxy then resolves names; names that resolve on this machine are checked before.
    pub proxy: Option<Url>,
    /// Hosts reached without the proxy: names (including subdomains), addresses, networks such as `10.0.0.0/8`, or `*`; separated by commas.
    pub beside_proxy: String,
    /// The allowed destinations; the default is the public network.
    pub egress: EgressPolicy,
    /// Connection timeout.
    pub connecting: Duration,
    /// Timeout for the next byte of a response.
    pub silence: Duration,
}

impl Default for OutgoingSettings {
    fn default() -> Self {
        Self {
            authorities: Authorities::default(),
            proxy: None,
            beside_proxy: String::new(),
            egress: EgressPolicy::public(),
            connecting: Duration::from_secs(10),
            silence: Duration::from_secs(30),
        }
    }
}

impl OutgoingSettings {
    /// Creates a client. That is cheap compared to a connection; keep the client where connections should be reused.
    pub fn open(&self) -> Result<Outgoing, Fault> {
        self.open_with(self.authorities.client_config())
    }

    /// The addresses for a connection other than HTTP, such as mail: all addresses of the host, resolved and checked now; the caller must connect
    /// to one of them, so that the name is not resolved again. No proxy is used: an HTTP proxy does not forward mail.
    pub async fn addresses(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, Fault> {
        let found = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(written) if self.egress.allows(host, written) => vec![SocketAddr::new(written, port)],
            Ok(_) => return Err(Fault::inside(host)),
            Err(_) => look_up(&self.egress, host).await.map_err(|fault| {
                if fault.is::<AddressNotAllowed>() { Fault::inside(host) } else { Fault::no_such_name(host) }
            })?,
        };
        if found.is_empty() {
            return Err(Fault::no_such_name(host));
        }
        Ok(found.into_iter().map(|address| SocketAddr::new(address.ip(), port)).collect())
    }

    fn proxy_name(&self) -> Option<String> {
        self.proxy.as_ref().and_then(Url::host_str).map(str::to_owned)
    }

    /// Creates a client with the given TLS configuration.
    pub(crate) fn open_with(&self, tls: ClientConfig) -> Result<Outgoing, Fault> {
        let mut builder = Client::builder()
            .tls_backend_preconfigured(tls)
            .dns_resolver(Arc::new(Names { egress: self.egress.clone(), proxy: self.proxy_name() }))
            .redirect(Policy::none())
            .connect_timeout(self.connecting)
            .read_timeout(self.silence)
            .user_agent(concat!("quarterdeck/", env!("CARGO_PKG_VERSION")))
            .no_proxy();
        if let Some(proxy) = &self.proxy {
            let proxy = Proxy::all(proxy.clone()).map_err(|_| {
                Fault::new(
                    FaultKind::Address,
                    "The proxy's address cannot be used; expected http://host:port.".to_owned(),
                )
            })?;
            builder = builder.proxy(proxy.no_proxy(NoProxy::from_string(&self.beside_proxy)));
        }
        let client = builder.build().map_err(|fault| Fault::of(&fault, "the network"))?;
        Ok(Outgoing { client, egress: self.egress.clone(), has_proxy: self.proxy.is_some() })
    }
}

/// Parses the URL of an HTTP proxy as a user enters it: `http://host:port`, which may include credentials.
pub fn proxy(typed: &str) -> Result<Url, NotAProxy> {
    let url = Url::parse(typed).map_err(|error| NotAProxy(format!("is not a URL ({error})")))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(NotAProxy(format!("begins with {}:", url.scheme())));
    }
    Ok(url)
}

/// A text that is not the URL of a proxy. Does not contain the text, which may include a password.
#[derive(Debug, thiserror::Error)]
#[error("{0}: expected http://host:port or http://name:password@host:port")]
pub struct NotAProxy(String);

/// An HTTP client for outgoing requests.
#[derive(Debug, Clone)]
pub struct Outgoing {
    client: Client,
    egress: EgressPolicy,
    has_proxy: bool,
}

impl Outgoing {
    /// A request to that URL, not sent yet. Refuses schemes other than http and https, credentials in the URL (they end up in logs), and IP
    /// addresses that are not allowed.
    pub fn request(&self, method: Method, address: &Url) -> Result<RequestBuilder, Fault> {
        if !matches!(address.scheme(), "http" | "https") {
            return Err(Fault::new(
                FaultKind::Address,
                format!(
                    "Expected an address that begins with https:// (or http://), got one that begins with {}:.",
                    address.scheme()
                ),
            ));
        }
        if !address.username().is_empty() || address.password().is_some() {
            return Err(Fault::new(FaultKind::Address, "Expected an address without a name or password in it; give them in the fields made for them.".to_owned()));
        }
        let written: Option<IpAddr> = match address.host() {
            Some(Host::Ipv4(address)) => Some(address.into()),
            Some(Host::Ipv6(address)) => Some(address.into()),
            _ => None,
        };
        let host = address.host_str().unwrap_or_default();
        if written.is_some_and(|written| !self.egress.allows(host, written)) {
            return Err(Fault::inside(host));
        }
        Ok(self.client.request(method, address.clone()))
    }

    /// Sends the request. A response of any status is a success.
    pub async fn send(&self, request: RequestBuilder) -> Result<Response, Fault> {
        let request = request.build().map_err(|fault| Fault::of(&fault, "the network"))?;
        let host = request.url().host_str().unwrap_or_default().to_owned();
        // Without a proxy, the name is checked by the resolver of this client.
        let is_name = matches!(request.url().host(), Some(Host::Domain(_)));
        if self.has_proxy && is_name && !may_go_by_proxy(&self.egress, &host).await {
            return Err(Fault::inside(&host));
        }
        self.client.execute(request).await.map_err(|fault| Fault::of(&fault, &host))
    }

    /// Whether the text of a response may be quoted in messages: [`EgressPolicy::may_be_quoted`]. A response through a proxy is judged by the host
    /// name.
    pub fn may_be_quoted(&self, answer: &Response) -> bool {
        let host = answer.url().host_str().unwrap_or_default();
        match (answer.url().host(), answer.remote_addr()) {
            (Some(Host::Ipv4(address)), _) => self.egress.may_be_quoted(host, address.into()),
            (Some(Host::Ipv6(address)), _) => self.egress.may_be_quoted(host, address.into()),
            (_, Some(address)) if !self.has_proxy => self.egress.may_be_quoted(host, address.ip()),
            _ => self.egress.names(host),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(egress: EgressPolicy, address: &str) -> String {
        let way = OutgoingSettings { egress, ..OutgoingSettings::default() }.open().unwrap();
        way.request(Method::GET, &address.parse().unwrap()).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn written_addresses_out_of_reach_are_refused_before_anything_is_sent() {
        for address in [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f.1/",
            "https://[::1]:8443/",
            "http://169.254.169.254/latest",
        ] {
            assert!(refusal(EgressPolicy::public(), address).contains("private network"), "{address}");
        }
    }

    #[tokio::test]
    async fn what_is_no_http_meets_the_same_policy() {
        let of = async |egress: EgressPolicy, host: &str| {
            let way = OutgoingSettings { egress, ..OutgoingSettings::default() };
            way.addresses(host, 25).await.map_err(|fault| fault.trouble)
        };
        for host in ["127.0.0.1", "[::1]", "localhost", "169.254.169.254"] {
            assert_eq!(of(EgressPolicy::public(), host).await, Err(FaultKind::Inside), "{host}");
        }
        assert_eq!(
            of(EgressPolicy::of_instance(), "127.0.0.1").await,
            Ok(vec!["127.0.0.1:25".parse().unwrap()])
        );
        assert_eq!(of(EgressPolicy::public(), "nobody.invalid").await, Err(FaultKind::Name));
    }

    #[test]
    fn other_schemes_and_passwords_in_addresses_are_refused() {
        assert!(refusal(EgressPolicy::anywhere(), "file:///etc/passwd").contains("begins with file:"));
        assert!(
            refusal(EgressPolicy::anywhere(), "https://me:secret@example.org/")
                .contains("without a name or password")
        );
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_is_refused_when_it_is_looked_up() {
        let way = OutgoingSettings::default().open().unwrap();
        let request = way.request(Method::GET, &"http://localhost:9/".parse().unwrap()).unwrap();
        let fault = way.send(request).await.unwrap_err();
        assert_eq!(fault.trouble, FaultKind::Inside, "{fault}");
    }

    #[tokio::test]
    async fn a_proxy_inside_is_reached_by_its_name_and_nothing_beside_it() {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let inside = Some(proxy(&format!("http://localhost:{}", free.port())).unwrap());
        let way = OutgoingSettings {
            proxy: inside,
            beside_proxy: "ip6-localhost".to_owned(),
            ..OutgoingSettings::default()
        };
        let way = way.open().unwrap();
        let fault = async |address: &str| {
            let request = way.request(Method::GET, &address.parse().unwrap()).unwrap();
            way.send(request).await.unwrap_err().trouble
        };
        assert_eq!(fault("http://sso.example.com/").await, FaultKind::Connection, "nobody listens there");
        assert_ne!(fault("http://ip6-localhost/").await, FaultKind::Connection);
    }

    #[test]
    fn what_is_no_proxy_is_refused_without_its_password() {
        for (typed, words) in [
            ("proxy:3128", "begins with proxy:"),
            ("http://", "is not a URL"),
            ("socks5://u:secret@p:1", "begins with socks5:"),
        ] {
            let fault = proxy(typed).unwrap_err().to_string();
            assert!(
                fault.starts_with(words)
                    && fault.contains("expected http://host:port")
                    && !fault.contains("secret"),
                "{fault}"
            );
        }
    }

    #[tokio::test]
    async fn nobody_listening_is_said_in_words() {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let way = OutgoingSettings { egress: EgressPolicy::anywhere(), ..OutgoingSettings::default() }
            .open()
            .unwrap();
        let request = way.request(Method::GET, &format!("http://{free}/").parse().unwrap()).unwrap();
        let fault = way.send(request).await.unwrap_err();
        assert_eq!(fault.trouble, FaultKind::Connection, "{fault}");
        assert!(fault.to_string().contains("127.0.0.1"), "{fault}");
    }
}
