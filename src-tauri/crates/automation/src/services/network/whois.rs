//! Parses domain registrations (WHOIS): lines of `Key: value`, with keys that differ between registries.

use catalogue::{format_timestamp, parse_timestamp};
use serde::Serialize;

/// The server to query first.
pub const FIRST: &str = "whois.iana.org";

/// The output of `network.whois`.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Registration {
    pub domain: String,
    /// The server of the last response.
    pub server: String,
    pub registered: bool,
    /// `found`, `not_found`, `rate_limited`, `parse_error` or `lookup_failed`.
    pub status: &'static str,
    pub registrar: String,
    pub created: String,
    pub updated: String,
    /// RFC 3339; `None` if it is missing or cannot be parsed.
    pub expiry: Option<String>,
    pub nameservers: Vec<String>,
    pub domain_status: Vec<String>,
    pub registrant_country: String,
    pub raw: String,
    pub error: String,
}

/// Phrases in responses for unregistered names, in lower case.
const NOT_FOUND: [&str; 9] = [
    "no match",
    "not found",
    "no data found",
    "no entries found",
    "no object found",
    "nothing found",
    "is available for registration",
    "status: free",
    "status: available",
];
const LIMITED: [&str; 5] =
    ["limit exceeded", "quota exceeded", "too many requests", "rate limit", "try again later"];

/// Keys that registries use for each field.
const REGISTRAR: [&str; 3] = ["registrar", "sponsoring registrar", "registrar name"];
const CREATED: [&str; 5] =
    ["creation date", "created", "created on", "registered on", "domain registration date"];
const UPDATED: [&str; 5] = ["updated date", "changed", "last updated", "last-update", "last modified"];
const EXPIRY: [&str; 7] = [
    "registry expiry date",
    "registrar registration expiration date",
    "expiry date",
    "expiration date",
    "expires",
    "paid-till",
    "expire date",
];
const SERVERS: [&str; 4] = ["name server", "nserver", "nameserver", "name servers"];
const STATUS: [&str; 2] = ["domain status", "status"];
const COUNTRY: [&str; 2] = ["registrant country", "registrant country/economy"];

/// The server that a response refers to.
pub fn referral(answer: &str) -> Option<String> {
    let line = |line: &str| {
        let (key, value) = line.split_once(':')?;
        let key = key.trim().to_lowercase();
        let value = value.trim();
        let is_host = !value.is_empty()
            && value.len() <= 253
            && value.starts_with(|letter: char| letter.is_ascii_alphanumeric())
            && value.chars().all(|letter| letter.is_ascii_alphanumeric() || ".-".contains(letter));
        (is_host && matches!(key.as_str(), "refer" | "whois")).then(|| value.to_lowercase())
    };
    answer.lines().find_map(line)
}

/// Default server of a registry that the first server does not name.
pub fn usual_server(domain: &str) -> Option<String> {
    let (_, last) = domain.trim_end_matches('.').rsplit_once('.')?;
    Some(format!("whois.nic.{}", last.to_lowercase()))
}

impl Registration {
    /// A failed lookup.
    pub fn failed(domain: &str, server: &str, reason: String) -> Self {
        Self {
            domain: domain.to_owned(),
            server: server.to_owned(),
            status: "lookup_failed",
            error: reason,
            ..Self::default()
        }
    }

    /// Parses a registry's response.
    pub fn read(domain: &str, server: &str, raw: String) -> Self {
        let lines: Vec<(String, &str)> = raw
            .lines()
            .filter(|line| !line.trim_start().starts_with(['%', '#', '>']))
            .filter_map(|line| line.split_once(':'))
            .map(|(key, value)| (key.trim().to_lowercase(), value.trim()))
            .filter(|(_, value)| !value.is_empty())
            .collect();
        let all = |keys: &[&str]| -> Vec<&str> {
            lines.iter().filter(|(key, _)| keys.contains(&key.as_str())).map(|(_, value)| *value).collect()
        };
        let first = |keys: &[&str]| all(keys).first().map(|value| (*value).to_owned()).unwrap_or_default();
        let mut nameservers: Vec<String> = Vec::new();
        for server in all(&SERVERS) {
            let name =
                server.split_whitespace().next().unwrap_or_default().trim_end_matches('.').to_lowercase();
            if !name.is_empty() && !nameservers.contains(&name) {
                nameservers.push(name);
            }
        }
        let mut domain_status: Vec<String> = Vec::new();
        for status in all(&STATUS) {
            let word = status.split_whitespace().next().unwrap_or_default().to_owned();
            if !domain_status.contains(&word) {
                domain_status.push(word);
            }
        }
        let expiry = first(&EXPIRY);
        let mut found = Self {
            domain: domain.to_owned(),
            server: server.to_owned(),
            registrar: first(&REGISTRAR),
            created: time(&first(&CREATED)).unwrap_or_else(|| first(&CREATED)),
            updated: time(&first(&UPDATED)).unwrap_or_else(|| first(&UPDATED)),
            expiry: time(&expiry),
            nameservers,
            domain_status,
            registrant_country: first(&COUNTRY),
            ..Self::default()
        };
        let text = raw.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|words| text.contains(words));
        let has_record =
            !found.registrar.is_empty() || !found.created.is_empty() || !found.nameservers.is_empty();
        found.registered = has_record;
        found.status = match has_record {
            true => "found",
            false if says(&LIMITED) => "rate_limited",
            false if says(&NOT_FOUND) => "not_found",
            false => "parse_error",
        };
        found.raw = raw;
        found
    }
}

/// Converts a registry's time format to RFC 3339.
fn time(text: &str) -> Option<String> {
    let text = text.trim();
    let start = text.get(..10).unwrap_or_default().replace(['.', '/'], "-");
    let rest = text.get(10..).unwrap_or_default().trim().trim_end_matches("UTC").trim();
    let rest = rest.trim_start_matches('T');
    let whole = if rest.is_empty() { start } else { format!("{start}T{rest}") };
    let micros = parse_timestamp(&whole).or_else(|| parse_timestamp(&format!("{whole}T00:00:00Z")))?;
    Some(format!("{}Z", format_timestamp(micros).trim_end_matches('Z')))
}

#[cfg(test)]
mod tests {
    use super::{Registration, referral, usual_server};

    const VERISIGN: &str = "   Domain Name: EXAMPLE.COM\r\n   Registrar: RESERVED-Internet Assigned Numbers Authority\r\n   Updated Date: 2026-08-14T07:01:44Z\r\n   Creation Date: 1995-08-14T04:00:00Z\r\n   Registry Expiry Date: 2027-08-13T04:00:00Z\r\n   Domain Status: clientDeleteProhibited https://icann.org/epp#clientDeleteProhibited\r\n   Name Server: A.IANA-SERVERS.NET\r\n   Name Server: B.IANA-SERVERS.NET\r\n>>> Last update of whois database: 2026-11-20T06:38:00Z <<<\r\n";

    #[test]
    fn registrations_are_read() {
        let found = Registration::read("example.com", "whois.verisign-grs.com", VERISIGN.to_owned());
        assert!(found.registered);
        assert_eq!((found.status, found.expiry.as_deref()), ("found", Some("2027-08-13T04:00:00Z")));
        assert_eq!(found.created, "1995-08-14T04:00:00Z");
        assert_eq!(found.nameservers, ["a.iana-servers.net", "b.iana-servers.net"]);
        assert_eq!(found.domain_status, ["clientDeleteProhibited"]);
        let denic = "Domain: example.de\nNserver: ns1.example.de\nStatus: connect\nChanged: 2026-01-02T03:04:05+01:00\n";
        let found = Registration::read("example.de", "whois.denic.de", denic.to_owned());
        assert_eq!((found.status, found.updated.as_str()), ("found", "2026-01-02T02:04:05Z"));
        let nominet = "Registered on: 26-Jul-1996\nExpiry date: 2026.12.31\n";
        let found = Registration::read("a.uk", "whois.nic.uk", nominet.to_owned());
        assert_eq!(
            (found.created.as_str(), found.expiry.as_deref()),
            ("26-Jul-1996", Some("2026-12-31T00:00:00Z"))
        );
    }

    #[test]
    fn names_that_nobody_has_and_servers_that_are_tired_are_told_apart() {
        for (raw, status) in [
            ("No match for \"NOBODY.EXAMPLE\".", "not_found"),
            ("Domain: x.de\nStatus: free\n", "not_found"),
            ("WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG", "rate_limited"),
            ("hello", "parse_error"),
        ] {
            let found = Registration::read("a.example", "w", raw.to_owned());
            assert_eq!((found.status, found.registered), (status, false), "{raw}");
        }
    }

    #[test]
    fn a_server_leads_on_to_another() {
        assert_eq!(
            referral("% IANA\nrefer:        whois.verisign-grs.com\n").as_deref(),
            Some("whois.verisign-grs.com")
        );
        assert_eq!(referral("refer: -x\nwhois: a b\n"), None);
        assert_eq!(usual_server("shop.example.UK").as_deref(), Some("whois.nic.uk"));
        assert_eq!(usual_server("uk"), None);
    }
}
