//! Parses the metadata of an identity provider, and writes the metadata of this service.

use super::cause::Rejection;
use super::certificate::{self, Certificate};
use super::document;
use super::structure::{DSIG, PROTOCOL, children, is, text_of};
use super::time;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use roxmltree::Node;
use std::fmt::Write;

const METADATA: &str = "urn:oasis:names:tc:SAML:2.0:metadata";
const REDIRECT: &str = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";
/// The NameID format to register (contract).
pub const NAME_ID_FORMAT: &str = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

/// Maximum size of metadata, in bytes. That of one provider is 5 to 100 kB.
pub const MAX_BYTES: usize = 2 * 1024 * 1024;

/// An identity provider described by its metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdpMetadata {
    pub entity_id: String,
    /// The address to redirect browsers to.
    pub entry_point: String,
    /// The bindings it offers for sign-in.
    pub bindings: Vec<String>,
    pub certificates: Vec<Certificate>,
    pub name_id_formats: Vec<String>,
    /// µs since 1970 UTC.
    pub valid_until: Option<i64>,
    /// The provider accepts signed requests only.
    pub wants_signed_requests: bool,
    pub warnings: Vec<String>,
}

/// Why metadata cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    #[error("This is not metadata of an identity provider: {0}")]
    Unreadable(String),
    #[error(
        "This is a web page, not metadata: expected XML that begins with EntityDescriptor. The address may be the one of a page about \
         the provider, or of one that asks for a sign-in first"
    )]
    WebPage,
    #[error("This is metadata of a service, not of an identity provider: expected an IDPSSODescriptor")]
    OfAService,
    #[error(
        "The metadata describes {0} identity providers: choose one and hand in its EntityDescriptor alone"
    )]
    Several(usize),
    #[error("The metadata has no {0}")]
    Lacks(&'static str),
    #[error("The identity provider offers no sign-on by redirect (HTTP-Redirect); it offers {0}")]
    NoRedirect(String),
    #[error("A certificate of the metadata cannot be read: {0}")]
    Certificate(String),
}

/// Parses metadata. Its signature is not checked: an administrator reviews a preview before it is used.
pub fn parse(text: &str, now: i64) -> Result<IdpMetadata, MetadataError> {
    if is_web_page(text) {
        return Err(MetadataError::WebPage);
    }
    let text = without_comments(text.trim_start_matches('\u{feff}').trim());
    let refused = |refused: Rejection| {
        let more = refused.received.map_or(String::new(), |received| format!(" ({received})"));
        MetadataError::Unreadable(format!(
            "{}{more}",
            refused.cause.message().replacen("The answer", "it", 1)
        ))
    };
    let document = document::parse_up_to(&text, MAX_BYTES).map_err(refused)?;
    let (entity, idp) = find(document.root_element())?;
    let entity_id = entity.attribute("entityID").map(str::trim).filter(|id| !id.is_empty());
    let services: Vec<Node<'_, '_>> = children(idp, METADATA, "SingleSignOnService").collect();
    let bindings: Vec<String> =
        services.iter().filter_map(|service| service.attribute("Binding")).map(str::to_owned).collect();
    let redirect = services.iter().find(|service| service.attribute("Binding") == Some(REDIRECT));
    let entry_point = match redirect.and_then(|service| service.attribute("Location")) {
        Some(location) => location.trim().to_owned(),
        None if bindings.is_empty() => return Err(MetadataError::Lacks("SingleSignOnService")),
        None => return Err(MetadataError::NoRedirect(bindings.join(", "))),
    };
    let mut warnings = Vec::new();
    let certificates = certificates(idp)?;
    if certificates.iter().all(|one| one.is_expired(now)) {
        warnings.push("Every certificate in it has expired".to_owned());
    }
    let valid_until =
        [idp, entity].iter().find_map(|node| node.attribute("validUntil")).and_then(time::parse);
    if let Some(ends) = valid_until.filter(|ends| *ends < now) {
        warnings.push(format!("It was valid until {} only", time::text(ends)));
    }
    if !idp
        .attribute("protocolSupportEnumeration")
        .is_some_and(|list| list.split_whitespace().any(|one| one == PROTOCOL))
    {
        warnings.push("It does not say that the provider speaks SAML 2.0".to_owned());
    }
    let wants_signed_requests = matches!(idp.attribute("WantAuthnRequestsSigned"), Some("true" | "1"));
    if wants_signed_requests {
        warnings.push(
            "The provider answers signed requests only: signing is switched on with these values. Register the metadata of this service there \
             again, which then holds its certificate"
                .to_owned(),
        );
    }
    Ok(IdpMetadata {
        entity_id: entity_id.ok_or(MetadataError::Lacks("entityID"))?.to_owned(),
        entry_point,
        bindings,
        certificates,
        name_id_formats: children(idp, METADATA, "NameIDFormat").map(text_of).collect(),
        valid_until,
        wants_signed_requests,
        warnings,
    })
}

/// The only identity provider in the metadata, with its sign-in descriptor.
fn find<'a, 'input>(root: Node<'a, 'input>) -> Result<(Node<'a, 'input>, Node<'a, 'input>), MetadataError> {
    let entities: Vec<Node<'a, 'input>> =
        root.descendants().filter(|node| is(*node, METADATA, "EntityDescriptor")).collect();
    if entities.is_empty() {
        let found = root.tag_name().name().to_owned();
        return Err(MetadataError::Unreadable(format!("expected an EntityDescriptor, found {found}")));
    }
    let providers: Vec<_> = entities
        .iter()
        .filter_map(|entity| Some((*entity, children(*entity, METADATA, "IDPSSODescriptor").next()?)))
        .collect();
    match providers.as_slice() {
        [one] => Ok(*one),
        [] => Err(MetadataError::OfAService),
        several => Err(MetadataError::Several(several.len())),
    }
}

fn certificates(idp: Node<'_, '_>) -> Result<Vec<Certificate>, MetadataError> {
    let mut all: Vec<Certificate> = Vec::new();
    for key in
        children(idp, METADATA, "KeyDescriptor").filter(|key| key.attribute("use") != Some("encryption"))
    {
        for node in key.descendants().filter(|node| is(*node, DSIG, "X509Certificate")) {
            let read = certificate::parse_all(&text_of(node))
                .map_err(|error| MetadataError::Certificate(error.to_string()))?;
            all.extend(
                read.into_iter()
                    .filter(|one| all.iter().all(|known| known.der != one.der))
                    .collect::<Vec<_>>(),
            );
        }
    }
    if all.is_empty() { Err(MetadataError::Lacks("certificate for signing")) } else { Ok(all) }
}

fn is_web_page(text: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_start().get(..14).unwrap_or_default().to_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// Removes comments. Metadata written by people may contain them; responses may not.
fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        plain.push_str(before);
        let Some((_, after)) = after.split_once("-->") else {
            // Not changed: the parser reports the error.
            plain.push_str("<!--");
            rest = after;
            break;
        };
        rest = after;
    }
    plain.push_str(rest);
    plain
}

/// The metadata of this service for the provider. `certificate` is that of the request signing key, if there is one; `signs` states that requests
/// are signed.
pub fn of_service(entity_id: &str, acs_url: &str, certificate: Option<&Certificate>, signs: bool) -> String {
    let (entity_id, acs_url) = (escape(entity_id), escape(acs_url));
    let key = certificate.map_or_else(String::new, |certificate| {
        format!(
            r#"    <md:KeyDescriptor use="signing">
      <ds:KeyInfo xmlns:ds="{DSIG}"><ds:X509Data><ds:X509Certificate>{}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>
    </md:KeyDescriptor>
"#,
            STANDARD.encode(&certificate.der)
        )
    });
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="{METADATA}" entityID="{entity_id}">
  <md:SPSSODescriptor protocolSupportEnumeration="{PROTOCOL}" AuthnRequestsSigned="{signs}" WantAssertionsSigned="true">
{key}    <md:NameIDFormat>{NAME_ID_FORMAT}</md:NameIDFormat>
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="{acs_url}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
"#
    )
}

/// Escapes a text for an XML attribute.
pub(super) fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, letter| {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            letter if letter.is_control() => {
                let _ = write!(out, "&#{};", u32::from(letter));
            }
            letter => out.push(letter),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saml::kit;

    fn metadata(inside: &str) -> String {
        format!(
            r#"<?xml version="1.0"?><!-- ours --><md:EntityDescriptor xmlns:md="{METADATA}" xmlns:ds="{DSIG}" entityID="https://sso.example.com/saml2/idp">
               <md:IDPSSODescriptor protocolSupportEnumeration="{PROTOCOL}">{inside}</md:IDPSSODescriptor></md:EntityDescriptor>"#
        )
    }

    fn key(kind: &str, pem: &str) -> String {
        let naked: String = pem.lines().filter(|line| !line.starts_with("---")).collect();
        format!(
            r"<md:KeyDescriptor{kind}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>{naked}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>"
        )
    }

    const SERVICE: &str = r#"<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://sso.example.com/post"/>
        <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://sso.example.com/sso"/>"#;

    #[test]
    fn metadata_fills_entry_point_issuer_and_certificates() {
        let (now, day) = (kit::NOW, 86_400_000_000);
        let (old, new) =
            (kit::Idp::new("old", now - day, now + day), kit::Idp::new("new", now, now + 90 * day));
        let keys = key(r#" use="signing""#, &old.pem()) + &key("", &new.pem());
        let read = parse(&metadata(&(keys + SERVICE)), now).unwrap();
        assert_eq!(read.entity_id, "https://sso.example.com/saml2/idp");
        assert_eq!(read.entry_point, "https://sso.example.com/sso");
        assert_eq!(
            read.certificates.iter().map(|one| one.subject.as_str()).collect::<Vec<_>>(),
            ["CN=old", "CN=new"]
        );
        assert_eq!(read.warnings, Vec::<String>::new());
    }

    #[test]
    fn a_provider_that_answers_signed_requests_only_says_so() {
        let pem = kit::Idp::new("a", kit::NOW, kit::NOW + 86_400_000_000).pem();
        let text = metadata(&(key("", &pem) + SERVICE));
        assert!(!parse(&text, kit::NOW).unwrap().wants_signed_requests);
        let wanting =
            text.replace("<md:IDPSSODescriptor", r#"<md:IDPSSODescriptor WantAuthnRequestsSigned="true""#);
        let read = parse(&wanting, kit::NOW).unwrap();
        assert!(
            read.wants_signed_requests && read.warnings[0].contains("signing is switched on"),
            "{read:?}"
        );
    }

    #[test]
    fn our_metadata_has_the_certificate_that_requests_are_signed_with() {
        let pem = kit::Idp::new("us", kit::NOW, kit::NOW + 86_400_000_000).pem();
        let certificate = &certificate::parse_all(&pem).unwrap()[0];
        let text = of_service("https://a.example", "https://a.example/acs", Some(certificate), true);
        let document = document::parse(&text).unwrap();
        let service = document.descendants().find(|node| is(*node, METADATA, "SPSSODescriptor")).unwrap();
        assert_eq!(service.attribute("AuthnRequestsSigned"), Some("true"));
        let key = children(service, METADATA, "KeyDescriptor").next().unwrap();
        assert_eq!(key.attribute("use"), Some("signing"));
        assert_eq!(certificate::parse_all(&text_of(key)).unwrap()[0].der, certificate.der);
        let unsigned = of_service("https://a.example", "https://a.example/acs", None, false);
        assert!(unsigned.contains(r#"AuthnRequestsSigned="false""#) && !unsigned.contains("KeyDescriptor"));
    }

    #[test]
    fn what_cannot_be_used_is_refused_in_words() {
        let pem = kit::Idp::new("a", kit::NOW, kit::NOW + 86_400_000_000).pem();
        let post_only = SERVICE.replace("HTTP-Redirect", "HTTP-Artifact");
        for (text, words) in [
            ("hello".to_owned(), "not well-formed"),
            ("<html lang='en'><p>Sign in first</p></html>".to_owned(), "a web page"),
            (" <!DOCTYPE HTML><title>Sign in</title>".to_owned(), "a web page"),
            ("<feed version='1'/>".to_owned(), "expected an EntityDescriptor, found feed"),
            (format!("<a>{}</a>", "b".repeat(MAX_BYTES)), "is too large"),
            (of_service("a", "b", None, false), "metadata of a service"),
            (metadata(SERVICE), "has no certificate for signing"),
            (metadata(&key(r#" use="encryption""#, &pem)), "has no SingleSignOnService"),
            (metadata(&(key("", &pem) + &post_only)), "HTTP-POST"),
            (metadata(&(key("", "hello") + SERVICE)), "not base64"),
            ("<!DOCTYPE a><a/>".to_owned(), "document type"),
        ] {
            let error = parse(&text, kit::NOW).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn our_metadata_is_well_formed_whatever_the_settings_hold() {
        let text =
            of_service("https://a.example/?b=1&c=\"<2>", "https://a.example/api/auth/saml/acs", None, false);
        let document = document::parse(&text).unwrap();
        assert_eq!(document.root_element().attribute("entityID"), Some("https://a.example/?b=1&c=\"<2>"));
    }
}
