//! More than eighty hostile responses: each must be refused with its own cause.

use super::cpu;
use super::good_idp;
use crate::saml::Cause;
use crate::saml::check::examine;
use crate::saml::kit::{self, ACS, AUDIENCE, Answer, ISSUER, Idp, NOW};
use base64::Engine;
use std::fmt::Write;

/// Name, posted text, and expected cause.
type Attack = (String, String, Cause);

type Change = fn(&mut Answer);

fn attack(name: &str, xml: &str, cause: Cause) -> Attack {
    (name.to_owned(), kit::pack(xml), cause)
}

/// Good responses changed before signing: the signature is valid, the content is not.
fn of_content(idp: &Idp) -> Vec<Attack> {
    let changed: &[(&str, &str, &str, Cause)] = &[
        ("another issuer", ISSUER, "https://evil.example.com/idp", Cause::WrongIssuer),
        ("an issuer with a slash too many", ISSUER, "https://sso.example.com/saml2/idp/", Cause::WrongIssuer),
        (
            "another audience",
            "<saml:Audience>https://console",
            "<saml:Audience>https://other",
            Cause::WrongAudience,
        ),
        (
            "an audience with a slash too many",
            "example.com</saml:Audience>",
            "example.com/</saml:Audience>",
            Cause::WrongAudience,
        ),
        (
            "an empty audience",
            "<saml:Audience>https://console.example.com</saml:Audience>",
            "",
            Cause::WrongAudience,
        ),
        (
            "two restrictions of which one is ours",
            "</saml:AudienceRestriction>",
            "</saml:AudienceRestriction><saml:AudienceRestriction><saml:Audience>https://other</saml:Audience></saml:AudienceRestriction>",
            Cause::WrongAudience,
        ),
        (
            "another destination",
            "Destination=\"https://console",
            "Destination=\"https://other",
            Cause::WrongDestination,
        ),
        ("a destination by http", "Destination=\"https://", "Destination=\"http://", Cause::WrongDestination),
        (
            "another recipient",
            "Recipient=\"https://console",
            "Recipient=\"https://other",
            Cause::WrongRecipient,
        ),
        (
            "no recipient",
            "Recipient=\"https://console.example.com/api/auth/saml/acs\"",
            "",
            Cause::WrongRecipient,
        ),
        (
            "a response of another version",
            "ID=\"_r_a1\" Version=\"2.0\"",
            "ID=\"_r_a1\" Version=\"1.1\"",
            Cause::WrongVersion,
        ),
        (
            "an assertion of another version",
            "ID=\"_a1\" Version=\"2.0\"",
            "ID=\"_a1\" Version=\"1.1\"",
            Cause::WrongVersion,
        ),
        (
            "an assertion issued tomorrow",
            "ID=\"_a1\" Version=\"2.0\" IssueInstant=\"2026-11-20",
            "ID=\"_a1\" Version=\"2.0\" IssueInstant=\"2026-11-21",
            Cause::IssuedInFuture,
        ),
        (
            "a sign-in of tomorrow",
            "AuthnInstant=\"2026-11-20",
            "AuthnInstant=\"2026-11-21",
            Cause::IssuedInFuture,
        ),
        ("a time nobody can read", "NotBefore=\"2026", "NotBefore=\"soon-2026", Cause::BadTime),
        (
            "a time without a zone",
            "AuthnInstant=\"2026-11-20T06:37:58Z\"",
            "AuthnInstant=\"2026-11-20T06:37:58\"",
            Cause::BadTime,
        ),
        ("conditions of tomorrow", "NotBefore=\"2026-11-20", "NotBefore=\"2026-11-21", Cause::NotYetValid),
        (
            "conditions of yesterday",
            "<saml:Conditions NotBefore=\"2026-11-20T06:37:30Z\" NotOnOrAfter=\"2026-11-20",
            "<saml:Conditions NotOnOrAfter=\"2026-11-19",
            Cause::AssertionExpired,
        ),
        (
            "a condition nobody understands",
            "<saml:AudienceRestriction>",
            "<saml:Condition xsi:type=\"xs:odd\"/><saml:AudienceRestriction>",
            Cause::UnknownCondition,
        ),
        (
            "a confirmation of yesterday",
            "InResponseTo=\"_req1\" NotOnOrAfter=\"2026-11-20",
            "InResponseTo=\"_req1\" NotOnOrAfter=\"2026-11-19",
            Cause::ConfirmationExpired,
        ),
        (
            "a confirmation without an end",
            "InResponseTo=\"_req1\" NotOnOrAfter=\"2026-11-20T06:43:00Z\"",
            "InResponseTo=\"_req1\"",
            Cause::ConfirmationExpired,
        ),
        (
            "a confirmation of tomorrow",
            "Recipient=",
            "NotBefore=\"2026-11-21T00:00:00Z\" Recipient=",
            Cause::ConfirmationNotYetValid,
        ),
        ("a holder of key instead of a bearer", "cm:bearer", "cm:holder-of-key", Cause::NoBearer),
        (
            "a confirmation for another request",
            "InResponseTo=\"_req1\" NotOnOrAfter",
            "InResponseTo=\"_req2\" NotOnOrAfter",
            Cause::InResponseToDiffers,
        ),
        (
            "a confirmation for no request",
            "InResponseTo=\"_req1\" NotOnOrAfter",
            "NotOnOrAfter",
            Cause::InResponseToMissing,
        ),
        (
            "a session at the provider that ended",
            "SessionIndex",
            "SessionNotOnOrAfter=\"2026-11-19T00:00:00Z\" SessionIndex",
            Cause::ProviderSessionEnded,
        ),
        (
            "an address that is none",
            ">mei@example.com</saml:AttributeValue>",
            ">mei</saml:AttributeValue>",
            Cause::ImplausibleEmail,
        ),
        (
            "two addresses in one",
            ">mei@example.com</saml:AttributeValue>",
            ">mei@example.com,eve@evil.example</saml:AttributeValue>",
            Cause::ImplausibleEmail,
        ),
        (
            "an address with invisible letters",
            ">mei@example.com</saml:AttributeValue>",
            ">mei@example.com&#8203;</saml:AttributeValue>",
            Cause::ImplausibleEmail,
        ),
        (
            "a status of failure beside an assertion",
            "status:Success",
            "status:Responder",
            Cause::StatusFailed,
        ),
        (
            "a NameID with an element inside",
            ">mei@example.com</saml:NameID>",
            ">mei@example.com<saml:x>.evil.example</saml:x></saml:NameID>",
            Cause::NameIdShape,
        ),
        (
            "two NameIDs",
            "</saml:NameID>",
            "</saml:NameID><saml:NameID>eve@evil.example</saml:NameID>",
            Cause::SeveralSubjects,
        ),
        (
            "an XInclude",
            "</saml:AttributeStatement>",
            "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"file:///etc/passwd\"/></saml:AttributeStatement>",
            Cause::Xinclude,
        ),
        ("an id that is an expression", "ID=\"_a1\"", "ID=\"element(/1/2)\"", Cause::MissingId),
    ];
    let mut all: Vec<Attack> = changed
        .iter()
        .filter(|(name, ..)| *name != "an id that is an expression")
        .map(|(name, from, to, cause)| attack(name, &Answer::good().with(from, to).signed(idp), *cause))
        .collect();
    let emptied: &[(&str, Change, Cause)] = &[
        ("no issuer of the assertion", |answer| answer.assertion_issuer.clear(), Cause::NoIssuer),
        (
            "two issuers",
            |answer| answer.assertion_issuer = answer.assertion_issuer.repeat(2),
            Cause::NoIssuer,
        ),
        ("no status", |answer| answer.status.clear(), Cause::NoStatus),
        ("no conditions", |answer| answer.conditions.clear(), Cause::NoConditions),
        (
            "conditions twice",
            |answer| answer.conditions = answer.conditions.repeat(2),
            Cause::SeveralConditions,
        ),
        (
            "conditions without an audience",
            |answer| answer.conditions = "<saml:Conditions/>".to_owned(),
            Cause::NoAudience,
        ),
        ("no subject", |answer| answer.subject.clear(), Cause::NoSubject),
        ("two subjects", |answer| answer.subject = answer.subject.repeat(2), Cause::SeveralSubjects),
        ("no statement of authentication", |answer| answer.authn.clear(), Cause::NoAuthnStatement),
    ];
    for (name, change, cause) in emptied {
        let mut answer = Answer::good();
        change(&mut answer);
        all.push(attack(name, &answer.signed(idp), *cause));
    }
    let no_email = Answer {
        attributes: String::new(),
        ..Answer::good().with(">mei@example.com</saml:NameID>", ">4711</saml:NameID>")
    };
    all.push(attack("no address at all", &no_email.signed(idp), Cause::NoEmail));
    for name in ["Destination", "InResponseTo"] {
        let mut answer = Answer::good();
        let value = answer
            .response_attributes
            .split(&format!("{name}=\""))
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .to_owned();
        answer.response_attributes = answer.response_attributes.replace(&format!("{name}=\"{value}\""), "");
        let cause = if name == "Destination" { Cause::NoDestination } else { Cause::InResponseToMissing };
        all.push(attack(&format!("no {name}"), &answer.signed(idp), cause));
    }
    all
}

/// Signatures that are missing, of another key, weak, or that would make the library fetch, run or hang.
fn of_signatures(idp: &Idp) -> Vec<Attack> {
    let good = Answer::good();
    let signed = good.signed(idp);
    let template = |from: &str, to: &str| signed.replacen(from, to, 1);
    let mut all = vec![
        attack(
            "no signature",
            &Answer { signs_assertion: false, ..good.clone() }.signed(idp),
            Cause::Unsigned,
        ),
        attack("a signature of a stranger", &good.signed(&Idp::stranger()), Cause::SignatureWrong),
        attack(
            "a changed address",
            &signed.replace("mei@example.com", "eve@example.com"),
            Cause::SignatureWrong,
        ),
        attack("a changed group", &signed.replace(">developers<", ">admins<"), Cause::SignatureWrong),
        attack("a changed digest", &changed_inside(&signed, "DigestValue"), Cause::SignatureWrong),
        attack("a changed signature", &changed_inside(&signed, "SignatureValue"), Cause::SignatureWrong),
        attack("an empty signature", &emptied(&signed, "SignatureValue"), Cause::SignatureWrong),
        attack(
            "a signature without its value",
            &cut(&signed, "<ds:SignatureValue>", "</ds:SignatureValue>"),
            Cause::SignatureShape,
        ),
        attack(
            "a signature without SignedInfo",
            &cut(&signed, "<ds:SignedInfo>", "</ds:SignedInfo>"),
            Cause::SignatureShape,
        ),
        attack(
            "a signature with an object",
            &template("</ds:SignatureValue>", "</ds:SignatureValue><ds:Object/>"),
            Cause::SignatureShape,
        ),
        attack(
            "SignedInfo twice",
            &doubled(&signed, "<ds:SignedInfo>", "</ds:SignedInfo>"),
            Cause::SignatureShape,
        ),
        attack(
            "two references",
            &doubled(&signed, "<ds:Reference ", "</ds:Reference>"),
            Cause::SeveralReferences,
        ),
        attack(
            "a thousand references",
            &repeated(&signed, "<ds:Reference ", "</ds:Reference>", 1000),
            Cause::SeveralReferences,
        ),
        attack("no reference", &cut(&signed, "<ds:Reference ", "</ds:Reference>"), Cause::SeveralReferences),
        attack(
            "a thousand transforms",
            &repeated(
                &signed,
                "<ds:Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"",
                "/>",
                1000,
            ),
            Cause::WrongTransforms,
        ),
        attack("no transforms", &cut(&signed, "<ds:Transforms>", "</ds:Transforms>"), Cause::WrongTransforms),
        attack(
            "a signature with a foreign child",
            &template("</ds:SignatureValue>", "</ds:SignatureValue><evil:a xmlns:evil=\"urn:evil\"/>"),
            Cause::SignatureShape,
        ),
        attack(
            "a key fetched from elsewhere",
            &template(
                "</ds:SignatureValue>",
                "</ds:SignatureValue><ds:KeyInfo><ds:RetrievalMethod URI=\"http://127.0.0.1:1/key\"/></ds:KeyInfo>",
            ),
            Cause::SignatureShape,
        ),
        attack(
            "a truncated HMAC",
            &template(
                "xmldsig-more#rsa-sha256\"/>",
                "xmldsig-more#rsa-sha256\"><ds:HMACOutputLength>8</ds:HMACOutputLength></ds:SignatureMethod>",
            ),
            Cause::SignatureShape,
        ),
    ];
    for uri in [
        "",
        "http://127.0.0.1:1/x",
        "https://evil.example.com/",
        "file:///etc/passwd",
        "file:///dev/zero",
        "#_r_a1",
        "#other",
        "#xpointer(/)",
        "#xpointer(id('_a1'))",
        "_a1",
        "#",
    ] {
        let xml = template("URI=\"#_a1\"", &format!("URI=\"{uri}\""));
        all.push(attack(&format!("a reference to {uri:?}"), &xml, Cause::ReferenceElsewhere));
    }
    all.push(attack("a reference to nothing", &template(" URI=\"#_a1\"", ""), Cause::ReferenceElsewhere));
    for transform in [
        "http://www.w3.org/TR/1999/REC-xslt-19991116",
        "http://www.w3.org/TR/1999/REC-xpath-19991116",
        "http://www.w3.org/2002/06/xmldsig-filter2",
        "http://www.w3.org/2000/09/xmldsig#base64",
        "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
        "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
    ] {
        let xml = template(
            "<ds:Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"",
            &format!("<ds:Transform Algorithm=\"{transform}\""),
        );
        all.push(attack(&format!("the transform {transform}"), &xml, Cause::WrongTransforms));
    }
    let script = "<ds:Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"><ds:XPath>count(//*/ancestor::*)</ds:XPath></ds:Transform>";
    all.push(attack(
        "an XPath inside a transform",
        &template("<ds:Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"/>", script),
        Cause::WrongTransforms,
    ));
    for method in [
        "http://www.w3.org/2001/04/xmldsig-more#rsa-md5",
        "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
        "http://www.w3.org/2000/09/xmldsig#dsa-sha1",
        "http://www.w3.org/2000/09/xmldsig#hmac-sha1",
        "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
        "http://www.w3.org/2001/04/xmldsig-more#rsa-sha224",
        "urn:nonsense",
        "",
    ] {
        let xml = template("http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", method);
        all.push(attack(&format!("the algorithm {method:?}"), &xml, Cause::WeakAlgorithm));
    }
    for digest in [
        "http://www.w3.org/2000/09/xmldsig#sha1",
        "http://www.w3.org/2001/04/xmldsig-more#md5",
        "http://www.w3.org/2001/04/xmldsig-more#sha224",
    ] {
        let xml = template("http://www.w3.org/2001/04/xmlenc#sha256", digest);
        all.push(attack(&format!("the digest {digest}"), &xml, Cause::WeakAlgorithm));
    }
    for method in [
        "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
        "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
    ] {
        let xml = template(
            "<ds:CanonicalizationMethod Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"",
            &format!("<ds:CanonicalizationMethod Algorithm=\"{method}\""),
        );
        all.push(attack(&format!("canonicalised by {method}"), &xml, Cause::WrongCanonicalization));
    }
    all
}

/// Forged assertions beside, around and inside the signed one: the eight known variants of signature wrapping, and similar ones.
fn of_wrapping(idp: &Idp) -> Vec<Attack> {
    let good = Answer::good();
    let signed = plain_assertion(&good.signed(idp));
    let evil = Answer::to(kit::REQUEST, "_evil", "eve@evil.example", &["admins"]).assertion("");
    let signature = between(&signed, "<ds:Signature ", "</ds:Signature>");
    let stripped = signed.replace(&signature, "");
    let inside = |assertion: &str, more: &str| {
        assertion.replacen("</saml:Assertion>", &format!("{more}</saml:Assertion>"), 1)
    };
    let whole = Answer { signs_response: true, signs_assertion: false, ..good.clone() }.signed(idp);
    let response_signature = between(&whole, "<ds:Signature ", "</ds:Signature>");
    let moved = format!("<ds:Object>{signed}</ds:Object></ds:Signature>");
    let with_object = signature.replacen("</ds:Signature>", &moved, 1);
    let evil_signed_by = |inner: &str| evil.replacen("</saml:Issuer>", &format!("</saml:Issuer>{inner}"), 1);
    vec![
        attack(
            "a forged assertion before the signed one",
            &good.response("", &format!("{evil}{signed}")),
            Cause::SeveralAssertions,
        ),
        attack(
            "a forged assertion after the signed one",
            &good.response("", &format!("{signed}{evil}")),
            Cause::SeveralAssertions,
        ),
        attack(
            "the signed assertion inside a forged one",
            &good.response("", &inside(&evil, &signed)),
            Cause::MisplacedAssertion,
        ),
        attack(
            "a forged assertion inside the signed one",
            &good.response("", &inside(&signed, &evil)),
            Cause::MisplacedAssertion,
        ),
        attack(
            "the signed assertion in the signature of a forged one",
            &good.response("", &evil_signed_by(&with_object)),
            Cause::MisplacedAssertion,
        ),
        attack(
            "the signature moved to a forged assertion",
            &good.response("", &evil_signed_by(&signature)),
            Cause::ReferenceElsewhere,
        ),
        attack(
            "a forged assertion under the signed one's id",
            &good.response("", &evil_signed_by(&signature).replace("_evil", "_a1")),
            Cause::SignatureWrong,
        ),
        attack(
            "the signed assertion in Extensions",
            &good.response("", &format!("<samlp:Extensions>{signed}</samlp:Extensions>{evil}")),
            Cause::MisplacedAssertion,
        ),
        attack(
            "a signed response inside a forged one",
            &good.response("", &format!("<samlp:Extensions>{whole}</samlp:Extensions>{evil}")),
            Cause::MisplacedAssertion,
        ),
        attack(
            "a signature of the response over another assertion",
            &good.response(&response_signature, &evil),
            Cause::SignatureWrong,
        ),
        attack(
            "the assertion's signature on the response",
            &good.response(&signature, &stripped),
            Cause::ReferenceElsewhere,
        ),
        attack(
            "the assertion's signature in its subject",
            &good
                .response("", &stripped.replacen("<saml:Subject>", &format!("<saml:Subject>{signature}"), 1)),
            Cause::MisplacedSignature,
        ),
        attack(
            "two signatures on one assertion",
            &good.response("", &signed.replacen(&signature, &signature.repeat(2), 1)),
            Cause::SeveralSignatures,
        ),
        attack(
            "an assertion of another namespace beside it",
            &good.response("", &format!("{signed}<Assertion xmlns=\"urn:evil\"/>")),
            Cause::MisplacedAssertion,
        ),
        attack(
            "two elements of one id",
            &good.response("", &inside(&signed, "<saml:Advice ID=\"_a1\"/>")),
            Cause::DuplicateId,
        ),
        attack(
            "two elements of one id, spelt otherwise",
            &good.response("", &inside(&signed, "<saml:Advice Id=\"_a1\"/>")),
            Cause::DuplicateId,
        ),
        attack(
            "two elements of one xml:id",
            &good.response("", &inside(&signed, "<saml:Advice xml:id=\"_a1\"/>")),
            Cause::DuplicateId,
        ),
        attack(
            "an encrypted assertion",
            &good.response("", "<saml:EncryptedAssertion/>"),
            Cause::EncryptedAssertion,
        ),
        attack(
            "an encrypted assertion beside the signed one",
            &good.response("", &format!("{signed}<saml:EncryptedAssertion/>")),
            Cause::EncryptedAssertion,
        ),
        attack("no assertion", &good.response("", ""), Cause::NoAssertion),
        attack("an assertion alone", &signed, Cause::WrongRoot),
        attack(
            "a response of another namespace",
            &good
                .response("", &signed)
                .replace("urn:oasis:names:tc:SAML:2.0:protocol", "urn:oasis:names:tc:SAML:1.0:protocol"),
            Cause::WrongRoot,
        ),
        attack(
            "an assertion without an id",
            &Answer {
                assertion_attributes: "Version=\"2.0\"".to_owned(),
                signs_assertion: false,
                ..good.clone()
            }
            .signed(idp),
            Cause::MissingId,
        ),
        attack(
            "an id that is an expression",
            &good.response("", &signed.replace("\"_a1\"", "\"element(/1/2)\"")),
            Cause::MissingId,
        ),
        attack(
            "a subject from outside added to the signed assertion",
            &good.response("", &inside(&signed, "<saml:Subject/>")),
            Cause::SignatureWrong,
        ),
        attack(
            "the status of another answer",
            &Answer { status: String::new(), signs_response: false, ..good }.response("", &signed),
            Cause::NoStatus,
        ),
    ]
}

/// Texts that are not XML, are too large, or use more than plain XML.
fn of_form(idp: &Idp) -> Vec<Attack> {
    let signed = Answer::good().signed(idp);
    let with = |inside: &str| {
        signed.replacen("</saml:AttributeStatement>", &format!("{inside}</saml:AttributeStatement>"), 1)
    };
    let mut wide = String::new();
    for n in 0..20_000 {
        let _ = write!(wide, " a{n}=\"\"");
    }
    let mut spaces = String::new();
    for n in 0..10_000 {
        let _ = write!(spaces, " xmlns:n{n}=\"urn:{n}\"");
    }
    let billion = "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]>";
    let mut all = vec![
        attack(
            "a comment in the address",
            &signed.replace("mei@example.com<", "mei@example.com<!-- -->.evil.example<"),
            Cause::Comment,
        ),
        attack("a comment elsewhere", &with("<!---->"), Cause::Comment),
        attack("a processing instruction", &with("<?a b?>"), Cause::ProcessingInstruction),
        attack(
            "a style sheet",
            &format!("<?xml-stylesheet href=\"http://127.0.0.1:1/\"?>{signed}"),
            Cause::ProcessingInstruction,
        ),
        attack("a CDATA section", &with("<![CDATA[x]]>"), Cause::Cdata),
        attack("a document type", &format!("<!DOCTYPE a>{signed}"), Cause::Doctype),
        attack(
            "a document type from elsewhere",
            &format!("<!DOCTYPE a SYSTEM \"http://127.0.0.1:1/a.dtd\">{signed}"),
            Cause::Doctype,
        ),
        attack(
            "an entity of a file",
            &format!("<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>{}", with("&x;")),
            Cause::Doctype,
        ),
        attack("a billion laughs", &format!("{billion}{}", with("&c;")), Cause::Doctype),
        attack("an entity nobody declared", &with("&nothing;"), Cause::MalformedXml),
        attack("twenty thousand attributes", &with(&format!("<a{wide}/>")), Cause::TooManyAttributes),
        attack("ten thousand namespaces", &with(&format!("<a{spaces}/>")), Cause::TooManyAttributes),
        attack("twenty thousand elements", &with(&"<a/>".repeat(20_000)), Cause::TooManyElements),
        attack(
            "fifty thousand levels",
            &format!("{}{}", "<a>".repeat(50_000), "</a>".repeat(50_000)),
            Cause::TooDeep,
        ),
        attack("five megabytes", &with(&"x".repeat(5_000_000)), Cause::BodyTooLarge),
        attack("half a megabyte of text", &with(&"x".repeat(600_000)), Cause::BodyTooLarge),
        attack("an end that is missing", &signed[..signed.len() - 20], Cause::MalformedXml),
        attack("half of it", &signed[..signed.len() / 2], Cause::MalformedXml),
        attack("text behind it", &format!("{signed}x"), Cause::MalformedXml),
        attack("two documents", &format!("{signed}{signed}"), Cause::MalformedXml),
        attack("a prefix without a namespace", &with("<evil:a/>"), Cause::MalformedXml),
        attack("an attribute twice", &with("<a b=\"1\" b=\"2\"/>"), Cause::MalformedXml),
        attack("a zero byte", &with("\u{0}"), Cause::MalformedXml),
        attack(
            "another encoding",
            &format!("<?xml version=\"1.0\" encoding=\"UTF-7\"?>{signed}"),
            Cause::NotUtf8,
        ),
        attack("another version of XML", &format!("<?xml version=\"1.1\"?>{signed}"), Cause::MalformedXml),
        attack("nothing", "", Cause::MalformedXml),
        attack("a page", "<html><body>hello</body></html>", Cause::WrongRoot),
        ("no base64".to_owned(), "not base64!".to_owned(), Cause::NotBase64),
        ("base64 of the other alphabet".to_owned(), "PGE_".to_owned(), Cause::NotBase64),
        ("bytes that are no text".to_owned(), "//4A".to_owned(), Cause::NotUtf8),
    ];
    let utf16: Vec<u8> = signed.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let with_mark = [vec![0xff, 0xfe], utf16].concat();
    all.push((
        "UTF-16".to_owned(),
        base64::engine::general_purpose::STANDARD.encode(with_mark),
        Cause::NotUtf8,
    ));
    all
}

fn changed_inside(xml: &str, name: &str) -> String {
    let inside = between(xml, &format!("<ds:{name}>"), &format!("</ds:{name}>"));
    let at = inside.find('>').unwrap() + 8;
    let other = if &inside[at..=at] == "A" { "B" } else { "A" };
    xml.replacen(&inside, &format!("{}{other}{}", &inside[..at], &inside[at + 1..]), 1)
}

fn emptied(xml: &str, name: &str) -> String {
    xml.replacen(
        &between(xml, &format!("<ds:{name}>"), &format!("</ds:{name}>")),
        &format!("<ds:{name}></ds:{name}>"),
        1,
    )
}

fn cut(xml: &str, from: &str, to: &str) -> String {
    xml.replacen(&between(xml, from, to), "", 1)
}

fn doubled(xml: &str, from: &str, to: &str) -> String {
    repeated(xml, from, to, 2)
}

fn repeated(xml: &str, from: &str, to: &str, times: usize) -> String {
    let part = between(xml, from, to);
    xml.replacen(&part, &part.repeat(times), 1)
}

/// The first part of the text from `from` to the next `to`, both included.
fn between(xml: &str, from: &str, to: &str) -> String {
    let start = xml.find(from).unwrap_or_else(|| panic!("{from} is not there"));
    let length = xml[start..].find(to).unwrap_or_else(|| panic!("{to} is not there")) + to.len();
    xml[start..start + length].to_owned()
}

fn plain_assertion(xml: &str) -> String {
    between(xml, "<saml:Assertion ", "</saml:Assertion>")
}

fn all(idp: &Idp) -> Vec<Attack> {
    [of_content(idp), of_signatures(idp), of_wrapping(idp), of_form(idp)].concat()
}

/// All attacks as text, where they can be decoded.
pub(super) fn texts(idp: &Idp) -> Vec<String> {
    all(idp).iter().filter_map(|(_, posted, _)| crate::saml::document::decode(posted).ok()).collect()
}

#[test]
fn every_hostile_answer_is_refused_for_its_own_reason() {
    let idp = good_idp();
    let settings = kit::settings(&idp.pem());
    let all = all(&idp);
    assert!(all.len() >= 80, "{}", all.len());
    let mut wrong = String::new();
    for (name, posted, cause) in &all {
        let before = cpu::of_this_thread();
        let examined = examine(posted, &settings, NOW);
        let taken = cpu::since(before);
        if taken > cpu::LIMIT {
            let _ = writeln!(wrong, "{name}: took {taken:?} of CPU");
        }
        let found = examined.outcome.as_ref().err().map(|refused| refused.cause);
        if found != Some(*cause) {
            let _ =
                writeln!(wrong, "{name}: expected {cause:?}, found {found:?} {:?}", examined.outcome.err());
        }
        let failed = examined.ladder.steps.iter().filter_map(|step| step.cause).collect::<Vec<_>>();
        if found.is_some() && failed != [*cause] {
            let _ = writeln!(wrong, "{name}: the ladder says {failed:?}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn an_unexpected_expectation_is_told_with_what_differs() {
    let idp = good_idp();
    let answer = Answer::good().with("example.com</saml:Audience>", "example.com/</saml:Audience>");
    let refused =
        examine(&kit::pack(&answer.signed(&idp)), &kit::settings(&idp.pem()), NOW).outcome.unwrap_err();
    assert_eq!(refused.expected.as_deref(), Some(AUDIENCE));
    assert_eq!(refused.received.as_deref(), Some("https://console.example.com/"));
    assert_eq!(refused.hint.as_deref(), Some("One character too many: the slash at the end."));
    let answer = Answer::good().with("Destination=\"https://console", "Destination=\"https://other");
    let refused =
        examine(&kit::pack(&answer.signed(&idp)), &kit::settings(&idp.pem()), NOW).outcome.unwrap_err();
    assert_eq!(refused.expected.as_deref(), Some(ACS));
}

#[test]
fn an_expired_certificate_lets_nobody_in_though_it_verifies() {
    let day = 86_400_000_000;
    let expired = Idp::new("sso.example.com", NOW - 10 * day, NOW - day);
    let early = Idp::new("sso.example.com", NOW + day, NOW + 10 * day);
    for (idp, cause) in [(expired, Cause::CertificateExpired), (early, Cause::CertificateNotYetValid)] {
        let refused =
            examine(&kit::pack(&Answer::good().signed(&idp)), &kit::settings(&idp.pem()), NOW).outcome;
        assert_eq!(refused.unwrap_err().cause, cause);
    }
}

#[test]
fn an_answer_cut_anywhere_or_with_a_byte_changed_is_refused_and_never_panics() {
    let idp = good_idp();
    let settings = kit::settings(&idp.pem());
    let signed = Answer::good().signed(&idp);
    // A fixed random generator: every run is the same.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    let start = signed.find("<saml:Assertion ").unwrap();
    for _ in 0..300 {
        let mut bytes = signed.clone().into_bytes();
        match next(3) {
            0 => bytes.truncate(next(bytes.len())),
            1 => {
                let at = start + next(bytes.len() - start - "</samlp:Response>".len());
                let other = b"<>&\"'= aZ0/\n"[next(12)];
                if bytes[at] == other || bytes[at].is_ascii_whitespace() || other.is_ascii_whitespace() {
                    continue;
                }
                bytes[at] = other;
            }
            _ => {
                let (from, length) = (next(bytes.len()), next(200));
                let piece: Vec<u8> = bytes.iter().skip(from).take(length + 1).copied().collect();
                let at = start + next(bytes.len() - start);
                bytes.splice(at..at, piece);
            }
        }
        let xml = String::from_utf8(bytes).unwrap();
        let examined = examine(&kit::pack(&xml), &settings, NOW);
        if let Ok(verified) = examined.outcome {
            // Content that the signature does not cover may change, such as unknown attributes of the response.
            assert_eq!(verified.attributes.email.value, "mei@example.com", "{xml}");
        }
    }
}
