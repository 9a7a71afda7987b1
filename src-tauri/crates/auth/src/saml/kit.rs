//! An identity provider for tests: a key, a certificate, and responses signed with it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use openssl::asn1::{Asn1Integer, Asn1Time};
use openssl::bn::BigNum;
use openssl::hash::MessageDigest;
use openssl::pkey::{PKey, Private};
use openssl::rsa::Rsa;
use openssl::x509::{X509, X509NameBuilder};
use samael::crypto::{Crypto, CryptoProvider};
use std::sync::OnceLock;

/// 2026-11-20T06:38:00Z
pub const NOW: i64 = 1_795_156_680_000_000;
pub const ISSUER: &str = "https://sso.example.com/saml2/idp";
pub const AUDIENCE: &str = "https://console.example.com";
pub const ACS: &str = "https://console.example.com/api/auth/saml/acs";

/// All tests share two keys, since generating keys is slow.
fn key(which: usize) -> &'static PKey<Private> {
    static KEYS: [OnceLock<PKey<Private>>; 2] = [const { OnceLock::new() }; 2];
    KEYS[which].get_or_init(|| PKey::from_rsa(Rsa::generate(2048).unwrap()).unwrap())
}

pub struct Idp {
    key: &'static PKey<Private>,
    certificate: X509,
}

impl Idp {
    /// An identity provider whose certificate is valid between these times.
    pub fn new(name: &str, not_before: i64, not_after: i64) -> Self {
        Self::with_key(0, name, not_before, not_after)
    }

    /// An unknown provider, with another key.
    pub fn stranger() -> Self {
        Self::with_key(1, "sso.example.com", NOW - 1_000_000, NOW + 90 * 86_400_000_000)
    }

    fn with_key(which: usize, name: &str, not_before: i64, not_after: i64) -> Self {
        let key = key(which);
        let mut subject = X509NameBuilder::new().unwrap();
        subject.append_entry_by_text("CN", name).unwrap();
        let subject = subject.build();
        let mut certificate = X509::builder().unwrap();
        certificate.set_version(2).unwrap();
        certificate.set_serial_number(&Asn1Integer::from_bn(&BigNum::from_u32(7).unwrap()).unwrap()).unwrap();
        certificate.set_subject_name(&subject).unwrap();
        certificate.set_issuer_name(&subject).unwrap();
        certificate.set_not_before(&Asn1Time::from_unix(not_before.div_euclid(1_000_000)).unwrap()).unwrap();
        certificate.set_not_after(&Asn1Time::from_unix(not_after.div_euclid(1_000_000)).unwrap()).unwrap();
        certificate.set_pubkey(key).unwrap();
        certificate.sign(key, MessageDigest::sha256()).unwrap();
        Self { key, certificate: certificate.build() }
    }

    pub fn pem(&self) -> String {
        String::from_utf8(self.certificate.to_pem().unwrap()).unwrap()
    }

    /// Fills in the first empty signature.
    pub fn sign(&self, xml: &str) -> String {
        let der = self.key.private_key_to_der().unwrap();
        Crypto::sign_xml(xml, &der).unwrap()
    }
}

/// Encodes a text as the browser posts it.
pub fn pack(xml: &str) -> String {
    STANDARD.encode(xml)
}

/// Settings with all values a response of [`Answer`] needs.
pub fn settings(pem: &str) -> super::Settings {
    let given = [
        ("SAML_ENABLED", "true"),
        ("SAML_ENTRY_POINT", "https://sso.example.com/saml2/idp/sso"),
        ("SAML_ISSUER", ISSUER),
        ("SAML_CERT", pem),
        ("SAML_AUDIENCE", AUDIENCE),
        ("APPAUTH_URL", AUDIENCE),
    ];
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    super::Settings::layer(&given, &super::settings::SettingValues::new(), "http://127.0.0.1:8790")
}

/// A response before it is signed. Every part can be replaced.
#[derive(Clone)]
pub struct Answer {
    pub response_attributes: String,
    pub issuer: String,
    pub status: String,
    pub assertion_attributes: String,
    pub assertion_issuer: String,
    pub subject: String,
    pub conditions: String,
    pub authn: String,
    pub attributes: String,
    pub signs_response: bool,
    pub signs_assertion: bool,
}

pub const REQUEST: &str = "_req1";
const NAMESPACES: &str = r#"xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance""#;

pub fn attribute(name: &str, values: &[&str]) -> String {
    let values: String = values
        .iter()
        .map(|value| format!(r#"<saml:AttributeValue xsi:type="xs:string">{value}</saml:AttributeValue>"#))
        .collect();
    format!(r#"<saml:Attribute Name="{name}">{values}</saml:Attribute>"#)
}

/// An empty signature of the element with that id.
pub fn signature(id: &str) -> String {
    format!(
        r##"<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/><ds:Reference URI="#{id}"><ds:Transforms><ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/><ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue></ds:DigestValue></ds:Reference></ds:SignedInfo><ds:SignatureValue></ds:SignatureValue></ds:Signature>"##
    )
}

impl Answer {
    /// A good response to the request [`REQUEST`], with a signed assertion.
    pub fn good() -> Self {
        Self::to(REQUEST, "_a1", "mei@example.com", &["developers"])
    }

    pub fn to(request: &str, id: &str, email: &str, groups: &[&str]) -> Self {
        let at = |seconds: i64| super::time::text(NOW + seconds * 1_000_000);
        let (issued, before, after) = (at(-2), at(-30), at(300));
        Self {
            response_attributes: format!(r#"ID="_r{id}" Version="2.0" IssueInstant="{issued}" Destination="{ACS}" InResponseTo="{request}""#),
            issuer: format!("<saml:Issuer>{ISSUER}</saml:Issuer>"),
            status: r#"<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>"#.to_owned(),
            assertion_attributes: format!(r#"ID="{id}" Version="2.0" IssueInstant="{issued}""#),
            assertion_issuer: format!("<saml:Issuer>{ISSUER}</saml:Issuer>"),
            subject: format!(r#"<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">{email}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData Recipient="{ACS}" InResponseTo="{request}" NotOnOrAfter="{after}"/></saml:SubjectConfirmation></saml:Subject>"#),
            conditions: format!(r#"<saml:Conditions NotBefore="{before}" NotOnOrAfter="{after}"><saml:AudienceRestriction><saml:Audience>{AUDIENCE}</saml:Audience></saml:AudienceRestriction></saml:Conditions>"#),
            authn: format!(r#"<saml:AuthnStatement AuthnInstant="{issued}" SessionIndex="_s1"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>"#),
            attributes: format!("<saml:AttributeStatement>{}{}{}</saml:AttributeStatement>", attribute("email", &[email]), attribute("displayName", &["Mei Example"]), attribute("groups", groups)),
            signs_response: false,
            signs_assertion: true,
        }
    }

    /// The response with a text replaced in every part.
    #[must_use]
    pub fn with(mut self, from: &str, to: &str) -> Self {
        let parts = [
            &mut self.response_attributes,
            &mut self.issuer,
            &mut self.status,
            &mut self.assertion_attributes,
            &mut self.assertion_issuer,
            &mut self.subject,
            &mut self.conditions,
            &mut self.authn,
            &mut self.attributes,
        ];
        let mut is_found = false;
        for part in parts {
            is_found |= part.contains(from);
            *part = part.replace(from, to);
        }
        assert!(is_found, "{from} is not in the answer");
        self
    }

    pub fn assertion(&self, signature: &str) -> String {
        let Self { assertion_attributes, assertion_issuer, subject, conditions, authn, attributes, .. } =
            self;
        format!(
            "<saml:Assertion {NAMESPACES} {assertion_attributes}>{assertion_issuer}{signature}{subject}{conditions}{authn}{attributes}</saml:Assertion>"
        )
    }

    pub fn response(&self, signature: &str, inside: &str) -> String {
        let Self { response_attributes, issuer, status, .. } = self;
        format!(
            "<samlp:Response {NAMESPACES} {response_attributes}>{issuer}{signature}{status}{inside}</samlp:Response>"
        )
    }

    fn id_in(attributes: &str) -> String {
        attributes
            .split("ID=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .unwrap_or_default()
            .to_owned()
    }

    /// The XML, signed as `signs_assertion` and `signs_response` state.
    pub fn signed(&self, idp: &Idp) -> String {
        let mut assertion = self.assertion("");
        if self.signs_assertion {
            assertion =
                plain(&idp.sign(&self.assertion(&signature(&Self::id_in(&self.assertion_attributes)))));
        }
        if !self.signs_response {
            return self.response("", &assertion);
        }
        // xmlsec signs the first signature it finds: the response's comes before the assertion's.
        let id = Self::id_in(&self.response_attributes);
        plain(&idp.sign(&self.response(&signature(&id), &assertion)))
    }
}

/// Removes the declaration and line breaks that a serialiser adds around the document.
pub fn plain(xml: &str) -> String {
    let xml = xml.trim();
    xml.strip_prefix("<?xml")
        .and_then(|rest| rest.split_once("?>"))
        .map_or(xml, |(_, rest)| rest)
        .trim()
        .to_owned()
}
