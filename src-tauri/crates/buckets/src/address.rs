//! The address of objects, as a user types it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// The storage provider, or the API that the storage is compatible with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BucketKind")]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Amazon S3 and compatible storage: MinIO, Ceph, R2 …
    S3,
    Azure,
    Google,
}

impl Kind {
    /// The service's name for display.
    pub fn title(self) -> &'static str {
        match self {
            Self::S3 => "S3",
            Self::Azure => "Azure Blob Storage",
            Self::Google => "Google Cloud Storage",
        }
    }
}

/// A bucket or container, and a folder in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    pub kind: Kind,
    /// The storage account (Azure only; empty otherwise).
    pub account: String,
    /// The bucket, or the container on Azure.
    pub bucket: String,
    /// The folder of the objects, without leading or trailing slash; empty for the whole bucket.
    pub folder: String,
    /// The URL of the service, if it is not the provider's own.
    pub endpoint: Option<Url>,
    /// The region (S3 only); `us-east-1` by default.
    pub region: Option<String>,
}

/// A text that is not a valid bucket address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAnAddress(String);

const EXPECTED: &str = "expected s3://BUCKET/FOLDER, gs://BUCKET/FOLDER, abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/FOLDER or \
                        https://ACCOUNT.blob.core.windows.net/CONTAINER/FOLDER";

impl Address {
    /// Parses an address, with the endpoint and region where needed (empty otherwise).
    pub fn parse(typed: &str, endpoint: &str, region: &str) -> Result<Self, NotAnAddress> {
        let url = Url::parse(typed.trim())
            .map_err(|error| wrong(format!("The address is none ({error}): {EXPECTED}")))?;
        if url.query().is_some() || url.fragment().is_some() || url.password().is_some() {
            return Err(wrong(format!(
                "The address holds more than a place; a SAS token or password belongs in the field for the secret: {EXPECTED}"
            )));
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        let path = percent_decoded(url.path());
        let path = path.trim_matches('/');
        let (kind, account, bucket, folder) = match url.scheme() {
            "s3" | "s3a" => (Kind::S3, String::new(), host, path.to_owned()),
            "gs" => (Kind::Google, String::new(), host, path.to_owned()),
            "abfs" | "abfss" => {
                let account = host.split('.').next().unwrap_or_default().to_owned();
                (Kind::Azure, account, url.username().to_owned(), path.to_owned())
            }
            "https" if is_azure(&host) => {
                let account = host.split('.').next().unwrap_or_default().to_owned();
                let (container, folder) = path.split_once('/').unwrap_or((path, ""));
                (Kind::Azure, account, container.to_owned(), folder.to_owned())
            }
            other => return Err(wrong(format!("The address begins with {other}: — {EXPECTED}"))),
        };
        let name = |text: &str| {
            (1..=255).contains(&text.len())
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.$".contains(&byte))
        };
        if !name(&bucket) || (kind == Kind::Azure && !name(&account)) {
            return Err(wrong(format!("The address names no bucket: {EXPECTED}")));
        }
        let region = region.trim();
        if !region.is_empty() && !name(region) {
            return Err(wrong(format!("`{region}` is no region: expected one such as eu-central-1")));
        }
        Ok(Self {
            kind,
            account,
            bucket,
            folder: folder.trim_matches('/').to_owned(),
            endpoint: endpoint_of(endpoint, kind)?,
            region: (!region.is_empty()).then(|| region.to_owned()),
        })
    }

    /// The address for display; [`Self::parse`] accepts it.
    pub fn to_display(&self) -> String {
        let place = match self.kind {
            Kind::S3 => format!("s3://{}", self.bucket),
            Kind::Google => format!("gs://{}", self.bucket),
            Kind::Azure => format!("https://{}.blob.core.windows.net/{}", self.account, self.bucket),
        };
        if self.folder.is_empty() { place } else { format!("{place}/{}", self.folder) }
    }

    /// The service a stored secret is bound to. The secret is never sent to another service.
    pub fn secret_scope(&self) -> String {
        let endpoint = self.endpoint.as_ref().map(|endpoint| endpoint.origin().ascii_serialization());
        format!("{} {} {}", self.kind.title(), self.account, endpoint.unwrap_or_default())
    }
}

fn wrong(text: String) -> NotAnAddress {
    NotAnAddress(text)
}

fn is_azure(host: &str) -> bool {
    [
        ".blob.core.windows.net",
        ".dfs.core.windows.net",
        ".blob.core.chinacloudapi.cn",
        ".blob.core.usgovcloudapi.net",
    ]
    .iter()
    .any(|end| host.ends_with(end))
}

/// Decodes `%20` and similar escapes: folder names may contain spaces.
fn percent_decoded(path: &str) -> String {
    url::form_urlencoded::parse(path.replace('+', "%2B").replace('&', "%26").replace('=', "%3D").as_bytes())
        .map(|(name, _)| name.into_owned())
        .collect()
}

/// Parses the URL of a service. Plain HTTP is accepted only for S3, which signs requests and never sends the secret, and for this machine.
fn endpoint_of(typed: &str, kind: Kind) -> Result<Option<Url>, NotAnAddress> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Ok(None);
    }
    let url = Url::parse(typed)
        .map_err(|_| wrong("The endpoint is not a full URL: expected https://HOST:PORT".to_owned()))?;
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let may_be_plain = is_here || kind == Kind::S3;
    if !(url.scheme() == "https" || url.scheme() == "http" && may_be_plain) || !url.has_host() {
        return Err(wrong("The endpoint is not encrypted: expected https://HOST:PORT".to_owned()));
    }
    if url.password().is_some() || !url.username().is_empty() || url.query().is_some() {
        return Err(wrong("The endpoint holds more than an address: expected https://HOST:PORT".to_owned()));
    }
    Ok(Some(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(typed: &str) -> Result<Address, NotAnAddress> {
        Address::parse(typed, "", "")
    }

    #[test]
    fn what_people_copy_from_their_consoles_is_an_address() {
        for (typed, shown) in [
            ("s3://bills/cur/acme/", "s3://bills/cur/acme"),
            ("gs://bills", "gs://bills"),
            (
                "abfss://exports@acme.dfs.core.windows.net/cost",
                "https://acme.blob.core.windows.net/exports/cost",
            ),
            (
                "https://acme.blob.core.windows.net/exports/my%20cost",
                "https://acme.blob.core.windows.net/exports/my cost",
            ),
        ] {
            assert_eq!(read(typed).unwrap().to_display(), shown);
        }
        let address = read("s3://bills/a=b+c&d").unwrap();
        assert_eq!(address.folder, "a=b+c&d");
    }

    #[test]
    fn what_is_no_address_is_refused_without_repeating_a_secret() {
        for (typed, words) in [
            ("bills", "is none"),
            ("ftp://bills", "begins with ftp"),
            ("s3://", "names no bucket"),
            ("https://example.com/bills", "begins with https"),
            ("https://acme.blob.core.windows.net/exports?sv=1&sig=geheim", "field for the secret"),
        ] {
            let said = read(typed).unwrap_err().to_string();
            assert!(said.contains(words) && !said.contains("geheim"), "{typed}: {said}");
        }
    }

    #[test]
    fn tokens_are_sent_over_tls_only() {
        let of = |typed: &str, endpoint: &str| Address::parse(typed, endpoint, "").map(drop);
        assert!(of("s3://bills", "http://minio.internal:9000").is_ok());
        assert!(of("gs://bills", "http://127.0.0.1:4443").is_ok());
        for (typed, endpoint) in [
            ("gs://bills", "http://example.com"),
            ("https://acme.blob.core.windows.net/x", "http://10.0.0.1:10000/acme"),
            ("s3://bills", "https://me:secret@example.com"),
            ("s3://bills", "file:///etc"),
        ] {
            assert!(of(typed, endpoint).is_err(), "{endpoint}");
        }
    }
}
