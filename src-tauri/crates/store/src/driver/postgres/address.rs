//! Parses a PostgreSQL URL, including the TLS parameters of libpq.

use super::encryption::Encryption;
use std::path::PathBuf;
use std::str::FromStr;
use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

/// A parsed URL.
#[derive(Clone)]
pub(crate) struct Address {
    pub config: Config,
    pub(super) encryption: Encryption,
}

/// How the server is verified, as defined by libpq (PostgreSQL, "SSL Support").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

impl Mode {
    const ALL: [(&'static str, Self); 5] = [
        ("disable", Self::Disable),
        ("prefer", Self::Prefer),
        ("require", Self::Require),
        ("verify-ca", Self::VerifyCa),
        ("verify-full", Self::VerifyFull),
    ];
}

impl FromStr for Address {
    type Err = String;

    fn from_str(url: &str) -> Result<Self, String> {
        let (mut mode, mut authorities, mut others) = (None, None, Vec::new());
        let (place, query) = url.split_once('?').unwrap_or((url, ""));
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("sslmode", value)) => mode = Some(mode_of(value)?),
                Some(("sslrootcert", value)) => authorities = Some(PathBuf::from(decoded(value))),
                Some((name @ ("sslcert" | "sslkey" | "sslcrl"), _)) => {
                    return Err(format!(
                        "{name} is not supported: the person is known by a password or by the machine"
                    ));
                }
                _ => others.push(pair),
            }
        }
        let url = if others.is_empty() { place.to_owned() } else { format!("{place}?{}", others.join("&")) };
        let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| cause(&error))?;
        // By default a socket is not encrypted, and a network connection is encrypted if the server supports it.
        let mode = mode.unwrap_or(if authorities.is_some() { Mode::VerifyCa } else { Mode::Prefer });
        config.ssl_mode(match mode {
            Mode::Disable => SslMode::Disable,
            Mode::Prefer => SslMode::Prefer,
            _ => SslMode::Require,
        });
        let encryption = match (mode, authorities) {
            (Mode::Disable, _) => Encryption::none(),
            // As in libpq: if a root certificate is given, `require` verifies the server's certificate against it.
            (Mode::Prefer | Mode::Require, None) => Encryption::unproved(),
            (Mode::Prefer | Mode::Require | Mode::VerifyCa, authorities) => {
                Encryption::by_authority(authorities.as_deref())?
            }
            (Mode::VerifyFull, authorities) => Encryption::by_name(authorities.as_deref())?,
        };
        Ok(Self { config, encryption })
    }
}

fn mode_of(value: &str) -> Result<Mode, String> {
    let found = Mode::ALL.iter().find(|(name, _)| *name == value).map(|(_, mode)| *mode);
    found.ok_or_else(|| {
        let known: Vec<&str> = Mode::ALL.iter().map(|(name, _)| *name).collect();
        format!("sslmode={value} is not known: expected one of {}", known.join(", "))
    })
}

/// Decodes percent escapes in a value of the URL.
fn decoded(value: &str) -> String {
    let pair = format!("v={}", value.replace('+', "%2B"));
    url::form_urlencoded::parse(pair.as_bytes())
        .next()
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

/// The parser's message without "invalid configuration".
fn cause(error: &tokio_postgres::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::Address;
    use tokio_postgres::config::SslMode;

    fn mode(url: &str) -> SslMode {
        url.parse::<Address>().ok().unwrap().config.get_ssl_mode()
    }

    fn refused(url: &str) -> String {
        url.parse::<Address>().err().unwrap()
    }

    #[test]
    fn what_is_said_about_encryption_is_read() {
        assert_eq!(mode("postgres://a@b/c"), SslMode::Prefer);
        assert_eq!(mode("postgres://a@b/c?sslmode=disable"), SslMode::Disable);
        assert_eq!(mode("postgres://a@b/c?connect_timeout=3&sslmode=require"), SslMode::Require);
        assert_eq!(mode("postgres://a@b/c?sslmode=verify-full"), SslMode::Require);
        assert!(refused("postgres://a@b/c?sslmode=verify").contains("expected one of disable, prefer"));
        assert!(refused("postgres://a@b/c?sslcert=x").contains("sslcert is not supported"));
        assert!(
            refused("postgres://a@b/c?sslmode=verify-ca&sslrootcert=%2Fno+where").contains("\"/no+where\"")
        );
        assert!(refused("postgres://a@b/c?color=red").contains("color"));
    }
}
