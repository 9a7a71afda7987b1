//! The proxy of an instance. Its address is stored in plain text, its credentials are encrypted.

use crate::address::AddressError;
use crate::{Instance, RemoteError};
use std::fmt;
use url::Url;

/// Encrypts secrets for the database and decrypts them. An error is a message. Both functions block the thread.
pub trait Seal: Send + Sync {
    fn seal(&self, secret: &str) -> Result<String, String>;
    fn open(&self, sealed: &str) -> Result<String, String>;
}

/// A proxy, as entered by a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proxy {
    /// Such as `http://proxy.example.com:3128/`, without credentials.
    pub address: Url,
    pub credentials: Option<Credentials>,
}

/// User name and password as `name:password`, both percent-encoded as in a URL. They are never displayed.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials(String);

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials")
    }
}

impl Credentials {
    pub(crate) fn sealed(&self, seal: &dyn Seal) -> Result<String, RemoteError> {
        seal.seal(&self.0).map_err(|why| RemoteError::Proxy { why })
    }

    pub(crate) fn open(seal: &dyn Seal, sealed: &str) -> Result<Self, String> {
        seal.open(sealed).map(Self)
    }
}

impl Proxy {
    /// Parses the address entered by a user; `None` if it is empty.
    pub fn read(typed: Option<&str>) -> Result<Option<Self>, AddressError> {
        let Some(typed) = typed.map(str::trim).filter(|typed| !typed.is_empty()) else { return Ok(None) };
        let mut address = Url::parse(typed).map_err(|_| AddressError::Proxy)?;
        if !matches!(address.scheme(), "http" | "https") || !address.has_host() {
            return Err(AddressError::Proxy);
        }
        let password = address.password().unwrap_or_default();
        let credentials = (!address.username().is_empty())
            .then(|| Credentials(format!("{}:{password}", address.username())));
        if credentials.is_none() && !password.is_empty() {
            return Err(AddressError::Proxy);
        }
        address
            .set_username("")
            .and_then(|()| address.set_password(None))
            .map_err(|()| AddressError::Proxy)?;
        Ok(Some(Self { address, credentials }))
    }

    /// The complete URL with credentials, to open a connection.
    pub(crate) fn url(&self) -> Result<Url, AddressError> {
        let mut url = self.address.clone();
        if let Some((name, password)) = self.credentials.as_ref().and_then(|given| given.0.split_once(':')) {
            url.set_username(name)
                .and_then(|()| url.set_password(Some(password)))
                .map_err(|()| AddressError::Proxy)?;
        }
        Ok(url)
    }
}

impl Instance {
    /// Whether credentials for the proxy are stored.
    pub fn proxy_signs_in(&self) -> bool {
        self.proxy_secret.is_some()
    }

    /// The proxy for the instance, if there is one.
    pub(crate) fn way_out(&self) -> Result<Option<Proxy>, RemoteError> {
        let Some(mut proxy) = Proxy::read(self.proxy.as_deref())? else { return Ok(None) };
        proxy.credentials = match &self.credentials {
            None => None,
            Some(Ok(credentials)) => Some(credentials.clone()),
            Some(Err(why)) => return Err(RemoteError::Proxy { why: why.clone() }),
        };
        Ok(Some(proxy))
    }
}

#[cfg(test)]
mod tests {
    use super::Proxy;

    #[test]
    fn a_name_and_a_password_are_taken_out_of_the_address_and_put_back_for_the_way() {
        let proxy = Proxy::read(Some(" http://ada:s%40cret@proxy.example.com:3128 ")).unwrap().unwrap();
        assert_eq!(proxy.address.as_str(), "http://proxy.example.com:3128/");
        assert_eq!(proxy.url().unwrap().as_str(), "http://ada:s%40cret@proxy.example.com:3128/");
        assert!(!format!("{proxy:?}").contains("cret"), "{proxy:?}");
    }

    #[test]
    fn what_is_no_proxy_is_refused_without_its_password() {
        for typed in
            ["socks5://proxy.example.com", "proxy.example.com:3128", "http://:secret@proxy.example.com"]
        {
            let why = Proxy::read(Some(typed)).unwrap_err().to_string();
            assert!(
                why.contains("http://name:password@host:port") && !why.contains("secret"),
                "{typed}: {why}"
            );
        }
        assert_eq!(Proxy::read(Some("  ")).unwrap(), None);
    }
}
